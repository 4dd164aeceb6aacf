/* The adapter between machine and race detector: events one way, findings as sentences the other way. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "machine/simt/async.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/locks.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/memory.h"
#include "machine/simt/memory_order.h"
#include "machine/simt/undefined.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"
#include "machine/simt/wgmma.h"

/* --- findings ----------------------------------------------------------------------------------------------------- */

static struct simt_side side_of(const struct machine *m, const struct race_side *side)
{
	return (struct simt_side){.instr = side->instr,
		.place = ptx_reported_location(m->program.kernel, side->instr),
		.accesses = true,
		.op = side->op,
		.block = side->block,
		.warp = side->warp,
		.lanes = side->lanes,
		.lane = side->lane};
}

static void on_finding(void *ctx, const struct race_finding *f)
{
	struct machine *m = ctx;
	struct simt_defect d = {.kind = SIMT_RACE,
		.here = side_of(m, &f->here),
		.other = side_of(m, &f->other),
		.missing = f->missing,
		.space = f->space,
		.address = f->address};
	d.missing = simt_advice(m, &d.here, &d.other, f->missing);
	if (simt_report_repeats(m, &d))
		return;
	simt_describe_race(&d, f->far ? (int64_t)f->owner : -1);
	simt_report_defect(m, &d);
}

/* --- the launch, and its blocks
 * ------------------------------------------------------------------------------------- */

/* A bulk copy that may read shared memory. */
static bool reads_in_bulk(const struct code *c)
{
	enum ptx_kind kind = instr_kind(c->instr->form);
	return kind == PTX_KIND_BULK_STORE || kind == PTX_KIND_BULK_REDUCE || kind == PTX_KIND_BULK_LOAD;
}

static bool has_bulk_reads(const struct program *p)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (reads_in_bulk(&p->code[i]))
			return true;
	return false;
}

/* Kernels of CUB and Thrust whose blocks take tiles in order, and wait for what those before them have come to: the
 * state of such a tile is a parameter. */
static bool has_tiles(const char *name)
{
	bool is_theirs = strncmp(name, "_ZN3cub", 7) == 0 || strncmp(name, "_ZN6thrust", 10) == 0;
	return is_theirs && strstr(name, "ScanTileState");
}

void simt_watch_open(struct machine *m)
{
	const uint32_t *grid = m->launch->grid, *dims = m->cluster_shape.dims;
	struct race_setup setup = {
		.blocks = (uint64_t)grid[0] * grid[1] * grid[2],
		.threads = m->threads,
		.shared_bytes = m->shared.size,
		.shared_reserved = m->shared_reserved,
		.local_bytes = m->local_bytes,
		.races = m->checks & SIMT_CHECK_RACE,
		.uninitialized = m->checks & SIMT_CHECK_UNINIT,
		.async_reads = m->program.unguarded != NULL || has_bulk_reads(&m->program),
		.n_instrs = m->program.n,
		.clusters = m->cluster_shape.n > 1,
		.tiles = has_tiles(m->program.kernel->name) && !m->launch->strict,
		.grid = {grid[0], grid[1]},
		.cluster = {dims[0], dims[1], dims[2]},
	};
	if (!setup.races && !setup.uninitialized)
		return;
	struct race_order *order = simt_memory_order(m->arena, m->program.kernel, m->launch->strict);
	if (setup.clusters)
		simt_memory_order_clusters(order, m->program.kernel);
	setup.order = order;
	if (setup.races)
		simt_locks_find(m, order);
	m->race_grid = race_grid_new(&setup);
	for (int i = 0; i < m->memory->n; i++)
		if (m->memory->regions[i].written) {
			m->global_unwritten = true;
			race_grid_uninitialized(m->race_grid, m->memory->regions[i].base, m->memory->regions[i].size,
				m->memory->regions[i].written);
		}
}

void simt_watch_close(struct machine *m)
{
	race_grid_free(m->race_grid);
}

bool simt_watch_communicates(const struct machine *m)
{
	return !m->race_grid || race_grid_communicates(m->race_grid);
}

void simt_watch_prepare(struct machine *m)
{
	m->detector = m->race_grid ? race_detector_new(m->race_grid, on_finding, m) : NULL;
}

void simt_watch_free(struct machine *m)
{
	race_detector_free(m->detector);
	m->detector = NULL;
}

uint64_t simt_watch_bytes(const struct machine *m)
{
	return m->detector ? race_detector_bytes(m->detector) : 0;
}

void simt_watch_block_start(struct machine *m)
{
	race_block_start(m->detector, m->block);
	for (uint32_t i = 0; m->locks && i < m->n_warps; i++)
		simt_locks_begin(&m->warps[i]);
}

void simt_watch_block_end(struct machine *m)
{
	race_block_end(m->detector);
}

/* --- what happens ------------------------------------------------------------------------------------------------- */

static struct race_site site_of(const struct warp *w, const struct code *c)
{
	return (struct race_site){.instr = (int)c->index,
		.reported = simt_reported_instr(w, c),
		.warp = w->index,
		.signals = c->flags & CODE_SIGNALS};
}

static void watch(struct machine *m, const struct race_site *site, const struct race_store *store)
{
	if (m->access.space == SPACE_SHARED && m->cluster->n > 1)
		race_access_cluster(m->detector, m->owner->detector, site, &m->access, store);
	else
		race_access(m->detector, site, &m->access, store);
}

void simt_watch_access(struct warp *w, const struct code *c)
{
	struct machine *m = w->m;
	struct race_site site = site_of(w, c);
	if (m->checks & SIMT_CHECK_UNINIT && (m->access.space != SPACE_GLOBAL || m->global_unwritten || w->undefined))
		simt_undefined_access(w, c);
	if (m->locks)
		site.unlocks = simt_locks_access(w, c);
	if (instr_is_swap(c->instr->form)) {
		/* The lanes whose compare-and-swap will find another value than they expect. Of several at one address
		 * all but the first may find anything. */
		const struct warp_access *a = &w->m->access;
		const uint8_t *expected = R(2);
		uint32_t failing = 0;
		for (uint32_t left = a->active, before = 0; left; left &= left - 1) {
			int lane = __builtin_ctz(left);
			bool alone = true;
			for (uint32_t others = before; others; others &= others - 1)
				alone &= a->address[__builtin_ctz(others)] != a->address[lane];
			if (alone &&
				memcmp(simt_mem_lane(w->m, lane), expected + (size_t)lane * c->bytes, c->bytes) != 0)
				failing |= left & -left;
			before |= left & -left;
		}
		site.fails = failing;
	}
	if (instr_kind(c->instr->form) == PTX_KIND_MBARRIER_WAIT)
		site.fails = simt_mbarrier_incomplete(w, c, m->access.active);
	if (instr_kind(c->instr->form) != PTX_KIND_STORE) {
		watch(m, &site, NULL);
		if (instr_kind(c->instr->form) == PTX_KIND_GROUP_MMA)
			race_async_read(m->detector, &site, &m->access, simt_wgmma_group(w));
		else if (reads_in_bulk(c) && m->access.op == ACCESS_LOAD)
			race_async_read(m->detector, &site, &m->access, 0); /* it has read at once */
		return;
	}

	struct race_store store = {.n = c->lanes, .stride = c->slot[0], .bytes = c->bytes};
	for (int e = 0; e < c->lanes; e++)
		store.lanes[e] = c->elements ? lanes_of(w, c->elements[e]) : R(1);

	for (uint32_t left = m->access.active; left; left &= left - 1)
		store.at[__builtin_ctz(left)] = simt_mem_lane(m, __builtin_ctz(left));
	watch(m, &site, &store);
}

void simt_watch_copy_begin(struct warp *w, const struct code *c, uint32_t lanes)
{
	struct warp_access *a = &w->m->access;
	const struct race_site site = site_of(w, c);
	uint64_t window = c->space == SPACE_GENERIC ? SHARED_WINDOW : 0;
	a->active = lanes;
	a->space = SPACE_SHARED;
	a->op = ACCESS_STORE;
	a->width = c->bytes;
	for (uint32_t left = lanes; left; left &= left - 1)
		a->address[__builtin_ctz(left)] -= window;
	race_copy_begin(w->m->detector, &site, a);
}

void simt_watch_phase_complete(struct warp *w, int lane)
{
	struct machine *m = w->m;
	const uint8_t *at = m->host.at[lane];
	const struct machine *owner = simt_cluster_of_host(m, at);
	if (owner)
		race_phase_complete(m->detector, owner->detector, (uint64_t)(at - owner->shared.bytes));
}

void simt_watch_reads(struct warp *w, const struct code *c, uint32_t *operation)
{
	const struct race_site site = site_of(w, c);
	*operation = race_pending_begin(w->m->detector, w->m->detector, &site, &w->m->access, *operation);
}

void simt_watch_writes(struct warp *w, struct operation *o, int lane, uint64_t address, uint32_t bytes)
{
	struct warp_access a = {.space = (enum mem_space)o->c->space,
		.op = instr_takes(o->c->instr->form, PTX_MOD_ATOM) ? ACCESS_ATOMIC : ACCESS_STORE,
		.active = 1u << lane};
	if (a.space == SPACE_GENERIC) {
		a.space = SPACE_SHARED;
		address -= SHARED_WINDOW;
	}
	for (uint32_t at = 0; at < bytes; at += a.width) {
		for (a.width = SIMT_BULK_PIECE; a.width > bytes - at || (address + at) % a.width;)
			a.width /= 2;
		a.address[lane] = address + at;

		/* In shared memory of the cluster, or in global memory. */
		const struct race_site site = site_of(w, o->c);
		const struct machine *m = w->m, *owner = m;
		uint32_t rank;
		if (a.space == SPACE_SHARED) {
			owner = simt_cluster_owner(m, a.address[lane], &rank);
			a.address[lane] &= CLUSTER_OFFSET;
			if (!owner || a.address[lane] + a.width > owner->shared.size || a.address[lane] % a.width)
				continue;
		}
		o->pending = race_pending_begin(m->detector, owner->detector, &site, &a, o->pending);
	}
}

void simt_watch_operation_read(struct warp *w, const struct operation *o, uint32_t lanes)
{
	if (o->pending && lanes)
		race_pending_read(w->m->detector, o->pending, lanes);
}

void simt_watch_operation_end(struct warp *w, const struct operation *o, uint32_t lanes)
{
	const struct cluster *cluster = w->m->cluster;
	for (uint32_t i = 0; o->pending && i < cluster->n; i++)
		if (cluster->block[i])
			race_pending_end(w->m->detector, cluster->block[i]->detector, o->pending, lanes);
}

void simt_watch_wgmma_done(struct warp *w, uint32_t group)
{
	race_async_done(w->m->detector, w->index, group);
}

void simt_watch_proxy_fence(struct warp *w)
{
	race_proxy_fence(w->m->detector);
}

void simt_watch_fence(struct warp *w, const struct code *c, uint32_t lanes)
{
	const struct race_site site = site_of(w, c);
	race_fence(w->m->detector, &site, lanes);
}

void simt_watch_warp_sync(struct warp *w, uint32_t lanes)
{
	race_warp_sync(w->m->detector, w->index, lanes, w->live);
}

void simt_watch_barrier_arrive(struct warp *w, uint32_t id, uint32_t lanes)
{
	race_barrier_arrive(w->m->detector, id, w->index, lanes);
}

void simt_watch_barrier_complete(struct machine *m, uint32_t id)
{
	uint32_t released[WARP_SIZE], live[WARP_SIZE];
	for (uint32_t i = 0; i < m->n_warps; i++) {
		live[i] = m->warps[i].live;
		released[i] = m->warps[i].barrier == id ? live[i] : 0;
	}
	race_barrier_complete(m->detector, id, released, live);
}
