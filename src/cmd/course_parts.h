/* cmd/course_parts.h: what the files of the command `course` share. */
#pragma once
#include "cmd/confined.h"
#include "cmd/lesson_check.h"
#include "course/lesson/course.h"

extern const struct cmd_entry cmd_course_entry;

/* A word after `course`. The arguments are those after the word. */
struct course_action {
	const char *name;
	void (*needs)(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
	int (*run)(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
};

/* Checks a course with all its lessons: faults go to ctx->diag, a line for each step to `out`, what it says of itself to `course`. An
 * exit status. */
int course_check(struct cmd_ctx *ctx, const char *folder, struct cmd_lesson_check *check, struct course *course,
	struct buf *out);

/* --- course_install.c ------------------------------------------------------------------------------------------------- */
void course_install_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
int course_install(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
void course_list_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
int course_list(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
void course_remove_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
int course_remove(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

/* --- course_launches.c ------------------------------------------------------------------------------------------------ */
void course_launches_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n);
int course_launches(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);
