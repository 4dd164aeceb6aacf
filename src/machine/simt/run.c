/* A launch from beginning to end. */
#include "machine/simt/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/portable.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/memory.h"
#include "machine/simt/watch.h"

/* --- whether a kernel can be launched ----------------------------------------------------------------------------- */

#define CALLS_ROOM 4096u

static uint64_t volume(const uint32_t dims[3])
{
	unsigned __int128 v = (unsigned __int128)dims[0] * dims[1] * dims[2];
	return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

/* Whether the launch can be, and what its blocks need. False, with the reason in the result, when it cannot. */
static bool validate_launch(struct machine *m)
{
	static const uint32_t grid_max[3] = {0x7FFFFFFF, 65535, 65535},
			      max[3] = {BLOCK_THREADS_MAX, BLOCK_THREADS_MAX, 64};
	const struct simt_launch *l = m->launch;
	const struct ptx_kernel *k = l->kernel;
	const uint32_t *g = l->grid, *b = l->block;

	for (int i = 0; i < 3; i++) {
		if (!g[i] || !b[i] || g[i] > grid_max[i] || b[i] > max[i]) {
			simt_refuse(m,
				"a grid of %u,%u,%u blocks of %u,%u,%u threads cannot be launched: at most %u,%u,%u and %u,%u,%u, at least 1",
				g[0], g[1], g[2], b[0], b[1], b[2], grid_max[0], grid_max[1], grid_max[2], max[0],
				max[1], max[2]);
			return false;
		}
	}
	uint64_t threads = volume(b);
	if (threads > BLOCK_THREADS_MAX)
		simt_refuse(m, "a block has at most %u threads, not %" PRIu64, BLOCK_THREADS_MAX, threads);
	else if (k->max_threads && threads > k->max_threads)
		simt_refuse(m, "this kernel was compiled for at most %u threads per block, not %" PRIu64,
			k->max_threads, threads);
	else if (k->required[0] && memcmp(k->required, b, sizeof k->required) != 0)
		simt_refuse(m, "this kernel was compiled for blocks of %u,%u,%u threads", k->required[0],
			k->required[1], k->required[2]);
	if (m->stop)
		return false;

	/* CUDA Programming Guide, Thread Block Clusters; what the driver refuses as an invalid cluster size. */
	struct cluster_shape *s = &m->cluster_shape;
	const uint32_t *cluster = l->cluster[0] ? l->cluster : k->cluster;
	s->is_explicit = cluster[0] != 0;
	for (int i = 0; i < 3; i++)
		s->dims[i] = cluster[i] ? cluster[i] : 1;
	uint64_t n = volume(s->dims);
	if (l->cluster[0] && k->cluster[0] && memcmp(l->cluster, k->cluster, sizeof l->cluster) != 0)
		simt_refuse(m, "this kernel was compiled for clusters of %u,%u,%u blocks", k->cluster[0], k->cluster[1],
			k->cluster[2]);
	else if (k->explicit_cluster && !s->is_explicit)
		simt_refuse(m, "this kernel needs clusters, and the launch says none: --cluster");
	else if (n > CLUSTER_BLOCKS_MAX)
		simt_refuse(m, "a cluster has at most %u blocks, not %" PRIu64, CLUSTER_BLOCKS_MAX, n);
	else if (k->max_cluster && n > k->max_cluster)
		simt_refuse(m, "this kernel was compiled for clusters of at most %u blocks, not %" PRIu64,
			k->max_cluster, n);
	for (int i = 0; !m->stop && i < 3; i++)
		if (g[i] % s->dims[i])
			simt_refuse(m, "a grid of %u,%u,%u blocks cannot be divided into clusters of %u,%u,%u", g[0],
				g[1], g[2], s->dims[0], s->dims[1], s->dims[2]);
	s->n = (uint32_t)n;
	if (m->stop)
		return false;

	/* Local memory for a thread: the kernel's own, and room for a call of every function, which is enough for most;
	 * with many functions, or recursion, it grows. */
	uint32_t shared_max = l->limits.shared ? l->limits.shared : SIMT_SHARED_DEFAULT;
	uint64_t calls = 0;
	m->shared_own = m->shared.size = k->shared_bytes + l->dynamic_shared;
	m->local_bytes = k->local_bytes;
	for (int i = 1; i < k->n_parts; i++)
		calls += k->parts[i].code->local_bytes + 16;
	m->local_room = (k->local_bytes + (calls < CALLS_ROOM ? calls : CALLS_ROOM) + 15) / 16 * 16;
	if (m->shared.size > shared_max)
		simt_refuse(m, "a block needs %zu bytes of shared memory; there are %u", m->shared.size, shared_max);
	else if (m->local_bytes > LOCAL_MAX)
		simt_refuse(m, "a thread needs %" PRIu64 " bytes of local memory; there are %" PRIu64, m->local_bytes,
			LOCAL_MAX);
	else if (k->param_bytes && !l->params)
		simt_refuse(m, "the kernel has parameters, and none are given");
	if (m->stop)
		return false;

	uint64_t blocks = volume(g), threads_max = l->limits.threads ? l->limits.threads : SIMT_THREADS_DEFAULT, all;
	if (__builtin_mul_overflow(blocks, threads, &all) || all > threads_max) {
		m->result->outcome = SIMT_LIMIT;
		snprintf(m->result->message, sizeof m->result->message, "the launch has more than %" PRIu64 " threads",
			threads_max);
		return false;
	}

	/* The driver refuses what could only deadlock. */
	const struct simt_resident *r = &l->resident;
	if (l->cooperative && r->blocks && blocks > r->blocks)
		simt_refuse(m,
			"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: a cooperative launch of %" PRIu64
			" blocks; at most %u are resident together: %s",
			blocks, r->blocks, r->why ? r->why : "so the launch says");
	return !m->stop;
}

/* --- shared memory of the system's
 * ------------------------------------------------------------------------------- */

#define RESERVED_ALIGN 256u

/* From CC 8.0 on the system has some of each block, which a kernel finds by special registers, as tiles of several
 * warps of NVIDIA's cooperative groups do. A GPU has it before the kernel's own; here it comes after, and after a gap,
 * so that offsets are those of the source, and what is stored past the end is still found. */
static void simt_reserve_shared(struct machine *m)
{
	bool is_read = false;
	for (int i = PTX_SPECIAL_RESERVED_SMEM_BEGIN; i <= PTX_SPECIAL_RESERVED_SMEM_1; i++)
		is_read |= m->program.uses_special[i];
	if (!is_read)
		return;
	m->shared_reserved = (m->shared_own + 2 * RESERVED_ALIGN - 1) / RESERVED_ALIGN * RESERVED_ALIGN;
	m->shared.size = m->shared_reserved + SIMT_RESERVED_SHARED;
}

/* --- what all blocks share
 * ----------------------------------------------------------------------------------------- */

struct machine *simt_launch_open(
	const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result)
{
	static const struct simt_listener no_listener;
	struct machine *m = base_calloc(1, sizeof *m);

	*result = (struct simt_result){.outcome = SIMT_OK, .instr = -1};
	m->launch = launch;
	m->memory = memory;
	m->result = result;
	m->listener = launch->listener ? launch->listener : &no_listener;
	m->checks = launch->checks ? launch->checks : SIMT_CHECK_BOUNDS | SIMT_CHECK_ALIGN | SIMT_CHECK_SYNC;
	m->steps.max = m->steps.end = launch->limits.steps ? launch->limits.steps : SIMT_STEPS_DEFAULT;
	m->program.kernel = launch->kernel;
	m->arena = arena_new();
	m->report = launch->report;
	if (!m->report) { /* one that has room for one defect */
		m->report = arena_alloc(m->arena, sizeof *m->report);
		*m->report = (struct simt_report){
			.defects = arena_alloc(m->arena, sizeof *m->report->defects), .cap = 1};
	}
	if (!validate_launch(m) || !simt_globals_init(m))
		return m;
	m->threads = launch->block[0] * launch->block[1] * launch->block[2];
	m->n_warps = (uint32_t)warp_count(m->threads);

	uint32_t bytes = launch->kernel->param_bytes;
	m->params = arena_alloc(m->arena, bytes + 16u);
	m->params += (16 - (uintptr_t)m->params % 16) % 16;
	if (bytes)
		memcpy(m->params, launch->params, bytes);

	if (!simt_program_decode(m, m->arena) || !simt_workspace_open(m))
		return m;
	simt_reserve_shared(m);
	if (m->program.uses_heap)
		simt_heap_open(m->memory);
	simt_watch_open(m);
	simt_order_find(m);
	simt_passed_find(m);
	return m;
}

void simt_launch_close(struct machine *m)
{
	simt_watch_close(m);
	simt_workspace_close(m);
	free(m->program.consts);
	simt_globals_close(m);
	arena_free(m->arena);
	free(m);
}

/* --- the blocks of a launch on one core --------------------------------------------------------------------------- */

/* Starting a block means clearing its memory; a launch may clear so many bytes for every warp instruction it may
 * execute. */
#define CLEARED_PER_STEP ((uint64_t)1 << 10)
#define CLEARED_MAX ((uint64_t)64 << 30)

/* Blocks that can be put aside at once, where the launch does not say how many are resident: more than any GPU holds;
 * RESIDENT_BYTES bounds them too. */
#define RESIDENT_MAX 8192u

#define RANDOM_RESIDENTS 8u /* of a random order: further blocks begin seldom while so many have not ended */

/* When all resident blocks have had so many turns, and found nothing new: lanes may poll what others would change that
 * wait for them at a *.sync. */
#define IN_VAIN_ROUNDS 16u

#define TURN_STEPS 1000000u /* about, of a launch before others have their turn */

uint64_t simt_resident_bytes(const struct machine *m)
{
	return m->shared.size +
		m->n_warps * (m->program.units->regs_bytes + m->program.specials_bytes + m->local_room * WARP_SIZE);
}

void simt_residents_init(struct residents *r, const struct machine *model, uint64_t first)
{
	const uint32_t *grid = model->launch->grid;
	*r = (struct residents){.model = model, .next = first, .left = simt_steps_left(model)};
	r->end = warp_dim_volume(grid);
	r->quiet_since = clock_thread_ms();
	r->chance = simt_schedule_seed(model->launch->order, r->end);
}

static void machine_free(struct machine *m)
{
	if (!m)
		return;
	simt_block_free(m);
	arena_free(m->arena);
	free(m);
}

void simt_residents_free(struct residents *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		machine_free(r->blocks[i]);
	machine_free(r->spare);
	free(r->blocks);
}

/* --- beginning
 * ----------------------------------------------------------------------------------------------------- */

static uint64_t most_cleared(const struct residents *r)
{
	uint64_t max = r->model->steps.max;
	return max < CLEARED_MAX / CLEARED_PER_STEP ? max * CLEARED_PER_STEP : CLEARED_MAX;
}

bool simt_residents_have_room(const struct residents *r)
{
	uint64_t bytes = (r->n + r->model->cluster_shape.n) * simt_resident_bytes(r->model);
	for (uint32_t i = 0; i < r->n; i++)
		bytes += r->blocks[i]->stack_bytes + simt_watch_bytes(r->blocks[i]);
	uint32_t most = r->model->launch->resident.blocks;
	return r->next < r->end &&
		(!r->n ||
			(r->n + r->model->cluster_shape.n <= (most ? most : RESIDENT_MAX) && bytes <= RESIDENT_BYTES));
}

/* A block, or the blocks of a cluster. */
static bool begin_block(struct residents *r)
{
	uint32_t n = r->model->cluster_shape.n, order = r->model->launch->order;
	struct machine *blocks[CLUSTER_BLOCKS_MAX];

	if (!simt_residents_have_room(r))
		return false;

	/* Each block clears its memory, which takes time that no step counts. */
	r->cleared += simt_resident_bytes(r->model) * n;
	if (r->next && r->cleared > most_cleared(r)) {
		r->failed = true;
		simt_limit((struct machine *)r->model,
			"the launch was stopped in block %" PRIu64 " of %" PRIu64
			": clearing the memory of so many blocks takes too long",
			r->next, r->end);
		return false;
	}

	r->current = r->n;
	for (uint32_t i = 0; i < n; i++) {
		struct machine *m = r->spare;
		r->spare = NULL;
		if (!m) {
			m = base_calloc(1, sizeof *m);
			*m = *r->model;
			m->arena = arena_new();
			simt_block_prepare(m);
		}
		blocks[order == SIMT_ORDER_REVERSED ? n - 1 - i : i] = *vec_push(r->blocks, r->n, r->cap) = m;
	}
	if (n > 1)
		simt_cluster_new(blocks, n);
	uint64_t cluster = simt_schedule_block(order, r->next / n, r->end / n);
	for (uint32_t i = 0; i < n; i++)
		simt_block_start(blocks[i], simt_cluster_block(r->model, cluster, i));
	r->next += n;
	return true;
}

/* --- going on
 * ------------------------------------------------------------------------------------------------------ */

struct machine *simt_residents_current(struct residents *r)
{
	if (r->failed || (!r->n && !begin_block(r)))
		return NULL;
	struct machine *m = r->blocks[r->current];
	if (m->state == BLOCK_STUCK)
		simt_block_resume(m);
	simt_steps_allow(m, r->left);
	m->quiet.since = r->quiet_since;
	return m;
}

static bool is_next_to(const struct residents *r, uint32_t i)
{
	return i < r->n && r->blocks[i]->cluster == r->blocks[r->current]->cluster;
}

/* The next block of the cluster has its turn, unless all of them wait for something else. */
static bool stay_in_cluster(struct residents *r)
{
	struct machine *m = r->blocks[r->current];
	struct cluster *c = m->cluster;
	if (m->turns.changes != m->turns.stuck_changes && !m->turn.in_vain)
		c->idle = 0;
	m->turns.stuck_changes = m->turns.changes;
	if (c->n == 1 || ++c->idle > 2 * c->n) {
		c->idle = 0;
		return false;
	}
	uint32_t next = r->current;
	if (is_next_to(r, next + 1))
		next++;
	else
		while (next && is_next_to(r, next - 1))
			next--;
	r->current = next;
	return true;
}

void simt_residents_update(struct residents *r)
{
	struct machine *m = r->blocks[r->current];

	bool in_vain = m->state == BLOCK_STUCK && !m->quiet.found_value && m->steps.taken - m->turn.began < TURN_STEPS;
	r->left = simt_steps_left(m);
	simt_block_note_progress(m);
	r->quiet_since = m->quiet.since;
	r->in_vain = in_vain ? r->in_vain + !m->turn.by_chance : 0;
	if (r->in_vain > IN_VAIN_ROUNDS * r->n && !simt_residents_have_room(r)) {
		r->in_vain = 0;
		for (uint32_t i = 0; i < r->n; i++)
			for (uint32_t k = 0; k < r->blocks[i]->n_warps; k++)
				if (simt_paths_are_passed(&r->blocks[i]->warps[k]))
					simt_converge_without(&r->blocks[i]->warps[k]);
	}
	if (m->stop) {
		r->failed = true;
	} else if (m->state == BLOCK_ENDED) {
		r->steps += m->steps.taken;
		r->reached = r->reached || m->launch->limits.through == (uint64_t)m->block + 1;
		simt_block_count(m);
		for (uint32_t i = r->current + 1; i < r->n; i++)
			r->blocks[i - 1] = r->blocks[i];
		r->n--;
		r->current = 0; /* the first of those put aside may have waited for it */
		machine_free(r->spare);
		r->spare = m;
		r->quiet_since = clock_thread_ms();
	}
	if (!r->failed && r->n && r->model->launch->order >= SIMT_ORDER_RANDOM) {
		/* A block that has begun, or the next one. */
		uint32_t few = r->n < RANDOM_RESIDENTS ? 1 : RANDOM_RESIDENTS;
		if (simt_schedule_pick(&r->chance, (r->n + 1) * few) || !begin_block(r))
			r->current = simt_schedule_pick(&r->chance, r->n);
	} else if (!r->failed && r->n && m->state == BLOCK_STUCK) {
		/* The block waits for another one. */
		if (stay_in_cluster(r))
			return;
		while (is_next_to(r, r->current + 1))
			r->current++;
		if (++r->current == r->n && !begin_block(r))
			r->current = 0;
	}
}

/* Whether the block after which the launch ends, and the others of its cluster, have ended, and more would follow. */
static bool residents_are_through(const struct residents *r)
{
	if (!r->reached || (!r->n && r->next == r->end))
		return false;
	uint32_t last = (uint32_t)(r->model->launch->limits.through - 1);
	for (uint32_t i = 0; i < r->n; i++)
		if (simt_cluster_of(r->model, r->blocks[i]->block) == simt_cluster_of(r->model, last))
			return false;
	return true;
}

uint64_t simt_residents_steps(const struct residents *r)
{
	uint64_t steps = r->steps;
	for (uint32_t i = 0; i < r->n; i++)
		steps += r->blocks[i]->steps.taken;
	return steps;
}

struct machine *simt_residents_find(const struct residents *r, uint32_t block)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->blocks[i]->block == block)
			return r->blocks[i];
	return NULL;
}

/* --- one core, and then several
 * ------------------------------------------------------------------------------------- */

#define TEAM_AFTER 20000u /* steps; with fewer the threads cost more than they save */

/* A team is tried once, between blocks. What the detector remembers of blocks cannot be undone, so it has to begin with
 * the team, and again after one that gave up. */
static bool calls_for_team(const struct machine *model, const struct residents *r)
{
	uint64_t after = model->race_grid ? 0 : TEAM_AFTER;

	if (r->n || r->steps < after || r->next + 1 >= r->end || r->failed)
		return false;
	/* Whether all blocks that have not begun may clear their memory before the limit of that is reached. */
	uint64_t most = most_cleared(r);
	return r->cleared <= most && r->end - r->next <= (most - r->cleared) / simt_resident_bytes(r->model);
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

struct simt_turns {
	struct machine *model;
	struct simt_result *result;
	struct residents residents;
	bool may_team, ended;
	bool team_stopped; /* and said where its blocks were */
	uint32_t in_vain;  /* turns of blocks, one after the other, that found nothing new */
	double left;       /* when the last turn was over, by clock_thread_ms */
};

struct simt_turns *simt_begin(const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result)
{
	struct simt_turns *t = base_calloc(1, sizeof *t);
	t->result = result;
	t->model = simt_launch_open(launch, memory, result);
	t->ended = result->outcome != SIMT_OK;
	if (t->ended)
		return t;
	t->may_team = !launch->order && !launch->limits.through && !launch->cooperative && simt_team_possible(t->model);
	simt_residents_init(&t->residents, t->model, 0);
	t->left = clock_thread_ms();
	return t;
}

static void end_launch(struct simt_turns *t)
{
	t->ended = true;
	t->result->steps = simt_residents_steps(&t->residents);
	t->result->ended = !t->residents.failed;
	t->result->communicates = simt_watch_communicates(t->model);
	simt_report_locks(t->model);

	/* A team that was stopped, or asked to before it began a block, has left blocks out. */
	const struct simt_progress *progress = t->model->launch->limits.progress;
	struct simt_result *r = t->model->result;
	if (progress && progress->stop && r->outcome == SIMT_OK) {
		r->outcome = SIMT_LIMIT;
		r->interrupted = true;
		r->ended = false;
		snprintf(r->message, sizeof r->message, "the launch was interrupted");
	}

	if (t->result->outcome == SIMT_LIMIT && !t->team_stopped)
		simt_standing_find(&t->residents, &t->result->standing);
	simt_residents_free(&t->residents);
}

/* One turn of one block, or all blocks by a team. */
static bool run_block(struct simt_turns *t)
{
	struct residents *r = &t->residents;
	struct simt_progress *progress = t->model->launch->limits.progress;
	if (t->may_team && calls_for_team(t->model, r)) {
		uint64_t steps;
		t->may_team = false;
		simt_steps_allow(t->model, r->left);
		enum simt_team_end end = simt_team_run(t->model, r->next, &steps);
		t->team_stopped = end == TEAM_STOPPED;
		if (end != TEAM_GAVE_UP) {
			r->steps += steps;
			r->left -= steps;
			r->next = r->end;
		} else if (t->model->race_grid) {
			simt_watch_close(t->model);
			simt_watch_open(t->model);
		}
	}
	struct machine *m = simt_residents_current(r);
	if (!m)
		return false;
	simt_block_run(m);
	t->in_vain = m->state == BLOCK_STUCK && m->steps.taken - m->turn.began < TURN_STEPS ? t->in_vain + 1 : 0;
	simt_residents_update(r);

	/* Say where the warps are, if someone has asked. */
	uint32_t look = progress ? progress->look : 0;
	if (progress && look != progress->seen) {
		simt_standing_find(r, &progress->standing);
		progress->seen = look;
	}

	if (residents_are_through(r) && t->result->outcome == SIMT_OK) {
		simt_limit(t->model, "the launch was stopped after block %" PRIu64 " of %" PRIu64,
			t->model->launch->limits.through - 1, r->end);
		return false;
	}
	return !(progress && progress->stop);
}

enum simt_turn simt_continue(struct simt_turns *t)
{
	if (t->ended)
		return SIMT_TURN_ENDED;
	uint64_t began = t->residents.left;
	t->residents.quiet_since += clock_thread_ms() - t->left;
	t->in_vain = 0;
	do {
		if (!run_block(t)) {
			end_launch(t);
			return SIMT_TURN_ENDED;
		}
	} while (began - t->residents.left < TURN_STEPS && t->in_vain <= t->residents.n);
	t->left = clock_thread_ms();
	return t->in_vain > t->residents.n ? SIMT_TURN_WAITS : SIMT_TURN_RAN;
}

void simt_end(struct simt_turns *t)
{
	if (!t->ended)
		end_launch(t);
	simt_launch_close(t->model);
	free(t);
}

void simt_run(const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result)
{
	struct simt_turns *t = simt_begin(launch, memory, result);
	while (simt_continue(t) != SIMT_TURN_ENDED)
		;
	simt_end(t);
}
