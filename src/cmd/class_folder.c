#include "config.h"
#include "cmd/class.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/paths.h"
#include "base/vec.h"
#include "tutor/exercise.h"

#define PROGRESS "progress.json"

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
		found.detail = S_ISLNK(info->st_mode) ? "it is a link, which is not followed" : "it is no plain file";
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

static bool search_folder(
	struct class_search *s, const char *student, const char *folder, const char *below, int depth);

static bool look_at_entry(struct class_search *s, const char *student, const char *folder, const char *name, int depth)
{
	struct arena *arena = s->ctx->arena;
	struct stat info;
	const char *path = path_join(arena, folder, path_last(name));
	if (lstat(path, &info) != 0)
		return true; /* gone meanwhile */
	if (S_ISDIR(info.st_mode) && depth < CLASS_DEPTH_MAX) {
		bool is_student = depth == 0 && !s->step;
		if (is_student)
			*vec_push_in(arena, s->out->students, s->out->n_students,
				s->out->cap_students) = (struct class_student){.name = name};
		return search_folder(s, is_student ? name : student, path, is_student ? "" : name, depth + 1);
	}
	if (has_end(name, ".cu") || has_end(name, ".ptx"))
		add_kernel(s, student, path, name, &info);
	else if (S_ISREG(info.st_mode) && *student && strcmp(path_last(name), PROGRESS) == 0)
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
	if (n < 0) {
		diag_warn(&s->ctx->diag, (struct diag_pos){.file = folder}, "left out: %s", strerror(errno));
		return true;
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
