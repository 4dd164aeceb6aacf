#include "machine/simt/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/run.h"
#include "machine/simt/undefined.h"
#include "machine/simt/warp_state.h"

struct simt_session {
	struct simt_launch launch; /* a copy */
	struct simt_result *result;
	struct machine *model;
	struct residents residents;
	struct machine *m; /* the block that runs, */
	struct warp *next; /* and its warp whose turn it is; NULL: the launch has ended */
};

/* --- stepping
 * ------------------------------------------------------------------------------------------------------ */

/* Finds the warp that goes on, past blocks that have ended or wait, and past ends of kernels that no instruction
 * marks. */
static void find_next(struct simt_session *s)
{
	s->next = NULL;
	while (!s->next && (s->m = simt_residents_current(&s->residents))) {
		struct warp *w = simt_block_next(s->m);
		if (!w)
			simt_residents_update(&s->residents);
		else if (w->pc >= s->m->program.n)
			simt_block_step(w);
		else
			s->next = w;
	}
	s->result->steps = simt_residents_steps(&s->residents);
	s->result->ended = !s->next && !s->residents.failed;
	if (!s->next && s->result->outcome == SIMT_LIMIT)
		simt_standing_find(&s->residents, &s->result->standing);
}

struct simt_session *simt_session_new(
	const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result)
{
	struct simt_session *s = base_calloc(1, sizeof *s);
	s->launch = *launch;
	s->result = result;
	s->model = simt_launch_open(&s->launch, memory, result);
	simt_residents_init(&s->residents, s->model, 0);
	if (result->outcome == SIMT_OK)
		find_next(s);
	return s;
}

void simt_session_free(struct simt_session *s)
{
	if (!s)
		return;
	simt_residents_free(&s->residents);
	simt_launch_close(s->model);
	free(s);
}

bool simt_session_next(struct simt_session *s, struct simt_point *next)
{
	const struct warp *w = s->next;
	if (!w)
		return false;
	const struct code *c = &s->m->program.code[w->pc];
	*next = (struct simt_point){.step = s->result->steps,
		.block = s->m->block,
		.warp = w->index,
		.instr = (int)w->pc,
		.active = w->active,
		.executing = w->active};
	if (c->guard >= 0)
		next->executing &= *(const u32 *)(w->bank[BANK_REGS] + c->guard) ^ c->guard_xor;
	return true;
}

bool simt_session_run(struct simt_session *s, bool (*stop)(void *ctx, const struct simt_point *next), void *ctx)
{
	struct simt_point next;
	while (s->next) {
		struct warp *w = s->next;
		simt_block_step(w);
		s->result->steps++;
		s->residents.left = simt_steps_left(s->m);
		if (s->m->stop || w->state != WARP_RUNS || !s->m->turns.left || w->pc >= s->m->program.n)
			find_next(s);

		if (!simt_session_next(s, &next))
			return false;
		if (!stop || stop(ctx, &next))
			return true;
	}
	return false;
}

/* --- inspecting
 * ---------------------------------------------------------------------------------------------------- */

static const struct warp *find_warp(const struct simt_session *s, uint32_t block, uint32_t warp)
{
	const struct machine *m = simt_residents_find(&s->residents, block);
	return m && warp < m->n_warps ? &m->warps[warp] : NULL;
}

static int instr_at(const struct warp *w, uint32_t pc)
{
	return pc < w->m->program.n ? (int)pc : -1;
}

static struct simt_path describe_path(const struct warp *w, uint32_t pc, uint32_t lanes, uint32_t point)
{
	struct simt_path p = {.instr = instr_at(w, pc), .lanes = lanes, .reconverges = -1};
	if (point != NO_POINT)
		p.reconverges = instr_at(w, w->points.at[point].pc);
	for (; point != NO_POINT; point = w->points.at[point].parent)
		p.depth++;
	return p;
}

int simt_session_paths(const struct simt_session *s, uint32_t block, uint32_t warp, struct simt_path *paths)
{
	static const enum simt_path_state states[] = {[PATH_READY] = SIMT_PATH_READY,
		[PATH_AT_SYNC] = SIMT_PATH_AT_SYNC,
		[PATH_AT_BARRIER] = SIMT_PATH_AT_BARRIER};
	const struct warp *w = find_warp(s, block, warp);
	int n = 0;
	if (!w)
		return 0;
	if (w->active) {
		paths[n] = describe_path(w, w->waits_at ? w->waits_at->index : w->pc, w->active, w->point);
		paths[n++].state = w->waits_at ? SIMT_PATH_AT_BARRIER : SIMT_PATH_RUNS;
	}
	for (uint32_t i = w->paths.n; i-- > 0 && n < SIMT_PATHS_MAX;) {
		const struct path *p = &w->paths.at[i];
		paths[n] = describe_path(w, p->state == PATH_READY ? p->pc : p->at->index, p->mask, p->point);
		paths[n].state = states[p->state];
		paths[n++].expected = p->state == PATH_AT_SYNC ? p->waits_for : 0;
	}
	for (uint32_t i = w->points.n; i-- > 0 && n < SIMT_PATHS_MAX;) {
		const struct reconverge_point *p = &w->points.at[i];
		if (!p->mask || !(p->arrived & w->live))
			continue;
		paths[n] = describe_path(w, p->pc, p->arrived & w->live, p->parent);
		paths[n].state = SIMT_PATH_AT_RECONVERGENCE;
		paths[n++].expected = p->mask & w->live & ~p->arrived;
	}
	return n;
}

bool simt_session_register(
	const struct simt_session *s, uint32_t block, uint32_t warp, int reg, uint64_t lanes[WARP_SIZE])
{
	const struct warp *w = find_warp(s, block, warp);
	const struct code_unit *unit = w ? w->frames.at[w->frame].unit : NULL;
	if (!w || reg < 0 || reg >= unit->code->n_regs)
		return false;
	uint32_t bytes = ptx_slot_bytes(unit->code->regs[reg].type);
	const uint8_t *at = w->bank[BANK_REGS] + unit->reg_offset[reg];
	for (uint32_t i = 0; i < WARP_SIZE; i++) {
		lanes[i] = 0;
		if (bytes)
			memcpy(&lanes[i], at + (size_t)i * bytes, bytes);
		else
			lanes[i] = *(const u32 *)at >> i & 1;
	}
	return true;
}

const void *simt_session_local(
	const struct simt_session *s, uint32_t block, uint32_t warp, uint32_t lane, size_t *bytes)
{
	const struct warp *w = find_warp(s, block, warp);
	uint64_t end = w ? w->local_end < w->local.size ? w->local_end : w->local.size : 0;
	*bytes = w && w->local.bytes && lane < WARP_SIZE ? (size_t)end : 0;
	return *bytes ? w->local.bytes + (size_t)lane * w->local.size : NULL;
}

const void *simt_session_shared(const struct simt_session *s, uint32_t block, size_t *bytes)
{
	const struct machine *m = simt_residents_find(&s->residents, block);
	*bytes = m ? m->shared_own : 0;
	return *bytes ? m->shared.bytes : NULL;
}

/* --- variables and addresses
 * --------------------------------------------------------------------------------------- */

bool simt_session_variable(
	const struct simt_session *s, uint32_t block, uint32_t warp, const char *name, uint64_t *address)
{
	const struct warp *w = find_warp(s, block, warp);
	if (!w)
		return false;
	const struct frame *frame = &w->frames.at[w->frame];
	const struct code_unit *unit = frame->unit;
	const struct ptx_kernel *kernel = w->m->program.kernel;
	const struct variables *variables = &w->m->variables;

	/* First those that the code of the frame uses, then the kernel's parameters, and all variables of the
	 * module. */
	for (int i = 0; i < unit->code->n_uses; i++) {
		const struct ptx_var *var = unit->code->uses[i].var;
		if (strcmp(var->name, name) != 0)
			continue;
		uint64_t offset = unit->var_address[i];
		bool local = var->space == SPACE_LOCAL || var->in_frame;
		*address = local                     ? LOCAL_WINDOW + frame->local_base + offset
			: var->space == SPACE_SHARED ? SHARED_WINDOW + offset
			: var->space == SPACE_PARAM  ? PARAM_WINDOW + offset
			: var->space == SPACE_CONST  ? CONST_WINDOW + variables->address[var->index]
						     : variables->address[var->index];
		if (!var->opaque)
			return true;
		break;
	}
	for (int i = 0; !w->frame && i < kernel->n_params; i++) {
		*address = PARAM_WINDOW + kernel->params[i].offset;
		if (strcmp(kernel->params[i].name, name) == 0)
			return true;
	}
	for (int i = 0; i < kernel->module->n_vars; i++) {
		const struct ptx_var *var = kernel->module->vars[i];
		if (strcmp(var->name, name) != 0 || var->opaque)
			continue;
		*address = variables->address[i] + (var->space == SPACE_CONST ? CONST_WINDOW : 0);
		return true;
	}
	return false;
}

uint64_t simt_generic_address(enum mem_space space, uint64_t address)
{
	static const uint64_t windows[] = {[SPACE_SHARED] = SHARED_WINDOW,
		[SPACE_LOCAL] = LOCAL_WINDOW,
		[SPACE_CONST] = CONST_WINDOW,
		[SPACE_PARAM] = PARAM_WINDOW};
	return address + ((size_t)space < sizeof windows / sizeof *windows ? windows[space] : 0);
}

const void *simt_session_at(const struct simt_session *s, uint32_t block, uint32_t warp, uint32_t lane,
	uint64_t address, size_t bytes, enum mem_space *space)
{
	const struct warp *w = find_warp(s, block, warp);
	return w && lane < WARP_SIZE ? simt_mem_at(w, lane, address, bytes, space) : NULL;
}

/* --- changing
 * ------------------------------------------------------------------------------------------------------ */

bool simt_session_put_register(struct simt_session *s, uint32_t block, uint32_t warp, int reg, uint32_t lanes,
	const uint64_t values[WARP_SIZE])
{
	const struct warp *w = find_warp(s, block, warp);
	const struct code_unit *unit = w ? w->frames.at[w->frame].unit : NULL;
	if (!w || reg < 0 || reg >= unit->code->n_regs)
		return false;
	uint32_t bytes = ptx_slot_bytes(unit->code->regs[reg].type), mask = 0;
	uint8_t *at = w->bank[BANK_REGS] + unit->reg_offset[reg];
	for (uint32_t left = lanes; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		if (bytes)
			memcpy(at + (size_t)lane * bytes, &values[lane], bytes);
		mask |= (uint32_t)(values[lane] & 1) << lane;
	}
	if (!bytes)
		*(u32 *)at = (*(u32 *)at & ~lanes) | mask;
	if (undefined_of(w))
		simt_undefined_define(undefined_of(w), (struct undefined_ref){unit->reg_offset[reg], bytes}, lanes);
	return true;
}

bool simt_session_put(struct simt_session *s, uint32_t block, uint32_t warp, uint32_t lane, uint64_t address,
	const void *bytes, size_t n)
{
	struct warp *w = (struct warp *)find_warp(s, block, warp);
	enum mem_space space;
	void *at = w && lane < WARP_SIZE ? simt_mem_at(w, lane, address, n, &space) : NULL;
	if (!at || space == SPACE_CONST || space == SPACE_PARAM)
		return false;
	memcpy(at, bytes, n);
	w->m->turns.changes++;
	for (size_t i = 0; i < n; i++)
		simt_undefined_written(w, lane, space, simt_mem_offset(address + i, space));
	return true;
}
