/* Loops that ptxas unrolls, and what that saves. */
#include <stdlib.h>
#include <string.h>

#include "machine/ptx/instr.h"
#include "model/profile/private.h"

/* What ptxas 13.0 for CC 9.0 does with a loop of one basic block and a counter whose step is a number, as its machine
 * code of some 30 loops shows: four times are one, where that makes so few instructions. Where it knows how often the
 * loop goes round, a few more, or two times. */
#define UNROLLED 4
#define BLOCK_MOST 256 /* of PTX: larger ones are no candidates */
#define UNROLLED_MOST 136
#define UNROLLED_MOST_KNOWN 152

struct machine_loop {
	const struct ptx_kernel *code;
	int first, last;       /* its only basic block; last: the branch back */
	int32_t reg;           /* looked for */
	int writes, reads, at; /* of it, and the last instruction that writes it */
	int now;
};

static bool is_op(const struct ptx_instr *instr, const char *spelling)
{
	return strcmp(ptx_op_rows[instr->form->op].spelling, spelling) == 0;
}

static void note_use(void *ctx, int32_t reg, enum instr_use use)
{
	struct machine_loop *l = ctx;
	if (reg != l->reg)
		return;
	if (use == INSTR_WRITES) {
		l->writes++;
		l->at = l->now;
	} else {
		l->reads++;
	}
}

/* Counts the uses of a register in the loop. */
static void find_uses(struct machine_loop *l, int32_t reg)
{
	l->reg = reg;
	l->writes = l->reads = 0;
	for (l->now = l->first; l->now <= l->last; l->now++)
		instr_each_register(&l->code->instrs[l->now], note_use, l);
}

/* x = x + number */
static bool steps_by_number(const struct ptx_instr *instr)
{
	return (is_op(instr, "add") || is_op(instr, "sub")) && instr->n == 3 && instr->guard < 0 &&
		instr->operands[0].kind == PTX_REG && instr->operands[1].kind == PTX_REG &&
		instr->operands[0].index == instr->operands[1].index && instr->operands[2].kind == PTX_IMM;
}

static bool is_counter(struct machine_loop *l, const struct ptx_operand *operand)
{
	if (operand->kind != PTX_REG)
		return false;
	find_uses(l, operand->index);
	return l->writes == 1 && steps_by_number(&l->code->instrs[l->at]);
}

static bool stays(struct machine_loop *l, const struct ptx_operand *operand)
{
	if (operand->kind != PTX_REG)
		return operand->kind == PTX_IMM;
	find_uses(l, operand->index);
	return l->writes == 0;
}

/* Whether a load of a later time may come before what is left of an earlier one. */
static bool mixes(const struct machine_loop *l)
{
	bool loads[SPACE_PARAM + 1] = {0}, stores[SPACE_PARAM + 1] = {0};
	for (int i = l->first; i < l->last; i++) {
		const struct ptx_instr *instr = &l->code->instrs[i];
		if (profile_orders_all(instr))
			return false;
		if (!instr_accesses_memory(instr->form))
			continue;
		enum mem_space space = ptx_form_space(instr->form);
		bool store = instr_kind(instr->form) == PTX_KIND_STORE;
		*(store ? &stores[space] : &loads[space]) = true;
		if (instr_is_strong(instr->form))
			return false;
	}
	bool any_store = false, any_load = false;
	for (int s = 0; s <= SPACE_PARAM; s++) {
		if (loads[s] && stores[s])
			return false;
		any_store |= stores[s];
		any_load |= loads[s];
	}
	return !((loads[SPACE_GENERIC] && any_store) || (stores[SPACE_GENERIC] && any_load));
}

void profile_find_loops(const struct ptx_kernel *code, struct schedule_op *ops)
{
	struct machine_loop l = {.code = code};
	for (int b = 0; b < code->n_blocks; b++) {
		l.first = code->blocks[b].first;
		l.last = code->blocks[b].last;
		if (l.last <= l.first || l.last - l.first >= BLOCK_MOST)
			continue;
		const struct ptx_operand *labels[2];
		const struct ptx_instr *branch = &code->instrs[l.last];
		if (instr_kind(branch->form) != PTX_KIND_BRANCH || branch->guard < 0 ||
			instr_targets(branch, labels) != 1 || labels[0]->index != l.first ||
			code->instrs[l.first].keeps_loop)
			continue;

		/* The branch back depends on the comparison of a counter with what stays the same. */
		find_uses(&l, l.code->instrs[l.last].guard);
		int comparison = l.at;
		if (l.writes != 1)
			continue;
		const struct ptx_instr *setp = &l.code->instrs[comparison];
		if (strncmp(ptx_op_rows[setp->form->op].spelling, "setp", 4) != 0 || setp->n < 3)
			continue;
		const struct ptx_operand *left = &setp->operands[1], *right = &setp->operands[2];
		if (!(is_counter(&l, left) && stays(&l, right)) && !(is_counter(&l, right) && stays(&l, left)))
			continue;

		/* how often; a counter that goes down to 0 is one that was counted before */
		const struct ptx_operand *limit = &code->instrs[comparison].operands[2];
		bool known = limit->kind == PTX_IMM && limit->value != 0;
		unsigned n = 0, times = 1;
		for (int i = l.first; i <= l.last; i++)
			n += ops[i].issues;
		if (UNROLLED * n <= (known ? UNROLLED_MOST_KNOWN : UNROLLED_MOST))
			times = UNROLLED;
		else if (known && 2 * n <= UNROLLED_MOST_KNOWN)
			times = 2;
		if (times == 1)
			continue;

		bool mixed = mixes(&l);
		for (int i = l.first; i <= l.last; i++) {
			ops[i].unrolled = (uint8_t)times;
			ops[i].mixes = mixed;
			ops[i].once = i == l.last || steps_by_number(&code->instrs[i]);
		}
		find_uses(&l, branch->guard);
		ops[comparison].once = l.reads == 1;
	}
}
