#include "config.h"
#include "cmd/cmd.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cmd/lesson_check.h"
#include "lesson/limits.h"
#include "tutor/tutor.h"

static int run_lesson(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

const struct cmd_entry cmd_lesson_entry = {
	.name = "lesson",
	.usage = "check DIR...",
	.summary = "for authors: check lessons",
	.details = "check reads DIR/lesson.md, tells every fault with its place, runs every step on the model and prints the "
		   "answers of its questions. Where DIR lies in a folder lessons beside a folder kernels, the kernels are taken "
		   "from there, else from those that ship with simttutor. The format is described in simttutor-lesson(5).",
	.options = NULL,
	.run = run_lesson,
};

/* The folder's own name, also for "." and with slashes at the end. */
static char *folder_name(struct arena *arena, const char *dir)
{
	char *real = realpath(dir, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;
	char *name = arena_strdup(arena, slash ? slash + 1 : dir);
	free(real);
	return name;
}

/* A reader may name lesson.md itself: the folder it lies in. */
static const char *folder_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (strcmp(slash ? slash + 1 : path, "lesson.md") != 0)
		return path;
	return slash ? arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1) : ".";
}

/* Where the kernels of a lesson under way are. */
static const char *data_dir(struct cmd_ctx *ctx, const char *dir)
{
	const char *own = arena_printf(ctx->arena, "%s/../..", dir);
	return file_exists(path_join(ctx->arena, own, "kernels")) ? own : ctx->paths.data;
}

static int check_one(struct cmd_ctx *ctx, const char *dir, struct buf *out)
{
	const char *path = path_join(ctx->arena, dir, "lesson.md");
	struct buf text = {0};
	size_t errors = ctx->diag.errors;

	if (!file_read(path, LESSON_FILE_MAX, &text, &ctx->diag)) {
		buf_free(&text);
		return EXIT_MISSING;
	}
	const struct lesson *lesson = lesson_parse(ctx->arena, data_dir(ctx, dir), folder_name(ctx->arena, dir), path,
		buf_str(&text), text.len, &tutor_lesson_names, &ctx->diag);
	if (lesson)
		lesson_check(lesson, out, &ctx->diag);
	buf_free(&text);
	return ctx->diag.errors == errors ? EXIT_OK : EXIT_FAILED;
}

static int run_lesson(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	if (n < 1 || strcmp(args[0].value, "check") != 0)
		return cmd_usage(ctx, &cmd_lesson_entry, "what to do with a lesson? It takes: check");
	if (n < 2)
		return cmd_usage(ctx, &cmd_lesson_entry, "check which folder?");
	int status = EXIT_OK;
	struct buf out = {0};
	for (int i = 1; i < n; i++) {
		int one = check_one(ctx, folder_of(ctx->arena, args[i].value), &out);
		status = one > status ? one : status;
	}
	if (!cmd_print(ctx, &out))
		status = EXIT_FAILED;
	buf_free(&out);
	return status;
}
