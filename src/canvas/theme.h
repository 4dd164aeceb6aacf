/* canvas/theme.h: what roles look like. A theme (themes.def) has a color for each ink (inks.def), a role has an ink
 * (roles.def). One role looks the same as text on the paper and as the fill of a cell, whose text is then the paper's color:
 * what can be read one way can be read the other. */
#pragma once
#include "canvas/canvas.h"

enum canvas_theme {
#define THEME(id, name, column, paper, paper16, attrs, meaning) CANVAS_THEME_##id,
#include "canvas/themes.def"
#undef THEME
	CANVAS_THEMES
};

struct canvas_theme_row {
	const char *name;
	int32_t paper; /* RGB, -1: the terminal's own */
	int paper16;   /* one of 16 colors, -1 likewise */
	bool bold;     /* all of it */
	const char *meaning;
};
extern const struct canvas_theme_row canvas_themes[CANVAS_THEMES];

/* CANVAS_THEMES: there is no such theme. */
enum canvas_theme canvas_theme_find(const char *name);

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
