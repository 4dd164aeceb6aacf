#include "config.h"
#include "cmd/cmd.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/confined.h"
#include "cmd/lesson_check.h"
#include "cmd/lesson_folder.h"
#include "cmd/lesson_new.h"
#include "cmd/program_grade.h"
#include "cmd/spelling.h"
#include "course/lesson/course.h"
#include "course/lesson/limits.h"
#include "front/tutor/tutor.h"

static int run_lesson(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	{"after", 0, "LESSON", N_("new: the lesson to take first; by default the one before it in the course")},
	{"exercise", 0, NULL, N_("new: with an exercise, its solution and an attempt that must be refused")},
	{"force", 0, NULL, N_("build: also what is current")},
	{"format", 0, "FORMAT", N_("check: text or json")},
	{"kernel", 0, "NAME",
		N_("new: begin with this kernel, as a lesson launches it, or with one of your own of a new name")},
	{"no-recorded", 0, NULL, N_("check: a launch that is not recorded yet is not an error")},
	{"steps", 0, "N", N_("check: end a launch after N warp instructions; 20000000 by default")},
	{"title", 0, "TEXT", N_("new: of the lesson")},
	{"track", 0, "TEXT", N_("new: the group of lessons that it belongs to")},
	{"views", 0, "LIST", N_("new: names of views, with commas between")},
	{0},
};

/* The folders that have kernels of a lesson, besides the lesson's own: where it is in a course, and alone. */
static const char *const kernel_folders[] = {"../../kernels", "kernels"};
#define N_KERNEL_FOLDERS (sizeof kernel_folders / sizeof *kernel_folders)

/* What the course is, and which lessons it has: it says which come before. */
static void needs_of_course(struct cmd_needs *needs, const char *folder)
{
	const char *yaml = path_join(needs->ctx->arena, folder, "../../" LESSON_COURSE_FILE);
	cmd_needs_reading(needs, yaml);
	if (file_exists(yaml) || file_exists(path_join(needs->ctx->arena, folder, kernel_folders[0])))
		cmd_needs_reading(needs, path_join(needs->ctx->arena, folder, "../../lessons"));
}

/* The lesson's folder, and the folder kernels beside the one that is in. */
static void needs_of_lesson(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	struct arena *arena = needs->ctx->arena;
	program_grade_needs(needs);
	if (n > 0 && !args[0].option && strcmp(args[0].value, "new") == 0) {
		cmd_lesson_new_needs(needs, args + 1, n - 1);
		return;
	}
	bool builds = n > 0 && !args[0].option && strcmp(args[0].value, "build") == 0;
	for (int i = 1; i < n; i++) {
		const char *folder = args[i].option ? NULL : cmd_lesson_folder(arena, args[i].value);
		cmd_needs_reading(needs, folder);
		if (folder)
			needs_of_course(needs, folder);
		if (folder && builds && file_is_named(folder))
			cmd_needs_writing(needs, folder, CMD_OUTPUT_MODE);
		for (size_t k = 0; folder && k < N_KERNEL_FOLDERS; k++) {
			const char *kernels = path_join(arena, folder, kernel_folders[k]);
			if (builds && file_exists(kernels))
				cmd_needs_writing(needs, kernels, CMD_OUTPUT_MODE);
			else
				cmd_needs_reading(needs, kernels);
		}
	}
}

const struct cmd_entry cmd_lesson_entry = {
	.name = "lesson",
	.usage = "check [--no-recorded] [--steps N] [--format FORMAT] DIR... | build [--force] DIR... | "
		 "new [--title TEXT] [--track TEXT] [--after LESSON] [--kernel NAME] [--views LIST] [--exercise] [DIR]",
	.summary = N_("for authors: check a lesson, compile its kernels, or begin one"),
	.details = N_(
		"check reads DIR/lesson.md, reports every error with its place, runs every launch that the lesson "
		"leads to on the SIMT machine with the detector on, compares its results with those the lesson states "
		"and its numbers with those recorded, checks the spelling with hunspell, and prints the answers of "
		"its questions. Where DIR is in a folder lessons beside a folder kernels, or has a folder kernels itself, "
		"the kernels are taken from there, and those that are not there from those that ship with simttutor. "
		"PTX that was not made from its source as it is now is an error. Of the other lessons of a course the names are read, nothing else beside DIR. "
		"With --format json an object is printed: outcome, status, totals, unspelled (why the spelling is not checked, or "
		"null), and messages, each with severity, file, line, col and message. The format of lessons is described in "
		"simttutor-lesson(5).\n"
		"build compiles these kernels and those of DIR/exercise to the PTX beside them, where it is missing or made from "
		"another text: for compute capability 7.5, or for what a line of the source asks for, as `// needs: sm_80, PTX 7.0` (sm_90a: with what no later GPU has), "
		"with the lines of the source, and without names of folders of this machine. It needs nvcc or clang.\n"
		"new writes a lesson that passes check --no-recorded to DIR, where there is none; on a terminal, without options, it asks for them. "
		"With --kernel it begins with the parameters and the launch of a lesson that has this kernel; a name that no kernel has "
		"becomes a small kernel of the course, or of DIR where that is in none."),
	.options = options,
	.run = run_lesson,
	.needs = needs_of_lesson,
};

static bool read_check_format(struct cmd_ctx *ctx, const char *text, bool *json)
{
	*json = strcmp(text, "json") == 0;
	return *json || strcmp(text, "text") == 0 || cmd_bad_value(ctx, "--format", text, "text or json");
}

/* The folders named, without the word check and options. -1: an option has a bad value. */
static int collect_folders(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, struct cmd_lesson_check *check,
	const char **out, bool *json)
{
	int count = 0;
	bool ok = true;
	for (int i = 1; i < n && ok; i++) {
		if (cmd_is(&args[i], "no-recorded"))
			check->recorded = false;
		else if (cmd_is(&args[i], "format"))
			ok = read_check_format(ctx, args[i].value, json);
		else if (!cmd_is(&args[i], "steps"))
			out[count++] = cmd_lesson_folder(ctx->arena, args[i].value);
		else if (!cmd_whole(ctx, &args[i], 1, UINT64_MAX, &check->max_steps))
			return -1;
	}
	return ok ? count : -1;
}

static int check_folders(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct cmd_lesson_check check = {.recorded = true,
		.max_steps = CMD_LESSON_CHECK_STEPS,
		.ctx = ctx,
		.no_spelling = spelling_absence(ctx)};
	const char **folders = arena_array(ctx->arena, const char *, (size_t)n);
	bool json = false;
	int count = collect_folders(ctx, args, n, &check, folders, &json);
	if (count < 0)
		return EXIT_USAGE;
	if (count < 1)
		return cmd_usage(ctx, &cmd_lesson_entry, "check which folder?");
	int status = EXIT_OK;
	struct buf out = {0};
	for (int i = 0; i < count; i++) {
		int one = cmd_lesson_folder_check(ctx, &check, folders[i], &out);
		status = one > status ? one : status;
	}
	status = cmd_lesson_folder_report(ctx, &check, status, json, &out);
	buf_free(&out);
	return status;
}

/* The kernels of each lesson's course, and of its exercise. */
static int build_lessons(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	int status = EXIT_OK, count = 0;
	bool force = false;
	for (int i = 1; i < n; i++)
		force |= cmd_is(&args[i], "force");
	for (int i = 1; i < n; i++) {
		if (args[i].option)
			continue;
		int one = cmd_lesson_folder_build(ctx, cmd_lesson_folder(ctx->arena, args[i].value), force);
		status = one > status ? one : status;
		count++;
	}
	return count ? status : cmd_usage(ctx, &cmd_lesson_entry, "build the kernels of which folder?");
}

static int run_lesson(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	const char *what = n > 0 && !args[0].option ? args[0].value : "";
	if (strcmp(what, "check") == 0)
		return check_folders(ctx, args, n);
	if (strcmp(what, "build") == 0)
		return build_lessons(ctx, args, n);
	if (strcmp(what, "new") == 0)
		return cmd_lesson_new(ctx, args + 1, n - 1);
	return cmd_usage(ctx, &cmd_lesson_entry, "what to do with a lesson? It takes: check, build, new");
}
