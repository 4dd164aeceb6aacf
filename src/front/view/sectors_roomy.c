/* The sectors as boxes: a frame for each 128-byte line, four sectors in it, a cell for each of their words, filled where a lane
 * accesses it and hatched where it is moved and not used. */
#include <stdio.h>

#include "base/utf8.h"
#include "front/view/light.h"
#include "front/view/sectors.h"

#define PITCH_MIN 3
#define PITCH_MAX 6
#define BOX_ROWS 3 /* and one for the lanes of each sector, where there is room */

/* Columns of a word, and of a sector with its bound. */
struct boxes {
	struct rect rect;
	int pitch, sector;
	int rows; /* of a box */
};

static struct boxes fit_boxes(struct rect rect)
{
	struct boxes g = {.rect = rect, .rows = BOX_ROWS, .pitch = (rect.cols - 1) / VIEW_LINE_WORDS};
	g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX : g.pitch;
	g.sector = VIEW_SECTOR_WORDS * g.pitch;
	return g;
}

static int sector_col(const struct boxes *g, int sector)
{
	return g->rect.col + 1 + sector * g->sector;
}

/* The cell of `n` words of a sector from one on: the last column of the sector is the bound. */
static struct rect word_rect(const struct boxes *g, int row, int word, int n)
{
	int last = (word + n) % VIEW_SECTOR_WORDS == 0;
	return (struct rect){row, g->rect.col + 1 + word * g->pitch, 1, n * g->pitch - last};
}

/* Words from `word` on of the same sector that the same lanes want. */
static int count_joined(const struct view_sector_line *line, int word)
{
	int n = 1;
	while ((word + n) % VIEW_SECTOR_WORDS && line->lanes[word + n] == line->lanes[word])
		n++;
	return n;
}

static void draw_words(struct canvas *canvas, const struct boxes *g, int row, const struct view_sectors *lines,
	const struct view_sector_line *line)
{
	for (int word = 0, n; word < VIEW_LINE_WORDS; word += n) {
		char text[16];
		uint32_t lanes = line->lanes[word];
		n = lanes ? count_joined(line, word) : 1;
		struct rect r = word_rect(g, row, word, n);
		int64_t sector = view_sector_index(lines, line, word / VIEW_SECTOR_WORDS);
		if (!(line->moved >> word / VIEW_SECTOR_WORDS & 1))
			continue;
		if (!lanes) {
			canvas_fill(canvas, r, GLYPH_BLOCK_LIGHT, ROLE_WASTED);
			view_spot_of(canvas, lines->input, r, THING_SECTOR, sector);
			continue;
		}
		if (lanes & (lanes - 1))
			snprintf(text, sizeof text, "%d×", __builtin_popcount(lanes));
		else
			snprintf(text, sizeof text, "%2d", __builtin_ctz(lanes));
		if (utf8_columns(text) > r.cols) /* "32×" before a bound */
			text[2] = '\0';
		view_draw_cell(canvas, r, ROLE_USED, text);
		if (n > 1) {
			canvas_put_on(canvas, r, '[', ROLE_PAPER, ROLE_USED);
			canvas_put_on(canvas, (struct rect){row, r.col + r.cols - 1, 1, 1}, ']', ROLE_PAPER, ROLE_USED);
		}
		view_spot(canvas, lines->input, r,
			&(struct view_shows){{THING_LANE, __builtin_ctz(lanes)}, lanes, {THING_SECTOR, sector, 1}});
	}
}

/* "bytes +32–63: lanes 0–7"; the bytes give way where there is no room for both. */
static void draw_lanes_of(struct canvas *canvas, const struct boxes *g, int row, const struct view_sectors *lines,
	const struct view_sector_line *line, int s)
{
	uint32_t lanes = 0;
	unsigned long long from = (line->at - lines->at[0].at) * MODEL_LINE_BYTES + (unsigned)s * MODEL_SECTOR_BYTES;
	struct buf text = {0};
	for (int w = 0; w < VIEW_SECTOR_WORDS; w++)
		lanes |= line->lanes[s * VIEW_SECTOR_WORDS + w];
	buf_printf(&text, "bytes +%llu–%llu: ", from, from + MODEL_SECTOR_BYTES - 1);
	view_write_lanes(lanes, 2, &text);
	int cols = utf8_columns(buf_str(&text)), room = g->sector - 1;
	if (cols > room) {
		buf_clear(&text);
		view_write_lanes(lanes, 2, &text);
		cols = utf8_columns(buf_str(&text));
	}
	canvas_text_fit(canvas, (struct rect){row, sector_col(g, s) + (cols < room ? (room - cols) / 2 : 0), 1, room},
		ROLE_DIM, buf_str(&text));
	buf_free(&text);
}

/* Below a sector what it is worth: "sector 0: 16 of 32 B"; one that is not moved says so in its middle. */
static void draw_sector(struct canvas *canvas, const struct boxes *g, int row, const struct view_sectors *lines,
	const struct view_sector_line *line, int s)
{
	char text[40];
	bool moved = line->moved >> s & 1;
	if (moved)
		snprintf(text, sizeof text, " sector %d: %d of %d B ", s, line->used[s], MODEL_SECTOR_BYTES);
	else
		snprintf(text, sizeof text, "not moved");
	int at = sector_col(g, s) + (g->sector - 1 - utf8_columns(text)) / 2;
	enum role role = !moved ? ROLE_IDLE : line->used[s] < MODEL_SECTOR_BYTES ? ROLE_WASTED : ROLE_GOOD;
	int bottom = row + g->rows - 2;
	canvas_text(canvas, moved ? bottom : row, at, role, text);
	view_spot_of(canvas, lines->input, (struct rect){moved ? bottom : row, at, 1, utf8_columns(text)}, THING_SECTOR,
		view_sector_index(lines, line, s));
	if (moved && g->rows > BOX_ROWS)
		draw_lanes_of(canvas, g, row + 1, lines, line, s);
	if (s == 0)
		return;
	canvas_put(canvas, row - 1, sector_col(g, s) - 1, GLYPH_TEE_DOWN, ROLE_FRAME);
	for (int r = row; r < bottom; r++)
		canvas_put(canvas, r, sector_col(g, s) - 1, GLYPH_LINE_V, ROLE_FRAME);
	canvas_put(canvas, bottom, sector_col(g, s) - 1, GLYPH_TEE_UP, ROLE_FRAME);
}

static void draw_line_box(
	struct canvas *canvas, const struct boxes *g, int row, const struct view_sectors *lines, int index)
{
	const struct view_sector_line *line = &lines->at[index];
	char title[64];
	snprintf(title, sizeof title, "cache line +%llu: %d of %d bytes moved",
		(unsigned long long)(line->at - lines->at[0].at) * MODEL_LINE_BYTES,
		__builtin_popcount(line->moved) * MODEL_SECTOR_BYTES, MODEL_LINE_BYTES);
	canvas_box(
		canvas, (struct rect){row, g->rect.col, g->rows, VIEW_LINE_SECTORS * g->sector + 1}, ROLE_FRAME, NULL);
	draw_words(canvas, g, row + 1, lines, line);
	for (int s = 0; s < VIEW_LINE_SECTORS; s++)
		draw_sector(canvas, g, row + 1, lines, line, s);
	canvas_textf(canvas, row, g->rect.col + 2, ROLE_TEXT, " %s ", title);
}

static void draw_left_out(
	struct canvas *canvas, const struct boxes *g, int row, const struct view_sectors *lines, struct view_elision e)
{
	int sectors = 0;
	for (int i = e.head; i < e.head + e.left_out; i++)
		sectors += __builtin_popcount(lines->at[i].moved);
	char text[80];
	snprintf(text, sizeof text, "⋮ %d more cache line%s with %d sector%s", e.left_out, view_plural(e.left_out),
		sectors, view_plural(sectors));
	canvas_text_fit(canvas, (struct rect){row, g->rect.col, 1, g->rect.cols}, ROLE_STRONG, text);
}

/* Returns the row after them. */
static int draw_boxes(struct canvas *canvas, const struct boxes *g, int row, const struct view_sectors *lines, int room)
{
	struct view_elision e = {.head = lines->n};
	if (lines->n * g->rows > room) {
		int shown = (room - 1) / g->rows;
		e = (struct view_elision){shown > 2 ? shown - 1 : shown, lines->n - shown, shown > 2};
	}
	for (int i = 0; i < e.head; i++, row += g->rows)
		draw_line_box(canvas, g, row, lines, i);
	if (e.left_out)
		draw_left_out(canvas, g, row++, lines, e);
	for (int i = lines->n - e.tail; i < lines->n; i++, row += g->rows)
		draw_line_box(canvas, g, row, lines, i);
	return row;
}

static void note_signs(struct view_notes *notes, const struct view_sectors *lines)
{
	bool idle = false;
	int most = 1; /* lanes of a word */
	for (int i = 0; i < lines->n; i++) {
		for (int w = 0; w < VIEW_LINE_WORDS; w++) {
			uint32_t lanes = lines->at[i].lanes[w];
			most = __builtin_popcount(lanes) > most ? __builtin_popcount(lanes) : most;
			idle |= !lanes && (lines->at[i].moved >> w / VIEW_SECTOR_WORDS & 1);
		}
	}
	char shared[64] = "";
	if (most > 1)
		snprintf(shared, sizeof shared, "; %d×: %d\u00a0lanes access them", most, most);
	view_notes_add(notes, ROLE_DIM, "a cell is 4\u00a0bytes, with the lane that accesses them%s%s%s",
		lines->access->width > 4 ? "; [ ]: the bytes of one lane" : "", shared,
		idle ? "; ░: moved, not used" : "");
}

void view_draw_sectors_roomy(struct canvas *canvas, struct rect rect, const struct view_sectors *lines)
{
	struct boxes g = fit_boxes(rect);
	struct view_notes above = {0}, below = {0};
	view_sectors_note_summary(&above, lines, rect.cols);
	note_signs(&below, lines);
	view_note_inactive(&below, lines->access->active);
	if (access_doubt(lines->access, lines->cc))
		view_notes_add(&below, ROLE_DIM, "this rule %s", access_doubt(lines->access, lines->cc));
	int row = rect.row, end = rect.row + rect.rows, rows = view_notes_fit(&above, 2, rect.cols);
	view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &above);
	row += rows;
	canvas_text(canvas, row, rect.col, ROLE_DIM, "used");
	view_sectors_bar(
		canvas, (struct rect){row, rect.col + 7, 1, VIEW_LINE_SECTORS * g.sector + 1 - 7}, &lines->cost);
	row += 1 + (rect.rows > 12);
	int most = end - row - (lines->n * BOX_ROWS < end - row - 2 ? lines->n * BOX_ROWS : end - row - 2);
	rows = view_notes_fit(&below, most < 3 ? most : 3, rect.cols);
	g.rows += end - row - rows >= lines->n * (BOX_ROWS + 1);
	row = draw_boxes(canvas, &g, row, lines, end - row - rows);
	view_notes_draw(canvas, (struct rect){row, rect.col, end - row, rect.cols}, &below);
}
