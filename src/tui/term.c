#include "config.h"
#include "tui/term.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include <curses.h>
#include <term.h>

#include "base/file.h"
#include "base/vec.h"
#include "tui/keynames.h"

#define SIDE_MAX 1000 /* as a canvas has at most; curses counts in short and loses its rows past that */
#define ESC_MS 25     /* how long a lone Esc waits for the rest of a sequence */
#define PAIRS_MAX 1024
#define REPLY_MAX 40 /* "11;rgb:ffff/ffff/ffff" and some */

struct tui_look {
	bool known;
	attr_t attrs;
	short pair; /* 0: none */
};

static struct {
	bool open;
	bool ascii; /* the locale has no UTF-8 */
	SCREEN *screen;
	struct termios before;
	char rescue[256]; /* what gives the terminal back, ready to be written */
	size_t rescue_len;
	cchar_t *line; /* one row, as long as the widest yet */
	int line_cap;
	struct canvas_palette palette;
	struct tui_look looks[ROLES][ROLES]; /* of a role on the fill of another */
	struct {
		int32_t fg, bg;
	} pairs[PAIRS_MAX]; /* curses' pairs, from 1 on */
	int n_pairs;
	enum canvas_theme theme, wanted; /* the present one; the one that was asked for, CANVAS_THEMES: any */
	bool asked;                      /* the terminal was asked for its background and has not answered */
	char reply[REPLY_MAX];           /* so much of its answer as has arrived, after ESC ] */
	size_t reply_len;
	bool replying;
} term = {.wanted = CANVAS_THEMES};

/* --- looks ------------------------------------------------------------------------------------------------------------ */
static attr_t attrs_of_pen(const struct canvas_pen *pen)
{
	return (pen->bold ? A_BOLD : 0) | (pen->underline ? A_UNDERLINE : 0) | (pen->reverse ? A_REVERSE : 0) |
		(pen->dim ? A_DIM : 0);
}

/* A pair of curses for two colors; 0: there are none left. */
static short pair_of(int32_t fg, int32_t bg)
{
	for (int i = 1; i <= term.n_pairs; i++)
		if (term.pairs[i].fg == fg && term.pairs[i].bg == bg)
			return (short)i;
	if (term.n_pairs + 1 >= PAIRS_MAX || term.n_pairs + 1 >= COLOR_PAIRS)
		return 0;
	int next = term.n_pairs + 1;
	if (init_extended_pair(next, fg, bg) != OK)
		return 0;
	term.n_pairs = next;
	term.pairs[next].fg = fg;
	term.pairs[next].bg = bg;
	return (short)next;
}

/* Where there are eight colors, weight stands for the brighter ones. Of RGB the first eight numbers are those of the palette. */
static void fit_pen(struct canvas_pen *pen)
{
	if (term.palette.colors == CANVAS_COLORS_16 && COLORS < 16) {
		if (pen->fg >= 8) {
			pen->dim |= pen->fg == 8;
			pen->bold |= pen->fg != 8;
			pen->fg = pen->fg == 8 || (pen->fg == 15 && pen->bg < 0) ? -1 : pen->fg - 8;
		}
		pen->bg = pen->bg >= 8 ? pen->bg - 8 : pen->bg;
	}
	if (term.palette.colors == CANVAS_COLORS_RGB) {
		pen->fg = pen->fg >= 0 && pen->fg < 8 ? 0x080808 : pen->fg;
		pen->bg = pen->bg >= 0 && pen->bg < 8 ? 0x080808 : pen->bg;
	}
}

static const struct tui_look *look_of(const struct cell *cell)
{
	struct tui_look *look = &term.looks[cell->role][cell->ground];
	if (look->known)
		return look;
	struct canvas_pen pen = canvas_pen(&term.palette, cell);
	fit_pen(&pen);
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
	term.theme = theme;
	term.palette = canvas_palette(theme, colors);
	memset(term.looks, 0, sizeof term.looks);
	term.n_pairs = 0;
}

void tui_term_set_theme(enum canvas_theme theme)
{
	term.wanted = theme;
}

enum canvas_theme tui_term_next_theme(void)
{
	enum canvas_theme next = (enum canvas_theme)((term.theme + 1) % CANVAS_THEMES);
	term.wanted = next;
	use_theme(next, term.palette.colors);
	tui_term_forget();
	return next;
}

/* --- the terminal's background ---------------------------------------------------------------------------------------- */
/* What COLORFGBG says, "15;0" or "0;default;15": the last number is the background's. CANVAS_THEMES: nothing. */
static enum canvas_theme theme_of_environment(void)
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

/* Asks, where there are colors and the terminal is one that leaves alone what it does not know. */
static void ask_background(const char *name)
{
	static const char *const silent[] = {"linux", "vt", "cons", "sun", "ansi", "dumb"};
	static const char question[] = "\033]11;?\033\\";
	for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
		if (strncmp(name, silent[i], strlen(silent[i])) == 0)
			return;
	if (term.palette.colors == CANVAS_COLORS_NONE)
		return;
	term.asked = file_put(STDOUT_FILENO, question, sizeof question - 1);
}

static void choose_theme(const char *name)
{
	enum canvas_colors colors = count_colors();
	enum canvas_theme said = theme_of_environment();
	term.asked = term.replying = false;
	use_theme(term.wanted != CANVAS_THEMES  ? term.wanted
			: said != CANVAS_THEMES ? said
						: CANVAS_THEME_TERMINAL,
		colors);
	if (term.wanted == CANVAS_THEMES)
		ask_background(name);
}

bool tui_term_waits(void)
{
	return term.asked && theme_of_environment() == CANVAS_THEMES;
}

/* One of "ffff/ffff/ffff": its highest eight bits. False: it is none. */
static bool read_part(const char **at, uint32_t *out)
{
	char digits[8] = "";
	size_t n = strspn(*at, "0123456789abcdefABCDEF");
	if (n < 1 || n > 4)
		return false;
	memcpy(digits, *at, n);
	*out = (uint32_t)strtoul(digits, NULL, 16);
	*out = n == 1 ? *out * 17 : *out >> 4 * (n - 2);
	*at += n + ((*at)[n] == '/');
	return true;
}

/* Takes the answer; whether it changes anything. */
static bool take_reply(void)
{
	const char *at = term.reply + strlen("11;rgb:");
	uint32_t part[3];
	term.reply[term.reply_len] = '\0';
	if (strncmp(term.reply, "11;rgb:", strlen("11;rgb:")) != 0)
		return false;
	for (int i = 0; i < 3; i++)
		if (!read_part(&at, &part[i]))
			return false;
	enum canvas_theme theme = canvas_theme_for(part[0] << 16 | part[1] << 8 | part[2]);
	if (term.wanted != CANVAS_THEMES || theme == term.theme)
		return false;
	use_theme(theme, term.palette.colors);
	tui_term_forget();
	return true;
}

/* Reads on in an answer that may arrive in pieces, at any time; what cannot be one ends it. True when it is complete. */
static bool read_reply(void)
{
	wint_t ch;
	while (get_wch(&ch) == OK) {
		bool end = ch == 7 || ch == '\\' || ch == 0x9C;
		if (ch == 27)
			continue;
		if (end || term.reply_len + 1 >= sizeof term.reply || ch > '~' ||
			!strchr("0123456789;rgb:/acdefABCDEF", (int)ch)) {
			term.replying = false;
			return end;
		}
		term.reply[term.reply_len++] = (char)ch;
	}
	return false;
}

/* --- life ------------------------------------------------------------------------------------------------------------- */
static void rescue_add(const char *capability)
{
	const char *text = tigetstr(capability);
	if (!text || text == (const char *)-1)
		return;
	/* padding ($<5>) means nothing to today's terminals and would be shown */
	while (*text && term.rescue_len + 1 < sizeof term.rescue) {
		if (text[0] == '$' && text[1] == '<' && strchr(text, '>'))
			text = strchr(text, '>') + 1;
		else
			term.rescue[term.rescue_len++] = *text++;
	}
}

static void prepare_rescue(void)
{
	static const char *const capabilities[] = {"sgr0", "rmkx", "rmcup", "cnorm"};
	static const char mouse_off[] = "\033[?1000l\033[?1006l";
	term.rescue_len = 0;
	for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
		rescue_add(capabilities[i]);
	const char *mouse = tigetstr("kmous");
	if (mouse && mouse != (const char *)-1 && term.rescue_len + sizeof mouse_off < sizeof term.rescue) {
		memcpy(term.rescue + term.rescue_len, mouse_off, sizeof mouse_off - 1);
		term.rescue_len += sizeof mouse_off - 1;
	}
}

void tui_term_rescue(void)
{
	if (!term.open)
		return;
	(void)file_put(STDOUT_FILENO, term.rescue, term.rescue_len);
	tcsetattr(STDIN_FILENO, TCSANOW, &term.before);
}

/* Whether the terminal can do what the screen needs: place the cursor and clear. */
static bool is_capable(const char *name, struct diag *diag)
{
	struct diag_pos nowhere = {0};
	int found = 0;
	if (!name || !*name) {
		diag_error(
			diag, nowhere, "TERM is not set; `simttutor show LESSON` prints a lesson without a terminal");
		return false;
	}
	if (setupterm(name, STDOUT_FILENO, &found) != OK) {
		diag_error(diag, nowhere, "nothing is known about the terminal TERM=%s", name);
		return false;
	}
	const char *place = tigetstr("cup"), *clear = tigetstr("clear");
	bool capable = place && place != (const char *)-1 && clear && clear != (const char *)-1;
	del_curterm(cur_term); /* newterm makes its own */
	if (capable)
		return true;
	diag_error(diag, nowhere,
		"the terminal TERM=%s cannot place the cursor; `simttutor show LESSON` prints a lesson on it", name);
	return false;
}

/* The terminal's entry with all colors instead of 256, where COLORTERM says that it has them and there is such an entry. */
static const char *direct_entry(const char *name, char *out, size_t size)
{
	const char *has = getenv("COLORTERM"), *few = strstr(name, "-256color");
	int found = 0;
	if (!has || (strcmp(has, "truecolor") != 0 && strcmp(has, "24bit") != 0))
		return name;
	snprintf(out, size, "%.*s-direct", few ? (int)(few - name) : (int)strlen(name), name);
	if (setupterm(out, STDOUT_FILENO, &found) != OK)
		return name;
	del_curterm(cur_term);
	return out;
}

/* Arrow keys as terminals send them in either mode, whatever the entry for TERM says. */
static void define_arrows(void)
{
	static const struct {
		const char *sequence;
		int code;
	} arrows[] = {
		{"\033[A", KEY_UP},
		{"\033[B", KEY_DOWN},
		{"\033[C", KEY_RIGHT},
		{"\033[D", KEY_LEFT},
		{"\033OA", KEY_UP},
		{"\033OB", KEY_DOWN},
		{"\033OC", KEY_RIGHT},
		{"\033OD", KEY_LEFT},
		{"\033[5~", KEY_PPAGE},
		{"\033[6~", KEY_NPAGE},
	};
	for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
		if (key_defined(arrows[i].sequence) == 0)
			define_key(arrows[i].sequence, arrows[i].code);
}

bool tui_term_open(struct diag *diag)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		diag_error(diag, (struct diag_pos){0}, "standard input and output must be a terminal");
		return false;
	}
	setlocale(LC_CTYPE, "");
	if (!is_capable(getenv("TERM"), diag))
		return false;
	term.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	tcgetattr(STDIN_FILENO, &term.before);
	set_escdelay(ESC_MS);
	char direct[64];
	const char *name = direct_entry(getenv("TERM"), direct, sizeof direct);
	term.screen = newterm(name, stdout, stdin);
	if (!term.screen) {
		diag_error(diag, (struct diag_pos){0}, "the terminal TERM=%s cannot be used", getenv("TERM"));
		return false;
	}
	term.open = true;
	prepare_rescue();
	base_before_out_of_memory(tui_term_rescue);
	cbreak();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	define_arrows();
	nodelay(stdscr, TRUE);
	curs_set(0);
	choose_theme(name);
	mouseinterval(0);
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	return true;
}

void tui_term_close(void)
{
	if (!term.open)
		return;
	mousemask(0, NULL);
	curs_set(1);
	endwin();
	term.open = false;
	base_before_out_of_memory(NULL);
	delscreen(term.screen);
	term.screen = NULL;
	free(term.line);
	term.line = NULL;
	term.line_cap = 0;
}

void tui_term_suspend(void)
{
	def_prog_mode();
	curs_set(1);
	endwin();
}

void tui_term_resume(void)
{
	reset_prog_mode();
	keypad(stdscr, TRUE); /* now, not at the next read: the key that wakes us must come in this mode */
	curs_set(0);
	tui_term_forget();
}

/* --- size ------------------------------------------------------------------------------------------------------------- */
static int clamp_size(int size)
{
	return size < SIDE_MAX ? size : SIDE_MAX;
}

void tui_term_resize(void)
{
	struct winsize size;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
		resizeterm(clamp_size(size.ws_row), clamp_size(size.ws_col));
}

void tui_term_size(int *rows, int *cols)
{
	getmaxyx(stdscr, *rows, *cols);
}

/* --- output ----------------------------------------------------------------------------------------------------------- */
static void set_cell(cchar_t *out, const struct cell *cell)
{
	struct cell shown = term.palette.colors == CANVAS_COLORS_NONE ? canvas_cell_without_color(cell) : *cell;
	wchar_t text[3] = {(wchar_t)shown.ch, (wchar_t)shown.mark, 0};
	const struct tui_look *look = look_of(&shown);
	if (term.ascii) {
		text[0] = (wchar_t)canvas_ascii(shown.ch);
		text[1] = 0;
	}
	setcchar(out, text, look->attrs, look->pair, NULL);
}

void tui_term_draw(const struct canvas *canvas)
{
	vec_reserve(term.line, 0, term.line_cap, (size_t)canvas->cols);
	for (int row = 0; row < canvas->rows; row++) {
		int n = 0;
		for (int col = 0; col < canvas->cols; col++) {
			const struct cell *cell = canvas_at(canvas, row, col);
			if (cell->ch || term.ascii)
				set_cell(&term.line[n++], cell);
		}
		mvadd_wchnstr(row, 0, term.line, n);
	}
	wnoutrefresh(stdscr);
	doupdate();
}

void tui_term_forget(void)
{
	clearok(stdscr, TRUE);
}

/* --- input ------------------------------------------------------------------------------------------------------------ */
/* After Esc: the rest of a sequence that curses does not know is read away, so that its letters are not taken for keys.
 * True when there was one. */
static bool swallow_sequence(void)
{
	wint_t ch;
	if (get_wch(&ch) != OK)
		return false;
	if (ch == ']' && term.asked) {
		term.replying = true;
		term.reply_len = 0;
		return true;
	}
	if (ch != '[' && ch != 'O')
		return true; /* Alt and a key */
	while (get_wch(&ch) == OK && (ch < 0x40 || ch > 0x7E))
		;
	return true;
}

static struct tui_event read_mouse(void)
{
	MEVENT mouse;
	struct tui_event event = {.kind = TUI_UNKNOWN};
	if (getmouse(&mouse) != OK)
		return event;
	event.row = mouse.y;
	event.col = mouse.x;
	if (mouse.bstate & BUTTON4_PRESSED)
		event.kind = TUI_WHEEL_UP;
	else if (mouse.bstate & BUTTON5_PRESSED)
		event.kind = TUI_WHEEL_DOWN;
	else if (mouse.bstate & BUTTON1_PRESSED)
		event.kind = TUI_CLICK;
	return event;
}

/* The terminal's answer, or the part of it that is there. */
static struct tui_event read_answer(void)
{
	if (!read_reply())
		return (struct tui_event){.kind = term.replying ? TUI_NOTHING : TUI_UNKNOWN};
	term.asked = false;
	return (struct tui_event){.kind = take_reply() ? TUI_BACKGROUND : TUI_UNKNOWN};
}

struct tui_event tui_term_read(void)
{
	struct tui_event event = {.kind = TUI_NOTHING};
	wint_t ch;
	errno = 0;
	if (term.replying)
		return read_answer();
	int got = get_wch(&ch);
	if (got == ERR) {
		int waiting = 0;
		/* poll() said there is something, and there is nothing: the end; or we are in the background for good */
		if (errno == EIO || ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0)
			event.kind = TUI_GONE;
		return event;
	}
	event.kind = TUI_UNKNOWN;
	if (got == KEY_CODE_YES && ch == KEY_MOUSE)
		return read_mouse();
	if (got == OK && ch == 27 && swallow_sequence())
		return event;
	if (got == KEY_CODE_YES ? tui_keyname_code(ch, event.key) : tui_keyname_char(ch, event.key))
		event.kind = TUI_KEY;
	return event;
}
