#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "screen/parts.h"
#include "tutor/keys.h"

#define KEYS_COLS 15
#define COLUMN_COLS 68

struct line {
	char keys[48];
	const char *help;
};

/* One line an action, with all the keys of the mode that do it; in the order of the table. */
static int collect(enum key_mode mode, struct line *lines, int cap)
{
	int n = 0;
	bool done[ACTIONS] = {false};
	for (int i = 0; i < key_count && n < cap; i++) {
		const struct key *key = &key_table[i];
		if ((key->mode != mode && key->mode != KEYS_ANY) || done[key->action])
			continue;
		done[key->action] = true;
		struct line *line = &lines[n++];
		*line = (struct line){.help = action_table[key->action].help};
		for (int k = i; k < key_count; k++) {
			const struct key *other = &key_table[k];
			if (other->action != key->action || (other->mode != mode && other->mode != KEYS_ANY))
				continue;
			size_t len = strlen(line->keys);
			snprintf(line->keys + len, sizeof line->keys - len, "%s%s", len ? " " : "", key_label(other->name));
		}
	}
	return n;
}

void draw_help(struct sketch *sketch)
{
	struct canvas *canvas = sketch->canvas;
	struct line lines[ACTIONS];
	int n = collect(key_mode_of(sketch->tutor), lines, ACTIONS - 1);
	lines[n++] = (struct line){"mouse", "click a view, a value, a lesson; the wheel scrolls"};
	int columns = n + 2 <= canvas->rows ? 1 : 2;
	int rows = (n + columns - 1) / columns;
	if (rows > canvas->rows - 2)
		rows = canvas->rows - 2;
	int cols = columns * COLUMN_COLS + 4 < canvas->cols ? columns * COLUMN_COLS + 4 : canvas->cols;
	struct rect box = {(canvas->rows - rows - 2) / 2, (canvas->cols - cols) / 2, rows + 2, cols};
	canvas_fill(canvas, box, ' ', ROLE_TEXT);
	struct rect in = canvas_box(canvas, box, ROLE_FRAME, "keys");
	int width = (in.cols - 2) / columns;
	for (int i = 0; i < n && i < rows * columns; i++) {
		int row = in.row + i % rows, col = in.col + 1 + i / rows * width;
		canvas_text_fit(canvas, row, col, KEYS_COLS - 1, ROLE_KEY, lines[i].keys);
		canvas_text_fit(canvas, row, col + KEYS_COLS, width - KEYS_COLS - 1, ROLE_TEXT, lines[i].help);
	}
	if (sketch->targets)
		sketch->targets->n = 0;
	sketch_target(sketch, (struct rect){0, 0, canvas->rows, canvas->cols}, ACTION_HELP, -1);
}
