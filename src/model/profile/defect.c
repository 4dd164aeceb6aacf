#include "model/profile/profile.h"

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
