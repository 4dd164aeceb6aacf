/* Fuzz target of what a terminal sends: keys, the mouse, sequences that curses knows or not, and its answer to the
 * question for its background, whole or in pieces, late or never. The first line is COLORFGBG; of the rest a NUL ends a
 * piece, all that is there when the program reads. What was sent is read to its end; keys have names, places are on
 * some screen, and the screen that is drawn has nothing of what came. */
#include "config.h"

#include <fcntl.h>
#include <pty.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/utf8.h"
#include "front/tui/term_parts.h"
#include "front/tui/term.h"

#define EVENTS_MAX 20000 /* more than any input has characters */

static int far = -1, near;  /* the side that sends, and the program's */
static int own_in, own_out; /* standard input and output as they are between inputs */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One for all inputs. */
static void make_terminal(void)
{
	struct winsize window = {.ws_row = 24, .ws_col = 80};
	struct termios modes;
	if (far >= 0)
		return;
	if (openpty(&far, &near, NULL, NULL, &window) != 0 || tcgetattr(near, &modes) != 0)
		abort();
	modes.c_lflag &= ~(tcflag_t)(ISIG | ICANON | ECHO); /* no byte is a signal or stops the output */
	modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
	tcsetattr(near, TCSANOW, &modes);
	fcntl(far, F_SETFL, O_NONBLOCK);
	own_in = dup(STDIN_FILENO);
	own_out = dup(STDOUT_FILENO);
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	unsetenv("COLORTERM");
}

static void use_terminal(int in, int out)
{
	fflush(stdout);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
}

/* What the program has drawn, away. */
static void drain(void)
{
	char piece[4096];
	while (read(far, piece, sizeof piece) > 0)
		continue;
}

static void check_event(const struct tui_event *event)
{
	if (event->kind == TUI_KEY && (event->key == KEYC_NONE || key_named(key_string(event->key).text) != event->key))
		abort();
	if (event->kind == TUI_CLICK && (event->row < 0 || event->col < 0))
		abort();
}

/* Everything that waits; all of it is read. */
static void read_events(void)
{
	struct tui_event event;
	int waiting = 1;
	for (int n = 0; waiting > 0; n++) {
		event = tui_term_read();
		check_event(&event);
		if (event.kind == TUI_GONE || n > EVENTS_MAX)
			abort();
		waiting = 0;
		if (event.kind != TUI_NOTHING || ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0)
			waiting = 1;
	}
}

static void draw(void)
{
	struct canvas *canvas = canvas_new(24, 80);
	canvas_text(canvas, 3, 5, ROLE_WAVE1, "thirty-two lanes");
	tui_term_draw(canvas);
	canvas_free(canvas);
	drain();
}

static void send_pieces(const uint8_t *data, size_t size)
{
	while (size) {
		const uint8_t *nul = memchr(data, 0, size);
		size_t piece = nul ? (size_t)(nul - data) : size;
		for (size_t sent = 0; sent < piece;) {
			ssize_t n = write(far, data + sent, piece - sent);
			read_events();
			sent += n > 0 ? (size_t)n : 0;
		}
		draw();
		data += piece + (nul != NULL);
		size -= piece + (nul != NULL);
	}
}

/* However the answer is cut, the same is read. */
static void check_command(const uint8_t *data, size_t size)
{
	struct tui_command command = {0};
	uint32_t rgb = 0;
	for (size_t i = 0; i < size; i++) {
		enum tui_part part = tui_command_take(&command, data[i]);
		if (command.len > sizeof command.text || command.read > TUI_COMMAND_MAX)
			abort();
		if (part == TUI_PART_WHOLE && tui_background_answered(&command, &rgb) && rgb > 0xFFFFFF)
			abort();
		if (part != TUI_PART_MORE)
			command = (struct tui_command){0};
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag diag = {0};
	const uint8_t *newline = memchr(data, '\n', size);
	size_t line = newline ? (size_t)(newline - data) : 0;
	char *colors = base_strndup((const char *)data, line);
	make_terminal();
	use_terminal(near, near);
	setenv("COLORFGBG", colors, 1);
	free(colors);
	if (!tui_term_open(&diag))
		abort();
	set_escdelay(0); /* what follows Esc is there or is not */
	draw();
	data += line + (newline != NULL);
	size -= line + (newline != NULL);
	check_command(data, size);
	send_pieces(data, size);
	(void)tui_term_next_theme();
	draw();
	tui_term_close();
	drain();
	use_terminal(own_in, own_out);
	diag_free(&diag);
	return 0;
}

#include "replay.h"
