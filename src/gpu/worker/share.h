/* gpu/worker/share.h: one GPU for many readers: `simttutor-gpu --serve SOCKET`, and its other end, `--connect SOCKET`.
 * Inside the worker only.
 *
 * The process that listens runs no kernel. It starts ordinary workers, copies of this program, and passes lines between
 * them and the readers, who see the protocol of one worker each:
 *   - One worker is shared. It answers what is known: launches of courses, listed in a file that the administrator
 *     names (`simttutor course launches`). All readers get them alike, from kernels and arguments that are public, so
 *     in its context there is nothing of anybody's. Readers wait for it in the order in which they asked.
 *   - Whatever else a reader asks has a worker that runs nothing but this reader's, and ends with the connection. Its
 *     context is its own: what another's kernel leaves in memory is out of reach, and so is what it does to its own.
 * Workers take turns on the GPU as those of separate readers do (turn.h).
 *
 * A worker that ended, because a kernel faulted or was killed, is replaced. A request that it had and did not answer is
 * asked once more where it is known, and otherwise answered with an error; all others still wait here, and lose
 * nothing. */
#pragma once
#include <stdbool.h>

#include "gpu/wire/wire.h"

#define SHARE_READERS_MAX 256
#define SHARE_PRIVATE_MAX                                                                                              \
	16 /* workers of one reader each, alive at a time; one that is idle goes for another reader's */
#define SHARE_RUN_MAX_MS 30000 /* that a worker may take without saying that it waits for the GPU; then it is killed */
#define SHARE_LEFT_MAX_MS 3000 /* likewise, for a reader who is gone */
#define SHARE_BYTES_MAX ((size_t)1 << 30) /* of all lines that are kept for readers and workers */

struct share_options {
	const char *program; /* this one: what workers are copies of */
	const char *socket;
	const char *known;  /* NULL: nothing is */
	const char *device; /* its number, as text; NULL: 0 */
};

/* Listens until SIGTERM or SIGINT. Returns an exit status: 0, or 1 with the reason on standard error. */
int share_serve(const struct share_options *options);

/* Passes standard input and output on to and from a server, until either ends. Returns an exit status likewise. */
int share_connect(const char *socket);

/* --- share_known.c: launches that are known ----------------------------------------------------------------------- */

struct share_known;

/* Reads requests, one a line: their launches become known, of any kind of request. NULL with diagnostics that name the
 * line. */
struct share_known *share_known_load(const char *path, struct diag *diag);
void share_known_free(struct share_known *known);

/* Whether this is one of them, kernel, shape and arguments; false for NULL. */
bool share_known_has(const struct share_known *known, const struct wire_job *job);
