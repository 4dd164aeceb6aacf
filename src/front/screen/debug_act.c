/* Keys and actions of the debugger: those of the screen itself change its state, all others go to the debugger. */
#include "base/text.h"
#include "front/debug/keys.h"
#include "front/screen/debug_parts.h"

#define HELP_PAGE 10
#define LINES_MAX 200 /* bytes of what was printed that a notice shows */
#define FIRST_PAGE 8  /* rows that a page key moves by before anything was laid out */

void screen_debug_follow(struct screen_debug_state *state, const struct debug *debug)
{
	if (state->followed != debug->followed)
		state->row_scroll = 0;
	state->followed = debug->followed;
}

void screen_debug_take(struct screen_debug_state *state, struct debug *debug)
{
	struct debug_wishes *wishes = &debug->wishes;
	screen_debug_follow(state, debug);
	if (wishes->registers) {
		state->pane = DEBUG_PANE_REGISTERS;
		state->row_scroll = 0;
	}
	if (wishes->show >= 0)
		state->pane = (enum debug_pane)wishes->show;
	if (wishes->lane)
		state->first_lane = debug->lane == DEBUG_ANY ? 0 : (int)debug->lane;
	bool help = wishes->help;
	*wishes = (struct debug_wishes){.show = wishes->show};
	if (help)
		screen_debug_act(state, debug, DEBUG_ACT_HELP);
}

/* The cursor is always in something that is shown. */
static void turn_code(struct screen_debug_state *state, struct debug *debug)
{
	struct buf text = {0};
	if (debug->program->source.n_lines) {
		state->code = (state->code + 1) % SCREEN_DEBUG_CODES;
		if (state->code != SCREEN_DEBUG_CODE_BOTH)
			debug_turn_cursor(debug, state->code == SCREEN_DEBUG_CODE_PTX ? DEBUG_PTX : DEBUG_SOURCE);
		return;
	}
	if (debug->program->file)
		buf_printf(&text, _("The source, %s, was not found."), debug->program->file);
	else
		buf_puts(&text, _("The PTX was made without source lines."));
	debug_notice(debug, buf_str(&text));
	buf_free(&text);
}

static void move_to_other_code(struct screen_debug_state *state, struct debug *debug)
{
	if (!debug->program->source.n_lines) {
		turn_code(state, debug);
		return;
	}
	debug_turn_cursor(debug, debug->cursor.in_ptx ? DEBUG_SOURCE : DEBUG_PTX);
	if (state->code != SCREEN_DEBUG_CODE_BOTH)
		state->code = debug->cursor.in_ptx ? SCREEN_DEBUG_CODE_PTX : SCREEN_DEBUG_CODE_SOURCE;
}

static void turn_pane(struct screen_debug_state *state, enum debug_pane pane)
{
	state->pane = pane;
	state->row_scroll = 0;
}

/* Without names of variables the last one is shown only when it is asked for. */
static enum debug_pane panes_of(const struct debug *debug)
{
	return debug->program->dwarf ? DEBUG_PANE_COUNT : DEBUG_PANE_VARIABLES;
}

/* Any key that does not scroll closes the list of keys and does nothing else. */
static void act_on_help(struct screen_debug_state *state, enum debug_action action)
{
	switch (action) {
	case DEBUG_ACT_UP: state->help_scroll--; break;
	case DEBUG_ACT_DOWN: state->help_scroll++; break;
	case DEBUG_ACT_PAGE_UP: state->help_scroll -= HELP_PAGE; break;
	case DEBUG_ACT_PAGE_DOWN: state->help_scroll += HELP_PAGE; break;
	default: state->help = false; break;
	}
}

/* False: it is the debugger's. */
static bool act_on_panes(struct screen_debug_state *state, struct debug *debug, enum debug_action action)
{
	int page = state->page ? state->page : FIRST_PAGE;
	switch (action) {
	case DEBUG_ACT_PAGE_UP: debug_move_cursor(debug, -page); break;
	case DEBUG_ACT_PAGE_DOWN: debug_move_cursor(debug, page); break;
	case DEBUG_ACT_CODE: move_to_other_code(state, debug); break;
	case DEBUG_ACT_VIEW: turn_code(state, debug); break;
	case DEBUG_ACT_PANE_NEXT: turn_pane(state, (state->pane + 1) % panes_of(debug)); break;
	case DEBUG_ACT_PANE_REGISTERS:
	case DEBUG_ACT_PANE_MEMORY:
	case DEBUG_ACT_PANE_PATHS:
	case DEBUG_ACT_PANE_WARPS:
	case DEBUG_ACT_PANE_VARIABLES: turn_pane(state, (enum debug_pane)(action - DEBUG_ACT_PANE_REGISTERS)); break;
	case DEBUG_ACT_ZOOM: state->zoom = !state->zoom; break;
	case DEBUG_ACT_LANE_LEFT: state->first_lane--; break;
	case DEBUG_ACT_LANE_RIGHT: state->first_lane++; break;
	case DEBUG_ACT_ROW_UP: state->row_scroll--; break;
	case DEBUG_ACT_ROW_DOWN: state->row_scroll++; break;
	default: return false;
	}
	return true;
}

void screen_debug_act(struct screen_debug_state *state, struct debug *debug, enum debug_action action)
{
	if (action == DEBUG_ACT_NONE || action == DEBUG_ACT_REDRAW)
		return;
	debug_dismiss_notice(debug);
	if (state->help) {
		act_on_help(state, action);
	} else if (action == DEBUG_ACT_HELP) {
		state->help = true;
		state->help_scroll = 0;
	} else if (action == DEBUG_ACT_CANCEL && !debug_busy(debug)) {
		state->zoom = false;
	} else if (debug_busy(debug) || !act_on_panes(state, debug, action)) {
		debug_act(debug, action);
		screen_debug_follow(state, debug);
	}
}

void screen_debug_key(struct screen_debug_state *state, struct debug *debug, const char *key)
{
	enum debug_action action = debug_key_action(key);
	if (debug->prompt.mark) {
		debug_prompt_key(debug, key);
		screen_debug_take(state, debug);
	} else if (action == DEBUG_ACT_NONE && state->help) {
		state->help = false;
	} else {
		screen_debug_act(state, debug, action);
	}
}

/* Lines one after the other, the last ones when there are too many. */
static void add_lines(struct buf *out, struct buf *lines)
{
	size_t from = lines->len > LINES_MAX ? lines->len - LINES_MAX : 0;
	buf_puts(out, from ? "… " : "");
	for (size_t i = from; i < lines->len; i++)
		buf_putc(out, lines->data[i] == '\n' ? ' ' : lines->data[i]);
	buf_clear(lines);
}

/* What a command or the kernel printed follows the notice. */
static void show_output(struct debug *debug)
{
	struct buf text = {0};
	if (!debug->said.output.len && !debug->said.printed.len)
		return;
	if (debug->said.notice[0])
		buf_printf(&text, "%s ", debug->said.notice);
	add_lines(&text, &debug->said.output);
	if (debug->said.printed.len) {
		buf_puts(&text, _("Printed: "));
		add_lines(&text, &debug->said.printed);
	}
	bool wrong = debug->said.wrong && debug->said.notice[0];
	debug_notice(debug, buf_str(&text));
	debug->said.wrong = wrong;
	buf_free(&text);
}

void screen_debug_press(struct screen_debug_state *state, struct debug *debug, const char *key)
{
	debug_work(debug);
	screen_debug_key(state, debug, key);
	debug_work(debug);
	show_output(debug);
	debug->wishes.show = DEBUG_SHOW_NOTHING;
}

void screen_debug_press_at(struct screen_debug_state *state, struct debug *debug,
	const struct screen_debug_targets *targets, int row, int col)
{
	screen_debug_click(state, debug, targets, row, col);
	debug_work(debug);
	show_output(debug);
}

void screen_debug_work(struct debug *debug)
{
	debug_work(debug);
	if (!debug_busy(debug))
		show_output(debug);
}
