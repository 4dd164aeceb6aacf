/* cmd/lesson_folder.h: a lesson that is being written, by its folder: checked, and its kernels compiled. */
#pragma once
#include "cmd/cmd.h"
#include "cmd/lesson_check.h"

/* The folder of lesson.md, which may be named itself. */
const char *cmd_lesson_folder(struct arena *arena, const char *path);

/* The folder's own name, also for ".", with slashes at the end, and before there is one. */
const char *cmd_lesson_folder_name(struct arena *arena, const char *dir);

/* The folder with the kernels of a lesson: its course, or itself where it is none's; ctx->paths.data where there are none. */
const char *cmd_lesson_folder_root(struct cmd_ctx *ctx, const char *dir);

/* The ids of all lessons that ship and of those of a course, by the names of their folders, whether or not they are valid; NULL at the
 * end. */
const char *const *cmd_lesson_folder_ids(struct cmd_ctx *ctx, const char *course);
bool cmd_lesson_is_listed(const char *const *ids, const char *id);

/* Checks what is in the folder: faults go to ctx->diag, a line for each step to `out`. An exit status. */
int cmd_lesson_folder_check(struct cmd_ctx *ctx, struct cmd_lesson_check *check, const char *dir, struct buf *out);

/* Prints `out` with the totals; or, as JSON, these and the messages in ctx->diag instead. Returns `status`, or EXIT_FAILED where
 * printing fails. */
int cmd_lesson_folder_report(
	struct cmd_ctx *ctx, const struct cmd_lesson_check *check, int status, bool json, struct buf *out);

/* Compiles the kernels of the lesson's course, and of its exercise, to the PTX beside them. An exit status. */
int cmd_lesson_folder_build(struct cmd_ctx *ctx, const char *dir, bool force);
