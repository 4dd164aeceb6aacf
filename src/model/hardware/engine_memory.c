/* The memory pipe and what follows it: L1, L2 near or far, DRAM, translations, atomics, the way between the SMs of a
 * cluster. Each is a queue that is free from some time on (engine_serve); a request's time is the sum of what it waits
 * and takes on its way. */
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

/* When the address is known. Where a launch has more memory than translations of addresses reach, those that are
 * missing come one after the other. */
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
static double request_l2(struct engine *e, double from, uint64_t line, int sectors)
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

	/* where it is: of what is asked for again, as often as the shares say; of the rest, by its address */
	bool far, again = cache_set_has(e->asked, line),
		  dram = comes_due(&e->from_dram, again ? e->in->dram_again : e->in->dram);
	if (again) {
		far = comes_due(&e->far, e->in->dram_again / 2);
	} else {
		uint64_t mixed = (line / PAGE_LINES + 1) * 0x9E3779B97F4A7C15ull;
		mixed = (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9ull;
		far = (double)(mixed >> 32) < e->in->far * 4294967296.0;
		cache_set_add(e->asked, CACHE_LOAD, &(struct cache_line){line, 1}, 0, 0);
	}

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

/* A store: when L2 has taken it. */
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

/* What waits for long at the queues beyond L2 holds up what comes after it at L2, too. */
static void hold_up(struct engine *e)
{
	double queued = (e->fabric > e->dram ? e->fabric : e->dram);
	queued = (queued > e->translated ? queued : e->translated) - timing[TIMING_L2_QUEUE];
	if (queued > e->l2)
		e->l2 = queued;
}

double engine_access(struct engine *e, struct engine_warp *w, const struct schedule_step *step)
{
	const struct cache_line *lines = w->trace->lines + step->first_line;
	enum cache_op op = (enum cache_op)step->cache;
	double cycles = step->wavefronts * timing[TIMING_LSU_LINE], done = 0;
	if (cycles < timing[TIMING_LSU_REQUEST])
		cycles = timing[TIMING_LSU_REQUEST];
	double begin = engine_serve(&e->lsu, (double)e->now, cycles, &e->out->busy[ENGINE_LSU]);
	if (op == CACHE_ATOMIC) {
		/* An atomic in L2. Those that one slice of it has wait for each other, and what the SM asks for after
		 * them waits for them. */
		double rate = timing[step->returns ? TIMING_L2_ATOMICS : TIMING_L2_REDUCTIONS],
		       one = timing[TIMING_L2_SAME] * e->in->hot;
		double none = 0, last = 0, each = e->in->active_sms * (one > 1 / rate ? one : 1 / rate);
		int rounds = step->rounds;
		begin = engine_serve(&e->sm_write, begin, rounds, &none);
		w->settled = engine_whole(begin + rounds) > w->settled ? engine_whole(begin + rounds) : w->settled;
		begin = engine_serve(&e->atomics, begin, rounds * each, &e->out->busy[ENGINE_ATOMICS]);
		e->out->changed = e->atomics;
		e->accepted = begin;
		/* so many may be under way; what comes after them has to wait at the pipe */
		double free = e->atomics - timing[TIMING_ATOMICS_HELD] * each;
		e->lsu = free > e->lsu ? free : e->lsu;

		for (int i = 0; i < step->n_lines; i++) {
			int sectors = __builtin_popcount(lines[i].sectors);
			cache_l1_access(e->l1, CACHE_ATOMIC, &lines[i]);
			e->out->l1_sectors += sectors;
			if (!step->returns)
				continue;
			double came = request_l2(e, begin, lines[i].line, sectors);
			last = came > last ? came : last;
		}
		return last;
	}

	for (int i = 0; i < step->n_lines; i++) {
		double at = begin + i * cycles / step->n_lines, ready;
		struct cache_hit hit = cache_l1_access(e->l1, op, &lines[i]);
		int all = __builtin_popcount(lines[i].sectors), hits = __builtin_popcount(hit.sectors);
		e->out->l1_sectors += all;
		if (op == CACHE_STORE) {
			e->out->l1_hits += hits;
			ready = write_l2(e, at, all, step->partial);
			hold_up(e);
		} else {
			e->out->l1_hits += op == CACHE_LOAD ? hits : 0;
			ready = at + timing[TIMING_L1_HIT];
			if (hits && hit.arrives > ready)
				ready = hit.arrives;
			if (hits < all) {
				double came = request_l2(e, at, lines[i].line, all - hits);
				hold_up(e);
				if (op == CACHE_LOAD)
					cache_l1_arrive(e->l1, lines[i].line, came);
				ready = came > ready ? came : ready;
			}
		}
		done = ready > done ? ready : done;
	}
	return done;
}

double engine_cluster_access(struct engine *e, const struct schedule_step *step)
{
	bool changes = step->cache == CACHE_ATOMIC;
	double own = step->passes ? step->passes : 1;
	double at = engine_serve(&e->lsu, (double)e->now, own, &e->out->busy[ENGINE_LSU]);
	if (!step->there)
		return at + own - 1 + timing[changes ? TIMING_CLUSTER_OWN_ATOMIC : TIMING_CLUSTER_OWN_LOAD];

	/* what a sector takes where all blocks send and receive */
	enum timing_id sector = TIMING_CLUSTER_READ;
	if (step->cache == CACHE_STORE)
		sector = TIMING_CLUSTER_WRITE;
	else if (step->spread)
		sector = TIMING_CLUSTER_SPREAD;
	else if (changes)
		sector = TIMING_CLUSTER_CHANGE;
	at = engine_serve(&e->cluster, at, step->there * timing[sector], &e->out->busy[ENGINE_CLUSTER]);
	/* what is on its way holds up what comes after it at the memory pipe */
	e->lsu = e->cluster > e->lsu ? e->cluster : e->lsu;
	return at + timing[changes ? TIMING_CLUSTER_ATOMIC : TIMING_CLUSTER_LOAD];
}

double engine_copy(struct engine *e, const struct engine_warp *w, const struct schedule_step *step)
{
	const struct cache_line *lines = w->trace->lines + step->first_line;
	double done = (double)e->now, none = 0;
	for (int i = 0; i < step->n_lines; i++) {
		int sectors = __builtin_popcount(lines[i].sectors);
		double at = engine_serve(
			&e->copies, (double)e->now, MODEL_SECTOR_BYTES * sectors / timing[TIMING_COPY_BYTES], &none);
		double came = request_l2(e, at, lines[i].line, sectors);
		hold_up(e);
		done = came > done ? came : done;
	}
	return done + timing[TIMING_COPY_MORE];
}

void engine_count_requests(const struct engine_input *in, struct engine_requests *out)
{
	struct cache_l1 *l1 = cache_l1_new(in->shared);
	uint32_t *at = base_calloc((size_t)in->n_warps + 1, sizeof *at);
	uint32_t wave = in->resident * in->warps_per_block;
	struct cache_set *asked = cache_set_new();
	*out = (struct engine_requests){0};
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
