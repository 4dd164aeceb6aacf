/* Colors: what a role looks like on this terminal, in which theme, and what the terminal says of its background. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "front/tui/term_parts.h"

/* --- the background of the terminal ------------------------------------------------------------------------------- */

#define NUMBER_MAX 4 /* digits of a command */
#define BEL 7
#define ESC 27
#define DEL 127
#define ST 0x9C /* the end of a string, as one character */

/* What COLORFGBG says, "15;0" or "0;default;15": the last number is the background's. CANVAS_THEMES: nothing. */
static enum canvas_theme background_of_environment(void)
{
	const char *colors = getenv("COLORFGBG"), *last = colors ? strrchr(colors, ';') : NULL;
	char *end;
	if (!last || !last[1])
		return CANVAS_THEMES;
	long background = strtol(last + 1, &end, 10);
	if (*end || background < 0 || background > 15)
		return CANVAS_THEMES;
	return background == 7 || background > 8 ? CANVAS_THEME_LIGHT : CANVAS_THEME_DARK;
}

const char *tui_background_question(const char *name)
{
	static const char *const silent[] = {"linux", "vt", "cons", "sun", "ansi", "dumb"};
	for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
		if (strncmp(name, silent[i], strlen(silent[i])) == 0)
			return "";
	return "\033]11;?\033\\";
}

/* --- the answer --------------------------------------------------------------------------------------------------- */

static void keep(struct tui_command *command, wint_t ch)
{
	command->read++;
	if (command->len < sizeof command->text)
		command->text[command->len++] = ch < DEL ? (char)ch : '?';
}

enum tui_part tui_command_take(struct tui_command *command, wint_t ch)
{
	if (!command->begun) {
		/* Its number, which somebody may have typed after Alt-]. */
		bool digit = ch >= '0' && ch <= '9';
		if (digit ? command->len == NUMBER_MAX : ch != ';' || !command->len)
			return TUI_PART_KEY;
		command->begun = !digit;
		keep(command, ch);
		return TUI_PART_MORE;
	}
	if (command->esc)
		return ch == '\\' ? TUI_PART_WHOLE : TUI_PART_ESCAPED;
	if (ch == BEL || ch == ST)
		return TUI_PART_WHOLE;
	command->esc = ch == ESC;
	if (command->esc)
		return TUI_PART_MORE;
	if (ch < ' ' || ch == DEL || command->read >= TUI_COMMAND_MAX)
		return TUI_PART_BROKEN;
	keep(command, ch);
	return TUI_PART_MORE;
}

bool tui_background_answered(const struct tui_command *command, uint32_t *rgb)
{
	static const char *const begins[] = {"11;rgb:", "11;rgba:"}; /* the second where it can be transparent */
	char text[TUI_ANSWER_MAX + 1] = "";
	const char *at = NULL;
	uint32_t part[3];
	if (command->read > command->len)
		return false;
	memcpy(text, command->text, command->len);
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (strncmp(text, begins[i], strlen(begins[i])) == 0)
			at = text + strlen(begins[i]);
	if (!at)
		return false;
	for (int i = 0; i < 3; i++) {
		/* The highest eight bits of one of "ffff/ffff/ffff". */
		char digits[8] = "";
		size_t n = strspn(at, "0123456789abcdefABCDEF");
		if (n < 1 || n > 4)
			return false;
		memcpy(digits, at, n);
		part[i] = (uint32_t)strtoul(digits, NULL, 16);
		part[i] = n == 1 ? part[i] * 17 : part[i] >> 4 * (n - 2);
		at += n + (at[n] == '/');
	}
	*rgb = part[0] << 16 | part[1] << 8 | part[2];
	return true;
}

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

/* --- looks -------------------------------------------------------------------------------------------------------- */

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

	*look = (struct tui_look){.known = true,
		.attrs = (pen.bold ? A_BOLD : 0) | (pen.underline ? A_UNDERLINE : 0) | (pen.reverse ? A_REVERSE : 0) |
			(pen.dim ? A_DIM : 0)};
	if (pen.fg >= 0 || pen.bg >= 0)
		look->pair = pair_of(pen.fg, pen.bg);
	return look;
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
	enum canvas_theme said = background_of_environment();
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

/* --- the terminal's background ------------------------------------------------------------------------------------ */

void tui_term_choose_theme(const char *name)
{
	enum canvas_colors colors;
	const char *no_color = getenv("NO_COLOR");
	if ((no_color && *no_color) || !has_colors() || start_color() != OK || use_default_colors() != OK ||
		COLORS < 8 || COLOR_PAIRS <= ROLES)
		colors = CANVAS_COLORS_NONE;
	else
		colors = COLORS >= 1 << 24 ? CANVAS_COLORS_RGB : COLORS >= 256 ? CANVAS_COLORS_256 : CANVAS_COLORS_16;

	enum canvas_theme said = background_of_environment();
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
	return paint.asked && background_of_environment() == CANVAS_THEMES;
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
