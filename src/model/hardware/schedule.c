#include "model/hardware/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* The documents that latencies.def names. */
#define MEASURED "measured on an H200"
#define GUIDE "CUDA C++ Programming Guide"

const struct latency latency_table[LATENCIES] = {
#define LATENCY(id, name, pipe, cycles, interval, phase, source)                                                       \
	[LATENCY_##id] = {name, PIPE_##pipe, PHASE_##phase, cycles, interval, source},
#include "model/hardware/latencies.def"
#undef LATENCY
};

const double timing[TIMINGS] = {
#define TIMING(id, value, unit, source) [TIMING_##id] = value,
#include "model/hardware/timings.def"
#undef TIMING
};

double timing_block_start(int warps)
{
	int below = 0;
	while (below < TIMING_BLOCK_32 - TIMING_BLOCK_1 - 1 && 2 << below < warps)
		below++;
	double a = timing[TIMING_BLOCK_1 + below], b = timing[TIMING_BLOCK_1 + below + 1];
	return a + (b - a) * (warps - (1 << below)) / (1 << below);
}

#define NEVER UINT64_MAX

struct pending_register {
	uint64_t ready; /* when the register is available */
	uint8_t phase;  /* of a warp that waits for it */
};

struct span_list {
	struct phase_span *at;
	size_t n, cap;
};

enum warp_progress { WAITING, AT_BARRIER, ENDED };

#define FETCH_GROUPS 8 /* a wait that leaves more under way waits for none */

struct scheduled_warp {
	const struct schedule_warp *trace;
	struct pending_register *registers;
	uint32_t next; /* step */
	enum warp_progress state;
	uint64_t spanned; /* the spans end here */
	uint64_t ready;   /* when the next step can be issued if its pipe is free */
	uint8_t phase;    /* of the wait until then */
	uint64_t memory;  /* when its last access to memory completes */
	uint64_t fetched,
		groups[FETCH_GROUPS]; /* when its last cp.async does, and those of the groups committed last */
	uint32_t n_groups;            /* committed so far */
	uint64_t held;                /* since when the warp is eligible but not issued; NEVER: it is not eligible */
	uint8_t held_by;              /* PHASE_READY, PHASE_PIPE */
	uint8_t held_for;             /* the pipe of the instruction that is not issued */
	uint64_t end;
	struct span_list spans;
};

struct schedule_sm {
	const struct schedule_input *in;
	struct scheduled_warp *warps;
	uint64_t now;
	uint64_t pipe[TIMELINE_SCHEDULERS]
		     [PIPES];          /* when each can take the next instruction; [0][PIPE_LSU] is shared */
	int last[TIMELINE_SCHEDULERS]; /* warp that was issued last */
	uint64_t issued[TIMELINE_SCHEDULERS];
	int turn;                  /* scheduler that may use the shared pipe first */
	int left;                  /* warps that have not ended */
	uint64_t pipe_busy[PIPES]; /* cycles that warps waited for it */
};

/* --- spans -------------------------------------------------------------------------------------------------------- */

/* Adds a span of `phase` from the end of the last one to `end`. */
static void end_span(struct scheduled_warp *w, uint64_t end, uint8_t phase, int32_t line)
{
	struct span_list *s = &w->spans;
	if (w->spanned >= end)
		return;
	struct phase_span *before = s->n ? &s->at[s->n - 1] : NULL;
	if (before && before->phase == phase && before->line == line) {
		before->end = w->spanned = end;
		return;
	}
	*vec_push(s->at, s->n, s->cap) = (struct phase_span){w->spanned, end, line, phase};
	w->spanned = end;
}

const char *const timeline_pipe_names[PIPES] = {
	[PIPE_NONE] = "no pipe",
	[PIPE_ALU] = "integer",
	[PIPE_FMA] = "32-bit float",
	[PIPE_FP64] = "64-bit float",
	[PIPE_XU] = "special functions",
	[PIPE_TENSOR] = "tensor core",
	[PIPE_LSU] = "memory",
};

/* --- one warp ----------------------------------------------------------------------------------------------------- */

static const struct schedule_step *next_step(const struct scheduled_warp *w)
{
	return &w->trace->steps[w->next];
}

static const struct schedule_op *op_of(const struct schedule_sm *sm, const struct schedule_step *step)
{
	return &sm->in->ops[step->op];
}

static void wait_until(struct scheduled_warp *w, uint64_t when, uint8_t phase)
{
	if (when > w->ready) {
		w->ready = when;
		w->phase = phase;
	}
}

/* Delays the next instruction until its registers are available. */
static void await_registers(const struct schedule_sm *sm, struct scheduled_warp *w)
{
	const struct schedule_op *op = op_of(sm, next_step(w));
	for (int i = 0; i < op->n_registers; i++)
		wait_until(w, w->registers[op->registers[i]].ready, w->registers[op->registers[i]].phase);
	if (!op->guard || !w->registers[op->guard - 1].ready)
		return;
	/* the compiler puts more cycles between a comparison and what it guards than its result takes */
	uint64_t more = (uint64_t)timing[TIMING_GUARD] - latency_table[LATENCY_ALU].cycles;
	wait_until(w, w->registers[op->guard - 1].ready + more, w->registers[op->guard - 1].phase);
}

static uint64_t *pipe_of(struct schedule_sm *sm, int scheduler, const struct schedule_step *step)
{
	uint8_t pipe = latency_table[step->latency].pipe;
	return &sm->pipe[pipe == PIPE_LSU ? 0 : scheduler][pipe];
}

/* The spans of what delayed the next instruction until now. */
static void end_wait(struct schedule_sm *sm, struct scheduled_warp *w)
{
	int32_t line = op_of(sm, next_step(w))->line;
	end_span(w, w->ready, w->phase, line);
	if (w->held != NEVER && w->held_by == PHASE_PIPE)
		sm->pipe_busy[w->held_for] += sm->now - w->spanned;
	if (w->held != NEVER)
		end_span(w, sm->now, w->held_by, line);
}

/* --- barriers ----------------------------------------------------------------------------------------------------- */

static void release_block(struct schedule_sm *sm, uint32_t block)
{
	for (int i = 0; i < sm->in->n_warps; i++)
		if (sm->warps[i].trace->block == block && sm->warps[i].state == WAITING)
			return;
	for (int i = 0; i < sm->in->n_warps; i++) {
		struct scheduled_warp *w = &sm->warps[i];
		if (w->trace->block != block || w->state != AT_BARRIER)
			continue;
		w->state = WAITING;
		w->ready = sm->now + latency_table[LATENCY_BARRIER].cycles;
		end_span(w, w->ready, PHASE_BARRIER, op_of(sm, next_step(w) - 1)->line);
		await_registers(sm, w);
	}
}

/* --- issue -------------------------------------------------------------------------------------------------------- */

/* --- one cycle ---------------------------------------------------------------------------------------------------- */

/* An eligible warp, or one whose pipe is busy, is not issued in this cycle. */
static void hold_warp(struct schedule_sm *sm, struct scheduled_warp *w, uint8_t by)
{
	if (w->held != NEVER && w->held_by == by)
		return;
	end_wait(sm, w);
	w->held = sm->now;
	w->held_by = by;
	w->held_for = latency_table[next_step(w)->latency].pipe;
}

/* Issues one instruction if it can; `soonest` is lowered to when another may. */
static bool run_scheduler(struct schedule_sm *sm, int scheduler, uint64_t *soonest)
{
	int own = (sm->in->n_warps - scheduler + TIMELINE_SCHEDULERS - 1) / TIMELINE_SCHEDULERS;
	int first = (sm->last[scheduler] - scheduler) / TIMELINE_SCHEDULERS + 1;
	const uint64_t *taken = NULL; /* the pipe that this scheduler used in this cycle: no reason to wait for it */
	for (int k = 0; k < own; k++) {
		int index = (first + k) % own * TIMELINE_SCHEDULERS + scheduler;
		struct scheduled_warp *w = &sm->warps[index];
		if (w->state != WAITING)
			continue;
		const uint64_t *pipe = pipe_of(sm, scheduler, next_step(w));
		if (w->ready > sm->now) {
			*soonest = w->ready < *soonest ? w->ready : *soonest;
		} else if (*pipe > sm->now && pipe != taken) {
			hold_warp(sm, w, PHASE_PIPE);
			*soonest = *pipe < *soonest ? *pipe : *soonest;
		} else if (taken) {
			hold_warp(sm, w, PHASE_READY);
		} else {
			const struct schedule_step *step = next_step(w);
			end_wait(sm, w);
			end_span(w, sm->now + 1, PHASE_ISSUE, op_of(sm, step)->line);

			/* when its results, its pipe and its accesses are done */
			const struct schedule_op *op = op_of(sm, step);
			const struct latency *row = &latency_table[step->latency];
			bool to_memory = row->pipe == PIPE_LSU;
			uint64_t passes = step->passes ? step->passes : 1;
			uint64_t done = sm->now + row->cycles + (to_memory ? passes - 1 : 0);
			if (step->latency == LATENCY_CONSTANT)
				done += SCHEDULE_REPLAY_WAITS * (passes - 1);
			if (row->pipe != PIPE_NONE)
				*pipe_of(sm, scheduler, step) = sm->now + row->interval * (to_memory ? passes : 1);
			if (to_memory && done > w->memory)
				w->memory = done;
			if (op->async == SCHEDULE_FETCH && done > w->fetched)
				w->fetched = done;
			if (op->async == SCHEDULE_FETCH_COMMIT)
				w->groups[w->n_groups++ % FETCH_GROUPS] = w->fetched;
			for (int i = 0; i < op->n_written; i++)
				w->registers[op->registers[i]] = (struct pending_register){done, row->phase};

			if (to_memory)
				sm->turn = (scheduler + 1) % TIMELINE_SCHEDULERS;
			w->held = NEVER;
			w->next++;
			sm->last[scheduler] = index;
			sm->issued[scheduler]++;

			/* what delays the warp's next instruction, apart from registers */
			uint8_t latency = step->latency;
			w->ready = sm->now + 1;
			w->phase = PHASE_WAIT;
			if (latency == LATENCY_BRANCH)
				wait_until(w, sm->now + latency_table[LATENCY_BRANCH].cycles, PHASE_WAIT);
			if (latency == LATENCY_FENCE) {
				/* a wait for cp.async: for the groups but the last `keeps` */
				uint64_t when = w->memory;
				if (op->async == SCHEDULE_FETCH_WAIT && !op->keeps)
					when = w->fetched;
				else if (op->async == SCHEDULE_FETCH_WAIT)
					when = op->keeps < w->n_groups && op->keeps < FETCH_GROUPS
						? w->groups[(w->n_groups - 1 - op->keeps) % FETCH_GROUPS]
						: 0;
				wait_until(w, when, PHASE_GLOBAL);
			}

			if (w->next == w->trace->n) {
				w->state = ENDED;
				w->end = sm->now + 1;
				sm->left--;
				release_block(sm, w->trace->block);
			} else if (step->latency == LATENCY_BARRIER) {
				w->state = AT_BARRIER;
				release_block(sm, w->trace->block);
			} else {
				await_registers(sm, w);
			}

			taken = pipe;
		}
	}
	return taken != NULL;
}

/* --- in and out --------------------------------------------------------------------------------------------------- */

struct schedule_timeline *schedule_run(struct arena *arena, const struct schedule_input *input)
{
	struct schedule_sm sm = {.in = input};
	sm.warps = base_calloc((size_t)input->n_warps + 1, sizeof *sm.warps);

	uint32_t registers = input->n_registers;
	for (int i = 0; i < input->n_warps; i++) {
		struct scheduled_warp *w = &sm.warps[i];
		w->trace = &input->warps[i];
		w->held = NEVER;
		w->state = w->trace->n ? WAITING : ENDED;
		w->registers = base_calloc(registers ? registers : 1, sizeof *w->registers);
		sm.left += w->state != ENDED;
	}
	for (int s = 0; s < TIMELINE_SCHEDULERS; s++)
		sm.last[s] = s - TIMELINE_SCHEDULERS; /* the first is next */

	while (sm.left) {
		uint64_t soonest = NEVER;
		bool issued = false;
		int first = sm.turn;
		for (int k = 0; k < TIMELINE_SCHEDULERS; k++)
			issued |= run_scheduler(&sm, (first + k) % TIMELINE_SCHEDULERS, &soonest);
		/* some warp can always go on: a barrier completes when the last warp arrives */
		sm.now = issued || soonest == NEVER ? sm.now + 1 : soonest;
	}

	int n = input->n_warps, row = 0;
	struct schedule_timeline *t = arena_alloc(arena, sizeof *t);
	struct warp_row *rows = arena_array(arena, struct warp_row, (size_t)n + 1);
	for (int s = 0; s < TIMELINE_SCHEDULERS; s++) {
		t->issued[s] = sm.issued[s];
		for (int i = s; i < n; i += TIMELINE_SCHEDULERS) {
			const struct scheduled_warp *w = &sm.warps[i];
			struct warp_row *to = &rows[row++];
			*to = (struct warp_row){.block = w->trace->block,
				.warp = w->trace->warp,
				.slot = (uint32_t)i,
				.scheduler = (int8_t)(i % TIMELINE_SCHEDULERS),
				.end = w->end,
				.spans = arena_adopt(arena, w->spans.at),
				.n = w->spans.n};
		}
	}
	for (int i = 0; i < n; i++) {
		t->end = sm.warps[i].end > t->end ? sm.warps[i].end : t->end;
		free(sm.warps[i].registers);
	}
	t->origin = (struct timeline_origin){.witness = WITNESS_MODEL, .unit = TIMELINE_CYCLES, .resolution = 1};
	t->rows = rows;
	t->n_rows = n;
	t->counted = 1;
	memcpy(t->pipe_busy, sm.pipe_busy, sizeof t->pipe_busy);

	free(sm.warps);
	return t;
}

uint16_t schedule_passes(int wavefronts, int sectors)
{
	int passes = wavefronts > (sectors + 1) / 2 ? wavefronts : (sectors + 1) / 2;
	return (uint16_t)(passes > 1 ? passes : 1);
}
