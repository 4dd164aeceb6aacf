/* The terminal without a program on it: curses on a pseudo-terminal whose other side is read and written here. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "front/tui/loop.h"
#include "front/tui/term.h"

#define ROWS 24
#define COLS 80

/* --- a terminal --------------------------------------------------------------------------------------------------- */

static struct {
	int far;          /* the side that a person would be at */
	int in, out;      /* standard input and output as they were */
	struct buf shown; /* what has arrived there since it was looked at last */
} pty;

static void set_size(int rows, int cols)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
	ioctl(pty.far, TIOCSWINSZ, &size);
}

/* Standard input and output become a terminal of this type. */
static void begin(const char *type)
{
	int near;
	struct winsize size = {.ws_row = ROWS, .ws_col = COLS};
	assert_int_equal(openpty(&pty.far, &near, NULL, NULL, &size), 0);
	fcntl(pty.far, F_SETFL, O_NONBLOCK);
	fflush(stdout);
	pty.in = dup(STDIN_FILENO);
	pty.out = dup(STDOUT_FILENO);
	dup2(near, STDIN_FILENO);
	dup2(near, STDOUT_FILENO);
	close(near);
	setenv("TERM", type, 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	unsetenv("COLORFGBG");
	unsetenv("COLORTERM");
	unsetenv("LINES");
	unsetenv("COLUMNS");
}

static void end(void)
{
	fflush(stdout);
	dup2(pty.in, STDIN_FILENO);
	dup2(pty.out, STDOUT_FILENO);
	close(pty.in);
	close(pty.out);
	close(pty.far);
	buf_free(&pty.shown);
}

/* What the program has sent since the last call. */
static const char *arrived(void)
{
	char piece[4096];
	buf_clear(&pty.shown);
	for (ssize_t n; (n = read(pty.far, piece, sizeof piece)) > 0;)
		buf_append(&pty.shown, piece, (size_t)n);
	return buf_str(&pty.shown);
}

static void type(const char *bytes)
{
	assert_int_equal(write(pty.far, bytes, strlen(bytes)), strlen(bytes));
	struct pollfd here = {.fd = STDIN_FILENO, .events = POLLIN};
	poll(&here, 1, 1000);
}

static bool is_open(const char *type_of_terminal)
{
	struct diag diag = {0};
	begin(type_of_terminal);
	bool open = tui_term_open(&diag);
	diag_free(&diag);
	return open;
}

static void close_it(void)
{
	tui_term_close();
	end();
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static void check_refused(const char *type_of_terminal, const char *why)
{
	struct diag diag = {0};
	begin(type_of_terminal);
	bool open = tui_term_open(&diag);
	end();
	assert_false(open);
	assert_int_equal(diag.errors, 1);
	assert_non_null(strstr(diag.entries[0].message, why));
	diag_free(&diag);
}

static void a_terminal_that_cannot_place_the_cursor_is_refused(void **state)
{
	(void)state;
	check_refused("", "TERM is not set");
	check_refused("no-such-terminal", "nothing is known about the terminal TERM=no-such-terminal");
	check_refused("dumb", "TERM=dumb cannot place the cursor");
}

static void what_is_not_a_terminal_is_refused(void **state)
{
	(void)state;
	struct diag diag = {0};
	int in = dup(STDIN_FILENO), null = open("/dev/null", O_RDONLY);
	dup2(null, STDIN_FILENO);
	assert_false(tui_term_open(&diag));
	dup2(in, STDIN_FILENO);
	close(in);
	close(null);
	assert_non_null(strstr(diag.entries[0].message, "must be a terminal"));
	diag_free(&diag);
}

static void the_terminal_is_given_back_as_it_was(void **state)
{
	(void)state;
	struct termios before, during, after;
	begin("xterm-256color");
	tcgetattr(STDIN_FILENO, &before);
	struct diag diag = {0};
	bool open = tui_term_open(&diag);
	tcgetattr(STDIN_FILENO, &during);
	const char *first = arrived();
	bool entered = strstr(first, "\033[?1049h") && strstr(first, "\033[?2004h"); /* what is pasted is marked */
	tui_term_close();
	tcgetattr(STDIN_FILENO, &after);
	const char *last = arrived();
	bool left = strstr(last, "\033[?1049l") && strstr(last, "\033[?25h") /* and the cursor is seen again */ &&
		strstr(last, "\033[?2004l");
	end();
	assert_true(open && entered && left);
	assert_true((before.c_lflag & ECHO) && !(during.c_lflag & ECHO));
	assert_int_equal(before.c_lflag, after.c_lflag);
	assert_int_equal(before.c_iflag, after.c_iflag);
	diag_free(&diag);
}

/* From a signal handler, by write() alone. */
static void a_rescue_gives_it_back_too(void **state)
{
	(void)state;
	bool open = is_open("xterm-256color");
	arrived();
	tui_term_rescue();
	struct termios now;
	tcgetattr(STDIN_FILENO, &now);
	const char *last = arrived();
	bool left = strstr(last, "\033[?1049l") && strstr(last, "\033[?1000l") /* the mouse is off */ &&
		strstr(last, "\033[?2004l");
	close_it();
	assert_true(open && left);
	assert_true(now.c_lflag & ECHO);
}

/* --- cells out ---------------------------------------------------------------------------------------------------- */

static void only_cells_that_changed_go_out(void **state)
{
	(void)state;
	bool open = is_open("xterm-256color");
	struct canvas *canvas = canvas_new(ROWS, COLS);
	canvas_text(canvas, 3, 5, ROLE_TEXT, "thirty-two lanes");
	canvas_text(canvas, 4, 5, ROLE_TEXT, "two wavefronts");
	tui_term_draw(canvas);
	bool whole = strstr(arrived(), "thirty-two lanes") && strstr(buf_str(&pty.shown), "two wavefronts");
	tui_term_draw(canvas);
	size_t again = strlen(arrived());
	canvas_put(canvas, 4, 7, 'O', ROLE_TEXT);
	tui_term_draw(canvas);
	size_t one = strlen(arrived());
	bool cell = strchr(buf_str(&pty.shown), 'O') && !strstr(buf_str(&pty.shown), "lanes");
	tui_term_forget();
	tui_term_draw(canvas);
	bool all = strstr(arrived(), "thirty-two lanes") && strstr(buf_str(&pty.shown), "twO wavefronts");
	canvas_free(canvas);
	close_it();
	assert_true(open && whole && cell && all);
	assert_int_equal(again, 0);
	assert_in_range(one, 1, 20);
}

static void roles_become_colors_or_attributes(void **state)
{
	(void)state;
	static const struct {
		const char *type, *no_color, *sequence;
	} looks[] = {
		{"xterm-256color", "", "38;5;"}, /* one of 256 colors */
		{"vt100", "", ";1m"},            /* bold */
		{"xterm-256color", "1", ";1m"},
	};
	bool right[3] = {false};
	for (size_t i = 0; i < 3; i++) {
		struct canvas *canvas = canvas_new(ROWS, COLS);
		struct diag diag = {0};
		begin(looks[i].type);
		if (*looks[i].no_color)
			setenv("NO_COLOR", looks[i].no_color, 1);
		right[i] = tui_term_open(&diag);
		canvas_text(canvas, 1, 1, ROLE_WAVE1, "x");
		canvas_text(canvas, 2, 1, ROLE_STRONG, "y");
		tui_term_draw(canvas);
		right[i] &= strstr(arrived(), looks[i].sequence) != NULL;
		close_it();
		unsetenv("NO_COLOR");
		canvas_free(canvas);
		diag_free(&diag);
	}
	for (size_t i = 0; i < 3; i++)
		assert_true(right[i]);
}

static void a_terminal_without_utf8_gets_ascii(void **state)
{
	(void)state;
	begin("xterm-256color");
	setenv("LC_ALL", "C", 1);
	struct diag diag = {0};
	bool open = tui_term_open(&diag);
	struct canvas *canvas = canvas_new(ROWS, COLS);
	canvas_text(canvas, 3, 5, ROLE_TEXT, "▸ lanes 0–31");
	tui_term_draw(canvas);
	bool ascii = strstr(arrived(), "> lanes 0-31") != NULL;
	canvas_free(canvas);
	close_it();
	diag_free(&diag);
	assert_true(open && ascii);
}

static void the_size_is_asked_for_again(void **state)
{
	(void)state;
	int rows[2], cols[2];
	bool open = is_open("xterm-256color");
	tui_term_size(&rows[0], &cols[0]);
	set_size(40, 130);
	tui_term_resize();
	tui_term_size(&rows[1], &cols[1]);
	close_it();
	assert_true(open);
	assert_int_equal(rows[0], ROWS);
	assert_int_equal(cols[0], COLS);
	assert_int_equal(rows[1], 40);
	assert_int_equal(cols[1], 130);
}

/* A program that was started before may have left them behind. */
static void the_environment_sets_neither_size_nor_delay(void **state)
{
	(void)state;
	int rows, cols;
	struct diag diag = {0};
	begin("xterm-256color");
	setenv("LINES", "999999999", 1);
	setenv("COLUMNS", "7", 1);
	setenv("ESCDELAY", "600000", 1);
	bool open = tui_term_open(&diag);
	tui_term_size(&rows, &cols);
	type("\033");
	alarm(60);
	struct tui_event event = tui_term_read();
	alarm(0);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	unsetenv("ESCDELAY");
	close_it();
	diag_free(&diag);
	assert_true(open);
	assert_int_equal(rows, ROWS);
	assert_int_equal(cols, COLS);
	assert_int_equal(event.key, KEYC_ESC);
}

/* Any program on a terminal can set its size; curses alone has no rows at 65535. */
static void a_size_past_all_screens_is_cut(void **state)
{
	(void)state;
	int rows, cols;
	bool open = is_open("xterm-256color");
	set_size(65535, 65535);
	tui_term_resize();
	tui_term_size(&rows, &cols);
	struct canvas *canvas = canvas_new(rows, cols);
	tui_term_draw(canvas);
	canvas_free(canvas);
	close_it();
	assert_true(open);
	assert_int_equal(rows, 1000);
	assert_int_equal(cols, 1000);
}

/* --- keys in ------------------------------------------------------------------------------------------------------ */

static void keys_and_clicks_are_events(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		enum tui_event_kind kind;
		const char *key;
		int row, col;
	} cases[] = {
		{"q", TUI_KEY, "q", 0, 0},
		{"\r", TUI_KEY, "Enter", 0, 0},
		{"\177", TUI_KEY, "Backspace", 0, 0},
		{"\f", TUI_KEY, "^L", 0, 0},
		{"\033", TUI_KEY, "Esc", 0, 0},
		{"\033OA", TUI_KEY, "Up", 0, 0}, /* in either mode of the keypad */
		{"\033[A", TUI_KEY, "Up", 0, 0},
		{"\033[6~", TUI_KEY, "PgDn", 0, 0},
		{"\033[1;5Q", TUI_UNKNOWN, "", 0, 0}, /* Ctrl-F2: none of its letters is a key */
		{"\033x", TUI_UNKNOWN, "", 0, 0},     /* Alt-x */
		{"\303\244", TUI_KEY, "ä", 0, 0},
		{"\033[3~", TUI_KEY, "Del", 0, 0},
		{"\025", TUI_KEY, "^U", 0, 0},
		{"\033[<0;5;3M", TUI_CLICK, "", 2, 4},
		{"\033[<64;1;1M", TUI_WHEEL_UP, "", 0, 0},
		{"\033[<65;1;1M", TUI_WHEEL_DOWN, "", 0, 0},
	};
	enum { N = sizeof cases / sizeof *cases };
	struct tui_event events[N], after[N];
	bool open = is_open("xterm-256color");
	for (size_t i = 0; i < N; i++) {
		type(cases[i].bytes);
		events[i] = tui_term_read();
		for (int part = 0; part < 10 && events[i].kind == TUI_UNKNOWN && cases[i].kind != TUI_UNKNOWN; part++)
			events[i] = tui_term_read(); /* the mouse, character by character */
		after[i] = tui_term_read();
	}
	close_it();
	assert_true(open);
	for (size_t i = 0; i < N; i++) {
		assert_int_equal(events[i].kind, cases[i].kind);
		assert_int_equal(after[i].kind, TUI_NOTHING);
		if (cases[i].kind == TUI_KEY)
			assert_string_equal(key_string(events[i].key).text, cases[i].key);
		if (cases[i].kind == TUI_CLICK) {
			assert_int_equal(events[i].row, cases[i].row);
			assert_int_equal(events[i].col, cases[i].col);
		}
	}
}

/* --- signals ------------------------------------------------------------------------------------------------------ */

static void no_rescue(void)
{
}

static bool is_letter(struct tui_event event)
{
	return event.kind == TUI_KEY && key_types(event.key) && event.key != KEYC_SPACE;
}

/* The color of the present theme's paper on the terminal, as curses sends it. */
static bool paints(const char *code)
{
	struct canvas *canvas = canvas_new(ROWS, COLS);
	tui_term_draw(canvas);
	canvas_free(canvas);
	return strstr(arrived(), code) != NULL;
}

static void the_theme_follows_the_background(void **state)
{
	(void)state;
	static const struct {
		const char *pieces[4]; /* of the answer, as they arrive */
		const char *paper;     /* "": the terminal's own */
	} cases[] = {
		{{"\033]11;rgb:ffff/ffff/ffff\033\\"}, "48;5;231"},
		{{"\033]11;rgb:0000/2b2b/3636\a"}, "48;5;234"},
		{{"\033]11;rgb:fd", "fd/f6f6/", "e3e3\033", "\\"}, "48;5;231"},
		{{"\033]11;rgb:f/f/f\a"}, "48;5;231"},
		{{"\033]11;rgba:ffff/ffff/ffff/0000\a"}, "48;5;231"}, /* it can be transparent */
		{{"\033]11;none\a"}, ""},
		{{"\033]11;q\033]52;c;cQ==\a"}, ""}, /* one that another one interrupts */
		{{"\033]11;rgb:qq/q/q/", "/q\033[A\r"}, ""},
		{{"\033]11;rgb:0/q\n"}, ""}, /* a line ends it */
		{{"\033]4;1;rgb:ffff/ffff/ffff\a"}, ""},
	};
	enum { N = sizeof cases / sizeof *cases };
	bool asked[N], painted[N], key[N] = {false};
	for (size_t i = 0; i < N; i++) {
		bool open = is_open("xterm-256color");
		asked[i] = open && strstr(arrived(), "\033]11;?\033\\") && tui_term_waits();
		for (size_t p = 0; p < 4 && cases[i].pieces[p]; p++) {
			type(cases[i].pieces[p]);
			for (int reads = 0; reads < 64; reads++)
				key[i] |= is_letter(tui_term_read());
		}
		painted[i] = paints(*cases[i].paper ? cases[i].paper : "48;5;");
		type("q"); /* and then keys are keys */
		struct tui_event event = tui_term_read();
		asked[i] &= event.kind == TUI_KEY && event.key == 'q';
		close_it();
	}
	for (size_t i = 0; i < N; i++) {
		assert_true(asked[i]);
		assert_int_equal(painted[i], *cases[i].paper != '\0');
		assert_false(key[i]);
	}
}

/* One that never ends does not take the keys for ever. */
static void an_answer_without_end_ends(void **state)
{
	(void)state;
	char flood[1000];
	int keys = 0;
	memset(flood, 'n', sizeof flood);
	memcpy(flood, "\033]11;", 5);
	flood[sizeof flood - 1] = '\0';
	bool open = is_open("xterm-256color");
	type(flood);
	for (size_t i = 0; i < sizeof flood; i++)
		keys += is_letter(tui_term_read());
	close_it();
	assert_true(open);
	assert_in_range(keys, 700, 800);
}

/* curses would wait for the rest, and no signal would end that. */
static void the_mouse_may_arrive_in_pieces(void **state)
{
	(void)state;
	static const char *const pieces[] = {"\033[<0;", "5", ";3", "M"};
	struct tui_event event = {.kind = TUI_NOTHING};
	bool early = false;
	bool open = is_open("xterm-256color");
	alarm(60);
	for (int i = 0; i < 4; i++) {
		early |= event.kind == TUI_CLICK;
		type(pieces[i]);
		for (struct tui_event next; (next = tui_term_read()).kind != TUI_NOTHING;)
			event = next;
	}
	alarm(0);
	type("\033[M !!"); /* as terminals without SGR say it */
	struct tui_event old = tui_term_read();
	for (int i = 0; i < 3 && old.kind == TUI_UNKNOWN; i++)
		old = tui_term_read();
	close_it();
	assert_true(open && !early);
	assert_int_equal(event.kind, TUI_CLICK);
	assert_int_equal(event.row, 2);
	assert_int_equal(event.col, 4);
	assert_int_equal(old.kind, TUI_CLICK);
	assert_true(old.row == 0 && old.col == 0);
}

static void a_theme_that_was_chosen_stays(void **state)
{
	(void)state;
	tui_term_set_theme(CANVAS_THEME_LIGHT);
	bool open = is_open("xterm-256color"), asked = strstr(arrived(), "]11;?") != NULL, light = paints("48;5;231");
	enum canvas_theme next = tui_term_next_theme();
	close_it();
	tui_term_set_theme(CANVAS_THEMES);
	assert_true(open && light && !asked);
	assert_int_equal(next, CANVAS_THEME_PROJECTOR);
	begin("xterm-256color");
	setenv("COLORFGBG", "15;default;0", 1);
	struct diag diag = {0};
	open = tui_term_open(&diag);
	bool waits = tui_term_waits(), dark = paints("48;5;234");
	close_it();
	unsetenv("COLORFGBG");
	diag_free(&diag);
	assert_true(open && dark && !waits);
}

static void signals_are_read_in_order(void **state)
{
	(void)state;
	struct sigaction before, during, after;
	sigaction(SIGWINCH, NULL, &before);
	assert_true(tui_signals_open(no_rescue));
	sigaction(SIGWINCH, NULL, &during);
	assert_int_equal(tui_signals_read(), 0);
	raise(SIGWINCH);
	raise(SIGTERM);
	raise(SIGCONT);
	struct pollfd fd = {.fd = tui_signals_fd(), .events = POLLIN};
	assert_int_equal(poll(&fd, 1, 0), 1);
	assert_int_equal(tui_signals_read(), SIGWINCH);
	assert_int_equal(tui_signals_read(), SIGTERM);
	assert_int_equal(tui_signals_read(), SIGCONT);
	assert_int_equal(tui_signals_read(), 0);
	tui_signals_close();
	sigaction(SIGWINCH, NULL, &after);
	assert_ptr_equal(before.sa_handler, after.sa_handler);
	assert_ptr_not_equal(before.sa_handler, during.sa_handler);
}

/* More than the pipe holds are not waited for. */
static void a_flood_of_signals_does_not_block(void **state)
{
	(void)state;
	int n = 0;
	assert_true(tui_signals_open(no_rescue));
	for (int i = 0; i < 100000; i++)
		raise(SIGWINCH);
	while (tui_signals_read())
		n++;
	tui_signals_close();
	assert_in_range(n, 1, 99999);
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

/* A program that records what the loop calls, as words. */
struct program {
	struct buf heard;
	int frames, idles;
	bool interruptible;
	bool ends_idle; /* by a signal, when it has been idle three times */
	bool done;
};

static void note_draw(void *ctx, struct canvas *canvas)
{
	struct program *program = ctx;
	program->frames++;
	canvas_clear(canvas);
	canvas_textf(canvas, 0, 0, ROLE_TEXT, "%dx%d", canvas->cols, canvas->rows);
}

static void note_key(void *ctx, key_code key)
{
	struct program *program = ctx;
	buf_printf(&program->heard, "%s ", key_string(key).text);
	program->done = key == 'q';
}

static void note_click(void *ctx, int row, int col)
{
	struct program *program = ctx;
	buf_printf(&program->heard, "click:%d,%d ", row, col);
}

static void note_paste(void *ctx, const char *text)
{
	struct program *program = ctx;
	buf_printf(&program->heard, "paste:'%s' ", text);
}

static void note_wheel(void *ctx, int row, int col, int rows)
{
	(void)row, (void)col;
	struct program *program = ctx;
	buf_printf(&program->heard, "wheel:%d ", rows);
}

static bool is_done(const void *ctx)
{
	return ((const struct program *)ctx)->done;
}

static int timeout_ms(const void *ctx)
{
	return ((const struct program *)ctx)->idles < 3 ? 0 : 5000;
}

static bool note_idle(void *ctx)
{
	struct program *program = ctx;
	if (++program->idles == 3 && program->ends_idle)
		raise(SIGTERM);
	return false;
}

static bool note_interrupt(void *ctx)
{
	struct program *program = ctx;
	buf_puts(&program->heard, "interrupt ");
	return program->interruptible;
}

/* Before the first frame is out nothing was typed: here it is. */
static const char *to_type;
static int to_raise;

static void start_typing(void *ctx)
{
	(void)ctx;
	if (to_raise)
		raise(to_raise);
	if (*to_type)
		type(to_type);
}

static int run_loop(struct program *program, const char *typed, int signal)
{
	struct diag diag = {0};
	const struct tui_app app = {
		.ctx = program,
		.draw = note_draw,
		.key = note_key,
		.paste = note_paste,
		.click = note_click,
		.wheel = note_wheel,
		.is_done = is_done,
		.timeout_ms = timeout_ms,
		.idle = note_idle,
		.interrupt = note_interrupt,
		.begin = start_typing,
	};
	to_type = typed;
	to_raise = signal;
	begin("xterm-256color");
	int status = tui_loop(&app, &diag);
	end();
	diag_free(&diag);
	return status;
}

static void what_is_typed_reaches_the_program(void **state)
{
	(void)state;
	struct program program = {.frames = 0};
	int status = run_loop(&program, "ab\033[B\f\033[<0;5;3Mqz", 0);
	assert_int_equal(status, 0);
	assert_string_equal(buf_str(&program.heard), "a b Down ^L click:2,4 q ");
	assert_in_range(program.frames, 1, 2); /* none for each key: all of it was there at once */
	buf_free(&program.heard);
}

/* Nothing of it is a key, a click or an answer of the terminal, whatever it has. */
static void what_is_pasted_is_no_key(void **state)
{
	(void)state;
	struct program program = {.frames = 0};
	int status = run_loop(
		&program, "a\033[200~q lane*3\tβ\r\nend\n\033[B\f\003\033[<0;5;3M\rq\033[201~b\033[200~\033[201~q", 0);
	assert_int_equal(status, 0);
	assert_string_equal(buf_str(&program.heard), "a paste:'q lane*3\tβ\nend\n[<0;5;3M\nq' b paste:'' q ");
	buf_free(&program.heard);
}

static void idle_work_is_done_when_nothing_comes(void **state)
{
	(void)state;
	struct program program = {.ends_idle = true};
	assert_int_equal(run_loop(&program, "", 0), 128 + SIGTERM);
	assert_int_equal(program.idles, 3);
	buf_free(&program.heard);
}

static void a_signal_ends_it_or_interrupts(void **state)
{
	(void)state;
	struct program program = {.interruptible = false};
	assert_int_equal(run_loop(&program, "", SIGINT), 128 + SIGINT);
	assert_string_equal(buf_str(&program.heard), "interrupt ");
	buf_clear(&program.heard);
	program = (struct program){.heard = program.heard, .interruptible = true};
	assert_int_equal(run_loop(&program, "q", SIGINT), 0);
	assert_non_null(strstr(buf_str(&program.heard), "interrupt "));
	assert_non_null(strstr(buf_str(&program.heard), "q "));
	program.done = false;
	assert_int_equal(run_loop(&program, "", SIGHUP), 128 + SIGHUP);
	buf_free(&program.heard);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_terminal_that_cannot_place_the_cursor_is_refused),
		cmocka_unit_test(what_is_not_a_terminal_is_refused),
		cmocka_unit_test(the_terminal_is_given_back_as_it_was),
		cmocka_unit_test(a_rescue_gives_it_back_too),
		cmocka_unit_test(only_cells_that_changed_go_out),
		cmocka_unit_test(roles_become_colors_or_attributes),
		cmocka_unit_test(a_terminal_without_utf8_gets_ascii),
		cmocka_unit_test(the_size_is_asked_for_again),
		cmocka_unit_test(the_environment_sets_neither_size_nor_delay),
		cmocka_unit_test(a_size_past_all_screens_is_cut),
		cmocka_unit_test(keys_and_clicks_are_events),
		cmocka_unit_test(the_theme_follows_the_background),
		cmocka_unit_test(an_answer_without_end_ends),
		cmocka_unit_test(the_mouse_may_arrive_in_pieces),
		cmocka_unit_test(a_theme_that_was_chosen_stays),
		cmocka_unit_test(signals_are_read_in_order),
		cmocka_unit_test(a_flood_of_signals_does_not_block),
		cmocka_unit_test(what_is_typed_reaches_the_program),
		cmocka_unit_test(what_is_pasted_is_no_key),
		cmocka_unit_test(idle_work_is_done_when_nothing_comes),
		cmocka_unit_test(a_signal_ends_it_or_interrupts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
