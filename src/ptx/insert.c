/* Instructions that stand for what PTX lets an operand say: a register plus a number, and the negation of a predicate. They come
 * before the instruction that has the operand, under its guard, and write a register of their own. */
#include <inttypes.h>
#include <string.h>

#include "base/vec.h"
#include "ptx/instr.h"
#include "ptx/parse.h"

static int32_t add_register(struct ptx_parser *p, const char *name, enum ptx_type type)
{
	struct ptx_kernel *k = p->kernel;
	*vec_push_in(p->arena, k->regs, k->n_regs, p->cap.regs) = (struct ptx_register){name, type};
	return k->n_regs - 1;
}

/* Makes `operand`, a register, the result of `opcode` on it and, where there is one, on `other`. */
static void insert(struct ptx_parser *p, const char *opcode, const char *name, struct ptx_operand *operand,
	const struct ptx_operand *other)
{
	struct ptx_kernel *k = p->kernel;
	struct ptx_instr instr = *p->instr;
	instr.form = ptx_forms_find(&p->forms, opcode, strlen(opcode));
	instr.n = other ? 3 : 2;
	instr.operands = arena_array(p->arena, struct ptx_operand, instr.n);
	instr.operands[1] = *operand;
	operand->index = add_register(p, name, k->regs[operand->index].type);
	instr.operands[0] = *operand;
	if (other)
		instr.operands[2] = *other;
	*vec_push_in(p->arena, k->instrs, k->n_instrs, p->cap.instrs) = instr;
}

void ptx_insert_sum(struct ptx_parser *p, struct ptx_operand *operand, int64_t addend)
{
	const char *name = p->kernel->regs[operand->index].name;
	uint32_t bytes = ptx_slot_bytes(p->kernel->regs[operand->index].type);
	uint64_t mask = bytes < 8 ? (1ull << 8 * bytes) - 1 : UINT64_MAX;
	const struct ptx_operand number = {.kind = PTX_IMM, .second = -1, .value = (int64_t)((uint64_t)addend & mask)};
	insert(p,
		bytes == 8           ? "add.s64"
			: bytes == 4 ? "add.s32"
				     : "add.s16",
		arena_printf(p->arena, "(%.60s+%" PRId64 ")", name, addend), operand, &number);
}

void ptx_insert_not(struct ptx_parser *p, struct ptx_operand *operand)
{
	const char *name = p->kernel->regs[operand->index].name;
	insert(p, "not.pred", arena_printf(p->arena, "(!%.60s)", name), operand, NULL);
}
