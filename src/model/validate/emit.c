/* A trial as PTX. */
#include <inttypes.h>

#include "model/validate/trial.h"

/* Required by the newest instructions of the table: lop3 with a predicate needs this version, elect.sync this
 * target. */
#define HEADER ".version 8.2\n.target sm_90\n.address_size 64\n\n"

static size_t offset_of(const struct trial *t, int vector)
{
	return (size_t)vector * (size_t)t->lanes * 8;
}

static void write_source(const struct trial_source *s, const struct trial_operand *operand, struct buf *out)
{
	if (s->negated)
		buf_putc(out, '!');
	if (s->kind != TRIAL_CONSTANT)
		buf_printf(out, "%%%c%d", s->kind == TRIAL_INPUT ? 'i' : 'r', s->index);
	else if (operand->type == PTX_F32)
		buf_printf(out, "0f%08" PRIX64, s->constant);
	else if (operand->type == PTX_F64)
		buf_printf(out, "0d%016" PRIX64, s->constant);
	else
		buf_printf(out, "0x%" PRIx64, s->constant);
}

static const char *space_of(const struct trial_step *step)
{
	return step->form->mod[PTX_MOD_SPACE] == PTX_SPACE_SHARED ? "shared" : "global";
}

/* The word an atomic works on: in shared memory one for each lane, elsewhere that of its result. */
static void write_word(const struct trial *t, const struct trial_step *step, struct buf *out)
{
	if (step->form->mod[PTX_MOD_SPACE] == PTX_SPACE_SHARED)
		buf_puts(out, "[%word]");
	else
		buf_printf(out, "[%%out+%zu]", offset_of(t, step->first_result + step->n_results - 1));
}

void validate_trial_write_step(const struct trial *t, int index, struct buf *out)
{
	const struct trial_step *step = &t->steps[index];
	struct trial_operand operands[TRIAL_SOURCES_MAX];
	const char *between = " ";
	int source = 0;
	validate_trial_operands(step->form, operands);
	buf_puts(out, step->form->spelling);
	for (const char *letter = ptx_op_rows[step->form->op].operands; *letter; letter++) {
		if (*letter == '?')
			continue;
		bool writes = ptx_letter_traits(*letter) & LETTER_WRITES;
		if (!writes && source == step->n_sources)
			break;
		buf_puts(out, between);
		between = ", ";
		if (writes) {
			buf_printf(out, "%%r%d", step->first_result);
			if (step->second)
				buf_printf(out, "|%%r%d", step->first_result + 1);
		} else if (*letter == 'm') {
			write_word(t, step, out);
			source++;
		} else {
			write_source(&step->sources[source], &operands[source], out);
			source++;
		}
	}
	buf_puts(out, ";");
}

static void write_register(char name, int index, uint32_t bytes, struct buf *out)
{
	if (bytes)
		buf_printf(out, "\t.reg .b%u %%%c%d;\n", 8 * bytes, name, index);
	else
		buf_printf(out, "\t.reg .pred %%%c%d;\n", name, index);
}

void validate_trial_write(const struct trial *t, struct buf *out)
{
	buf_puts(out, HEADER);
	buf_puts(out, ".visible .entry trial(.param .u64 inputs, .param .u64 results)\n{\n");
	buf_puts(out, "\t.reg .b64 %in, %out;\n\t.reg .b32 %lane, %flag, %word;\n");
	buf_printf(out, "\t.shared .align 8 .b8 words[%d];\n", 8 * t->lanes);
	for (int i = 0; i < t->n_inputs; i++)
		write_register('i', i, validate_trial_register_bytes(t->inputs[i]), out);
	for (int i = 0; i < t->n_results; i++)
		write_register('r', i, t->results[i].bytes, out);
	buf_puts(out, "\tmov.u32 %lane, %tid.x;\n\tmov.u32 %word, words;\n\tmad.lo.u32 %word, %lane, 8, %word;\n");
	buf_puts(out, "\tld.param.u64 %in, [inputs];\n\tmad.wide.u32 %in, %lane, 8, %in;\n");
	buf_puts(out, "\tld.param.u64 %out, [results];\n\tmad.wide.u32 %out, %lane, 8, %out;\n");

	for (int i = 0; i < t->n_steps; i++) {
		const struct trial_step *step = &t->steps[i];
		bool atomic = validate_forms_is_atomic(step->form->op);

		/* each register once, in the order of the operands */
		for (int k = 0; k < step->n_sources; k++) {
			const struct trial_source *s = &step->sources[k];
			bool again = false;
			for (int before = 0; before < k; before++)
				again = again || validate_trial_same_register(&step->sources[before], s);
			if (again || s->kind == TRIAL_CONSTANT)
				continue;

			/* What ptxas knows about an operand changes how it compiles the instruction: it drops a min
			 * after an abs, and swaps factors by their origin, and then the result is another NaN than that
			 * of the instruction itself. So each instruction has operands that were just loaded, in their
			 * order. */
			bool is_input = s->kind == TRIAL_INPUT;
			uint32_t bytes = is_input ? validate_trial_register_bytes(t->inputs[s->index])
						  : t->results[s->index].bytes;
			const char *base = is_input ? "in" : "out";
			char name = is_input ? 'i' : 'r';
			if (bytes)
				buf_printf(out, "\tld.volatile.global.b%u %%%c%d, [%%%s+%zu];\n", 8 * bytes, name,
					s->index, base, offset_of(t, s->index));
			else
				buf_printf(out,
					"\tld.volatile.global.b32 %%flag, [%%%s+%zu];\n"
					"\tsetp.ne.b32 %%%c%d, %%flag, 0;\n",
					base, offset_of(t, s->index), name, s->index);
		}

		if (atomic) {
			/* the initial value of the word */
			struct trial_operand operand = {.type = (enum ptx_type)step->form->type};
			buf_printf(out, "\tst.%s.b%u ", space_of(step), 8 * ptx_type_bytes(operand.type));
			write_word(t, step, out);
			buf_puts(out, ", ");
			write_source(&step->sources[0], &operand, out);
			buf_puts(out, ";\n");
		}
		buf_putc(out, '\t');
		validate_trial_write_step(t, i, out);
		buf_putc(out, '\n');
		if (atomic) {
			buf_printf(out, "\tld.%s.b%u %%r%d, ", space_of(step),
				8 * ptx_type_bytes((enum ptx_type)step->form->type),
				step->first_result + step->n_results - 1);
			write_word(t, step, out);
			buf_puts(out, ";\n");
		}
		for (int k = 0; k < step->n_results; k++) {
			int index = step->first_result + k;
			uint32_t bytes = t->results[index].bytes;
			if (bytes)
				buf_printf(out, "\tst.global.b%u [%%out+%zu], %%r%d;\n", 8 * bytes, offset_of(t, index),
					index);
			else
				buf_printf(out,
					"\tselp.b32 %%flag, 1, 0, %%r%d;\n\tst.global.b32 [%%out+%zu], %%flag;\n",
					index, offset_of(t, index));
		}
	}

	buf_puts(out, "\tret;\n}\n");
}
