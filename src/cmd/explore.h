/* cmd/explore.h: one `simttutor explore`: its arguments, and the lesson that is made of them. Inside cmd/ only. */
#pragma once
#include "cmd/run.h"
#include "course/lesson/lesson.h"
#include "front/tutor/tutor.h"

#define EXPLORE_KNOBS_MAX 8
#define EXPLORE_VERSIONS_MAX 2
#define EXPLORE_ARGS_MAX 1024

/* A parameter of the launch: --sweep NAME=VALUES. */
struct explore_knob {
	const char *name;
	int64_t *values, initial;
	int n;
};

struct explore {
	struct cmd_ctx *ctx;
	struct cmd_parsed *args; /* those that say what is launched, as run reads them */
	int n_args;
	const char *file, *other; /* other: --compare, a file or a kernel of `file`; NULL: none */
	bool other_is_file;
	const char *kept_as; /* the program that FILE is a launch of; NULL: it is what was given */
	struct explore_knob knobs[EXPLORE_KNOBS_MAX];
	int n_knobs;
	struct explore_view {
		view_id view; /* NONE: the first */
		int cols, rows, format;
		bool linear, format_given;
	} show;
	const char *metric;                               /* of the sweep, NULL: one that fits */
	struct ptx_module *modules[EXPLORE_VERSIONS_MAX]; /* of the lesson made last */
	const struct lesson *lesson;                      /* likewise */
};

/* Reads "NAME=VALUES": 1,2,4 or 1..64 or 32..1024*2 or 0..64+4, and perhaps @VALUE to begin with. False with an
 * error. */
bool explore_read_knob(struct explore *x, const char *text);

/* The path of a version's file. */
const char *explore_path(const struct explore *x, int version);

/* As tutor_compiler.run; of: struct explore. */
int explore_compile(void *of, const char *path, const char *ptx_path);

/* As tutor_explorer.make; ctx: struct explore. */
struct lesson *explore_make(void *ctx, struct arena *arena, const struct buf *ptx, struct diag *diag);

extern const struct cmd_entry cmd_explore_entry;
