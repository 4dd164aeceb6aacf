#include "machine/simt/advice.h"

#include "machine/ptx/instr.h"

#define REACH 64 /* instructions between a load and the store that goes with it */

/* From the narrowest to the widest; what is not among them is of another kind. */
static const enum race_missing by_width[] = {
	RACE_MISSING_SYNCWARP, RACE_MISSING_BARRIER, RACE_MISSING_CLUSTER, RACE_MISSING_ORDER, RACE_MISSING_UPDATE};

static int width_of(enum race_missing missing)
{
	for (int i = 0; i < (int)(sizeof by_width / sizeof *by_width); i++)
		if (by_width[i] == missing)
			return i;
	return -1;
}

bool simt_is_wider(enum race_missing a, enum race_missing b)
{
	return width_of(b) >= 0 && width_of(a) > width_of(b);
}

static const struct ptx_instr *instr_at(const struct ptx_part *part, int index)
{
	int at = index - part->first;
	return at >= 0 && at < part->code->n_instrs ? &part->code->instrs[at] : NULL;
}

static const struct ptx_operand *address_of(const struct ptx_instr *instr)
{
	struct instr_access access[INSTR_ACCESSES_MAX];
	return instr_accesses(instr, access) == 1 ? &instr->operands[access[0].operand] : NULL;
}

/* Whether a load and a store of one line are at one address, as the code gives it. */
static bool are_update(
	const struct ptx_kernel *kernel, const struct ptx_part *part, int load, const struct ptx_instr *store, int line)
{
	const struct ptx_instr *instr = instr_at(part, load);
	if (!instr || instr_kind(instr->form) != PTX_KIND_LOAD || ptx_instr_place(kernel, load).line != line)
		return false;
	const struct ptx_operand *from = address_of(instr), *to = address_of(store);
	return from && to && from->kind == to->kind && from->index == to->index && from->value == to->value;
}

/* b[k]++: the load is the other side, or goes before a store that races with itself. */
static bool is_update(const struct ptx_kernel *kernel, const struct simt_side *here, const struct simt_side *other)
{
	const struct simt_side *store = here->op == ACCESS_STORE ? here : other, *load = store == here ? other : here;
	const struct ptx_part *part = ptx_part_of(kernel, store->instr);
	const struct ptx_instr *instr = instr_at(part, store->instr);
	int line = here->place.line;

	if (!line || other->place.line != line || !instr || instr_kind(instr->form) != PTX_KIND_STORE)
		return false;
	if (load->op == ACCESS_LOAD)
		return are_update(kernel, part, load->instr, instr, line);
	for (int i = store->instr - 1; load->instr == store->instr && i >= store->instr - REACH; i--)
		if (are_update(kernel, part, i, instr, line))
			return true;
	return false;
}

enum race_missing simt_advice(const struct ptx_kernel *kernel, const struct simt_side *here,
	const struct simt_side *other, enum race_missing missing)
{
	bool may_be = width_of(missing) >= 0 || missing == RACE_MISSING_ONE_VALUE;
	return may_be && is_update(kernel, here, other) ? RACE_MISSING_UPDATE : missing;
}
