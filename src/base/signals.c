#include "config.h"
#include "base/signals.h"

#include <errno.h>
#include <unistd.h>
#ifdef HAVE_SYS_SIGNALFD_H
#include <sys/signalfd.h>
#endif

static int first_pending(const struct signals *s)
{
	sigset_t pending;
	if (sigpending(&pending) != 0)
		return 0;
	for (int i = 1; i < NSIG; i++)
		if (sigismember(&s->set, i) == 1 && sigismember(&pending, i) == 1)
			return i;
	return 0;
}

bool signals_are_there(const struct signals *s)
{
	return first_pending(s) != 0;
}

#ifdef HAVE_SYS_SIGNALFD_H

bool signals_open(struct signals *s, const sigset_t *set)
{
	s->set = *set;
	s->fd = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->fd >= 0;
}

int signals_take(struct signals *s)
{
	struct signalfd_siginfo info;
	ssize_t n;
	while ((n = read(s->fd, &info, sizeof info)) < 0 && errno == EINTR)
		continue;
	return n == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

#else

bool signals_open(struct signals *s, const sigset_t *set)
{
	s->set = *set;
	s->fd = -1;
	return true;
}

/* sigwait does not wait for what is pending. */
int signals_take(struct signals *s)
{
	sigset_t one;
	int number = first_pending(s), taken = 0;
	if (!number)
		return 0;
	sigemptyset(&one);
	sigaddset(&one, number);
	return sigwait(&one, &taken) == 0 ? taken : 0;
}

#endif

int signals_timeout_ms(const struct signals *s, int ms)
{
	return s->fd < 0 && (ms < 0 || ms > SIGNALS_LOOK_MS) ? SIGNALS_LOOK_MS : ms;
}

void signals_close(struct signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
