#include "front/canvas/theme.h"

#include <string.h>

#include <math.h>

#include "base/buf.h"

#define HAS(attrs, letter) ((attrs " ")[0] == (letter))

enum column {
	COLUMN_DARK,
	COLUMN_LIGHT,
	COLUMN_PROJECTOR,
	COLUMN_PRINT,
	COLUMN_COLORBLIND,
	COLUMN_MONO,
	COLUMN_TERMINAL,
	COLUMN_USER
};

static const struct {
	int32_t rgb[COLUMN_USER];
	int dark16, light16;
} inks[CANVAS_INKS] = {
#define INK(id, dark, light, projector, print, colorblind, mono, terminal, dark16, light16, use)                       \
	[CANVAS_INK_##id] = {{dark, light, projector, print, colorblind, mono, terminal}, dark16, light16},
#include "front/canvas/inks.def"
#undef INK
};

static const enum canvas_ink ink_of[ROLES] = {
#define ROLE(id, ink, attrs, texture, meaning) [ROLE_##id] = CANVAS_INK_##ink,
#include "front/canvas/roles.def"
#undef ROLE
};

static const enum column column_of[CANVAS_THEMES] = {
#define THEME(id, name, column, paper, paper16, attrs, meaning) [CANVAS_THEME_##id] = COLUMN_##column,
#include "front/canvas/themes.def"
#undef THEME
};

static const struct canvas_theme_row themes[CANVAS_THEMES] = {
#define THEME(id, name, column, paper, paper16, attrs, meaning)                                                        \
	[CANVAS_THEME_##id] = {name, paper, paper16, HAS(attrs, 'B'), HAS(attrs, 'N'), meaning},
#include "front/canvas/themes.def"
#undef THEME
};

/* The reader's own, where there is one. */
static struct {
	bool set;
	struct canvas_theme_row row;
	int32_t rgb[CANVAS_INKS];
} user;

static int32_t rgb_of(enum canvas_theme theme, enum canvas_ink ink)
{
	return column_of[theme] == COLUMN_USER ? user.rgb[ink] : inks[ink].rgb[column_of[theme]];
}

const struct canvas_theme_row *canvas_theme_row(enum canvas_theme theme)
{
	return theme == CANVAS_THEME_USER && user.set ? &user.row : &themes[theme];
}

bool canvas_theme_is_there(enum canvas_theme theme)
{
	return theme < CANVAS_THEMES && (theme != CANVAS_THEME_USER || user.set);
}

enum canvas_theme canvas_theme_next(enum canvas_theme theme)
{
	do
		theme = (enum canvas_theme)((theme + 1) % CANVAS_THEMES);
	while (!canvas_theme_is_there(theme));
	return theme;
}

enum canvas_theme canvas_theme_find(const char *name)
{
	for (int i = 0; i < CANVAS_THEMES; i++)
		if (canvas_theme_is_there((enum canvas_theme)i) && strcmp(themes[i].name, name) == 0)
			return (enum canvas_theme)i;
	return CANVAS_THEMES;
}

void canvas_theme_names(const char *between, struct buf *out)
{
	for (int i = 0; i < CANVAS_THEMES; i++)
		if (canvas_theme_is_there((enum canvas_theme)i))
			buf_printf(out, "%s%s", i ? between : "", themes[i].name);
}

void canvas_theme_set_user(const struct canvas_own_theme *own)
{
	for (int i = 0; i < CANVAS_INKS; i++)
		user.rgb[i] = own->inks[i] >= 0 ? own->inks[i] : rgb_of(own->base, (enum canvas_ink)i);
	user.row = themes[CANVAS_THEME_USER];
	user.row.paper = user.rgb[CANVAS_INK_PAPER];
	user.row.paper16 = canvas_theme_for((uint32_t)user.row.paper) == CANVAS_THEME_DARK ? 0 : 15;
	user.row.bold = own->bold;
	user.row.colorless = themes[own->base].colorless;
	user.set = true;
}

/* --- contrast ----------------------------------------------------------------------------------------------------- */

static double luminance(uint32_t rgb)
{
	static const double weights[] = {0.2126, 0.7152, 0.0722};
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double c = (rgb >> (16 - 8 * i) & 255) / 255.0;
		sum += weights[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

double canvas_contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
	return x > y ? x / y : y / x;
}

/* By its luma: halfway between black and white as the eye sees it. */
enum canvas_theme canvas_theme_for(uint32_t background)
{
	uint32_t r = background >> 16 & 255, g = background >> 8 & 255, b = background & 255;
	return 299 * r + 587 * g + 114 * b < 128 * 1000 ? CANVAS_THEME_DARK : CANVAS_THEME_LIGHT;
}

/* --- colors of terminals ------------------------------------------------------------------------------------------ */

uint32_t canvas_palette_rgb(int index)
{
	static const uint32_t levels[] = {0, 95, 135, 175, 215, 255};
	if (index >= 232) {
		uint32_t gray = 8 + 10 * (uint32_t)(index - 232);
		return gray << 16 | gray << 8 | gray;
	}
	uint32_t i = (uint32_t)(index < 16 ? 0 : index - 16);
	return levels[i / 36 % 6] << 16 | levels[i / 6 % 6] << 8 | levels[i % 6];
}

/* How unlike two colors are: squares of their parts' distances, weighted as the eye does. */
static int32_t distance(uint32_t a, uint32_t b)
{
	int32_t red = (int32_t)(a >> 16 & 255) - (int32_t)(b >> 16 & 255),
		green = (int32_t)(a >> 8 & 255) - (int32_t)(b >> 8 & 255),
		blue = (int32_t)(a & 255) - (int32_t)(b & 255);
	return 3 * red * red + 6 * green * green + 2 * blue * blue;
}

static int32_t nearest_256(int32_t rgb)
{
	int best = 16;
	if (rgb < 0)
		return -1;
	for (int i = 17; i < 256; i++)
		if (distance((uint32_t)rgb, canvas_palette_rgb(i)) < distance((uint32_t)rgb, canvas_palette_rgb(best)))
			best = i;
	return best;
}

struct canvas_palette canvas_palette(enum canvas_theme theme, enum canvas_colors colors)
{
	struct canvas_palette p = {.theme = theme, .colors = colors, .paper = -1};
	const struct canvas_theme_row *row = canvas_theme_row(theme);
	int32_t of_ink[CANVAS_INKS];
	bool is_dark = row->paper >= 0 && canvas_theme_for((uint32_t)row->paper) == CANVAS_THEME_DARK;
	p.colors = colors = row->colorless ? CANVAS_COLORS_NONE : colors;
	for (int i = 0; i < CANVAS_INKS; i++) {
		int32_t rgb = rgb_of(theme, (enum canvas_ink)i);
		switch (colors) {
		case CANVAS_COLORS_NONE: of_ink[i] = -1; break;
		case CANVAS_COLORS_16: of_ink[i] = rgb < 0 ? -1 : is_dark ? inks[i].dark16 : inks[i].light16; break;
		case CANVAS_COLORS_256: of_ink[i] = nearest_256(rgb); break;
		case CANVAS_COLORS_RGB: of_ink[i] = rgb; break;
		}
	}
	/* A fill on the terminal's own background is text in reverse, as long as nobody knows what color that has. */
	if (colors == CANVAS_COLORS_16 && row->paper < 0)
		of_ink[CANVAS_INK_PAPER] = -1;
	for (int role = 0; role < ROLES; role++)
		p.ink[role] = of_ink[ink_of[role]];
	if (row->paper >= 0 && colors != CANVAS_COLORS_NONE)
		p.paper = colors == CANVAS_COLORS_16  ? row->paper16
			: colors == CANVAS_COLORS_256 ? nearest_256(row->paper)
						      : row->paper;
	return p;
}

/* Dim carries meaning in monochrome only: on top of a gray it would make text too dark to read. */
struct canvas_pen canvas_pen(const struct canvas_palette *palette, const struct cell *cell)
{
	const struct role_look *look = &canvas_roles[cell->role];
	struct canvas_pen pen = {.fg = -1,
		.bg = -1,
		.bold = look->bold || canvas_theme_row(palette->theme)->bold,
		.underline = look->underline};
	bool filled = cell->ground != ROLE_TEXT;
	int ink = cell->role == cell->ground && filled ? ROLE_PAPER : cell->role; /* blanks of a label as its text */
	if (palette->colors == CANVAS_COLORS_NONE) {
		pen.bold = look->bold;
		pen.dim = look->dim;
		pen.reverse = look->reverse || (filled && cell->role == ROLE_PAPER);
		return pen;
	}
	pen.fg = look->reverse ? palette->ink[ROLE_PAPER] : palette->ink[ink];
	pen.bg = look->reverse ? palette->ink[cell->role] : filled ? palette->ink[cell->ground] : palette->paper;
	if (pen.fg < 0 && (look->reverse || ink == ROLE_PAPER) && pen.bg >= 0)
		pen = (struct canvas_pen){
			.fg = pen.bg, .bg = -1, .bold = pen.bold, .underline = pen.underline, .reverse = true};
	return pen;
}

struct cell canvas_cell_without_color(const struct cell *cell)
{
	/* from the left or from below, in eighths: the ink's part of the cell */
	static const uint32_t parts[][2] = {{GLYPH_LEFT_1, 1}, {GLYPH_LEFT_2, 2}, {GLYPH_LEFT_3, 3},
		{GLYPH_BLOCK_LEFT, 4}, {GLYPH_LEFT_5, 5}, {GLYPH_LEFT_6, 6}, {GLYPH_LEFT_7, 7}, {GLYPH_BLOCK_UPPER, 4}};
	struct cell shown = *cell;
	if (cell->ground == ROLE_TEXT)
		return shown;
	if (cell->ch == ' ' && cell->role == cell->ground && canvas_roles[cell->ground].texture != ' ')
		shown = (struct cell){.ch = canvas_roles[cell->ground].texture, .role = cell->ground};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (cell->ch == parts[i][0]) {
			uint8_t most = parts[i][1] >= 4 ? cell->role : cell->ground;
			shown = (struct cell){.ch = canvas_roles[most].texture, .role = most};
		}
	return shown;
}

double canvas_theme_contrast(enum canvas_theme theme, enum canvas_ink ink)
{
	int32_t rgb = rgb_of(theme, ink), paper = canvas_theme_row(theme)->paper;
	if (rgb < 0 || paper < 0)
		return 21; /* the terminal's own */
	double whole = canvas_contrast((uint32_t)rgb, (uint32_t)paper),
	       few = canvas_contrast(canvas_palette_rgb(nearest_256(rgb)), canvas_palette_rgb(nearest_256(paper)));
	return whole < few ? whole : few;
}

/* --- documents ---------------------------------------------------------------------------------------------------- */

static enum canvas_theme document_theme(enum canvas_theme theme)
{
	return canvas_theme_row(theme)->paper < 0 ? CANVAS_THEME_DARK : theme;
}

uint32_t canvas_theme_ink(enum canvas_theme theme, enum role role)
{
	return (uint32_t)rgb_of(document_theme(theme), ink_of[role]);
}

uint32_t canvas_theme_paper(enum canvas_theme theme)
{
	return (uint32_t)canvas_theme_row(document_theme(theme))->paper;
}
