/* Where the warps of a launch are that a limit has stopped. */
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
		for (uint32_t w = 0; w < r->blocks[i]->n_warps; w++)
			if (r->blocks[i]->warps[w].state != WARP_DONE)
				add_warp(out, &r->blocks[i]->warps[w]);
}
