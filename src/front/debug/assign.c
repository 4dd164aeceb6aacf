/* Assignments: the value of an expression, lane by lane, into what a path names. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/narrow.h"
#include "front/debug/private.h"

static bool no(const char **why, const char *text)
{
	*why = text;
	return false;
}

/* --- bits --------------------------------------------------------------------------------------------------------- */

static bool bits_of(
	const struct debug_at *at, const struct debug_object *o, struct number n, uint64_t *out, const char **why)
{
	bool floats = debug_object_is_real(at, o);
	const struct debug_reg *reg = o->kind == DEBUG_OBJECT_REGISTER ? &at->debug->program->regs[o->reg] : NULL;
	if (reg && reg->kind == 'P') {
		*out = number_is_true(n);
		return true;
	}
	bool bits = reg || o->kind == DEBUG_OBJECT_WORD;
	if (floats || (bits && n.real && o->size >= 2 && o->size <= 8)) {
		double value = number_as_real(n);
		float single = (float)value;
		*out = 0;
		if (o->size == 2)
			*out = narrow_nearest(value, &narrow_half);
		else if (o->size == 4)
			memcpy(out, &single, sizeof single);
		else
			memcpy(out, &value, sizeof value);
		return true;
	}

	/* A whole number that has to fit: as a signed one or an unsigned one of that size. */
	uint64_t bits_size = o->size;
	if (n.real && (!(n.d >= -0x1p63 && n.d < 0x1p63) || floor(n.d) < n.d))
		return no(why, "this takes a whole number");
	int64_t value = n.real ? (int64_t)n.d : n.i, high = bits_size < 8 ? value >> (8 * bits_size) : 0;
	bool negative = bits_size < 8 && high == -1 && (value >> (8 * bits_size - 1) & 1);
	*out = (uint64_t)value;
	return high == 0 || negative || no(why, "the number is too large for it");
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static bool find_target(
	const struct debug_at *at, const struct debug_object *o, struct debug_change *c, const char **why)
{
	uint64_t in = o->offset;
	int i = 0;
	if (o->kind == DEBUG_OBJECT_REGISTER) {
		c->reg = at->debug->program->regs[o->reg].index;
		return true;
	}
	if (o->kind != DEBUG_OBJECT_VARIABLE)
		return no(why, "this cannot be changed");
	if (o->lost)
		return no(why, o->lost);
	for (; i < o->n_pieces && in >= o->pieces[i].bytes; i++)
		in -= o->pieces[i].bytes;
	if (i == o->n_pieces || o->size > o->pieces[i].bytes - in)
		return no(why, "a part of it is optimized out");
	const struct debug_piece *p = &o->pieces[i];
	if (p->kind == DEBUG_PIECE_MEMORY) {
		enum mem_space space;
		c->bytes = (uint32_t)o->size;
		for (uint32_t left = c->lanes; left; left &= left - 1) {
			int lane = __builtin_ctz(left);
			if (!debug_object_address(at, o, lane, 0, &c->address[lane]) ||
				!simt_session_at(at->debug->private->session, at->block, at->warp, (uint32_t)lane,
					c->address[lane], c->bytes, &space))
				return no(why, "there is no memory at its address");
			if (space == SPACE_CONST || space == SPACE_PARAM)
				return no(why, "constants and parameters cannot be changed");
		}
		return true;
	}
	const struct debug_program *program = at->debug->program;
	int reg = -1, part = at->instr >= 0 ? program->instrs[at->instr].part : 0;
	for (int r = 0; p->kind == DEBUG_PIECE_REGISTER && r < program->n_regs && reg < 0; r++)
		if (program->regs[r].part == part && strcmp(program->regs[r].name, p->reg) == 0)
			reg = r;
	if (reg < 0)
		return no(why, "the compiler has made it a constant");

	/* Bits of a part of a register, among those that it has. */
	uint64_t lanes[WARP_SIZE], mask = o->size < 8 ? (UINT64_C(1) << 8 * o->size) - 1 : UINT64_MAX;
	c->reg = program->regs[reg].index;
	if (in == 0 && o->offset == 0)
		return true;
	if (in + o->size > 8 || !simt_session_register(at->debug->private->session, at->block, at->warp, c->reg, lanes))
		return no(why, "its register is not in use");
	for (int j = 0; j < WARP_SIZE; j++)
		c->value[j] = (lanes[j] & ~(mask << 8 * in)) | (c->value[j] & mask) << 8 * in;
	return true;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

/* What the reader has put into registers and memory: it belongs to the launch from then on, and happens again when that
 * is run again. */

static void apply_change(struct debug *debug, const struct debug_change *c)
{
	struct simt_session *session = debug->private->session;
	if (c->reg >= 0) {
		simt_session_put_register(session, c->block, c->warp, c->reg, c->lanes, c->value);
		return;
	}
	for (uint32_t left = c->lanes; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		simt_session_put(
			session, c->block, c->warp, (uint32_t)lane, c->address[lane], &c->value[lane], c->bytes);
	}
}

void debug_changes_apply(struct debug *debug, uint64_t step)
{
	const struct debug_changes *all = &debug->private->changes;
	for (size_t i = 0; i < all->n; i++)
		if (all->at[i].step == step)
			apply_change(debug, &all->at[i]);
}

static void add_change(struct debug *debug, const struct debug_change *change)
{
	struct debug_changes *all = &debug->private->changes;
	while (all->n && all->at[all->n - 1].step > debug->step)
		all->n--; /* of another future */
	struct debug_change *c = vec_push(all->at, all->n, all->cap);
	*c = *change;
	c->step = debug->step;
	c->block = debug->block;
	c->warp = debug->warp;
	debug->private->furthest = debug->step;
	apply_change(debug, c);
	/* What is now may differ from what was: another guard may hold. */
	simt_session_next(debug->private->session, &debug->next);
	debug_look(debug);
}

/* --- the assignment ----------------------------------------------------------------------------------------------- */

uint32_t debug_chosen_lanes(const struct debug *debug)
{
	return debug->lane == DEBUG_ANY ? debug->now.active : 1u << debug->lane & debug_lanes(debug, debug->warp);
}

static struct diag_pos pos_in(const char *what, const char *text, const char *at)
{
	return diag_pos_in(what, text, at);
}

static bool evaluate(const struct debug_at *at, const struct debug_object *o, const char *text, struct debug_change *c,
	struct diag *diag)
{
	struct arena *arena = arena_new();
	const struct debug_expression *e = debug_expression_parse(arena, at, text, diag);
	bool ok = e != NULL;
	for (uint32_t left = c->lanes; left && ok; left &= left - 1) {
		int lane = __builtin_ctz(left);
		const char *why = "it has no value";
		struct number n;
		ok = debug_expression_number(e, at, lane, &n, &why) && bits_of(at, o, n, &c->value[lane], &why);
		if (!ok)
			diag_error(diag, pos_in("value", text, text), "%s", why);
	}
	arena_free(arena);
	return ok;
}

static bool can_change(const struct debug *debug, uint32_t lanes, struct diag *diag)
{
	const char *why = debug->ended ? "the launch has ended: go back to change something"
		: !debug->now.n_paths  ? "this warp is not running"
		: !lanes               ? "no lane is active here"
				       : NULL;
	if (why)
		diag_error(diag, (struct diag_pos){.file = "set"}, "%s", why);
	return !why;
}

bool debug_assign(struct debug *debug, const char *path, const char *value, uint32_t lanes, struct diag *diag)
{
	struct debug_at at = debug_at_now(debug);
	struct debug_object o;
	struct debug_change change = {.lanes = lanes & debug_lanes(debug, debug->warp), .reg = -1};
	const char *text = path, *why = "";
	if (!can_change(debug, change.lanes, diag))
		return false;
	bool found = debug_object_find(&at, &text, &o, &why);
	text += found ? strspn(text, " \t") : 0;
	if (!found || *text) {
		diag_error(diag, pos_in("name", path, text), "%s", found ? "expected a name alone" : why);
		return false;
	}
	if (!debug_object_is_number(&at, &o)) {
		diag_error(diag, pos_in("name", path, path), "%s",
			o.lost ? o.lost : "it is not one number: change its parts");
		return false;
	}
	if (!evaluate(&at, &o, value, &change, diag))
		return false;
	if (!find_target(&at, &o, &change, &why)) {
		diag_error(diag, pos_in("name", path, path), "%s", why);
		return false;
	}
	snprintf(change.text, sizeof change.text, "%s = %s", path, value);
	add_change(debug, &change);
	return true;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

bool debug_assign_word(struct debug *debug, enum mem_space space, uint32_t lane, uint64_t address, const char *value,
	struct diag *diag)
{
	struct debug_at at = debug_at_now(debug);
	struct debug_change change = {.lanes = 1u << lane % WARP_SIZE, .reg = -1, .bytes = 4};
	/* a word has no type: a real number is one of single precision */
	const struct debug_object word = {.kind = DEBUG_OBJECT_WORD, .type = -1, .size = 4};
	enum mem_space in;
	change.address[lane] = simt_generic_address(space, address);
	if (!can_change(debug, change.lanes, diag) || !evaluate(&at, &word, value, &change, diag))
		return false;
	if (!simt_session_at(debug->private->session, at.block, at.warp, lane, change.address[lane], 4, &in)) {
		diag_error(diag, (struct diag_pos){.file = "set"}, "there is no memory at its address");
		return false;
	}
	snprintf(change.text, sizeof change.text, "%s %" PRIu64 " = %s", space == SPACE_SHARED ? "shared" : "local",
		address, value);
	add_change(debug, &change);
	return true;
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

void debug_changes_write(const struct debug *debug, struct buf *out)
{
	const struct debug_changes *all = &debug->private->changes;
	for (size_t i = 0; i < all->n; i++)
		buf_printf(out, "step %" PRIu64 "  block %" PRIu32 " warp %" PRIu32 "  %s\n", all->at[i].step,
			all->at[i].block, all->at[i].warp, all->at[i].text);
	if (!all->n)
		buf_puts(out, "nothing has been changed\n");
}

bool debug_change_undo(struct debug *debug)
{
	struct debug_changes *all = &debug->private->changes;
	if (!all->n)
		return false;
	uint64_t step = all->at[--all->n].step;
	debug->private->furthest = step < debug->private->furthest ? step : debug->private->furthest;
	debug_job_again(debug, step);
	return true;
}
