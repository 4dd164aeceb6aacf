#include "config.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/arena.h"
#include "base/file.h"
#include "front/tui/term_parts.h"
#include "front/tui/term.h"

#define SIDE_MAX 1000  /* as a canvas has at most; curses counts in short and loses its rows past that */
#define ESC_MS 25      /* how long a lone Esc waits for the rest of a sequence */
#define COPY_MAX 75000 /* of more, terminals take nothing: 100,000 as base64 */

static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

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
	bool has_mouse;
	bool marks_paste; /* it may be asked to mark what is pasted */
	struct tui_uses uses;
} term;

/* --- memory ------------------------------------------------------------------------------------------------------- */

void tui_term_curses_begin(void)
{
	term.in_curses = true;
	errno = 0;
}

void tui_term_curses_end(void)
{
	term.in_curses = false;
	if (errno == ENOMEM)
		base_out_of_memory();
}

bool tui_term_send(const char *text)
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
	bool ok = tui_term_send(buf_str(&sequence));
	buf_free(&sequence);
	return ok;
}

bool tui_term_has_mouse(void)
{
	return term.has_mouse;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

static bool has_string(const char *capability)
{
	const char *text = tigetstr(capability);
	return text && text != (const char *)-1;
}

static void rescue_add(const char *text)
{
	/* padding ($<5>) means nothing to today's terminals and would be shown */
	while (*text && term.rescue_len + 1 < sizeof term.rescue) {
		if (text[0] == '$' && text[1] == '<' && strchr(text, '>'))
			text = strchr(text, '>') + 1;
		else
			term.rescue[term.rescue_len++] = *text++;
	}
}

static void prepare_rescue(const char *name)
{
	static const char *const capabilities[] = {"sgr0", "rmkx", "rmcup", "cnorm"};
	term.rescue_len = 0;
	for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
		if (has_string(capabilities[i]))
			rescue_add(tigetstr(capabilities[i]));
	term.has_mouse = has_string("kmous");
	term.marks_paste = *tui_background_question(name) != '\0';
	if (term.has_mouse)
		rescue_add(tui_mouse_off);
	if (term.marks_paste)
		rescue_add(paste_off);
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

	/* Whether something is known about the terminal; then whether it can place the cursor and clear. */
	int found = 0;
	tui_term_curses_begin();
	bool known = setupterm(name, STDOUT_FILENO, &found) == OK;
	if (known) {
		capable = has_string("cup") && has_string("clear");
		prepare_rescue(name);
		del_curterm(cur_term); /* newterm makes its own */
	}
	tui_term_curses_end();
	if (!known) {
		diag_error(diag, nowhere, "nothing is known about the terminal TERM=%s", name);
		return false;
	}
	if (capable)
		return true;
	diag_error(diag, nowhere,
		"the terminal TERM=%s cannot place the cursor; `simttutor show LESSON` prints a lesson on it", name);
	return false;
}

/* Marked, nothing that is pasted is taken for keys. */
static void mark_paste(bool on)
{
	if (term.marks_paste)
		tui_term_send(on ? paste_on : paste_off);
}

static void use_mouse(bool on)
{
	if (term.has_mouse && (!on || !term.uses.no_mouse))
		tui_term_send(on ? tui_mouse_on : tui_mouse_off);
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

/* Arrow keys as terminals send them in either mode, whatever the entry for TERM says; marks around a paste; and the
 * mouse is no key. */
static void define_keys(void)
{
	static const struct {
		const char *sequence;
		int code;
	} keys[] = {
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
		{"\033[200~", TUI_CODE_PASTE_BEGINS},
		{"\033[201~", TUI_CODE_PASTE_ENDS},
	};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (key_defined(keys[i].sequence) == 0)
			define_key(keys[i].sequence, keys[i].code);
	define_key(NULL, KEY_MOUSE);
}

bool tui_term_open(struct diag *diag)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		diag_error(diag, (struct diag_pos){0}, "standard input and output must be a terminal");
		return false;
	}
	tui_term_curses_begin();
	setlocale(LC_CTYPE, "");
	tui_term_curses_end();
	if (!is_capable(getenv("TERM"), diag))
		return false;
	term.ascii = term.uses.ascii || !has_utf8();
	tcgetattr(STDIN_FILENO, &term.before);
	char direct[64];

	/* The terminal's entry with all colors instead of 256, where COLORTERM says that it has them and there is such
	 * an entry. */
	const char *name = getenv("TERM"), *few = strstr(name, "-256color");
	const char *has = getenv("COLORTERM");
	int found = 0;
	if (has && (strcmp(has, "truecolor") == 0 || strcmp(has, "24bit") == 0)) {
		snprintf(direct, sizeof direct, "%.*s-direct", few ? (int)(few - name) : (int)strlen(name), name);
		tui_term_curses_begin();
		if (setupterm(direct, STDOUT_FILENO, &found) == OK) {
			del_curterm(cur_term);
			name = direct;
		}
		tui_term_curses_end();
	}

	term.taken = true;
	base_before_out_of_memory(tui_term_rescue);
	use_env(FALSE); /* the size is the terminal's, whatever LINES and COLUMNS say */
	use_tioctl(TRUE);
	tui_term_curses_begin();
	term.screen = newterm(name, stdout, stdin);
	term.open = term.screen != NULL;
	if (term.open) {
		set_escdelay(ESC_MS); /* newterm takes the one of the environment */
		cbreak();
		noecho();
		nonl();
		intrflush(stdscr, FALSE);
		keypad(stdscr, TRUE);
		define_keys();
		nodelay(stdscr, TRUE);
		curs_set(0);
		tui_term_choose_theme(name);
		tui_term_read_begin();
		use_mouse(true);
		mark_paste(true);
	}
	tui_term_curses_end();
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
	tui_term_curses_begin();
	use_mouse(false);
	mark_paste(false);
	curs_set(1);
	endwin();
	term.open = term.taken = false;
	base_before_out_of_memory(NULL);
	delscreen(term.screen);
	tui_term_curses_end();
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
	tui_term_curses_begin();
	def_prog_mode();
	use_mouse(false);
	mark_paste(false);
	curs_set(1);
	endwin();
	tui_term_curses_end();
}

void tui_term_resume(void)
{
	tui_term_curses_begin();
	reset_prog_mode();
	keypad(stdscr, TRUE); /* now, not at the next read: the key that wakes us must come in this mode */
	curs_set(0);
	use_mouse(true);
	mark_paste(true);
	tui_term_forget();
	tui_term_curses_end();
}

void tui_term_calm(void)
{
	const char *name = getenv("TERM");
	if (term.open && name &&
		*tui_background_question(name)) /* mouse, focus, paste, keys with modifiers, shape of the cursor */
		tui_term_send("\033[?1000l\033[?1002l\033[?1003l\033[?1006l\033[?1004l\033[?2004l\033[>4m\033[0 q");
}

void tui_term_show_line(const char *text, int signals)
{
	struct pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {signals, POLLIN, 0}};
	char typed[256];
	tui_term_suspend();
	tui_term_send("\n");
	tui_term_send(text);
	tui_term_send("\n\nEnter: back to the screen.\n");
	if (poll(fds, 2, -1) > 0 && fds[0].revents)
		(void)file_get(STDIN_FILENO, typed, sizeof typed);
	tui_term_resume();
	tui_term_resize();
}

/* --- size --------------------------------------------------------------------------------------------------------- */

static int clamp_size(int size)
{
	return size < SIDE_MAX ? size : SIDE_MAX;
}

void tui_term_resize(void)
{
	struct winsize size;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
		return;
	tui_term_curses_begin();
	resizeterm(clamp_size(size.ws_row), clamp_size(size.ws_col));
	tui_term_curses_end();
}

void tui_term_size(int *rows, int *cols)
{
	getmaxyx(stdscr, *rows, *cols);
}

/* --- output ------------------------------------------------------------------------------------------------------- */

void tui_term_draw(const struct canvas *canvas)
{
	vec_reserve(term.line, 0, term.line_cap, (size_t)canvas->cols);
	tui_term_curses_begin();
	for (int row = 0; row < canvas->rows; row++) {
		int n = 0;
		for (int col = 0; col < canvas->cols; col++) {
			const struct cell *cell = canvas_at(canvas, row, col);
			if (cell->ch || term.ascii) {
				cchar_t *out = &term.line[n++];
				struct cell shown = tui_look_colors() == CANVAS_COLORS_NONE
					? canvas_cell_without_color(cell)
					: *cell;
				wchar_t text[3] = {(wchar_t)shown.ch, (wchar_t)shown.mark, 0};
				const struct tui_look *look = tui_look_of(&shown);
				if (term.ascii) {
					text[0] = (wchar_t)canvas_ascii(shown.ch);
					text[1] = 0;
				}
				setcchar(out, text, look->attrs, look->pair, NULL);
			}
		}
		mvadd_wchnstr(row, 0, term.line, n);
	}
	wnoutrefresh(stdscr);
	doupdate();
	tui_term_curses_end();
}

void tui_term_forget(void)
{
	clearok(stdscr, TRUE);
}

/* --- the clipboard ------------------------------------------------------------------------------------------------ */

void tui_base64(const char *bytes, size_t n, struct buf *out)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < n; i += 3) {
		uint32_t three = 0;
		for (size_t k = 0; k < 3; k++)
			three = three << 8 | (i + k < n ? (unsigned char)bytes[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			buf_putc(out, i + k > n ? '=' : letters[three >> (18 - 6 * k) & 63]);
	}
}
