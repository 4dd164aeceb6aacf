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

static uint64_t operand_key(const struct trial *trial, int index, const struct tally_run *run, int lane)
{
	uint64_t key = HASH_START;
	for (int s = index; s >= 0; s--) {
		const struct trial_step *step = &trial->steps[s];
		for (int i = 0; i < step->n_sources; i++)
			key = hash_word(key,
				validate_trial_source_value(trial, &step->sources[i], run->inputs, run->machine, lane));
		if (!validate_forms_reads_carry(step->form))
			break;
	}
	return key;
}

/* An operand differs in that lane, or came in a replay from an instruction that does not agree with the recording. */
static bool source_spoiled(const struct tally *tally, const struct trial *trial, const struct trial_source *source,
	const struct tally_run *run, int lane)
{
	if (!run->other)
		return source->kind == TRIAL_RESULT && tally->disagrees[trial->results[source->index].step];
	return validate_trial_source_value(trial, source, run->inputs, run->machine, lane) !=
		validate_trial_source_value(trial, source, run->inputs, run->other, lane);
}

static bool lane_spoiled(
	const struct tally *tally, const struct trial *trial, int index, const struct tally_run *run, int lane)
{
	for (int s = index; s >= 0; s--) {
		const struct trial_step *step = &trial->steps[s];
		for (int i = 0; i < step->n_sources; i++)
			if (source_spoiled(tally, trial, &step->sources[i], run, lane))
				return true;
		if (!validate_forms_reads_carry(step->form))
			break;
	}
	return false;
}

/* The instances of a step; returns how many. */
static int find_instances(const struct tally *tally, const struct trial *trial, int index, const struct tally_run *run,
	struct instance *out)
{
	const struct trial_step *step = &trial->steps[index];
	int lanes = validate_forms_is_warp(step->form->op) ? WARP_SIZE : 1, n = 0;
	for (int first = 0; first < trial->lanes; first += lanes) {
		struct instance *at = &out[n++];
		*at = (struct instance){.first_lane = first, .lanes = lanes, .key = HASH_START};
		for (int lane = first; lane < first + lanes; lane++) {
			at->key = hash_word(at->key, operand_key(trial, index, run, lane));
			at->spoiled = at->spoiled || lane_spoiled(tally, trial, index, run, lane);
		}
	}
	return n;
}

static bool is_repeated(const struct instance *all, int index)
{
	for (int i = 0; i < index; i++)
		if (all[i].key == all[index].key)
			return true;
	return false;
}

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

/* An approximate result: the machine's and the other's each against the true value. */
static enum verdict judge_bound(struct tally_row *row, const struct trial_step *step, const uint64_t *operands,
	uint64_t machine, uint64_t other)
{
	const struct bound *bound = validate_bound_find(step->form, operands);
	double error, own;
	if (!bound)
		return machine == other ? EQUAL : UNBOUNDED;
	bool machine_holds = validate_bound_holds(bound, step->form, operands, machine, &own);
	bool other_holds = validate_bound_holds(bound, step->form, operands, other, &error);
	if (other_holds && (error > row->error || !row->bound)) {
		row->error = error;
		row->bound = bound;
	}
	return !machine_holds || !other_holds ? DIFFERENT : machine == other ? EQUAL : WITHIN;
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
		if (validate_forms_is_approximate(step->form))
			verdict = judge_bound(&tally->rows[step->form->op], step, operands, machine, other);
		if (verdict == DIFFERENT && worst != DIFFERENT)
			keep_difference(tally, trial, index, run,
				(struct tally_difference){
					.lane = lane, .result = result, .machine = machine, .other = other});
		worst = verdict > worst ? verdict : worst;
	}
	return worst;
}

static void count(struct tally_row *row, enum verdict verdict)
{
	row->instances++;
	*(verdict == EQUAL                     ? &row->equal
			: verdict == WITHIN    ? &row->within
			: verdict == UNBOUNDED ? &row->unbounded
					       : &row->different) += 1;
}

/* In a replay, one hash covers all lanes. False when the machine's differs. */
static bool agrees_with_recording(
	struct tally *tally, const struct trial *trial, int index, const struct tally_run *run)
{
	const struct trial_step *step = &trial->steps[index];
	uint64_t hash = validate_tally_hash(trial, index, run->machine);
	if (run->other || !step->recorded || hash == step->hash)
		return true;
	keep_difference(tally, trial, index, run,
		(struct tally_difference){
			.result = step->first_result, .machine = hash, .other = step->hash, .whole = true});
	return false;
}

static uint64_t add_step(struct tally *tally, const struct trial *trial, int index, const struct tally_run *run)
{
	const struct trial_step *step = &trial->steps[index];
	struct tally_row *row = &tally->rows[step->form->op];
	struct instance all[TRIAL_LANES_MAX];
	int n = find_instances(tally, trial, index, run, all);
	bool agrees = agrees_with_recording(tally, trial, index, run);
	tally->disagrees[index] = !agrees;
	uint64_t before = row->different;
	for (int i = 0; i < n; i++) {
		enum verdict verdict = agrees ? EQUAL : DIFFERENT;
		if (all[i].spoiled || is_repeated(all, i))
			continue;
		for (int lane = all[i].first_lane; lane < all[i].first_lane + all[i].lanes && verdict != DIFFERENT;
			lane++) {
			enum verdict here = judge_lane(tally, trial, index, run, lane);
			verdict = here > verdict ? here : verdict;
		}
		count(row, verdict);
		tally->instances++;
	}
	row->forms += !row->seen[step->number];
	row->seen[step->number] = true;
	return row->different - before;
}

uint64_t validate_tally_add(struct tally *tally, const struct trial *trial, const struct tally_run *run)
{
	uint64_t different = 0;
	for (int i = 0; i < trial->n_steps; i++)
		different += add_step(tally, trial, i, run);
	tally->programs++;
	tally->instructions += (uint64_t)trial->n_steps;
	tally->different += different;
	return different;
}
