/* Colors: what a role looks like on this terminal, in which theme, and what the terminal says of its background. */
#include "config.h"
#include <stdlib.h>
#include <string.h>

#include "front/tui/term_parts.h"

#define PAIRS_MAX 1024

static struct {
	struct canvas_palette palette;
	enum canvas_colors colors;           /* that the terminal has */
	struct tui_look looks[ROLES][ROLES]; /* of a role on the fill of another */
	struct {
		int32_t fg, bg;
	} pairs[PAIRS_MAX]; /* curses' pairs, from 1 on */
	int n_pairs;
	enum canvas_theme theme, wanted; /* the present one; the one that was asked for, CANVAS_THEMES: any */
	bool asked;                      /* the terminal was asked for its background and has not answered */
	enum canvas_theme fitting;       /* to what the terminal said; CANVAS_THEMES: nothing */
} paint = {.wanted = CANVAS_THEMES, .fitting = CANVAS_THEMES};

/* --- looks ------------------------------------------------------------------------------------------------------------ */
static attr_t attrs_of_pen(const struct canvas_pen *pen)
{
	return (pen->bold ? A_BOLD : 0) | (pen->underline ? A_UNDERLINE : 0) | (pen->reverse ? A_REVERSE : 0) |
		(pen->dim ? A_DIM : 0);
}

/* A pair of curses for two colors; 0: there are none left. */
static short pair_of(int32_t fg, int32_t bg)
{
	for (int i = 1; i <= paint.n_pairs; i++)
		if (paint.pairs[i].fg == fg && paint.pairs[i].bg == bg)
			return (short)i;
	if (paint.n_pairs + 1 >= PAIRS_MAX || paint.n_pairs + 1 >= COLOR_PAIRS)
		return 0;
	int next = paint.n_pairs + 1;
	if (init_extended_pair(next, fg, bg) != OK)
		return 0;
	paint.n_pairs = next;
	paint.pairs[next].fg = fg;
	paint.pairs[next].bg = bg;
	return (short)next;
}

const struct tui_look *tui_look_of(const struct cell *cell)
{
	struct tui_look *look = &paint.looks[cell->role][cell->ground];
	if (look->known)
		return look;
	struct canvas_pen pen = canvas_pen(&paint.palette, cell);

	/* Where there are eight colors, weight stands for the brighter ones. Of RGB the first eight numbers are those
	 * of the palette. */
	if (paint.palette.colors == CANVAS_COLORS_16 && COLORS < 16) {
		if (pen.fg >= 8) {
			pen.dim |= pen.fg == 8;
			pen.bold |= pen.fg != 8;
			pen.fg = pen.fg == 8 || (pen.fg == 15 && pen.bg < 0) ? -1 : pen.fg - 8;
		}
		pen.bg = pen.bg >= 8 ? pen.bg - 8 : pen.bg;
	}
	if (paint.palette.colors == CANVAS_COLORS_RGB) {
		pen.fg = pen.fg >= 0 && pen.fg < 8 ? 0x080808 : pen.fg;
		pen.bg = pen.bg >= 0 && pen.bg < 8 ? 0x080808 : pen.bg;
	}

	*look = (struct tui_look){.known = true, .attrs = attrs_of_pen(&pen)};
	if (pen.fg >= 0 || pen.bg >= 0)
		look->pair = pair_of(pen.fg, pen.bg);
	return look;
}

static enum canvas_colors count_colors(void)
{
	const char *no_color = getenv("NO_COLOR");
	if ((no_color && *no_color) || !has_colors() || start_color() != OK || use_default_colors() != OK ||
		COLORS < 8 || COLOR_PAIRS <= ROLES)
		return CANVAS_COLORS_NONE;
	return COLORS >= 1 << 24 ? CANVAS_COLORS_RGB : COLORS >= 256 ? CANVAS_COLORS_256 : CANVAS_COLORS_16;
}

static void use_theme(enum canvas_theme theme, enum canvas_colors colors)
{
	paint.theme = theme;
	paint.colors = colors;
	paint.palette = canvas_palette(theme, colors);
	memset(paint.looks, 0, sizeof paint.looks);
	paint.n_pairs = 0;
}

void tui_term_set_theme(enum canvas_theme theme)
{
	paint.wanted = theme;
}

void tui_term_turn_theme(enum canvas_theme theme)
{
	enum canvas_theme said = tui_background_of_environment();
	paint.wanted = theme;
	if (theme == CANVAS_THEMES)
		theme = paint.fitting != CANVAS_THEMES ? paint.fitting
			: said != CANVAS_THEMES        ? said
						       : CANVAS_THEME_TERMINAL;
	use_theme(theme, paint.colors);
	tui_term_forget();
}

enum canvas_theme tui_term_theme(void)
{
	return paint.theme;
}

enum canvas_theme tui_term_next_theme(void)
{
	enum canvas_theme next = canvas_theme_next(paint.theme);
	tui_term_turn_theme(next);
	return next;
}

/* --- the terminal's background ---------------------------------------------------------------------------------------- */
void tui_term_choose_theme(const char *name)
{
	enum canvas_colors colors = count_colors();
	enum canvas_theme said = tui_background_of_environment();
	paint.asked = false;
	use_theme(paint.wanted != CANVAS_THEMES ? paint.wanted
			: said != CANVAS_THEMES ? said
						: CANVAS_THEME_TERMINAL,
		colors);
	if (paint.wanted == CANVAS_THEMES && colors != CANVAS_COLORS_NONE)
		paint.asked = tui_term_send(tui_background_question(name));
}

bool tui_term_waits(void)
{
	return paint.asked && tui_background_of_environment() == CANVAS_THEMES;
}

bool tui_term_take_answer(const struct tui_command *command)
{
	uint32_t rgb;
	if (!paint.asked || !tui_background_answered(command, &rgb))
		return false;
	paint.asked = false;
	enum canvas_theme theme = paint.fitting = canvas_theme_for(rgb);
	if (paint.wanted != CANVAS_THEMES || theme == paint.theme)
		return false;
	use_theme(theme, paint.colors);
	tui_term_forget();
	return true;
}

enum canvas_colors tui_look_colors(void)
{
	return paint.palette.colors;
}
