#include "front/screen/debug.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/paths.h"
#include "base/text.h"
#include "base/utf8.h"
#include "front/debug/keys.h"
#include "front/screen/debug_parts.h"
#include "front/screen/flow.h"
#include "front/screen/keybar.h"
#include "front/screen/parts.h"
#include "machine/ptx/instr.h"

#define ALL_COLS 110 /* from this size on all panes are there at once */
#define ALL_ROWS 30
#define SIDE_BY_SIDE_COLS 72 /* for source and PTX */
#define PTX_COLS 35          /* beside the source, where room is short */
#define RIGHT_COLS_MIN 48
#define RIGHT_COLS_MAX 76
#define FOOTER_KEYS_MAX 48
#define HELP_LINES_MAX 100
#define NOTICE_ROWS_MAX 4

void screen_debug_add_target(struct screen_debug_sketch *sketch, struct screen_debug_target target)
{
	struct screen_debug_targets *targets = sketch->targets;
	if (targets && targets->n < SCREEN_DEBUG_TARGETS_MAX)
		targets->t[targets->n++] = target;
}

static void action_target(struct screen_debug_sketch *sketch, struct rect rect, enum debug_action action)
{
	screen_debug_add_target(sketch, (struct screen_debug_target){rect, action, 0, -1});
}

/* --- title -------------------------------------------------------------------------------------------------------- */

static enum role state_text(const struct debug *debug, char *out, size_t size)
{
	static const char *const words[] = {
		[DEBUG_WARP_AWAITED] = N_("not begun"),
		[DEBUG_WARP_RUNS] = "",
		[DEBUG_WARP_AT_BARRIER] = N_("at the barrier"),
		[DEBUG_WARP_AT_SYNC] = N_("at a .sync"),
		[DEBUG_WARP_ENDED] = N_("warp ended"),
	};
	if (debug->ended && debug->result.outcome == SIMT_OK) {
		snprintf(out, size, _("ended"));
		return ROLE_GOOD;
	}
	if (debug->ended) {
		bool defect = debug->result.outcome == SIMT_DEFECT;
		snprintf(out, size, "%s", defect ? simt_defect_name(debug->result.defect) : _("stopped"));
		return ROLE_ERROR;
	}
	snprintf(out, size, "%s", words[debug->now.state]);
	return ROLE_WATCHED;
}

/* " (1,2)": the coordinates of a linear index, where there is more than one. */
static void write_place(const uint32_t shape[3], uint32_t index, struct buf *out)
{
	if (shape[1] == 1 && shape[2] == 1)
		return;
	buf_printf(out, " (%u,%u", index % shape[0], index / shape[0] % shape[1]);
	if (shape[2] > 1)
		buf_printf(out, ",%u", index / shape[0] / shape[1]);
	buf_putc(out, ')');
}

/* --- the last rows ------------------------------------------------------------------------------------------------ */

/* Rows that the notice takes, or what stands in its place; at least one. */
static int status_rows(const struct debug *debug, int cols)
{
	if (debug->prompt.mark || debug_busy(debug))
		return 1;
	struct screen_flow flow = screen_flow_measure(cols - 2);
	screen_flow_plain(&flow, ROLE_TEXT, "", 0, debug->said.notice);
	return flow.row < 1 ? 1 : flow.row > NOTICE_ROWS_MAX ? NOTICE_ROWS_MAX : flow.row;
}

/* The rows of the prompt, of what runs, of what there is to say, or of the instruction. */
static void draw_status(struct screen_debug_sketch *sketch)
{
	struct canvas *canvas = sketch->canvas;
	const struct debug *debug = sketch->debug;
	int row = sketch->state->layout.status_row, rows = canvas->rows - 1 - row;
	struct rect rect = {row, 0, rows, canvas->cols};
	struct buf progress = {0};
	debug_progress(debug, &progress);
	if (debug->prompt.mark) {
		int cols = canvas->cols - 3, len = utf8_columns(debug->prompt.text);
		const char *from = len > cols - 1 ? debug->prompt.text + len - (cols - 1)
						  : debug->prompt.text; /* ASCII: a byte a column */
		canvas_put(canvas, row, 1, (uint32_t)debug->prompt.mark, ROLE_KEY);
		int col = 2 + canvas_text(canvas, row, 2, ROLE_STRONG, from);
		canvas_put(canvas, row, col, ' ', ROLE_SELECTED);
	} else if (progress.len) {
		canvas_text_fit(
			canvas, (struct rect){rect.row, 1, 1, canvas->cols - 2}, ROLE_WATCHED, buf_str(&progress));
	} else if (rows > 1 || strchr(debug->said.notice, '`')) {
		enum role role = debug->said.wrong ? ROLE_ERROR : ROLE_STRONG;
		struct rect old = canvas_clip(canvas, rect);
		struct screen_flow flow = {
			.canvas = canvas, .row = rect.row, .col = rect.col + 1, .cols = rect.cols - 2};
		screen_flow_plain(&flow, role, "", 0, debug->said.notice);
		canvas_unclip(canvas, old);
	} else {
		/* A short one leaves room for the instruction. */
		enum role role = debug->said.wrong ? ROLE_ERROR : ROLE_STRONG;
		int col = 1 + canvas_text(canvas, rect.row, 1, role, debug->said.notice);

		/* The instruction that is next, and what it does. */
		col += debug->said.notice[0] ? 2 : 0;
		if (debug->now.instr >= 0 && canvas->cols - 1 - col >= 8) {
			const struct ptx_form *form = debug->program->instrs[debug->now.instr].code->form;
			const char *text = debug_instr_text(debug->program, debug->now.instr);
			col += canvas_text_fit(canvas, (struct rect){rect.row, col, 1, canvas->cols - 1 - col},
				       ROLE_WATCHED, text) +
				3;
			if (instr_is_known(form) && canvas->cols - 1 - col > 8)
				canvas_text_fit(canvas, (struct rect){rect.row, col, 1, canvas->cols - 1 - col},
					ROLE_DIM, ptx_op_rows[form->op].meaning);
		}
	}
	buf_free(&progress);
}

static void footer_target(void *ctx, struct rect rect, int action)
{
	action_target(ctx, rect, (enum debug_action)action);
}

/* --- panes -------------------------------------------------------------------------------------------------------- */

static struct rect inside(struct screen_debug_frame f)
{
	return (struct rect){f.top + 1, f.col + 1, f.bottom - f.top - 1, f.end - f.col - 1};
}

/* Text does not touch the frame; code has its marks there. */
static struct rect padded(struct rect rect)
{
	return (struct rect){rect.row, rect.col + 1, rect.rows, rect.cols - 1};
}

static int draw_tab(struct screen_debug_sketch *sketch, int row, int col, int end, enum debug_pane pane)
{
	char title[64];
	bool on = sketch->state->pane == pane;

	const struct debug *debug = sketch->debug;
	struct buf cost = {0};
	screen_debug_memory_title(debug, &cost);
	switch (pane) {
	case DEBUG_PANE_MEMORY:
		snprintf(title, sizeof title, _("memory%s%.40s"), cost.len ? ": " : "", buf_str(&cost));
		break;
	case DEBUG_PANE_PATHS:
		snprintf(title, sizeof title, debug->now.n_paths > 1 ? _("paths: %d") : _("paths"), debug->now.n_paths);
		break;
	case DEBUG_PANE_WARPS: snprintf(title, sizeof title, _("warps: %u"), debug->extent.warps); break;
	default: snprintf(title, sizeof title, "%s", text_translate(debug_pane_names[pane])); break;
	}
	buf_free(&cost);

	int cols = screen_draw_label(
		sketch->canvas, (struct rect){row, col, 1, end - col}, on ? ROLE_SELECTED : ROLE_KEY, title);
	action_target(
		sketch, (struct rect){row, col, 1, cols}, (enum debug_action)(DEBUG_ACT_PANE_REGISTERS + (int)pane));
	return cols;
}

static void draw_inside(const struct screen_debug_sketch *sketch, struct rect rect, enum debug_pane pane)
{
	if (rect.rows < 1 || rect.cols < 1)
		return;
	switch (pane) {
	case DEBUG_PANE_MEMORY: screen_debug_draw_memory(sketch->canvas, rect, sketch->debug); break;
	case DEBUG_PANE_PATHS: screen_debug_draw_paths(sketch->canvas, rect, sketch->debug); break;
	case DEBUG_PANE_WARPS: screen_debug_draw_warps(sketch, rect); break;
	case DEBUG_PANE_VARIABLES: screen_debug_draw_variables(sketch, rect); break;
	default: screen_debug_draw_registers(sketch, rect); break;
	}
}

static void draw_pane(struct screen_debug_sketch *sketch, enum debug_pane pane)
{
	draw_inside(sketch, padded(inside(sketch->state->layout.panes[pane])), pane);
}

/* A pane with its name in the upper edge of its frame. */
static void draw_titled_pane(struct screen_debug_sketch *sketch, enum debug_pane pane)
{
	const struct screen_debug_frame *f = &sketch->state->layout.panes[pane];
	draw_tab(sketch, f->top, f->col + 2, f->end, pane);
	draw_pane(sketch, pane);
}

/* The lanes, in a rule of the frame. */
static void draw_lanes_rule(struct screen_debug_sketch *sketch, int row, int col, int end)
{
	struct canvas *canvas = sketch->canvas;
	const struct debug *debug = sketch->debug;
	int at = col + 2 + screen_draw_label(canvas, (struct rect){row, col + 2, 1, 16}, ROLE_TITLE, _("lanes 0"));
	screen_debug_draw_lanes(sketch, row, at, debug->warp, &debug->now);
	at += 32;
	at += screen_draw_label(canvas, (struct rect){row, at, 1, 8}, ROLE_TITLE, "31");
	at += screen_debug_draw_lanes_legend(canvas, row, at, end - 2 - at, debug);
	canvas_put(canvas, row, at, ' ', ROLE_TEXT);
}

/* --- source and PTX ----------------------------------------------------------------------------------------------- */

/* Side by side, one above the other, or one alone. */
static void lay_out_code(const struct screen_debug_state *state, const struct debug *debug, struct screen_debug_frame f,
	struct screen_debug_layout *out)
{
	bool tall = f.bottom - f.top >= 16;
	int cols = f.end - f.col;
	enum screen_debug_code code = debug->program->source.n_lines ? state->code : SCREEN_DEBUG_CODE_PTX;
	if (code == SCREEN_DEBUG_CODE_BOTH && cols >= (tall ? SIDE_BY_SIDE_COLS + 24 : SIDE_BY_SIDE_COLS)) {
		out->code_col = tall ? f.col + cols / 2 : f.end - PTX_COLS;
		out->source = (struct screen_debug_frame){f.top, f.bottom, f.col, out->code_col};
		out->ptx = (struct screen_debug_frame){f.top, f.bottom, out->code_col, f.end};
	} else if (code == SCREEN_DEBUG_CODE_BOTH && tall) {
		out->code_row = (f.top + f.bottom) / 2;
		out->source = (struct screen_debug_frame){f.top, out->code_row, f.col, f.end};
		out->ptx = (struct screen_debug_frame){out->code_row, f.bottom, f.col, f.end};
	} else if (code == SCREEN_DEBUG_CODE_PTX || (code == SCREEN_DEBUG_CODE_BOTH && debug->cursor.in_ptx)) {
		out->ptx = f;
	} else {
		out->source = f;
	}
}

static void draw_code(struct screen_debug_sketch *sketch)
{
	const struct screen_debug_layout *l = &sketch->state->layout;
	if (l->code_col)
		screen_draw_wall(sketch->canvas, l->code_col, l->source.top, l->source.bottom);
	if (l->code_row)
		screen_draw_divider(sketch->canvas,
			(struct rect){l->source.top, l->source.col, l->ptx.bottom - l->source.top,
				l->source.end - l->source.col + 1},
			l->code_row);
	if (l->source.end) {
		struct screen_debug_frame f = l->source;
		char title[64];
		const char *file = sketch->debug->program->file;
		snprintf(title, sizeof title, "%.60s", file ? path_last(file) : "");
		screen_draw_label(sketch->canvas, (struct rect){f.top, f.col + 2, 1, f.end - f.col - 2},
			sketch->debug->cursor.in_ptx ? ROLE_KEY : ROLE_TITLE, title);
		screen_debug_draw_source(sketch, inside(f));
	}
	if (l->ptx.end) {
		struct screen_debug_frame f = l->ptx;
		screen_draw_label(sketch->canvas, (struct rect){f.top, f.col + 2, 1, f.end - f.col - 2},
			sketch->debug->cursor.in_ptx ? ROLE_TITLE : ROLE_KEY, _("PTX"));
		screen_debug_draw_ptx(sketch, inside(f));
	}
}

/* --- layouts ------------------------------------------------------------------------------------------------------ */

/* Registers and variables have one place. */
static enum debug_pane lower_pane(const struct screen_debug_state *state)
{
	return state->pane == DEBUG_PANE_VARIABLES ? DEBUG_PANE_VARIABLES : DEBUG_PANE_REGISTERS;
}

/* Scroll positions, now that the places of the panes are known. */
static void lay_out_pane(
	struct screen_debug_state *state, const struct debug *debug, struct rect rect, enum debug_pane pane)
{
	if (rect.rows < 1 || rect.cols < 1)
		return;
	if (pane == DEBUG_PANE_REGISTERS)
		screen_debug_lay_out_registers(state, debug, rect);
	else if (pane == DEBUG_PANE_WARPS)
		screen_debug_lay_out_warps(state, debug, rect);
	else if (pane == DEBUG_PANE_VARIABLES)
		screen_debug_lay_out_variables(state, debug, rect);
}

/* --- help --------------------------------------------------------------------------------------------------------- */

static const char *help_of(int action)
{
	return text_translate(debug_actions[action].help);
}

/* All lines of the list: keys, the mouse, commands. */
struct debug_help {
	struct screen_keybar_line lines[HELP_LINES_MAX];
	struct buf texts[HELP_LINES_MAX];
	int n;
};

static void list_help(struct debug_help *help)
{
	*help = (struct debug_help){.n = 0};

	struct screen_keybar_key keys[HELP_LINES_MAX];
	int n_keys = 0;
	for (; n_keys < debug_key_count && n_keys < HELP_LINES_MAX; n_keys++)
		keys[n_keys] = (struct screen_keybar_key){
			debug_keys[n_keys].key, debug_keys[n_keys].footer, (int)debug_keys[n_keys].action};
	int n = screen_keybar_list(keys, n_keys, help_of, help->lines, HELP_LINES_MAX);

	help->lines[n++] = (struct screen_keybar_line){
		.help = _("click on a line, a pane, a key; the wheel moves the cursor")};
	snprintf(help->lines[n - 1].keys, sizeof help->lines[n - 1].keys, "%s", _("mouse"));
	help->lines[n++] = (struct screen_keybar_line){.help = _("commands"), .heading = true};
	for (int i = 0; i < debug_command_count && n < HELP_LINES_MAX; i++, n++) {
		const struct debug_command_row *row = &debug_commands[i];
		buf_printf(&help->texts[n], "%s%s%s: %s", row->name, *row->arguments ? " " : "", row->arguments,
			text_translate(row->help));
		help->lines[n] = (struct screen_keybar_line){.help = buf_str(&help->texts[n])};
		snprintf(help->lines[n].keys, sizeof help->lines[n].keys, ":%s", *row->brief ? row->brief : row->name);
	}
	help->n = n;
}

static void free_help(struct debug_help *help)
{
	for (int i = 0; i < help->n; i++)
		buf_free(&help->texts[i]);
}

/* --- the screen --------------------------------------------------------------------------------------------------- */

static bool is_too_small(int rows, int cols)
{
	return rows < SCREEN_DEBUG_MIN_ROWS || cols < SCREEN_DEBUG_MIN_COLS;
}

static struct rect frame_of(const struct screen_debug_state *state, int cols)
{
	return (struct rect){1, 0, state->layout.status_row - 1, cols};
}

void screen_debug_lay_out(struct screen_debug_state *state, const struct debug *debug, int rows, int cols)
{
	struct screen_debug_layout *l = &state->layout;
	screen_debug_follow(state, debug);
	if (is_too_small(rows, cols))
		return;
	*l = (struct screen_debug_layout){.status_row = rows - 1 - status_rows(debug, cols)};
	struct rect frame = frame_of(state, cols);
	if (cols >= ALL_COLS && rows >= ALL_ROWS && !state->zoom) {
		int top = frame.row, bottom = frame.row + frame.rows - 1, end = frame.cols - 1;
		int right = frame.cols * 2 / 5;
		right = right < RIGHT_COLS_MIN ? RIGHT_COLS_MIN : right > RIGHT_COLS_MAX ? RIGHT_COLS_MAX : right;
		l->large = true;
		l->wall = end - right;
		l->rule = top + (bottom - top) * 3 / 5;
		l->panes[lower_pane(state)] = (struct screen_debug_frame){l->rule, bottom, 0, l->wall};
		lay_out_code(state, debug, (struct screen_debug_frame){top, l->rule, 0, l->wall}, l);

		/* Rows of the panes at the right: paths and warps take what they need up to a third, memory the
		 * rest. */
		struct screen_debug_frame f = {top, bottom, l->wall, end};
		int third = (f.bottom - f.top) / 3, paths = screen_debug_paths_rows(debug, f.end - f.col - 1),
		    warps = (int)debug->extent.warps;
		paths = paths < 2 ? 2 : paths > third - 1 ? third - 1 : paths;
		warps = warps > third - 1 ? third - 1 : warps;
		int second = f.top + paths + 1, last = second + warps + 1;
		l->panes[DEBUG_PANE_PATHS] = (struct screen_debug_frame){f.top, second, f.col, f.end};
		l->panes[DEBUG_PANE_WARPS] = (struct screen_debug_frame){second, last, f.col, f.end};
		l->panes[DEBUG_PANE_MEMORY] = (struct screen_debug_frame){last, f.bottom, f.col, f.end};
	} else {
		/* Code above, one of the panes below. */
		int top = frame.row, bottom = frame.row + frame.rows - 1, end = frame.cols - 1;
		l->rule = state->zoom ? top : top + (bottom - top) / 2;
		l->panes[state->pane] = (struct screen_debug_frame){l->rule, bottom, 0, end};
		if (!state->zoom)
			lay_out_code(state, debug, (struct screen_debug_frame){top, l->rule, 0, end}, l);
	}
	if (l->source.end)
		screen_debug_lay_out_source(state, debug, inside(l->source).rows);
	if (l->ptx.end)
		screen_debug_lay_out_ptx(state, debug, inside(l->ptx).rows);
	for (int pane = 0; pane < DEBUG_PANE_COUNT; pane++)
		if (l->panes[pane].end)
			lay_out_pane(state, debug, padded(inside(l->panes[pane])), (enum debug_pane)pane);
	if (screen_has(&state->modes, &screen_mode_debug_help)) {
		struct debug_help help;
		list_help(&help);
		state->help_scroll = screen_keybar_help_scroll(rows, help.n, state->help_scroll);
		free_help(&help);
	}
}

void screen_debug_draw(struct canvas *canvas, const struct debug *debug, const struct screen_debug_state *state,
	struct screen_debug_targets *targets)
{
	struct screen_debug_sketch sketch = {canvas, debug, state, targets};
	if (targets)
		targets->n = 0;
	canvas_clear(canvas);
	if (is_too_small(canvas->rows, canvas->cols)) {
		char text[160];
		snprintf(text, sizeof text,
			_("This terminal has %d columns and %d rows; the debugger needs %d and %d. Make it larger, or "
			  "press q to leave."),
			canvas->cols, canvas->rows, SCREEN_DEBUG_MIN_COLS, SCREEN_DEBUG_MIN_ROWS);
		struct screen_flow flow = {.canvas = canvas, .row = 0, .col = 0, .cols = canvas->cols};
		screen_flow_plain(&flow, ROLE_TEXT, "", 0, text);

		return;
	}

	/* The title: where the followed warp is. */
	char title_state[48];
	enum role role = state_text(debug, title_state, sizeof title_state);
	int title_end = canvas->cols - 1 - utf8_columns(title_state);
	int title_col = 1 + canvas_text_fit(canvas, (struct rect){0, 1, 1, 24}, ROLE_TITLE, debug->program->name) + 2;
	struct buf text = {0};
	buf_printf(&text, _("block %u"), debug->block);
	write_place(debug->extent.grid, debug->block, &text);
	buf_printf(&text, _(" of %llu  warp %u of %u  "), (unsigned long long)debug->extent.blocks, debug->warp,
		debug->extent.warps);
	if (debug->now.instr >= 0 && debug->program->instrs[debug->now.instr].part)
		buf_printf(
			&text, _("in %s  "), debug->program->parts[debug->program->instrs[debug->now.instr].part].name);
	if (debug->lane != DEBUG_ANY) {
		buf_printf(&text, _("lane %u"), debug->lane);
		write_place(debug->extent.block, debug->warp * WARP_SIZE + debug->lane, &text);
		buf_puts(&text, "  ");
	}
	buf_printf(&text, _("step %llu"), (unsigned long long)debug->step);
	canvas_text_fit(canvas, (struct rect){0, title_col, 1, title_end - 1 - title_col}, ROLE_TEXT, buf_str(&text));
	canvas_text(canvas, 0, title_end, role, title_state);
	buf_free(&text);

	/* The keys of the footer, and help at the right. */
	struct screen_keybar_key keys[FOOTER_KEYS_MAX], help[1];
	int n = 0, n_help = 0, row = canvas->rows - 1;
	for (int i = 0; i < debug_key_count && n < FOOTER_KEYS_MAX; i++) {
		struct screen_keybar_key key = {
			debug_keys[i].key, text_translate(debug_keys[i].footer), (int)debug_keys[i].action};
		if (debug_keys[i].action == DEBUG_ACT_HELP)
			help[n_help++] = key;
		else if (key.text[0])
			keys[n++] = key;
	}
	int at = canvas->cols - screen_keybar_cols(help, n_help);
	screen_keybar_draw(
		canvas, (struct rect){row, 1, 1, at - 1}, &(struct screen_keybar){keys, n, footer_target, &sketch});
	screen_keybar_draw(canvas, (struct rect){row, at + 1, 1, canvas->cols - at - 1},
		&(struct screen_keybar){help, n_help, footer_target, &sketch});

	draw_status(&sketch);
	if (state->layout.large) {
		struct rect frame = frame_of(state, canvas->cols);
		const struct screen_debug_layout *l = &state->layout;
		int top = frame.row, bottom = frame.row + frame.rows - 1, end = frame.cols - 1;
		struct rect right = {top, l->wall, frame.rows, end - l->wall + 1};
		screen_draw_frame(canvas, frame);
		screen_draw_wall(canvas, l->wall, top, bottom);
		screen_draw_divider(canvas, (struct rect){top, 0, frame.rows, l->wall + 1}, l->rule);
		draw_code(&sketch);
		draw_lanes_rule(&sketch, l->rule, 0, l->wall);
		draw_pane(&sketch, lower_pane(state));
		int tab = 3 + draw_tab(&sketch, bottom, 2, l->wall, DEBUG_PANE_REGISTERS);
		if (debug->program->dwarf || state->pane == DEBUG_PANE_VARIABLES)
			draw_tab(&sketch, bottom, tab, l->wall, DEBUG_PANE_VARIABLES);
		screen_draw_divider(canvas, right, l->panes[DEBUG_PANE_WARPS].top);
		screen_draw_divider(canvas, right, l->panes[DEBUG_PANE_MEMORY].top);
		draw_titled_pane(&sketch, DEBUG_PANE_PATHS);
		draw_titled_pane(&sketch, DEBUG_PANE_WARPS);
		draw_titled_pane(&sketch, DEBUG_PANE_MEMORY);
	} else {
		/* The others are words in the lower edge. */
		struct rect frame = frame_of(state, canvas->cols);
		const struct screen_debug_layout *l = &state->layout;
		int bottom = frame.row + frame.rows - 1, end = frame.cols - 1;
		screen_draw_frame(canvas, frame);
		if (!state->zoom)
			screen_draw_divider(canvas, frame, l->rule);
		draw_code(&sketch);
		draw_lanes_rule(&sketch, l->rule, 0, end);
		draw_pane(&sketch, state->pane);

		int col = 2;
		int panes = debug->program->dwarf || state->pane == DEBUG_PANE_VARIABLES ? DEBUG_PANE_COUNT
											 : DEBUG_PANE_VARIABLES;
		for (int pane = 0; pane < panes; pane++)
			col += draw_tab(&sketch, bottom, col, end, (enum debug_pane)pane) + 1;
	}
	if (screen_has(&state->modes, &screen_mode_debug_help)) {
		struct debug_help list;
		list_help(&list);
		screen_keybar_help(canvas, list.lines, list.n, state->help_scroll);
		free_help(&list);
		if (targets)
			targets->n = 0;
		action_target(&sketch, (struct rect){0, 0, canvas->rows, canvas->cols}, DEBUG_ACT_CANCEL);
	}
}

void screen_debug_render(struct canvas *canvas, const struct debug *debug, struct screen_debug_state *state,
	struct screen_debug_targets *targets)
{
	screen_debug_lay_out(state, debug, canvas->rows, canvas->cols);
	screen_debug_draw(canvas, debug, state, targets);
}

void screen_debug_render_pane(
	struct canvas *canvas, const struct debug *debug, struct screen_debug_state *state, enum debug_pane pane)
{
	struct rect rect = {0, 0, canvas->rows, canvas->cols};
	screen_debug_follow(state, debug);
	lay_out_pane(state, debug, rect, pane);
	draw_inside(&(struct screen_debug_sketch){canvas, debug, state, NULL}, rect, pane);
}

/* --- the mouse ---------------------------------------------------------------------------------------------------- */

bool screen_debug_click(struct screen_debug_state *state, struct debug *debug,
	const struct screen_debug_targets *targets, int row, int col)
{
	for (int i = targets->n - 1; i >= 0; i--) {
		const struct screen_debug_target *t = &targets->t[i];
		if (!canvas_rect_holds(t->rect, row, col))
			continue;
		if (t->action != DEBUG_ACT_NONE)
			screen_debug_act(state, debug, t->action);
		else
			debug_put_cursor(debug, t->row >= 0 ? DEBUG_PTX : DEBUG_SOURCE, t->row >= 0 ? t->row : t->line);
		return true;
	}
	return false;
}
