/* Which pipe a machine instruction goes to and for how long, where that is not the whole story of its class
 * (latencies.def): read off chains of such instructions on a GPU, timings.def. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "model/hardware/schedule.h"
#include "model/profile/private.h"

static bool starts(const struct ptx_instr *instr, const char *with)
{
	return strncmp(ptx_op_rows[instr->form->op].spelling, with, strlen(with)) == 0;
}

/* --- pipes -------------------------------------------------------------------------------------------------------- */

static void set_cost(struct schedule_op *op, enum pipe pipe, enum timing_id cycles, enum timing_id interval)
{
	op->pipe = (uint8_t)pipe;
	op->cycles = (uint16_t)timing[cycles];
	op->interval = (uint16_t)timing[interval];
}

/* A sequence of instructions: it takes the issue slots of those, too; of some the pipes take longer than the slots.
 * Half of them are products: of 256 divisions of 32 bits by a warp an H200 counts 1332 instructions of the ALU pipe and
 * 1255 of the FMA pipes. */
static void set_sequence(struct schedule_op *op, enum timing_id cycles, enum timing_id interval, enum timing_id slots)
{
	set_cost(op, PIPE_ALU, cycles, interval);
	op->issues = (uint8_t)timing[slots];
	op->on_fma = op->issues / 2;
}

static bool has_mod(const struct ptx_instr *instr, const char *wanted)
{
	for (int c = 0; c < PTX_MOD_CLASSES; c++) {
		uint8_t mod = instr->form->mod[c];
		if (mod != PTX_NO_MOD && strcmp(ptx_mod_name((enum ptx_mod)mod), wanted) == 0)
			return true;
	}
	return false;
}

/* Special functions of floats that keep subnormals: a comparison guards a product before and one after, as ptxas 13.0
 * makes them for CC 9.0. A division is a reciprocal with a product more, a sine has a product before. */
static void cost_of_special(const struct ptx_instr *instr, struct schedule_op *op)
{
	const struct latency *special = &latency_table[LATENCY_SPECIAL], *product = &latency_table[LATENCY_FMA];
	bool wave = starts(instr, "sin") || starts(instr, "cos"), division = starts(instr, "div");
	bool scaled = !wave && !has_mod(instr, "ftz");
	op->pipe = PIPE_XU;
	op->interval = special->interval;
	op->cycles = (uint16_t)(special->cycles + (wave || division ? product->cycles : 0) +
		(scaled ? (unsigned)timing[TIMING_GUARD] + 2u * product->cycles : 0));
	op->issues = (uint8_t)(1 + (wave || division) + (scaled ? 3 : 0));
	op->on_fma = (uint8_t)(op->issues - 1 - scaled);
	op->on_alu = scaled;
}

static bool is_special(const struct ptx_instr *instr)
{
	static const char *const names[] = {"rsqrt", "ex2", "lg2", "sin", "cos"};
	if (instr->form->type != PTX_F32)
		return false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (starts(instr, names[i]))
			return true;
	return (starts(instr, "rcp") || starts(instr, "sqrt")) && has_mod(instr, "approx");
}

static bool is_approximate(const struct ptx_instr *instr)
{
	return has_mod(instr, "approx") || has_mod(instr, "full");
}

static bool is_float(enum ptx_type type)
{
	return ptx_type_kind(type) == 'F';
}

void profile_pipe_of(const struct ptx_instr *instr, struct schedule_op *op, bool divisor_stays)
{
	enum ptx_type type = instr->form->type;
	if (!op->issues)
		return;
	/* Verified: H200, the memory pipe has an instruction more than there are requests for each of %tid.x and
	 * %tid.y, in the recordings of lessons/182-stalls and 184-measuring. */
	const struct ptx_operand *from = instr->n > 1 ? &instr->operands[1] : NULL;
	op->of_thread = starts(instr, "mov") && from && from->kind == PTX_SPECIAL_REG &&
		(from->index == PTX_SPECIAL_TID_X || from->index == PTX_SPECIAL_TID_Y ||
			from->index == PTX_SPECIAL_TID_Z);
	if (ptx_form_space(instr->form) == SPACE_PARAM) { /* no pipe that is modeled brings it */
		op->pipe = PIPE_NONE;
		op->cycles = latency_table[op->latency].cycles;
		return;
	}
	op->either = op->latency == LATENCY_ALU && op->issues == 1 && (starts(instr, "add") || starts(instr, "sub"));
	if (starts(instr, "div") || starts(instr, "rem")) {
		switch (instr->form->type) {
		case PTX_F64:
			set_sequence(
				op, TIMING_DIVIDE_DOUBLE, TIMING_DIVIDE_DOUBLE_INTERVAL, TIMING_DIVIDE_DOUBLE_INTERVAL);
			break;
		case PTX_F32:
			if (is_approximate(instr))
				cost_of_special(instr, op);
			else
				set_sequence(op, TIMING_DIVIDE_FLOAT, TIMING_DIVIDE_FLOAT_INTERVAL,
					TIMING_DIVIDE_FLOAT_INTERVAL);
			break;
		case PTX_U64:
		case PTX_S64:
			set_sequence(op, TIMING_DIVIDE_WIDE, TIMING_DIVIDE_WIDE_INTERVAL, TIMING_DIVIDE_WIDE_INTERVAL);
			break;
		default:
			/* As the compiler makes a multiplication with the reciprocal of a constant, or a shift, of such
			 * a division. */
			if (instr->n > 2 && instr->operands[2].kind == PTX_IMM)
				break;
			if (divisor_stays)
				set_sequence(op, TIMING_DIVIDE, TIMING_DIVIDE_INTERVAL, TIMING_DIVIDE_INTERVAL);
			else if (instr->form->type == PTX_S32)
				set_sequence(op, TIMING_DIVIDE_SIGNED, TIMING_DIVIDE_SIGNED_INTERVAL,
					TIMING_DIVIDE_SIGNED_SLOTS);
			else
				set_sequence(op, TIMING_DIVIDE_BY_ANOTHER, TIMING_DIVIDE_BY_ANOTHER_INTERVAL,
					TIMING_DIVIDE_BY_ANOTHER_SLOTS);
		}
	} else if (starts(instr, "sqrt") && !is_approximate(instr)) {
		set_sequence(op, TIMING_ROOT, TIMING_ROOT_INTERVAL, TIMING_ROOT_INTERVAL);
	} else if (is_special(instr)) {
		cost_of_special(instr, op);
	} else if (starts(instr, "cvt.") || starts(instr, "cvt")) {
		if (instr_kind(instr->form) == PTX_KIND_ALU && is_float(type) != is_float(instr->form->type2) &&
			!starts(instr, "cvta"))
			set_cost(op, PIPE_XU,
				type == PTX_F64 || instr->form->type2 == PTX_F64 ? TIMING_CONVERT_DOUBLE
										 : TIMING_CONVERT,
				type == PTX_F64 || instr->form->type2 == PTX_F64 ? TIMING_CONVERT_DOUBLE_INTERVAL
										 : TIMING_CONVERT_INTERVAL);
	} else if (op->latency == LATENCY_ALU && (starts(instr, "mul") || starts(instr, "mad"))) {
		bool high = starts(instr, "mul.hi") || starts(instr, "mad.hi");
		op->pipe = PIPE_FMA;
		op->cycles = high ? (uint16_t)timing[TIMING_HIGH] : latency_table[LATENCY_ALU].cycles;
		op->interval = (uint16_t)(timing[high ? TIMING_HIGH_INTERVAL : TIMING_IMAD_INTERVAL] * op->issues);
	}
}

void profile_sum_product(struct schedule_op *op)
{
	op->pipe = PIPE_FMA;
	op->cycles = latency_table[LATENCY_ALU].cycles;
	op->interval = (uint16_t)timing[TIMING_IMAD_INTERVAL];
	op->either = false;
}

/* --- what all lanes have in common -------------------------------------------------------------------------------- */

struct differing {
	bool *registers; /* that may differ from lane to lane */
	bool reads, changed;
};

static void note_read(void *ctx, int32_t reg, enum instr_use use)
{
	struct differing *d = ctx;
	d->reads |= use == INSTR_READS && d->registers[reg];
}

static void note_write(void *ctx, int32_t reg, enum instr_use use)
{
	struct differing *d = ctx;
	if (use == INSTR_WRITES && !d->registers[reg])
		d->registers[reg] = d->changed = true;
}

static bool is_of_lane(const struct ptx_instr *instr)
{
	for (int i = 0; i < instr->n; i++) {
		if (instr->operands[i].kind != PTX_SPECIAL_REG)
			continue;
		switch (instr->operands[i].index) {
		case PTX_SPECIAL_NTID_X:
		case PTX_SPECIAL_NTID_Y:
		case PTX_SPECIAL_NTID_Z:
		case PTX_SPECIAL_CTAID_X:
		case PTX_SPECIAL_CTAID_Y:
		case PTX_SPECIAL_CTAID_Z:
		case PTX_SPECIAL_NCTAID_X:
		case PTX_SPECIAL_NCTAID_Y:
		case PTX_SPECIAL_NCTAID_Z: break;
		default: return true;
		}
	}
	return instr_accesses_memory(instr->form) && ptx_form_space(instr->form) != SPACE_PARAM;
}

void profile_find_uniform(const struct ptx_kernel *code, struct schedule_op *ops)
{
	struct differing d = {.registers = base_calloc((size_t)code->n_regs + 1, sizeof(bool)), .changed = true};
	while (d.changed) {
		d.changed = false;
		for (int i = 0; i < code->n_instrs; i++) {
			d.reads = is_of_lane(&code->instrs[i]);
			instr_each_register(&code->instrs[i], note_read, &d);
			if (d.reads)
				instr_each_register(&code->instrs[i], note_write, &d);
		}
	}
	for (int i = 0; i < code->n_instrs; i++) {
		const struct ptx_instr *instr = &code->instrs[i];
		ops[i].uniform = instr_is_atomic(instr->form);
		for (int k = 0; k < instr->n; k++)
			if (instr->operands[k].kind == PTX_MEM_REG && d.registers[instr->operands[k].index])
				ops[i].uniform = false;
	}
	free(d.registers);
}
