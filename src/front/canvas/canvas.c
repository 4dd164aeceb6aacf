#include "front/canvas/canvas.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"

#define CANVAS_MAX 1000

/* Whether the letter is among the at most two of `attrs`, a string constant. */
#define HAS(attrs, letter) ((attrs "  ")[0] == (letter) || (attrs "  ")[1] == (letter))

const struct role_look canvas_roles[ROLES] = {
#define ROLE(id, ink, attrs, texture, meaning)                                                                         \
	[ROLE_##id] = {#id, HAS(attrs, 'B'), HAS(attrs, 'U'), HAS(attrs, 'R'), HAS(attrs, 'D'), texture, meaning},
#include "front/canvas/roles.def"
#undef ROLE
};

static const struct {
	uint32_t ch;
	char ascii;
} glyphs[] = {
#define GLYPH(id, unicode, ascii, use) {unicode, ascii},
#include "front/canvas/glyphs.def"
#undef GLYPH
};

static int clamp(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

static int max(int a, int b)
{
	return a > b ? a : b;
}

/* The part of `r` inside `bounds`; rows and cols 0 when there is none. `bounds` lies within a canvas, so nothing
 * wraps. */
static struct rect intersect(struct rect r, struct rect bounds)
{
	int64_t bottom = (int64_t)r.row + max(r.rows, 0), right = (int64_t)r.col + max(r.cols, 0);
	int row = max(r.row, bounds.row), col = max(r.col, bounds.col);
	int row_end = (int)(bottom < bounds.row + bounds.rows ? bottom : bounds.row + bounds.rows);
	int col_end = (int)(right < bounds.col + bounds.cols ? right : bounds.col + bounds.cols);
	if (row >= row_end || col >= col_end)
		return (struct rect){bounds.row, bounds.col, 0, 0};
	return (struct rect){row, col, row_end - row, col_end - col};
}

struct canvas *canvas_new(int rows, int cols)
{
	struct canvas *canvas = base_calloc(1, sizeof *canvas);
	canvas->rows = clamp(rows, 1, CANVAS_MAX);
	canvas->cols = clamp(cols, 1, CANVAS_MAX);
	canvas->clip = (struct rect){0, 0, canvas->rows, canvas->cols};
	canvas->cells = base_calloc((size_t)canvas->rows * (size_t)canvas->cols, sizeof *canvas->cells);
	canvas_clear(canvas);
	return canvas;
}

void canvas_free(struct canvas *canvas)
{
	if (!canvas)
		return;
	free(canvas->cells);
	free(canvas);
}

void canvas_clear(struct canvas *canvas)
{
	for (int i = 0; i < canvas->rows * canvas->cols; i++)
		canvas->cells[i] = (struct cell){.ch = ' ', .role = ROLE_TEXT};
}

static struct cell *cell_at(struct canvas *canvas, int row, int col)
{
	return &canvas->cells[row * canvas->cols + col];
}

const struct cell *canvas_at(const struct canvas *canvas, int row, int col)
{
	static const struct cell blank = {.ch = ' ', .role = ROLE_TEXT};
	if (row < 0 || row >= canvas->rows || col < 0 || col >= canvas->cols)
		return &blank;
	return &canvas->cells[row * canvas->cols + col];
}

struct rect canvas_clip(struct canvas *canvas, struct rect rect)
{
	struct rect old = canvas->clip;
	canvas->clip = intersect(rect, old);
	return old;
}

void canvas_unclip(struct canvas *canvas, struct rect old)
{
	canvas->clip = old;
}

bool canvas_rect_holds(struct rect rect, int row, int col)
{
	return row >= rect.row && row < rect.row + rect.rows && col >= rect.col && col < rect.col + rect.cols;
}

static bool inside(const struct canvas *canvas, int row, int col)
{
	return canvas_rect_holds(canvas->clip, row, col);
}

/* No half of a wide character is left alone: when the other half is drawn over, it becomes a blank. */
static void break_wide(struct canvas *canvas, int row, int col)
{
	if (cell_at(canvas, row, col)->ch == 0 && col > 0)
		*cell_at(canvas, row, col - 1) = (struct cell){.ch = ' ', .role = cell_at(canvas, row, col - 1)->role};
	if (col + 1 < canvas->cols && cell_at(canvas, row, col + 1)->ch == 0)
		*cell_at(canvas, row, col + 1) = (struct cell){.ch = ' ', .role = cell_at(canvas, row, col + 1)->role};
}

static void set_cell(struct canvas *canvas, int row, int col, uint32_t ch, enum role role)
{
	break_wide(canvas, row, col);
	*cell_at(canvas, row, col) = (struct cell){.ch = ch, .role = (uint8_t)role};
}

void canvas_put(struct canvas *canvas, int row, int col, uint32_t ch, enum role role)
{
	char shown[ESCAPE_MAX];
	int width = utf8_width(ch), escaped = escape_char(ch, shown);
	if (escaped > 0) {
		for (int i = 0; i < escaped; i++)
			canvas_put(canvas, row, col + i, (unsigned char)shown[i], role);
	} else if (width <= 0) {
		int mark_col = col;
		if (mark_col > 0 && inside(canvas, row, mark_col - 1) && cell_at(canvas, row, mark_col - 1)->ch == 0)
			mark_col--;
		if (inside(canvas, row, mark_col - 1) && !cell_at(canvas, row, mark_col - 1)->mark)
			cell_at(canvas, row, mark_col - 1)->mark = ch;
	} else if (width == 1) {
		if (inside(canvas, row, col))
			set_cell(canvas, row, col, ch, role);
	} else if (inside(canvas, row, col) && inside(canvas, row, col + 1)) {
		set_cell(canvas, row, col, ch, role);
		set_cell(canvas, row, col + 1, ' ', role);
		cell_at(canvas, row, col + 1)->ch = 0;
	} else {
		/* Half of it would show: a blank for the half that is inside. */
		for (int i = 0; i < 2; i++)
			if (inside(canvas, row, col + i))
				set_cell(canvas, row, col + i, ' ', role);
	}
}

/* A row of cells from a place on. */
struct spot {
	int row, col, cols;
	enum role role;
};

/* Draws characters until the columns are full; returns the columns taken and in *end where it stopped. */
static int draw_text(struct canvas *canvas, struct spot at, const char *text, const char **end)
{
	int taken = 0;
	size_t len = strlen(text);
	while (len > 0) {
		uint32_t ch;
		size_t n = utf8_decode(text, len, &ch);
		int width = utf8_width(ch);
		if (width > at.cols - taken)
			break;
		canvas_put(canvas, at.row, at.col + taken, ch, at.role);
		taken += width;
		text += n;
		len -= n;
	}
	*end = text;
	return taken;
}

int canvas_text(struct canvas *canvas, int row, int col, enum role role, const char *text)
{
	const char *end;
	return draw_text(canvas, (struct spot){row, col, CANVAS_MAX * 100, role}, text, &end);
}

int canvas_textf(struct canvas *canvas, int row, int col, enum role role, const char *format, ...)
{
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	int taken = canvas_text(canvas, row, col, role, buf_str(&text));
	buf_free(&text);
	return taken;
}

int canvas_text_fit(struct canvas *canvas, struct rect rect, enum role role, const char *text)
{
	struct spot at = {rect.row, rect.col, rect.cols, role};
	if (at.cols <= 0)
		return 0;
	const char *end;
	if (utf8_columns(text) <= at.cols)
		return draw_text(canvas, at, text, &end);
	at.cols--;
	int taken = draw_text(canvas, at, text, &end);
	canvas_put(canvas, at.row, at.col + taken, GLYPH_ELLIPSIS, role);
	return taken + 1;
}

void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t ch, enum role role)
{
	struct rect r = intersect(rect, canvas->clip);
	int step = utf8_width(ch) == 2 ? 2 : 1;
	for (int row = r.row; row < r.row + r.rows; row++)
		for (int col = r.col; col < r.col + r.cols; col += step)
			canvas_put(canvas, row, col, ch, role);
}

void canvas_put_on(struct canvas *canvas, struct rect at, uint32_t ch, enum role role, enum role ground)
{
	canvas_put(canvas, at.row, at.col, ch, role);
	if (inside(canvas, at.row, at.col))
		cell_at(canvas, at.row, at.col)->ground = (uint8_t)ground;
}

void canvas_paint(struct canvas *canvas, struct rect rect, enum role ground)
{
	struct rect r = intersect(rect, canvas->clip);
	for (int row = r.row; row < r.row + r.rows; row++)
		for (int col = r.col; col < r.col + r.cols; col++)
			canvas_put_on(canvas, (struct rect){row, col, 1, 1}, ' ', ground, ground);
}

void canvas_label(struct canvas *canvas, struct rect rect, enum role ground, const char *text)
{
	int cols = utf8_columns(text), row = rect.row + (rect.rows - 1) / 2;
	canvas_paint(canvas, rect, ground);
	int col = rect.col + (cols < rect.cols ? (rect.cols - cols) / 2 : 0);
	int taken = canvas_text_fit(canvas, (struct rect){row, col, 1, rect.cols - (col - rect.col)}, ROLE_PAPER, text);
	for (int i = 0; i < taken; i++)
		if (inside(canvas, row, col + i))
			cell_at(canvas, row, col + i)->ground = (uint8_t)ground;
}

void canvas_hline(struct canvas *canvas, int row, int col, int cols, enum role role)
{
	canvas_fill(canvas, (struct rect){row, col, 1, cols}, GLYPH_LINE_H, role);
}

struct rect canvas_box(struct canvas *canvas, struct rect rect, enum role role, const char *title)
{
	if (rect.rows < 2 || rect.cols < 2)
		return (struct rect){rect.row, rect.col, 0, 0};
	int bottom = rect.row + rect.rows - 1, right = rect.col + rect.cols - 1;
	canvas_hline(canvas, rect.row, rect.col + 1, rect.cols - 2, role);
	canvas_hline(canvas, bottom, rect.col + 1, rect.cols - 2, role);
	canvas_fill(canvas, (struct rect){rect.row + 1, rect.col, rect.rows - 2, 1}, GLYPH_LINE_V, role);
	canvas_fill(canvas, (struct rect){rect.row + 1, right, rect.rows - 2, 1}, GLYPH_LINE_V, role);
	canvas_put(canvas, rect.row, rect.col, GLYPH_CORNER_TL, role);
	canvas_put(canvas, rect.row, right, GLYPH_CORNER_TR, role);
	canvas_put(canvas, bottom, rect.col, GLYPH_CORNER_BL, role);
	canvas_put(canvas, bottom, right, GLYPH_CORNER_BR, role);
	if (title && *title && rect.cols > 6) {
		canvas_put(canvas, rect.row, rect.col + 1, ' ', role);
		int taken = canvas_text_fit(
			canvas, (struct rect){rect.row, rect.col + 2, 1, rect.cols - 4}, ROLE_TITLE, title);
		canvas_put(canvas, rect.row, rect.col + 2 + taken, ' ', role);
	}
	return (struct rect){rect.row + 1, rect.col + 1, rect.rows - 2, rect.cols - 2};
}

void canvas_recolor(struct canvas *canvas, struct rect rect, enum role role)
{
	struct rect r = intersect(rect, canvas->clip);
	for (int row = r.row; row < r.row + r.rows; row++)
		for (int col = r.col; col < r.col + r.cols; col++)
			cell_at(canvas, row, col)->role = (uint8_t)role;
}

void canvas_light(struct canvas *canvas, struct rect rect, enum role role)
{
	struct rect r = intersect(rect, canvas->clip);
	canvas_recolor(canvas, r, role);
	for (int row = r.row; row < r.row + r.rows; row++)
		for (int col = r.col; col < r.col + r.cols; col++)
			cell_at(canvas, row, col)->ground = ROLE_TEXT;
}

void canvas_copy(struct canvas *canvas, struct rect rect, const struct canvas *from, int from_row)
{
	struct rect r = intersect(rect, canvas->clip);
	for (int row = r.row; row < r.row + r.rows; row++) {
		for (int col = r.col; col < r.col + r.cols; col++) {
			break_wide(canvas, row, col);
			*cell_at(canvas, row, col) = *canvas_at(from, row - rect.row + from_row, col - rect.col);
		}
	}
}

uint32_t canvas_ascii(uint32_t ch)
{
	if (ch == 0)
		return ' ';
	if (ch >= 0x20 && ch < 0x7F)
		return ch;
	for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
		if (glyphs[i].ch == ch)
			return (uint32_t)glyphs[i].ascii;
	return '?';
}
