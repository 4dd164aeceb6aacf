/* tools/sandbox/leash.h: compilers and other tools, run to their end on what strangers wrote: without a shell, in a private folder, under
 * limits, with no terminal and no standard input.
 *
 * Where the kernel can (confine.h), a tool reads and executes what is installed: the system's programs, libraries and headers, its own
 * installation, and what PATH and the compilers' variables name; reads the folders that its job names, and those of
 * SIMTTUTOR_COMPILER_READS; writes in its private folder; and has no network.
 *
 * Between us and the tool stands a process of ours, the keeper. It ends the tool and whatever that started, also in sessions
 * of their own, when the tool has ended, when its time is over, when its folder has grown too large, when a signal is to end
 * us (scratch_make_held), and when we are gone; then it removes the folder, too. Its parent stands by, and does that if the keeper is
 * killed. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "tools/sandbox/confine.h"
#include "tools/sandbox/scratch.h"

#define LEASH_FOLDER_MAX ((size_t)256 << 20) /* bytes of what a tool writes: of a file, and of all in its folder */
#define LEASH_PRINTED_MAX ((size_t)64 << 20) /* of what it prints, kept or not */
#define LEASH_MEMORY_MAX ((size_t)8 << 30)   /* of address space of each process; on a machine with less memory than */
#define LEASH_MEMORY_LEAST ((size_t)2 << 30) /* that, three quarters of it, but not less than this */
#define LEASH_OPEN_FILES_MAX 256
#define LEASH_PROCESSES_MAX 512                /* more than the machine has when the tool starts */
#define LEASH_READS "SIMTTUTOR_COMPILER_READS" /* an environment variable: folders, with colons between */
#define LEASH_SLOW_MS 1000
#define LEASH_SECONDS 60 /* unless SIMTTUTOR_COMPILER_SECONDS says otherwise */

struct leash_job {
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
	void (*on_slow)(void); /* called once after LEASH_SLOW_MS; may be NULL */
};

enum leash_outcome {
	LEASH_NOT_STARTED, /* `error` says why */
	LEASH_ENDED,       /* `status` is that of waitpid */
	LEASH_OUT_OF_TIME,
	LEASH_OUT_OF_SPACE,
	LEASH_FLOODED,
	LEASH_INTERRUPTED,
};

struct leash_end {
	enum leash_outcome outcome;
	int status, error;
	size_t dropped; /* bytes of what it printed that were not kept */
};

/* Runs a tool and appends what it prints, on both its outputs, to `log`. */
struct leash_end leash_run(const struct leash_job *job, struct buf *log);

/* Whether it ended by itself, with exit status 0. */
bool leash_succeeded(const struct leash_end *end);

/* Whether it ended by itself, with another. */
bool leash_failed(const struct leash_end *end);

/* Appends how it ended, to follow its name: "cannot be started: No such file or directory". */
void leash_describe(const struct leash_end *end, struct buf *out);

/* The seconds that a tool has. */
int leash_seconds(void);

/* Reports variables of the environment that are set to what they cannot be. */
void leash_check_environment(struct diag *diag);

/* --- its parts, for leash*.c and starter.c ------------------------------------------------------------------------------ */

/* What the keeper writes the tool's log and its end to, and where it learns that it is to stop, or that we are gone. */
struct leash_ends {
	int log, result, control;
};

/* Is the keeper and its parent from now on: in a fork, with all signals held back. */
_Noreturn void leash_keep(const struct leash_job *job, const struct leash_ends *ends);

/* Adds what the tool may reach: for confine_self, just before it is executed. */
void leash_reach(struct arena *arena, const struct leash_job *job, struct confine_profile *profile);
