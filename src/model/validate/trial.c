#include "model/validate/trial.h"

uint32_t validate_trial_register_bytes(enum ptx_type type)
{
	return ptx_slot_bytes(type);
}

uint32_t validate_trial_destination_bytes(const struct ptx_form *form)
{
	return validate_trial_register_bytes(ptx_letter_type(form, ptx_op_rows[form->op].operands[0]));
}

int validate_trial_operands(const struct ptx_form *form, struct trial_operand *operands)
{
	int n = 0;
	for (const char *letter = ptx_op_rows[form->op].operands; *letter; letter++) {
		/* The operands after `?` belong to .and, .or and .xor of a comparison, to .cas, to a third type, and to
		 * what a video instruction does last. */
		if (*letter == '?' && !form->mod[PTX_MOD_BOOL] && !form->mod[PTX_MOD_THIRD] &&
			!form->mod[PTX_MOD_SECOND] && form->mod[PTX_MOD_ATOM] != PTX_ATOM_CAS)
			break;
		if (*letter == '?' || ptx_letter_traits(*letter) & LETTER_WRITES)
			continue;

		if (n == TRIAL_SOURCES_MAX)
			return -1;
		char of_letter = *letter;
		struct trial_operand *operand = &operands[n++];
		uint32_t traits = ptx_letter_traits(of_letter);
		*operand = (struct trial_operand){.letter = of_letter == 'm' ? '*' : of_letter,
			.type = ptx_letter_type(form, of_letter),
			.relaxed = traits & LETTER_WIDER};
		if (!(of_letter == 'm' || traits & LETTER_VALUE))
			return -1;
	}
	return n;
}

bool validate_trial_same_register(const struct trial_source *x, const struct trial_source *y)
{
	return x->kind == y->kind && x->kind != TRIAL_CONSTANT && x->index == y->index;
}

static bool add_result(struct trial *trial, struct trial_step *step, uint8_t bytes)
{
	if (trial->n_results == TRIAL_RESULTS_MAX)
		return false;
	trial->results[trial->n_results++] = (struct trial_result){bytes, (int)(step - trial->steps)};
	step->n_results++;
	return true;
}

bool validate_trial_add_results(struct trial *trial, struct trial_step *step)
{
	step->first_result = trial->n_results;
	bool has_destination = instr_kind(step->form) != PTX_KIND_REDUCTION;
	return (!has_destination || add_result(trial, step, step->bytes)) &&
		(!step->second || add_result(trial, step, 0)) &&
		(!validate_forms_is_atomic(step->form->op) ||
			add_result(trial, step, (uint8_t)ptx_type_bytes((enum ptx_type)step->form->type)));
}

uint64_t validate_trial_source_value(const struct trial *trial, const struct trial_source *source,
	const uint64_t *inputs, const uint64_t *results, int lane)
{
	size_t at = (size_t)source->index * (size_t)trial->lanes + (size_t)lane;
	if (source->kind == TRIAL_CONSTANT)
		return source->constant;
	return (source->kind == TRIAL_INPUT ? inputs : results)[at] ^ source->negated;
}

void validate_trial_launch(struct arena *arena, const struct trial *trial, struct launch *launch)
{
	struct buf text = {0};
	size_t lanes = (size_t)trial->lanes, n = (size_t)trial->n_inputs * lanes;
	uint64_t *values = arena_array(arena, uint64_t, n);
	buf_puts(&text, "b64[]:");
	for (size_t i = 0; i < n; i++) {
		if (i % lanes == 0)
			validate_values_fill(
				trial->seed, (int)(i / lanes), trial->inputs[i / lanes], trial->lanes, values + i);
		buf_printf(&text, i ? ",0x%llx" : "0x%llx", (unsigned long long)values[i]);
	}
	struct launch_arg *args = arena_array(arena, struct launch_arg, 2);
	args[0] = n == 0 ? (struct launch_arg){.type = LAUNCH_B64,
				   .buffer = true,
				   .count = 1,
				   .fill = LAUNCH_ZERO,
				   .text = "b64[1]"}
			 : (struct launch_arg){.type = LAUNCH_B64,
				   .buffer = true,
				   .count = n,
				   .fill = LAUNCH_VALUES,
				   .bytes = values,
				   .text = arena_strdup(arena, buf_str(&text))};
	size_t results = (size_t)trial->n_results * lanes;
	args[1] = (struct launch_arg){.type = LAUNCH_B64,
		.buffer = true,
		.count = results,
		.fill = LAUNCH_ZERO,
		.text = arena_printf(arena, "b64[%zu]", results)};
	*launch = (struct launch){.kernel = "trial",
		.grid = {1, 1, 1},
		.block = {(uint32_t)trial->lanes, 1, 1},
		.args = args,
		.n_args = 2};
	buf_free(&text);
}
