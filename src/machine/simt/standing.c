/* Where the warps of a launch are: when a limit stops it, or as it runs. */
#include <inttypes.h>
#include <string.h>

#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/run.h"
#include "machine/simt/warp_state.h"

static bool same_line(const struct ptx_location *a, const struct ptx_location *b)
{
	if (!a->line || !b->line)
		return a->line == b->line && a->ptx_line == b->ptx_line;
	return a->line == b->line && (a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file)));
}

/* Adds to the row of this line and state, a new one if need be. */
static void add(struct simt_standing *s, const struct warp *w, const struct code *at, enum simt_stand_state state)
{
	const struct machine *m = w->m;
	int instr = simt_reported_instr(w, at);
	struct ptx_location place = ptx_reported_location(m->program.kernel, instr);
	uint32_t i = 0;

	while (i < s->n && !(s->at[i].state == state && same_line(&s->at[i].place, &place)))
		i++;
	if (i == SIMT_STANDS_MAX) {
		s->left_out++;
		return;
	}
	struct simt_stand *row = &s->at[i];
	if (i == s->n) {
		*row = (struct simt_stand){
			.state = state, .instr = instr, .place = place, .first = UINT32_MAX, .latest = UINT32_MAX};
		s->n++;
	}
	row->first = m->block < row->first ? m->block : row->first;
	row->last = m->block > row->last ? m->block : row->last;
	row->blocks += row->latest != m->block;
	row->latest = m->block;
	row->warps |= 1u << w->index;
	if (state == SIMT_STAND_POLLS)
		row->address = simt_block_polled(w);
}

static const struct code *code_at(const struct warp *w, uint32_t pc)
{
	return &w->m->program.code[pc < w->m->program.n ? pc : w->m->program.n - 1];
}

/* Lanes at reconvergence points wait for others of their warp, which are there, too. */
static void add_warp(struct simt_standing *s, const struct warp *w)
{
	static const enum simt_stand_state states[] = {[PATH_READY] = SIMT_STAND_RUNS,
		[PATH_AT_SYNC] = SIMT_STAND_SYNC,
		[PATH_AT_BARRIER] = SIMT_STAND_BARRIER};
	if (w->active && w->waits_at)
		add(s, w, w->waits_at, SIMT_STAND_BARRIER);
	else if (w->active && w->polling.at)
		add(s, w, w->polling.at, SIMT_STAND_POLLS);
	else if (w->active)
		add(s, w, code_at(w, w->pc), SIMT_STAND_RUNS);
	for (uint32_t i = 0; i < w->paths.n; i++) {
		const struct path *p = &w->paths.at[i];
		add(s, w, p->state == PATH_READY ? code_at(w, p->pc) : p->at, states[p->state]);
	}
}

void simt_standing_find(const struct residents *r, struct simt_standing *out)
{
	const struct simt_launch *launch = r->model->launch;
	*out = (struct simt_standing){.ended = r->next - r->n,
		.resident = r->n,
		.waiting = r->end - r->next,
		.most = launch->resident,
		.has_next = launch->order == SIMT_ORDER_NUMBERS && r->next < r->end,
		.next = r->next};
	out->full = launch->resident.blocks && r->n + r->model->cluster_shape.n > launch->resident.blocks;
	out->host_full = out->waiting && !out->full && !simt_residents_have_room(r);
	for (uint32_t i = 0; i < r->n; i++)
		simt_standing_add(out, r->blocks[i]);
}

void simt_standing_add(struct simt_standing *standing, const struct machine *m)
{
	for (uint32_t w = 0; w < m->n_warps; w++)
		if (m->warps[w].state != WARP_DONE)
			add_warp(standing, &m->warps[w]);
}

/* --- in words --- */

static const struct {
	const char *name, *did, *one_does, *several_do;
} states[] = {
	[SIMT_STAND_RUNS] = {"runs", "were here", "is here", "are here"},
	[SIMT_STAND_POLLS] = {"looks", "looked here again and again", "looks here again and again",
		"look here again and again"},
	[SIMT_STAND_BARRIER] = {"barrier", "waited at this barrier", "waits at this barrier", "wait at this barrier"},
	[SIMT_STAND_SYNC] = {"sync", "waited here for other lanes of their warps",
		"waits here for other lanes of its warp", "wait here for other lanes of their warps"},
};

const char *simt_stand_name(enum simt_stand_state state)
{
	return states[state].name;
}

void simt_standing_sentence(const struct simt_standing *s, struct buf *out)
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

void simt_stand_sentence(const struct simt_stand *stand, enum simt_stand_when when, struct buf *out)
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

	bool one = stand->blocks == 1 && !(stand->warps & (stand->warps - 1));
	buf_printf(out, ", %s",
		when == SIMT_STOOD ? states[stand->state].did
			: one      ? states[stand->state].one_does
				   : states[stand->state].several_do);
}
