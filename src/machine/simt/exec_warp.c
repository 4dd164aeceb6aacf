/* Instructions by which the lanes of a warp exchange values. Those with .sync come in two halves: simt_exec_converge
 * gathers the lanes, and the functions here give them their results. */

#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/undefined.h"
#include "machine/simt/warp_state.h"

#define CONVERGE(name) static void name(struct warp *w, const struct code *c, uint32_t lanes, const struct exchange *x)

/* --- shuffle ------------------------------------------------------------------------------------------------------ */

CONVERGE(shfl)
{
	u32 *d = R(0);
	const u32 *b = R(2), *bounds = R(3);
	enum ptx_mod mode = (enum ptx_mod)c->instr->form->mod[PTX_MOD_SHFL];
	const struct simt_listener *l = w->m->listener;
	struct warp_shuffle shuffle = {.active = lanes};
	uint32_t absent = 0; /* lanes that read one that takes no part */

	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);

		/* The lane that lane `i` reads, and whether it is inside its segment: PTX ISA, shfl.sync. */
		int step = (int)(b[i] & 31), segment = (int)(bounds[i] >> 8 & 31), clamp = (int)(bounds[i] & 31);
		int first = i & segment, last = first | (clamp & ~segment & 31), from;

		switch (mode) {
		case PTX_SHFL_UP: from = i - step; break;
		case PTX_SHFL_DOWN: from = i + step; break;
		case PTX_SHFL_BFLY: from = i ^ step; break;
		default: from = first | (step & ~segment); break;
		}
		bool inside = mode == PTX_SHFL_UP ? from >= last : from <= last;
		from = inside ? from & 31 : i;

		d[i] = (uint32_t)x->value[from];
		shuffle.from[i] = (uint8_t)from;
		shuffle.found |= inside ? 1u << i : 0;
		absent |= x->lanes >> from & 1 ? 0 : 1u << i;
	}
	set_second(w, c, lanes, shuffle.found);
	if (l->shuffle)
		l->shuffle(l->ctx, simt_warp_site(w, c), &shuffle);
	if (absent && w->m->detector && w->m->checks & SIMT_CHECK_UNINIT && c->r[0].bank == BANK_REGS)
		simt_undefined_shuffle(w, c, absent);
}

/* --- votes -------------------------------------------------------------------------------------------------------- */

CONVERGE(vote)
{
	uint32_t held = x->held;
	u32 *d = R(0);
	switch (c->instr->form->op) {
	case PTX_OP_VOTE_HERE_ALL:
	case PTX_OP_VOTE_ALL: set_pred(d, lanes, held == x->lanes ? WARP_FULL_MASK : 0); break;
	case PTX_OP_VOTE_HERE_ANY:
	case PTX_OP_VOTE_ANY: set_pred(d, lanes, held ? WARP_FULL_MASK : 0); break;
	case PTX_OP_VOTE_HERE_UNI:
	case PTX_OP_VOTE_UNI: set_pred(d, lanes, !held || held == x->lanes ? WARP_FULL_MASK : 0); break;
	default: FOR_LANES(lanes, d[i] = held); break;
	}
}

/* --- match, reduction, election
 * ------------------------------------------------------------------------------------ */

/* The lanes that have the value of lane `i`. */
static uint32_t same_value(const struct exchange *x, int i)
{
	uint32_t same = 0;
	for (uint32_t rest = x->lanes; rest; rest &= rest - 1)
		same |= x->value[__builtin_ctz(rest)] == x->value[i] ? rest & -rest : 0;
	return same;
}

CONVERGE(match_any)
{
	u32 *d = R(0);
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		d[__builtin_ctz(rest)] = same_value(x, __builtin_ctz(rest));
	(void)c;
}

CONVERGE(match_all)
{
	u32 *d = R(0);
	bool all = same_value(x, __builtin_ctz(x->lanes)) == x->lanes;
	FOR_LANES(lanes, d[i] = all ? x->lanes : 0);
	set_second(w, c, lanes, all ? WARP_FULL_MASK : 0);
}

static uint32_t reduce(uint16_t op, bool is_signed, uint32_t x, uint32_t y)
{
	bool less = is_signed ? (int32_t)x < (int32_t)y : x < y;
	switch (op) {
	case PTX_OP_REDUX_ADD: return x + y;
	case PTX_OP_REDUX_MIN: return less ? x : y;
	case PTX_OP_REDUX_MAX: return less ? y : x;
	case PTX_OP_REDUX_AND: return x & y;
	case PTX_OP_REDUX_OR: return x | y;
	default: return x ^ y;
	}
}

CONVERGE(redux)
{
	u32 *d = R(0);
	uint32_t value = (uint32_t)x->value[__builtin_ctz(x->lanes)];

	for (uint32_t rest = x->lanes & (x->lanes - 1); rest; rest &= rest - 1)
		value = reduce(c->instr->form->op, form_type(c->instr) == PTX_S32, value,
			(uint32_t)x->value[__builtin_ctz(rest)]);
	FOR_LANES(lanes, d[i] = value);
}

CONVERGE(elect)
{
	u32 *d = R(0);
	uint32_t leader = (uint32_t)__builtin_ctz(x->lanes);
	FOR_LANES(lanes, d[i] = leader);
	set_second(w, c, lanes, 1u << leader);
}

/* --- without an exchange
 * ------------------------------------------------------------------------------------------- */

CONVERGE(sync)
{
	(void)w;
	(void)c;
	(void)lanes;
	(void)x;
}

EXEC(activemask)
{
	u32 *d = R(0);
	FOR_LANES(mask, d[i] = mask);
}
PICK_ALWAYS(warp_activemask, activemask)

/* --- dispatch ----------------------------------------------------------------------------------------------------- */

static converge_fn *const converge_fns[PTX_OPS] = {
	[PTX_OP_BAR_WARP_SYNC] = sync,
	[PTX_OP_ELECT] = elect,
	[PTX_OP_MATCH_ANY] = match_any,
	[PTX_OP_MATCH_ALL] = match_all,
	[PTX_OP_REDUX_ADD] = redux,
	[PTX_OP_REDUX_MIN] = redux,
	[PTX_OP_REDUX_MAX] = redux,
	[PTX_OP_REDUX_AND] = redux,
	[PTX_OP_REDUX_OR] = redux,
	[PTX_OP_REDUX_XOR] = redux,
	[PTX_OP_SHFL_SYNC] = shfl,
	[PTX_OP_VOTE_ALL] = vote,
	[PTX_OP_VOTE_ANY] = vote,
	[PTX_OP_VOTE_UNI] = vote,
	[PTX_OP_VOTE_BALLOT] = vote,
	/* Without .sync: the lanes that are active. */
	[PTX_OP_SHFL] = shfl,
	[PTX_OP_VOTE_HERE_ALL] = vote,
	[PTX_OP_VOTE_HERE_ANY] = vote,
	[PTX_OP_VOTE_HERE_UNI] = vote,
	[PTX_OP_VOTE_HERE_BALLOT] = vote,
};

void simt_converge_decode(struct code *c)
{
	int members = instr_members(c->instr->form);
	c->converge = converge_fns[c->instr->form->op];
	c->members = (uint8_t)(members < 0 ? 0 : members);
}
PICK_ALWAYS(warp_here, simt_exec_converge_here)

PICK_IF(warp_converge, simt_exec_converge, converge_fns[c->instr->form->op])
