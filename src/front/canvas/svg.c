#include "front/canvas/format.h"

/* The grid, in tenths of a pixel so that every coordinate prints exactly. The cell's width is that of the common
 * monospace fonts at this size (0.6 em); in any other font textLength stretches each run to its columns. */
#define FONT 150
#define CELL_W 90
#define CELL_H 200
#define BASELINE 146
#define MARGIN 180

/* Characters that must join their neighbors are drawn, not written: fonts leave gaps between rows. */
enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8, HEAVY = 16, DOTTED = 32 };

static const struct stroke {
	uint32_t ch;
	unsigned arms;
} strokes[] = {
	{GLYPH_LINE_H, LEFT | RIGHT},
	{GLYPH_LINE_V, UP | DOWN},
	{GLYPH_CORNER_TL, RIGHT | DOWN},
	{GLYPH_CORNER_TR, LEFT | DOWN},
	{GLYPH_CORNER_BL, RIGHT | UP},
	{GLYPH_CORNER_BR, LEFT | UP},
	{GLYPH_TEE_RIGHT, UP | DOWN | RIGHT},
	{GLYPH_TEE_LEFT, UP | DOWN | LEFT},
	{GLYPH_TEE_DOWN, LEFT | RIGHT | DOWN},
	{GLYPH_TEE_UP, LEFT | RIGHT | UP},
	{GLYPH_CROSS, UP | DOWN | LEFT | RIGHT},
	{GLYPH_LINE_V_HEAVY, UP | DOWN | HEAVY},
	{GLYPH_LINE_V_DOTTED, UP | DOWN | DOTTED},
	{GLYPH_LINE_V_DASHED, UP | DOWN | DOTTED},
	{GLYPH_LINE_H_DASHED, LEFT | RIGHT | DOTTED},
};

/* Part of the cell that a block character fills, in eighths from the top left, and how strongly in percent. */
static const struct svg_block {
	uint32_t ch;
	int x, y, w, h, opacity;
} blocks[] = {
	{GLYPH_BLOCK_FULL, 0, 0, 8, 8, 100},
	{GLYPH_BLOCK_DARK, 0, 0, 8, 8, 70},
	{GLYPH_BLOCK_MEDIUM, 0, 0, 8, 8, 50},
	{GLYPH_BLOCK_LIGHT, 0, 0, 8, 8, 25},
	{GLYPH_BLOCK_LEFT, 0, 0, 4, 8, 100},
	{GLYPH_BLOCK_UPPER, 0, 0, 8, 4, 100},
	{GLYPH_BLOCK_LOWER, 0, 4, 8, 4, 100},
	{GLYPH_LEFT_1, 0, 0, 1, 8, 100},
	{GLYPH_LEFT_2, 0, 0, 2, 8, 100},
	{GLYPH_LEFT_3, 0, 0, 3, 8, 100},
	{GLYPH_LEFT_5, 0, 0, 5, 8, 100},
	{GLYPH_LEFT_6, 0, 0, 6, 8, 100},
	{GLYPH_LEFT_7, 0, 0, 7, 8, 100},
	{GLYPH_LOWER_1, 0, 7, 8, 1, 100},
	{GLYPH_LOWER_2, 0, 6, 8, 2, 100},
	{GLYPH_LOWER_3, 0, 5, 8, 3, 100},
	{GLYPH_LOWER_5, 0, 3, 8, 5, 100},
	{GLYPH_LOWER_6, 0, 2, 8, 6, 100},
	{GLYPH_LOWER_7, 0, 1, 8, 7, 100},
};

static const struct stroke *stroke_find(uint32_t ch)
{
	for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++)
		if (strokes[i].ch == ch)
			return &strokes[i];
	return NULL;
}

static const struct svg_block *block_find(uint32_t ch)
{
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		if (blocks[i].ch == ch)
			return &blocks[i];
	return NULL;
}

static bool is_drawn(const struct cell *cell, enum canvas_charset charset)
{
	return charset == CANVAS_UTF8 && (stroke_find(cell->ch) || block_find(cell->ch));
}

static void tenths(struct buf *out, int v)
{
	buf_printf(out, v % 10 ? "%d.%d" : "%d", v / 10, v % 10);
}

static void attribute(struct buf *out, const char *name, int v)
{
	buf_printf(out, " %s=\"", name);
	tenths(out, v);
	buf_putc(out, '"');
}

static void class_attribute(struct buf *out, enum role role)
{
	buf_puts(out, " class=\"");
	canvas_role_class(role, out);
	buf_putc(out, '"');
}

static int left_of(int col)
{
	return MARGIN + col * CELL_W;
}

static int top_of(int row)
{
	return MARGIN + row * CELL_H;
}

/* `canvas` NULL: of all roles. */
static void rules(const struct canvas *canvas, enum canvas_theme theme, struct buf *out)
{
	bool bold = canvas_theme_row(theme)->bold;
	buf_printf(out,
		"text{font:%s%dpx ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;white-space:pre;"
		"fill:#%06x}\n",
		bold ? "bold " : "", FONT / 10, canvas_theme_ink(theme, ROLE_TEXT));
	buf_printf(out, "path{fill:none;stroke-width:%s}\n.heavy{stroke-width:3}\n.dotted{stroke-dasharray:2 3}\n",
		bold ? "2" : "1.2");
	for (int role = 0; role < ROLES; role++) {
		const struct role_look *look = &canvas_roles[role];
		if (canvas && !canvas_uses_role(canvas, role))
			continue;
		for (const char *const *kind = (const char *const[]){"text.", "rect.", "path.", NULL}; *kind; kind++) {
			bool text = **kind == 't', reversed = text && look->reverse;
			buf_puts(out, *kind);
			canvas_role_class(role, out);
			buf_printf(out, "{%s:#%06x", **kind == 'p' ? "stroke" : "fill",
				canvas_theme_ink(theme, reversed ? ROLE_PAPER : (enum role)role));
			if (text)
				buf_printf(out, "%s%s", look->bold ? ";font-weight:bold" : "",
					look->underline ? ";text-decoration:underline" : "");
			buf_puts(out, "}\n");
		}
	}
}

/* Of a part, what fills cells is one path for each role, of class f and the role's. */
void canvas_export_svg_style(enum canvas_theme theme, struct buf *out)
{
	rules(NULL, theme, out);
	for (int role = 0; role < ROLES; role++) {
		buf_puts(out, "path.f.");
		canvas_role_class((enum role)role, out);
		buf_printf(out, "{fill:#%06x;stroke:none}\n", canvas_theme_ink(theme, (enum role)role));
	}
}

/* The role whose color is behind the cell; ROLE_TEXT: the paper. */
static enum role ground_of(const struct cell *cell)
{
	return canvas_roles[cell->role].reverse ? cell->role : cell->ground;
}

static void move(struct buf *out, int x, int y, char direction, int length)
{
	buf_putc(out, 'M');
	tenths(out, x);
	buf_putc(out, ' ');
	tenths(out, y);
	buf_putc(out, direction);
	tenths(out, length);
}

/* One path for the `n` equal characters from (row, col). */
static void draw_strokes(int row, int col, int n, unsigned arms, struct buf *out)
{
	int x = left_of(col), y = top_of(row), middle = y + CELL_H / 2;
	if ((arms & LEFT) && (arms & RIGHT)) {
		move(out, x, middle, 'h', n * CELL_W);
	} else if (arms & (LEFT | RIGHT)) {
		for (int i = 0; i < n; i++)
			move(out, x + i * CELL_W + (arms & RIGHT ? CELL_W / 2 : 0), middle, 'h', CELL_W / 2);
	}
	if (!(arms & (UP | DOWN)))
		return;
	int from = arms & UP ? y : middle, to = arms & DOWN ? y + CELL_H : middle;
	for (int i = 0; i < n; i++)
		move(out, x + i * CELL_W + CELL_W / 2, from, 'v', to - from);
}

/* Whether a run of text is written by the places of its characters: it is short, and each is one character. */
static bool is_short(const struct canvas *canvas, int row, int col, int end)
{
	bool marks = false;
	for (int i = col; i < end; i++)
		marks |= canvas_at(canvas, row, i)->mark != 0;
	return end - col <= 2 && !marks;
}

/* The end of what is drawn or written from `col` on in one element. */
static int element_end(const struct canvas *canvas, int row, int col, enum canvas_charset charset)
{
	const struct cell *cell = canvas_at(canvas, row, col);
	if (cell->ch == 0 || (cell->ch == ' ' && !cell->mark))
		return col + 1;
	/* part of a cell is drawn cell by cell */
	if (is_drawn(cell, charset) && block_find(cell->ch) && block_find(cell->ch)->w < 8)
		return col + 1;

	/* Where the run that starts at `col` ends: cells of one role; drawn characters only with their like; written
	 * ones without the blanks at the end and without gaps of more than one column, which would move in fonts of
	 * other widths. */
	const struct cell *first = canvas_at(canvas, row, col);
	int end = col + 1, last = end;
	for (; end < canvas->cols; end++) {
		const struct cell *end_cell = canvas_at(canvas, row, end);
		if (is_drawn(first, charset) ? end_cell->ch != first->ch || end_cell->role != first->role
					     : is_drawn(end_cell, charset) ||
					(end_cell->role != first->role && end_cell->ch != ' ') || end - last > 1)
			break;
		if (end_cell->ch != ' ')
			last = end + 1;
	}
	return last;
}

/* Lines that need no class but the role's. */
static bool is_plain_stroke(const struct cell *cell)
{
	const struct stroke *stroke = stroke_find(cell->ch);
	return stroke && !(stroke->arms & (HEAVY | DOTTED));
}

static bool is_text(const struct cell *cell, enum canvas_charset charset)
{
	return cell->ch != 0 && (cell->ch != ' ' || cell->mark) && !is_drawn(cell, charset);
}

/* The short runs of the row in `role` as one element with the place of each character. `places`, or the characters
 * themselves. */
static int short_runs(const struct canvas *canvas, int row, enum role role, bool places, struct buf *out)
{
	int n = 0;
	for (int col = 0, end; col < canvas->cols; col = end) {
		end = element_end(canvas, row, col, CANVAS_UTF8);
		if (!is_text(canvas_at(canvas, row, col), CANVAS_UTF8) || !is_short(canvas, row, col, end))
			continue;
		for (int i = col; i < end; i++) {
			const struct cell *cell = canvas_at(canvas, row, i);
			if (cell->role != role || cell->ch == 0 || cell->ch == ' ')
				continue;
			if (!places) {
				canvas_export_cell_escaped(cell, CANVAS_UTF8, out);
			} else {
				buf_puts(out, n ? " " : "");
				tenths(out, left_of(i));
			}
			n++;
		}
	}
	return n;
}

/* Whether exactly these cells of the row are a run that is filled with `role`. */
static bool is_ground_run(const struct canvas *canvas, int row, int col, int end, enum role role)
{
	if (row < 0 || row >= canvas->rows || (col > 0 && ground_of(canvas_at(canvas, row, col - 1)) == role) ||
		(end < canvas->cols && ground_of(canvas_at(canvas, row, end)) == role))
		return false;
	for (int i = col; i < end; i++)
		if (ground_of(canvas_at(canvas, row, i)) != role)
			return false;
	return true;
}

/* Adds what fills cells of a row with `role` to a path. What goes on below is one shape with it. */
static void joined_grounds(const struct canvas *canvas, int row, enum role role, struct buf *path)
{
	for (int col = 0, end; col < canvas->cols; col = end) {
		for (end = col; end < canvas->cols && ground_of(canvas_at(canvas, row, end)) == role; end++)
			continue;
		if (end == col) {
			end++;
			continue;
		}
		if (is_ground_run(canvas, row - 1, col, end, role))
			continue;
		int rows = 1;
		while (is_ground_run(canvas, row + rows, col, end, role))
			rows++;
		move(path, left_of(col), top_of(row), 'h', (end - col) * CELL_W);
		buf_putc(path, 'v');
		tenths(path, rows * CELL_H);
		buf_puts(path, "h-");
		tenths(path, (end - col) * CELL_W);
		buf_putc(path, 'z');
	}
}

/* Adds the plain lines of a row in `role` to a path. */
static void joined_strokes(const struct canvas *canvas, int row, enum role role, struct buf *path)
{
	for (int col = 0, end; col < canvas->cols; col = end) {
		const struct cell *cell = canvas_at(canvas, row, col);
		end = element_end(canvas, row, col, CANVAS_UTF8);
		if (cell->role == role && is_drawn(cell, CANVAS_UTF8) && is_plain_stroke(cell))
			draw_strokes(row, col, end - col, stroke_find(cell->ch)->arms, path);
	}
}

typedef void joined_fn(const struct canvas *canvas, int row, enum role role, struct buf *path);

/* One path for each role. */
static void joined_paths(const struct canvas *canvas, joined_fn *add, const char *kind, struct buf *out)
{
	for (int role = 0; role < ROLES; role++) {
		struct buf path = {0};
		if (role == ROLE_TEXT && *kind)
			continue; /* the paper */
		for (int row = 0; row < canvas->rows; row++)
			add(canvas, row, (enum role)role, &path);
		if (path.len) {
			buf_printf(out, "<path class=\"%s", kind);
			canvas_role_class((enum role)role, out);
			buf_printf(out, "\" d=\"%s\"/>\n", buf_str(&path));
		}
		buf_free(&path);
	}
}

struct extent {
	int width, height;
};

static struct extent extent_of(const struct canvas *canvas)
{
	return (struct extent){
		(canvas->cols * CELL_W + 2 * MARGIN + 9) / 10, (canvas->rows * CELL_H + 2 * MARGIN + 9) / 10};
}

static void picture(
	const struct canvas *canvas, const struct canvas_export_options *options, bool joined, struct buf *out)
{
	struct extent size = extent_of(canvas);
	buf_printf(out, "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#%06x\"/>\n", size.width, size.height,
		canvas_theme_paper(options->theme));
	if (joined)
		joined_paths(canvas, joined_grounds, "f ", out);
	for (int row = 0; row < canvas->rows; row++) {
		if (!joined) {
			/* What is behind the cells, a run at a time. */
			for (int col = 0, end; col < canvas->cols; col = end) {
				enum role ground = ground_of(canvas_at(canvas, row, col));
				for (end = col + 1;
					end < canvas->cols && ground_of(canvas_at(canvas, row, end)) == ground; end++)
					continue;
				if (ground == ROLE_TEXT)
					continue;
				buf_puts(out, "<rect");
				class_attribute(out, ground);
				attribute(out, "x", left_of(col));
				attribute(out, "y", top_of(row));
				attribute(out, "width", (end - col) * CELL_W);
				attribute(out, "height", CELL_H);
				buf_puts(out, "/>\n");
			}
		}

		for (int col = 0, end; col < canvas->cols; col = end) {
			const struct cell *cell = canvas_at(canvas, row, col);
			end = element_end(canvas, row, col, options->charset);
			if (is_text(cell, options->charset) && !(joined && is_short(canvas, row, col, end))) {
				buf_puts(out, "<text");
				class_attribute(out, canvas_at(canvas, row, col)->role);
				attribute(out, "x", left_of(col));
				attribute(out, "y", top_of(row) + BASELINE);
				if (end - col > 1) {
					attribute(out, "textLength", (end - col) * CELL_W);
					buf_puts(out, joined ? "" : " lengthAdjust=\"spacingAndGlyphs\"");
				}
				buf_putc(out, '>');
				for (int i = col; i < end; i++)
					canvas_export_cell_escaped(canvas_at(canvas, row, i), options->charset, out);
				buf_puts(out, "</text>\n");
			} else if (is_drawn(cell, options->charset) && !(joined && is_plain_stroke(cell))) {
				int n = end - col;
				const struct stroke *stroke = stroke_find(cell->ch);
				if (stroke) {
					buf_puts(out, "<path class=\"");
					canvas_role_class(cell->role, out);
					buf_printf(out, "%s%s\" d=\"", stroke->arms & HEAVY ? " heavy" : "",
						stroke->arms & DOTTED ? " dotted" : "");
					draw_strokes(row, col, n, stroke->arms, out);
					buf_puts(out, "\"/>\n");
					continue;
				}
				const struct svg_block *block = block_find(cell->ch);
				buf_puts(out, "<rect");
				class_attribute(out, cell->role);
				attribute(out, "x", left_of(col) + CELL_W * block->x / 8);
				/* A little air above and below, so that bars in neighboring rows stay apart; none where
				 * fills leave none. */
				int air = block->w < 8 || cell->ground != ROLE_TEXT || block->y ? 0 : 20;
				attribute(out, "y", top_of(row) + CELL_H * block->y / 8 + (block->y == 0 ? air : 0));
				attribute(out, "width", block->w == 8 ? n * CELL_W : CELL_W * block->w / 8);
				attribute(out, "height", CELL_H * block->h / 8 - (block->h == 8 ? 2 * air : air));
				if (block->opacity != 100)
					buf_printf(out, " opacity=\".%02d\"", block->opacity);
				buf_puts(out, "/>\n");
			}
		}

		if (joined) {
			for (int role = 0; role < ROLES; role++) {
				struct buf at = {0};
				if (short_runs(canvas, row, (enum role)role, true, &at)) {
					buf_puts(out, "<text");
					class_attribute(out, (enum role)role);
					buf_printf(out, " x=\"%s\"", buf_str(&at));
					attribute(out, "y", top_of(row) + BASELINE);
					buf_putc(out, '>');
					short_runs(canvas, row, (enum role)role, false, out);
					buf_puts(out, "</text>\n");
				}
				buf_free(&at);
			}
		}
	}
	if (joined)
		joined_paths(canvas, joined_strokes, "", out);
	buf_puts(out, "</svg>\n");
}

void canvas_export_svg(const struct canvas *canvas, const struct canvas_export_options *options, struct buf *out)
{
	struct extent size = extent_of(canvas);
	buf_printf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
		"role=\"img\" aria-labelledby=\"title desc\" xml:space=\"preserve\">\n<title id=\"title\">",
		size.width, size.height, size.width, size.height);
	canvas_export_escaped(options->title ? options->title : "simttutor", out);
	buf_puts(out, "</title>\n<desc id=\"desc\">");
	struct buf text = {0};
	canvas_export_text(canvas, options, &text);
	canvas_export_escaped(buf_str(&text), out);
	buf_free(&text);
	buf_puts(out, "</desc>\n");

	buf_puts(out, "<style>\n");
	rules(canvas, options->theme, out);
	buf_puts(out, "</style>\n");

	picture(canvas, options, false, out);
}

void canvas_export_svg_part(
	const struct canvas *canvas, const struct canvas_export_options *options, const char *words, struct buf *out)
{
	struct extent size = extent_of(canvas);
	buf_printf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", size.width, size.height);
	canvas_export_escaped(options->title, out);
	buf_puts(out, "\"><desc>");
	canvas_export_escaped(words, out);
	buf_puts(out, "</desc>\n");
	struct canvas *textured = canvas_textured(canvas, options->theme);
	picture(textured ? textured : canvas, options, true, out);
	canvas_free(textured);
}
