/* The cursor in the source and in the PTX: one moves the other to where it belongs. */
#include "config.h"

#include <string.h>

#include "front/debug/private.h"

void debug_cursor_home(struct debug *debug)
{
	int instr = debug->now.instr >= 0 ? debug->now.instr : debug_late_side(debug);
	if (instr < 0)
		return;
	debug->cursor.row = debug->program->instrs[instr].row;
	if (debug->program->instrs[instr].line)
		debug->cursor.line = debug->program->instrs[instr].line;
}

static int clamp_to(int value, int low, int high)
{
	return value > high ? (high > low ? high : low) : value < low ? low : value;
}

static void set_cursor(struct debug *debug, int to)
{
	const struct debug_program *program = debug->program;
	if (debug->cursor.in_ptx) {
		debug->cursor.row = clamp_to(to, 0, program->n_rows - 1);
		int instr = debug->program->rows[debug->cursor.row].instr;
		if (instr >= 0 && debug->program->instrs[instr].line)
			debug->cursor.line = debug->program->instrs[instr].line;
	} else {
		debug->cursor.line = clamp_to(to, 1, program->source.n_lines);

		/* The first instruction of the line. */
		int instr = 0;
		while (instr < debug->program->n_instrs && debug->program->instrs[instr].line != debug->cursor.line)
			instr++;
		if (instr < debug->program->n_instrs)
			debug->cursor.row = debug->program->instrs[instr].row;
	}
}

void debug_move_cursor(struct debug *debug, int by)
{
	if (debug->program->n_rows > 0)
		set_cursor(debug, (debug->cursor.in_ptx ? debug->cursor.row : debug->cursor.line) + by);
}

void debug_turn_cursor(struct debug *debug, enum debug_text text)
{
	debug->cursor.in_ptx = text == DEBUG_PTX;
}

void debug_put_cursor(struct debug *debug, enum debug_text text, int to)
{
	debug->cursor.in_ptx = text == DEBUG_PTX;
	set_cursor(debug, to);
}

bool debug_cursor_find(struct debug *debug, const char *word)
{
	int n = debug->cursor.in_ptx ? debug->program->n_rows : debug->program->source.n_lines;
	int first = debug->cursor.in_ptx ? 0 : 1,
	    from = (debug->cursor.in_ptx ? debug->cursor.row : debug->cursor.line) - first;
	for (int i = 1; i <= n; i++) {
		int at = first + (from + i) % n;

		size_t len = 0;
		const char *text = debug->cursor.in_ptx ? debug->program->rows[at].text
							: source_line_text(&debug->program->source, at - 1, &len);
		if (debug->cursor.in_ptx ? !strstr(text, word) : !memmem(text, len, word, strlen(word)))
			continue;
		set_cursor(debug, at);
		return true;
	}
	return false;
}
