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

static struct {
	bool open;
	bool ascii; /* the locale has no UTF-8 */
	SCREEN *screen;
	struct termios before;
	char rescue[256]; /* what gives the terminal back, ready to be written */
	size_t rescue_len;
	cchar_t *line; /* one row, as long as the widest yet */
	int line_cap;
	attr_t attrs[ROLES];
	short pairs[ROLES]; /* 0: none */
} term;

/* --- looks ------------------------------------------------------------------------------------------------------------ */
static attr_t plain_attrs(const struct role_look *look)
{
	return (look->bold ? A_BOLD : 0) | (look->underline ? A_UNDERLINE : 0) | (look->reverse ? A_REVERSE : 0) |
		(look->dim ? A_DIM : 0);
}

/* Colors carry the weight where there are any: dim is for terminals without, and so is reverse where the
 * background has a color of its own. */
static void color_role(int role, int colors)
{
	const struct role_look *look = &canvas_roles[role];
	int fg = colors >= 256 ? look->fg256 : look->fg16;
	int bg = colors >= 256 ? look->bg256 : -1;
	attr_t attrs = plain_attrs(look) & ~A_DIM;
	if (bg >= 0)
		attrs &= ~A_REVERSE;
	else if (look->reverse)
		fg = -1;
	if (colors < 16 && fg >= 8) {
		attrs |= fg == 8 ? A_DIM : A_BOLD;
		fg = fg == 8 || fg == 15 ? -1 : fg - 8;
	}
	term.attrs[role] = attrs;
	if ((fg >= 0 || bg >= 0) && init_pair((short)(role + 1), (short)fg, (short)bg) == OK)
		term.pairs[role] = (short)(role + 1);
}

static void prepare_roles(void)
{
	const char *no_color = getenv("NO_COLOR");
	bool colors = !(no_color && *no_color) && has_colors() && start_color() == OK && use_default_colors() == OK &&
		COLORS >= 8 && COLOR_PAIRS > ROLES;
	for (int role = 0; role < ROLES; role++) {
		term.pairs[role] = 0;
		term.attrs[role] = plain_attrs(&canvas_roles[role]);
		if (colors)
			color_role(role, COLORS);
	}
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
	term.screen = newterm(NULL, stdout, stdin);
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
	prepare_roles();
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
	wchar_t text[3] = {(wchar_t)cell->ch, (wchar_t)cell->mark, 0};
	if (term.ascii) {
		text[0] = (wchar_t)canvas_ascii(cell->ch);
		text[1] = 0;
	}
	setcchar(out, text, term.attrs[cell->role], term.pairs[cell->role], NULL);
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

struct tui_event tui_term_read(void)
{
	struct tui_event event = {.kind = TUI_NOTHING};
	wint_t ch;
	errno = 0;
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
