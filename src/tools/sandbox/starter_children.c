#include "config.h"
#include "tools/sandbox/starter_children.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/portable.h"
#include "base/vec.h"
#include "tools/sandbox/process.h"

#define LOOK_MS 20
#define TO_GROUP 4u /* PIDFD_SIGNAL_PROCESS_GROUP, Linux 6.9 */

static int signal_by(int pidfd, int sig, unsigned flags)
{
	return syscall(SYS_pidfd_send_signal, pidfd, sig, NULL, flags) == 0 ? 0 : errno;
}

/* Whether its number is still its own: it runs, or its parent has not waited for it. */
static bool is_unreaped(const struct starter_children *children, const struct starter_child *c)
{
	struct process_origin origin;
	return c->pidfd >= 0 ? signal_by(c->pidfd, 0, 0) == 0
			     : process_find_origin(c->pid, &origin) && origin.parent == children->parent;
}

static int signal_group(const struct starter_children *children, const struct starter_child *c, int sig)
{
	int error = c->pidfd >= 0 ? signal_by(c->pidfd, sig, TO_GROUP) : EINVAL;
	if (error != EINVAL)
		return error;
	if (!is_unreaped(children, c))
		return ESRCH;
	return kill(-c->pid, sig) == 0 ? 0 : errno;
}

void starter_children_add(struct starter_children *children, pid_t pid, int pidfd)
{
	size_t n = 0;
	for (size_t i = 0; i < children->n; i++)
		if (signal_group(children, &children->rows[i], 0) != ESRCH)
			children->rows[n++] = children->rows[i];
		else if (children->rows[i].pidfd >= 0)
			close(children->rows[i].pidfd);
	children->n = n;
	*vec_push(children->rows, children->n, children->cap) = (struct starter_child){pid, pidfd};
}

/* A copy of the parent is confined with it, but an old Landlock does not tell it from others. What else may be its child is older
 * than the starter: a shell started that and became the program. */
static int signal_copy(const struct starter_children *children, pid_t pid, int sig)
{
	struct process_origin copy, ours;
	int pidfd = portable_watch_end(pid), error = pidfd < 0 ? errno : 0;
	if (!error && (!process_find_origin(pid, &copy) || !process_find_origin(getpid(), &ours)))
		error = ESRCH;
	else if (!error && (pid == getpid() || copy.parent != children->parent || copy.started < ours.started))
		error = EPERM;
	if (!error)
		error = signal_by(pidfd, sig, 0); /* ESRCH when it was reaped, and the number may be another's */
	if (pidfd >= 0)
		close(pidfd);
	return error;
}

static int signal_one(const struct starter_child *c, int sig)
{
	if (c->pidfd >= 0)
		return signal_by(c->pidfd, sig, 0);
	return kill(c->pid, sig) == 0 ? 0 : errno;
}

int starter_children_signal(const struct starter_children *children, pid_t pid, int sig)
{
	bool group = pid < 0;
	pid_t child = group ? -pid : pid;
	if (child <= 1 || (sig != SIGTERM && sig != SIGKILL))
		return EPERM;
	for (size_t i = 0; i < children->n; i++) {
		const struct starter_child *c = &children->rows[i];
		if (c->pid == child && is_unreaped(children, c))
			return group ? signal_group(children, c, sig) : signal_one(c, sig);
	}
	return signal_copy(children, child, sig);
}

/* It, or what is left in its group: a shell is gone at once, and srun, which it started, still ends its job. An ended one that nobody
 * has waited for does not run. */
static bool runs(const struct starter_children *children, const struct starter_child *c)
{
	int error = c->pidfd >= 0 ? signal_by(c->pidfd, 0, TO_GROUP) : EINVAL;
	if (error != EINVAL)
		return error == 0;
	struct pollfd ended = {.fd = c->pidfd, .events = POLLIN};
	return c->pidfd >= 0 ? poll(&ended, 1, 0) == 0 : is_unreaped(children, c);
}

static bool wait_for_all(const struct starter_children *children, int ms)
{
	double until = clock_ms() + ms;
	for (;;) {
		size_t left = 0;
		for (size_t i = 0; i < children->n; i++)
			left += runs(children, &children->rows[i]);
		if (!left || clock_ms() >= until)
			return left == 0;
		poll(NULL, 0, LOOK_MS);
	}
}

static void signal_all(const struct starter_children *children, int sig)
{
	for (size_t i = 0; i < children->n; i++)
		(void)signal_group(children, &children->rows[i], sig);
}

void starter_children_end(struct starter_children *children)
{
	if (!wait_for_all(children, PROCESS_GRACE_MS)) {
		signal_all(children, SIGTERM);
		wait_for_all(children, PROCESS_GRACE_MS);
	}
	signal_all(children, SIGKILL); /* also what is left in the group of one that ended */
	free(children->rows);
	*children = (struct starter_children){0};
}
