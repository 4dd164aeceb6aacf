/* Variables of the source that are seen from where the warp is: one row each, with its type and what the lanes have. */
#include <string.h>

#include "base/text.h"
#include "front/debug/object.h"
#include "front/screen/debug_parts.h"

#define VARIABLES_MAX 200
#define NAME_COLS_MAX 32

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

/* What there is to read in place of variables; NULL: there are some. */
static const char *nothing(const struct debug *debug, int n)
{
	if (debug->now.n_paths == 0)
		return debug->now.state == DEBUG_WARP_AWAITED ? _("The warp has not begun.")
							      : _("The warp has ended, its variables with it.");
	if (!debug->program->dwarf)
		return _("No variables in this PTX: compile it by debug --debug-info.");
	return n ? NULL : _("No variable is seen from here.");
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
	return cols < NAME_COLS_MAX ? cols : NAME_COLS_MAX;
}

static void draw_variable(const struct screen_debug_sketch *sketch, struct rect row, int cols, int variable)
{
	struct debug_at at = debug_at_now(sketch->debug);
	uint32_t lanes = debug_lanes(sketch->debug, sketch->debug->warp);
	struct debug_object o;
	struct buf type = {0}, name = {0}, value = {0};
	debug_object_of(&at, variable, &o);
	write_name(&at, variable, &o, &type, &name);
	debug_object_write_lanes(
		&at, &o, sketch->debug->lane == DEBUG_ANY ? lanes : lanes & 1u << sketch->debug->lane, &value);
	int name_len = (int)name.len < cols ? (int)name.len : cols, type_cols = cols - name_len - 1;
	canvas_text_fit(sketch->canvas, (struct rect){row.row, row.col, 1, type_cols > 0 ? type_cols : 0}, ROLE_DIM,
		buf_str(&type));
	canvas_text_fit(sketch->canvas, (struct rect){row.row, row.col + cols - name_len, 1, name_len}, ROLE_STRONG,
		buf_str(&name));
	canvas_text_fit(sketch->canvas, (struct rect){row.row, row.col + cols + 2, 1, row.cols - cols - 2},
		o.lost ? ROLE_DIM : ROLE_TEXT, buf_str(&value));
	buf_free(&type);
	buf_free(&name);
	buf_free(&value);
}

void screen_debug_draw_variables(const struct screen_debug_sketch *sketch, struct rect rect)
{
	const struct debug *debug = sketch->debug;
	struct debug_at at = debug_at_now(debug);
	int list[VARIABLES_MAX], n = find_all(debug, list), first = sketch->state->row_scroll;
	const char *why = nothing(debug, n);
	struct rect old = canvas_clip(sketch->canvas, rect);
	if (why)
		canvas_text_fit(sketch->canvas, rect, ROLE_DIM, why);
	int cols = why ? 0 : name_cols(&at, list, n);
	for (int i = 0; !why && i < rect.rows && first + i < n; i++)
		draw_variable(sketch, (struct rect){rect.row + i, rect.col, 1, rect.cols}, cols, list[first + i]);
	canvas_unclip(sketch->canvas, old);
}
