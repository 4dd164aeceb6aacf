#include <string.h>

#include "debug/keys.h"
#include "debug/private.h"

#define HELP_PAGE 10

static void follow_warp(struct debug *debug, int by)
{
	if (debug->warps < 2) {
		say(debug, "A block has one warp only.");
		return;
	}
	follow(debug, debug->block, (debug->warp + debug->warps + (uint32_t)by) % debug->warps);
	session_look(debug);
}

static void follow_block(struct debug *debug, int by)
{
	bool more = by > 0 ? debug->block + 1 < debug->blocks : debug->block > 0;
	if (!more) {
		say(debug, by > 0 ? "This is the last block." : "This is the first block.");
		return;
	}
	follow(debug, debug->block + (uint32_t)by, debug->warp);
	session_look(debug);
	if (debug->now.state == DEBUG_WARP_AWAITED)
		say(debug, "Block %u has not begun: s runs to its first instruction.", debug->block);
	else if (debug->now.state == DEBUG_WARP_ENDED)
		say(debug, "Block %u has ended: S goes back to its last instruction.", debug->block);
}

static void cancel(struct debug *debug)
{
	if (debug_busy(debug))
		debug_cancel(debug);
	else
		debug->zoom = false;
}

static void toggle_break(struct debug *debug)
{
	bool ptx = debug->cursor_in_ptx || !debug->program->source.n_lines;
	if (ptx && debug->program->n_rows > 0)
		break_toggle(debug, DEBUG_PTX, debug->program->rows[debug->cursor_row].line);
	else
		break_toggle(debug, DEBUG_SOURCE, debug->cursor_line);
}

/* The cursor is always in something that is shown. */
static void turn_code(struct debug *debug)
{
	if (!debug->program->source.n_lines) {
		say(debug,
			debug->program->file ? "The source, %s, is not at hand."
					     : "The PTX was made without source lines.",
			debug->program->file);
		return;
	}
	debug->code = (debug->code + 1) % DEBUG_CODES;
	if (debug->code != DEBUG_CODE_BOTH)
		debug->cursor_in_ptx = debug->code == DEBUG_CODE_PTX;
}

static void other_code(struct debug *debug)
{
	if (!debug->program->source.n_lines) {
		turn_code(debug);
		return;
	}
	debug->cursor_in_ptx = !debug->cursor_in_ptx;
	if (debug->code != DEBUG_CODE_BOTH)
		debug->code = debug->cursor_in_ptx ? DEBUG_CODE_PTX : DEBUG_CODE_SOURCE;
}

static void turn_pane(struct debug *debug, enum debug_pane pane)
{
	debug->pane = pane;
	debug->row_scroll = 0;
}

static void turn_format(struct debug *debug)
{
	debug->number = (debug->number + 1) % DEBUG_NUMBERS;
	say(debug, "Numbers: %s.",
		debug->number == DEBUG_NUMBER_AUTO ? "as their type" : debug_number_names[debug->number]);
}

static void open_prompt(struct debug *debug, char mark)
{
	debug->prompt_mark = mark;
	debug->prompt[0] = '\0';
}

static void find_again(struct debug *debug)
{
	if (!debug->found[0])
		open_prompt(debug, '/');
	else if (!cursor_find(debug, debug->found))
		complain(debug, "'%s' is nowhere in the %s.", debug->found, debug->cursor_in_ptx ? "PTX" : "source");
}

static void act_in_help(struct debug *debug, enum debug_action action)
{
	switch (action) {
	case DEBUG_ACT_UP: debug->help_scroll--; break;
	case DEBUG_ACT_DOWN: debug->help_scroll++; break;
	case DEBUG_ACT_PAGE_UP: debug->help_scroll -= HELP_PAGE; break;
	case DEBUG_ACT_PAGE_DOWN: debug->help_scroll += HELP_PAGE; break;
	default: debug->help = false; break;
	}
}

/* Those that move the kernel. */
static bool act_on_kernel(struct debug *debug, enum debug_action action)
{
	if (action == DEBUG_ACT_REPEAT)
		action = debug->private->last_move ? debug->private->last_move : DEBUG_ACT_STEP;
	switch (action) {
	case DEBUG_ACT_STEP: job_begin(debug, GOAL_STEP, 1); break;
	case DEBUG_ACT_NEXT: job_begin(debug, GOAL_LINE, 1); break;
	case DEBUG_ACT_CONTINUE: job_begin(debug, GOAL_BREAK, 1); break;
	case DEBUG_ACT_FINISH: job_begin(debug, GOAL_BLOCK, 1); break;
	case DEBUG_ACT_ANY: job_begin(debug, GOAL_ANY, 1); break;
	case DEBUG_ACT_BACK_STEP: job_begin_back(debug, GOAL_STEP, 1); break;
	case DEBUG_ACT_BACK_NEXT: job_begin_back(debug, GOAL_ENTRY, 1); break;
	case DEBUG_ACT_BACK_CONTINUE: job_begin_back(debug, GOAL_BREAK, 1); break;
	case DEBUG_ACT_RESTART: job_goto(debug, 0); break;
	default: return false;
	}
	debug->private->last_move = action;
	return true;
}

static bool act_on_code(struct debug *debug, enum debug_action action)
{
	switch (action) {
	case DEBUG_ACT_UP: cursor_move(debug, -1); break;
	case DEBUG_ACT_DOWN: cursor_move(debug, 1); break;
	case DEBUG_ACT_PAGE_UP: cursor_move(debug, -debug->page); break;
	case DEBUG_ACT_PAGE_DOWN: cursor_move(debug, debug->page); break;
	case DEBUG_ACT_HOME: cursor_home(debug); break;
	case DEBUG_ACT_CODE: other_code(debug); break;
	case DEBUG_ACT_VIEW: turn_code(debug); break;
	case DEBUG_ACT_BREAK: toggle_break(debug); break;
	case DEBUG_ACT_FIND: open_prompt(debug, '/'); break;
	case DEBUG_ACT_FIND_NEXT: find_again(debug); break;
	default: return false;
	}
	return true;
}

static void act_on_panes(struct debug *debug, enum debug_action action)
{
	switch (action) {
	case DEBUG_ACT_PANE_NEXT: turn_pane(debug, (debug->pane + 1) % DEBUG_PANE_COUNT); break;
	case DEBUG_ACT_PANE_REGISTERS:
	case DEBUG_ACT_PANE_MEMORY:
	case DEBUG_ACT_PANE_PATHS:
	case DEBUG_ACT_PANE_WARPS: turn_pane(debug, (enum debug_pane)(action - DEBUG_ACT_PANE_REGISTERS)); break;
	case DEBUG_ACT_ZOOM: debug->zoom = !debug->zoom; break;
	case DEBUG_ACT_FORMAT: turn_format(debug); break;
	case DEBUG_ACT_LANE_LEFT: debug->first_lane--; break;
	case DEBUG_ACT_LANE_RIGHT: debug->first_lane++; break;
	case DEBUG_ACT_ROW_UP: debug->row_scroll--; break;
	case DEBUG_ACT_ROW_DOWN: debug->row_scroll++; break;
	case DEBUG_ACT_WARP_NEXT: follow_warp(debug, 1); break;
	case DEBUG_ACT_WARP_PREVIOUS: follow_warp(debug, -1); break;
	case DEBUG_ACT_BLOCK_NEXT: follow_block(debug, 1); break;
	case DEBUG_ACT_BLOCK_PREVIOUS: follow_block(debug, -1); break;
	case DEBUG_ACT_PROMPT: open_prompt(debug, ':'); break;
	default: break;
	}
}

/* While something runs, nothing else does: the panes show where it began. */
void debug_act(struct debug *debug, enum debug_action action)
{
	if (action == DEBUG_ACT_NONE || action == DEBUG_ACT_REDRAW)
		return;
	debug->notice[0] = '\0';
	if (debug->help) {
		act_in_help(debug, action);
		return;
	}
	switch (action) {
	case DEBUG_ACT_QUIT: debug->quit = true; return;
	case DEBUG_ACT_CANCEL: cancel(debug); return;
	case DEBUG_ACT_HELP:
		debug->help = true;
		debug->help_scroll = 0;
		return;
	default: break;
	}
	if (!debug_busy(debug) && !act_on_kernel(debug, action) && !act_on_code(debug, action))
		act_on_panes(debug, action);
}

/* --- the prompt ------------------------------------------------------------------------------------------------------- */

static void run_prompt(struct debug *debug)
{
	struct diag diag = {0};
	struct diag_pos at = {.file = "command", .line = 1, .text = debug->prompt, .text_len = strlen(debug->prompt)};
	char mark = debug->prompt_mark;
	debug->prompt_mark = 0;
	if (mark == ':' && debug->prompt[0])
		memcpy(debug->prompted, debug->prompt, sizeof debug->prompted);
	if (mark == '/' && (debug->prompt[0] || debug->found[0])) {
		if (debug->prompt[0])
			memcpy(debug->found, debug->prompt, sizeof debug->found);
		find_again(debug);
		return;
	}
	if (mark == ':' && !debug_command(debug, debug->prompt, at, &diag) && diag.count)
		complain(debug, "%s", diag.entries[0].message);
	diag_free(&diag);
}

static void type(struct debug *debug, const char *key)
{
	size_t len = strlen(debug->prompt);
	if (strcmp(key, "Space") == 0)
		key = " ";
	if (!key[1] && len + 1 < sizeof debug->prompt) {
		debug->prompt[len] = key[0];
		debug->prompt[len + 1] = '\0';
	}
}

static void key_in_prompt(struct debug *debug, const char *key)
{
	size_t len = strlen(debug->prompt);
	if (strcmp(key, "Enter") == 0)
		run_prompt(debug);
	else if (strcmp(key, "Esc") == 0 || (strcmp(key, "Backspace") == 0 && len == 0))
		debug->prompt_mark = 0;
	else if (strcmp(key, "Backspace") == 0)
		debug->prompt[len - 1] = '\0';
	else if (strcmp(key, "Up") == 0 && debug->prompt_mark == ':')
		memcpy(debug->prompt, debug->prompted, sizeof debug->prompt);
	else
		type(debug, key);
}

void debug_key(struct debug *debug, const char *key)
{
	enum debug_action action = debug_key_action(key);
	if (debug->prompt_mark) {
		debug->notice[0] = '\0';
		key_in_prompt(debug, key);
	} else if (action == DEBUG_ACT_NONE && debug->help) {
		debug->help = false;
	} else {
		debug_act(debug, action);
	}
}
