#include "front/screen/keybar.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/screen/parts.h"

#define KEYS_COLS 13
#define PAGE 10     /* lines that a page key scrolls */
#define BOX_COLS 70 /* at least, where there are so many */

/* --- the footer --------------------------------------------------------------------------------------------------- */

/* "← → change". Returns how many keys the group takes. */
static int group(const struct screen_keybar_key *keys, int n, char *label, size_t size)
{
	int taken = 0;
	size_t len = 0;
	label[0] = '\0';
	for (; taken < n && strcmp(keys[taken].text, keys[0].text) == 0; taken++) {
		int more = snprintf(label + len, size - len, "%s%s", len ? " " : "", key_label(keys[taken].key).text);
		if (more < 0 || (size_t)more >= size - len)
			break;
		len += (size_t)more;
	}
	return taken > 0 ? taken : 1;
}

int screen_keybar_draw(struct canvas *canvas, struct rect row, const struct screen_keybar *bar)
{
	char label[64];
	int col = row.col, end = row.col + row.cols;
	for (int i = 0, taken; i < bar->n; i += taken) {
		taken = group(bar->keys + i, bar->n - i, label, sizeof label);
		int cols = utf8_columns(label) + 1 + utf8_columns(bar->keys[i].text);
		if (col + cols > end)
			continue;
		if (bar->target)
			bar->target(bar->ctx, (struct rect){row.row, col, 1, cols}, bar->keys[i].action);
		col += canvas_text(canvas, row.row, col, ROLE_KEY, label) + 1;
		col += canvas_text(canvas, row.row, col, ROLE_DIM, bar->keys[i].text) + 2;
	}
	return col;
}

int screen_keybar_cols(const struct screen_keybar_key *keys, int n)
{
	char label[64];
	int cols = 0;
	for (int i = 0; i < n;) {
		const char *text = keys[i].text;
		i += group(keys + i, n - i, label, sizeof label);
		cols += utf8_columns(label) + 3 + utf8_columns(text);
	}
	return cols;
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

int screen_keybar_list(const struct screen_keybar_key *keys, int n, const char *(*help)(int action),
	struct screen_keybar_line *lines, int cap)
{
	int used = 0;
	for (int i = 0; i < n && used < cap; i++) {
		bool has_come = false;
		for (int k = 0; k < i && !has_come; k++)
			has_come = keys[k].action == keys[i].action;
		if (has_come)
			continue;
		struct screen_keybar_line *line = &lines[used++];
		*line = (struct screen_keybar_line){.help = help(keys[i].action)};
		for (int k = i; k < n; k++)
			if (keys[k].action == keys[i].action) {
				size_t len = strlen(line->keys);
				snprintf(line->keys + len, sizeof line->keys - len, "%s%s", len ? " " : "",
					key_label(keys[k].key).text);
			}
	}
	return used;
}

static int help_rows(int rows, int n)
{
	return n < rows - 2 ? n : rows - 2;
}

int screen_keybar_help_scroll(int rows, int n, int scroll)
{
	int most = n - help_rows(rows, n);
	return scroll < 0 ? 0 : scroll > most ? most : scroll;
}

bool screen_keybar_scrolls(const struct screen_keybar_scroll *by, int action, int *scroll)
{
	int lines = action == by->up      ? -1
		: action == by->down      ? 1
		: action == by->page_up   ? -PAGE
		: action == by->page_down ? PAGE
					  : 0;
	*scroll += lines;
	return lines != 0;
}

int screen_keybar_heading(const struct screen_keybar_line *lines, int n, int scroll, int by)
{
	for (int i = scroll + by; i >= 0 && i < n; i += by)
		if (lines[i].heading)
			return i;
	return scroll;
}

void screen_keybar_help(struct canvas *canvas, const struct screen_keybar_line *lines, int n, int scroll)
{
	int rows = help_rows(canvas->rows, n);
	int cols = BOX_COLS;
	for (int i = 0; i < n; i++)
		cols = utf8_columns(lines[i].help) + KEYS_COLS + 5 > cols ? utf8_columns(lines[i].help) + KEYS_COLS + 5
									  : cols;
	cols = cols < canvas->cols ? cols : canvas->cols;
	int most = n - rows;
	struct rect box = {(canvas->rows - rows - 2) / 2, (canvas->cols - cols) / 2, rows + 2, cols};
	canvas_fill(canvas, box, ' ', ROLE_TEXT);
	struct rect in = canvas_box(canvas, box, ROLE_FRAME, _("keys"));
	for (int i = 0; i < rows; i++) {
		const struct screen_keybar_line *line = &lines[scroll + i];
		if (line->heading) {
			canvas_hline(canvas, in.row + i, in.col + 1, in.cols - 2, ROLE_FRAME);
			screen_draw_label(
				canvas, (struct rect){in.row + i, in.col + 1, 1, in.cols - 3}, ROLE_TITLE, line->help);
			continue;
		}
		canvas_text_fit(canvas, (struct rect){in.row + i, in.col + 1, 1, KEYS_COLS - 1}, ROLE_KEY, line->keys);
		canvas_text_fit(canvas, (struct rect){in.row + i, in.col + 1 + KEYS_COLS, 1, in.cols - KEYS_COLS - 2},
			ROLE_TEXT, line->help);
	}
	if (scroll > 0)
		screen_draw_label(canvas, (struct rect){box.row, box.col + cols - 6, 1, 4}, ROLE_KEY, "▲");
	screen_draw_label(canvas, (struct rect){box.row + box.rows - 1, box.col + 1, 1, cols - 8}, ROLE_DIM,
		lines[0].heading ? _("↑ ↓ scroll, ← → topics") : _("↑ ↓ scroll"));
	if (scroll < most)
		screen_draw_label(
			canvas, (struct rect){box.row + box.rows - 1, box.col + cols - 6, 1, 4}, ROLE_KEY, "▼");
}
