#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/paths.h"
#include "course/lesson/lesson.h"

static int skip_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Not alphasort: its order is the locale's. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool id_taken(const struct catalog *catalog, const struct lesson *lesson, struct diag *diag)
{
	for (int i = 0; i < catalog->n_lessons; i++) {
		if (strcmp(catalog->lessons[i]->id, lesson->id) != 0)
			continue;
		diag_error(diag, (struct diag_pos){.file = lesson->path}, "left out: %s is called '%s', too",
			catalog->lessons[i]->path, lesson->id);
		return true;
	}
	return false;
}

/* With what the course says of itself. */
static struct catalog *make_catalog(struct arena *arena, const char *folder, struct diag *diag)
{
	struct catalog *catalog = arena_alloc(arena, sizeof *catalog);
	struct course *course = arena_alloc(arena, sizeof *course);
	lesson_course_read(arena, folder, course, diag);
	catalog->course = course;
	return catalog;
}

static struct lesson *read_alone(
	struct arena *arena, const char *folder, const struct lesson_names *names, struct diag *diag)
{
	const char *path = path_join(arena, folder, "lesson.md");
	struct lesson *lesson = NULL;
	struct buf text = {0};
	if (file_read_text(path, LESSON_FILE_MAX, &text, diag)) {
		const struct lesson_text from = {folder, path_last(folder), path, buf_str(&text), text.len, names};
		lesson = lesson_parse(arena, &from, diag);
	}
	buf_free(&text);
	return lesson;
}

/* Whether DATA is the folder of a lesson in no course. */
static bool is_alone(struct arena *arena, const char *data_dir)
{
	return !file_is_named(path_join(arena, data_dir, "lessons")) &&
		file_is_named(path_join(arena, data_dir, "lesson.md"));
}

struct lesson *lesson_catalog_again(struct arena *arena, const char *data_dir, const struct lesson *old,
	const struct lesson_names *names, struct diag *diag)
{
	if (is_alone(arena, data_dir))
		return read_alone(arena, data_dir, names, diag);
	struct lesson *lesson = lesson_load(arena, data_dir, old->dir, names, diag);
	if (lesson)
		lesson = lesson_translated(arena, lesson, data_dir, names, diag);
	if (lesson)
		lesson->number = arena_strdup(arena, old->number);
	return lesson;
}

struct catalog *lesson_catalog_load(
	struct arena *arena, const char *data_dir, const struct lesson_names *names, struct diag *diag)
{
	const char *folder = path_join(arena, data_dir, "lessons");
	struct dirent **entries;
	if (is_alone(arena, data_dir)) {
		/* The one lesson of a folder that is no course. */
		struct catalog *catalog = make_catalog(arena, data_dir, diag);
		catalog->lessons = arena_array(arena, struct lesson *, 1);
		catalog->lessons[0] = read_alone(arena, data_dir, names, diag);
		catalog->n_lessons = catalog->lessons[0] != NULL;
		return catalog;
	}
	int n = scandir(folder, &entries, skip_hidden, by_name);

	if (n < 0) {
		diag_error(diag, (struct diag_pos){.file = folder}, "cannot read the folder of the lessons: %s",
			strerror(errno));
		return NULL;
	}
	struct catalog *catalog = make_catalog(arena, data_dir, diag);
	catalog->lessons = arena_array(arena, struct lesson *, (size_t)n);
	for (int i = 0; i < n; i++) {
		const char *dir = entries[i]->d_name;
		if (file_is_named(arena_printf(arena, "%s/%s/lesson.md", folder, dir))) {
			struct lesson *lesson = lesson_load(arena, data_dir, dir, names, diag);
			if (lesson && !id_taken(catalog, lesson, diag))
				catalog->lessons[catalog->n_lessons++] = lesson_translated(
					arena, lesson, data_dir, names, diag);
		}
		free(entries[i]);
	}
	free(entries);

	/* The shortest number says how many digits stand before the point. */
	size_t whole = SIZE_MAX;
	for (int i = 0; i < catalog->n_lessons; i++) {
		const char *dir = catalog->lessons[i]->dir;
		size_t digits = strspn(dir, "0123456789");
		if (*catalog->lessons[i]->number && digits < whole)
			whole = digits;
	}
	for (int i = 0; i < catalog->n_lessons; i++) {
		struct lesson *lesson = catalog->lessons[i];
		lesson->number = lesson_number_of_dir(arena, lesson->dir, whole);
		int point = (int)strlen(lesson->number + strcspn(lesson->number, "."));
		catalog->point = point > catalog->point ? point : catalog->point;
	}

	lesson_glossary_load(arena, data_dir, catalog, diag);
	return catalog;
}

static bool all_digits(const char *text, size_t len)
{
	return len > 0 && len < 9 && strspn(text, "0123456789") >= len;
}

static bool is_named(const char *name, const char *what, size_t len)
{
	return strlen(name) == len && memcmp(name, what, len) == 0;
}

static const struct lesson *find_lesson(const struct catalog *catalog, const char *what, size_t len, struct diag *diag)
{
	for (int i = 0; i < catalog->n_lessons; i++) {
		const struct lesson *lesson = catalog->lessons[i];
		size_t zeros = all_digits(what, len) ? strspn(what, "0") : 0;
		zeros = zeros < len ? zeros : 0;
		if (is_named(lesson->id, what, len) || is_named(lesson->dir, what, len) ||
			(len > 0 && is_named(lesson->number, what + zeros, len - zeros)))
			return catalog->lessons[i];
	}
	struct buf list = {0};
	for (int i = 0; i < catalog->n_lessons; i++)
		buf_printf(&list, "%s%s",
			i                                ? ", "
				: catalog->n_lessons > 1 ? "; there are "
							 : "; there is ",
			catalog->lessons[i]->id);
	diag_error(diag, (struct diag_pos){0}, "no lesson '%.*s'%s", (int)len, what,
		list.len ? buf_str(&list) : "; there is none at all");
	buf_free(&list);
	return NULL;
}

static int find_step(const struct lesson *lesson, const char *what, struct diag *diag)
{
	size_t len = strlen(what);
	long number = all_digits(what, len) ? strtol(what, NULL, 10) : 0;
	if (number >= 1 && number <= lesson->n_steps)
		return (int)number - 1;
	for (int i = 0; i < lesson->n_steps; i++)
		if (strcmp(lesson->steps[i].id, what) == 0)
			return i;
	struct buf list = {0};
	for (int i = 0; i < lesson->n_steps; i++)
		buf_printf(&list, "\n    %d  %s", i + 1, lesson->steps[i].id);
	diag_error(diag, (struct diag_pos){0}, "no step '%s' in %s; its steps are%s", what, lesson->id, buf_str(&list));
	buf_free(&list);
	return -1;
}

bool lesson_catalog_find(
	const struct catalog *catalog, const char *what, const struct lesson **lesson, int *step, struct diag *diag)
{
	const char *slash = strchr(what, '/');
	size_t len = slash ? (size_t)(slash - what) : strlen(what);

	*lesson = find_lesson(catalog, what, len, diag);
	if (!*lesson)
		return false;
	if (!slash)
		return true;
	if (!step) {
		diag_error(diag, (struct diag_pos){0}, "'%s': a lesson is wanted here, not a step", what);
		return false;
	}
	*step = find_step(*lesson, slash + 1, diag);
	return *step >= 0;
}
