#include <stdlib.h>

#include "model/hardware/engine_state.h"

#define NEVER UINT64_MAX
#define QUEUE                                                                                                          \
	16.0 /* cycles of work that may wait at the memory pipe: assumed; it does not change what is served in all */
#define ROUNDING 1e-4 /* of sums of engine_input.slots, which are floats */

static const struct schedule_step *step_at(const struct engine_warp *w)
{
	return &w->trace->steps[w->order[w->next]];
}

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
		step->latency == LATENCY_BRANCH || e->in->ops[step->op].async;
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
			if (engine_async_holds(e, w, step))
				w->state = ENGINE_AT_PHASE;
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
		const struct schedule_step *barrier = &w->trace->steps[w->order[w->next - 1]];
		bool of_cluster = e->in->ops[barrier->op].async == SCHEDULE_CLUSTER_WAIT;
		wait_until(w, e->now + (of_cluster ? engine_cluster_barrier(e) : latency_table[LATENCY_BARRIER].cycles),
			ENGINE_STALL_BARRIER);
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
		engine_order(e->in, w);
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

#define OTHER_SUMS                                                                                                     \
	(1 / 3.0) /* of sums that go to either of two pipes, those of the second: from none to 9 of 10 in kernels that an H200 counted */

/* An access is one machine instruction of the memory pipe; what else it is computes addresses. */
static void count_pipes(struct engine *e, const struct schedule_op *op, unsigned pipe, unsigned slots)
{
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
}

/* The instruction's results: when they are there. */
static uint64_t execute(struct engine *e, struct engine_warp *w, const struct schedule_step *step, int scheduler)
{
	const struct latency *latency = &latency_table[step->latency];
	const struct schedule_op *op = &e->in->ops[step->op];
	unsigned n = w->slots, pipe = pipe_of(op, latency);
	if (op->async == SCHEDULE_COPY || (op->async && latency->pipe != PIPE_LSU))
		return engine_async(e, w, step, scheduler, e->now + 1);
	if (latency->pipe == PIPE_LSU && (step->n_lines || step->by_cluster)) {
		double done = step->by_cluster ? engine_cluster_access(e, step) : engine_access(e, w, step);
		if (step->by_cluster ? !op->n_written : step->cache == CACHE_STORE) {
			w->settled = engine_whole(done) > w->settled ? engine_whole(done) : w->settled;
			return e->now + 1;
		}
		w->reached = engine_whole(done) > w->reached ? engine_whole(done) : w->reached;
		return op->async == SCHEDULE_FETCH ? engine_async(e, w, step, scheduler, engine_whole(done))
						   : engine_whole(done);
	}
	if (latency->pipe == PIPE_LSU) {
		double passes = step->passes ? step->passes : 1;
		double at = engine_serve(
			&e->lsu, (double)e->now, passes * latency->interval, &e->out->busy[ENGINE_LSU]);
		uint64_t done = engine_whole(at + passes - 1 + latency->cycles);
		return op->async ? engine_async(e, w, step, scheduler, done) : done;
	}
	uint64_t replays = step->latency == LATENCY_CONSTANT && step->passes ? step->passes - 1u : 0;
	double none = 0,
	       made = replays
		? engine_serve(&e->constant, (double)e->now, (double)replays * SCHEDULE_REPLAY_TAKES, &none)
		: 0;
	if (pipe != PIPE_NONE) {
		unsigned busy = op->interval && op->issues ? (op->interval * n + op->issues - 1) / op->issues
							   : latency->interval * n;
		e->pipe[scheduler][pipe] = e->now + busy;
		e->out->busy[ENGINE_ALU + pipe - PIPE_ALU] += (double)busy / TIMELINE_SCHEDULERS;
	}
	uint64_t waits = e->now + replays * SCHEDULE_REPLAY_WAITS,
		 turn = engine_whole(made + (double)replays * SCHEDULE_REPLAY_TAKES);
	return (waits > turn ? waits : turn) + (op->cycles ? op->cycles : n - 1 + latency->cycles);
}

/* Why the warp was not issued since `idle`. */
static void count_stall(struct engine *e, struct engine_warp *w, uint64_t pipe_free, const struct latency *latency)
{
	uint64_t from = w->idle;
	if (w->ready > from) {
		e->out->stalls[w->stall] += (double)(w->ready - from);
		from = w->ready;
	}
	if (pipe_free > from && pipe_free <= e->now && latency->pipe == PIPE_LSU) {
		enum engine_stall why = latency->phase == PHASE_GLOBAL ? ENGINE_STALL_LG : ENGINE_STALL_MIO;
		e->out->stalls[why] += (double)(pipe_free - from);
		from = pipe_free;
	}
	if (e->now <= from)
		return;
	double eligible = (double)(e->now - from);
	/* in the cycle in which a pipe takes an instruction of another warp, that one was selected */
	if (pipe_free > from && pipe_free <= e->now && latency->interval > 1) {
		double full = (double)(pipe_free - from) * (latency->interval - 1) / latency->interval;
		e->out->stalls[ENGINE_STALL_MATH] += full;
		eligible -= full;
	}
	e->out->stalls[ENGINE_STALL_NOT_SELECTED] += eligible;
	e->out->eligible += eligible;
}

static uint64_t pipe_free(const struct engine *e, int scheduler, const struct schedule_step *step)
{
	unsigned pipe = pipe_of(&e->in->ops[step->op], &latency_table[step->latency]);
	if (pipe == PIPE_LSU)
		return e->lsu > QUEUE ? engine_whole(e->lsu - QUEUE) : 0;
	if (e->in->ops[step->op].async)
		return 0;
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
	count_pipes(e, op, op->of_thread ? PIPE_LSU : pipe_of(op, latency), slots);
	e->out->eligible += slots;
	e->out->busy[ENGINE_ISSUE] += (double)slots / TIMELINE_SCHEDULERS;
	write_registers(w, op,
		(struct engine_register){done, e->now - w->waited, stall_of(latency, (enum latency_id)step->latency)});
	w->ready = w->idle = next;
	w->stall = ENGINE_STALL_WAIT;
	w->next++;
	if (step->latency == LATENCY_BRANCH)
		wait_until(w, e->now + latency->cycles, ENGINE_STALL_BRANCH);
	if (e->in->ops[step->op].async == SCHEDULE_PRODUCT_WAIT)
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

/* Issues one instruction if a warp can; else lowers `soonest` to when one may. Warps of older blocks come first, and those of a block take
 * turns. Verified: CC 9.0 (H200), recordings of lessons/17-latency and 171-ilp: 32 warps of one block end together (48.6 of the 50 % that they
 * occupy on average), those of two such blocks one block after the other (74 of 100 %). */
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

static void run_cycles(struct engine *e)
{
	for (int first = 0; e->left; first = (first + 1) % TIMELINE_SCHEDULERS) {
		uint64_t soonest = NEVER;
		bool issued = false;
		for (int k = 0; k < TIMELINE_SCHEDULERS; k++)
			issued |= run_scheduler(e, (first + k) % TIMELINE_SCHEDULERS, &soonest);
		if (issued || soonest <= e->now)
			e->now++;
		else if (soonest == NEVER && engine_async_let_go(e))
			continue;
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
		if (w->state != ENGINE_GOES && w->state != ENGINE_AT_BARRIER && w->state != ENGINE_AT_PHASE)
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
		engine_order(in, &w);
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
