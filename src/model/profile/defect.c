#include "model/profile/profile.h"

#include <inttypes.h>

void profile_defect_sentence(const struct simt_defect *d, struct buf *out)
{
	buf_printf(out, "%s: %s", simt_defect_name(d->kind), d->message);
}

void profile_side_who(const struct simt_side *side, struct buf *out)
{
	buf_printf(out, "block %u, warp %u, ", side->block, side->warp);
	simt_write_lanes(side->lanes, out);
}

void profile_defect_who(const struct simt_defect *d, struct buf *out)
{
	char order[SIMT_ORDER_TEXT];
	profile_side_who(&d->here, out);
	if (d->here.accesses || d->other.accesses)
		buf_printf(out, "; address 0x%llx", (unsigned long long)d->address);
	if (d->order)
		buf_printf(out, "; order of blocks and warps: %s", simt_order_name(d->order, order));
	if (d->count > 1)
		buf_printf(out, "; found %llu times", (unsigned long long)d->count);
}

void profile_other_side(const struct simt_side *side, struct buf *out)
{
	buf_puts(out, "the other side");
	if (side->accesses)
		buf_printf(out, ", %s %s", side->op == ACCESS_ATOMIC ? "an" : "a", warp_op_verb(side->op));
}

/* --- a limit ------------------------------------------------------------------------------------------------------ */

static const struct {
	const char *name, *does;
} states[] = {
	[SIMT_STAND_RUNS] = {"runs", "were here"},
	[SIMT_STAND_POLLS] = {"looks", "looked here again and again"},
	[SIMT_STAND_BARRIER] = {"barrier", "waited at this barrier"},
	[SIMT_STAND_SYNC] = {"sync", "waited here for other lanes of their warps"},
};

const char *profile_stand_name(enum simt_stand_state state)
{
	return states[state].name;
}

void profile_standing_sentence(const struct simt_standing *s, struct buf *out)
{
	buf_printf(out, "of %" PRIu64 " block%s %" PRIu64 " ha%s ended, %" PRIu64 " %s resident",
		s->ended + s->resident + s->waiting, s->ended + s->resident + s->waiting == 1 ? "" : "s", s->ended,
		s->ended == 1 ? "s" : "ve", s->resident, s->resident == 1 ? "is" : "are");
	if (s->waiting) {
		buf_printf(out, ", %" PRIu64 " never began", s->waiting);
		if (s->has_next && s->waiting == 1)
			buf_printf(out, " (block %" PRIu64 ")", s->next);
		else if (s->has_next)
			buf_printf(out, " (blocks %" PRIu64 "-%" PRIu64 ")", s->next, s->next + s->waiting - 1);
		if (s->full)
			buf_printf(out,
				": a block begins when another one ends, as at most %u are resident together: %s",
				s->most.blocks, s->most.why ? s->most.why : "so the launch says");
		else if (s->host_full)
			buf_puts(out, ": the machine has no memory for more at the same time; a GPU may hold them");
	}
}

void profile_stand_sentence(const struct simt_stand *stand, struct buf *out)
{
	uint32_t span = stand->last - stand->first + 1;
	if (span == 1)
		buf_printf(out, "block %u", stand->first);
	else if (stand->blocks == span)
		buf_printf(out, "blocks %u-%u", stand->first, stand->last);
	else
		buf_printf(out, "%u of blocks %u-%u", stand->blocks, stand->first, stand->last);

	buf_puts(out, ", ");

	/* ranges of warps, as lanes are written */
	uint32_t warps = stand->warps;
	const char *between = warps & (warps - 1) ? "warps " : "warp ";
	for (int w = 0; w < 32; w++) {
		int last = w;
		if (!(warps >> w & 1))
			continue;
		while (last < 31 && warps >> (last + 1) & 1)
			last++;
		buf_printf(out, last > w ? "%s%d-%d" : "%s%d", between, w, last);
		between = ", ";
		w = last;
	}

	buf_printf(out, ", %s", states[stand->state].does);
}
