/* Barriers of a block.
 *
 * A warp arrives when all its live lanes have; PTX ISA, barrier: the count is of whole warps; exit: a thread that ends
 * holds up no barrier. With .aligned, which bar.* has by its definition, the lanes have to arrive at one and the same
 * instruction: where they do not, that is reported, and the barrier counts them as a GPU does. A path waits until the
 * other lanes of its warp have arrived or ended, for some may be on their way out. */

#include <string.h>

#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"

/* bar.red and barrier.red: a destination, the barrier, a count that may be missing, the predicate. */
static bool reduces(const struct code *c)
{
	return c->instr->n == 4;
}

static bool only_arrives(const struct code *c)
{
	return instr_kind(c->instr->form) == PTX_KIND_BARRIER_ARRIVE;
}

static bool is_aligned(const struct code *c)
{
	return !instr_takes(c->instr->form, PTX_MOD_ALIGNED) || c->instr->form->mod[PTX_MOD_ALIGNED];
}

/* --- completion --------------------------------------------------------------------------------------------------- */

/* Writes the result of bar.red to `lanes` when the barrier is complete. */
static void write_result(struct warp *w, const struct code *c, uint32_t lanes, const struct barrier *b)
{
	switch (c->instr->form->op) {
	case PTX_OP_BARRIER_RED_POPC:
	case PTX_OP_BAR_RED_POPC: {
		u32 *d = R(0);
		FOR_LANES(lanes, d[i] = b->count);
		break;
	}
	case PTX_OP_BARRIER_RED_AND:
	case PTX_OP_BAR_RED_AND: set_pred(R(0), lanes, b->all ? WARP_FULL_MASK : 0); break;
	case PTX_OP_BARRIER_RED_OR:
	case PTX_OP_BAR_RED_OR: set_pred(R(0), lanes, b->any ? WARP_FULL_MASK : 0); break;
	}
}

/* What bar.red gives the lanes that wait at `at`. A warp that is alone at the barrier has each arm reduced by itself.
 * Verified: CC 9.0, driver 580.159.04, tests/parting/barriers.cu; of several warps nothing is known. */
static struct barrier reduced(const struct warp *w, uint32_t id, const struct code *at)
{
	struct barrier b = w->m->barriers[id];
	if (b.arrived > 1)
		return b;
	b.all = 1;
	b.any = b.count = 0;
	for (uint32_t i = 0; i < w->paths.n; i++) {
		const struct path *p = &w->paths.at[i];
		if (p->state != PATH_AT_BARRIER || p->waits_for != id || p->at != at)
			continue;
		b.all &= p->held == p->mask;
		b.any |= p->held != 0;
		b.count += (uint32_t)__builtin_popcount(p->held);
	}
	return b;
}

static void release_warp(struct warp *w, uint32_t id)
{
	if (w->waits_at)
		write_result(w, w->waits_at, w->active, &w->m->barriers[id]);
	for (uint32_t i = 0; i < w->paths.n; i++) {
		struct path *p = &w->paths.at[i];
		if (p->state != PATH_AT_BARRIER || p->waits_for != id)
			continue;
		struct barrier b = reduced(w, id, p->at);
		simt_frame_view(w, p->frame);
		write_result(w, p->at, p->mask, &b);
	}
	for (uint32_t i = 0; i < w->paths.n; i++) {
		struct path *p = &w->paths.at[i];
		if (p->state != PATH_AT_BARRIER || p->waits_for != id)
			continue;
		p->state = PATH_READY;
		p->passed = 0;
	}
	simt_frame_view(w, w->frame);
	w->waits_at = NULL;
	w->barrier = NO_BARRIER;
	w->state = WARP_RUNS;
	if (!w->active)
		simt_paths_next(w);
	else if (w->pc == w->reconverge_pc)
		simt_paths_arrive(w);
}

/* Whether it is what __syncthreads() is compiled to, as far as can be told. */
static bool is_syncthreads(const struct code *c, const struct barrier *b, uint32_t id)
{
	return id == 0 && !b->expected && instr_kind(c->instr->form) == PTX_KIND_BARRIER;
}

static void release_complete(struct machine *m)
{
	uint32_t live = 0;
	for (uint32_t i = 0; i < m->n_warps; i++)
		live += m->warps[i].state != WARP_DONE;
	for (uint32_t id = 0; id < BARRIERS; id++) {
		struct barrier *b = &m->barriers[id];
		if (!b->arrived || b->arrived < (b->expected ? b->expected : live))
			continue;
		if (m->detector)
			simt_watch_barrier_complete(m, id);
		if (is_syncthreads(b->first, b, id) && is_aligned(b->first))
			simt_passed_check(m, b->first, &m->warps[b->first_warp]);
		for (uint32_t i = 0; i < m->n_warps; i++) {
			if (id == 0 && !b->expected)
				simt_passed_begin(&m->warps[i]);
			if (m->warps[i].barrier == id)
				release_warp(&m->warps[i], id);
		}
		*b = (struct barrier){0};
	}
}

/* --- arrival ------------------------------------------------------------------------------------------------------ */

/* The source has one barrier for both, however often the compiler copied it: at one line, in unrolled loops and
 * wherever a function was inlined. Without lines nothing is known. */
static bool is_one_in_source(const struct ptx_location *a, const struct ptx_location *b)
{
	return !a->line || !b->line ||
		(a->line == b->line && (a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file))));
}

static void warp_arrives(struct warp *w, const struct code *c, uint32_t id)
{
	struct barrier *b = &w->m->barriers[id];
	if (!b->first) {
		b->first = c;
		b->first_warp = w->index;
	}

	/* CUDA, Synchronization Functions: __syncthreads() in conditional code only if the condition is the same across
	 * the block. */
	const struct ptx_kernel *kernel = w->m->program.kernel;
	struct ptx_location here = ptx_reported_location(kernel, (int)c->index),
			    first = ptx_reported_location(kernel, (int)b->first->index);
	char text[PTX_LOCATION_TEXT];

	/* PTX ISA, barrier: a reduction is not to be intermixed with sync at one barrier. */
	if (!only_arrives(c) && !only_arrives(b->first) && reduces(c) != reduces(b->first)) {
		simt_fault(w, c,
			(struct fault){.kind = SIMT_BARRIER_MISMATCHED,
				.lanes = w->live,
				.other = b->first,
				.other_warp = &w->m->warps[b->first_warp],
				.ending = SIMT_ENDING_ILLEGAL},
			"warp %u comes here to barrier %u %s a reduction while warp %u waits at it %s one (%s): a GPU ends the launch; all warps of a block have to come with the same",
			w->index, id, reduces(c) ? "with" : "without", b->first_warp, reduces(c) ? "without" : "with",
			ptx_location_text(&first, text));
		return;
	}
	if (is_syncthreads(c, b, id) && is_syncthreads(b->first, b, id) && !is_one_in_source(&here, &first))
		simt_fault(w, c,
			(struct fault){.kind = SIMT_BARRIER_MISMATCHED,
				.lanes = w->live,
				.other = b->first,
				.other_warp = &w->m->warps[b->first_warp]},
			"warp %u comes here while warp %u waits at the barrier of %s: what CUDA leaves undefined; all warps of a block have to come to the same __syncthreads()",
			w->index, b->first_warp, ptx_location_text(&first, text));

	b->arrived++;
	b->last = c;
	b->last_warp = w->index;
	release_complete(w->m);
}

/* The lanes of the warp that wait at barrier `id` one path at a time. */
static uint32_t parked_at(const struct warp *w, uint32_t id)
{
	uint32_t lanes = 0;
	for (uint32_t i = 0; i < w->paths.n; i++)
		if (w->paths.at[i].state == PATH_AT_BARRIER && w->paths.at[i].waits_for == id)
			lanes |= w->paths.at[i].mask;
	return lanes;
}

static void report_divergence(struct warp *w, const struct code *c, uint32_t missing)
{
	int n = __builtin_popcount(missing);
	struct buf places = {0};

	/* Where the missing lanes are: at another barrier, at a *.sync, at their end, or on their way. */
	const struct ptx_kernel *kernel = w->m->program.kernel;
	uint32_t ended = missing & ~w->live, left = missing & w->live;
	const char *between = "";
	for (uint32_t i = 0; i < w->paths.n; i++) {
		const struct path *p = &w->paths.at[i];
		uint32_t here = p->mask & left;
		if (!here || p->state == PATH_READY)
			continue;
		struct ptx_location place = ptx_instr_location(kernel, (int)p->at->index);
		char where[PTX_LOCATION_TEXT];
		left &= ~here;
		buf_puts(&places, between);
		between = ", ";
		simt_write_lanes(here, &places);
		buf_printf(&places, " wait%s at the %s of %s", here & (here - 1) ? "" : "s",
			p->state == PATH_AT_SYNC ? "*.sync" : "barrier", ptx_location_text(&place, where));
	}
	if (ended) {
		buf_puts(&places, between);
		between = ", ";
		simt_write_lanes(ended, &places);
		buf_printf(&places, " went past it and %s ended", ended & (ended - 1) ? "have" : "has");
	}
	if (left) {
		buf_puts(&places, between);
		simt_write_lanes(left, &places);
		buf_printf(&places, " go%s on without it", left & (left - 1) ? "" : "es");
	}

	simt_fault(w, c, (struct fault){.kind = SIMT_BARRIER_DIVERGENT, .lanes = missing},
		"%d lane%s of the warp do%s not arrive at this barrier with the others: %s; it belongs where all threads of the block come to it, outside of the branch or loop that parts them",
		n, plural((uint64_t)n), n == 1 ? "es" : "", buf_str(&places));
	buf_free(&places);
}

void simt_barriers_passed(struct warp *w, const struct code *barrier, uint32_t lanes, const struct warp *waited,
	const struct code *branch)
{
	struct ptx_location place = ptx_instr_location(w->m->program.kernel, (int)branch->index);
	char where[PTX_LOCATION_TEXT];
	struct buf text = {0};
	simt_write_lanes(lanes, &text);
	simt_fault(w, barrier, (struct fault){.kind = SIMT_BARRIER_DIVERGENT, .lanes = lanes},
		"%s of warp %u went past this barrier, at which warp %u waited: another way at %s; they have ended, so a GPU goes on; it belongs where all threads of the block come to it, outside of the branch or loop that parts them",
		buf_str(&text), w->index, waited->index, ptx_location_text(&place, where));
	buf_free(&text);
}

/* The lanes that wait at a barrier with .aligned, but at another instruction than the first path that waits. */
static uint32_t lanes_elsewhere(const struct warp *w, const struct code *first)
{
	uint32_t lanes = 0;
	for (uint32_t i = 0; i < w->paths.n && !w->yielded; i++) {
		const struct path *p = &w->paths.at[i];
		if (p->state == PATH_AT_BARRIER && p->at != first && (is_aligned(p->at) || is_aligned(first)))
			lanes |= p->mask;
	}
	return lanes;
}

/* Those that were to reconverge with paths that wait at `id`, and have ended elsewhere. */
static uint32_t lanes_that_passed(const struct warp *w, uint32_t id)
{
	uint32_t lanes = 0;
	for (uint32_t i = 0; i < w->paths.n; i++)
		if (w->paths.at[i].state == PATH_AT_BARRIER && w->paths.at[i].waits_for == id)
			lanes |= w->paths.at[i].passed & ~w->live;
	return lanes;
}

/* Paths wait at `id`: the warp has arrived when they are all that is left of it. */
static void arrive_by_paths(struct warp *w, const struct code *c, uint32_t id)
{
	if (w->barrier != NO_BARRIER || parked_at(w, id) != w->live)
		return;
	uint32_t elsewhere = lanes_elsewhere(w, c), passed = lanes_that_passed(w, id);
	if (elsewhere | passed)
		report_divergence(w, c, elsewhere | passed);
	w->barrier = id;
	w->yielded = false;
	warp_arrives(w, c, id);
}

void simt_barriers_update(struct warp *w)
{
	for (uint32_t i = 0; w->live && i < w->paths.n; i++)
		if (w->paths.at[i].state == PATH_AT_BARRIER && w->paths.at[i].waits_for != CLUSTER_BARRIER) {
			arrive_by_paths(w, w->paths.at[i].at, w->paths.at[i].waits_for);
			break;
		}
	if (w->state == WARP_DONE)
		release_complete(w->m);
	simt_cluster_update(w->m);
}

/* --- the instruction ---------------------------------------------------------------------------------------------- */

static void exec_barrier(struct warp *w, const struct code *c, uint32_t mask)
{
	uint32_t expected = 0, held = 0, missing = w->live & ~mask;
	int count = reduces(c) + 1; /* the operand that says how many threads it waits for */

	if (missing && (only_arrives(c) || (is_aligned(c) && w->active != mask)))
		report_divergence(w, c, missing);
	const u32 *number = (const u32 *)R(reduces(c));
	uint32_t id = number[__builtin_ctz(mask)], others = mask & LANES_WHERE(number[i] != id);
	if (others && is_aligned(c)) {
		simt_fault(w, c,
			(struct fault){.kind = SIMT_BARRIER_MISMATCHED, .lanes = others, .ending = SIMT_ENDING_ILLEGAL},
			"lanes of one warp name barrier %u and barrier %u: all have to name the same; a GPU ends the launch",
			id, number[__builtin_ctz(others)]);
		return;
	}
	if (id >= NAMED_BARRIERS) {
		simt_fault(w, c, (struct fault){.kind = SIMT_BARRIER_MISSING, .lanes = mask, .passes = true},
			"there is no barrier %u; they go from 0 to %d", id, NAMED_BARRIERS - 1);
		id %= NAMED_BARRIERS;
	}
	if (c->instr->n > count && c->instr->operands[count].kind != PTX_NONE) {
		uint32_t threads = ((const u32 *)R(count))[__builtin_ctz(mask)];
		expected = threads / WARP_SIZE;
		if (threads % WARP_SIZE || (!threads && only_arrives(c))) { /* 0: all of the block, where it waits */
			simt_fault(w, c,
				(struct fault){.kind = SIMT_BARRIER_MISSING,
					.lanes = mask,
					.ending = threads ? SIMT_ENDING_ILLEGAL : SIMT_ENDING_OF_KIND},
				"a barrier waits for a multiple of 32 threads, not for %u", threads);
			return;
		}
	}

	struct barrier *b = &w->m->barriers[id];
	if (b->has_arrivals && b->expected && expected && b->expected != expected) {
		simt_fault(w, c,
			(struct fault){.kind = SIMT_BARRIER_MISMATCHED, .lanes = mask, .ending = SIMT_ENDING_ILLEGAL},
			"barrier %u is to wait for %u threads here, and for %u by those that are at it: all have to give the same number; a GPU ends the launch",
			id, expected * WARP_SIZE, b->expected * WARP_SIZE);
		return;
	}
	if (reduces(c)) {
		held = get_pred(w, c, 3) & mask;
		if (!b->has_arrivals)
			b->all = 1;
		b->all &= held == mask;
		b->any |= held != 0;
		b->count += (uint32_t)__builtin_popcount(held);
	}
	b->has_arrivals = true;
	b->expected = expected;
	if (w->m->detector)
		simt_watch_barrier_arrive(w, id, mask);

	if (mask != w->live && !only_arrives(c)) { /* others of the warp may still come */
		simt_paths_park(w, c, PATH_AT_BARRIER, mask, id);
		w->paths.at[w->paths.n - 1].held = held;
		arrive_by_paths(w, c, id);
		if (!w->active)
			simt_paths_next(w);
		return;
	}
	w->yielded = false;
	if (!only_arrives(c)) {
		w->state = WARP_WAITS;
		w->barrier = id;
		w->waits_at = c;
	}
	warp_arrives(w, c, id);
}
PICK_ALWAYS(ctl_bar, exec_barrier)

/* --- faults ------------------------------------------------------------------------------------------------------- */

/* A path that waits for lanes of its own warp is nearer to the cause than warps that wait for others. */
static bool report_waiting_lanes(struct warp *w)
{
	for (uint32_t i = 0; i < w->paths.n && w->barrier == NO_BARRIER; i++) {
		const struct path *p = &w->paths.at[i];
		if (p->state != PATH_AT_BARRIER || p->waits_for == CLUSTER_BARRIER)
			continue;
		report_divergence(w, p->at, w->live & ~parked_at(w, p->waits_for));
		return true;
	}
	return false;
}

static bool report_waiting_warp(struct warp *w)
{
	if (w->barrier == NO_BARRIER)
		return false;
	const struct barrier *b = &w->m->barriers[w->barrier];
	const struct code *at = w->waits_at;
	for (uint32_t i = 0; !at && i < w->paths.n; i++)
		at = w->paths.at[i].state == PATH_AT_BARRIER ? w->paths.at[i].at : NULL;
	simt_fault(w, at, (struct fault){.kind = SIMT_BARRIER_MISSING, .lanes = w->live},
		"barrier %u waits forever: %u warp%s arrived, and no other can", w->barrier, b->arrived,
		plural(b->arrived));
	return true;
}

void simt_barriers_deadlock(struct machine *m)
{
	for (uint32_t i = 0; i < m->n_warps; i++)
		if (simt_converge_without(&m->warps[i]))
			return;
	m->stop = true;
	for (uint32_t i = 0; i < m->n_warps; i++)
		if (report_waiting_lanes(&m->warps[i]))
			return;
	for (uint32_t i = 0; i < m->n_warps; i++)
		if (report_waiting_warp(&m->warps[i]))
			return;
	simt_cluster_deadlock(m);
}

void simt_barriers_end(struct machine *m)
{
	for (uint32_t id = 0; id < BARRIERS; id++) {
		const struct barrier *b = &m->barriers[id];
		if (!b->arrived)
			continue;
		simt_fault(&m->warps[b->last_warp], b->last, (struct fault){.kind = SIMT_BARRIER_PENDING},
			"the block ended while barrier %u, at which %u warp%s arrived, waited for more", id, b->arrived,
			plural(b->arrived));
		return;
	}
}
