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
	void (*needs)(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
	int (*run)(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
};

/* Checks a course with all its lessons: faults go to ctx->diag, a line for each step to `out`, what it says of itself
 * to `course`. An exit status. */
int course_check(struct cmd_ctx *ctx, const char *folder, struct cmd_lesson_check *check, struct course *course,
	struct buf *out);

void course_install_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
int course_install(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
void course_list_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
int course_list(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
void course_remove_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
int course_remove(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
