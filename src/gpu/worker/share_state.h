/* gpu/worker/share_state.h: what the files of the server share (share.h). */
#pragma once
#include <stdint.h>
#include <sys/un.h>

#include "base/buf.h"
#include "gpu/worker/share.h"
#include "tools/sandbox/process.h"

#define SHARE_CHUNK ((size_t)1 << 16)
#define SHARE_TICK_MS 200 /* how often it is looked at who has waited or run for too long */

enum share_state { SHARE_READING, SHARE_WAITING, SHARE_RUNNING };

struct share_reader {
	int fd; /* -1: none */
	enum share_state state;
	bool ends;     /* sends no more: goes once everything is answered */
	struct buf in; /* of requests; lines before `start` were taken */
	size_t start;
	struct buf out; /* of answers, sent up to `sent` */
	size_t sent;
	struct buf line;             /* the request that waits or runs, */
	int64_t id;                  /* its number, */
	uint64_t turn;               /* its place in the order in which readers asked, */
	bool known;                  /* for the shared worker, */
	bool again;                  /* which ended once already while it had it */
	struct share_worker *worker; /* of this reader alone; NULL: none */
	int said;                    /* how many were said to be before it, */
	double said_at;              /* and when, ms */
};

struct share_worker {
	struct process process;     /* no pid: none */
	struct share_reader *owner; /* NULL: the shared one */
	bool busy;
	struct share_reader *serves; /* whose request it has; NULL: that of one who is gone */
	double since;                /* ms: when it got it, or last said that it waits; or became idle */
	struct buf to;               /* of requests, written up to `sent` */
	size_t sent;
	struct buf from; /* of answers; no newline before `scanned` */
	size_t scanned;
};

struct share {
	const struct share_options *options;
	struct share_known *known;
	int fd, lock;
	struct sockaddr_un address;
	struct share_reader readers[SHARE_READERS_MAX];
	struct share_worker workers[1 + SHARE_PRIVATE_MAX]; /* the first is the shared one */
	struct process_dying dying;
	uint64_t turns;
};

void share_drop_front(struct buf *buf, size_t n);

/* --- share_readers.c ---------------------------------------------------------------------------------------------------- */

/* A new connection, refused where there are too many. */
void share_admit(struct share *share);

/* Reads requests, writes answers. False: the reader is gone, or sends more than there is room for. */
bool share_read_reader(struct share *share, struct share_reader *reader);
bool share_write_reader(struct share_reader *reader);

/* Its worker goes with it, and what the shared one does for it is canceled. */
void share_drop_reader(struct share *share, struct share_reader *reader);

/* Its request was answered: the next may be taken. And the same with an error as the answer. */
void share_settle(struct share *share, struct share_reader *reader);
void share_refuse(struct share *share, struct share_reader *reader, enum wire_error_code code, const char *why);

/* Tells those who wait how many are before them, when that changes and every second. */
void share_report_waiting(struct share *share);

/* --- share_workers.c ---------------------------------------------------------------------------------------------------- */

/* Gives requests to workers that are free, and starts those that are missing. */
void share_hand_out(struct share *share);

/* Passes answers on; a worker that ended is no more. */
void share_read_worker(struct share *share, struct share_worker *worker);
void share_write_worker(struct share_worker *worker);

/* Stops workers that take too long. */
void share_end_overdue(struct share *share);

/* Kills the worker; a request that it had is dealt with by the caller. */
void share_drop_worker(struct share *share, struct share_worker *worker);
