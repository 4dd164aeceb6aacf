#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "screen/parts.h"
#include "tutor/keys.h"

#define KEYS_COLS 13
#define BOX_COLS 70

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
	struct tutor *tutor = sketch->tutor;
	struct line lines[ACTIONS];
	int n = collect(key_mode_of(tutor), lines, ACTIONS - 1);
	lines[n++] = (struct line){"mouse", "click on views, values, lessons; scroll"};
	int rows = n < canvas->rows - 2 ? n : canvas->rows - 2;
	int cols = BOX_COLS < canvas->cols ? BOX_COLS : canvas->cols;
	int most = n - rows;
	tutor->help_scroll = tutor->help_scroll < 0 ? 0 : tutor->help_scroll > most ? most : tutor->help_scroll;
	struct rect box = {(canvas->rows - rows - 2) / 2, (canvas->cols - cols) / 2, rows + 2, cols};
	canvas_fill(canvas, box, ' ', ROLE_TEXT);
	struct rect in = canvas_box(canvas, box, ROLE_FRAME, "keys");
	for (int i = 0; i < rows; i++) {
		const struct line *line = &lines[tutor->help_scroll + i];
		canvas_text_fit(canvas, in.row + i, in.col + 1, KEYS_COLS - 1, ROLE_KEY, line->keys);
		canvas_text_fit(canvas, in.row + i, in.col + 1 + KEYS_COLS, in.cols - KEYS_COLS - 2, ROLE_TEXT, line->help);
	}
	if (tutor->help_scroll > 0)
		draw_label(canvas, box.row, box.col + cols - 6, 4, ROLE_KEY, "▲");
	if (tutor->help_scroll < most)
		draw_label(canvas, box.row + box.rows - 1, box.col + cols - 6, 4, ROLE_KEY, "▼");
	if (sketch->targets)
		sketch->targets->n = 0;
	sketch_target(sketch, (struct rect){0, 0, canvas->rows, canvas->cols}, ACTION_HELP, -1);
}
