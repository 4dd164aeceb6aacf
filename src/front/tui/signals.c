#include "config.h"
#include "front/tui/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* All that end a program or concern its terminal, and can be waited with until the loop is back. */
static const int wanted[] = {SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2, SIGALRM,
	SIGVTALRM, SIGPROF, SIGIO, SIGXCPU, SIGXFSZ};

/* A sanitizer wants to report these itself. */
static const int crashes[] = {
	SIGABRT,
#ifndef SIMT_SANITIZED
	SIGSEGV,
	SIGBUS,
	SIGFPE,
	SIGILL,
	SIGSYS,
	SIGTRAP,
#endif
};

static int pipe_fds[2] = {-1, -1};
static void (*rescue_terminal)(void);
static struct sigaction before[LENGTH(wanted)], before_crash[LENGTH(crashes)], before_pipe;

static void note(int signal)
{
	int saved = errno;
	unsigned char byte = (unsigned char)signal;
	ssize_t wrote = write(pipe_fds[1], &byte, 1); /* full: then there is enough to do already */
	(void)wrote;
	errno = saved;
}

static void crash(int signal)
{
	rescue_terminal();
	raise(signal); /* the handler was reset: this one kills */
}

static void make_private(int fd)
{
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, O_NONBLOCK);
}

bool tui_signals_open(void (*rescue)(void))
{
	if (pipe(pipe_fds) != 0)
		return false;
	make_private(pipe_fds[0]);
	make_private(pipe_fds[1]);
	rescue_terminal = rescue;
	struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < LENGTH(wanted); i++)
		sigaction(wanted[i], &action, &before[i]);
	struct sigaction fatal = {.sa_handler = crash, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
	sigemptyset(&fatal.sa_mask);
	for (size_t i = 0; i < LENGTH(crashes); i++)
		sigaction(crashes[i], &fatal, &before_crash[i]);
	/* a terminal or worker that is gone is seen where it is written to */
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGPIPE, &ignore, &before_pipe);
	return true;
}

void tui_signals_close(void)
{
	if (pipe_fds[0] < 0)
		return;
	for (size_t i = 0; i < LENGTH(wanted); i++)
		sigaction(wanted[i], &before[i], NULL);
	for (size_t i = 0; i < LENGTH(crashes); i++)
		sigaction(crashes[i], &before_crash[i], NULL);
	sigaction(SIGPIPE, &before_pipe, NULL);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	pipe_fds[0] = pipe_fds[1] = -1;
}

int tui_signals_fd(void)
{
	return pipe_fds[0];
}

int tui_signals_read(void)
{
	unsigned char byte;
	return read(pipe_fds[0], &byte, 1) == 1 ? byte : 0;
}

void tui_signals_stop(void)
{
	struct sigaction plain = {.sa_handler = SIG_DFL}, ours;
	sigemptyset(&plain.sa_mask);
	sigaction(SIGTSTP, &plain, &ours);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
}
