#include "config.h"
#include "cmd/lesson.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/utf8.h"
#include "cmd/json.h"
#include "cmd/spelling.h"
#include "course/lesson/lesson.h"
#include "front/tutor/tutor.h"

const char *cmd_lesson_folder_name(struct arena *arena, const char *dir)
{
	char real[PATH_MAX], *name = arena_strdup(arena, realpath(dir, real) ? real : dir);
	for (size_t len = strlen(name); len > 1 && name[len - 1] == '/';)
		name[--len] = '\0';
	char *slash = strrchr(name, '/');
	return slash && slash[1] ? slash + 1 : name;
}

const char *cmd_lesson_folder(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (strcmp(slash ? slash + 1 : path, "lesson.md") != 0)
		return path;
	return slash ? arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1) : ".";
}

/* The folder with the kernels of a lesson: its course, or itself where it is none's; ctx->paths.data where there are
 * none. */
static const char *lesson_folder_root(struct cmd_ctx *ctx, const char *dir)
{
	const char *own = arena_printf(ctx->arena, "%s/../..", dir);
	if (file_exists(path_join(ctx->arena, dir, "kernels")))
		return dir;
	bool is_course = file_exists(path_join(ctx->arena, own, "kernels")) ||
		file_exists(path_join(ctx->arena, own, LESSON_COURSE_FILE));
	return is_course ? own : ctx->paths.data;
}

/* Those of one course. */
static void add_ids(struct cmd_ctx *ctx, const char *course, const char ***ids, size_t *n, size_t *cap)
{
	struct dirent **entries;
	int found = scandir(path_join(ctx->arena, course, "lessons"), &entries, NULL, alphasort);
	if (found < 0 && errno == ENOMEM)
		base_out_of_memory();
	for (int i = 0; i < found; i++) {
		if (entries[i]->d_name[0] != '.')
			*vec_push_in(ctx->arena, *ids, *n, *cap) = arena_strdup(
				ctx->arena, lesson_id_of_dir(entries[i]->d_name));
		free(entries[i]);
	}
	if (found >= 0)
		free(entries);
}

const char *const *cmd_lesson_folder_ids(struct cmd_ctx *ctx, const char *course)
{
	const char **ids = NULL;
	size_t n = 0, cap = 0;
	add_ids(ctx, ctx->paths.data, &ids, &n, &cap);
	if (strcmp(course, ctx->paths.data) != 0)
		add_ids(ctx, course, &ids, &n, &cap);
	*vec_push_in(ctx->arena, ids, n, cap) = NULL;
	return ids;
}

bool cmd_lesson_is_listed(const char *const *ids, const char *id)
{
	for (; *ids; ids++)
		if (strcmp(*ids, id) == 0)
			return true;
	return false;
}

/* --- checked ------------------------------------------------------------------------------------------------------ */

/* Whether a file is named as a translation is: lesson.de.md. */
static int is_translation(const struct dirent *entry)
{
	const char *language = strncmp(entry->d_name, "lesson.", 7) == 0 ? entry->d_name + 7 : "";
	size_t len = strspn(language, "abcdefghijklmnopqrstuvwxyz");
	return (len == 2 || len == 3) && strcmp(language + len, ".md") == 0;
}

/* A translation is checked as its lesson is, whatever the language of who checks; only totals and answers are not said
 * again. */
static void check_translation(
	struct cmd_lesson_check check, const struct lesson *lesson, struct lesson_text from, struct cmd_ctx *ctx)
{
	struct buf text = {0}, answers = {0};
	if (file_read_text(from.path, LESSON_FILE_MAX, &text, &ctx->diag)) {
		from.text = buf_str(&text);
		from.len = text.len;
		struct lesson *translated = lesson_parse(ctx->arena, &from, &ctx->diag);
		if (translated && !lesson_has_same_bones(translated, lesson))
			diag_error(&ctx->diag, (struct diag_pos){.file = from.path},
				"its steps, by their ids, or its parameters are not those of lesson.md, which readers see instead");
		else if (translated)
			cmd_lesson_check(&check, translated, &answers, &ctx->diag);
	}
	buf_free(&answers);
	buf_free(&text);
}

static void check_translations(struct cmd_ctx *ctx, const struct cmd_lesson_check *check, const struct lesson *lesson,
	const char *dir, struct lesson_text from)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, is_translation, alphasort);
	if (n < 0 && errno == ENOMEM)
		base_out_of_memory();
	for (int i = 0; i < n; i++) {
		from.path = path_join(ctx->arena, dir, entries[i]->d_name);
		check_translation(*check, lesson, from, ctx);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

int cmd_lesson_folder_check(struct cmd_ctx *ctx, struct cmd_lesson_check *check, const char *dir, struct buf *out)
{
	const char *path = path_join(ctx->arena, dir, "lesson.md");
	struct buf text = {0};
	struct course course;
	size_t errors = ctx->diag.errors;

	if (!file_read_text(path, LESSON_FILE_MAX, &text, &ctx->diag)) {
		buf_free(&text);
		return EXIT_MISSING;
	}
	struct lesson_names names = tutor_lesson_names;
	names.shared = ctx->paths.data;
	const struct lesson_text from = {lesson_folder_root(ctx, dir), cmd_lesson_folder_name(ctx->arena, dir), path,
		buf_str(&text), text.len, &names};
	lesson_course_read(ctx->arena, from.data_dir, &course, &ctx->diag);
	check->course = &course;
	check->ids = cmd_lesson_folder_ids(ctx, from.data_dir);
	struct lesson *lesson = lesson_parse(ctx->arena, &from, &ctx->diag);
	if (lesson)
		cmd_lesson_check(check, lesson, out, &ctx->diag);
	if (lesson && ctx->diag.errors == errors) /* else the same would be said of each */
		check_translations(ctx, check, lesson, dir, from);
	check->course = NULL;
	bool english = strncmp(course.language, "en", 2) == 0;
	if (lesson && !english)
		escape_line(out, "  spelling is not checked: the language of the course is %s", course.language);
	if (lesson && english && !check->no_spelling)
		spelling_check(ctx, lesson);
	buf_free(&text);
	return ctx->diag.errors == errors ? EXIT_OK : EXIT_FAILED;
}

static void write_count(struct buf *out, const char *before, int n, const char *what, const char *plural)
{
	buf_printf(out, "%s%d %s%s", before, n, what, n == 1 ? "" : plural);
}

int cmd_lesson_folder_report(
	struct cmd_ctx *ctx, const struct cmd_lesson_check *check, int status, bool json, struct buf *out)
{
	write_count(out, "", check->lessons, "lesson", "s");
	write_count(out, ": ", check->steps, "step", "s");
	write_count(out, ", ", check->questions, "question", "s");
	buf_printf(out, " (%d answered by a witness)", check->judged);
	write_count(out, ", ", check->claims, "claim", "s");
	write_count(out, ", ", check->exercises, "exercise", "s");
	write_count(out, ", ", check->launches, "launch", "es");
	if (check->counts)
		write_count(out, ", ", check->counts, "exact count", "s");
	buf_puts(out, check->counts ? " as recorded\n" : "\n");

	if (check->no_spelling)
		escape_line(out, "spelling is not checked: %s", check->no_spelling);
	if (json) {
		buf_clear(out);

		/* Instead of the text: totals, and every fault with its place. */
		json_t *messages = json_array();
		for (size_t i = 0; i < ctx->diag.count; i++)
			json_array_append_new(messages, cmd_json_message(&ctx->diag.entries[i]));
		cmd_json_write(json_pack("{s:s, s:i, s:{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}, s:o, s:o}", "outcome",
				       status == EXIT_OK ? "ok" : "error", "status", status, "totals", "lessons",
				       check->lessons, "steps", check->steps, "questions", check->questions, "judged",
				       check->judged, "claims", check->claims, "exercises", check->exercises,
				       "launches", check->launches, "counts", check->counts, "unspelled",
				       cmd_json_text(check->no_spelling), "messages", messages),
			JSON_INDENT(0), out);
	}
	return cmd_print(ctx, out) ? status : EXIT_FAILED;
}

/* --- built -------------------------------------------------------------------------------------------------------- */

int cmd_lesson_folder_build(struct cmd_ctx *ctx, const char *dir, bool force)
{
	const char *root = lesson_folder_root(ctx, dir);
	if (!file_exists(path_join(ctx->arena, dir, "lesson.md"))) {
		diag_error(&ctx->diag, (struct diag_pos){.file = dir}, "there is no lesson.md");
		return EXIT_MISSING;
	}
	const char *const folders[] = {
		path_join(ctx->arena, dir, "exercise"),
		path_join(ctx->arena, dir, "exercise/wrong"),
		path_join(ctx->arena, dir, "exercise/right"),
		path_join(ctx->arena, root, "kernels"),
	};
	bool own = root != ctx->paths.data; /* else there are only those that ship with the program */
	return cmd_lesson_build(ctx, own ? root : dir, folders, own ? 4 : 3, force);
}
