#include "front/debug/debug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/debug/private.h"
#include "machine/ptx/instr.h"
#include "model/profile/device.h"
#include "model/profile/profile.h"

/* --- what the machine reports ------------------------------------------------------------------------------------- */

int debug_depth_at(const struct debug *debug, int instr)
{
	const struct debug_private *p = debug->private;
	const struct debug_program *program = debug->program;
	if (p->track.instr < 0)
		return p->track.depth;
	enum ptx_kind kind = instr_kind(program->instrs[p->track.instr].code->form);
	bool enters = kind == PTX_KIND_CALL && instr == program->parts[program->instrs[instr].part].first_instr;
	return p->track.depth + enters - (kind == PTX_KIND_RETURN);
}

static void on_step(void *ctx, const struct simt_site *site, uint32_t active, uint32_t executing)
{
	struct debug *debug = ctx;
	struct debug_private *p = debug->private;
	(void)executing;
	debug->executions[site->instr]++;
	p->is_new = debug->step >= p->furthest;
	if (p->is_new)
		p->furthest = debug->step + 1;
	p->last_block = site->block;
	if (site->block > p->highest_block)
		p->highest_block = site->block;
	p->track.was_followed = site->block == debug->block && site->warp == debug->warp;
	if (p->track.was_followed) {
		int line = debug->program->instrs[site->instr].line;
		p->trail.at[p->trail.n++ % TRAIL] = (struct debug_trail_entry){
			debug->step, active, line && line != p->track.line};
		if (line)
			p->track.line = line;
		p->track.depth = debug_depth_at(debug, site->instr);
		p->track.instr = site->instr;
	}

	size_t n = (size_t)debug->program->n_regs;
	if (site->block != p->written.block)
		memset(p->written.step, 0, n * debug->extent.warps * sizeof *p->written.step);
	p->written.block = site->block;
	for (int i = p->defs.from[site->instr]; i < p->defs.from[site->instr + 1]; i++)
		p->written.step[site->warp * n + (size_t)p->defs.regs[i]] = debug->step + 1;

	debug->step++;
}

static void on_access(void *ctx, const struct simt_site *site, const struct warp_access *access)
{
	struct debug *debug = ctx;
	if (access->space != SPACE_SHARED && access->space != SPACE_GLOBAL)
		return; /* the pane draws those two; code that is not optimized accesses local memory in between */
	debug->private->accesses.last[site->warp].site = *site;
	debug->private->accesses.last[site->warp].access = *access;
	debug->private->accesses.has |= (uint32_t)1 << site->warp;
}

/* What is run again prints nothing again. */
static void on_print(void *ctx, const char *text, size_t len)
{
	struct debug *debug = ctx;
	if (debug->private->is_new)
		buf_append(&debug->said.printed, text, len);
}

/* --- starting ----------------------------------------------------------------------------------------------------- */

static void forget_warp(struct debug *debug)
{
	struct debug_private *p = debug->private;
	p->trail.n = 0;
	p->trail.since = debug->step;
	p->track.line = p->track.depth = 0;
	p->track.instr = -1;
	p->track.was_followed = p->fresh = false;
}

static void session_end(struct debug *debug)
{
	struct debug_private *p = debug->private;
	simt_session_free(p->session);
	profile_device_free(p->device);
	arena_free(p->run);
	p->session = NULL;
	p->device = NULL;
	p->run = NULL;
}

bool debug_start(struct debug *debug, struct diag *diag)
{
	struct debug_private *p = debug->private;
	session_end(debug);
	p->run = arena_new();
	p->device = profile_device_open(debug->program->kernel->module, p->launch, NULL, diag);
	const struct arguments *arguments = p->device
		? profile_arguments_place(p->run, debug->program->kernel, p->launch, p->device, diag)
		: NULL;
	if (!arguments)
		return false;
	bool fresh = p->fresh;
	debug->step = 0;
	forget_warp(debug);
	p->fresh = fresh; /* going back shows what changed, too */
	memset(debug->executions, 0, (size_t)debug->program->n_instrs * sizeof *debug->executions);
	p->written.block = DEBUG_ANY;
	p->highest_block = p->accesses.has = 0;
	p->machine.params = arguments->params;
	p->machine.variables = arguments->variables;
	p->machine.textures = arguments->textures;
	p->machine.n_textures = arguments->n_textures;
	p->machine.checks = p->unchecked ? SIMT_CHECK_NONE : p->checks;
	p->report = (struct simt_report){.defects = &debug->defect, .cap = 1};
	p->session = simt_session_new(&p->machine, p->device->memory, &debug->result);
	for (int i = 0; i < debug->breaks.n; i++)
		debug->breaks.at[i].passes = 0;
	debug_changes_apply(debug, 0);
	debug->ended = !simt_session_next(p->session, &debug->next);
	return true;
}

struct debug *debug_new(const struct debug_setup *setup, struct diag *diag)
{
	const struct ptx_kernel *kernel = profile_find_kernel(setup->module, setup->launch, diag);
	if (!kernel)
		return NULL;
	struct arena *arena = arena_new();
	struct debug *debug = arena_alloc(arena, sizeof *debug);
	debug->private = arena_alloc(arena, sizeof *debug->private);
	debug->private->arena = arena;
	debug->program = debug_program_new(arena, kernel, &setup->ptx, &setup->source);
	debug->cc = setup->cc;
	debug->lane = DEBUG_ANY;
	debug->wishes.show = DEBUG_SHOW_NOTHING;
	debug->block = setup->block;
	debug->warp = setup->warp;
	debug->cursor.in_ptx = !debug->program->source.n_lines;
	debug->cursor.line = 1;
	debug->private->ptx = setup->ptx;

	struct debug_private *p = debug->private;
	const struct launch *l = setup->launch;
	p->launch = l;
	p->listener = (struct simt_listener){.ctx = debug, .access = on_access, .step = on_step, .print = on_print};
	p->machine = profile_simt_launch(debug->program->kernel, l, NULL);
	p->machine.resident = profile_resident(
		p->arena, debug->program->kernel, l, &(struct resident_gpu){.cc = setup->cc});
	p->machine.limits.steps = setup->steps;
	p->machine.listener = &p->listener;
	p->machine.report = &p->report;
	memcpy(debug->extent.grid, l->grid, sizeof debug->extent.grid);
	memcpy(debug->extent.block, l->block, sizeof debug->extent.block);
	p->checks = setup->checks;
	debug->extent.blocks = warp_dim_volume(l->grid);
	debug->extent.threads = (uint32_t)warp_dim_volume(l->block);
	debug->extent.warps = (uint32_t)warp_count(debug->extent.threads);

	const struct debug_program *program = debug->program;
	struct debug_uses uses;
	size_t n = (size_t)program->n_instrs + 1;
	debug->registers = arena_array(p->arena, struct debug_register, (size_t)program->n_regs + 1);
	debug->executions = arena_array(p->arena, uint64_t, n);
	p->stops = arena_array(p->arena, uint8_t, n);
	p->written.step = arena_array(p->arena, uint64_t, (size_t)program->n_regs * debug->extent.warps + 1);
	p->defs.from = arena_array(p->arena, int, n);
	for (int i = 0; i < program->n_instrs; i++) {
		debug_uses(program, i, &uses);
		p->defs.from[i + 1] = p->defs.from[i] + uses.n_written;
	}
	p->defs.regs = arena_array(p->arena, int, (size_t)p->defs.from[program->n_instrs] + 1);
	for (int i = 0; i < program->n_instrs; i++) {
		debug_uses(program, i, &uses);
		memcpy(p->defs.regs + p->defs.from[i], uses.written, (size_t)uses.n_written * sizeof *uses.written);
	}

	if (!debug_start(debug, diag)) {
		debug_free(debug);
		return NULL;
	}
	debug_look(debug);
	debug_say(debug, "Before the first instruction: s steps, ? lists all keys.");
	return debug;
}

void debug_free(struct debug *debug)
{
	if (!debug)
		return;
	session_end(debug);
	free(debug->private->changes.at);
	buf_free(&debug->said.output);
	buf_free(&debug->said.printed);
	arena_free(debug->private->arena);
}

/* --- looking ------------------------------------------------------------------------------------------------------ */

uint32_t debug_lanes(const struct debug *debug, uint32_t warp)
{
	uint32_t threads = debug->extent.threads > warp * WARP_SIZE ? debug->extent.threads - warp * WARP_SIZE : 0;
	return threads >= WARP_SIZE ? UINT32_MAX : (1u << threads) - 1;
}

uint32_t debug_lanes_at_fault(const struct debug *debug, uint32_t warp)
{
	const struct simt_result *r = &debug->result;
	bool here = debug->ended && r->outcome == SIMT_DEFECT && r->block == debug->block && r->warp == warp;
	return here ? r->lanes : 0;
}

int debug_other_side(const struct debug *debug)
{
	bool has = debug->ended && debug->result.outcome == SIMT_DEFECT;
	return has ? debug->defect.other.instr : -1;
}

int debug_late_side(const struct debug *debug)
{
	bool defect = debug->ended && debug->result.outcome == SIMT_DEFECT;
	return defect && debug->now.n_paths == 0 ? debug->result.instr : -1;
}

static void read_paths(const struct debug *debug, uint32_t warp, struct debug_warp *out)
{
	static const enum debug_warp_state states[] = {
		[SIMT_PATH_RUNS] = DEBUG_WARP_RUNS,
		[SIMT_PATH_READY] = DEBUG_WARP_RUNS,
		[SIMT_PATH_AT_RECONVERGENCE] = DEBUG_WARP_RUNS,
		[SIMT_PATH_AT_SYNC] = DEBUG_WARP_AT_SYNC,
		[SIMT_PATH_AT_BARRIER] = DEBUG_WARP_AT_BARRIER,
	};

	/* A defect keeps the state as it was: the instruction that made it counts as the one that is next. */
	const struct simt_result *r = &debug->result;
	if (!(!debug->ended || r->instr < 0 || r->block != debug->block || r->warp != warp || out->n_paths == 0))
		out->paths[0].instr = r->instr;

	out->state = states[out->paths[0].state];
	out->instr = out->paths[0].instr;
	out->active = out->paths[0].lanes;
	for (int i = 1; i < out->n_paths; i++)
		out->waiting |= out->paths[i].lanes;

	/* Lanes whose guard does not hold do not execute the instruction. */
	const struct ptx_instr *in = out->instr >= 0 ? debug->program->instrs[out->instr].code : NULL;
	uint64_t lanes[WARP_SIZE];
	out->executing = out->active;
	if (in && in->guard >= 0 &&
		simt_session_register(debug->private->session, debug->block, warp, in->guard, lanes)) {
		uint32_t holds = 0;
		for (int i = 0; i < WARP_SIZE; i++)
			holds |= (uint32_t)((lanes[i] & 1) ^ in->guard_negated) << i;
		out->executing &= holds;
	}
}

void debug_warp_now(const struct debug *debug, uint32_t warp, struct debug_warp *out)
{
	*out = (struct debug_warp){.instr = -1};
	out->n_paths = simt_session_paths(debug->private->session, debug->block, warp, out->paths);
	if (out->n_paths > 0) {
		read_paths(debug, warp, out);
	} else {
		/* Why a warp has no paths: its block was not begun, or it has ended. */
		const struct debug_private *p = debug->private;
		bool begun = (debug->step > 0 && debug->block <= p->highest_block) ||
			(!debug->ended && debug->block == debug->next.block);
		out->state = begun ? DEBUG_WARP_ENDED : DEBUG_WARP_AWAITED;
	}
}

void debug_look(struct debug *debug)
{
	debug_warp_now(debug, debug->warp, &debug->now);

	/* Those of the kernel or function that the warp is in; the others keep what they held. What is marked as
	 * changed is so since another stop of the same warp in the same function. */
	struct debug_private *p = debug->private;
	bool there = debug->now.n_paths > 0;
	int part = debug->now.instr >= 0 ? debug->program->instrs[debug->now.instr].part : 0;
	p->fresh &= part == p->part;
	for (int r = 0; r < debug->program->n_regs; r++) {
		debug->registers[r].changed = 0;
		debug->registers[r].written = 0;
		if (there && debug->program->regs[r].part == part) {
			struct debug_register *reg = &debug->registers[r];
			uint64_t lanes[WARP_SIZE] = {0};
			bool recorded = p->written.block == debug->block;
			reg->written = recorded
				? p->written.step[debug->warp * (size_t)debug->program->n_regs + (size_t)r]
				: 0;
			if (!simt_session_register(
				    p->session, debug->block, debug->warp, debug->program->regs[r].index, lanes))
				continue;
			for (int i = 0; i < WARP_SIZE && p->fresh; i++)
				reg->changed |= (uint32_t)(lanes[i] != reg->lanes[i]) << i;
			memcpy(reg->lanes, lanes, sizeof lanes);
		}
	}
	p->fresh = there;
	p->part = part;

	debug_access_look(debug);
	debug_cursor_home(debug);
}

void debug_follow(struct debug *debug, uint32_t block, uint32_t warp)
{
	if (block == debug->block && warp == debug->warp)
		return;
	debug->block = block;
	debug->warp = warp;
	forget_warp(debug);
	debug->followed++;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

void debug_say(struct debug *debug, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(debug->said.notice, sizeof debug->said.notice, text_translate(format), args);
	va_end(args);
	debug->said.wrong = false;
}

void debug_complain(struct debug *debug, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(debug->said.notice, sizeof debug->said.notice, text_translate(format), args);
	va_end(args);
	debug->said.wrong = true;
}

void debug_dismiss_notice(struct debug *debug)
{
	debug->said.notice[0] = '\0';
}

void debug_notice(struct debug *debug, const char *sentence)
{
	debug_say(debug, "%s", sentence);
}
