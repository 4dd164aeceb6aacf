#include <string.h>

#include "front/debug/keys.h"
#include "front/debug/private.h"

static void follow_warp(struct debug *debug, int by)
{
	if (debug->extent.warps < 2) {
		debug_say(debug, "A block has one warp only.");
		return;
	}
	debug_follow(debug, debug->block, (debug->warp + debug->extent.warps + (uint32_t)by) % debug->extent.warps);
	debug_look(debug);
}

static void follow_block(struct debug *debug, int by)
{
	bool more = by > 0 ? debug->block + 1 < debug->extent.blocks : debug->block > 0;
	if (!more) {
		debug_say(debug, by > 0 ? "This is the last block." : "This is the first block.");
		return;
	}
	debug_follow(debug, debug->block + (uint32_t)by, debug->warp);
	debug_look(debug);
	if (debug->now.state == DEBUG_WARP_AWAITED)
		debug_say(debug, "Block %u has not begun: s runs to its first instruction.", debug->block);
	else if (debug->now.state == DEBUG_WARP_ENDED)
		debug_say(debug, "Block %u has ended: S goes back to its last instruction.", debug->block);
}

static void open_prompt(struct debug *debug, char mark)
{
	debug->prompt.mark = mark;
	debug->prompt.text[0] = '\0';
}

static void find_again(struct debug *debug)
{
	if (!debug->prompt.searched[0])
		open_prompt(debug, '/');
	else if (!debug_cursor_find(debug, debug->prompt.searched))
		debug_complain(debug, "'%s' is nowhere in the %s.", debug->prompt.searched,
			debug->cursor.in_ptx ? "PTX" : "source");
}

/* Those that move the kernel. */
static bool act_on_kernel(struct debug *debug, enum debug_action action)
{
	if (action == DEBUG_ACT_REPEAT)
		action = debug->private->last_move ? debug->private->last_move : DEBUG_ACT_STEP;
	switch (action) {
	case DEBUG_ACT_STEP: debug_job_begin(debug, GOAL_STEP, 1); break;
	case DEBUG_ACT_NEXT: debug_job_begin(debug, GOAL_LINE, 1); break;
	case DEBUG_ACT_CONTINUE: debug_job_begin(debug, GOAL_BREAK, 1); break;
	case DEBUG_ACT_FINISH: debug_job_begin(debug, GOAL_BLOCK, 1); break;
	case DEBUG_ACT_ANY: debug_job_begin(debug, GOAL_ANY, 1); break;
	case DEBUG_ACT_BACK_STEP: debug_job_begin_back(debug, GOAL_STEP, 1); break;
	case DEBUG_ACT_BACK_NEXT: debug_job_begin_back(debug, GOAL_ENTRY, 1); break;
	case DEBUG_ACT_BACK_CONTINUE: debug_job_begin_back(debug, GOAL_BREAK, 1); break;
	case DEBUG_ACT_RESTART: debug_job_goto(debug, 0); break;
	default: return false;
	}
	debug->private->last_move = action;
	return true;
}

static bool act_on_code(struct debug *debug, enum debug_action action)
{
	switch (action) {
	case DEBUG_ACT_UP: debug_move_cursor(debug, -1); break;
	case DEBUG_ACT_DOWN: debug_move_cursor(debug, 1); break;
	case DEBUG_ACT_HOME: debug_cursor_home(debug); break;
	case DEBUG_ACT_BREAK: {
		bool ptx = debug->cursor.in_ptx || !debug->program->source.n_lines;
		if (ptx && debug->program->n_rows > 0)
			debug_break_toggle(debug, DEBUG_PTX, debug->program->rows[debug->cursor.row].line);
		else
			debug_break_toggle(debug, DEBUG_SOURCE, debug->cursor.line);
		break;
	}
	case DEBUG_ACT_FIND: open_prompt(debug, '/'); break;
	case DEBUG_ACT_FIND_NEXT: find_again(debug); break;
	default: return false;
	}
	return true;
}

/* While the kernel moves, only canceling and quitting act: the panes show where the move began. */
void debug_act(struct debug *debug, enum debug_action action)
{
	if (action == DEBUG_ACT_NONE || action == DEBUG_ACT_REDRAW || action == DEBUG_ACT_THEME)
		return;
	debug_dismiss_notice(debug);
	if (action == DEBUG_ACT_QUIT) {
		debug->quit = true;
	} else if (action == DEBUG_ACT_CANCEL) {
		debug_cancel(debug);
	} else if (!debug_busy(debug) && !act_on_kernel(debug, action) && !act_on_code(debug, action)) {
		switch (action) {
		case DEBUG_ACT_FORMAT:
			debug->number = (debug->number + 1) % DEBUG_NUMBERS;
			debug_say(debug, "Numbers: %s.",
				debug->number == DEBUG_NUMBER_AUTO ? "as their type"
								   : debug_number_names[debug->number]);
			break;
		case DEBUG_ACT_WARP_NEXT: follow_warp(debug, 1); break;
		case DEBUG_ACT_WARP_PREVIOUS: follow_warp(debug, -1); break;
		case DEBUG_ACT_BLOCK_NEXT: follow_block(debug, 1); break;
		case DEBUG_ACT_BLOCK_PREVIOUS: follow_block(debug, -1); break;
		case DEBUG_ACT_PROMPT: open_prompt(debug, ':'); break;
		default: break;
		}
	}
}

/* --- the prompt --------------------------------------------------------------------------------------------------- */

void debug_prompt_key(struct debug *debug, key_code key)
{
	struct debug_prompt *prompt = &debug->prompt;
	size_t len = strlen(prompt->text);
	bool back = key == KEYC_BACKSPACE || key == KEYC_DEL;
	debug_dismiss_notice(debug);
	if (key == KEYC_ENTER) {
		struct diag diag = {0};
		struct diag_pos at = {.file = "command",
			.line = 1,
			.text = debug->prompt.text,
			.text_len = strlen(debug->prompt.text)};
		char mark = debug->prompt.mark;
		debug->prompt.mark = 0;
		if (mark == ':' && debug->prompt.text[0])
			memcpy(debug->prompt.command, debug->prompt.text, sizeof debug->prompt.command);
		if (mark == '/' && (debug->prompt.text[0] || debug->prompt.searched[0])) {
			if (debug->prompt.text[0])
				memcpy(debug->prompt.searched, debug->prompt.text, sizeof debug->prompt.searched);
			find_again(debug);
			return;
		}
		if (mark == ':' && !debug_command(debug, debug->prompt.text, at, &diag) && diag.count)
			debug_complain(debug, "%s", diag.entries[0].message);
		diag_free(&diag);
	} else if (key == KEYC_ESC || (back && len == 0)) {
		prompt->mark = 0;
	} else if (back) {
		prompt->text[len - 1] = '\0';
	} else if (key == KEYC_UP && prompt->mark == ':') {
		memcpy(prompt->text, prompt->command, sizeof prompt->text);
	} else if (key >= ' ' && key <= '~' && len + 1 < sizeof prompt->text) {
		prompt->text[len] = (char)key;
		prompt->text[len + 1] = '\0';
	}
}
