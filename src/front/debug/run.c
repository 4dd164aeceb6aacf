/* Jobs: running on, and running back, a slice at a time. */
#include <inttypes.h>
#include <stdio.h>

#include "base/portable.h"
#include "front/debug/private.h"
#include "model/profile/profile.h"

#define SLICE 20000 /* warp instructions between two looks at the clock */
#define SLICE_MS 25.0

/* --- where a job stops -------------------------------------------------------------------------------------------- */

static bool lane_is_in(const struct debug *debug, uint32_t lanes)
{
	return debug->lane == DEBUG_ANY || (lanes >> debug->lane & 1);
}

static bool reaches_step(struct debug *debug, const struct simt_point *at)
{
	struct debug_private *p = debug->private;
	if (at->block == debug->block && at->warp == debug->warp && lane_is_in(debug, at->active))
		return true;
	bool asks = p->track.was_followed &&
		(debug->lane != DEBUG_ANY || at->warp != debug->warp || at->block != debug->block);

	/* The followed warp, or the followed lane of it, has nothing more to do. */
	p->warp_ended = false;
	if (asks) {
		struct debug_warp now;
		debug_warp_now(debug, debug->warp, &now);
		p->warp_ended = now.n_paths == 0 || !lane_is_in(debug, now.active | now.waiting);
	}
	return p->warp_ended;
}

static bool reaches_break(struct debug *debug, const struct simt_point *at)
{
	struct debug_break *b = debug->private->here;
	if (!b)
		return false;
	b->hits++;
	debug->private->stop_break = b->number;
	debug_follow(debug, at->block, at->warp);
	return true;
}

/* Blocks that wait for others may be begun together: the next one's turn alone says nothing. */
static bool block_is_over(const struct debug *debug, uint32_t block)
{
	struct simt_path paths[SIMT_PATHS_MAX];
	for (uint32_t warp = 0; warp < debug->extent.warps; warp++)
		if (simt_session_paths(debug->private->session, block, warp, paths))
			return false;
	return true;
}

/* Whether the goal of the job is reached. */
static bool reaches(struct debug *debug, const struct simt_point *at)
{
	struct debug_private *p = debug->private;
	struct debug_job *job = &p->job;
	const struct debug_instr *instr = &debug->program->instrs[at->instr];
	switch (job->goal) {
	case GOAL_STEP: return reaches_step(debug, at);
	case GOAL_LINE: {
		if (!reaches_step(debug, at))
			return false;
		bool inside = debug_depth_at(debug, at->instr) > job->depth; /* a function that was called */
		return p->warp_ended || (instr->line && instr->line != job->line && !inside);
	}
	case GOAL_BREAK: return reaches_break(debug, at);
	case GOAL_BLOCK: {
		bool leaves = p->last_block == job->to && at->block != job->to;
		return reaches_break(debug, at) || (leaves && block_is_over(debug, (uint32_t)job->to));
	}
	case GOAL_ANY: return true;
	case GOAL_AT:
		/* On the way up to where going back began: the last place that fits. */
		if (job->seek == GOAL_BREAK && at->step < job->to && p->here) {
			job->found = true;
			job->found_at = at->step;
			job->found_block = at->block;
			job->found_warp = at->warp;
		}
		return at->step >= job->to;
	case GOAL_LINE_ACCESS: {
		/* As the profile counts accesses: those that some lane makes. */
		if (at->block != debug->block || at->warp != debug->warp || instr->line != job->line)
			return false;
		if (job->any)
			return instr->begins;
		struct debug_warp now;
		debug_warp_now(debug, debug->warp, &now);
		return debug_instr_goes_to_memory(debug, at->instr) && now.executing;
	}
	default: return false;
	}
}

static bool job_is_done_at(void *ctx, const struct simt_point *at)
{
	struct debug *debug = ctx;
	struct debug_private *p = debug->private;
	p->condition_fault[0] = '\0';
	p->here = debug_break_pass(debug, at);
	if (p->changes.n) /* after the breakpoint, which stopped before them the first time, too */
		debug_changes_apply(debug, at->step);
	bool reached = reaches(debug, at);
	if (reached && (p->warp_ended || --p->job.times == 0)) {
		p->arrived = true;
		return true;
	}
	if (reached && p->job.goal != GOAL_LINE_ACCESS) {
		p->job.line = debug->program->instrs[at->instr].line;
		p->job.depth = debug_depth_at(debug, at->instr);
	}
	return --p->slice == 0;
}

/* --- its end ------------------------------------------------------------------------------------------------------ */

static void say_end(struct debug *debug)
{
	const struct simt_result *r = &debug->result;
	if (r->outcome == SIMT_OK) {
		debug_say(debug,
			"The kernel ran to its end, %" PRIu64 " warp instruction%s. R starts it again, S goes back.",
			debug->step, debug->step == 1 ? "" : "s");
	} else if (r->outcome == SIMT_DEFECT) {
		/* What `simttutor run` reports of it, in one paragraph. */
		const struct simt_defect *d = &debug->defect;
		struct buf text = {0};
		buf_puts(&text, "Defect, ");
		profile_defect_sentence(d, &text);
		buf_puts(&text, "; ");
		profile_defect_who(d, &text);
		if (debug_other_side(debug) >= 0) {
			buf_puts(&text, "; ");
			profile_other_side(&d->other, &text);
			buf_puts(&text, ": ");
			debug_write_place(debug, d->other.instr, &text);
			buf_puts(&text, ", ");
			profile_side_who(&d->other, &text);
		}
		debug_complain(debug, "%s.", buf_str(&text));
		buf_free(&text);
	} else {
		debug_complain(debug, "%s.", r->message);
	}
}

/* --- going back --------------------------------------------------------------------------------------------------- */

enum checking { CHECKED, UNCHECKED };

static bool restart(struct debug *debug, enum checking checking)
{
	struct diag diag = {0};
	debug->private->unchecked = checking == UNCHECKED;
	bool ok = debug_start(debug, &diag);
	if (!ok)
		debug_complain(debug, "The launch cannot be started again: %s.",
			diag.count ? diag.entries[0].message : "no memory");
	diag_free(&diag);
	return ok;
}

static void go_to(struct debug *debug, uint64_t step)
{
	struct debug_job *job = &debug->private->job;
	bool again = step < debug->step || debug->private->unchecked;
	if (again && !restart(debug, CHECKED)) {
		job->goal = GOAL_NONE;
		return;
	}
	*job = (struct debug_job){.goal = GOAL_AT, .to = step, .times = 1};
}

/* The `back`-th latest step of the followed warp before `to` that fits; false when the trail does not reach so far. */
static bool search_trail(const struct debug *debug, const struct debug_job *job, uint64_t *step)
{
	const struct debug_private *p = debug->private;
	uint64_t oldest = p->trail.n > TRAIL ? p->trail.n - TRAIL : 0, left = job->back;
	for (uint64_t i = p->trail.n; i-- > oldest;) {
		const struct debug_trail_entry *e = &p->trail.at[i % TRAIL];
		bool fits = e->step < job->to && lane_is_in(debug, e->active) && (job->seek == GOAL_STEP || e->entry);
		if (!fits)
			continue;
		*step = e->step;
		if (--left == 0)
			return true;
	}
	return left < job->back && oldest == 0 && p->trail.since == 0; /* fewer than asked for: the first one */
}

void debug_job_begin_back(struct debug *debug, enum debug_goal goal, uint64_t times)
{
	struct debug_private *p = debug->private;
	struct debug_job job = {.goal = GOAL_AT, .seek = goal, .to = debug->step, .times = 1, .back = times};
	uint64_t step;
	p->stop_break = 0;
	p->warp_ended = false;
	if (goal != GOAL_BREAK && search_trail(debug, &job, &step)) {
		go_to(debug, step);
		return;
	}
	if (restart(debug, UNCHECKED))
		p->job = job;
}

void debug_job_goto(struct debug *debug, uint64_t step)
{
	debug->private->stop_break = 0;
	debug->private->warp_ended = false;
	go_to(debug, step);
}

void debug_job_again(struct debug *debug, uint64_t step)
{
	debug->private->stop_break = 0;
	debug->private->warp_ended = false;
	if (restart(debug, CHECKED))
		go_to(debug, step);
}

int debug_stopped_by(const struct debug *debug)
{
	return debug->private->stop_break;
}

void debug_set_checks(struct debug *debug, uint32_t checks)
{
	uint64_t step = debug->step;
	if (debug->private->checks == checks)
		return;
	debug->private->checks = checks;
	if (restart(debug, CHECKED))
		go_to(debug, step);
	debug_finish(debug);
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

void debug_job_begin(struct debug *debug, enum debug_goal goal, uint64_t times)
{
	struct debug_private *p = debug->private;
	p->stop_break = 0;
	p->warp_ended = false;
	if (debug->ended) {
		if (debug->result.outcome == SIMT_DEFECT)
			debug_complain(debug,
				"The launch has stopped at this defect, %s; nothing goes on from here. S steps back, R starts again; the option "
				"--check says what to stop at.",
				simt_defect_name(debug->result.defect));
		else
			say_end(debug);
		return;
	}
	/* a warp that has ended cannot be stepped: the one whose turn it is can */
	bool own = goal == GOAL_STEP || goal == GOAL_LINE;
	if (own && debug->now.state == DEBUG_WARP_ENDED) {
		debug_follow(debug, debug->next.block, debug->next.warp);
		debug_look(debug);
		debug_say(debug, "Following warp %u of block %u.", debug->warp, debug->block);
		return;
	}
	bool over = debug->now.state == DEBUG_WARP_ENDED && block_is_over(debug, debug->block);
	uint64_t block = over ? debug->next.block : debug->block;
	p->job = (struct debug_job){.goal = goal, .times = times, .to = block};
	if (debug->now.instr >= 0) {
		p->job.line = debug->program->instrs[debug->now.instr].line;
		p->job.depth = debug_depth_at(debug, debug->now.instr);
	}
}

void debug_go_to_line(struct debug *debug, int line, int access)
{
	struct debug_job job = {.goal = GOAL_LINE_ACCESS, .times = (uint64_t)access + 1, .line = line, .any = true};
	bool there = false;
	for (int i = 0; i < debug->program->n_instrs; i++) {
		there |= debug->program->instrs[i].line == line;
		job.any &= debug->program->instrs[i].line != line || !debug_instr_goes_to_memory(debug, i);
	}
	if (job.any)
		job.times = 1;
	if (there && !debug->ended)
		debug->private->job = job;
}

bool debug_busy(const struct debug *debug)
{
	return debug->private->job.goal != GOAL_NONE;
}

static void run_slice(struct debug *debug)
{
	struct debug_private *p = debug->private;
	p->arrived = debug->ended || (p->job.goal == GOAL_AT && debug->step >= p->job.to);
	if (!p->arrived) {
		p->slice = SLICE;
		debug->ended = !simt_session_run(p->session, job_is_done_at, debug);
		if (!debug->ended)
			simt_session_next(p->session, &debug->next);
		p->arrived |= debug->ended;
	}
	if (p->arrived && p->job.seek != GOAL_NONE) {
		/* The pass up to where going back began is over. */
		struct debug_job job = debug->private->job;
		uint64_t step = job.found_at;
		if (job.seek == GOAL_BREAK && job.found)
			debug_follow(debug, job.found_block, job.found_warp);
		else if (job.seek == GOAL_BREAK)
			step = 0;
		else if (!search_trail(debug, &job, &step)) {
			go_to(debug, job.to);
			debug->private->job.nothing = true;
			return;
		}
		go_to(debug, step);
	} else if (p->arrived) {
		enum debug_goal goal = p->job.goal;
		bool nothing = p->job.nothing;
		p->job.goal = GOAL_NONE;
		/* The instruction that made a defect was counted, but is shown as the one that is next. */
		if (debug->ended)
			debug->step = debug->result.steps - (debug->result.outcome == SIMT_DEFECT);
		if (debug->ended && debug->result.outcome != SIMT_OK && debug->result.instr >= 0)
			debug_follow(debug, debug->result.block, debug->result.warp);
		else if (!debug->ended && (goal == GOAL_ANY || (goal == GOAL_BLOCK && !p->stop_break)))
			debug_follow(debug, debug->next.block, debug->next.warp);
		debug_look(debug);
		if (goal == GOAL_AT && !debug->ended &&
			debug->now.state == DEBUG_WARP_AWAITED) { /* gone back to before it began */
			debug_follow(debug, debug->next.block, debug->next.warp);
			debug_look(debug);
		}

		/* Why it stands here. */
		if (debug->ended)
			say_end(debug);
		else if (p->stop_break)
			debug_say(debug, "Breakpoint %d, block %u, warp %u%s%s.", p->stop_break, debug->block,
				debug->warp, *p->condition_fault ? "; its condition: " : "", p->condition_fault);
		else if (p->warp_ended && debug->now.state != DEBUG_WARP_ENDED)
			debug_say(debug, "Lane %u has ended. `lane all` follows the whole warp again.", debug->lane);
		else if (p->warp_ended)
			debug_say(debug, "Warp %u of block %u has ended. The next step follows warp %u of block %u.",
				debug->warp, debug->block, debug->next.warp, debug->next.block);
		else if (goal == GOAL_LINE_ACCESS)
			debug_say(debug, "Line %d, warp %u of block %u: s steps on, S steps back.", p->job.line,
				debug->warp, debug->block);
		else if (goal == GOAL_BLOCK)
			debug_say(debug, "Block %" PRIu64 " has ended; following block %u, warp %u.", p->job.to,
				debug->block, debug->warp);

		if (nothing)
			debug_say(
				debug, "Warp %u of block %u has done nothing before this.", debug->warp, debug->block);
	}
}

void debug_work(struct debug *debug)
{
	double begin = clock_ms();
	do {
		if (debug_busy(debug))
			run_slice(debug);
	} while (debug_busy(debug) && clock_ms() - begin < SLICE_MS);
}

void debug_finish(struct debug *debug)
{
	while (debug_busy(debug))
		run_slice(debug);
}

void debug_cancel(struct debug *debug)
{
	if (!debug_busy(debug))
		return;
	debug->private->job = (struct debug_job){.goal = GOAL_NONE};
	if (debug->private->unchecked) /* what was looking for a place is of no other use */
		restart(debug, CHECKED);
	debug_look(debug);
	debug_say(debug, "Stopped at step %" PRIu64 ".", debug->step);
}

void debug_progress(const struct debug *debug, struct buf *out)
{
	const struct debug_job *job = &debug->private->job;
	if (job->goal == GOAL_NONE)
		return;
	buf_printf(out, "running: step %" PRIu64, debug->step);
	if (job->goal == GOAL_AT && job->to)
		buf_printf(out, " of %" PRIu64 ", %d %%", job->to, (int)(100 * debug->step / job->to));
	buf_puts(out, "; Esc stops it");
}
