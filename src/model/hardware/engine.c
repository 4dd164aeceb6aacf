/* The loop that issues. Read it from engine_run, at the end: blocks begin on the SM, warps pass over what costs nothing
 * (prepare_step), each scheduler issues one instruction per cycle (run_scheduler, issue), which begins its work in a
 * pipe (execute), and blocks end. What the memory pipe and the caches take is engine_memory.c. */
#include <stdlib.h>

#include "model/hardware/engine_state.h"

#define NEVER UINT64_MAX
/* Cycles of work that may wait at the memory pipe: assumed; it does not change what is served in all. */
#define QUEUE 16.0
#define ROUNDING 1e-4 /* of sums of engine_input.slots, which are floats */
/* Of sums that go to either of two pipes, those of the second: from none to 9 of 10 in kernels that an H200 counted. */
#define OTHER_SUMS (1 / 3.0)

static double later(double a, double b)
{
	return a > b ? a : b;
}

static const struct schedule_step *step_at(const struct engine_warp *w)
{
	return &w->trace->steps[w->order[w->next]];
}

static unsigned pipe_of(const struct schedule_op *op, const struct latency *latency)
{
	return op->cycles ? op->pipe : latency->pipe;
}

static bool is_counted_exactly(const struct schedule_step *step)
{
	return latency_table[step->latency].pipe == PIPE_LSU;
}

static void wait_until(struct engine_warp *w, uint64_t when, uint8_t stall)
{
	if (when > w->ready) {
		w->ready = when;
		w->stall = stall;
	}
}

/* --- the order that the compiler gave the steps ------------------------------------------------------------------- */

/* What the position of a step depends on; in a loop that was unrolled, whose times are counted by `time`. */
struct position {
	uint32_t group, time, rank;
};

static bool comes_before(struct position a, struct position b)
{
	if (a.group != b.group)
		return a.group < b.group;
	return a.time != b.time ? a.time < b.time : a.rank < b.rank;
}

/* Sets w->order, which the caller frees, and w->n. Steps are sorted within each piece of code that the compiler could
 * order: a run through a basic block, and of a loop that it unrolled several. */
static void order_steps(const struct engine_input *in, struct engine_warp *w)
{
	const struct schedule_step *steps = w->trace->steps;
	uint32_t n = w->trace->n;
	struct position *positions = base_calloc((size_t)n + 1, sizeof *positions);
	w->order = base_calloc((size_t)n + 1, sizeof *w->order);
	w->n = 0;
	for (uint32_t from = 0, to; from < n; from = to) {
		const struct schedule_op *first = &in->ops[steps[from].op];
		uint32_t rounds = 1;
		for (to = from + 1; to < n; to++) {
			uint32_t op = steps[to].op;
			if (op > steps[to - 1].op && in->ops[op].basic_block == first->basic_block)
				continue;
			if (!first->unrolled || op != steps[from].op || ++rounds > first->unrolled)
				break;
		}

		uint32_t begin = w->n, times = 0, time = 0;
		for (uint32_t i = from; i < to; i++)
			times += steps[i].op == steps[from].op;
		for (uint32_t i = from; i < to; i++) {
			const struct schedule_op *op = &in->ops[steps[i].op];
			time += i > from && steps[i].op == steps[from].op;
			if (op->once && time + 1 < times && !in->slots)
				continue;
			struct position own = {op->mixes ? op->once ? UINT32_MAX : op->depth : 0, time, op->rank};
			uint32_t at = w->n++;
			for (; at > begin && comes_before(own, positions[at - 1]); at--) {
				w->order[at] = w->order[at - 1];
				positions[at] = positions[at - 1];
			}
			w->order[at] = i;
			positions[at] = own;
		}
	}
	free(positions);
}

/* --- groups and mbarriers ----------------------------------------------------------------------------------------- */

/* Work that goes on while its warp does something else: products of warp groups, bulk copies, and mbarriers, where
 * copies and warps arrive.
 *
 * A wait at an mbarrier ends when as many copies and arrivals have taken effect as had been made there before it on the
 * machine. Of the phase after, which others may have begun by then, there is seldom one among them. */
static void commit_group(struct engine_groups *g)
{
	g->ends[g->n++ % ENGINE_GROUPS] = g->last;
}

/* When all groups but the last `keeps` are through. */
static double groups_end(const struct engine_groups *g, uint32_t keeps)
{
	if (keeps >= g->n || keeps >= ENGINE_GROUPS)
		return 0;
	return g->ends[(g->n - 1 - keeps) % ENGINE_GROUPS];
}

static struct engine_mbarrier *mbarrier_of(
	const struct engine *e, const struct engine_warp *w, const struct schedule_step *step)
{
	return step->mbarrier ? &e->blocks[w->block].mbarriers[step->mbarrier - 1] : NULL;
}

/* Whether the warp cannot issue the step, for its mbarrier lacks arrivals that it had on the machine. */
static bool waits_for_phase(const struct engine *e, const struct engine_warp *w, const struct schedule_step *step)
{
	const struct engine_mbarrier *b = mbarrier_of(e, w, step);
	return b && e->in->ops[step->op].async == SCHEDULE_PHASE_WAIT && b->arrived < step->after;
}

/* Something arrives at the mbarrier and takes effect at `when`. */
static void mbarrier_arrive(
	struct engine *e, const struct engine_warp *from, const struct schedule_step *step, double when)
{
	struct engine_mbarrier *b = mbarrier_of(e, from, step);
	if (!b)
		return;
	b->arrived++;
	b->ready = later(b->ready, when);
	for (uint32_t i = 0; i < e->in->warps_per_block; i++) {
		struct engine_warp *w = &e->warps[from->block * e->in->warps_per_block + i];
		if (w->state != ENGINE_AT_PHASE || waits_for_phase(e, w, step_at(w)))
			continue;
		w->state = ENGINE_GOES;
		wait_until(w, e->now, ENGINE_STALL_SHORT_SCOREBOARD);
	}
}

/* What an instruction that is not SCHEDULE_PLAIN begins, or waits for: when its result is there, which `done` is
 * without. */
static uint64_t execute_async(
	struct engine *e, struct engine_warp *w, const struct schedule_step *step, int scheduler, uint64_t done)
{
	const struct schedule_op *op = &e->in->ops[step->op];
	const struct engine_mbarrier *b = mbarrier_of(e, w, step);
	switch ((enum schedule_async)op->async) {
	case SCHEDULE_PLAIN: break;
	case SCHEDULE_PRODUCT: {
		/* products follow each other on the scheduler's tensor cores; what they take to come to an end passes
		 * once */
		double busy = 0;
		double at = engine_serve(&e->products[scheduler], (double)e->now, op->interval, &busy);
		w->products.last = later(w->products.last, at + op->interval + timing[TIMING_PRODUCT_WAIT]);
		e->out->busy[ENGINE_TENSOR] += busy / TIMELINE_SCHEDULERS;
		break;
	}
	case SCHEDULE_PRODUCT_COMMIT: commit_group(&w->products); break;
	case SCHEDULE_PRODUCT_WAIT: return engine_whole(later((double)done, groups_end(&w->products, op->keeps)));
	case SCHEDULE_FETCH: w->fetches.last = later(w->fetches.last, (double)done); break;
	case SCHEDULE_FETCH_COMMIT: commit_group(&w->fetches); break;
	case SCHEDULE_FETCH_WAIT:
		return engine_whole(
			later((double)done, op->keeps ? groups_end(&w->fetches, op->keeps) : w->fetches.last));
	case SCHEDULE_COPY: mbarrier_arrive(e, w, step, engine_copy(e, w, step)); break;
	case SCHEDULE_ARRIVE: mbarrier_arrive(e, w, step, (double)done); break;
	case SCHEDULE_CLUSTER_WAIT: break; /* release_barrier */
	case SCHEDULE_PHASE_WAIT: return b && b->ready > (double)done ? engine_whole(b->ready) : done;
	}
	return done;
}

/* --- warps and blocks begin and end ------------------------------------------------------------------------------- */

static void write_registers(struct engine_warp *w, const struct schedule_op *op, struct engine_register value)
{
	for (int i = 0; i < op->n_written; i++)
		w->registers[op->registers[i]] = value;
}

/* Passes over what costs nothing, and finds when the next step can be issued. */
static void prepare_step(struct engine *e, struct engine_warp *w)
{
	for (; w->next < w->n; w->next++) {
		const struct schedule_step *step = step_at(w);
		const struct schedule_op *op = &e->in->ops[step->op];

		/* what its registers wait for; of a loop that was unrolled each time has registers of its own to
		 * write */
		struct engine_register latest = {.stall = ENGINE_STALL_WAIT};
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

		/* how many machine instructions it is: by the rules as they are, or parts of some that add up to whole
		 * ones */
		bool exact = is_counted_exactly(step), by_code = e->in->slots;
		if (!by_code && (!op->issues || e->each <= 0 || exact)) {
			w->slots = (uint8_t)op->issues;
		} else {
			bool orders = step->latency == LATENCY_BARRIER || step->latency == LATENCY_FENCE ||
				step->latency == LATENCY_BRANCH || op->async || (by_code && exact);
			w->owed += by_code ? (double)e->in->slots[step->op] : op->issues * e->each;
			double slots = floor(w->owed + (by_code ? ROUNDING : 0));
			slots = slots < orders ? orders : slots > UINT8_MAX ? UINT8_MAX : slots;
			w->owed -= slots;
			w->slots = (uint8_t)slots;
		}

		if (w->slots) {
			wait_until(w, latest.ready, latest.stall);
			if (waits_for_phase(e, w, step))
				w->state = ENGINE_AT_PHASE;
			return;
		}
		write_registers(w, op, latest);
	}
}

static void end_warp(struct engine *e, struct engine_warp *w);

/* Lets the block's warps go on when all that have not ended are at its barrier, or the cluster's. */
static void release_barrier(struct engine *e, uint32_t block)
{
	struct engine_block *b = &e->blocks[block];
	uint32_t n = e->in->warps_per_block;
	if (!b->left || b->waiting < b->left)
		return;
	b->waiting = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct engine_warp *w = &e->warps[block * n + i];
		if (w->state != ENGINE_AT_BARRIER)
			continue;
		w->state = ENGINE_GOES;
		w->ready = e->now;
		const struct schedule_step *barrier = &w->trace->steps[w->order[w->next - 1]];
		uint64_t takes = latency_table[LATENCY_BARRIER].cycles;
		/* the other blocks of the cluster arrive as this one does */
		if (e->in->ops[barrier->op].async == SCHEDULE_CLUSTER_WAIT)
			takes = engine_whole(
				timing[TIMING_CLUSTER_BARRIER] + (n - 1) * timing[TIMING_CLUSTER_BARRIER_WARP]);
		wait_until(w, e->now + takes, ENGINE_STALL_BARRIER);
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
		w->begin = w->idle = engine_whole(when + timing[TIMING_START] + i * timing[TIMING_WARP_START]);
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

/* Ends the warp; with the last one its block, in whose place the next one begins. */
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
	if (--b->left) {
		release_barrier(e, w->block);
		return;
	}

	if (e->next_block >= e->n_blocks)
		return;
	double from = later((double)b->end, e->dispatch), start = from + timing[TIMING_BLOCK_NEXT];
	e->dispatch = from + timing[TIMING_BLOCK_RATE] * e->in->active_sms;
	if (e->out->first_wave == 0)
		e->out->first_wave = start;
	begin_block(e, b->slot, start);
}

/* --- issue -------------------------------------------------------------------------------------------------------- */

/* Starts the instruction in its pipe: when its results are there. */
static uint64_t execute(struct engine *e, struct engine_warp *w, const struct schedule_step *step, int scheduler)
{
	const struct latency *latency = &latency_table[step->latency];
	const struct schedule_op *op = &e->in->ops[step->op];
	unsigned n = w->slots, pipe = pipe_of(op, latency);
	if (op->async == SCHEDULE_COPY || (op->async && latency->pipe != PIPE_LSU))
		return execute_async(e, w, step, scheduler, e->now + 1);

	/* an access to global or local memory, or to shared memory of the cluster */
	if (latency->pipe == PIPE_LSU && (step->n_lines || step->by_cluster)) {
		uint64_t done = engine_whole(
			step->by_cluster ? engine_cluster_access(e, step) : engine_access(e, w, step));
		if (step->by_cluster ? !op->n_written : step->cache == CACHE_STORE) {
			w->settled = done > w->settled ? done : w->settled;
			return e->now + 1;
		}
		w->reached = done > w->reached ? done : w->reached;
		return op->async == SCHEDULE_FETCH ? execute_async(e, w, step, scheduler, done) : done;
	}

	/* to the block's own shared memory, and what else takes the memory pipe */
	if (latency->pipe == PIPE_LSU) {
		double passes = step->passes ? step->passes : 1;
		double at = engine_serve(
			&e->lsu, (double)e->now, passes * latency->interval, &e->out->busy[ENGINE_LSU]);
		uint64_t done = engine_whole(at + passes - 1 + latency->cycles);
		return op->async ? execute_async(e, w, step, scheduler, done) : done;
	}

	/* arithmetic; an access to constant memory is replayed for each further address */
	uint64_t replays = step->latency == LATENCY_CONSTANT && step->passes ? step->passes - 1u : 0;
	double none = 0, made = 0, replayed = (double)replays * SCHEDULE_REPLAY_TAKES;
	if (replays)
		made = engine_serve(&e->constant, (double)e->now, replayed, &none);
	if (pipe != PIPE_NONE) {
		unsigned busy = op->interval && op->issues ? (op->interval * n + op->issues - 1) / op->issues
							   : latency->interval * n;
		e->pipe[scheduler][pipe] = e->now + busy;
		e->out->busy[ENGINE_ALU + pipe - PIPE_ALU] += (double)busy / TIMELINE_SCHEDULERS;
	}
	uint64_t waits = e->now + replays * SCHEDULE_REPLAY_WAITS, turn = engine_whole(made + replayed);
	return (waits > turn ? waits : turn) + (op->cycles ? op->cycles : n - 1 + latency->cycles);
}

/* When the step's pipe takes another instruction. */
static uint64_t pipe_free(const struct engine *e, int scheduler, const struct schedule_step *step)
{
	unsigned pipe = pipe_of(&e->in->ops[step->op], &latency_table[step->latency]);
	if (pipe == PIPE_LSU)
		return e->lsu > QUEUE ? engine_whole(e->lsu - QUEUE) : 0;
	if (e->in->ops[step->op].async)
		return 0;
	return e->pipe[scheduler][pipe];
}

/* The stall of a warp that waits for the result of such an instruction. */
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

static void issue(struct engine *e, struct engine_warp *w, int scheduler)
{
	const struct schedule_step *step = step_at(w);
	const struct schedule_op *op = &e->in->ops[step->op];
	const struct latency *latency = &latency_table[step->latency];
	unsigned slots = w->slots;

	/* Why the warp was not issued since `idle`. */
	uint64_t pipe_frees = pipe_free(e, scheduler, step), from = w->idle;
	if (w->ready > from) {
		e->out->stalls[w->stall] += (double)(w->ready - from);
		from = w->ready;
	}
	if (pipe_frees > from && pipe_frees <= e->now && latency->pipe == PIPE_LSU) {
		enum engine_stall why = latency->phase == PHASE_GLOBAL ? ENGINE_STALL_LG : ENGINE_STALL_MIO;
		e->out->stalls[why] += (double)(pipe_frees - from);
		from = pipe_frees;
	}
	if (e->now > from) {
		double eligible = (double)(e->now - from);
		/* in the cycle in which a pipe takes an instruction of another warp, that one was selected */
		if (pipe_frees > from && pipe_frees <= e->now && latency->interval > 1) {
			double full = (double)(pipe_frees - from) * (latency->interval - 1) / latency->interval;
			e->out->stalls[ENGINE_STALL_MATH] += full;
			eligible -= full;
		}
		e->out->stalls[ENGINE_STALL_NOT_SELECTED] += eligible;
		e->out->eligible += eligible;
	}

	if (w->ready > w->idle &&
		(w->stall == ENGINE_STALL_LONG_SCOREBOARD || w->stall == ENGINE_STALL_SHORT_SCOREBOARD))
		w->waited += w->ready - w->idle;

	uint64_t done = execute(e, w, step, scheduler), next = e->now + slots;
	e->free[scheduler] = next;
	e->out->issued += slots;

	/* to which pipes its machine instructions went: an access is one of the memory pipe, what else it is computes
	 * addresses */
	unsigned pipe = op->of_thread ? PIPE_LSU : pipe_of(op, latency);
	double each = op->issues ? (double)slots / op->issues : 0, alu = each * op->on_alu, fma = each * op->on_fma;
	double own = slots - alu - fma;
	if (op->either) {
		fma += own * OTHER_SUMS;
		own -= own * OTHER_SUMS;
	}
	if (pipe == PIPE_LSU && own > 1) {
		alu += own - 1;
		own = 1;
	}
	e->out->by_pipe[PIPE_ALU] += alu;
	e->out->by_pipe[PIPE_FMA] += fma;
	e->out->by_pipe[pipe] += own;

	e->out->eligible += slots;
	e->out->busy[ENGINE_ISSUE] += (double)slots / TIMELINE_SCHEDULERS;
	write_registers(w, op,
		(struct engine_register){done, e->now - w->waited, stall_of(latency, (enum latency_id)step->latency)});

	/* when the warp can go on, but for registers */
	w->ready = w->idle = next;
	w->stall = ENGINE_STALL_WAIT;
	w->next++;
	if (step->latency == LATENCY_BRANCH)
		wait_until(w, e->now + latency->cycles, ENGINE_STALL_BRANCH);
	if (op->async == SCHEDULE_PRODUCT_WAIT)
		wait_until(w, done, ENGINE_STALL_MATH);
	else if (op->async == SCHEDULE_FETCH_WAIT)
		wait_until(w, done, ENGINE_STALL_LONG_SCOREBOARD);
	else if (step->latency == LATENCY_FENCE)
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

/* Issues one instruction if a warp can; else lowers `soonest` to when one may. Warps of older blocks come first, and
 * those of a block take turns. Verified: CC 9.0 (H200), recordings of lessons/17-latency and 171-ilp: 32 warps of one
 * block end together (48.6 of the 50 % that they occupy on average), those of two such blocks one block after the other
 * (74 of 100 %). */
static bool run_scheduler(struct engine *e, int scheduler, uint64_t *soonest)
{
	int own = (e->n_slots - scheduler + TIMELINE_SCHEDULERS - 1) / TIMELINE_SCHEDULERS, at = 0;
	struct engine_warp *chosen = NULL;
	if (e->free[scheduler] > e->now) {
		*soonest = e->free[scheduler] < *soonest ? e->free[scheduler] : *soonest;
		return false;
	}
	for (int k = 1; k <= own; k++) {
		int index = (e->last[scheduler] + k) % own;
		struct engine_warp *w = e->slots[index * TIMELINE_SCHEDULERS + scheduler];
		if (!w || w->state != ENGINE_GOES || (chosen && w->block >= chosen->block))
			continue;
		uint64_t when = pipe_free(e, scheduler, step_at(w));
		when = w->ready > when ? w->ready : when;
		if (when > e->now) {
			*soonest = when < *soonest ? when : *soonest;
			continue;
		}
		chosen = w;
		at = index;
	}
	if (!chosen)
		return false;
	issue(e, chosen, scheduler);
	e->last[scheduler] = at;
	return true;
}

void engine_run(const struct engine_input *in, struct engine_result *out)
{
	/* Machine instructions that were counted for each that the rules have, but for those to memory, of which the
	 * rules have all; 0: they were not counted, or cannot be of these steps. */
	double each = 0;
	if (in->instructions > 0) {
		double all = 0, exact = 0;
		for (int i = 0; i < in->n_warps; i++) {
			struct engine_warp w = {.trace = &in->warps[i]};
			order_steps(in, &w);
			for (w.next = 0; w.next < w.n; w.next++) {
				const struct schedule_step *step = step_at(&w);
				all += in->ops[step->op].issues;
				exact += is_counted_exactly(step) ? in->ops[step->op].issues : 0;
			}
			free(w.order);
		}
		if (all > 0 && all > exact && in->instructions > exact)
			each = (in->instructions - exact) / (all - exact);
	}

	struct engine e = {.in = in, .out = out, .each = each};
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

	/* the first wave */
	double when = 0;
	for (uint32_t b = 0; b < (uint32_t)e.n_slots / in->warps_per_block && e.next_block < e.n_blocks; b++) {
		begin_block(&e, b, when);
		when += timing_block_start((int)in->warps_per_block);
	}

	/* cycle by cycle, but for those in which nothing can be issued; the schedulers take turns to be first */
	for (int first = 0; e.left; first = (first + 1) % TIMELINE_SCHEDULERS) {
		uint64_t soonest = NEVER;
		bool issued = false;
		for (int k = 0; k < TIMELINE_SCHEDULERS; k++)
			issued |= run_scheduler(&e, (first + k) % TIMELINE_SCHEDULERS, &soonest);
		if (issued || soonest <= e.now) {
			e.now++;
			continue;
		}
		if (soonest != NEVER) {
			e.now = soonest;
			continue;
		}
		/* where steps were cut, warps wait for arrivals that never come */
		bool any = false;
		for (int i = 0; i < in->n_warps; i++) {
			if (e.warps[i].state != ENGINE_AT_PHASE)
				continue;
			e.warps[i].state = ENGINE_GOES;
			any = true;
		}
		if (!any)
			break; /* warps whose steps were cut before a barrier of others */
	}
	for (int i = 0; i < in->n_warps; i++) {
		struct engine_warp *w = &e.warps[i];
		if (w->state != ENGINE_GOES && w->state != ENGINE_AT_BARRIER && w->state != ENGINE_AT_PHASE)
			continue;
		free(w->registers);
		free(w->order);
	}

	out->cycles = later(out->cycles, (double)e.now);
	/* cycles in which any block was there */
	double end = 0;
	for (uint32_t b = 0; b < e.n_blocks; b++) {
		double from = later(e.blocks[b].begin, end), to = (double)e.blocks[b].end;
		out->active += to > from ? to - from : 0;
		end = later(end, to);
	}
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
