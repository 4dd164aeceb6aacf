#include <stdlib.h>
#include <string.h>

#include "model/hardware/access.h"
#include "model/hardware/engine_state.h"

#define PAGE_LINES 32        /* next to each other in one half of L2: assumed */
#define TLB_PAGE_LINES 16384 /* 2 MiB, that one translation is for */

double engine_serve(double *free, double from, double cycles, double *busy)
{
	double start = *free > from ? *free : from;
	*free = start + cycles;
	*busy += cycles;
	return start;
}

static bool comes_due(double *sum, double share)
{
	*sum += share;
	if (*sum < 1)
		return false;
	*sum -= 1;
	return true;
}

/* Which of the lines that are asked for the first time are in the far half. */
static bool is_far(const struct engine *e, uint64_t line)
{
	uint64_t mixed = (line / PAGE_LINES + 1) * 0x9E3779B97F4A7C15ull;
	mixed = (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9ull;
	return (double)(mixed >> 32) < e->in->far * 4294967296.0;
}

/* Where a launch has more memory than translations of addresses reach, those that are missing come one after the other: when the address
 * is known. */
static double translate(struct engine *e, double from, uint64_t line)
{
	uint64_t page = line / TLB_PAGE_LINES + 1;
	int n = (int)(timing[TIMING_TLB_REACH] * 1048576 / MODEL_LINE_BYTES / TLB_PAGE_LINES), at = 0;
	if (!e->in->many_pages)
		return from;
	n = n < TLB_PAGES_MAX ? n : TLB_PAGES_MAX;
	while (at < n - 1 && e->tlb[at] != page)
		at++;
	bool found = e->tlb[at] == page;
	memmove(&e->tlb[1], &e->tlb[0], (size_t)at * sizeof *e->tlb);
	e->tlb[0] = page;
	if (found)
		return from;
	return engine_serve(
		       &e->translated, from, e->in->active_sms * timing[TIMING_TLB_MISS], &e->out->busy[ENGINE_TLB]) +
		timing[TIMING_TLB_LATENCY];
}

/* One line's sectors from L2 or beyond: when they are there. */
static double ask_l2(struct engine *e, double from, uint64_t line, int sectors)
{
	double bytes = MODEL_SECTOR_BYTES * sectors, sms = e->in->active_sms, at, least, *busy = e->out->busy;
	double none = 0;
	e->out->l2_loads += sectors;
	if (e->accepted > from) {
		from = e->accepted;
		e->held_up = true;
	}
	at = engine_serve(&e->sm_read, from, bytes / timing[TIMING_SM_READ], &none);
	at = translate(e, at, line);
	least = 1 / timing[TIMING_L2_REQUESTS];
	double service = bytes / timing[TIMING_L2_READ];
	at = engine_serve(&e->l2, at, sms * (service > least ? service : least), &busy[ENGINE_L2]);
	bool again = cache_set_has(e->asked, line),
	     dram = comes_due(&e->from_dram, again ? e->in->dram_again : e->in->dram);
	bool far = again ? comes_due(&e->far, e->in->dram_again / 2) : is_far(e, line);
	if (!again)
		cache_set_add(e->asked, CACHE_LOAD, &(struct cache_line){line, 1}, 0, 0);
	if (far)
		at = engine_serve(&e->fabric, at, sms * bytes / timing[TIMING_FABRIC], &busy[ENGINE_FABRIC]);
	if (dram) {
		service = bytes * e->in->fill / timing[TIMING_DRAM_BYTES];
		least = 1 / timing[TIMING_DRAM_ACCESSES];
		at = engine_serve(&e->dram, at, sms * (service > least ? service : least), &busy[ENGINE_DRAM]);
		return at + timing[TIMING_DRAM];
	}
	double spread = (double)(line * 0x9E3779B97F4A7C15ull >> 40) / (1 << 24) - 0.5;
	double latency = timing[far ? TIMING_L2_FAR : TIMING_L2_NEAR];
	if (!again && e->in->few_pages)
		latency = timing[TIMING_L2_FIRST];
	return at + latency + spread * timing[TIMING_L2_SPREAD];
}

static double write_l2(struct engine *e, double from, int sectors, bool partial)
{
	double bytes = MODEL_SECTOR_BYTES * sectors, sms = e->in->active_sms, *busy = e->out->busy, none = 0;
	double service = bytes / timing[TIMING_L2_READ], least = partial ? 1 / timing[TIMING_L2_STORES] : 0;
	e->out->l2_stores += sectors;
	double at = engine_serve(
		&e->sm_write, from, bytes / timing[TIMING_SM_WRITE] + (partial ? timing[TIMING_SM_PARTIAL] : 0), &none);
	at = engine_serve(&e->l2, at, sms * (service > least ? service : least), &busy[ENGINE_L2]);
	at = engine_serve(&e->fabric, at, sms * bytes / 2 / timing[TIMING_FABRIC], &busy[ENGINE_FABRIC]);
	engine_serve(&e->dram, at, sms * bytes * e->in->written / timing[TIMING_DRAM_BYTES], &busy[ENGINE_DRAM]);
	return at;
}

/* What an atomic does in L2: when it is taken there. Those that one slice of it has wait for each other, and what the SM asks for after
 * them waits for them. */
static double change_l2(struct engine *e, struct engine_warp *w, double from, int rounds, bool returns)
{
	double rate = timing[returns ? TIMING_L2_ATOMICS : TIMING_L2_REDUCTIONS],
	       one = timing[TIMING_L2_SAME] * e->in->hot;
	double none = 0, each = e->in->active_sms * (one > 1 / rate ? one : 1 / rate);
	double at = engine_serve(&e->sm_write, from, rounds, &none);
	w->settled = engine_whole(at + rounds) > w->settled ? engine_whole(at + rounds) : w->settled;
	at = engine_serve(&e->atomics, at, rounds * each, &e->out->busy[ENGINE_ATOMICS]);
	e->out->changed = e->atomics;
	e->accepted = at;
	/* so many may be under way; what comes after them has to wait at the pipe */
	double free = e->atomics - timing[TIMING_ATOMICS_HELD] * each;
	e->lsu = free > e->lsu ? free : e->lsu;
	return at;
}

/* What has to wait for long holds up what comes after it, too. */
static void hold_up(struct engine *e)
{
	double queued = (e->fabric > e->dram ? e->fabric : e->dram);
	queued = (queued > e->translated ? queued : e->translated) - timing[TIMING_L2_QUEUE];
	if (queued > e->l2)
		e->l2 = queued;
}

static double access_line(struct engine *e, enum cache_op op, const struct cache_line *line, double at, bool partial)
{
	struct cache_hit hit = cache_l1_access(e->l1, op, line);
	int all = __builtin_popcount(line->sectors), hits = __builtin_popcount(hit.sectors);
	bool looked_up = op == CACHE_LOAD || op == CACHE_STORE;
	e->out->l1_sectors += all;
	e->out->l1_hits += looked_up ? hits : 0;
	if (op == CACHE_STORE) {
		at = write_l2(e, at, all, partial);
		hold_up(e);
		return at;
	}
	double ready = at + timing[TIMING_L1_HIT];
	if (hits && hit.arrives > ready)
		ready = hit.arrives;
	if (hits == all)
		return ready;
	double came = ask_l2(e, at, line->line, all - hits);
	hold_up(e);
	if (op == CACHE_LOAD)
		cache_l1_arrive(e->l1, line->line, came);
	return came > ready ? came : ready;
}

static double access_atomic(struct engine *e, struct engine_warp *w, const struct schedule_step *step, double at)
{
	const struct cache_line *lines = w->trace->lines + step->first_line;
	double done = 0;
	at = change_l2(e, w, at, step->rounds, step->returns);
	for (int i = 0; i < step->n_lines; i++) {
		cache_l1_access(e->l1, CACHE_ATOMIC, &lines[i]);
		e->out->l1_sectors += __builtin_popcount(lines[i].sectors);
		if (!step->returns)
			continue;
		double came = ask_l2(e, at, lines[i].line, __builtin_popcount(lines[i].sectors));
		done = came > done ? came : done;
	}
	return done;
}

double engine_access(struct engine *e, struct engine_warp *w, const struct schedule_step *step)
{
	const struct cache_line *lines = w->trace->lines + step->first_line;
	double cycles = step->wavefronts * timing[TIMING_LSU_LINE], done = 0;
	if (cycles < timing[TIMING_LSU_REQUEST])
		cycles = timing[TIMING_LSU_REQUEST];
	double at = engine_serve(&e->lsu, (double)e->now, cycles, &e->out->busy[ENGINE_LSU]);
	if (step->cache == CACHE_ATOMIC)
		return access_atomic(e, w, step, at);
	for (int i = 0; i < step->n_lines; i++) {
		double ready = access_line(
			e, (enum cache_op)step->cache, &lines[i], at + i * cycles / step->n_lines, step->partial);
		done = ready > done ? ready : done;
	}
	return done;
}

double engine_copy(struct engine *e, const struct engine_warp *w, const struct schedule_step *step)
{
	const struct cache_line *lines = w->trace->lines + step->first_line;
	double done = (double)e->now, none = 0;
	for (int i = 0; i < step->n_lines; i++) {
		int sectors = __builtin_popcount(lines[i].sectors);
		double at = engine_serve(
			&e->copies, (double)e->now, MODEL_SECTOR_BYTES * sectors / timing[TIMING_COPY_BYTES], &none);
		double came = ask_l2(e, at, lines[i].line, sectors);
		hold_up(e);
		done = came > done ? came : done;
	}
	return done + timing[TIMING_COPY_MORE];
}

void engine_ask(const struct engine_input *in, struct engine_asked *out)
{
	struct cache_l1 *l1 = cache_l1_new(in->shared);
	uint32_t *at = base_calloc((size_t)in->n_warps + 1, sizeof *at);
	uint32_t wave = in->resident * in->warps_per_block;
	struct cache_set *asked = cache_set_new();
	*out = (struct engine_asked){0};
	for (uint32_t from = 0; from < (uint32_t)in->n_warps; from += wave) {
		uint32_t to = from + wave < (uint32_t)in->n_warps ? from + wave : (uint32_t)in->n_warps;
		for (bool any = true; any;) {
			any = false;
			for (uint32_t i = from; i < to; i++) {
				const struct schedule_warp *w = &in->warps[i];
				while (at[i] < w->n && !w->steps[at[i]].n_lines)
					at[i]++;
				if (at[i] == w->n)
					continue;
				const struct schedule_step *step = &w->steps[at[i]++];
				any = true;
				for (int k = 0; k < step->n_lines; k++) {
					const struct cache_line *line = &w->lines[step->first_line + (uint32_t)k];
					struct cache_hit hit = cache_l1_access(l1, (enum cache_op)step->cache, line);
					if (step->cache == CACHE_STORE)
						continue;
					uint8_t lacks = line->sectors & (uint8_t)~hit.sectors;
					out->touched += __builtin_popcount(line->sectors);
					out->asked += __builtin_popcount(lacks);
					if (lacks && !cache_set_has(asked, line->line)) {
						out->first += __builtin_popcount(lacks);
						cache_set_add(asked, CACHE_LOAD, line, 0, 0);
					}
				}
			}
		}
	}
	free(at);
	cache_set_free(asked);
	cache_l1_free(l1);
}
