/* Calls: a function's registers and local memory, and its arguments and results.
 *
 * Lanes that call a function together get a frame: registers of their own, and a part of their local memory after the
 * caller's, both zeroed. Arguments are copied into it and results out of it, so a function works on its own alone, as
 * PTX has it. Frames are made at a call and dropped when all lanes have returned or ended; calls never recurse on the
 * host. */
#include "machine/simt/warp_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/memory.h"
#include "machine/simt/undefined.h"
#include "machine/simt/warp_state.h"

#define DEPTH_MAX 1024u                /* nested calls */
#define STACK_MAX ((uint64_t)64 << 20) /* bytes that the calls of a block take */
#define KEPT_MAX ((uint64_t)1 << 20)   /* of a warp's local memory, for the next block */

/* --- decoding ----------------------------------------------------------------------------------------------------- */

static struct call_slot *formal_slots(
	const struct code_unit *unit, const struct ptx_formal *formals, int n, struct arena *arena)
{
	struct call_slot *slots = arena_array(arena, struct call_slot, (size_t)n);
	for (int i = 0; i < n; i++) {
		const struct ptx_formal *f = &formals[i];
		if (f->type)
			slots[i] = (struct call_slot){.kind = f->type == PTX_PRED ? SLOT_MASK : SLOT_LANES,
				.bytes = ptx_slot_bytes(f->type),
				.ref = {BANK_REGS, unit->reg_offset[f->index]}};
		else
			slots[i] = (struct call_slot){
				.kind = SLOT_FRAME, .offset = unit->var_address[f->index], .bytes = f->size};
	}
	return slots;
}

bool simt_call_decode_unit(struct machine *m, struct code_unit *unit, struct arena *arena)
{
	const struct ptx_signature *s = &unit->code->signature;

	unit->results = formal_slots(unit, s->results, s->n_results, arena);
	unit->params = formal_slots(unit, s->params, s->n_params, arena);
	unit->local_align = 16;
	for (int i = 0; i < unit->code->n_uses; i++) {
		const struct ptx_var *var = unit->code->uses[i].var;
		if ((var->space == SPACE_LOCAL || var->in_frame) && var->align > unit->local_align)
			unit->local_align = var->align;
	}
	if (unit->code->local_bytes <= LOCAL_MAX)
		return true;
	simt_refuse(m, "%.100s needs %" PRIu64 " bytes of local memory; there are %" PRIu64, unit->code->name,
		unit->code->local_bytes, LOCAL_MAX);
	return false;
}

static struct call_slot *actual_slots(struct program *p, const struct ptx_operand *list, struct arena *arena)
{
	struct call_slot *slots = arena_array(arena, struct call_slot, (size_t)list->index);
	for (int i = 0; i < list->index; i++) {
		const struct ptx_operand *o = &list->elements[i];
		uint8_t bytes;
		if (o->kind == PTX_SINK) {
			slots[i].kind = SLOT_NONE;
		} else if (o->kind == PTX_VAR) {
			slots[i] = (struct call_slot){.kind = SLOT_FRAME,
				.offset = p->unit->var_address[o->index],
				.bytes = (uint32_t)p->unit->code->uses[o->index].var->size};
		} else {
			slots[i].ref = simt_decode_operand(p, o, PTX_B64, &bytes);
			slots[i].bytes = bytes;
			slots[i].kind = bytes ? SLOT_LANES : SLOT_MASK;
		}
	}
	return slots;
}

void simt_call_decode(struct program *p, struct code *c, struct arena *arena)
{
	const struct ptx_operand *o = c->instr->operands, *callee = &o[PTX_CALL_CALLEE];
	struct call_site *call = arena_array(arena, struct call_site, 1);
	uint8_t slot;

	call->unit = -1;
	call->results = actual_slots(p, &o[PTX_CALL_RESULTS], arena);
	call->args = actual_slots(p, &o[PTX_CALL_ARGS], arena);
	if (callee->kind == PTX_FUNC) {
		const struct ptx_kernel *function = p->kernel->module->functions[callee->index];
		call->unit = p->unit_of[function->index];
		call->builtin = (enum ptx_builtin)function->builtin;
		p->uses_heap |= call->builtin == PTX_BUILTIN_MALLOC;
	} else {
		call->prototype = &p->kernel->module->prototypes[o[PTX_CALL_PROTOTYPE].index];
		c->r[PTX_CALL_CALLEE] = simt_decode_operand(p, callee, PTX_B64, &slot);
	}
	c->call = call;
}

/* --- frames ------------------------------------------------------------------------------------------------------- */

/* Room for `bytes` more of the block's stacks; false, with the outcome, when there is none. */
static bool may_grow(struct warp *w, const struct code *c, uint64_t bytes)
{
	struct machine *m = w->m;
	if (bytes > STACK_MAX - m->stack_bytes) {
		simt_limit_at(w, c, "the calls of the block take more than %u MiB", (unsigned)(STACK_MAX >> 20));
		return false;
	}
	m->stack_bytes += bytes;
	return true;
}

static void free_local(struct warp *w)
{
	if (w->local.bytes != w->local.first)
		free(w->local.bytes);
	w->local.bytes = w->local.first;
	w->local.size = w->m->local_room;
}

void simt_frame_drop(struct warp *w, uint32_t frame)
{
	struct frame *f = &w->frames.at[frame];
	if (f->memory)
		w->m->stack_bytes -= f->unit->regs_bytes;
	free(f->memory);
	simt_undefined_drop(f);
	*f = (struct frame){.next_free = w->frames.free};
	w->frames.free = frame;
}

static void drop_all(struct warp *w)
{
	w->frames.free = NO_FRAME;
	for (uint32_t i = w->frames.n; i-- > 1;)
		simt_frame_drop(w, i);
	w->m->stack_bytes -= WARP_SIZE * (w->local.charged - w->m->local_room);
	w->local.charged = w->m->local_room;
}

void simt_frames_start(struct warp *w)
{
	drop_all(w);
	simt_undefined_clear(w);
	if (WARP_SIZE * w->local.size > KEPT_MAX)
		free_local(w);
	for (size_t lane = 0; lane < WARP_SIZE; lane++)
		memset(w->local.bytes + lane * w->local.size, 0, (size_t)w->m->local_bytes);
	w->frame = 0;
	simt_frame_view(w, 0);
}

void simt_frames_free(struct warp *w)
{
	drop_all(w);
	simt_undefined_clear(w);
	free_local(w);
	free(w->frames.at);
}

/* A zeroed frame of `unit` for `lanes`; NO_FRAME, with the outcome, when the stack is too deep. */
static uint32_t make_frame(struct warp *w, const struct code *c, uint32_t lanes, const struct code_unit *unit)
{
	const struct frame *caller = &w->frames.at[w->frame];
	uint64_t base = (caller->local_end + unit->local_align - 1) / unit->local_align * unit->local_align;
	struct frame f = {.unit = unit,
		.call = c,
		.caller = w->frame,
		.depth = caller->depth + 1,
		.local_base = base,
		.local_end = base + unit->code->local_bytes};

	if (f.depth > DEPTH_MAX) {
		simt_limit_at(w, c, "the call stack is deeper than %u calls", DEPTH_MAX);
		return NO_FRAME;
	}

	/* Local memory grows. What is charged depends on the block alone; room that earlier blocks left is used even
	 * so. */
	uint64_t before = w->local.charged;
	if (f.local_end > before) {
		uint64_t wider = f.local_end > 2 * before ? f.local_end : 2 * before;
		if (f.local_end > LOCAL_MAX) {
			simt_limit_at(w, c,
				"the calls of a thread take more than the %" PRIu64 " bytes of local memory there are",
				LOCAL_MAX);
			return NO_FRAME;
		}
		wider = (wider > LOCAL_MAX ? LOCAL_MAX : wider + 15) / 16 * 16;
		if (!may_grow(w, c, WARP_SIZE * (wider - before)))
			return NO_FRAME;
		w->local.charged = wider;
		if (wider > w->local.size) {
			uint64_t size = w->local.size;
			uint8_t *local = base_calloc(WARP_SIZE, (size_t)wider);
			for (size_t lane = 0; lane < WARP_SIZE && size; lane++)
				memcpy(local + lane * wider, w->local.bytes + lane * size, (size_t)size);
			simt_undefined_widen(w, wider);
			free_local(w);
			w->local.bytes = local;
			w->local.size = wider;
		}
	}

	if (!may_grow(w, c, unit->regs_bytes))
		return NO_FRAME;
	for (uint32_t rest = lanes; rest && f.local_end > base; rest &= rest - 1)
		memset(w->local.bytes + (size_t)__builtin_ctz(rest) * w->local.size + base, 0,
			(size_t)(f.local_end - base));
	simt_undefined_frame(w, lanes, &f);
	f.memory = base_calloc(1, unit->regs_bytes + 64);
	f.regs = f.memory + (64 - (uintptr_t)f.memory % 64);

	uint32_t frame = w->frames.free;
	if (frame == NO_FRAME) {
		frame = w->frames.n;
		vec_push(w->frames.at, w->frames.n, w->frames.cap);
	} else {
		w->frames.free = w->frames.at[frame].next_free;
	}
	w->frames.at[frame] = f;
	return frame;
}

/* --- passing ------------------------------------------------------------------------------------------------------ */

/* Where lane `i` has it. */
static uint8_t *slot_of_lane(const struct warp *w, struct frame_slot s, int i)
{
	if (s.slot->kind == SLOT_FRAME)
		return w->local.bytes + (uint64_t)i * w->local.size + s.frame->local_base + s.slot->offset;
	uint8_t *bank = s.slot->ref.bank == BANK_REGS ? s.frame->regs : w->bank[s.slot->ref.bank];
	return bank + s.slot->ref.offset + (size_t)i * s.slot->bytes;
}

/* From lane to lane, when lane i has it at source + i * source_step. */
#define COPY_WORDS(type)                                                                                               \
	for (uint32_t rest = lanes; rest; rest &= rest - 1) {                                                          \
		size_t i = (size_t)__builtin_ctz(rest);                                                                \
		*(type *)(d + i * target_step) = *(const type *)(s + i * source_step);                                 \
	}

static uint64_t slot_step(const struct warp *w, const struct call_slot *slot)
{
	return slot->kind == SLOT_FRAME ? w->local.size : slot->bytes;
}

/* Most of what is passed are words in registers. False: this is something else. */
static bool copy_words(struct warp *w, uint32_t lanes, struct frame_slot from, struct frame_slot to)
{
	const uint8_t *s = slot_of_lane(w, from, 0);
	uint8_t *d = slot_of_lane(w, to, 0);
	uint64_t source_step = slot_step(w, from.slot), target_step = slot_step(w, to.slot);
	uint32_t bytes = to.slot->bytes;

	if (from.slot->bytes != bytes || (bytes != 4 && bytes != 8) ||
		((uintptr_t)s | (uintptr_t)d | source_step | target_step) & (bytes - 1u))
		return false;
	if (bytes == 4)
		COPY_WORDS(u32)
	else
		COPY_WORDS(u64)
	return true;
}

/* The narrower of the two says how much; the rest of a wider register is zero. */
static void copy_slot(struct warp *w, uint32_t lanes, struct frame_slot from, struct frame_slot to)
{
	if (to.slot->kind == SLOT_NONE)
		return;
	if (w->undefined)
		simt_undefined_pass(w, lanes, from, to);
	if (to.slot->kind == SLOT_MASK) {
		const u32 *mask = (const u32 *)(from.frame->regs + from.slot->ref.offset);
		set_pred(to.frame->regs + to.slot->ref.offset, lanes, *mask);
		return;
	}
	if (copy_words(w, lanes, from, to))
		return;
	size_t bytes = from.slot->bytes < to.slot->bytes ? from.slot->bytes : to.slot->bytes;
	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint8_t *d = slot_of_lane(w, to, i);
		memcpy(d, slot_of_lane(w, from, i), bytes);
		memset(d + bytes, 0, to.slot->bytes - bytes);
	}
}

uint64_t simt_call_argument(const struct warp *w, const struct code *c, int n, int lane)
{
	const struct call_slot *slot = &c->call->args[n];
	const struct frame_slot from = {slot, &w->frames.at[w->frame]};
	uint64_t value = 0;
	memcpy(&value, slot_of_lane(w, from, lane), slot->bytes < 8 ? slot->bytes : 8);
	return value;
}

void simt_call_result(struct warp *w, const struct code *c, int lane, uint64_t value)
{
	const struct call_slot *slot = &c->call->results[0];
	const struct frame_slot to = {slot, &w->frames.at[w->frame]};
	if (slot->kind != SLOT_NONE)
		memcpy(slot_of_lane(w, to, lane), &value, slot->bytes < 8 ? slot->bytes : 8);
}

/* --- call and return ---------------------------------------------------------------------------------------------- */

static void enter_function(struct warp *w, const struct code *c, uint32_t lanes, const struct code_unit *unit)
{
	uint32_t frame = make_frame(w, c, lanes, unit);
	if (frame == NO_FRAME)
		return;
	for (int i = 0; i < unit->code->signature.n_params; i++)
		copy_slot(w, lanes, (struct frame_slot){&c->call->args[i], &w->frames.at[w->frame]},
			(struct frame_slot){&unit->params[i], &w->frames.at[frame]});
	simt_paths_call(w, lanes, unit->code->n_instrs ? unit->first : w->m->program.n, frame);
}

EXEC(call)
{
	const struct code_unit *unit = &w->m->program.units[c->call->unit];
	if (mask != w->active)
		simt_paths_stay(w, mask);
	enter_function(w, c, mask, unit);
}

static bool is_target(const struct ptx_prototype *prototype, const struct ptx_kernel *function)
{
	for (int i = 0; i < prototype->n_targets; i++)
		if (function->module->functions[prototype->targets[i]->index] == function)
			return true;
	return !prototype->targets;
}

/* The lanes that call the same function go there together, those of the first lane last, and so they run first. */
EXEC(call_indirect)
{
	uint64_t address[WARP_SIZE];
	memcpy(address, R(PTX_CALL_CALLEE), sizeof address);
	simt_paths_stay(w, mask);
	while (mask && !w->m->stop) {
		uint64_t to = address[31 - __builtin_clz(mask)];
		uint32_t lanes = mask & LANES_WHERE(address[i] == to);

		const struct program *p = &w->m->program;
		const struct ptx_module *module = p->kernel->module;
		uint64_t index = (to - CODE_WINDOW) / 16 - 1;

		if (to % 16 || index >= (uint64_t)module->n_functions) {
			simt_fault(w, c,
				(struct fault){.kind = SIMT_BAD_CALL,
					.lanes = lanes,
					.address = to,
					.ending = to ? SIMT_ENDING_ILLEGAL : SIMT_ENDING_OF_KIND},
				"a call of 0x%" PRIx64 ", where there is no function", to);
			return;
		}
		const struct ptx_kernel *function = module->functions[index];
		if (!function->defined)
			simt_fault(w, c, (struct fault){.kind = SIMT_BAD_CALL, .lanes = lanes, .address = to},
				"a call of %.80s, which has no body in this PTX", function->name);
		else if (!ptx_same_signature(&function->signature, &c->call->prototype->signature))
			simt_fault(w, c, (struct fault){.kind = SIMT_BAD_CALL, .lanes = lanes, .address = to},
				"a call of %.80s, whose parameters or results are not those of %.80s", function->name,
				c->call->prototype->name);
		else if (!is_target(c->call->prototype, function) || p->unit_of[function->index] < 0)
			simt_fault(w, c, (struct fault){.kind = SIMT_BAD_CALL, .lanes = lanes, .address = to},
				"a call of %.80s, which %.80s does not list", function->name, c->call->prototype->name);
		if (w->m->stop)
			return;
		enter_function(w, c, lanes, &p->units[p->unit_of[function->index]]);
		mask &= ~lanes;
	}
}

exec_fn *simt_pick_ctl_call(const struct code *c)
{
	if (c->call->builtin)
		return simt_builtin_exec(c->call->builtin);
	return c->call->prototype ? call_indirect : call;
}

void simt_call_return(struct warp *w, uint32_t lanes)
{
	struct frame *f = &w->frames.at[w->frame];
	if (!f->call) {
		simt_paths_exit(w, lanes);
		return;
	}
	for (int i = 0; i < f->unit->code->signature.n_results; i++)
		copy_slot(w, lanes, (struct frame_slot){&f->unit->results[i], f},
			(struct frame_slot){&f->call->call->results[i], &w->frames.at[f->caller]});
	simt_paths_return(w, lanes);
}
