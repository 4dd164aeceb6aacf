/* gpu/worker/turn.h: a fair queue for one GPU among the workers of a host. Inside the worker only.
 *
 * Kernels of two processes disturb each other's counters, and the profiler admits one process; so a process takes a
 * turn before it launches, first come, first served. The queue is one empty file in a folder that all users of the host
 * may write to (/tmp), and record locks (fcntl) on bytes that do not exist in it: one byte for the process that has the
 * turn, one for each ticket. That was chosen because
 *   - locks go with the process that holds them, however it ends: none is ever left over;
 *   - the file has no contents, so there is nothing in it to trust, to repair or to forge;
 *   - the kernel gives the number of the process that holds a lock, so that a stuck one can be named;
 *   - no daemon, no folder to set up, no group: users that share nothing but the host wait in one queue.
 *     (XDG_RUNTIME_DIR belongs to one user.)
 * What another user may do is to keep a lock indefinitely, which is an error after a while, or to have made the file so
 * that it cannot be opened: then there is no queue, and measuring goes on as without. Containers share a queue when
 * they share the folder; SIMTTUTOR_QUEUE_DIR names another.
 *
 * A process that is stopped while it has the turn holds the others up until they give up; one that is stopped while it
 * waits is overtaken. */
#pragma once
#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"

struct turn {
	char path[512];
	int fd;      /* -1: not open */
	long ticket; /* 0: none */
	bool has;    /* it is our turn */
};

/* `name` says which GPU; what is no letter, digit or '-' in it becomes '_'. Opens nothing yet. */
void turn_init(struct turn *turn, const char *name);

struct turn_wait {
	int stuck_ms; /* how long the queue may stand still before we leave it */
	void (*report)(
		void *ctx, int before); /* how many are ahead of us: when that changes, and every TURN_REPORT_MS */
	void *ctx;
	bool (*give_up)(void *ctx); /* polled: true: we leave the queue; NULL: we do not */
};
#define TURN_REPORT_MS 1000

/* A stuck_ms that is longer than any front end lets a measurement take, or what SIMTTUTOR_QUEUE_SECONDS says, from 1 to
 * a day. */
int turn_patience_ms(void);

/* Reports variables of the environment that are set to what they cannot be. */
void turn_check_environment(struct diag *diag);

/* Which process holds the others up, when turn_take gives up. */
struct turn_stuck {
	pid_t holder; /* 0: not known (it may be in another container) */
	int before;
	bool given_up; /* no process holds us up: give_up said so */
};

/* Waits for our turn. True also where there can be no queue (turn->has is then false) and when we have it. False when
 * the queue stood still for stuck_ms, or we gave up: we have left it, and `stuck` says why. */
bool turn_take(struct turn *turn, const struct turn_wait *wait, struct turn_stuck *stuck);

/* Whether we have the turn and another process waits for it. */
bool turn_is_wanted(const struct turn *turn);

/* Gives the turn away; harmless without. */
void turn_leave(struct turn *turn);

/* Leaves, and closes the file. */
void turn_close(struct turn *turn);
