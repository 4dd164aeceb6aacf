#include "config.h"
#include "tui/term.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include <curses.h>
#include <term.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/vec.h"
#include "tui/background.h"
#include "tui/base64.h"
#include "tui/keynames.h"
#include "tui/mouse.h"

#define SIDE_MAX 1000 /* as a canvas has at most; curses counts in short and loses its rows past that */
#define ESC_MS 25     /* how long a lone Esc waits for the rest of a sequence */
#define PAIRS_MAX 1024
#define COPY_MAX 75000  /* of more, terminals take nothing: 100,000 as base64 */
#define SEQUENCE_MAX 64 /* characters of a sequence that curses does not know; what is longer is none */

struct tui_look {
	bool known;
	attr_t attrs;
	short pair; /* 0: none */
};

static struct {
	bool open;
	bool taken; /* the terminal is not as it was before, or soon will not be */
	volatile sig_atomic_t in_curses;
	bool ascii; /* the locale has no UTF-8, or the reader wants it so */
	SCREEN *screen;
	struct termios before;
	char rescue[256]; /* what gives the terminal back, ready to be written */
	size_t rescue_len;
	cchar_t *line; /* one row, as long as the widest yet */
	int line_cap;
	struct canvas_palette palette;
	enum canvas_colors colors;           /* that the terminal has */
	struct tui_look looks[ROLES][ROLES]; /* of a role on the fill of another */
	struct {
		int32_t fg, bg;
	} pairs[PAIRS_MAX]; /* curses' pairs, from 1 on */
	int n_pairs;
	enum canvas_theme theme, wanted; /* the present one; the one that was asked for, CANVAS_THEMES: any */
	bool asked;                      /* the terminal was asked for its background and has not answered */
	enum { SAYS_NOTHING, SAYS_COMMAND, SAYS_MOUSE } says; /* what has begun to arrive */
	struct tui_command command;
	struct tui_mouse mouse;
	bool has_mouse;
	struct tui_uses uses;
	enum canvas_theme fitting; /* to what the terminal said; CANVAS_THEMES: nothing */
} term = {.wanted = CANVAS_THEMES, .fitting = CANVAS_THEMES};

/* --- memory ----------------------------------------------------------------------------------------------------------- */
/* curses takes memory by itself. Where there is none it goes on with what it has, ends the program or crashes: between these two calls
 * it is watched, and the program ends as it does elsewhere. errno is how curses says that it lacked memory. */
static void curses_begin(void)
{
	term.in_curses = true;
	errno = 0;
}

static void curses_end(void)
{
	term.in_curses = false;
	if (errno == ENOMEM)
		base_out_of_memory();
}

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
	term.colors = colors;
	term.palette = canvas_palette(theme, colors);
	memset(term.looks, 0, sizeof term.looks);
	term.n_pairs = 0;
}

void tui_term_set_theme(enum canvas_theme theme)
{
	term.wanted = theme;
}

void tui_term_turn_theme(enum canvas_theme theme)
{
	enum canvas_theme said = tui_background_of_environment();
	term.wanted = theme;
	if (theme == CANVAS_THEMES)
		theme = term.fitting != CANVAS_THEMES ? term.fitting
			: said != CANVAS_THEMES       ? said
						      : CANVAS_THEME_TERMINAL;
	use_theme(theme, term.colors);
	tui_term_forget();
}

enum canvas_theme tui_term_theme(void)
{
	return term.theme;
}

enum canvas_theme tui_term_next_theme(void)
{
	enum canvas_theme next = canvas_theme_next(term.theme);
	tui_term_turn_theme(next);
	return next;
}

/* --- the terminal's background ---------------------------------------------------------------------------------------- */
static bool send_text(const char *text)
{
	return *text && file_put(STDOUT_FILENO, text, strlen(text));
}

bool tui_term_copy(const char *text, size_t len)
{
	const char *name = getenv("TERM");
	struct buf sequence = {0};
	if (!term.open || len > COPY_MAX || !name || !*tui_background_question(name))
		return false;
	buf_puts(&sequence, "\033]52;c;");
	tui_base64(text, len, &sequence);
	buf_puts(&sequence, "\033\\");
	bool ok = send_text(buf_str(&sequence));
	buf_free(&sequence);
	return ok;
}

static void choose_theme(const char *name)
{
	enum canvas_colors colors = count_colors();
	enum canvas_theme said = tui_background_of_environment();
	term.asked = false;
	term.says = SAYS_NOTHING;
	use_theme(term.wanted != CANVAS_THEMES  ? term.wanted
			: said != CANVAS_THEMES ? said
						: CANVAS_THEME_TERMINAL,
		colors);
	if (term.wanted == CANVAS_THEMES && colors != CANVAS_COLORS_NONE)
		term.asked = send_text(tui_background_question(name));
}

bool tui_term_waits(void)
{
	return term.asked && tui_background_of_environment() == CANVAS_THEMES;
}

/* Takes what was answered; whether it changes anything. */
static bool take_answer(void)
{
	uint32_t rgb;
	if (!term.asked || !tui_background_answered(&term.command, &rgb))
		return false;
	term.asked = false;
	enum canvas_theme theme = term.fitting = canvas_theme_for(rgb);
	if (term.wanted != CANVAS_THEMES || theme == term.theme)
		return false;
	use_theme(theme, term.colors);
	tui_term_forget();
	return true;
}

/* --- life ------------------------------------------------------------------------------------------------------------- */
static bool has_string(const char *capability)
{
	const char *text = tigetstr(capability);
	return text && text != (const char *)-1;
}

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
	term.rescue_len = 0;
	for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
		rescue_add(capabilities[i]);
	term.has_mouse = has_string("kmous");
	size_t off = strlen(tui_mouse_off);
	if (term.has_mouse && term.rescue_len + off < sizeof term.rescue) {
		memcpy(term.rescue + term.rescue_len, tui_mouse_off, off);
		term.rescue_len += off;
	}
}

void tui_term_rescue(void)
{
	if (!term.taken)
		return;
	(void)file_put(STDOUT_FILENO, term.rescue, term.rescue_len);
	tcsetattr(STDIN_FILENO, TCSANOW, &term.before);
}

void tui_term_crashed(void)
{
	if (term.in_curses && errno == ENOMEM)
		base_out_of_memory();
	tui_term_rescue();
}

/* Whether something is known about the terminal; then whether it can place the cursor and clear. */
static bool look_up(const char *name, bool *capable)
{
	int found = 0;
	curses_begin();
	bool known = setupterm(name, STDOUT_FILENO, &found) == OK;
	if (known) {
		*capable = has_string("cup") && has_string("clear");
		prepare_rescue();
		del_curterm(cur_term); /* newterm makes its own */
	}
	curses_end();
	return known;
}

/* Whether the terminal can do what the screen needs: place the cursor and clear. */
static bool is_capable(const char *name, struct diag *diag)
{
	struct diag_pos nowhere = {0};
	bool capable;
	if (!name || !*name) {
		diag_error(
			diag, nowhere, "TERM is not set; `simttutor show LESSON` prints a lesson without a terminal");
		return false;
	}
	if (!look_up(name, &capable)) {
		diag_error(diag, nowhere, "nothing is known about the terminal TERM=%s", name);
		return false;
	}
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
	curses_begin();
	bool known = setupterm(out, STDOUT_FILENO, &found) == OK;
	if (known)
		del_curterm(cur_term);
	curses_end();
	return known ? out : name;
}

static void use_mouse(bool on)
{
	if (term.has_mouse && (!on || !term.uses.no_mouse))
		send_text(on ? tui_mouse_on : tui_mouse_off);
}

static bool has_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void tui_term_use(struct tui_uses uses)
{
	bool other = uses.no_mouse != term.uses.no_mouse;
	term.uses = uses;
	if (!term.open)
		return;
	term.ascii = uses.ascii || !has_utf8();
	if (other)
		use_mouse(!uses.no_mouse);
	tui_term_forget();
}

/* Arrow keys as terminals send them in either mode, whatever the entry for TERM says; and the mouse is no key. */
static void define_keys(void)
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
	define_key(NULL, KEY_MOUSE);
}

static void set_modes(const char *name)
{
	set_escdelay(ESC_MS); /* newterm takes the one of the environment */
	cbreak();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	define_keys();
	nodelay(stdscr, TRUE);
	curs_set(0);
	choose_theme(name);
	use_mouse(true);
}

bool tui_term_open(struct diag *diag)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		diag_error(diag, (struct diag_pos){0}, "standard input and output must be a terminal");
		return false;
	}
	curses_begin();
	setlocale(LC_CTYPE, "");
	curses_end();
	if (!is_capable(getenv("TERM"), diag))
		return false;
	term.ascii = term.uses.ascii || !has_utf8();
	tcgetattr(STDIN_FILENO, &term.before);
	char direct[64];
	const char *name = direct_entry(getenv("TERM"), direct, sizeof direct);
	term.taken = true;
	base_before_out_of_memory(tui_term_rescue);
	use_env(FALSE); /* the size is the terminal's, whatever LINES and COLUMNS say */
	use_tioctl(TRUE);
	curses_begin();
	term.screen = newterm(name, stdout, stdin);
	term.open = term.screen != NULL;
	if (term.open)
		set_modes(name);
	curses_end();
	if (!term.open) {
		base_before_out_of_memory(NULL);
		term.taken = false;
		diag_error(diag, (struct diag_pos){0}, "the terminal TERM=%s cannot be used", getenv("TERM"));
	}
	return term.open;
}

void tui_term_close(void)
{
	if (!term.open)
		return;
	curses_begin();
	use_mouse(false);
	curs_set(1);
	endwin();
	term.open = term.taken = false;
	base_before_out_of_memory(NULL);
	delscreen(term.screen);
	curses_end();
	term.screen = NULL;
	free(term.line);
	term.line = NULL;
	term.line_cap = 0;
}

void tui_term_exit(void)
{
	if (term.in_curses) /* it calls exit() for nothing else */
		base_out_of_memory();
	tui_term_close();
}

void tui_term_suspend(void)
{
	curses_begin();
	def_prog_mode();
	use_mouse(false);
	curs_set(1);
	endwin();
	curses_end();
}

void tui_term_resume(void)
{
	curses_begin();
	reset_prog_mode();
	keypad(stdscr, TRUE); /* now, not at the next read: the key that wakes us must come in this mode */
	curs_set(0);
	use_mouse(true);
	tui_term_forget();
	curses_end();
}

void tui_term_calm(void)
{
	const char *name = getenv("TERM");
	if (term.open && name &&
		*tui_background_question(name)) /* mouse, focus, paste, keys with modifiers, shape of the cursor */
		send_text("\033[?1000l\033[?1002l\033[?1003l\033[?1006l\033[?1004l\033[?2004l\033[>4m\033[0 q");
}

void tui_term_show_line(const char *text, int signals)
{
	struct pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {signals, POLLIN, 0}};
	char typed[256];
	tui_term_suspend();
	send_text("\n");
	send_text(text);
	send_text("\n\nEnter: back to the screen.\n");
	if (poll(fds, 2, -1) > 0 && fds[0].revents)
		(void)file_get(STDIN_FILENO, typed, sizeof typed);
	tui_term_resume();
	tui_term_resize();
}

/* --- size ------------------------------------------------------------------------------------------------------------- */
static int clamp_size(int size)
{
	return size < SIDE_MAX ? size : SIDE_MAX;
}

void tui_term_resize(void)
{
	struct winsize size;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
		return;
	curses_begin();
	resizeterm(clamp_size(size.ws_row), clamp_size(size.ws_col));
	curses_end();
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
	curses_begin();
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
	curses_end();
}

void tui_term_forget(void)
{
	clearok(stdscr, TRUE);
}

/* --- input ------------------------------------------------------------------------------------------------------------ */
static int get_char(wint_t *ch)
{
	curses_begin();
	int got = get_wch(ch);
	curses_end();
	return got;
}

/* What follows Esc. The rest of a sequence that nobody knows is read away, so that its letters are not taken for keys. */
static void begin_sequence(wint_t ch)
{
	bool control = ch == '[';
	if (ch == ']') {
		term.says = SAYS_COMMAND;
		term.command = (struct tui_command){0};
	}
	if ((!control && ch != 'O') || get_char(&ch) != OK)
		return; /* Alt and a key */
	if (control && term.has_mouse && (ch == '<' || ch == 'M')) {
		term.says = SAYS_MOUSE;
		term.mouse = (struct tui_mouse){.digits = ch == '<'};
		return;
	}
	for (int n = 0; n < SEQUENCE_MAX && (ch < 0x40 || ch > 0x7E) && get_char(&ch) == OK; n++)
		;
}

/* True when there was one. */
static bool swallow_sequence(void)
{
	wint_t ch;
	if (get_char(&ch) != OK)
		return false;
	begin_sequence(ch);
	return true;
}

static enum tui_part read_mouse(wint_t ch, struct tui_event *event)
{
	static const enum tui_event_kind kinds[] = {TUI_UNKNOWN, TUI_CLICK, TUI_WHEEL_UP, TUI_WHEEL_DOWN, TUI_HOVER};
	enum tui_part part = tui_mouse_take(&term.mouse, ch);
	if (part == TUI_PART_WHOLE) {
		event->kind = kinds[tui_mouse_button(&term.mouse)];
		event->col = term.mouse.number[1] - 1;
		event->row = term.mouse.number[2] - 1;
	}
	return part;
}

static enum tui_part read_command(wint_t ch, struct tui_event *event)
{
	enum tui_part part = tui_command_take(&term.command, ch);
	if (part == TUI_PART_WHOLE && take_answer())
		event->kind = TUI_BACKGROUND;
	return part;
}

/* A character of what the terminal says by itself. False: it is a key. */
static bool take_part(wint_t ch, struct tui_event *event)
{
	enum tui_part part = (term.says == SAYS_MOUSE ? read_mouse : read_command)(ch, event);
	if (part != TUI_PART_MORE)
		term.says = SAYS_NOTHING;
	if (part == TUI_PART_ESCAPED)
		begin_sequence(ch);
	return part != TUI_PART_KEY;
}

/* What curses has nothing for. */
static bool is_gone(void)
{
	int waiting = 0;
	/* poll() said there is something, and there is nothing: the end; or we are in the background for good */
	return errno == EIO || ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0;
}

struct tui_event tui_term_read(void)
{
	struct tui_event event = {.kind = TUI_UNKNOWN};
	wint_t ch;
	int got = get_char(&ch);
	if (got == ERR) {
		event.kind = is_gone() ? TUI_GONE : TUI_NOTHING;
		return event;
	}
	if (got == KEY_CODE_YES)
		term.says = SAYS_NOTHING;
	if (term.says != SAYS_NOTHING && take_part(ch, &event))
		return event;
	if (got == OK && ch == 27 && swallow_sequence())
		return event;
	if (got == KEY_CODE_YES ? tui_keyname_code(ch, event.key) : tui_keyname_char(ch, event.key))
		event.kind = TUI_KEY;
	return event;
}
