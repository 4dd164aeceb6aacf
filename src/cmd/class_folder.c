#include "config.h"
#include "cmd/class.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/paths.h"
#include "front/tutor/exercise.h"

#define PROGRESS "progress.json"
#define IS_LINK "it is a link, which is not followed"

struct class_search {
	struct cmd_ctx *ctx;
	const struct catalog *catalog;
	const struct lesson *lesson;
	const struct step *step;
	struct class_files *out;
};

bool class_is_folder(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int order_by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static bool has_end(const char *name, const char *end)
{
	size_t len = strlen(name), tail = strlen(end);
	return len > tail && strcmp(name + len - tail, end) == 0;
}

/* The exercise that a kernel's name says. */
static void find_exercise_of(const struct class_search *s, const char *name, struct class_submission *out)
{
	struct arena *arena = s->ctx->arena;
	const char *dot = strrchr(name, '.');
	const char *stem = arena_printf(arena, "%.*s.cu", (int)(dot - name), name);
	for (int i = 0; i < s->catalog->n_lessons; i++) {
		const struct lesson *lesson = s->catalog->lessons[i];
		for (int k = 0; k < lesson->n_steps; k++)
			if (lesson->steps[k].exercise.dir &&
				strcmp(path_last(tutor_exercise_path(arena, ".", lesson, &lesson->steps[k])), stem) ==
					0) {
				out->lesson = lesson;
				out->step = &lesson->steps[k];
				return;
			}
	}
	out->detail = "no exercise of the course is called so";
}

static void add_kernel(
	struct class_search *s, const char *student, const char *path, const char *name, const struct stat *info)
{
	struct class_submission found = {.student = student, .path = path, .name = name, .detail = ""};
	if (s->step) {
		found.lesson = s->lesson;
		found.step = s->step;
	} else {
		find_exercise_of(s, path_last(name), &found);
	}
	if (!S_ISREG(info->st_mode)) {
		found.step = NULL;
		found.detail = S_ISLNK(info->st_mode) ? IS_LINK : "it is no plain file";
	}
	struct class_files *out = s->out;
	*vec_push_in(s->ctx->arena, out->submissions, out->n_submissions, out->cap_submissions) = found;
}

static void add_progress_of(struct class_search *s, const char *student, const char *path)
{
	struct class_files *out = s->out;
	struct progress *progress = lesson_progress_read(path, &s->ctx->diag);
	for (size_t i = 0; i < out->n_students; i++)
		if (strcmp(out->students[i].name, student) == 0 && !out->students[i].progress) {
			out->students[i].progress = progress;
			return;
		}
	lesson_progress_free(progress);
}

/* What was not looked at, although something may have been handed in there: in the report and with a warning. */
static void leave_out(
	struct class_search *s, const char *student, const char *path, const char *name, const char *reason)
{
	struct class_files *out = s->out;
	diag_warn(&s->ctx->diag, (struct diag_pos){.file = path}, "left out: %s", reason);
	*vec_push_in(
		s->ctx->arena, out->submissions, out->n_submissions, out->cap_submissions) = (struct class_submission){
		.student = student, .path = path, .name = name, .detail = reason, .unread = true};
}

/* A link that leads to a file is as good as that; any other may stand for a folder. */
static bool leads_to_file(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

static bool search_folder(
	struct class_search *s, const char *student, const char *folder, const char *below, int depth);

static bool look_at_entry(struct class_search *s, const char *student, const char *folder, const char *name, int depth)
{
	struct stat info;
	const char *path = path_join(s->ctx->arena, folder, path_last(name));
	if (lstat(path, &info) != 0)
		return true; /* gone meanwhile */
	bool is_kernel = has_end(name, ".cu") || has_end(name, ".ptx");
	bool is_progress = strcmp(path_last(name), PROGRESS) == 0;
	bool stands_for_folder = S_ISDIR(info.st_mode) || (S_ISLNK(info.st_mode) && !leads_to_file(path));
	if (stands_for_folder && depth == 0 && !s->step) {
		struct class_files *out = s->out;
		*vec_push_in(s->ctx->arena, out->students, out->n_students, out->cap_students) = (struct class_student){
			.name = name};
		student = name;
		name = "";
	}
	if (S_ISDIR(info.st_mode)) {
		size_t before = s->out->n_submissions;
		if (depth >= CLASS_DEPTH_MAX) {
			leave_out(s, student, path, name, "it lies too deep in other folders");
			return true;
		}
		bool ok = search_folder(s, student, path, name, depth + 1);
		if (ok && is_kernel && s->out->n_submissions == before)
			leave_out(s, student, path, name, "it is a folder, without a kernel in it");
		return ok;
	}
	if (S_ISLNK(info.st_mode) && (stands_for_folder || (is_progress && *student)))
		leave_out(s, student, path, name, IS_LINK);
	else if (is_kernel)
		add_kernel(s, student, path, name, &info);
	else if (S_ISREG(info.st_mode) && *student && is_progress)
		add_progress_of(s, student, path);
	return true;
}

/* False with an error when there is too much. */
static bool search_folder(struct class_search *s, const char *student, const char *folder, const char *below, int depth)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, is_shown, order_by_bytes);
	bool ok = true;
	if (n < 0 && errno == ENOMEM)
		base_out_of_memory();
	if (n < 0 && depth > 0) {
		leave_out(s, student, folder, below, arena_strdup(s->ctx->arena, strerror(errno)));
		return true;
	}
	if (n < 0) {
		diag_error(&s->ctx->diag, (struct diag_pos){.file = folder}, "cannot be read: %s", strerror(errno));
		return false;
	}
	for (int i = 0; i < n; i++) {
		const char *name = *below ? path_join(s->ctx->arena, below, entries[i]->d_name)
					  : arena_strdup(s->ctx->arena, entries[i]->d_name);
		if (ok && ++s->out->seen > CLASS_FILES_MAX) {
			diag_error(&s->ctx->diag, (struct diag_pos){.file = folder},
				"there are more than %d files and folders to look at", CLASS_FILES_MAX);
			ok = false;
		}
		ok = ok && look_at_entry(s, student, folder, name, depth);
		free(entries[i]);
	}
	free(entries);
	return ok;
}

bool class_find(struct cmd_ctx *ctx, const struct catalog *catalog, const char *folder, const struct lesson *lesson,
	const struct step *step, struct class_files *out)
{
	struct class_search s = {.ctx = ctx, .catalog = catalog, .lesson = lesson, .step = step, .out = out};
	*out = (struct class_files){0};
	return search_folder(&s, "", folder, "", 0);
}

void class_free(struct class_files *files)
{
	for (size_t i = 0; i < files->n_submissions; i++)
		json_decref(files->submissions[i].grade);
	for (size_t i = 0; i < files->n_students; i++)
		lesson_progress_free(files->students[i].progress);
}
