/* front/canvas/theme.h: what roles look like. A theme (themes.def) has a color for each ink (inks.def), a role has an
 * ink (roles.def). One role looks the same as text on the paper and as the fill of a cell, whose text is then the
 * paper's color: what can be read one way can be read the other. */
#pragma once
#include <stddef.h>

#include "front/canvas/canvas.h"

enum canvas_theme {
#define THEME(id, name, column, paper, paper16, attrs, meaning) CANVAS_THEME_##id,
#include "front/canvas/themes.def"
#undef THEME
	CANVAS_THEMES
};

struct canvas_theme_row {
	const char *name;
	int32_t paper; /* RGB, -1: the terminal's own */
	int paper16;   /* one of 16 colors, -1 likewise */
	bool bold;     /* all of it */
	bool colorless;
	const char *meaning;
};
/* A theme's row; of USER what canvas_theme_set_user said. */
const struct canvas_theme_row *canvas_theme_row(enum canvas_theme theme);

/* Whether there is such a theme: USER only when it was set. The next that there is, and after the last the first. */
bool canvas_theme_is_there(enum canvas_theme theme);
enum canvas_theme canvas_theme_next(enum canvas_theme theme);

/* CANVAS_THEMES: there is no such theme. */
enum canvas_theme canvas_theme_find(const char *name);

/* The names of those that there are, with `between` between them. */
struct buf;
void canvas_theme_names(const char *between, struct buf *out);

enum canvas_ink {
#define INK(id, dark, light, projector, print, colorblind, mono, terminal, dark16, light16, use) CANVAS_INK_##id,
#include "front/canvas/inks.def"
#undef INK
	CANVAS_INKS
};

/* A reader's own theme. An ink that is less than 0 is that of `base`, which is another theme with a paper; PAPER is its
 * background. */
struct canvas_own_theme {
	enum canvas_theme base;
	bool bold;
	int32_t inks[CANVAS_INKS];
};
void canvas_theme_set_user(const struct canvas_own_theme *own);

/* As WCAG 2 defines it: from 1, the same, to 21, black and white. */
double canvas_contrast(uint32_t a, uint32_t b);
#define CANVAS_TEXT_CONTRAST 4.5
#define CANVAS_FRAME_CONTRAST 3.0

/* The least contrast of what is drawn in an ink: on the paper, and with the paper as text on it; with RGB, and with 256
 * colors. */
double canvas_theme_contrast(enum canvas_theme theme, enum canvas_ink ink);

/* The theme for a background of this color. */
enum canvas_theme canvas_theme_for(uint32_t background);

enum canvas_colors { CANVAS_COLORS_NONE, CANVAS_COLORS_16, CANVAS_COLORS_256, CANVAS_COLORS_RGB };

/* A theme's colors as a terminal takes them: numbers of its palette or, with CANVAS_COLORS_RGB, RGB. -1: its own. */
struct canvas_palette {
	enum canvas_theme theme;
	enum canvas_colors colors;
	int32_t ink[ROLES], paper;
};
struct canvas_palette canvas_palette(enum canvas_theme theme, enum canvas_colors colors);

/* What a terminal is set to for a cell. */
struct canvas_pen {
	int32_t fg, bg; /* -1: its own */
	bool bold, dim, underline, reverse;
};
struct canvas_pen canvas_pen(const struct canvas_palette *palette, const struct cell *cell);

/* The cell as it is shown without colors: a fill becomes its texture, a part of a cell the fill that has most of it. */
struct cell canvas_cell_without_color(const struct cell *cell);

/* For documents, which have RGB and always a paper: the terminal's own is a dark one there. */
uint32_t canvas_theme_ink(enum canvas_theme theme, enum role role);
uint32_t canvas_theme_paper(enum canvas_theme theme);

/* The color of an xterm palette entry from 16 on, as RGB. */
uint32_t canvas_palette_rgb(int index);

/* --- a reader's own theme (theme_file.c)
 * ------------------------------------------------------------------------------------- A file with a line NAME = VALUE
 * for each color that differs from a theme that it is based on. # begins a comment. `base` is a theme with a
 * background, `bold` on or off, `paper` the background, and each ink of inks.def a color #RRGGBB. A line that cannot be
 * is left out with a warning that names it: no file keeps a reader from the lessons. */

struct diag;

/* Reads the file into the theme USER. One that is missing is fine, and leaves no such theme. */
void canvas_theme_load(const char *path, struct diag *diag);

/* The same of a text, called `path` in messages. */
void canvas_theme_read(const char *path, const char *text, size_t len, struct diag *diag);

/* A warning for each ink of the theme that is hard to read on its paper, at its line where the file has one. */
void canvas_theme_warn(const char *path, struct diag *diag);
