/* Instructions that exchange values between the lanes of a warp. */
#include "simt/lanes.h"

/* The lane that lane `i` reads, and whether it is inside its segment: PTX ISA, shfl.sync. */
static int shfl_source(enum ptx_mod mode, int i, uint32_t b, uint32_t bounds, bool *inside)
{
	int step = (int)(b & 31), segment = (int)(bounds >> 8 & 31), clamp = (int)(bounds & 31);
	int first = i & segment, last = first | (clamp & ~segment & 31), from;

	switch (mode) {
	case PTX_SHFL_UP: from = i - step; break;
	case PTX_SHFL_DOWN: from = i + step; break;
	case PTX_SHFL_BFLY: from = i ^ step; break;
	default: from = first | (step & ~segment); break;
	}
	*inside = mode == PTX_SHFL_UP ? from >= last : from <= last;
	return *inside ? from & 31 : i;
}

EXEC(shfl)
{
	u32 *d = R(0), value[WARP];
	const u32 *b = R(2), *bounds = R(3);
	enum ptx_mod mode = (enum ptx_mod)c->instr->form->mod[PTX_MOD_SHFL];
	uint32_t found = 0;

	if (c->instr->n > 4 && !mask_fits(w, c, mask, R(4))) /* the old shfl has no mask */
		return;
	memcpy(value, R(1), sizeof value);
	uint32_t from_b[WARP], from_bounds[WARP];
	memcpy(from_b, b, sizeof from_b);
	memcpy(from_bounds, bounds, sizeof from_bounds);
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		bool inside;
		d[i] = value[shfl_source(mode, i, from_b[i], from_bounds[i], &inside)];
		found |= inside ? 1u << i : 0;
	}
	set_second(w, c, mask, found);
}

exec_fn *pick_warp_shfl(const struct code *c)
{
	(void)c;
	return shfl;
}

static void vote_together(struct warp *w, const struct code *c, uint32_t group)
{
	uint32_t held = get_pred(w, c, 1) & group;
	u32 *d = R(0);
	switch (c->instr->form->op) {
	case PTX_OP_VOTE_HERE_ALL:
	case PTX_OP_VOTE_ALL: set_pred(d, group, held == group ? FULL_MASK : 0); break;
	case PTX_OP_VOTE_HERE_ANY:
	case PTX_OP_VOTE_ANY: set_pred(d, group, held ? FULL_MASK : 0); break;
	case PTX_OP_VOTE_HERE_UNI:
	case PTX_OP_VOTE_UNI: set_pred(d, group, !held || held == group ? FULL_MASK : 0); break;
	default: FOR_LANES(group, d[i] = held); break;
	}
}

/* One mask may be given by half of the lanes and another by the rest: each mask's lanes vote among themselves. The
 * destination may be the register of the masks, so a group is found before it is written. */
#define FOR_GROUPS(members, mask, group) \
	for (uint32_t to_come_ = (mask), group; to_come_ && (group = mask_group(to_come_, (members)), true); \
		to_come_ &= ~group)

EXEC(vote)
{
	if (c->instr->n == 2) { /* without a mask: all that are on */
		vote_together(w, c, mask);
		return;
	}
	if (!mask_fits(w, c, mask, R(2)))
		return;
	FOR_GROUPS(R(2), mask, group)
		vote_together(w, c, group);
}

exec_fn *pick_warp_vote(const struct code *c)
{
	(void)c;
	return vote;
}

static uint64_t word(const void *lanes, int i, uint32_t bytes)
{
	return bytes == 8 ? ((const u64 *)lanes)[i] : ((const u32 *)lanes)[i];
}

EXEC(match)
{
	u32 *d = R(0);
	uint64_t value[WARP];
	uint32_t same[WARP] = {0};

	if (!mask_fits(w, c, mask, R(2)))
		return;
	for (int i = 0; i < WARP; i++)
		value[i] = word(R(1), i, c->bytes);
	FOR_GROUPS(R(2), mask, group) {
		for (uint32_t rest = group; rest; rest &= rest - 1) {
			int i = __builtin_ctz(rest);
			for (uint32_t others = group; others; others &= others - 1)
				same[i] |= value[__builtin_ctz(others)] == value[i] ? others & -others : 0;
		}
		bool all = same[__builtin_ctz(group)] == group, wants_all = c->instr->form->op == PTX_OP_MATCH_ALL;
		FOR_LANES(group, d[i] = wants_all ? (all ? group : 0) : same[i]);
		set_second(w, c, group, all ? FULL_MASK : 0);
	}
}

exec_fn *pick_warp_match(const struct code *c)
{
	(void)c;
	return match;
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

EXEC(redux)
{
	u32 *d = R(0);
	const u32 *a = R(1);

	if (!mask_fits(w, c, mask, R(2)))
		return;
	FOR_GROUPS(R(2), mask, group) {
		uint32_t value = a[__builtin_ctz(group)];
		for (uint32_t rest = group & (group - 1); rest; rest &= rest - 1)
			value = reduce(c->instr->form->op, form_type(c->instr) == PTX_S32, value, a[__builtin_ctz(rest)]);
		FOR_LANES(group, d[i] = value);
	}
}

exec_fn *pick_warp_redux(const struct code *c)
{
	(void)c;
	return redux;
}

EXEC(activemask)
{
	u32 *d = R(0);
	FOR_LANES(mask, d[i] = mask);
}

exec_fn *pick_warp_activemask(const struct code *c)
{
	(void)c;
	return activemask;
}

EXEC(elect)
{
	u32 *d = R(0);
	if (!mask_fits(w, c, mask, R(1)))
		return;
	FOR_GROUPS(R(1), mask, group) {
		uint32_t leader = (uint32_t)__builtin_ctz(group);
		FOR_LANES(group, d[i] = leader);
		set_second(w, c, group, 1u << leader);
	}
}

exec_fn *pick_warp_elect(const struct code *c)
{
	(void)c;
	return elect;
}
