/* base/paths.h: where the program finds its lessons, kernels and worker, installed or not, and where it keeps progress;
 * what it ends with; and variables of the environment (environment_).
 *
 * An uninstalled program has beside it a file `simttutor.source` that names the source folder (the build makes it).
 * Otherwise data is looked for in $SIMTTUTOR_DATA, in ../share/simttutor from the program, then where `make install`
 * put it. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

/* What the program ends with, and what functions return that do a command's work. */
enum exit_status {
	EXIT_OK = 0,
	EXIT_FAILED = 1, /* a defect, a failed check or a failed measurement */
	EXIT_USAGE = 2,
	EXIT_MISSING = 3,       /* a file, a GPU, a permission */
	EXIT_TIMED_OUT = 124,   /* as of timeout(1) */
	EXIT_INTERRUPTED = 130, /* by SIGINT */
};

struct paths {
	const char *data;    /* holds lessons/ and kernels/ */
	const char *course;  /* so does this: that, or a course from elsewhere */
	const char *program; /* this one */
	const char *worker;  /* simttutor-gpu, whether or not it exists */
	const char *runtime; /* the folder of libcudart.so.12 and .13, whether or not it exists */
	const char *own;     /* what the reader writes: $XDG_DATA_HOME/simttutor or ~/.local/share/simttutor */
	const char *config;  /* the reader's settings: $XDG_CONFIG_HOME/simttutor or ~/.config/simttutor */
	const char *state;   /* the reader's own: $XDG_STATE_HOME/simttutor or ~/.local/state/simttutor */
};

/* All strings belong to `arena`. */
void paths_find(struct arena *arena, struct paths *out);

/* dir/name in the arena. */
char *path_join(struct arena *arena, const char *dir, const char *name);

/* What stands after the last slash; the path itself when it has none. Points into it. */
const char *path_last(const char *path);

/* Whether a folder is the reader's home, or above it. */
bool paths_hold_home(const char *folder);

/* --- variables of the environment ------------------------------------------------------------------------------------
 *
 * Those that set a limit or a right. What is set and cannot be understood is an error that names the variable; the
 * value is then as if it was not set. An empty one is not set. */

/* A whole number of seconds; `usual` when it is not set. `diag` may be NULL. */
#define ENVIRONMENT_SECONDS_MAX 86400
int environment_seconds(const char *variable, int usual, struct diag *diag);

/* A time as `timeout` takes it: "10", "2.5m", "1h", seconds without a letter; at most a year. 0: it is none. */
double environment_duration(const char *text);

/* Folders from the root, with colons between; false with an error when one is relative. */
bool environment_check_folders(const char *variable, struct diag *diag);

/* One folder from the root; NULL when it is not set. */
const char *environment_folder(const char *variable, struct diag *diag);

/* One of two words. */
bool environment_is_no(const char *variable, struct diag *diag);
