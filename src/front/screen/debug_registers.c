/* Registers as a table: one row a register, one column a lane. A register that is equal in all lanes, or grows evenly
 * and would need wide columns, is described in words instead. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "front/debug/object.h"
#include "front/screen/debug_parts.h"
#include "front/view/views.h"

#define NAME_COLS_MAX 10
#define CELL_MAX 20  /* two halves with three digits each; an address has 14 */
#define WORDS_FROM 7 /* characters from which an even row is described in words */

/* The table as it was laid out, and whose registers it has. */
struct register_table {
	struct canvas *canvas; /* NULL while it is laid out */
	const struct debug *debug;
	const struct screen_debug_table *at;
	uint32_t present; /* lanes that the warp has */
	int first_lane;
};

/* --- what a row says ---------------------------------------------------------------------------------------------- */

static int value_cols(const struct debug *debug, int reg, int lane)
{
	struct buf text = {0};
	debug_value(debug, reg, lane, DEBUG_DIGITS_FEW, &text);
	int cols = (int)text.len;
	buf_free(&text);
	return cols;
}

static bool is_equal_in(const struct register_table *t, int reg, uint32_t mask)
{
	const uint64_t *lanes = t->debug->registers[reg].lanes;
	for (int i = 0; i < WARP_SIZE; i++)
		if ((mask >> i & 1) && lanes[i] != lanes[__builtin_ctz(mask)])
			return false;
	return mask != 0;
}

static bool is_uniform(const struct register_table *t, int reg)
{
	return is_equal_in(t, reg, t->present) && (t->present & (t->present - 1));
}

/* Grows by the same from lane to lane: an address, mostly. */
static bool is_even(const struct register_table *t, int reg, int64_t *by)
{
	const uint64_t *lanes = t->debug->registers[reg].lanes;
	bool whole = t->present == UINT32_MAX && t->debug->program->regs[reg].kind == 'X';
	*by = (int64_t)(lanes[1] - lanes[0]);
	for (int i = 2; whole && i < WARP_SIZE; i++)
		whole = (int64_t)(lanes[i] - lanes[i - 1]) == *by;
	return whole && value_cols(t->debug, reg, 0) >= WORDS_FROM;
}

static bool is_in_words(const struct register_table *t, int reg)
{
	int64_t by;

	if (is_uniform(t, reg) || is_even(t, reg, &by))
		return true;
	/* An address that the active lanes have in common, while the others keep what they had. */
	uint32_t active = t->debug->now.active;
	return t->debug->program->regs[reg].kind == 'X' && is_equal_in(t, reg, active) &&
		value_cols(t->debug, reg, __builtin_ctz(active)) >= WORDS_FROM;
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

static void draw_row(
	struct canvas *canvas, struct rect rect, const struct register_table *t, const struct debug_shown *shown)
{
	static const char *const uses[] = {[DEBUG_USE_NONE] = "", [DEBUG_USE_READ] = "in", [DEBUG_USE_WRITTEN] = "out"};
	const struct debug_register *r = &t->debug->registers[shown->reg];
	const char *mark = shown->use == DEBUG_USE_NONE && r->displayed ? "◆" : uses[shown->use];
	int col = rect.col + 4 + t->at->name_cols;
	canvas_text(canvas, rect.row, rect.col, ROLE_KEY, mark);
	canvas_text_fit(canvas, (struct rect){rect.row, rect.col + 4, 1, t->at->name_cols},
		shown->use ? ROLE_STRONG : ROLE_TEXT, t->debug->program->regs[shown->reg].name);
	if (is_in_words(t, shown->reg)) {
		struct buf text = {0};

		int64_t by = 0;
		bool uniform = is_uniform(t, shown->reg), even = !uniform && is_even(t, shown->reg, &by);
		int lane = __builtin_ctz(uniform || even ? t->present : t->debug->now.active);
		debug_value(t->debug, shown->reg, lane, DEBUG_DIGITS_ALL, &text);
		if (uniform)
			buf_puts(&text, _(" in all lanes"));
		else if (even)
			buf_printf(&text, _(" in lane 0, %+lld from lane to lane"), (long long)by);
		else
			buf_puts(&text,
				text_plural(" in the active lane", " in the active lanes",
					(unsigned)__builtin_popcount(t->debug->now.active)));

		if (r->changed)
			canvas_put(canvas, rect.row, col, '*', ROLE_WATCHED);
		canvas_text_fit(canvas, (struct rect){rect.row, col + 1, 1, rect.col + rect.cols - col - 1},
			r->changed ? ROLE_WATCHED : ROLE_TEXT, buf_str(&text));
		buf_free(&text);
		return;
	}
	for (int lane = t->first_lane; lane < WARP_SIZE && col + t->at->cell_cols + 1 <= rect.col + rect.cols; lane++) {
		const struct debug_register *reg = &t->debug->registers[shown->reg];
		bool changed = reg->changed >> lane & 1, active = t->debug->now.active >> lane & 1;
		struct buf text = {0};
		if (t->present >> lane & 1) {
			debug_value(t->debug, shown->reg, lane, DEBUG_DIGITS_FEW, &text);
			int cols = (int)text.len < t->at->cell_cols ? (int)text.len : t->at->cell_cols;
			enum role role = changed ? ROLE_WATCHED : active ? ROLE_TEXT : ROLE_DIM;
			canvas_text_fit(t->canvas, (struct rect){rect.row, col + 1 + t->at->cell_cols - cols, 1, cols},
				role, buf_str(&text));
			if (changed)
				canvas_put(t->canvas, rect.row, col + t->at->cell_cols - cols, '*', ROLE_WATCHED);
			buf_free(&text);
		}

		col += t->at->cell_cols + 1;
	}
}

static int clamp(int value, int most)
{
	return value > most ? (most > 0 ? most : 0) : value < 0 ? 0 : value;
}

void screen_debug_lay_out_registers(struct screen_debug_state *state, const struct debug *debug, struct rect rect)
{
	struct screen_debug_table *t = &state->layout.registers;
	t->rows = rect.rows - 1;
	t->first = 0;
	t->n = debug_shown(debug, t->shown, SCREEN_DEBUG_TABLE_ROWS_MAX);
	if (t->n == 0 || t->rows < 1)
		return;
	if (state->pane == DEBUG_PANE_REGISTERS)
		t->first = state->row_scroll = clamp(state->row_scroll, t->n - t->rows);

	const struct register_table table = {.debug = debug, .at = t, .present = debug_lanes(debug, debug->warp)};
	t->name_cols = 0;
	t->cell_cols = 2;
	for (int i = t->first; i < t->first + t->rows && i < t->n; i++) {
		int reg = t->shown[i].reg, name = (int)strlen(debug->program->regs[reg].name);
		t->name_cols = name > t->name_cols ? name : t->name_cols;
		for (int lane = 0; lane < WARP_SIZE && !is_in_words(&table, reg); lane++) {
			int cols = table.present >> lane & 1 ? value_cols(debug, reg, lane) : 0;
			t->cell_cols = cols > t->cell_cols ? cols : t->cell_cols;
		}
	}
	t->cell_cols = t->cell_cols > CELL_MAX ? CELL_MAX : t->cell_cols;
	t->name_cols = t->name_cols > NAME_COLS_MAX ? NAME_COLS_MAX : t->name_cols;

	int fit = (rect.cols - 4 - t->name_cols) / (t->cell_cols + 1);
	fit = fit < 1 ? 1 : fit > WARP_SIZE ? WARP_SIZE : fit;
	state->first_lane = clamp(state->first_lane, WARP_SIZE - fit);
}

void screen_debug_draw_registers(const struct screen_debug_sketch *sketch, struct rect rect)
{
	struct canvas *canvas = sketch->canvas;
	const struct debug *debug = sketch->debug;
	const struct screen_debug_table *at = &sketch->state->layout.registers;
	struct register_table t = {canvas, debug, at, debug_lanes(debug, debug->warp), sketch->state->first_lane};
	struct rect old = canvas_clip(canvas, rect);
	if (at->n == 0 || at->rows < 1) {
		canvas_text_fit(canvas, rect, ROLE_DIM,
			debug->now.n_paths ? _("No register has been written yet.")
				: debug->now.state == DEBUG_WARP_AWAITED
				? _("The warp has not begun.")
				: _("The warp has ended, its registers with it."));
		canvas_unclip(canvas, old);
		return;
	}

	/* Lanes that are active stand out in the head. */
	int col = rect.col + 4 + t.at->name_cols;
	canvas_text(canvas, rect.row, rect.col, ROLE_DIM, _("lane"));
	for (int lane = t.first_lane; lane < WARP_SIZE && col + t.at->cell_cols + 1 <= rect.col + rect.cols; lane++) {
		bool active = t.debug->now.active >> lane & 1;
		canvas_textf(canvas, rect.row, col, active ? ROLE_LANE : ROLE_IDLE, "%*d", t.at->cell_cols + 1, lane);
		col += t.at->cell_cols + 1;
	}

	for (int i = 0; i < at->rows && at->first + i < at->n; i++)
		draw_row(
			canvas, (struct rect){rect.row + 1 + i, rect.col, 1, rect.cols}, &t, &at->shown[at->first + i]);
	canvas_unclip(canvas, old);
}

/* --- variables ---------------------------------------------------------------------------------------------------- */

#define VARIABLES_MAX 200
#define VARIABLE_COLS_MAX 32

static int find_all(const struct debug *debug, int *out)
{
	struct debug_at at = debug_at_now(debug);
	return debug->now.n_paths ? debug_variables(&at, out, VARIABLES_MAX) : 0;
}

void screen_debug_lay_out_variables(struct screen_debug_state *state, const struct debug *debug, struct rect rect)
{
	int list[VARIABLES_MAX], most = find_all(debug, list) - rect.rows;
	if (state->row_scroll > most)
		state->row_scroll = most;
	if (state->row_scroll < 0)
		state->row_scroll = 0;
}

static void write_name(
	const struct debug_at *at, int variable, const struct debug_object *o, struct buf *type, struct buf *name)
{
	debug_object_write_type(at, o, type);
	buf_puts(name, debug_dwarf_name(at->debug->program->dwarf, variable));
}

static int name_cols(const struct debug_at *at, const int *list, int n)
{
	int cols = 0;
	for (int i = 0; i < n; i++) {
		struct debug_object o;
		struct buf type = {0}, name = {0};
		debug_object_of(at, list[i], &o);
		write_name(at, list[i], &o, &type, &name);
		int own = (int)(type.len + 1 + name.len);
		cols = own > cols ? own : cols;
		buf_free(&type);
		buf_free(&name);
	}
	return cols < VARIABLE_COLS_MAX ? cols : VARIABLE_COLS_MAX;
}

void screen_debug_draw_variables(const struct screen_debug_sketch *sketch, struct rect rect)
{
	const struct debug *debug = sketch->debug;
	struct debug_at at = debug_at_now(debug);
	int list[VARIABLES_MAX], n = find_all(debug, list), first = sketch->state->row_scroll;

	/* What there is to read in place of variables; NULL: there are some. */
	const char *why;
	if (debug->now.n_paths == 0)
		why = debug->now.state == DEBUG_WARP_AWAITED ? _("The warp has not begun.")
							     : _("The warp has ended, its variables with it.");
	else if (!debug->program->dwarf)
		why = _("No variables in this PTX: compile it by debug --debug-info.");
	else
		why = n ? NULL : _("No variable is seen from here.");

	struct rect old = canvas_clip(sketch->canvas, rect);
	if (why)
		canvas_text_fit(sketch->canvas, rect, ROLE_DIM, why);
	int cols = why ? 0 : name_cols(&at, list, n);
	for (int i = 0; !why && i < rect.rows && first + i < n; i++) {
		struct rect row = {rect.row + i, rect.col, 1, rect.cols};
		int variable = list[first + i];
		uint32_t lanes = debug_lanes(debug, debug->warp);
		struct debug_object o;
		struct buf type = {0}, name = {0}, value = {0};
		debug_object_of(&at, variable, &o);
		write_name(&at, variable, &o, &type, &name);
		debug_object_write_lanes(&at, &o, debug->lane == DEBUG_ANY ? lanes : lanes & 1u << debug->lane, &value);
		int name_len = (int)name.len < cols ? (int)name.len : cols, type_cols = cols - name_len - 1;
		canvas_text_fit(sketch->canvas, (struct rect){row.row, row.col, 1, type_cols > 0 ? type_cols : 0},
			ROLE_DIM, buf_str(&type));
		canvas_text_fit(sketch->canvas, (struct rect){row.row, row.col + cols - name_len, 1, name_len},
			ROLE_STRONG, buf_str(&name));
		canvas_text_fit(sketch->canvas, (struct rect){row.row, row.col + cols + 2, 1, row.cols - cols - 2},
			o.lost ? ROLE_DIM : ROLE_TEXT, buf_str(&value));
		buf_free(&type);
		buf_free(&name);
		buf_free(&value);
	}
	canvas_unclip(sketch->canvas, old);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

void screen_debug_memory_title(const struct debug *debug, struct buf *out)
{
	const struct debug_access *a = &debug->access;
	if (a->when != DEBUG_ACCESS_NEXT)
		return;
	struct access_cost cost = access_cost(&a->access, debug->cc);
	int n = a->access.space == SPACE_SHARED ? cost.wavefronts : cost.sectors;
	if (a->access.space == SPACE_SHARED)
		buf_printf(out, text_plural("%d wavefront", "%d wavefronts", (unsigned)n), n);
	else
		buf_printf(out, text_plural("%d sector", "%d sectors", (unsigned)n), n);
}

void screen_debug_draw_memory(struct canvas *canvas, struct rect rect, const struct debug *debug)
{
	const struct debug_access *a = &debug->access;
	if (a->when == DEBUG_ACCESS_NONE) {
		canvas_text_fit(canvas, rect, ROLE_DIM, _("This warp has not accessed shared or global memory yet."));
		return;
	}
	struct view_input input = view_input_none;
	input.access = &a->access;
	input.cc = debug->cc;
	if (rect.rows < 1)
		return;

	struct buf text = {0};
	buf_printf(&text, "%s: %s; ", a->when == DEBUG_ACCESS_NEXT ? _("about to execute") : _("executed last"),
		debug_instr_text(debug->program, a->instr));
	debug_write_place(debug, a->instr, &text);
	canvas_text_fit(canvas, rect, a->when == DEBUG_ACCESS_NEXT ? ROLE_WATCHED : ROLE_DIM, buf_str(&text));
	buf_free(&text);

	rect.row++;
	rect.rows--;
	view_draw(a->access.space == SPACE_SHARED ? VIEW_BANKS : VIEW_SECTORS, canvas, rect, &input);
}
