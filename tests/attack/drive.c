/* Runs a program on a terminal of its own, types, and judges how it leaves the terminal.
 *
 *     drive KEYS COMMAND...
 *
 * A key is typed whenever the screen has come to rest. Afterwards it prints what is not as it was before, modes of the
 * terminal or of the screen, or "the terminal is back"; and on standard error what the program said there. It ends as
 * the program did, with 128 and the signal where one ended it, and with 99 where it did not end. */
#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define REST_MS 15
#define DEADLINE_MS 15000
#define WRITTEN_MAX (4 << 20)

static struct {
	int master, slave;
	pid_t pid;
	char written[WRITTEN_MAX + 1];
	size_t len;
} terminal;

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static bool open_terminal(void)
{
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	terminal.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal.master < 0 || grantpt(terminal.master) != 0 || unlockpt(terminal.master) != 0)
		return false;
	terminal.slave = open(ptsname(terminal.master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	return terminal.slave >= 0 && ioctl(terminal.slave, TIOCSWINSZ, &size) == 0;
}

static void start(char **argv)
{
	terminal.pid = fork();
	if (terminal.pid != 0)
		return;
	setsid();
	if (ioctl(terminal.slave, TIOCSCTTY, 0) == 0)
		for (int i = 0; i < 3; i++)
			dup2(terminal.slave, i);
	execvp(argv[0], argv);
	_exit(127);
}

static bool take_output(int ms)
{
	struct pollfd fd = {terminal.master, POLLIN, 0};
	if (poll(&fd, 1, ms) <= 0 || !(fd.revents & POLLIN))
		return false;
	ssize_t n = read(terminal.master, terminal.written + terminal.len, WRITTEN_MAX - terminal.len);
	terminal.len += n > 0 ? (size_t)n : 0;
	return n > 0;
}

/* The exit status, when it has ended. */
static int follow(const char *keys)
{
	int status;
	for (double deadline = now_ms() + DEADLINE_MS; now_ms() < deadline;) {
		if (take_output(REST_MS))
			continue;
		if (waitpid(terminal.pid, &status, WNOHANG) == terminal.pid) {
			while (take_output(0))
				continue;
			return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		}
		if (*keys && terminal.len && write(terminal.master, keys++, 1) != 1)
			break;
	}
	kill(terminal.pid, SIGKILL);
	waitpid(terminal.pid, NULL, 0);
	return 99;
}

/* The last place of a text; NULL: none. */
static const char *last(const char *text)
{
	const char *found = NULL;
	for (const char *at = terminal.written; (at = strstr(at, text)) != NULL; at++)
		found = at;
	return found;
}

/* Whether the last that was written of these two, as xterm knows them, is not the one that gives back. */
static bool is_left(const char *set, const char *back)
{
	const char *on = last(set), *off = last(back);
	return on && (!off || off < on);
}

static bool modes_equal(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
		a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof a->c_cc) == 0;
}

static bool print_left(const struct termios *before)
{
	static const char *const modes[][3] = {{"\033[?1049h", "\033[?1049l", "the other screen"},
		{"\033[?25l", "\033[?25h", "no cursor"}, {"\033[?1000h", "\033[?1000l", "the mouse"},
		{"\033[?1h", "\033[?1l", "the keypad"}};
	struct termios now;
	bool left = false;
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (is_left(modes[i][0], modes[i][1])) {
			printf("left: %s\n", modes[i][2]);
			left = true;
		}
	if (tcgetattr(terminal.slave, &now) != 0 || !modes_equal(&now, before)) {
		puts("left: modes of the terminal");
		left = true;
	}
	return left;
}

int main(int argc, char **argv)
{
	struct termios before;
	if (argc < 3 || !open_terminal() || tcgetattr(terminal.slave, &before) != 0) {
		fprintf(stderr, "drive: no terminal\n");
		return 99;
	}
	setenv("TERM", "xterm-256color", 1);
	start(argv + 2);
	int status = follow(argv[1]);
	if (!print_left(&before))
		puts("the terminal is back");
	const char *first_screen = last("\033[?1049l"),
		   *said = strstr(first_screen ? first_screen : terminal.written, "simttutor: ");
	if (said)
		fprintf(stderr, "%.*s\n", (int)strcspn(said, "\r\n"), said);
	return status;
}
