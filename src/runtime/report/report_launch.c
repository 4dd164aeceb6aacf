/* Launches in the report: which are looked at, and what their accesses cost. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/demangle.h"
#include "model/hardware/access.h"
#include "runtime/report/report.h"
#include "runtime/report/report_order.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

/* --- which are wanted --------------------------------------------------------------------------------------------- */

#define WANTED_MAX 32
static struct {
	bool some; /* not all */
	int n;
	struct {
		uint64_t first, last;
		const char *kernel; /* or this, with its length */
		size_t len;
		int line; /* or asked for there */
	} of[WANTED_MAX];
} wanted;

static bool read_wanted(const char *at, size_t len)
{
	char *end;
	if (wanted.n == WANTED_MAX || !len)
		return false;
	if (len > 7 && strncmp(at, "kernel=", 7) == 0) {
		wanted.of[wanted.n].kernel = at + 7;
		wanted.of[wanted.n++].len = len - 7;
		return true;
	}
	if (len > 5 && strncmp(at, "line=", 5) == 0) {
		long line = strtol(at + 5, &end, 10);
		wanted.of[wanted.n].line = (int)line;
		wanted.n += line > 0 && line <= INT32_MAX && end == at + len;
		return line > 0 && line <= INT32_MAX && end == at + len;
	}
	uint64_t first = strtoull(at, &end, 10), last = first;
	if (*end == '-' && end > at)
		last = strtoull(end + 1, &end, 10);
	if (end != at + len || !first || last < first)
		return false;
	wanted.of[wanted.n].first = first;
	wanted.of[wanted.n++].last = last;
	return true;
}

void report_wanted_begin(const char *text)
{
	wanted.some = text != NULL;
	for (const char *at = text; at;) {
		size_t len = strcspn(at, ",");
		if (!read_wanted(at, len)) {
			runtime_warn(
				"SIMTTUTOR_LAUNCHES=%s is no list as 3-5,kernel=scan,line=41; all launches are looked at",
				text);
			wanted.some = false;
			return;
		}
		at = at[len] ? at + len + 1 : NULL;
	}
}

bool report_wants(const struct cuda_work *work)
{
	bool wants = !wanted.some;
	for (int i = 0; i < wanted.n && !wants; i++) {
		uint64_t number = work->launch.number;
		char file[8];
		int line;
		if (wanted.of[i].kernel) {
			struct arena *arena = arena_new();
			wants = demangle_is(arena, work->launch.kernel->name,
				arena_strndup(arena, wanted.of[i].kernel, wanted.of[i].len));
			arena_free(arena);
		} else if (wanted.of[i].line) {
			wants = work->site && report_site_line(work->site, file, sizeof file, &line) &&
				line == wanted.of[i].line;
		} else {
			wants = number >= wanted.of[i].first && number <= wanted.of[i].last;
		}
	}
	return wants;
}

/* --- watching ----------------------------------------------------------------------------------------------------- */

struct report_watch {
	struct simt_listener listener;
	struct runtime *r;
	struct buf *printed, own;
	const struct cuda_work *work;
	const struct report_uses *uses;    /* of memory that the host may touch meanwhile; or NULL */
	struct report_footprint *accessed; /* or NULL */
	const uint8_t *orders;
	struct report_cost *costs; /* by instruction */
	int n;
	uint64_t first, last; /* addresses that count as written already */
};

static void add_cost(struct report_cost *to, const struct report_cost *from)
{
	to->requests += from->requests;
	to->sectors += from->sectors;
	to->ideal_sectors += from->ideal_sectors;
	to->wavefronts += from->wavefronts;
	to->ideal_wavefronts += from->ideal_wavefronts;
	to->turns += from->turns;
}

/* Lanes with an atomic operation at one address take turns there, which neither banks nor sectors are to blame for:
 * what that costs would be so however the memory is laid out. */
static void allow_for_turns(struct report_cost *cost, const struct warp_access *access, int cc)
{
	struct warp_access apart = *access;
	for (uint32_t left = access->active; left; left &= left - 1)
		for (uint32_t later = left & (left - 1); later; later &= later - 1)
			if (access->address[__builtin_ctz(later)] == access->address[__builtin_ctz(left)])
				apart.active &= ~(later & -later);
	if (apart.active == access->active)
		return;
	struct access_cost c = access_cost(&apart, cc);
	cost->turns = (uint64_t)(__builtin_popcount(access->active) - __builtin_popcount(apart.active));
	cost->ideal_sectors = cost->sectors - (uint64_t)(c.sectors - c.ideal_sectors);
	cost->ideal_wavefronts = cost->wavefronts - (uint64_t)(c.wavefronts - c.ideal_wavefronts);
}

/* The fewest sectors of an access to local memory, whose words lie apart, each those of all lanes side by side: lanes
 * at one place of it need no more, however few they are. */
static uint64_t fewest_local_sectors(const struct warp_access *access)
{
	uint64_t groups = 0;
	for (int lane = 0; lane < WARP_SIZE; lane += 8)
		groups += (access->active >> lane & 0xFF) != 0;
	return groups * (uint64_t)(access->width > 4 ? access->width / 4 : 1);
}

/* What a warp's access is to other work: runs of bytes, where lanes follow each other. */
static void add_access(struct report_footprint *f, const struct warp_access *a, uint8_t order)
{
	bool atomic = warp_op_is_atomic(a->op), strong = order & ORDER_STRONG || atomic;
	bool reads = a->op == ACCESS_LOAD || atomic;
	enum access_kind read = atomic ? ACCESS_READS_STRONG : strong ? ACCESS_LOOKS : ACCESS_READS;
	uint32_t lanes = a->active;
	if (lanes == WARP_FULL_MASK && a->half[0] == HALF_ADJACENT && a->half[1] == HALF_ADJACENT &&
		a->address[WARP_HALF_SIZE] - a->address[0] == WARP_HALF_SIZE * a->width) {
		size_t bytes = WARP_SIZE * a->width;
		if (reads)
			report_footprint_add(f, read, a->address[0], bytes);
		if (a->op != ACCESS_LOAD)
			report_footprint_add(f, strong ? ACCESS_WRITES_STRONG : ACCESS_WRITES, a->address[0], bytes);
		return;
	}
	while (lanes) {
		int first = __builtin_ctz(lanes), last = first;
		uint64_t begin = a->address[first];
		lanes &= lanes - 1;
		while (lanes && a->address[__builtin_ctz(lanes)] == a->address[last] + a->width) {
			last = __builtin_ctz(lanes);
			lanes &= lanes - 1;
		}
		size_t bytes = a->address[last] - begin + a->width;
		if (reads)
			report_footprint_add(f, read, begin, bytes);
		if (a->op != ACCESS_LOAD)
			report_footprint_add(f, strong ? ACCESS_WRITES_STRONG : ACCESS_WRITES, begin, bytes);
	}
}

static void watch_access(void *ctx, const struct simt_site *site, const struct warp_access *access)
{
	struct report_watch *w = ctx;
	struct access_cost c = access_cost(access, w->r->cc);
	bool global = access->space == SPACE_GLOBAL;
	if (site->instr >= 0 && site->instr < w->n) {
		struct report_cost cost = {(uint64_t)c.requests, (uint64_t)c.sectors, (uint64_t)c.ideal_sectors,
			(uint64_t)c.wavefronts, (uint64_t)c.ideal_wavefronts, 0};
		if (access->space == SPACE_LOCAL && cost.ideal_sectors < fewest_local_sectors(access))
			cost.ideal_sectors = cost.sectors < fewest_local_sectors(access) ? cost.sectors
											 : fewest_local_sectors(access);
		if (warp_op_is_atomic(access->op))
			allow_for_turns(&cost, access, w->r->cc);
		if (access->space == SPACE_SHARED)
			cost.sectors = cost.ideal_sectors = 0;
		else
			cost.wavefronts = cost.ideal_wavefronts = 0;
		add_cost(&w->costs[site->instr], &cost);
	}
	if (global && access->op != ACCESS_LOAD) {
		/* Allocations do not change while kernels run. */
		for (uint32_t lanes = access->active; lanes; lanes &= lanes - 1) {
			uint64_t address = access->address[__builtin_ctz(lanes)];
			if (address >= w->first && address < w->last)
				continue;
			struct cuda_allocation *a = runtime_allocation(w->r, address, 1);
			if (!a)
				continue;
			__atomic_store_n(&a->written, true, __ATOMIC_RELAXED);
			w->first = a->address;
			w->last = a->address + a->bytes;
		}
	}
	if (!global || (!w->uses && !w->accessed))
		return;
	uint8_t order = site->instr >= 0 && site->instr < w->n ? w->orders[site->instr] : 0;
	if (w->uses)
		report_use(w->uses, access, order);
	if (w->accessed)
		add_access(w->accessed, access, order);
}

/* Fences, for those who talk with the host. */
static void watch_step(void *ctx, const struct simt_site *site, uint32_t active, uint32_t executing)
{
	const struct report_watch *w = ctx;
	(void)active;
	if (executing && site->instr >= 0 && site->instr < w->n && w->orders[site->instr] & ORDER_FENCE_SYSTEM)
		report_use_fence(w->uses);
}

static void watch_print(void *ctx, const char *text, size_t len)
{
	struct report_watch *w = ctx;
	buf_append(w->printed, text, len);
}

static void *watch_fork(void *ctx)
{
	const struct report_watch *w = ctx;
	struct report_watch *part = base_calloc(1, sizeof *part);
	part->r = w->r;
	part->n = w->n;
	part->uses = w->uses;
	part->orders = w->orders;
	part->accessed = w->accessed ? report_footprint_new() : NULL;
	part->costs = base_calloc((size_t)w->n + 1, sizeof *part->costs);
	part->printed = &part->own;
	return part;
}

static void watch_drop(void *ctx, void *arg)
{
	struct report_watch *part = arg;
	(void)ctx;
	buf_free(&part->own);
	report_footprint_free(part->accessed);
	free(part->costs);
	free(part);
}

static void watch_join(void *ctx, void *arg)
{
	struct report_watch *w = ctx, *part = arg;
	buf_append(w->printed, part->own.data, part->own.len);
	for (int i = 0; i < w->n; i++)
		add_cost(&w->costs[i], &part->costs[i]);
	if (part->accessed)
		report_footprint_merge(w->accessed, part->accessed);
	watch_drop(ctx, part);
}

struct report_watch *report_watch_begin(struct runtime *r, const struct cuda_work *work, struct buf *printed)
{
	struct report_watch *w = base_calloc(1, sizeof *w);
	w->r = r;
	w->printed = printed;
	w->work = work;
	w->uses = work->launch.uses;
	w->orders = report_order_of_instructions(work->launch.kernel);
	w->accessed = work->order ? report_footprint_new() : NULL;
	w->n = ptx_instr_count(work->launch.kernel->ptx);
	w->costs = base_calloc((size_t)w->n + 1, sizeof *w->costs);
	w->listener = (struct simt_listener){.ctx = w,
		.access = watch_access,
		.step = w->uses && report_use_talks(w->uses) ? watch_step : NULL,
		.print = watch_print,
		.fork = watch_fork,
		.join = watch_join,
		.drop = watch_drop};
	return w;
}

const struct simt_listener *report_listener(struct report_watch *w)
{
	return &w->listener;
}

void report_watch_end(struct report_watch *w)
{
	if (!w)
		return;
	if (w->accessed)
		report_order_launch_accessed(w->work, w->accessed);
	free(w->costs);
	free(w);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

#define ROWS_SEARCHED 256 /* the newest */

static bool is_more_of(const struct report_row *row, const struct report_launch *l)
{
	const struct cuda_work *work = l->work;
	const struct cuda_config *a = &row->config, *b = &work->launch.config;
	return row->kernel == work->launch.kernel && row->looked == (l->watch != NULL) &&
		memcmp(&a->grid, &b->grid, sizeof a->grid) == 0 && memcmp(&a->block, &b->block, sizeof a->block) == 0 &&
		memcmp(&a->cluster, &b->cluster, sizeof a->cluster) == 0 && a->shared == b->shared &&
		a->cooperative == b->cooperative && report_site_is(row->site, work->site);
}

void report_launched(struct runtime *r, const struct report_launch *l)
{
	struct report *report = report_state();
	(void)r;
	if (!report->on)
		return;
	struct report_row *row = NULL;
	for (int i = report->n_rows; !row && i-- > 0 && i + ROWS_SEARCHED >= report->n_rows;)
		row = is_more_of(&report->rows[i], l) ? &report->rows[i] : NULL;
	if (!row) {
		row = vec_push(report->rows, report->n_rows, report->rows_cap);
		*row = (struct report_row){.first = l->number, .kernel = l->work->launch.kernel, .site = l->work->site};
		memcpy(&row->config, &l->work->launch.config, sizeof row->config);
	}
	row->first = l->number < row->first ? l->number : row->first;
	row->last = l->number > row->last ? l->number : row->last;
	row->n++;
	row->ms += l->ms;
	row->occupancy = l->occupancy;
	row->defects += l->defects;
	row->looked = l->watch != NULL;
	if (!l->watch)
		return;
	for (int i = 0; i < l->watch->n; i++)
		add_cost(&row->cost, &l->watch->costs[i]);

	const struct ptx_kernel *kernel = l->work->launch.kernel->ptx;
	const struct report_watch *w = l->watch;
	struct report_kernel *k = NULL;
	for (int i = 0; i < report->n_kernels && !k; i++)
		k = report->kernels[i].kernel == kernel ? &report->kernels[i] : NULL;
	if (!k) {
		k = vec_push(report->kernels, report->n_kernels, report->kernels_cap);
		*k = (struct report_kernel){kernel, base_calloc((size_t)w->n + 1, sizeof *k->costs), w->n};
	}
	for (int i = 0; i < w->n && i < k->n; i++)
		add_cost(&k->costs[i], &w->costs[i]);
}
