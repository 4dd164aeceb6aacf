/* tools/sandbox/sandbox.h: compilers and other tools, run to their end on what strangers wrote: without a shell, in a
 * private folder, under limits, with no terminal and no standard input.
 *
 * Where the kernel can (confine.h), a tool reads and executes what is installed: the system's programs, libraries and
 * headers, its own installation, and what PATH and the compilers' variables name; reads the folders that its job names,
 * and those of SIMTTUTOR_COMPILER_READS; writes in its private folder; and has no network.
 *
 * Between us and the tool stands a process of ours, the keeper. It ends the tool and whatever that started, also in
 * sessions of their own, when the tool has ended, when its time is over, when its folder has grown too large, when a
 * signal is to end us (scratch_make_held), and when we are gone; then it removes the folder, too. Its parent stands by,
 * and does that if the keeper is killed. */
#pragma once
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "tools/sandbox/confine.h"

/* --- scratch: the private folders
 * ------------------------------------------------------------------------------------------
 *
 * Their mode is 0700. Their paths are made of letters, digits and ./_+@,=- alone, so that a compiler can hand them to a
 * shell. They lie in $TMPDIR, or in /tmp where that is not set, is relative, has other characters, is another user's,
 * or lets others rename what is in it. A folder is locked while it is in use; what a program that was killed left
 * behind is removed when the next one is made. */

struct scratch {
	const char *path; /* absolute, without links, in the arena; NULL: there is none */
	int fd;           /* the folder, locked */
	bool held;        /* signals wait; `before` is the mask to return to */
	sigset_t before;
};

#define SCRATCH_NONE ((struct scratch){.fd = -1})

/* Makes all folders of this process in that one, from now on; both arguments last as long. `note`: why TMPDIR was
 * passed over, for the first who makes one; NULL: it was not. */
void scratch_set_root(const char *path, const char *note);

/* That one, or NULL. */
const char *scratch_root(void);

/* Makes a folder. False with an error; a note where TMPDIR is passed over. */
bool scratch_make(struct scratch *scratch, struct arena *arena, struct diag *diag);

/* Like scratch_make, and the signals by which a terminal, a shell or a system ends a program wait until scratch_remove,
 * so that nothing is left behind. sandbox_run sees them. */
bool scratch_make_held(struct scratch *scratch, struct arena *arena, struct diag *diag);

/* Removes the folder with all that is in it; fine when there is none. A signal that waited arrives. */
void scratch_remove(struct scratch *scratch);

/* Empties and removes the folder alone: for a process that shares it with one that is gone. */
void scratch_remove_folder(const struct scratch *scratch);

/* Makes a file, or a symbolic link. False with an error. */
bool scratch_write(const struct scratch *scratch, const char *name, const char *data, size_t len, struct diag *diag);
bool scratch_link(const struct scratch *scratch, const char *name, const char *target, struct diag *diag);

/* The bytes that all in it takes on the disk. */
uint64_t scratch_size(const struct scratch *scratch);

/* Puts those of the signals above that are not ignored into `out`. */
void scratch_signals(sigset_t *out);

/* --- tools -------------------------------------------------------------------------------------------------------- */

#define SANDBOX_FOLDER_MAX ((size_t)256 << 20) /* bytes of what a tool writes: of a file, and of all in its folder */
#define SANDBOX_PRINTED_MAX ((size_t)64 << 20) /* of what it prints, kept or not */
#define SANDBOX_MEMORY_MAX ((size_t)8 << 30) /* of address space of each process; on a machine with less memory than */
#define SANDBOX_MEMORY_LEAST ((size_t)2 << 30) /* that, three quarters of it, but not less than this */
#define SANDBOX_OPEN_FILES_MAX 256
#define SANDBOX_PROCESSES_MAX 512                /* more than the machine has when the tool starts */
#define SANDBOX_READS "SIMTTUTOR_COMPILER_READS" /* an environment variable: folders, with colons between */
#define SANDBOX_SLOW_MS 1000
#define SANDBOX_SECONDS 60 /* unless SIMTTUTOR_COMPILER_SECONDS says otherwise */

struct sandbox_job {
	const char *const *argv;       /* ends in NULL; argv[0] is a path */
	const struct scratch *scratch; /* its working folder and TMPDIR */
	size_t log_max;                /* bytes of what it prints that are kept */
	const char *const *reads;      /* what it may read beside the system, folders or files */
	int n_reads;
	const char *locale; /* LC_ALL; NULL: the reader's own */
	const char *output; /* a new file in the folder, for its standard output alone; NULL: that is in the log, too */
	bool executes;      /* what is in the folder, too */
	const int *held;    /* read, too: open already, whatever has their names now */
	int n_held;
	void (*on_slow)(void); /* called once after SANDBOX_SLOW_MS; may be NULL */
};

enum sandbox_outcome {
	SANDBOX_NOT_STARTED, /* `error` says why */
	SANDBOX_ENDED,       /* `status` is that of waitpid */
	SANDBOX_OUT_OF_TIME,
	SANDBOX_OUT_OF_SPACE,
	SANDBOX_FLOODED,
	SANDBOX_INTERRUPTED,
};

struct sandbox_end {
	enum sandbox_outcome outcome;
	int status, error;
	size_t dropped; /* bytes of what it printed that were not kept */
};

/* Runs a tool and appends what it prints, on both its outputs, to `log`. */
struct sandbox_end sandbox_run(const struct sandbox_job *job, struct buf *log);

/* Whether it ended by itself, with exit status 0. */
bool sandbox_succeeded(const struct sandbox_end *end);

/* Whether it ended by itself, with another. */
bool sandbox_failed(const struct sandbox_end *end);

/* Appends how it ended, to follow its name: "cannot be started: No such file or directory". */
void sandbox_describe(const struct sandbox_end *end, struct buf *out);

/* The seconds that a tool has. */
int sandbox_seconds(void);

/* From now on tools have so many seconds where the environment does not say: for builds of whole programs, which are at
 * the reader's own command, and take minutes with large libraries of templates. */
void sandbox_allow_seconds(int usual);
#define SANDBOX_BUILD_SECONDS 600

/* Reports variables of the environment that are set to what they cannot be. */
void sandbox_check_environment(struct diag *diag);

/* --- parts, for sandbox*.c and starter.c -------------------------------------------------------------------------- */

/* What the keeper writes the tool's log and its end to, and where it learns that it is to stop, or that we are gone. */
struct sandbox_pipes {
	int log, result, control;
};

/* Is the keeper and its parent from now on: in a fork, with all signals held back. */
_Noreturn void sandbox_keep(const struct sandbox_job *job, const struct sandbox_pipes *ends);

/* Adds what the tool may reach: for confine_self, just before it is executed. */
void sandbox_reach(struct arena *arena, const struct sandbox_job *job, struct confine_profile *profile);
