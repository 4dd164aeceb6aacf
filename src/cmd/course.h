/* cmd/course.h: which course a command is about: that which ships, or another: a folder with lessons and kernels. */
#pragma once
#include "base/pack.h"
#include "cmd/cmd.h"
#include "cmd/confined.h"
#include "cmd/lesson.h"
#include "course/lesson/lesson.h"

#define CMD_COURSE_OPTION                                                                                              \
	{                                                                                                              \
		"course", 0, "COURSE",                                                                                 \
			N_("a folder with lessons and kernels, or the name of a course that is installed")             \
	}

/* The folders in which courses are looked for by name, in this order; NULL at the end. */
const char *const *cmd_course_shelves(struct cmd_ctx *ctx);

/* Takes --course from the arguments, and, where these name `lessons`, the folder of a lesson ("./mine", "./mine/2") for
 * the lesson's name and its course. Then ctx->paths are those of the course. False with an error. */
bool cmd_course_choose(struct cmd_ctx *ctx, struct cmd_parsed *args, int *n, bool lessons);

/* --- the files of a course that is being written: those that its archive has. --- */

struct course_files {
	struct pack_file *files; /* in the arena, in the order of their names */
	size_t n, cap;
	size_t n_withheld; /* left out: see course_files_list */
};

/* --- what the files of the command `course` share. --- */

extern const struct cmd_entry cmd_course_entry;

/* A word after `course`. The arguments are those after the word. */
struct course_action {
	const char *name;
	int (*run)(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
	enum {
		COURSE_READS = 1,     /* its plain arguments */
		COURSE_WRITES = 2,    /* to them, folders that it makes */
		COURSE_COMPILES = 4,  /* in them, folders that are there */
		COURSE_GRADES = 8,    /* the programs of exercises */
		COURSE_ARCHIVES = 16, /* to --output */
		COURSE_SHELVES = 32,  /* it looks at all courses that are installed */
		COURSE_INSTALLS = 64  /* it changes the reader's own */
	} needs;
};

/* Checks a course with all its lessons: faults go to ctx->diag, a line for each step to `out`, what it says of itself
 * to `course`. An exit status. */
int course_check(struct cmd_ctx *ctx, const char *folder, struct cmd_lesson_check *check, struct course *course,
	struct buf *out);

/* The reader's own courses, in a folder of this mode. */
#define COURSE_FOLDER_MODE 0700
const char *course_own_folder(struct cmd_ctx *ctx);

int course_install(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

int course_list(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

int course_remove(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
