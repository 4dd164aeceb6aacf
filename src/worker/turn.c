#include "config.h"
#include "worker/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define POLL_MS 5
#define OVERTAKE_MS 1000 /* how long whoever is next may leave a free turn lying, before those behind take it */
#define OPEN_TRIES 3

/* The bytes: one for the turn, all behind it are tickets. */
enum { TURN_BYTE = 0, FIRST_TICKET = 1 };

/* --- the file ----------------------------------------------------------------------------------------------------- */

void turn_init(struct turn *turn, const char *name)
{
	const char *dir = getenv("SIMTTUTOR_QUEUE_DIR");
	*turn = (struct turn){.fd = -1};
	int at = snprintf(turn->path, sizeof turn->path - 100, "%s/simttutor-gpu-", dir && *dir == '/' ? dir : "/tmp");
	if (at >= (int)sizeof turn->path - 100)
		at = snprintf(turn->path, sizeof turn->path, "/tmp/simttutor-gpu-");
	snprintf(turn->path + at, sizeof turn->path - (size_t)at, "%.80s", name);
	for (char *c = turn->path + at; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", *c))
			*c = '_';
}

/* Makes the file, or opens the one there. Not both in one call: in a sticky folder the kernel refuses O_CREAT for files
 * of other users (fs.protected_regular). */
static int open_or_make(const char *path)
{
	const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	for (int i = 0; i < OPEN_TRIES; i++) {
		int fd = open(path, flags);
		if (fd >= 0 || errno != ENOENT)
			return fd;
		fd = open(path, flags | O_CREAT | O_EXCL, 0666);
		if (fd >= 0) {
			fchmod(fd, 0666); /* whatever the umask */
			return fd;
		}
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

/* Whoever tidies up /tmp may have removed the file: those that come later then stand in another line. */
static bool is_current(int fd)
{
	struct stat st;
	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink > 0;
}

static bool open_queue(struct turn *turn)
{
	if (is_current(turn->fd))
		return true;
	turn_close(turn);
	turn->fd = open_or_make(turn->path);
	if (is_current(turn->fd))
		return true;
	turn_close(turn);
	return false;
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

/* The ticket behind all others. Two that see the same last one compete for the next; the loser looks again. */
static bool draw_ticket(struct turn *turn)
{
	for (int i = 0; i < 1000; i++) {
		long next = FIRST_TICKET;
		for (long at; (at = find_lock(turn, next, 0, NULL)) >= 0;)
			next = at + 1;
		if (set_lock(turn, next, F_WRLCK)) {
			turn->ticket = next;
			return true;
		}
		if (errno != EAGAIN && errno != EACCES)
			return false; /* a file system without locks */
	}
	return false;
}

static void drop_ticket(struct turn *turn)
{
	if (turn->ticket)
		set_lock(turn, turn->ticket, F_UNLCK);
	turn->ticket = 0;
}

/* --- waiting ------------------------------------------------------------------------------------------------------ */

/* What a waiter sees of the line, and since when. */
struct line {
	pid_t holder;
	bool taken;           /* somebody has the turn */
	int before;           /* those with earlier tickets, and who has the turn */
	double changed, told; /* ms */
};

static void look(const struct turn *turn, struct line *line)
{
	struct line now = *line;
	now.holder = 0;
	now.taken = find_lock(turn, TURN_BYTE, TURN_BYTE + 1, &now.holder) >= 0;
	now.before = count_locks(turn, FIRST_TICKET, turn->ticket) + now.taken;
	/* whoever takes the turn still has its ticket for a moment: it is not two */
	if (line->before >= 0 && now.before > line->before)
		now.before = line->before;
	if (now.before != line->before || now.taken != line->taken || now.holder != line->holder) {
		now.changed = clock_ms();
		now.told = now.before != line->before ? 0 : line->told;
	}
	*line = now;
}

/* Next in line, or those that are do not take the turn that lies there. */
static bool may_try(const struct line *line)
{
	return !line->taken && (line->before == 0 || clock_ms() - line->changed >= OVERTAKE_MS);
}

static void tell(struct line *line, const struct turn_wait *wait)
{
	double now = clock_ms();
	if (line->before == 0 || (line->told > 0 && now - line->told < TURN_TELL_MS))
		return;
	line->told = now;
	wait->tell(wait->ctx, line->before);
}

static bool stand_in_line(struct turn *turn, const struct turn_wait *wait, struct turn_stuck *stuck)
{
	struct line line = {.before = -1};
	bool given_up = false;
	while (!given_up) {
		look(turn, &line);
		turn->has = may_try(&line) && set_lock(turn, TURN_BYTE, F_WRLCK);
		if (turn->has)
			return true;
		if (clock_ms() - line.changed >= wait->stuck_ms)
			break;
		tell(&line, wait);
		given_up = wait->give_up && wait->give_up(wait->ctx);
		nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000L}, NULL);
	}
	*stuck = (struct turn_stuck){line.holder, line.before, given_up};
	return false;
}

bool turn_take(struct turn *turn, const struct turn_wait *wait, struct turn_stuck *stuck)
{
	if (turn->has && is_current(turn->fd))
		return true;
	if (!open_queue(turn) || !draw_ticket(turn))
		return true;
	bool taken = stand_in_line(turn, wait, stuck);
	drop_ticket(turn);
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
