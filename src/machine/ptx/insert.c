/* Instructions that stand for what PTX lets an operand say: a register plus a number, the negation of a predicate, an
 * element of an array by a register, and a float in a part of a register. They come before the instruction that has the
 * operand, under its guard, and write a register of their own. */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"
#include "machine/ptx/parse.h"

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

/* --- floats in registers without a type that are wider ------------------------------------------------------------ */

/* `opcode` from a register to another. */
static void copy(struct ptx_parser *p, const char *opcode, int32_t to, int32_t from)
{
	struct ptx_instr instr = *p->instr;
	instr.form = ptx_forms_find(&p->forms, opcode, strlen(opcode));
	instr.n = 2;
	instr.operands = arena_array(p->arena, struct ptx_operand, 2);
	instr.operands[0] = (struct ptx_operand){.kind = PTX_REG, .index = to, .second = -1};
	instr.operands[1] = (struct ptx_operand){.kind = PTX_REG, .index = from, .second = -1};
	*vec_push_in(p->arena, p->kernel->instrs, p->kernel->n_instrs, p->cap.instrs) = instr;
}

static bool is_wider(const struct ptx_parser *p, const struct ptx_operand *o, enum ptx_type type)
{
	return o->kind == PTX_REG && ptx_type_kind(type) == 'F' &&
		ptx_slot_bytes(p->kernel->regs[o->index].type) > ptx_slot_bytes(type);
}

/* Between an integer of so many bytes and a wider one; the opcode that widens, or that narrows. */
static const char *resize(uint32_t narrow, uint32_t wide, bool widens)
{
	if (narrow == 4)
		return widens ? "cvt.u64.u32" : "cvt.u32.u64";
	if (wide == 4)
		return widens ? "cvt.u32.u16" : "cvt.u16.u32";
	return widens ? "cvt.u64.u16" : "cvt.u16.u64";
}

static int32_t add_part(struct ptx_parser *p, int32_t wide, enum ptx_type type)
{
	const char *name = arena_printf(p->arena, "(%.60s.%s)", p->kernel->regs[wide].name, ptx_type_name(type));
	return add_register(p, name, type);
}

/* --- four words in the place of two of 64 bits -------------------------------------------------------------------- */

/* mov.b64 of two of the four elements, to them or from them. */
static void move_pair(struct ptx_parser *p, const struct ptx_operand *four, int half, int32_t word, bool packs)
{
	struct ptx_instr instr = *p->instr;
	struct ptx_operand pair = *four, reg = {.kind = PTX_REG, .index = word, .second = -1};
	pair.count = 2;
	pair.elements = four->elements + (size_t)2 * (unsigned)half;
	instr.form = ptx_forms_find(&p->forms, "mov.b64", strlen("mov.b64"));
	instr.n = 2;
	instr.operands = arena_array(p->arena, struct ptx_operand, 2);
	instr.operands[0] = packs ? reg : pair;
	instr.operands[1] = packs ? pair : reg;
	*vec_push_in(p->arena, p->kernel->instrs, p->kernel->n_instrs, p->cap.instrs) = instr;
}

static bool is_of_four(const struct ptx_instr *instr, const struct ptx_operand *o)
{
	return instr->form->op == PTX_OP_MOV_VEC && ptx_is_of_128(instr->form) && o->kind == PTX_VECTOR &&
		o->count == 4;
}

void ptx_insert_parts(struct ptx_parser *p, struct ptx_instr *instr)
{
	if (instr->form->op == PTX_OP_CVT) {
		enum ptx_type to = (enum ptx_type)instr->form->type, from = (enum ptx_type)instr->form->type2;
		struct ptx_operand *d = &instr->operands[0], *a = &instr->operands[1];
		if (is_wider(p, a, from)) {
			int32_t part = add_part(p, a->index, from);
			copy(p, resize(ptx_slot_bytes(from), ptx_slot_bytes(p->kernel->regs[a->index].type), false),
				part, a->index);
			a->index = part;
		}
		if (is_wider(p, d, to))
			d->index = add_part(p, d->index, to);
	}
	if (instr->form->op != PTX_OP_MOV_VEC)
		return;
	for (int i = 0; i < 2; i++) {
		const struct ptx_operand four = instr->operands[i];
		if (!is_of_four(instr, &four))
			continue;

		struct ptx_operand two = {.kind = PTX_VECTOR, .count = 2, .second = -1};
		two.elements = arena_array(p->arena, struct ptx_operand, 2);
		for (int j = 0; j < 2; j++)
			two.elements[j] = (struct ptx_operand){.kind = PTX_REG,
				.index = add_register(p, j ? "(upper half)" : "(lower half)", PTX_B64),
				.second = -1};
		instr->operands[i] = two;

		for (int half = 0; i == 1 && half < 2; half++)
			move_pair(p, &four, half, instr->operands[1].elements[half].index, true);
	}
}

void ptx_insert_result(struct ptx_parser *p, const struct ptx_instr *instr, const struct ptx_operand *result)
{
	const struct ptx_operand *d = &instr->operands[0];
	if (instr->form->op == PTX_OP_CVT && d->index != result->index) {
		uint32_t narrow = ptx_slot_bytes((enum ptx_type)instr->form->type);
		copy(p, resize(narrow, ptx_slot_bytes(p->kernel->regs[result->index].type), true), result->index,
			d->index);
	}
	for (int half = 0; is_of_four(instr, result) && half < 2; half++)
		move_pair(p, result, half, d->elements[half].index, false);
}

/* --- elements of arrays ------------------------------------------------------------------------------------------- */

void ptx_insert_element(struct ptx_parser *p, struct ptx_operand *variable, int32_t index)
{
	struct ptx_kernel *k = p->kernel;
	const struct ptx_var *var = k->uses[variable->index].var;
	bool wide = ptx_slot_bytes(k->regs[index].type) == 8;
	struct ptx_operand base = *variable, factor = {.kind = PTX_IMM, .second = -1, .value = var->element};
	int32_t array = add_register(p, arena_printf(p->arena, "(%.60s)", var->name), PTX_B64);
	const char *name = arena_printf(p->arena, "(%.60s[%.60s])", var->name, k->regs[index].name);
	const char *sum = wide ? "mad.lo.u64" : "mad.wide.u32";
	int32_t address = add_register(p, name, PTX_B64);

	base.kind = PTX_VAR;
	struct ptx_instr mov = *p->instr, mad = *p->instr;
	mov.form = ptx_forms_find(&p->forms, "mov.b64", strlen("mov.b64"));
	mov.n = 2;
	mov.operands = arena_array(p->arena, struct ptx_operand, 2);
	mov.operands[0] = (struct ptx_operand){.kind = PTX_REG, .index = array, .second = -1};
	mov.operands[1] = base;
	mad.form = ptx_forms_find(&p->forms, sum, strlen(sum));
	mad.n = 4;
	mad.operands = arena_array(p->arena, struct ptx_operand, 4);
	mad.operands[0] = (struct ptx_operand){.kind = PTX_REG, .index = address, .second = -1};
	mad.operands[1] = (struct ptx_operand){.kind = PTX_REG, .index = index, .second = -1};
	mad.operands[2] = factor;
	mad.operands[3] = mov.operands[0];
	*vec_push_in(p->arena, k->instrs, k->n_instrs, p->cap.instrs) = mov;
	*vec_push_in(p->arena, k->instrs, k->n_instrs, p->cap.instrs) = mad;
	*variable = (struct ptx_operand){.kind = PTX_REG, .index = address, .second = -1};
	variable->elements = arena_array(p->arena, struct ptx_operand, PTX_PARTS_OF_ELEMENT);
	variable->elements[PTX_ELEMENT_OF] = base;
	variable->elements[PTX_ELEMENT_INDEX] = mad.operands[1];
	variable->elements[PTX_ELEMENT_BYTES] = factor;
}
