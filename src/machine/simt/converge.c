/* Lanes of a warp that converge at a *.sync instruction.
 *
 * The lanes that one mask names act together. Those that arrive first wait, while other paths of the warp run; it is
 * enough that all have arrived at an instruction of the same kind with the same mask, wherever in the kernel each of
 * them is: PTX ISA, shfl.sync: "with the same qualifiers and same membermask value". Lanes that have ended do not
 * count. */

#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"

static const struct ptx_form *form_of(const struct code *c)
{
	return c->instr->form;
}

static bool waits_for_mask(const struct path *p, const struct ptx_form *form, uint32_t named)
{
	return p->state == PATH_AT_SYNC && p->waits_for == named && form_of(p->at) == form;
}

/* The lanes that wait at an instruction of this form with this mask. */
static uint32_t waiting_lanes(const struct warp *w, const struct ptx_form *form, uint32_t named)
{
	uint32_t lanes = 0;
	for (uint32_t i = 0; i < w->paths.n; i++)
		lanes |= waits_for_mask(&w->paths.at[i], form, named) ? w->paths.at[i].mask : 0;
	return lanes;
}

/* What `lanes` contribute: the source is operand 1, where there is one. */
static void collect(struct warp *w, const struct code *c, uint32_t lanes, struct exchange *x)
{
	x->lanes |= lanes;
	if (c->instr->n < 2)
		return;
	if (c->slot[1] == 4) {
		const u32 *a = R(1);
		FOR_LANES(lanes, x->value[i] = a[i]);
	} else if (c->slot[1] == 8) {
		const u64 *a = R(1);
		FOR_LANES(lanes, x->value[i] = a[i]);
	} else {
		x->held |= get_pred(w, c, 1) & lanes;
	}
}

static void report_absent(struct warp *w, const struct code *c, uint32_t absent, uint32_t named, uint32_t here)
{
	w->m->stop |= (w->m->checks & SIMT_CHECK_UNNAMED) != 0;
	simt_report_mask(w, c, absent, named, here);
}

/* Of `absent`, those that wait at the same kind of instruction: with another mask. */
static uint32_t lanes_of_another_mask(const struct warp *w, const struct code *c, uint32_t absent)
{
	uint32_t lanes = 0;
	for (uint32_t i = 0; i < w->paths.n; i++)
		if (w->paths.at[i].state == PATH_AT_SYNC && form_of(w->paths.at[i].at) == form_of(c))
			lanes |= w->paths.at[i].mask & absent;
	return lanes;
}

/* Lanes that wait for each other, each group with a mask of its own, and none of them complete. */
static void report_another_mask(struct warp *w, const struct code *c, uint32_t others, uint32_t named)
{
	struct buf text = {0};
	w->m->stop |= (w->m->checks & SIMT_CHECK_UNNAMED) != 0;
	simt_write_lanes(others, &text);
	simt_fault(w, c, (struct fault){.kind = SIMT_BAD_MASK, .lanes = others},
		"mask 0x%08X names %s, which %s another mask", named, buf_str(&text),
		others & (others - 1) ? "give" : "gives");
	buf_free(&text);
}

/* All have arrived: those that wait, and `group`, which is at `c` now. */
static void converge_group(
	struct warp *w, const struct code *c, uint32_t group, const struct ptx_form *form, uint32_t named)
{
	struct exchange x = {0};
	const struct code *waited = NULL;
	uint32_t passed = 0;
	if (group)
		collect(w, c, group, &x);
	for (uint32_t i = 0; i < w->paths.n; i++) {
		if (!waits_for_mask(&w->paths.at[i], form, named))
			continue;
		waited = w->paths.at[i].at;
		passed |= w->paths.at[i].passed & named & ~w->live;
		simt_frame_view(w, w->paths.at[i].frame);
		collect(w, w->paths.at[i].at, w->paths.at[i].mask, &x);
	}
	simt_frame_view(w, w->frame);
	if (passed)
		report_absent(w, waited, passed, named, x.lanes);
	if (w->m->detector && instr_kind(form) == PTX_KIND_WARP_BARRIER)
		simt_watch_warp_sync(w, x.lanes);
	if (group)
		c->converge(w, c, group, &x);
	for (uint32_t i = 0; i < w->paths.n; i++) {
		struct path *p = &w->paths.at[i];
		if (!waits_for_mask(p, form, named))
			continue;
		simt_frame_view(w, p->frame);
		p->at->converge(w, p->at, p->mask, &x);
		p->state = PATH_READY;
		p->passed = 0;
	}
	simt_frame_view(w, w->frame);
}

void simt_report_mask(struct warp *w, const struct code *c, uint32_t lanes, uint32_t named, uint32_t here)
{
	uint32_t absent = named & ~here, unnamed = here & ~named;
	struct buf text = {0};
	if (unnamed)
		simt_write_lanes(unnamed, &text);
	buf_puts(&text, !unnamed ? "" : unnamed & (unnamed - 1) ? " are here and not named" : " is here and not named");
	buf_puts(&text, unnamed && absent ? ", " : "");
	if (absent)
		simt_write_lanes(absent, &text);
	buf_puts(&text, !absent ? "" : absent & (absent - 1) ? " are named and not here" : " is named and not here");
	simt_fault(
		w, c, (struct fault){.kind = SIMT_BAD_MASK, .lanes = lanes}, "mask 0x%08X: %s", named, buf_str(&text));
	buf_free(&text);
}

/* False, with a defect, when the lanes of `group` cannot name `named`: a lane that executes it has to be in it, and no
 * active lane that it names may skip it. Lanes that execute it together may name different masks: each group waits for
 * the others that its own mask names, which may come to it in another round. */
static bool is_mask_valid(struct warp *w, const struct code *c, uint32_t mask, uint32_t group, uint32_t named)
{
	uint32_t unnamed = group & ~named, off = named & w->active & ~mask;
	bool traps = unnamed && w->m->checks & SIMT_CHECK_UNNAMED && instr_kind(form_of(c)) == PTX_KIND_WARP_BARRIER;
	if (traps) {
		simt_fault(w, c, (struct fault){.kind = SIMT_TRAP, .lanes = unnamed},
			"a barrier of the warp at lanes that its mask, 0x%08X, does not name", named);
	} else if (unnamed || off) {
		simt_report_mask(w, c, unnamed ? unnamed : off, named, group);
	}
	return !(unnamed | off);
}

static void exchange_among(struct warp *w, const struct code *c, uint32_t lanes)
{
	struct exchange x = {0};
	collect(w, c, lanes, &x);
	c->converge(w, c, lanes, &x);
}

void simt_exec_converge(struct warp *w, const struct code *c, uint32_t mask)
{
	const u32 *members = R(c->members);

	/* The destination may be the register of the masks, so a group is found before its results are written. */
	for (uint32_t left = mask, group; left; left &= ~group) {
		/* The lanes of `left` that name the same mask as the first of them. */
		uint32_t named = members[__builtin_ctz(left)];
		group = 0;
		for (uint32_t rest = left; rest; rest &= rest - 1)
			group |= members[__builtin_ctz(rest)] == named ? rest & -rest : 0;

		if (!is_mask_valid(w, c, mask, group, named)) {
			if (w->m->stop)
				return;
			exchange_among(w, c, group);
			continue;
		}
		uint32_t present = group | waiting_lanes(w, form_of(c), named);
		if (named & w->live & ~present)
			simt_paths_park(w, c, PATH_AT_SYNC, group, named);
		else
			converge_group(w, c, group, form_of(c), named);
	}
	if (!w->active)
		simt_paths_next(w);
}

void simt_exec_converge_here(struct warp *w, const struct code *c, uint32_t mask)
{
	exchange_among(w, c, mask);
}

void simt_converge_update(struct warp *w)
{
	for (uint32_t i = 0; i < w->paths.n; i++) {
		const struct path p = w->paths.at[i];
		if (p.state != PATH_AT_SYNC)
			continue;
		if (!(p.waits_for & w->live & ~waiting_lanes(w, form_of(p.at), p.waits_for)))
			converge_group(w, p.at, 0, form_of(p.at), p.waits_for);
	}
	if (!w->active && w->live)
		simt_paths_next(w);
}

bool simt_converge_without(struct warp *w)
{
	for (uint32_t i = 0; i < w->paths.n; i++) {
		const struct path p = w->paths.at[i];
		if (p.state != PATH_AT_SYNC)
			continue;
		uint32_t here = waiting_lanes(w, form_of(p.at), p.waits_for);
		for (uint32_t k = 0; k < w->paths.n; k++)
			if (waits_for_mask(&w->paths.at[k], form_of(p.at), p.waits_for))
				w->paths.at[k].passed = 0;
		uint32_t absent = p.waits_for & w->live & ~here, others = lanes_of_another_mask(w, p.at, absent);
		if (others && others == absent)
			report_another_mask(w, p.at, others, p.waits_for);
		else
			report_absent(w, p.at, absent, p.waits_for, here);
		if (w->m->stop)
			return true;
		converge_group(w, p.at, 0, form_of(p.at), p.waits_for);
		if (!w->active)
			simt_paths_next(w);
		return true;
	}
	return false;
}
