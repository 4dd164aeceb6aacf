#include "config.h"
#include "gpu/worker/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/portable.h"

#define POLL_MS 5
#define OVERTAKE_MS 1000 /* how long the next in the queue may leave a free turn unused before others take it */
#define PATIENCE_SECONDS 30
#define QUEUE_DIR "SIMTTUTOR_QUEUE_DIR"
#define QUEUE_SECONDS "SIMTTUTOR_QUEUE_SECONDS"
#define OPEN_TRIES 3

/* The bytes: one for the turn, all after it are tickets. */
enum { TURN_BYTE = 0, FIRST_TICKET = 1 };

/* --- the file ----------------------------------------------------------------------------------------------------- */

void turn_init(struct turn *turn, const char *name)
{
	const char *dir = environment_folder(QUEUE_DIR, NULL);
	*turn = (struct turn){.fd = -1};
	int at = snprintf(turn->path, sizeof turn->path - 100, "%s/simttutor-gpu-", dir ? dir : "/tmp");
	if (at >= (int)sizeof turn->path - 100)
		at = snprintf(turn->path, sizeof turn->path, "/tmp/simttutor-gpu-");
	snprintf(turn->path + at, sizeof turn->path - (size_t)at, "%.80s", name);
	for (char *c = turn->path + at; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", *c))
			*c = '_';
}

/* A cleanup of /tmp may have removed the file: processes that come later then wait in another queue. */
static bool is_current(int fd)
{
	struct stat st;
	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink > 0;
}

/* --- locks -------------------------------------------------------------------------------------------------------- */

static bool set_lock(const struct turn *turn, long byte, short type)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
	return fcntl(turn->fd, F_SETLK, &lock) == 0;
}

/* A byte of [from, to) that another process has locked, or -1; any of them, not the first. `to` 0: no end. */
static long find_lock(const struct turn *turn, long from, long to, pid_t *holder)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = from, .l_len = to ? to - from : 0};
	if ((to && from >= to) || fcntl(turn->fd, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
		return -1;
	if (holder)
		*holder = lock.l_pid > 0 ? lock.l_pid : 0;
	return lock.l_start > from ? (long)lock.l_start : from;
}

static int count_locks(const struct turn *turn, long from, long to)
{
	long at = find_lock(turn, from, to, NULL);
	return at < 0 ? 0 : 1 + count_locks(turn, from, at) + count_locks(turn, at + 1, to);
}

/* --- waiting ------------------------------------------------------------------------------------------------------ */

/* What a waiting process sees of the queue, and since when. */
struct queue_view {
	pid_t holder;
	bool taken;               /* a process has the turn */
	int before;               /* processes with earlier tickets, and the one that has the turn */
	double changed, reported; /* ms */
};

static bool wait_in_queue(struct turn *turn, const struct turn_wait *wait, struct turn_stuck *stuck)
{
	struct queue_view view = {.before = -1};
	bool given_up = false;
	while (!given_up) {
		struct queue_view now = view;
		now.holder = 0;
		now.taken = find_lock(turn, TURN_BYTE, TURN_BYTE + 1, &now.holder) >= 0;
		now.before = count_locks(turn, FIRST_TICKET, turn->ticket) + now.taken;
		/* a process that takes the turn still has its ticket for a moment: it does not count twice */
		if (view.before >= 0 && now.before > view.before)
			now.before = view.before;
		if (now.before != view.before || now.taken != view.taken || now.holder != view.holder) {
			now.changed = clock_ms();
			now.reported = now.before != view.before ? 0 : view.reported;
		}
		view = now;

		/* This process is next, or those before it leave a free turn unused. */
		turn->has = !view.taken && (view.before == 0 || clock_ms() - view.changed >= OVERTAKE_MS) &&
			set_lock(turn, TURN_BYTE, F_WRLCK);
		if (turn->has)
			return true;
		if (clock_ms() - view.changed >= wait->stuck_ms)
			break;

		double position_now = clock_ms();
		if (!(view.before == 0 || (view.reported > 0 && position_now - view.reported < TURN_REPORT_MS))) {
			view.reported = position_now;
			wait->report(wait->ctx, view.before);
		}

		given_up = wait->give_up && wait->give_up(wait->ctx);
		nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000L}, NULL);
	}
	*stuck = (struct turn_stuck){view.holder, view.before, given_up};
	return false;
}

int turn_patience_ms(void)
{
	return 1000 * environment_seconds(QUEUE_SECONDS, PATIENCE_SECONDS, NULL);
}

void turn_check_environment(struct diag *diag)
{
	environment_folder(QUEUE_DIR, diag);
	environment_seconds(QUEUE_SECONDS, PATIENCE_SECONDS, diag);
}

bool turn_take(struct turn *turn, const struct turn_wait *wait, struct turn_stuck *stuck)
{
	if (turn->has && is_current(turn->fd))
		return true;

	if (!is_current(turn->fd)) {
		turn_close(turn);

		/* Makes the file, or opens the one there. Not both in one call: in a sticky folder the kernel refuses
		 * O_CREAT for files of other users (fs.protected_regular). */
		turn->fd = -1;
		const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
		for (int i = 0; i < OPEN_TRIES; i++) {
			int fd = open(turn->path, flags);
			if (fd >= 0 || errno != ENOENT) {
				turn->fd = fd;
				break;
			}
			fd = open(turn->path, flags | O_CREAT | O_EXCL, 0666);
			if (fd >= 0) {
				fchmod(fd, 0666); /* whatever the umask */
				turn->fd = fd;
				break;
			}
			if (errno != EEXIST)
				break;
		}

		if (!is_current(turn->fd)) {
			turn_close(turn);
			return true;
		}
	}

	/* The ticket after all others. Two processes that see the same last one compete for the next; the loser looks
	 * again. */
	bool drawn = false;
	for (int i = 0; i < 1000 && !drawn; i++) {
		long next = FIRST_TICKET;
		for (long at; (at = find_lock(turn, next, 0, NULL)) >= 0;)
			next = at + 1;
		drawn = set_lock(turn, next, F_WRLCK);
		if (drawn)
			turn->ticket = next;
		else if (errno != EAGAIN && errno != EACCES)
			break; /* a file system without locks */
	}
	if (!drawn)
		return true;
	bool taken = wait_in_queue(turn, wait, stuck);
	if (turn->ticket)
		set_lock(turn, turn->ticket, F_UNLCK);
	turn->ticket = 0;
	return taken;
}

bool turn_is_wanted(const struct turn *turn)
{
	return turn->has && find_lock(turn, FIRST_TICKET, 0, NULL) >= 0;
}

void turn_leave(struct turn *turn)
{
	if (turn->has)
		set_lock(turn, TURN_BYTE, F_UNLCK);
	turn->has = false;
}

void turn_close(struct turn *turn)
{
	if (turn->fd >= 0)
		close(turn->fd); /* and with it all locks */
	turn->fd = -1;
	turn->ticket = 0;
	turn->has = false;
}
