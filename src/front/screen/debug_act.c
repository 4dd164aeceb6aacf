/* Keys and actions of the debugger: those of the screen itself change its state, all others go to the debugger. */
#include "base/text.h"
#include "front/debug/keys.h"
#include "front/screen/debug_parts.h"
#include "front/screen/keybar.h"
#include "front/screen/modes.h"

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

static void turn_pane(struct screen_debug_state *state, enum debug_pane pane)
{
	state->pane = pane;
	state->row_scroll = 0;
}

/* False: it is the debugger's. */
static bool act_on_panes(struct screen_debug_state *state, struct debug *debug, int action)
{
	int page = state->page ? state->page : FIRST_PAGE;
	/* Without names of variables the last one is shown only when it is asked for. */
	enum debug_pane panes = debug->program->dwarf ? DEBUG_PANE_COUNT : DEBUG_PANE_VARIABLES;
	switch (action) {
	case DEBUG_ACT_PAGE_UP: debug_move_cursor(debug, -page); break;
	case DEBUG_ACT_PAGE_DOWN: debug_move_cursor(debug, page); break;
	case DEBUG_ACT_CODE:
		if (!debug->program->source.n_lines) {
			turn_code(state, debug);
		} else {
			debug_turn_cursor(debug, debug->cursor.in_ptx ? DEBUG_SOURCE : DEBUG_PTX);
			if (state->code != SCREEN_DEBUG_CODE_BOTH)
				state->code = debug->cursor.in_ptx ? SCREEN_DEBUG_CODE_PTX : SCREEN_DEBUG_CODE_SOURCE;
		}
		break;
	case DEBUG_ACT_VIEW: turn_code(state, debug); break;
	case DEBUG_ACT_PANE_NEXT: turn_pane(state, (state->pane + 1) % panes); break;
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

/* --- modes -------------------------------------------------------------------------------------------------------- */

static bool key_of_prompt(const struct screen_subject *on, key_code key)
{
	debug_prompt_key(on->debug, key);
	screen_debug_take(on->panes, on->debug);
	return true;
}

static const struct screen_mode prompt_mode = {.key = key_of_prompt};

static bool key_of_panes(const struct screen_subject *on, key_code key)
{
	screen_debug_act(on->panes, on->debug, debug_key_action(key));
	return true;
}

static bool act_on_debugger(const struct screen_subject *on, int action)
{
	struct screen_debug_state *state = on->panes;
	if (action == DEBUG_ACT_HELP) {
		state->help_scroll = 0;
		screen_push(&state->modes, &screen_mode_debug_help);
	} else if (action == DEBUG_ACT_CANCEL && !debug_busy(on->debug)) {
		state->zoom = false;
	} else if (debug_busy(on->debug) || !act_on_panes(state, on->debug, action)) {
		debug_act(on->debug, (enum debug_action)action);
		screen_debug_follow(state, on->debug);
	}
	return true;
}

static const struct screen_mode panes_mode = {.key = key_of_panes, .act = act_on_debugger};

static bool act_on_debug_help(const struct screen_subject *on, int action)
{
	static const struct screen_keybar_scroll scroll = {
		DEBUG_ACT_UP, DEBUG_ACT_DOWN, DEBUG_ACT_PAGE_UP, DEBUG_ACT_PAGE_DOWN};
	if (!screen_keybar_scrolls(&scroll, action, &on->panes->help_scroll))
		screen_pop(&on->panes->modes, &screen_mode_debug_help);
	return true;
}

/* A key that does not scroll closes the list and does nothing else. */
static bool key_of_debug_help(const struct screen_subject *on, key_code key)
{
	enum debug_action action = debug_key_action(key);
	if (action == DEBUG_ACT_NONE)
		screen_pop(&on->panes->modes, &screen_mode_debug_help);
	else
		screen_debug_act(on->panes, on->debug, action);
	return true;
}

const struct screen_mode screen_mode_debug_help = {.key = key_of_debug_help, .act = act_on_debug_help};

/* The panes, the list of keys where it is open, the prompt. */
static int list_debug_modes(const struct screen_debug_state *state, const struct debug *debug,
	const struct screen_mode *modes[SCREEN_MODES_MAX + 2])
{
	int n = 0;
	modes[n++] = &panes_mode;
	for (int i = 0; i < state->modes.n; i++)
		modes[n++] = state->modes.at[i];
	if (debug->prompt.mark)
		modes[n++] = &prompt_mode;
	return n;
}

void screen_debug_act(struct screen_debug_state *state, struct debug *debug, enum debug_action action)
{
	const struct screen_mode *modes[SCREEN_MODES_MAX + 2];
	int n = list_debug_modes(state, debug, modes);
	if (action == DEBUG_ACT_NONE || action == DEBUG_ACT_REDRAW)
		return;
	debug_dismiss_notice(debug);
	screen_modes_act(modes, n, &(struct screen_subject){.panes = state, .debug = debug}, action);
}

void screen_debug_key(struct screen_debug_state *state, struct debug *debug, key_code key)
{
	const struct screen_mode *modes[SCREEN_MODES_MAX + 2];
	int n = list_debug_modes(state, debug, modes);
	state->theme_asked = !debug->prompt.mark && debug_key_action(key) == DEBUG_ACT_THEME;
	screen_modes_key(modes, n, &(struct screen_subject){.panes = state, .debug = debug}, key);
}

static bool type_into_prompt(const struct screen_subject *on, key_code key)
{
	debug_prompt_key(on->debug, key);
	return true;
}

void screen_debug_paste(struct debug *debug, const char *text)
{
	debug_dismiss_notice(debug);
	if (debug->prompt.mark)
		screen_type_line(&(struct screen_subject){.debug = debug}, text, type_into_prompt);
	else
		debug_notice(debug, _("Pasted text is taken by the prompt, which : opens."));
}

/* --- without anybody between keys --------------------------------------------------------------------------------- */

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

void screen_debug_press(struct screen_debug_state *state, struct debug *debug, key_code key)
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
