#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/paths.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "cmd/confined.h"
#include "cmd/lesson.h"
#include "cmd/program.h"
#include "cmd/spelling.h"
#include "course/lesson/lesson.h"
#include "front/tutor/tutor.h"
#include "tools/compile/compile.h"

/* --- PTX beside the kernels --------------------------------------------------------------------------------------- */

/* The oldest GPU that nvcc 13 compiles for, and the oldest PTX version that knows it. */
#define TARGET 75
#define PTX_VERSION "6.3"

/* What is built, and for what. */
struct kernel_build {
	struct cmd_ctx *ctx;
	const char *root; /* with a slash at the end, without links */
	struct kernel_file file;
	const char *path; /* of the source, without links */
	int cc;
	const char *version;
};

static bool read_text(struct kernel_build *b, const char *path, size_t max, const char **text, size_t *len)
{
	struct buf content = {0};
	bool ok = file_read_text(path, max, &content, &b->ctx->diag);
	*text = arena_strndup(b->ctx->arena, buf_str(&content), content.len);
	*len = content.len;
	buf_free(&content);
	return ok;
}

/* A name in the first line of PTX ends at a blank. */
static bool can_be_named(struct kernel_build *b, const char *name)
{
	bool plain = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-/") ==
		strlen(name);
	if (!plain)
		diag_error(&b->ctx->diag, (struct diag_pos){.file = b->file.source_path},
			"the name of a kernel or of a header of the course has letters, digits and ./_+- alone; '%s' has not",
			name);
	return plain;
}

/* The first lines. */
static bool put_origin(struct kernel_build *b, struct buf *out)
{
	size_t root = strlen(b->root);
	const char *headers[LESSON_MADE_HEADERS_MAX];
	int n = 0;
	const struct cuda_source *source = cuda_source_read(
		cmd_compile_ctx(b->ctx), b->path, path_join(b->ctx->arena, b->ctx->paths.data, "kernels"));
	if (!source || !can_be_named(b, b->path + root))
		return false;
	for (int i = 1; i < source->n && n < LESSON_MADE_HEADERS_MAX; i++) {
		if (strncmp(source->files[i].file, b->root, root) != 0)
			continue; /* it ships with the program, which may change it */
		headers[n++] = source->files[i].file + root;
		if (!can_be_named(b, headers[n - 1]))
			return false;
	}
	buf_puts(out, "// Made by simttutor lesson build; do not edit.\n");
	if (lesson_made_write(&b->file, b->path + root, headers, n, out))
		return true;
	diag_error(&b->ctx->diag, (struct diag_pos){.file = b->file.source_path}, "a header of it cannot be read");
	return false;
}

static int compile(struct kernel_build *b)
{
	struct arena *arena = b->ctx->arena;
	const struct compile_request request = {.path = b->path, .cc = b->cc};
	const char *const roots[] = {b->root, path_join(arena, b->ctx->paths.data, ""), NULL};
	const struct kernel_ptx how = {b->version, b->path, roots};
	struct buf made = {0}, kept = {0};
	int status = put_origin(b, &kept) ? compile_cuda(cmd_compile_ctx(b->ctx), &request, &made) : EXIT_FAILED;
	kernel_ptx_keep(&how, buf_str(&made), made.len, &kept);
	if (status == EXIT_OK && !file_write(b->file.ptx_path, buf_str(&kept), kept.len, &b->ctx->diag))
		status = EXIT_FAILED;
	buf_free(&made);
	buf_free(&kept);
	return status;
}

static bool is_current(struct kernel_build *b)
{
	return file_exists(b->file.ptx_path) &&
		read_text(b, b->file.ptx_path, LESSON_PTX_MAX, &b->file.ptx_text, &b->file.ptx_len) &&
		lesson_made_check(b->ctx->arena, &b->file) == LESSON_MADE_CURRENT;
}

/* Whether it is a whole program, which is compiled when it is run: a line begins with its main(). */
static bool has_main(const char *source)
{
	static const char *const begins[] = {"int main(", "auto main(", "int main ("};
	for (const char *line = source; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
			if (strncmp(line, begins[i], strlen(begins[i])) == 0)
				return true;
	}
	return false;
}

static int build_one(struct kernel_build *b, const char *folder, const char *name, bool force, struct buf *out)
{
	struct arena *arena = b->ctx->arena;
	char real[PATH_MAX];
	int stem = (int)strlen(name) - 3;
	b->file = (struct kernel_file){
		.source_path = path_join(arena, folder, name),
		.ptx_path = arena_printf(arena, "%s/%.*s.ptx", folder, stem, name),
		.root = b->root,
		.shared = b->ctx->paths.data,
	};
	if (!read_text(b, b->file.source_path, LESSON_FILE_MAX, &b->file.source_text, &b->file.source_len))
		return EXIT_FAILED;
	if (!realpath(b->file.source_path, real) || strncmp(real, b->root, strlen(b->root)) != 0) {
		diag_error(&b->ctx->diag, (struct diag_pos){.file = b->file.source_path},
			"it lies outside of the course, %s", b->root);
		return EXIT_FAILED;
	}
	b->path = arena_strdup(arena, real);

	/* Seen from the current folder, where it is below that. */
	char here[PATH_MAX];
	size_t len = getcwd(here, sizeof here) ? strlen(here) : 0;
	bool below = len > 1 && strncmp(real, here, len) == 0 && real[len] == '/';
	const char *shown = arena_strdup(arena, below ? real + len + 1 : real);

	if (has_main(b->file.source_text)) {
		escape_line(out, "%s: a whole program, which needs no PTX", shown);
		return EXIT_OK;
	}
	if (!force && is_current(b)) {
		escape_line(out, "%.*s.ptx: current", (int)strlen(shown) - 3, shown);
		return EXIT_OK;
	}

	/* "// needs: sm_80, PTX 7.0" in the source asks for more than is usual, and sm_90a for what no later GPU has.
	 * */
	struct compile_needs needs = compile_read_needs(b->file.source_text);
	b->cc = needs.cc ? needs.cc : TARGET;
	b->version = needs.cc ? arena_printf(b->ctx->arena, "%d.%d", needs.major, needs.minor) : PTX_VERSION;

	int status = compile(b);
	escape_line(out, "%.*s.ptx: %s", (int)strlen(shown) - 3, shown, status == EXIT_OK ? "made" : "not made");
	return status;
}

static int only_sources(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);
	return entry->d_name[0] != '.' && len > 3 && strcmp(entry->d_name + len - 3, ".cu") == 0;
}

int cmd_lesson_by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int cmd_lesson_build(struct cmd_ctx *ctx, const char *root, const char *const *folders, int n_folders, bool force)
{
	char real[PATH_MAX];
	struct kernel_build b = {.ctx = ctx};
	struct buf out = {0};
	int status = EXIT_OK, found = 0;
	b.root = path_join(ctx->arena, realpath(root, real) ? real : root, "");
	for (int i = 0; i < n_folders; i++) {
		struct dirent **entries;
		int n = scandir(folders[i], &entries, only_sources, cmd_lesson_by_name);
		if (n < 0 && errno == ENOMEM)
			base_out_of_memory();
		for (int k = 0; k < n; k++) {
			int one = build_one(&b, folders[i], entries[k]->d_name, force, &out);
			status = one > status ? one : status;
			free(entries[k]);
		}
		if (n >= 0)
			free(entries);
		found += n > 0 ? n : 0;
	}
	if (!found)
		escape_line(&out, "there is no kernel");
	if (!cmd_print(ctx, &out))
		status = EXIT_FAILED;
	buf_free(&out);
	return status;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

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
		if (folder) {
			/* What the course is, and which lessons it has: it says which come before. */
			const char *yaml = path_join(needs->ctx->arena, folder, "../../" LESSON_COURSE_FILE);
			cmd_needs_reading(needs, yaml);
			if (file_exists(yaml) || file_exists(path_join(needs->ctx->arena, folder, kernel_folders[0])))
				cmd_needs_reading(needs, path_join(needs->ctx->arena, folder, "../../lessons"));
		}
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

static int run_lesson(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	const char *what = n > 0 && !args[0].option ? args[0].value : "";
	if (strcmp(what, "check") == 0) {
		struct cmd_lesson_check check = {.recorded = true,
			.max_steps = CMD_LESSON_CHECK_STEPS,
			.ctx = ctx,
			.no_spelling = spelling_absence(ctx)};
		const char **folders = arena_array(ctx->arena, const char *, (size_t)n);
		bool json = false;

		int count = 0;
		for (int i = 1; i < n; i++) {
			if (cmd_is(&args[i], "no-recorded")) {
				check.recorded = false;
			} else if (cmd_is(&args[i], "format")) {
				const char *text = args[i].value;
				json = strcmp(text, "json") == 0;
				if (!json && strcmp(text, "text") != 0) {
					cmd_bad_value(ctx, "--format", text, "text or json");
					return EXIT_USAGE;
				}
			} else if (!cmd_is(&args[i], "steps")) {
				folders[count++] = cmd_lesson_folder(ctx->arena, args[i].value);
			} else if (!cmd_whole(ctx, &args[i], 1, UINT64_MAX, &check.max_steps)) {
				return EXIT_USAGE;
			}
		}
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
	if (strcmp(what, "build") == 0) {
		/* The kernels of each lesson's course, and of its exercise. */
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
	if (strcmp(what, "new") == 0)
		return cmd_lesson_new(ctx, args + 1, n - 1);
	return cmd_usage(ctx, &cmd_lesson_entry, "what to do with a lesson? It takes: check, build, new");
}
