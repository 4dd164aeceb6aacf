#include "config.h"
#include "cmd/course_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/paths.h"

struct walk {
	struct cmd_ctx *ctx;
	const char *folder;
	bool withhold;
	struct course_files *out;
	int depth;
};

static bool ends_in(const char *name, const char *end)
{
	size_t len = strlen(name), tail = strlen(end);
	return len > tail && strcmp(name + len - tail, end) == 0;
}

static int is_entry(const struct dirent *entry)
{
	static const char *const copies[] = {"~", ".orig", ".rej", ".new"};
	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
		if (ends_in(entry->d_name, copies[i]))
			return 0;
	return entry->d_name[0] != '.';
}

/* Not alphasort: its order is the locale's. */
static int order_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Whether a file, by its name in the course, tells a solution. */
static bool tells_solution(const char *name)
{
	const char *in = strncmp(name, "lessons/", 8) == 0 ? strstr(name, "/exercise/") : NULL;
	if (!in)
		return false;
	in += strlen("/exercise/");
	return strncmp(in, "solution.", 9) == 0 || strncmp(in, "right/", 6) == 0 || strncmp(in, "wrong/", 6) == 0;
}

static void fault(struct walk *w, const char *path, const char *what)
{
	diag_error(&w->ctx->diag, (struct diag_pos){.file = path}, "%s", what);
}

static void list_below(struct walk *w, const char *below);

static void list_entry(struct walk *w, const char *name)
{
	struct stat info;
	const char *path = path_join(w->ctx->arena, w->folder, name), *why = pack_name_fault(name);
	if (lstat(path, &info) != 0)
		fault(w, path, strerror(errno));
	else if (why)
		fault(w, path, why);
	else if (S_ISDIR(info.st_mode))
		list_below(w, name);
	else if (!S_ISREG(info.st_mode))
		fault(w, path, "is neither a folder nor a plain file; a course has no links");
	else if ((uint64_t)info.st_size > PACK_FILE_MAX)
		fault(w, path, "is larger than a file of a course may be");
	else if (w->withhold && tells_solution(name))
		w->out->n_withheld++;
	else
		*vec_push_in(w->ctx->arena, w->out->files, w->out->n, w->out->cap) = (struct pack_file){name, path};
}

static void list_below(struct walk *w, const char *below)
{
	struct arena *arena = w->ctx->arena;
	struct dirent **entries;
	const char *folder = *below ? path_join(arena, w->folder, below) : w->folder;
	int n = w->out->n <= PACK_FILES_MAX ? scandir(folder, &entries, is_entry, order_entries) : 0;
	if (n < 0) {
		if (errno == ENOMEM)
			base_out_of_memory();
		fault(w, folder, strerror(errno));
		return;
	}
	for (int i = 0; i < n; i++) {
		list_entry(w,
			*below ? path_join(arena, below, entries[i]->d_name) : arena_strdup(arena, entries[i]->d_name));
		free(entries[i]);
	}
	if (n)
		free(entries);
}

bool course_files_list(struct cmd_ctx *ctx, const char *folder, bool withhold, struct course_files *out)
{
	struct walk w = {.ctx = ctx, .folder = folder, .withhold = withhold, .out = out};
	size_t errors = ctx->diag.errors;
	*out = (struct course_files){0};
	list_below(&w, "");
	if (out->n > PACK_FILES_MAX)
		fault(&w, folder, "has more files than a course may");
	return ctx->diag.errors == errors;
}

const char *const *course_files_lessons(struct cmd_ctx *ctx, const char *folder)
{
	struct arena *arena = ctx->arena;
	struct dirent **entries;
	const char *lessons = path_join(arena, folder, "lessons"), **out = NULL;
	int n = scandir(lessons, &entries, is_entry, order_entries);
	size_t n_out = 0, cap = 0;
	if (n < 0 && errno == ENOMEM)
		base_out_of_memory();
	for (int i = 0; i < n; i++) {
		const char *dir = path_join(arena, lessons, entries[i]->d_name);
		if (file_is_named(path_join(arena, dir, "lesson.md")))
			*vec_push_in(arena, out, n_out, cap) = dir;
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	if (!n_out)
		diag_error(
			&ctx->diag, (struct diag_pos){.file = lessons}, "there is no lesson in it: NN-name/lesson.md");
	*vec_push_in(arena, out, n_out, cap) = NULL;
	return out;
}
