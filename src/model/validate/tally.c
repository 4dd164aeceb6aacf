#include "model/validate/trial.h"

#include <stdlib.h>

#include "base/hash.h"
#include "machine/ptx/ops.h"

struct tally *validate_tally_new(struct arena *arena, struct forms *forms)
{
	struct tally *tally = arena_array(arena, struct tally, 1);
	tally->arena = arena;
	tally->forms = forms;
	tally->rows = arena_array(arena, struct tally_row, PTX_OPS);
	for (int op = 0; op < PTX_OPS; op++)
		tally->rows[op].seen = arena_array(arena, bool, (size_t)validate_forms_count(forms, op) + 1);
	return tally;
}

/* --- hashes ------------------------------------------------------------------------------------------------------- */

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
	for (int k = 0; k < 8; k++)
		hash = hash_step(hash, word >> 8 * k & 0xFF);
	return hash;
}

static uint64_t result_at(const struct trial *trial, int result, int lane, const uint64_t *results)
{
	return results[(size_t)result * (size_t)trial->lanes + (size_t)lane];
}

uint64_t validate_tally_hash(const struct trial *trial, int index, const uint64_t *results)
{
	const struct trial_step *step = &trial->steps[index];
	uint64_t hash = HASH_START;
	for (int k = 0; k < step->n_results; k++)
		for (int lane = 0; lane < trial->lanes; lane++)
			hash = hash_word(hash, result_at(trial, step->first_result + k, lane, results));
	return hash;
}

/* --- instances ---------------------------------------------------------------------------------------------------- */

struct instance {
	int first_lane, lanes;
	uint64_t key; /* of its operands; a carry flag's are those of the instruction before, too */
	bool spoiled; /* an operand differs already */
};

/* --- verdicts ----------------------------------------------------------------------------------------------------- */

enum verdict { EQUAL, WITHIN, UNBOUNDED, DIFFERENT };

static void keep_difference(struct tally *tally, const struct trial *trial, int index, const struct tally_run *run,
	struct tally_difference what)
{
	const struct trial_step *step = &trial->steps[index];
	struct buf text = {0};
	if (tally->n_differences == TALLY_DIFFERENCES_MAX)
		return;
	validate_trial_write_step(trial, index, &text);
	what.seed = trial->seed;
	what.op = step->form->op;
	what.instruction = arena_strdup(tally->arena, buf_str(&text));
	what.n_operands = step->n_sources;
	for (int i = 0; i < step->n_sources; i++)
		what.operands[i] = validate_trial_source_value(
			trial, &step->sources[i], run->inputs, run->machine, what.lane);
	tally->differences[tally->n_differences++] = what;
	buf_free(&text);
}

static enum verdict judge_lane(
	struct tally *tally, const struct trial *trial, int index, const struct tally_run *run, int lane)
{
	const struct trial_step *step = &trial->steps[index];
	const uint64_t *others = run->other ? run->other : run->machine;
	uint64_t operands[TRIAL_SOURCES_MAX];
	enum verdict worst = EQUAL;
	for (int i = 0; i < step->n_sources; i++)
		operands[i] = validate_trial_source_value(trial, &step->sources[i], run->inputs, run->machine, lane);
	for (int k = 0; k < step->n_results; k++) {
		int result = step->first_result + k;
		uint64_t machine = result_at(trial, result, lane, run->machine),
			 other = result_at(trial, result, lane, others);
		enum verdict verdict = machine == other ? EQUAL : DIFFERENT;
		if (validate_forms_is_approximate(step->form)) {
			/* the machine's and the other's, each against the true value */
			struct tally_row *row = &tally->rows[step->form->op];
			const struct bound *bound = validate_bound_find(step->form, operands);
			double error = 0, own;
			bool holds = bound && validate_bound_holds(bound, step->form, operands, machine, &own);
			bool other_holds = bound && validate_bound_holds(bound, step->form, operands, other, &error);
			if (other_holds && (error > row->error || !row->bound)) {
				row->error = error;
				row->bound = bound;
			}
			if (!bound)
				verdict = machine == other ? EQUAL : UNBOUNDED;
			else
				verdict = !holds || !other_holds ? DIFFERENT : machine == other ? EQUAL : WITHIN;
		}
		if (verdict == DIFFERENT && worst != DIFFERENT)
			keep_difference(tally, trial, index, run,
				(struct tally_difference){
					.lane = lane, .result = result, .machine = machine, .other = other});
		worst = verdict > worst ? verdict : worst;
	}
	return worst;
}

uint64_t validate_tally_add(struct tally *tally, const struct trial *trial, const struct tally_run *run)
{
	uint64_t different = 0;
	for (int i = 0; i < trial->n_steps; i++) {
		const struct trial_step *step = &trial->steps[i];
		struct tally_row *row = &tally->rows[step->form->op];
		struct instance all[TRIAL_LANES_MAX];

		/* the instances, with the operands of this instruction and of those before whose carry it reads */
		int lanes = validate_forms_is_warp(step->form->op) ? WARP_SIZE : 1, n = 0;
		for (int first = 0; first < trial->lanes; first += lanes) {
			struct instance *at = &all[n++];
			*at = (struct instance){.first_lane = first, .lanes = lanes, .key = HASH_START};
			for (int lane = first; lane < first + lanes; lane++) {
				uint64_t key = HASH_START;
				for (int s = i; s >= 0; s--) {
					const struct trial_step *by = &trial->steps[s];
					for (int j = 0; j < by->n_sources; j++) {
						const struct trial_source *source = &by->sources[j];
						uint64_t own = validate_trial_source_value(
							trial, source, run->inputs, run->machine, lane);
						key = hash_word(key, own);
						/* it differs in that lane, or came in a replay from an instruction that
						 * does not agree with the recording */
						if (run->other)
							at->spoiled |= own !=
								validate_trial_source_value(
									trial, source, run->inputs, run->other, lane);
						else
							at->spoiled |= source->kind == TRIAL_RESULT &&
								tally->disagrees[trial->results[source->index].step];
					}
					if (!validate_forms_reads_carry(by->form))
						break;
				}
				at->key = hash_word(at->key, key);
			}
		}

		/* in a replay, one hash covers all lanes */
		uint64_t hash = validate_tally_hash(trial, i, run->machine);
		bool agrees = run->other || !step->recorded || hash == step->hash;
		if (!agrees)
			keep_difference(tally, trial, i, run,
				(struct tally_difference){.result = step->first_result,
					.machine = hash,
					.other = step->hash,
					.whole = true});
		tally->disagrees[i] = !agrees;
		uint64_t before = row->different;
		for (int k = 0; k < n; k++) {
			enum verdict verdict = agrees ? EQUAL : DIFFERENT;
			int same = 0;
			while (same < k && all[same].key != all[k].key)
				same++;
			if (all[k].spoiled || same < k)
				continue;
			for (int lane = all[k].first_lane;
				lane < all[k].first_lane + all[k].lanes && verdict != DIFFERENT; lane++) {
				enum verdict here = judge_lane(tally, trial, i, run, lane);
				verdict = here > verdict ? here : verdict;
			}
			row->instances++;
			*(verdict == EQUAL                     ? &row->equal
					: verdict == WITHIN    ? &row->within
					: verdict == UNBOUNDED ? &row->unbounded
							       : &row->different) += 1;
			tally->instances++;
		}
		row->forms += !row->seen[step->number];
		row->seen[step->number] = true;
		different += row->different - before;
	}
	tally->programs++;
	tally->instructions += (uint64_t)trial->n_steps;
	tally->different += different;
	return different;
}
