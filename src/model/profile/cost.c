#include "model/profile/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/ptx/instr.h"
#include "model/hardware/schedule.h"

#define REGISTERS_MAX 320 /* of one instruction: a wgmma reads and writes 128 */

#define LATENCY_BY_TYPE LATENCIES
static const uint8_t latencies[] = {
#define KIND(id, latency, memory, meaning) [PTX_KIND_##id] = LATENCY_##latency,
#include "machine/ptx/kinds.def"
#undef KIND
};

static uint8_t latency_of(const struct ptx_form *form)
{
	uint8_t latency = latencies[instr_kind(form)];
	if (latency == LATENCY_BY_TYPE) {
		switch (form->type) {
		case PTX_F64: return LATENCY_DOUBLE;
		case PTX_F32: return LATENCY_FMA;
		case PTX_F16:
		case PTX_F16X2:
		case PTX_BF16:
		case PTX_BF16X2: return LATENCY_HALF;
		default: return LATENCY_ALU;
		}
	}
	if (latency == LATENCY_GLOBAL || latency == LATENCY_ATOMIC) {
		enum mem_space space = ptx_form_space(form);
		switch (space) {
		case SPACE_SHARED: return LATENCY_SHARED;
		case SPACE_CONST:
		case SPACE_PARAM: return LATENCY_CONSTANT;
		case SPACE_GENERIC:
		case SPACE_GLOBAL:
		case SPACE_LOCAL: break;
		}
		return latency;
	}
	return latency;
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

struct register_list {
	uint32_t at[REGISTERS_MAX];
	uint16_t n;
	uint32_t base;      /* of the part's registers */
	enum instr_use use; /* of those that are listed */
};

static void list_register(void *ctx, int32_t reg, enum instr_use use)
{
	struct register_list *list = ctx;
	if (use == list->use && list->n < REGISTERS_MAX)
		list->at[list->n++] = list->base + (uint32_t)reg;
}

static uint8_t groups_kept(const struct ptx_instr *instr)
{
	return (uint8_t)(instr->n && instr->operands[0].value < UINT8_MAX ? instr->operands[0].value : 0);
}

static int32_t line_of(const struct ptx_kernel *kernel, int index, const char *file)
{
	struct ptx_location place = ptx_instr_location(kernel, index);
	if (!file)
		return place.ptx_line;
	return place.file && strcmp(place.file, file) == 0 ? place.line : 0;
}

struct cost_program *profile_cost(struct arena *arena, const struct ptx_kernel *kernel, const char *file)
{
	struct cost_program *p = arena_alloc(arena, sizeof *p);
	p->n_ops = ptx_instr_count(kernel);
	p->ops = arena_array(arena, struct schedule_op, (size_t)p->n_ops + 1);
	for (int part = 0; part < kernel->n_parts; part++) {
		const struct ptx_kernel *code = kernel->parts[part].code;
		for (int i = 0; i < code->n_instrs; i++) {
			int index = kernel->parts[part].first + i;
			p->ops[index].latency = latency_of(code->instrs[i].form);
			p->ops[index].ends = instr_ends_thread(code, code->instrs[i].form);
			p->ops[index].line = line_of(kernel, index, file);

			/* where lanes that diverge at a branch reconverge: its immediate post-dominator */
			const struct ptx_instr *instr = &code->instrs[i];
			struct schedule_op *op = &p->ops[index];
			if (instr_kind(instr->form) == PTX_KIND_BRANCH && instr->guard >= 0 && instr->reconverge >= 0 &&
				instr->reconverge < code->n_instrs)
				op->reconverges = line_of(kernel, kernel->parts[part].first + instr->reconverge, file);

			struct register_list list = {.base = p->n_registers, .use = INSTR_WRITES};
			instr_each_register(instr, list_register, &list);
			op->n_written = list.n;
			list.use = INSTR_READS;
			instr_each_register(instr, list_register, &list);
			op->n_registers = list.n;
			uint32_t *registers = arena_array(arena, uint32_t, (size_t)list.n + 1);
			memcpy(registers, list.at, list.n * sizeof *registers);
			op->registers = registers;

			/* What goes on by itself. The sums of products on tensor cores are not waited for but by their
			 * groups. */
			switch (instr_kind(instr->form)) {
			case PTX_KIND_GROUP_MMA:
				op->async = SCHEDULE_PRODUCT;
				op->pipe = PIPE_TENSOR;
				op->interval = (uint16_t)ceil(instr->form->columns * timing[TIMING_PRODUCT_COLUMN]);
				op->n_registers = op->n_written = 0;
				break;
			case PTX_KIND_GROUP_MMA_COMMIT: op->async = SCHEDULE_PRODUCT_COMMIT; break;
			case PTX_KIND_GROUP_MMA_WAIT:
				op->async = SCHEDULE_PRODUCT_WAIT;
				op->keeps = groups_kept(instr);
				break;
			case PTX_KIND_COPY: op->async = SCHEDULE_FETCH; break;
			case PTX_KIND_COPY_COMMIT: op->async = SCHEDULE_FETCH_COMMIT; break;
			case PTX_KIND_COPY_WAIT:
				op->async = SCHEDULE_FETCH_WAIT;
				op->keeps = groups_kept(instr);
				break;
			case PTX_KIND_BULK_LOAD: op->async = SCHEDULE_COPY; break;
			case PTX_KIND_MBARRIER_ARRIVE:
			case PTX_KIND_COPY_ARRIVE: op->async = SCHEDULE_ARRIVE; break;
			case PTX_KIND_MBARRIER_WAIT: op->async = SCHEDULE_PHASE_WAIT; break;
			case PTX_KIND_CLUSTER_WAIT: op->async = SCHEDULE_CLUSTER_WAIT; break;
			default: break;
			}
		}
		for (int i = 0; i < code->n_instrs; i++)
			if (code->instrs[i].guard >= 0)
				p->ops[kernel->parts[part].first + i].guard = p->n_registers +
					(uint32_t)code->instrs[i].guard + 1;
		profile_machine(code, &p->ops[kernel->parts[part].first]);
		p->n_registers += (uint32_t)code->n_regs;
	}
	return p;
}

double profile_machine_instructions(const struct ptx_kernel *kernel, const uint64_t *executed)
{
	double all = 0;
	for (int part = 0; part < kernel->n_parts; part++) {
		const struct ptx_kernel *code = kernel->parts[part].code;
		struct schedule_op *ops = base_calloc((size_t)code->n_instrs + 1, sizeof *ops);
		for (int i = 0; i < code->n_instrs; i++)
			ops[i].latency = latency_of(code->instrs[i].form);
		all += profile_machine_executed(code, ops, executed + kernel->parts[part].first);
		free(ops);
	}
	return all;
}
