#include "model/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/access.h"
#include "model/timing.h"

#define NEVER UINT64_MAX
#define QUEUE                                                                                                          \
	16.0 /* cycles of work that may wait at the memory pipe: assumed; it does not change what is served in all */
#define PAGE_LINES 32 /* next to each other in one half of L2: assumed */
#define TLB_PAGES_MAX 256
#define TLB_PAGE_LINES 16384 /* 2 MiB, that one translation is for */
#define ROUNDING 1e-4        /* of sums of engine_input.slots, which are floats */
#define BOUND_FROM 0.6       /* of the cycles: what is busy for less does not bound */

enum engine_state { ENGINE_AHEAD, ENGINE_GOES, ENGINE_AT_BARRIER, ENGINE_ENDED };

struct engine_register {
	uint64_t ready;
	uint64_t fixed; /* when it was issued, by the warp's own count */
	uint8_t stall;  /* of a warp that waits for it */
};

struct engine_warp {
	const struct schedule_warp *trace;
	struct engine_register *registers;
	uint32_t *order; /* of the steps */
	uint32_t n;      /* of them, without those that the compiler saved */
	uint32_t next;
	uint8_t slots; /* that the next step issues: machine instructions */
	double owed;   /* parts of them, where each step has not as many as a whole number: engine_input.instructions */
	uint32_t block; /* index into the blocks */
	enum engine_state state;
	uint8_t stall;  /* why not before `ready` */
	uint64_t ready; /* of the next step */
	uint64_t idle;  /* since when it has not been issued */
	uint64_t begin;
	uint64_t settled; /* its stores have left */
	uint64_t reached; /* its last load has come */
	uint64_t waited;  /* for what has no fixed latency; the other cycles are its own count */
};

struct engine_block {
	uint32_t left, waiting; /* warps that have not ended; of them at a barrier */
	uint32_t slot;
	double begin;
	uint64_t end;
};

struct engine {
	const struct engine_input *in;
	struct engine_result *out;
	struct engine_warp *warps;
	struct engine_block *blocks;
	struct engine_warp *slots[SCHEDULE_WARPS_MAX];
	struct cache_l1 *l1;
	struct cache_set *asked; /* lines that L2 was asked for */
	uint32_t n_blocks, next_block, left;
	uint64_t now;
	uint64_t pipe[TIMELINE_SCHEDULERS][PIPES], free[TIMELINE_SCHEDULERS];
	int last[TIMELINE_SCHEDULERS], n_slots, used;
	double lsu, sm_read, sm_write, l2, fabric, dram, dispatch; /* when each is free */
	double atomics, accepted;                                  /* L2's atomics; when it took the last one */
	uint64_t tlb[TLB_PAGES_MAX]; /* pages, plus 1, whose translations the SM has: those used last, first */
	double translated;           /* when that of the last one that it lacked has come */
	bool held_up;                /* a load waited for atomics before it */
	double from_dram, far;       /* shares that have added up */
	double each; /* machine instructions for each that the rules have, but for those to memory, which they have all of */
};

/* --- order -------------------------------------------------------------------------------------------------------- */
/* Of the steps from `from` on those that the compiler made one piece of code of: a run through a basic block, and of a loop that it unrolled
 * several. */
static uint32_t end_of_piece(const struct engine_input *in, const struct schedule_warp *t, uint32_t from)
{
	const struct schedule_op *first = &in->ops[t->steps[from].op];
	uint32_t to = from + 1, times = 1;
	for (; to < t->n; to++) {
		uint32_t op = t->steps[to].op;
		if (op == t->steps[to - 1].op + 1 && in->ops[op].basic_block == first->basic_block)
			continue;
		if (!first->unrolled || op != t->steps[from].op || ++times > first->unrolled)
			break;
	}
	return to;
}

/* What the place of a step depends on; in a loop that was unrolled, whose times are counted by `time`. */
struct place {
	uint32_t group, time, rank;
};

static bool comes_before(struct place a, struct place b)
{
	if (a.group != b.group)
		return a.group < b.group;
	return a.time != b.time ? a.time < b.time : a.rank < b.rank;
}

/* Puts the steps of a piece into the compiler's order, at the end of the warp's. */
static void order_piece(
	const struct engine_input *in, struct engine_warp *w, struct place *places, uint32_t from, uint32_t to)
{
	const struct schedule_step *steps = w->trace->steps;
	uint32_t begin = w->n, times = 0, time = 0;
	for (uint32_t i = from; i < to; i++)
		times += steps[i].op == steps[from].op;
	for (uint32_t i = from; i < to; i++) {
		const struct schedule_op *op = &in->ops[steps[i].op];
		time += i > from && steps[i].op == steps[from].op;
		if (op->once && time + 1 < times && !in->slots)
			continue;
		struct place place = {op->mixes ? op->once ? UINT32_MAX : op->depth : 0, time, op->rank};
		uint32_t at = w->n++;
		for (; at > begin && comes_before(place, places[at - 1]); at--) {
			w->order[at] = w->order[at - 1];
			places[at] = places[at - 1];
		}
		w->order[at] = i;
		places[at] = place;
	}
}

static void order_steps(const struct engine_input *in, struct engine_warp *w)
{
	struct place *places = base_calloc((size_t)w->trace->n + 1, sizeof *places);
	w->order = base_calloc((size_t)w->trace->n + 1, sizeof *w->order);
	w->n = 0;
	for (uint32_t from = 0, to; from < w->trace->n; from = to) {
		to = end_of_piece(in, w->trace, from);
		order_piece(in, w, places, from, to);
	}
	free(places);
}

static const struct schedule_step *step_at(const struct engine_warp *w)
{
	return &w->trace->steps[w->order[w->next]];
}

static uint64_t whole(double cycles)
{
	return (uint64_t)ceil(cycles);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */
static double serve(double *free, double from, double cycles, double *busy)
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
	return serve(&e->translated, from, e->in->active_sms * timing[TIMING_TLB_MISS], &e->out->busy[ENGINE_TLB]) +
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
	at = serve(&e->sm_read, from, bytes / timing[TIMING_SM_READ], &none);
	at = translate(e, at, line);
	least = 1 / timing[TIMING_L2_REQUESTS];
	double service = bytes / timing[TIMING_L2_READ];
	at = serve(&e->l2, at, sms * (service > least ? service : least), &busy[ENGINE_L2]);
	bool again = cache_set_has(e->asked, line),
	     dram = comes_due(&e->from_dram, again ? e->in->dram_again : e->in->dram);
	bool far = again ? comes_due(&e->far, e->in->dram_again / 2) : is_far(e, line);
	if (!again)
		cache_set_add(e->asked, CACHE_LOAD, &(struct cache_line){line, 1}, 0, 0);
	if (far)
		at = serve(&e->fabric, at, sms * bytes / timing[TIMING_FABRIC], &busy[ENGINE_FABRIC]);
	if (dram) {
		service = bytes * e->in->fill / timing[TIMING_DRAM_BYTES];
		least = 1 / timing[TIMING_DRAM_ACCESSES];
		at = serve(&e->dram, at, sms * (service > least ? service : least), &busy[ENGINE_DRAM]);
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
	double at = serve(
		&e->sm_write, from, bytes / timing[TIMING_SM_WRITE] + (partial ? timing[TIMING_SM_PARTIAL] : 0), &none);
	at = serve(&e->l2, at, sms * (service > least ? service : least), &busy[ENGINE_L2]);
	at = serve(&e->fabric, at, sms * bytes / 2 / timing[TIMING_FABRIC], &busy[ENGINE_FABRIC]);
	serve(&e->dram, at, sms * bytes * e->in->written / timing[TIMING_DRAM_BYTES], &busy[ENGINE_DRAM]);
	return at;
}

/* What an atomic does in L2: when it is taken there. Those that one slice of it has wait for each other, and what the SM asks for after
 * them waits for them. */
static double change_l2(struct engine *e, struct engine_warp *w, double from, int rounds, bool returns)
{
	double rate = timing[returns ? TIMING_L2_ATOMICS : TIMING_L2_REDUCTIONS],
	       one = timing[TIMING_L2_SAME] * e->in->hot;
	double none = 0, each = e->in->active_sms * (one > 1 / rate ? one : 1 / rate);
	double at = serve(&e->sm_write, from, rounds, &none);
	w->settled = whole(at + rounds) > w->settled ? whole(at + rounds) : w->settled;
	at = serve(&e->atomics, at, rounds * each, &e->out->busy[ENGINE_ATOMICS]);
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
	double behind = (e->fabric > e->dram ? e->fabric : e->dram);
	behind = (behind > e->translated ? behind : e->translated) - timing[TIMING_L2_QUEUE];
	if (behind > e->l2)
		e->l2 = behind;
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

/* A request to global or local memory: when its data are there, or have left. */
static double access_global(struct engine *e, struct engine_warp *w, const struct schedule_step *step)
{
	const struct cache_line *lines = w->trace->lines + step->first_line;
	double cycles = step->wavefronts * timing[TIMING_LSU_LINE], done = 0;
	if (cycles < timing[TIMING_LSU_REQUEST])
		cycles = timing[TIMING_LSU_REQUEST];
	double at = serve(&e->lsu, (double)e->now, cycles, &e->out->busy[ENGINE_LSU]);
	if (step->cache == CACHE_ATOMIC)
		return access_atomic(e, w, step, at);
	for (int i = 0; i < step->n_lines; i++) {
		double ready = access_line(
			e, (enum cache_op)step->cache, &lines[i], at + i * cycles / step->n_lines, step->partial);
		done = ready > done ? ready : done;
	}
	return done;
}

/* --- issue -------------------------------------------------------------------------------------------------------- */
static uint8_t stall_of(const struct latency *latency, enum latency_id id)
{
	switch (id) {
	case LATENCY_GLOBAL:
	case LATENCY_ATOMIC: return ENGINE_STALL_LONG_SCOREBOARD;
	case LATENCY_SHARED:
	case LATENCY_SHUFFLE:
	case LATENCY_SPECIAL: return ENGINE_STALL_SHORT_SCOREBOARD;
	default: break;
	}
	return latency->phase == PHASE_GLOBAL ? ENGINE_STALL_LONG_SCOREBOARD : ENGINE_STALL_WAIT;
}

static void wait_until(struct engine_warp *w, uint64_t when, uint8_t stall)
{
	if (when > w->ready) {
		w->ready = when;
		w->stall = stall;
	}
}

/* What the step's registers wait for. */
static struct engine_register inputs_of(const struct engine_warp *w, const struct schedule_op *op)
{
	struct engine_register latest = {.stall = ENGINE_STALL_WAIT};
	/* of a loop that was unrolled each time has registers of its own to write */
	for (int i = op->mixes ? op->n_written : 0; i < op->n_registers; i++)
		if (w->registers[op->registers[i]].ready > latest.ready)
			latest = w->registers[op->registers[i]];
	if (op->guard) {
		/* the compiler puts so many cycles between them, whatever else is waited for */
		struct engine_register guard = w->registers[op->guard - 1];
		uint64_t ready = guard.fixed + w->waited + (uint64_t)timing[TIMING_GUARD];
		if (guard.fixed && ready > latest.ready)
			latest = (struct engine_register){ready, guard.fixed, guard.stall};
	}
	return latest;
}

static void write_registers(struct engine_warp *w, const struct schedule_op *op, struct engine_register value)
{
	for (int i = 0; i < op->n_written; i++)
		w->registers[op->registers[i]] = value;
}

static bool is_counted_exactly(const struct schedule_step *step)
{
	return latency_table[step->latency].pipe == PIPE_LSU;
}

/* How many machine instructions the next step is. */
static uint8_t slots_of(const struct engine *e, struct engine_warp *w, const struct schedule_step *step)
{
	unsigned issues = e->in->ops[step->op].issues;
	bool orders = step->latency == LATENCY_BARRIER || step->latency == LATENCY_FENCE ||
		step->latency == LATENCY_BRANCH;
	if (e->in->slots) {
		w->owed += (double)e->in->slots[step->op];
		orders |= is_counted_exactly(step);
	} else if (!issues || e->each <= 0 || is_counted_exactly(step)) {
		return (uint8_t)issues;
	} else {
		w->owed += issues * e->each;
	}
	double slots = floor(w->owed + (e->in->slots ? ROUNDING : 0));
	slots = slots < orders ? orders : slots > UINT8_MAX ? UINT8_MAX : slots;
	w->owed -= slots;
	return (uint8_t)slots;
}

/* Passes over what costs nothing, and finds when the next step can be issued. */
static void prepare_step(struct engine *e, struct engine_warp *w)
{
	while (w->next < w->n) {
		const struct schedule_step *step = step_at(w);
		const struct schedule_op *op = &e->in->ops[step->op];
		struct engine_register inputs = inputs_of(w, op);
		w->slots = slots_of(e, w, step);
		if (w->slots) {
			wait_until(w, inputs.ready, inputs.stall);
			return;
		}
		write_registers(w, op, inputs);
		w->next++;
	}
}

static void end_warp(struct engine *e, struct engine_warp *w);

static void release_barrier(struct engine *e, uint32_t block)
{
	struct engine_block *b = &e->blocks[block];
	if (!b->left || b->waiting < b->left)
		return;
	b->waiting = 0;
	for (uint32_t i = 0; i < e->in->warps_per_block; i++) {
		struct engine_warp *w = &e->warps[block * e->in->warps_per_block + i];
		if (w->state != ENGINE_AT_BARRIER)
			continue;
		w->state = ENGINE_GOES;
		w->ready = e->now;
		wait_until(w, e->now + latency_table[LATENCY_BARRIER].cycles, ENGINE_STALL_BARRIER);
		prepare_step(e, w);
		if (w->next == w->n)
			end_warp(e, w);
	}
}

static void begin_block(struct engine *e, uint32_t slot, double when)
{
	uint32_t block = e->next_block++, n = e->in->warps_per_block;
	e->blocks[block] = (struct engine_block){.left = n, .slot = slot, .begin = when};
	for (uint32_t i = 0; i < n; i++) {
		struct engine_warp *w = &e->warps[block * n + i];
		w->begin = w->idle = whole(when + timing[TIMING_START] + i * timing[TIMING_WARP_START]);
		w->ready = w->begin;
		w->block = block;
		w->state = ENGINE_GOES;
		w->registers = base_calloc((size_t)e->in->n_registers + 1, sizeof *w->registers);
		order_steps(e->in, w);
		e->slots[slot * n + i] = w;
		prepare_step(e, w);
		if (w->next == w->n)
			end_warp(e, w);
	}
}

static void end_block(struct engine *e, struct engine_block *b)
{
	double now = (double)b->end;
	if (e->next_block >= e->n_blocks)
		return;
	double start = (now > e->dispatch ? now : e->dispatch) + timing[TIMING_BLOCK_NEXT];
	e->dispatch = (now > e->dispatch ? now : e->dispatch) + timing[TIMING_BLOCK_RATE] * e->in->active_sms;
	if (e->out->first_wave == 0)
		e->out->first_wave = start;
	begin_block(e, b->slot, start);
}

static void end_warp(struct engine *e, struct engine_warp *w)
{
	struct engine_block *b = &e->blocks[w->block];
	uint64_t end = w->ready > e->now ? w->ready : e->now;
	if (w->settled > end) {
		e->out->stalls[ENGINE_STALL_DRAIN] += (double)(w->settled - end);
		end = w->settled;
	}
	w->state = ENGINE_ENDED;
	for (int i = 0; i < e->n_slots; i++)
		if (e->slots[i] == w)
			e->slots[i] = NULL;
	e->out->warps += (double)(end - w->begin);
	e->out->whole &= w->trace->executed <= w->trace->n;
	if (end > b->end)
		b->end = end;
	if ((double)b->end > e->out->cycles)
		e->out->cycles = (double)b->end;
	free(w->registers);
	free(w->order);
	e->left--;
	if (--b->left)
		release_barrier(e, w->block);
	else
		end_block(e, b);
}

static unsigned pipe_of(const struct schedule_op *op, const struct latency *latency)
{
	return op->cycles ? op->pipe : latency->pipe;
}

/* The instruction's results: when they are there. */
static uint64_t execute(struct engine *e, struct engine_warp *w, const struct schedule_step *step, int scheduler)
{
	const struct latency *latency = &latency_table[step->latency];
	const struct schedule_op *op = &e->in->ops[step->op];
	unsigned n = w->slots, pipe = pipe_of(op, latency);
	if (latency->pipe == PIPE_LSU && step->n_lines) {
		double done = access_global(e, w, step);
		if (step->cache == CACHE_STORE) {
			w->settled = whole(done) > w->settled ? whole(done) : w->settled;
			return e->now + 1;
		}
		w->reached = whole(done) > w->reached ? whole(done) : w->reached;
		return whole(done);
	}
	if (latency->pipe == PIPE_LSU) {
		double passes = step->passes ? step->passes : 1;
		double at = serve(&e->lsu, (double)e->now, passes * latency->interval, &e->out->busy[ENGINE_LSU]);
		return whole(at + passes - 1 + latency->cycles);
	}
	if (pipe != PIPE_NONE) {
		unsigned busy = op->interval && op->issues ? (op->interval * n + op->issues - 1) / op->issues
							   : latency->interval * n;
		e->pipe[scheduler][pipe] = e->now + busy;
		e->out->busy[ENGINE_ALU + pipe - PIPE_ALU] += (double)busy / TIMELINE_SCHEDULERS;
	}
	return e->now + (op->cycles ? op->cycles : n - 1 + latency->cycles);
}

/* Why the warp was not issued since `idle`. */
static void count_stall(struct engine *e, struct engine_warp *w, uint64_t pipe_free, const struct latency *latency)
{
	uint64_t from = w->idle;
	if (w->ready > from) {
		e->out->stalls[w->stall] += (double)(w->ready - from);
		from = w->ready;
	}
	if (pipe_free > from && pipe_free <= e->now) {
		enum engine_stall why = latency->pipe != PIPE_LSU ? ENGINE_STALL_MATH
			: latency->phase == PHASE_GLOBAL          ? ENGINE_STALL_LG
								  : ENGINE_STALL_MIO;
		e->out->stalls[why] += (double)(pipe_free - from);
		from = pipe_free;
	}
	if (e->now > from) {
		e->out->stalls[ENGINE_STALL_NOT_SELECTED] += (double)(e->now - from);
		e->out->eligible += (double)(e->now - from);
	}
}

static uint64_t pipe_free(const struct engine *e, int scheduler, const struct schedule_step *step)
{
	unsigned pipe = pipe_of(&e->in->ops[step->op], &latency_table[step->latency]);
	if (pipe == PIPE_LSU)
		return e->lsu > QUEUE ? whole(e->lsu - QUEUE) : 0;
	return e->pipe[scheduler][pipe];
}

static void issue(struct engine *e, struct engine_warp *w, int scheduler)
{
	const struct schedule_step *step = step_at(w);
	const struct schedule_op *op = &e->in->ops[step->op];
	unsigned slots = w->slots;
	const struct latency *latency = &latency_table[step->latency];
	count_stall(e, w, pipe_free(e, scheduler, step), latency);
	if (w->ready > w->idle &&
		(w->stall == ENGINE_STALL_LONG_SCOREBOARD || w->stall == ENGINE_STALL_SHORT_SCOREBOARD))
		w->waited += w->ready - w->idle;
	uint64_t done = execute(e, w, step, scheduler), next = e->now + slots;
	e->free[scheduler] = next;
	e->out->issued += slots;
	e->out->eligible += slots;
	e->out->busy[ENGINE_ISSUE] += (double)slots / TIMELINE_SCHEDULERS;
	write_registers(w, op,
		(struct engine_register){done, e->now - w->waited, stall_of(latency, (enum latency_id)step->latency)});
	w->ready = w->idle = next;
	w->stall = ENGINE_STALL_WAIT;
	w->next++;
	if (step->latency == LATENCY_BRANCH)
		wait_until(w, e->now + latency->cycles, ENGINE_STALL_BRANCH);
	if (step->latency == LATENCY_FENCE)
		wait_until(w, w->reached > w->settled ? w->reached : w->settled, ENGINE_STALL_MEMBAR);
	if (step->latency == LATENCY_BARRIER && w->next < w->n) {
		w->state = ENGINE_AT_BARRIER;
		e->blocks[w->block].waiting++;
		release_barrier(e, w->block);
		return;
	}
	prepare_step(e, w);
	if (w->next == w->n)
		end_warp(e, w);
}

/* Issues one instruction if it can; else lowers `soonest` to when it may. */
static bool run_scheduler(struct engine *e, int scheduler, uint64_t *soonest)
{
	int own = (e->n_slots - scheduler + TIMELINE_SCHEDULERS - 1) / TIMELINE_SCHEDULERS;
	if (e->free[scheduler] > e->now) {
		*soonest = e->free[scheduler] < *soonest ? e->free[scheduler] : *soonest;
		return false;
	}
	for (int k = 1; k <= own; k++) {
		int index = (e->last[scheduler] + k) % own;
		struct engine_warp *w = e->slots[index * TIMELINE_SCHEDULERS + scheduler];
		if (!w || w->state != ENGINE_GOES)
			continue;
		uint64_t when = pipe_free(e, scheduler, step_at(w));
		when = w->ready > when ? w->ready : when;
		if (when <= e->now) {
			issue(e, w, scheduler);
			e->last[scheduler] = index;
			return true;
		}
		*soonest = when < *soonest ? when : *soonest;
	}
	return false;
}

static void run_cycles(struct engine *e)
{
	for (int first = 0; e->left; first = (first + 1) % TIMELINE_SCHEDULERS) {
		uint64_t soonest = NEVER;
		bool issued = false;
		for (int k = 0; k < TIMELINE_SCHEDULERS; k++)
			issued |= run_scheduler(e, (first + k) % TIMELINE_SCHEDULERS, &soonest);
		if (issued || soonest <= e->now)
			e->now++;
		else if (soonest == NEVER)
			break; /* warps whose steps were cut before a barrier of others */
		else
			e->now = soonest;
	}
}

/* Warps that were cut wait for nobody any more. */
static void end_rest(struct engine *e)
{
	for (int i = 0; i < e->in->n_warps; i++) {
		struct engine_warp *w = &e->warps[i];
		if (w->state != ENGINE_GOES && w->state != ENGINE_AT_BARRIER)
			continue;
		free(w->registers);
		free(w->order);
	}
	if ((double)e->now > e->out->cycles)
		e->out->cycles = (double)e->now;
}

/* Cycles in which any block was there. */
static double active_cycles(const struct engine *e)
{
	double active = 0, end = 0;
	for (uint32_t b = 0; b < e->n_blocks; b++) {
		double from = e->blocks[b].begin, to = (double)e->blocks[b].end;
		from = from > end ? from : end;
		active += to > from ? to - from : 0;
		end = to > end ? to : end;
	}
	return active;
}

/* Machine instructions by the rules; *exact of them are known to be so many. */
static double instructions_by_rules(const struct engine_input *in, double *exact)
{
	double all = 0;
	*exact = 0;
	for (int i = 0; i < in->n_warps; i++) {
		struct engine_warp w = {.trace = &in->warps[i]};
		order_steps(in, &w);
		for (w.next = 0; w.next < w.n; w.next++) {
			const struct schedule_step *step = step_at(&w);
			all += in->ops[step->op].issues;
			*exact += is_counted_exactly(step) ? in->ops[step->op].issues : 0;
		}
		free(w.order);
	}
	return all;
}

/* Those that were counted for each of the others; 0: they were not counted, or cannot be of these steps. */
static double counted_for_each(const struct engine_input *in)
{
	double exact, all = in->instructions > 0 ? instructions_by_rules(in, &exact) : 0;
	return all > 0 && all > exact && in->instructions > exact ? (in->instructions - exact) / (all - exact) : 0;
}

void engine_run(const struct engine_input *in, struct engine_result *out)
{
	struct engine e = {.in = in, .out = out, .each = counted_for_each(in)};
	*out = (struct engine_result){.whole = true};
	e.n_blocks = (uint32_t)in->n_warps / in->warps_per_block;
	e.left = (uint32_t)in->n_warps;
	e.used = (int)(e.n_blocks < in->resident ? in->n_warps : (int)(in->resident * in->warps_per_block));
	out->schedulers = e.used < TIMELINE_SCHEDULERS ? e.used : TIMELINE_SCHEDULERS;
	e.n_slots = (int)(in->resident * in->warps_per_block);
	if (e.n_slots > SCHEDULE_WARPS_MAX)
		e.n_slots = SCHEDULE_WARPS_MAX;
	e.warps = base_calloc((size_t)in->n_warps + 1, sizeof *e.warps);
	e.blocks = base_calloc((size_t)e.n_blocks + 1, sizeof *e.blocks);
	e.l1 = cache_l1_new(in->shared);
	e.asked = cache_set_new();
	for (int i = 0; i < in->n_warps; i++)
		e.warps[i].trace = &in->warps[i];
	double when = 0;
	for (uint32_t b = 0; b < (uint32_t)e.n_slots / in->warps_per_block && e.next_block < e.n_blocks; b++) {
		begin_block(&e, b, when);
		when += timing_block_start((int)in->warps_per_block);
	}
	run_cycles(&e);
	end_rest(&e);
	out->active = active_cycles(&e);
	/* of the SMs that wait for atomics one is served last */
	if (e.held_up && out->changed > out->cycles) {
		out->active += out->changed - out->cycles;
		out->cycles = out->changed;
	}
	cache_l1_free(e.l1);
	cache_set_free(e.asked);
	free(e.warps);
	free(e.blocks);
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

/* --- what bounds it ----------------------------------------------------------------------------------------------- */
const char *engine_bound_name(enum engine_bound bound)
{
	static const char *const names[] = {
#define BOUND(id, name) [ENGINE_##id] = name,
		ENGINE_BOUNDS(BOUND)
#undef BOUND
	};
	return names[bound];
}

bool engine_bound_is_plural(enum engine_bound bound)
{
	return bound == ENGINE_ISSUE || bound == ENGINE_TENSOR || bound == ENGINE_ATOMICS;
}

const char *engine_bound_id(enum engine_bound bound)
{
	static const char *const ids[] = {
#define BOUND(id, name) [ENGINE_##id] = #id,
		ENGINE_BOUNDS(BOUND)
#undef BOUND
	};
	return ids[bound];
}

enum engine_bound engine_bound_of(const struct engine_result *result, double *share)
{
	enum engine_bound most = ENGINE_LATENCY;
	double busy = BOUND_FROM * result->cycles;
	for (int i = 0; i < ENGINE_LATENCY; i++) {
		if (result->busy[i] > busy) {
			busy = result->busy[i];
			most = (enum engine_bound)i;
		}
	}
	*share = result->cycles > 0 ? busy / result->cycles : 0;
	if (most == ENGINE_LATENCY) {
		double waited = 0, all = 0;
		for (int i = 0; i < ENGINE_STALLS; i++)
			all += result->stalls[i];
		waited = all - result->stalls[ENGINE_STALL_NOT_SELECTED];
		*share = result->warps > 0 ? waited / result->warps : 0;
	}
	if (*share > 1)
		*share = 1;
	return most;
}
