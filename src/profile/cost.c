#include "profile/cost.h"

#include <string.h>

#include "ptx/program.h"

#define REGISTERS_MAX 64 /* of one instruction: a fragment of a matrix has 16 */

/* Classes of what is neither plain integer arithmetic nor told by its type. */
static const uint8_t classes[PTX_OPS] = {
	[PTX_OP_DIV_INT] = LATENCY_LONG,
	[PTX_OP_REM] = LATENCY_LONG,
	[PTX_OP_DIV_FLOAT] = LATENCY_LONG,
	[PTX_OP_RCP] = LATENCY_SPECIAL,
	[PTX_OP_SQRT] = LATENCY_SPECIAL,
	[PTX_OP_RSQRT] = LATENCY_SPECIAL,
	[PTX_OP_SIN] = LATENCY_SPECIAL,
	[PTX_OP_COS] = LATENCY_SPECIAL,
	[PTX_OP_LG2] = LATENCY_SPECIAL,
	[PTX_OP_EX2] = LATENCY_SPECIAL,
	[PTX_OP_TANH] = LATENCY_SPECIAL,
	[PTX_OP_EX2_HALF] = LATENCY_SPECIAL,
	[PTX_OP_TANH_HALF] = LATENCY_SPECIAL,
	[PTX_OP_POPC] = LATENCY_SPECIAL,
	[PTX_OP_CLZ] = LATENCY_SPECIAL,
	[PTX_OP_BFIND] = LATENCY_SPECIAL,
	[PTX_OP_BREV] = LATENCY_SPECIAL,
	[PTX_OP_LD] = LATENCY_GLOBAL,
	[PTX_OP_LDU] = LATENCY_GLOBAL,
	[PTX_OP_ST] = LATENCY_GLOBAL,
	[PTX_OP_ATOM] = LATENCY_ATOMIC,
	[PTX_OP_RED] = LATENCY_ATOMIC,
	[PTX_OP_ATOM_VEC] = LATENCY_ATOMIC,
	[PTX_OP_RED_VEC] = LATENCY_ATOMIC,
	[PTX_OP_CP_ASYNC_CA] = LATENCY_GLOBAL,
	[PTX_OP_CP_ASYNC_CG] = LATENCY_GLOBAL,
	[PTX_OP_BULK_LOAD] = LATENCY_GLOBAL,
	[PTX_OP_BULK_STORE] = LATENCY_GLOBAL,
	[PTX_OP_CP_ASYNC_WAIT] = LATENCY_FENCE,
	[PTX_OP_CP_ASYNC_WAIT_ALL] = LATENCY_FENCE,
	[PTX_OP_BULK_WAIT] = LATENCY_FENCE,
	[PTX_OP_BULK_WAIT_READ] = LATENCY_FENCE,
	[PTX_OP_MEMBAR] = LATENCY_FENCE,
	[PTX_OP_FENCE] = LATENCY_FENCE,
	[PTX_OP_FENCE_PROXY_ALIAS] = LATENCY_FENCE,
	[PTX_OP_FENCE_PROXY_ASYNC] = LATENCY_FENCE,
	[PTX_OP_FENCE_MBARRIER] = LATENCY_FENCE,
	[PTX_OP_CP_ASYNC_MBARRIER_ARRIVE] = LATENCY_SHARED,
	[PTX_OP_CP_ASYNC_MBARRIER_NOINC] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_INIT] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_INVAL] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_ARRIVE] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_ARRIVE_NOCOMPLETE] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_ARRIVE_TX] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_DROP] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_DROP_NOCOMPLETE] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_EXPECT_TX] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_COMPLETE_TX] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_TEST] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_TEST_PARITY] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_TRY] = LATENCY_SHARED,
	[PTX_OP_MBARRIER_TRY_PARITY] = LATENCY_SHARED,
	[PTX_OP_LDMATRIX] = LATENCY_SHARED,
	[PTX_OP_STMATRIX] = LATENCY_SHARED,
	[PTX_OP_MOVMATRIX] = LATENCY_SHUFFLE,
	[PTX_OP_WMMA_LOAD_A] = LATENCY_GLOBAL,
	[PTX_OP_WMMA_LOAD_B] = LATENCY_GLOBAL,
	[PTX_OP_WMMA_LOAD_C] = LATENCY_GLOBAL,
	[PTX_OP_WMMA_STORE_D] = LATENCY_GLOBAL,
	[PTX_OP_MMA_M8N8K4] = LATENCY_MATRIX,
	[PTX_OP_MMA_M8N8K16] = LATENCY_MATRIX,
	[PTX_OP_MMA_M16N8K4] = LATENCY_MATRIX,
	[PTX_OP_MMA_M16N8K8] = LATENCY_MATRIX,
	[PTX_OP_MMA_M16N8K16] = LATENCY_MATRIX,
	[PTX_OP_MMA_M16N8K32] = LATENCY_MATRIX,
	[PTX_OP_WMMA_MMA] = LATENCY_MATRIX,
	[PTX_OP_BRA] = LATENCY_BRANCH,
	[PTX_OP_BRX] = LATENCY_BRANCH,
	[PTX_OP_CALL] = LATENCY_BRANCH,
	[PTX_OP_RET] = LATENCY_BRANCH,
	[PTX_OP_EXIT] = LATENCY_FREE,
	[PTX_OP_TRAP] = LATENCY_FREE,
	[PTX_OP_NANOSLEEP] = LATENCY_FREE,
	[PTX_OP_PREFETCH] = LATENCY_FREE,
	[PTX_OP_PREFETCHU] = LATENCY_FREE,
	[PTX_OP_APPLYPRIORITY] = LATENCY_FREE,
	[PTX_OP_DISCARD] = LATENCY_FREE,
	[PTX_OP_BULK_PREFETCH] = LATENCY_FREE,
	[PTX_OP_GRID_LAUNCH] = LATENCY_FREE,
	[PTX_OP_GRID_WAIT] = LATENCY_FREE,
	[PTX_OP_SETMAXNREG_INC] = LATENCY_FREE,
	[PTX_OP_SETMAXNREG_DEC] = LATENCY_FREE,
	[PTX_OP_BRKPT] = LATENCY_FREE,
	[PTX_OP_PMEVENT] = LATENCY_FREE,
	[PTX_OP_BAR_WARP_SYNC] = LATENCY_FREE,
	[PTX_OP_BAR_ARRIVE] = LATENCY_FREE,
	[PTX_OP_BARRIER_ARRIVE] = LATENCY_FREE,
	[PTX_OP_CP_ASYNC_COMMIT] = LATENCY_FREE,
	[PTX_OP_BULK_COMMIT] = LATENCY_FREE,
	[PTX_OP_CLUSTER_ARRIVE] = LATENCY_FREE,
	[PTX_OP_BAR_SYNC] = LATENCY_BARRIER,
	[PTX_OP_BARRIER_SYNC] = LATENCY_BARRIER,
	[PTX_OP_BAR_RED_POPC] = LATENCY_BARRIER,
	[PTX_OP_BAR_RED_AND] = LATENCY_BARRIER,
	[PTX_OP_BAR_RED_OR] = LATENCY_BARRIER,
	[PTX_OP_BARRIER_RED_POPC] = LATENCY_BARRIER,
	[PTX_OP_BARRIER_RED_AND] = LATENCY_BARRIER,
	[PTX_OP_BARRIER_RED_OR] = LATENCY_BARRIER,
	[PTX_OP_CLUSTER_WAIT] = LATENCY_BARRIER,
	[PTX_OP_SHFL_SYNC] = LATENCY_SHUFFLE,
	[PTX_OP_SHFL] = LATENCY_SHUFFLE,
	[PTX_OP_MATCH_ANY] = LATENCY_SHUFFLE,
	[PTX_OP_MATCH_ALL] = LATENCY_SHUFFLE,
	[PTX_OP_REDUX_ADD] = LATENCY_SHUFFLE,
	[PTX_OP_REDUX_MIN] = LATENCY_SHUFFLE,
	[PTX_OP_REDUX_MAX] = LATENCY_SHUFFLE,
	[PTX_OP_REDUX_AND] = LATENCY_SHUFFLE,
	[PTX_OP_REDUX_OR] = LATENCY_SHUFFLE,
	[PTX_OP_REDUX_XOR] = LATENCY_SHUFFLE,
	[PTX_OP_VOTE_ALL] = LATENCY_VOTE,
	[PTX_OP_VOTE_ANY] = LATENCY_VOTE,
	[PTX_OP_VOTE_UNI] = LATENCY_VOTE,
	[PTX_OP_VOTE_BALLOT] = LATENCY_VOTE,
	[PTX_OP_VOTE_HERE_ALL] = LATENCY_VOTE,
	[PTX_OP_VOTE_HERE_ANY] = LATENCY_VOTE,
	[PTX_OP_VOTE_HERE_UNI] = LATENCY_VOTE,
	[PTX_OP_VOTE_HERE_BALLOT] = LATENCY_VOTE,
};

static uint8_t class_of_type(const struct ptx_form *form)
{
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

/* Copies, comparisons, selections and conversions go to the integer pipe whatever their type. */
static bool is_arithmetic(enum ptx_op op)
{
	switch (op) {
	case PTX_OP_ADD_FLOAT:
	case PTX_OP_SUB_FLOAT:
	case PTX_OP_MUL_FLOAT:
	case PTX_OP_FMA:
	case PTX_OP_MAD_FLOAT:
	case PTX_OP_ADD_HALF:
	case PTX_OP_SUB_HALF:
	case PTX_OP_MUL_HALF:
	case PTX_OP_FMA_HALF: return true;
	default: return false;
	}
}

static uint8_t class_of_space(uint8_t latency, enum mem_space space)
{
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

static uint8_t class_of(const struct ptx_instr *instr)
{
	enum ptx_op op = (enum ptx_op)instr->form->op;
	uint8_t latency = op < PTX_OPS ? classes[op] : LATENCY_ALU;
	if (is_arithmetic(op))
		return class_of_type(instr->form);
	if (latency == LATENCY_GLOBAL || latency == LATENCY_ATOMIC)
		return class_of_space(latency, ptx_form_space(instr->form));
	return latency;
}

/* --- registers ---------------------------------------------------------------------------------------------------- */
struct list {
	uint32_t at[REGISTERS_MAX];
	uint16_t n;
};

static void add_register(struct list *list, int32_t base, int32_t index)
{
	if (list->n < REGISTERS_MAX)
		list->at[list->n++] = (uint32_t)(base + index);
}

static void add_operand(struct list *list, int32_t base, const struct ptx_operand *o)
{
	if (o->kind == PTX_REG || o->kind == PTX_MEM_REG)
		add_register(list, base, o->index);
	if (o->second >= 0)
		add_register(list, base, o->second);
	int n = o->kind == PTX_VECTOR ? o->count : o->kind == PTX_LIST ? o->index : 0;
	for (int i = 0; i < n; i++)
		add_operand(list, base, &o->elements[i]);
}

/* Whether operand `index` is written, by its letter in ops.def. */
static bool is_written(const struct ptx_instr *instr, int index)
{
	const char *letters = instr->form->op < PTX_OPS ? ptx_op_rows[instr->form->op].operands : "";
	for (int i = 0; *letters; letters++)
		if (*letters != '?' && i++ == index)
			return ptx_letter_writes(*letters);
	return false;
}

static void take_registers(struct arena *arena, const struct ptx_instr *instr, int32_t base, struct schedule_op *op)
{
	struct list list = {.n = 0};
	for (int i = 0; i < instr->n; i++)
		if (is_written(instr, i))
			add_operand(&list, base, &instr->operands[i]);
	op->n_written = list.n;
	for (int i = 0; i < instr->n; i++)
		if (!is_written(instr, i))
			add_operand(&list, base, &instr->operands[i]);
	if (instr->guard >= 0)
		add_register(&list, base, instr->guard);
	op->n_registers = list.n;
	uint32_t *registers = arena_array(arena, uint32_t, (size_t)list.n + 1);
	memcpy(registers, list.at, list.n * sizeof *registers);
	op->registers = registers;
}

static int32_t line_of(const struct ptx_kernel *kernel, int index, const char *file)
{
	struct ptx_place place = ptx_instr_place(kernel, index);
	if (!file)
		return place.ptx_line;
	return place.file && strcmp(place.file, file) == 0 ? place.line : 0;
}

/* Where lanes that part at the branch are together again: its immediate post-dominator. */
static int32_t meeting_line(
	const struct ptx_kernel *kernel, const struct ptx_part *part, const struct ptx_instr *instr, const char *file)
{
	bool parts = instr->form->op == PTX_OP_BRA && instr->guard >= 0;
	if (!parts || instr->reconverge < 0 || instr->reconverge >= part->code->n_instrs)
		return 0;
	return line_of(kernel, part->first + instr->reconverge, file);
}

struct cost_program *cost_program(struct arena *arena, const struct ptx_kernel *kernel, const char *file)
{
	struct cost_program *p = arena_alloc(arena, sizeof *p);
	p->n_ops = ptx_instr_count(kernel);
	p->ops = arena_array(arena, struct schedule_op, (size_t)p->n_ops + 1);
	for (int part = 0; part < kernel->n_parts; part++) {
		const struct ptx_kernel *code = kernel->parts[part].code;
		for (int i = 0; i < code->n_instrs; i++) {
			int index = kernel->parts[part].first + i;
			enum ptx_op op = (enum ptx_op)code->instrs[i].form->op;
			p->ops[index].latency = class_of(&code->instrs[i]);
			p->ops[index].ends = op == PTX_OP_EXIT || (op == PTX_OP_RET && code->entry);
			p->ops[index].line = line_of(kernel, index, file);
			p->ops[index].meets = meeting_line(kernel, &kernel->parts[part], &code->instrs[i], file);
			take_registers(arena, &code->instrs[i], (int32_t)p->n_registers, &p->ops[index]);
		}
		p->n_registers += (uint32_t)code->n_regs;
	}
	return p;
}
