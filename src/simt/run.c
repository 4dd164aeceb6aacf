/* A launch: checks its shape, then runs block after block. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "simt/lanes.h"

#define BLOCK_THREADS_MAX 1024u
/* Starting a block means clearing its memory; a launch may clear so much for every warp instruction it may execute. */
#define CLEARED_A_STEP ((uint64_t)1 << 10)
#define CLEARED_MAX ((uint64_t)64 << 30)
#define LOCAL_MAX ((uint64_t)512 << 10) /* bytes of one thread, as CUDA's limit */

/* --- checks ------------------------------------------------------------------------------------------------------- */

static uint64_t volume(const uint32_t dims[3])
{
	unsigned __int128 v = (unsigned __int128)dims[0] * dims[1] * dims[2];
	return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

static bool check_shape(struct machine *m)
{
	static const uint32_t grid_max[3] = {0x7FFFFFFF, 65535, 65535}, block_max[3] = {1024, 1024, 64};
	const struct simt_launch *l = m->launch;
	const struct ptx_kernel *k = l->kernel;
	const uint32_t *g = l->grid, *b = l->block;

	for (int i = 0; i < 3; i++) {
		if (!g[i] || !b[i] || g[i] > grid_max[i] || b[i] > block_max[i]) {
			refuse(m, "a grid of %u,%u,%u blocks of %u,%u,%u threads cannot be: at most %u,%u,%u and %u,%u,%u, at least 1",
				g[0], g[1], g[2], b[0], b[1], b[2], grid_max[0], grid_max[1], grid_max[2], block_max[0], block_max[1],
				block_max[2]);
			return false;
		}
	}
	uint64_t threads = volume(b);
	if (threads > BLOCK_THREADS_MAX)
		refuse(m, "a block has at most %u threads, not %" PRIu64, BLOCK_THREADS_MAX, threads);
	else if (k->max_threads && threads > k->max_threads)
		refuse(m, "this kernel was compiled for at most %u threads a block, not %" PRIu64, k->max_threads, threads);
	else if (k->required[0] && memcmp(k->required, b, sizeof k->required) != 0)
		refuse(m, "this kernel was compiled for blocks of %u,%u,%u threads", k->required[0], k->required[1], k->required[2]);
	return !m->stop;
}

static bool check_memory(struct machine *m)
{
	const struct simt_launch *l = m->launch;
	uint32_t limit = l->limits.shared ? l->limits.shared : SIMT_SHARED_DEFAULT;

	m->shared_bytes = l->kernel->shared_bytes + l->dynamic_shared;
	m->local_bytes = l->kernel->local_bytes;
	if (m->shared_bytes > limit)
		refuse(m, "a block needs %" PRIu64 " bytes of shared memory; there are %u", m->shared_bytes, limit);
	else if (m->local_bytes > LOCAL_MAX)
		refuse(m, "a thread needs %" PRIu64 " bytes of local memory; there are %" PRIu64, m->local_bytes, LOCAL_MAX);
	else if (l->kernel->param_bytes && !l->params)
		refuse(m, "the kernel has parameters, and none are given");
	return !m->stop;
}

static bool check_threads(struct machine *m)
{
	const struct simt_launch *l = m->launch;
	uint64_t limit = l->limits.threads ? l->limits.threads : SIMT_THREADS_DEFAULT;
	uint64_t blocks = volume(l->grid), threads;

	if (!__builtin_mul_overflow(blocks, volume(l->block), &threads) && threads <= limit)
		return true;
	m->result->outcome = SIMT_LIMIT;
	snprintf(m->result->message, sizeof m->result->message, "the launch has more than %" PRIu64 " threads", limit);
	return false;
}

/* --- special registers -------------------------------------------------------------------------------------------- */

static void fill32(struct warp *w, enum ptx_special special, uint32_t value)
{
	u32 *lanes = (u32 *)(w->bank[BANK_SPECIALS] + w->m->program.special_offset[special]);
	for (int i = 0; i < WARP; i++)
		lanes[i] = value;
}

static void fill64(struct warp *w, enum ptx_special special, uint64_t value)
{
	u64 *lanes = (u64 *)(w->bank[BANK_SPECIALS] + w->m->program.special_offset[special]);
	for (int i = 0; i < WARP; i++)
		lanes[i] = value;
}

static void fill_clocks(struct warp *w)
{
	uint64_t now = w->m->steps;
	fill32(w, PTX_SPECIAL_CLOCK, (uint32_t)now);
	fill32(w, PTX_SPECIAL_CLOCK_HI, (uint32_t)(now >> 32));
	fill64(w, PTX_SPECIAL_CLOCK64, now);
	fill64(w, PTX_SPECIAL_GLOBALTIMER, now);
	fill32(w, PTX_SPECIAL_GLOBALTIMER_LO, (uint32_t)now);
	fill32(w, PTX_SPECIAL_GLOBALTIMER_HI, (uint32_t)(now >> 32));
}

/* What does not change from block to block. */
static void fill_launch(struct warp *w)
{
	const struct simt_launch *l = w->m->launch;
	for (int i = 0; i < 3; i++) {
		fill32(w, PTX_SPECIAL_NTID_X + i, l->block[i]);
		fill32(w, PTX_SPECIAL_NCTAID_X + i, l->grid[i]);
	}
	fill32(w, PTX_SPECIAL_WARPID, w->index);
	fill32(w, PTX_SPECIAL_NWARPID, w->m->n_warps);
	fill32(w, PTX_SPECIAL_NSMID, 1);
	fill64(w, PTX_SPECIAL_GRIDID, 1);
	fill32(w, PTX_SPECIAL_DYNAMIC_SMEM, l->dynamic_shared);
	fill32(w, PTX_SPECIAL_TOTAL_SMEM, (uint32_t)w->m->shared_bytes);
}

static void fill_lanes(struct warp *w)
{
	uint8_t *bank = w->bank[BANK_SPECIALS];
	const uint32_t *at = w->m->program.special_offset, *block = w->m->launch->block;
	for (uint32_t i = 0; i < WARP; i++) {
		uint32_t thread = w->index * WARP + i, below = lane_bit[i] - 1;
		((u32 *)(bank + at[PTX_SPECIAL_TID_X]))[i] = thread % block[0];
		((u32 *)(bank + at[PTX_SPECIAL_TID_Y]))[i] = thread / block[0] % block[1];
		((u32 *)(bank + at[PTX_SPECIAL_TID_Z]))[i] = thread / block[0] / block[1];
		((u32 *)(bank + at[PTX_SPECIAL_LANEID]))[i] = i;
		((u32 *)(bank + at[PTX_SPECIAL_LANEMASK_EQ]))[i] = lane_bit[i];
		((u32 *)(bank + at[PTX_SPECIAL_LANEMASK_LT]))[i] = below;
		((u32 *)(bank + at[PTX_SPECIAL_LANEMASK_LE]))[i] = below | lane_bit[i];
		((u32 *)(bank + at[PTX_SPECIAL_LANEMASK_GT]))[i] = ~(below | lane_bit[i]);
		((u32 *)(bank + at[PTX_SPECIAL_LANEMASK_GE]))[i] = ~below;
	}
}

/* --- warps and blocks --------------------------------------------------------------------------------------------- */

static uint8_t *aligned(struct arena *arena, size_t bytes)
{
	uintptr_t at = (uintptr_t)arena_alloc(arena, bytes + 64);
	return (uint8_t *)((at + 63) / 64 * 64);
}

static void make_warps(struct machine *m)
{
	m->warps = arena_array(m->arena, struct warp, m->n_warps);
	for (uint32_t i = 0; i < m->n_warps; i++) {
		struct warp *w = &m->warps[i];
		w->m = m;
		w->index = i;
		w->bank[BANK_REGS] = aligned(m->arena, m->program.regs_bytes);
		w->bank[BANK_CONSTS] = m->program.consts;
		w->bank[BANK_SPECIALS] = aligned(m->arena, m->program.specials_bytes);
		w->local = aligned(m->arena, (size_t)m->local_bytes * WARP);
		fill_launch(w);
		fill_lanes(w);
	}
	m->params = aligned(m->arena, m->launch->kernel->param_bytes);
	if (m->launch->kernel->param_bytes)
		memcpy(m->params, m->launch->params, m->launch->kernel->param_bytes);
	m->shared = aligned(m->arena, (size_t)m->shared_bytes);
}

static void start_block(struct machine *m, uint32_t block)
{
	const uint32_t *grid = m->launch->grid;
	m->block = block;
	memset(m->shared, 0, (size_t)m->shared_bytes);
	memset(m->barriers, 0, sizeof m->barriers);
	for (uint32_t i = 0; i < m->n_warps; i++) {
		struct warp *w = &m->warps[i];
		uint32_t threads = m->threads - i * WARP;
		memset(w->bank[BANK_REGS], 0, m->program.regs_bytes);
		memset(w->local, 0, (size_t)m->local_bytes * WARP);
		fill32(w, PTX_SPECIAL_CTAID_X, block % grid[0]);
		fill32(w, PTX_SPECIAL_CTAID_Y, block / grid[0] % grid[1]);
		fill32(w, PTX_SPECIAL_CTAID_Z, block / grid[0] / grid[1]);
		w->live = w->active = threads >= WARP ? FULL_MASK : (1u << threads) - 1;
		w->pc = 0;
		w->rpc = NOWHERE;
		w->depth = 0;
		w->carry = 0;
		w->state = WARP_RUNS;
	}
}

static void report_limit(struct warp *w)
{
	struct machine *m = w->m;
	m->stop = true;
	m->result->outcome = SIMT_LIMIT;
	m->result->instr = (int)w->pc < m->program.kernel->n_instrs ? (int)w->pc : -1;
	if (m->result->instr >= 0)
		m->result->place = ptx_instr_place(m->program.kernel, m->result->instr);
	m->result->block = m->block;
	m->result->warp = w->index;
	m->result->lanes = w->active;
	snprintf(m->result->message, sizeof m->result->message,
		"the launch was stopped after %" PRIu64 " warp instructions; it may never end", m->max_steps);
}

/* Lets a warp go on until it waits, ends, fails, or has had its turn. */
static void run_warp(struct warp *w)
{
	struct machine *m = w->m;
	const struct simt_listener *listener = m->listener;
	const struct code *code = m->program.code;

	for (int turn = 0; turn < RUN_STEPS && w->state == WARP_RUNS; turn++) {
		if (w->pc >= m->program.n) { /* fell off the end */
			warp_exit(w, w->active);
			continue;
		}
		if (m->steps == m->max_steps) {
			report_limit(w);
			return;
		}
		const struct code *c = &code[w->pc];
		uint32_t mask = w->active;
		if (c->guard >= 0)
			mask &= *(const u32 *)(w->bank[BANK_REGS] + c->guard) ^ c->guard_xor;
		m->steps++;
		if (listener->step)
			listener->step(listener->ctx, (int)c->index, m->block, w->index, w->active, mask);
		w->pc++;
		if (c->flags & CODE_CLOCK)
			fill_clocks(w);
		if (mask || c->flags & CODE_ALWAYS)
			c->run(w, c, mask);
		else if (c->flags & CODE_SHARED)
			mem_tell_empty(w, c);
		if (m->stop)
			return;
		if (w->pc == w->rpc)
			warp_pop(w);
		if (c->flags & CODE_YIELDS)
			return;
	}
}

/* Nobody can go on and somebody waits: the others ended their wait elsewhere, or will never come. */
static void report_deadlock(struct machine *m)
{
	for (uint32_t i = 0; i < m->n_warps; i++) {
		struct warp *w = &m->warps[i];
		if (w->state != WARP_WAITS)
			continue;
		const struct barrier *b = &m->barriers[w->barrier];
		defect(w, w->waits_at, SIMT_BARRIER_MISSING, w->active, 0,
			"barrier %u waits for ever: %u warp%s arrived, and no other can", w->barrier, b->arrived, plural(b->arrived));
		return;
	}
}

static void run_block(struct machine *m, uint32_t block)
{
	start_block(m, block);
	for (;;) {
		bool progress = false, left = false;
		for (uint32_t i = 0; i < m->n_warps; i++) {
			struct warp *w = &m->warps[i];
			if (w->state == WARP_RUNS) {
				progress = true;
				run_warp(w);
			}
			if (m->stop)
				return;
			left |= w->state != WARP_DONE;
		}
		if (!left)
			return;
		if (!progress) {
			report_deadlock(m);
			return;
		}
	}
}

static void run_grid(struct machine *m)
{
	uint64_t blocks = volume(m->launch->grid), cleared = 0;
	uint64_t each = m->shared_bytes + m->n_warps * (m->program.regs_bytes + m->local_bytes * WARP);
	uint64_t most = m->max_steps < CLEARED_MAX / CLEARED_A_STEP ? m->max_steps * CLEARED_A_STEP : CLEARED_MAX;

	for (uint64_t block = 0; block < blocks && !m->stop; block++) {
		cleared += each;
		if (block && cleared > most) {
			m->result->outcome = SIMT_LIMIT;
			snprintf(m->result->message, sizeof m->result->message, "the launch was stopped in block %" PRIu64 " of %" PRIu64
				": to clear the memory of so many blocks takes too long", block, blocks);
			return;
		}
		run_block(m, (uint32_t)block);
	}
}

static void machine_free(struct machine *m)
{
	for (uint32_t i = 0; m->warps && i < m->n_warps; i++)
		free(m->warps[i].stack);
	free(m->program.consts);
	free(m->globals.bytes);
	free(m->constants.bytes);
	arena_free(m->arena);
}

void simt_run(const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result)
{
	static const struct simt_listener nobody;
	struct machine *m = base_calloc(1, sizeof *m);

	*result = (struct simt_result){.outcome = SIMT_OK, .instr = -1};
	m->launch = launch;
	m->memory = memory;
	m->result = result;
	m->listener = launch->listener ? launch->listener : &nobody;
	m->max_steps = launch->limits.steps ? launch->limits.steps : SIMT_STEPS_DEFAULT;
	m->program.kernel = launch->kernel;
	m->arena = arena_new();
	if (check_shape(m) && check_memory(m) && check_threads(m)) {
		m->threads = (uint32_t)volume(launch->block);
		m->n_warps = (m->threads + WARP - 1) / WARP;
		if (globals_init(m) && program_decode(m, m->arena)) {
			make_warps(m);
			run_grid(m);
		}
	}
	result->steps = m->steps;
	machine_free(m);
	free(m);
}
