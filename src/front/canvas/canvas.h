/* front/canvas/canvas.h: a grid of styled cells that everything is drawn on: views, whole screens, pictures.
 *
 * Rows and columns count from 0, top left. Drawing outside the canvas or its clip rectangle does nothing. A cell
 * carries a role, never a color: roles.def says what each looks like in every output. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum role {
#define ROLE(id, ink, attrs, texture, meaning) ROLE_##id,
#include "front/canvas/roles.def"
#undef ROLE
	ROLES
};

/* What a role looks like in every theme: the row of roles.def. Its color: theme.h. */
struct role_look {
	const char *name; /* as in roles.def: "WAVE1" */
	bool bold, underline, reverse, dim;
	uint32_t texture; /* in a cell filled with it, where there are no colors */
	const char *meaning;
};
extern const struct role_look canvas_roles[ROLES];

/* Characters beyond ASCII by name; the value is the code point. */
enum glyph {
#define GLYPH(id, unicode, ascii, use) GLYPH_##id = unicode,
#include "front/canvas/glyphs.def"
#undef GLYPH
};

struct rect {
	int row, col, rows, cols;
};

/* Whether the cell is in the rectangle. */
bool canvas_rect_holds(struct rect rect, int row, int col);

struct cell {
	uint32_t ch;    /* Unicode; 0: the right half of a wide character */
	uint32_t mark;  /* a combining character over `ch`, 0: none */
	uint8_t role;   /* enum role */
	uint8_t ground; /* the role that fills the cell behind `ch`; ROLE_TEXT: none does */
};

struct canvas {
	int rows, cols;
	struct rect clip;
	struct cell *cells; /* rows * cols, row by row */
};

/* Blank, ROLE_TEXT. Sizes are clamped to 1..1000. */
struct canvas *canvas_new(int rows, int cols);
void canvas_free(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);
const struct cell *canvas_at(const struct canvas *canvas, int row, int col);

/* Narrows drawing to `rect` within the present clip; returns the old clip, to be put back by canvas_unclip. */
struct rect canvas_clip(struct canvas *canvas, struct rect rect);
void canvas_unclip(struct canvas *canvas, struct rect old);

/* A wide character takes the next column too; where that lies outside, a blank is put instead. A combining character
 * goes over the one to the left of `col`. One that cannot be shown puts its escape (base/utf8.h), so that no cell ever
 * holds anything else than a character to be seen, whatever the text. */
void canvas_put(struct canvas *canvas, int row, int col, uint32_t ch, enum role role);

/* Draws text on one row and returns the columns it took (also what lay outside). */
int canvas_text(struct canvas *canvas, int row, int col, enum role role, const char *text);
int canvas_textf(struct canvas *canvas, int row, int col, enum role role, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* The same on the first row of `rect`, in its columns; longer text ends in an ellipsis. */
int canvas_text_fit(struct canvas *canvas, struct rect rect, enum role role, const char *text);

void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t ch, enum role role);

/* Fills the cells with the color of `ground`; what stood there goes. */
void canvas_paint(struct canvas *canvas, struct rect rect, enum role ground);

/* A character in the color of `role` over the fill `ground`, such as a part of a cell between two fills. */
void canvas_put_on(struct canvas *canvas, struct rect at, uint32_t ch, enum role role, enum role ground);

/* Text over a fill, in the middle of `rect`'s columns on its middle row; cut where it is longer. Cells around it are
 * filled too. Without colors they show the fill's texture, blanks of the text do not. */
void canvas_label(struct canvas *canvas, struct rect rect, enum role ground, const char *text);

void canvas_hline(struct canvas *canvas, int row, int col, int cols, enum role role);

/* A frame of single lines, `title` (may be NULL) in its top edge. Returns the inside. */
struct rect canvas_box(struct canvas *canvas, struct rect rect, enum role role, const char *title);

/* Gives every cell inside `rect` the role, keeping its character (a selection). */
void canvas_recolor(struct canvas *canvas, struct rect rect, enum role role);

/* The same, whatever fills the cells. */
void canvas_light(struct canvas *canvas, struct rect rect, enum role role);

/* Copies rows of another canvas, from `from_row` on, to `rect`. */
void canvas_copy(struct canvas *canvas, struct rect rect, const struct canvas *from, int from_row);

/* The ASCII character that stands for `ch` where only ASCII can be shown; one column for one column. Known for every
 * character in glyphs.def; '?' for others, and a blank for the right half of a wide one. */
uint32_t canvas_ascii(uint32_t ch);
