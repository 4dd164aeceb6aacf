/* Fuzz target of what a lesson says in YAML, and of the catalog: the bytes are a lesson's front matter before a good
 * body, then the experiment of a step after a good front matter, and their first line calls a lesson of a catalog. Run
 * it where tests/lessons/data lies, or with $top_srcdir set. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "course/lesson/lesson.h"

static const char front[] = "---\nformat: 1\ntitle: T\ntrack: K\nsummary: S\ntakeaway: W\nkernel: marks\n"
			    "parameters: [{name: n, range: [0, 33]}, {name: way, names: [up, down]}]\n---\n# T\n";
static const char step[] = "\n## Step\n\ntext\n\n```simt\n";
static const char good[] = "launch: {grid: 8, block: 64}\nwatch: guard\nviews: [banks]\n";

static bool known(const char *name)
{
	return strcmp(name, "banks") == 0 || strcmp(name, "time") == 0 || strcmp(name, "race") == 0;
}

static const char *listed(int index)
{
	static const char *const all[] = {"banks", "time", "race"};
	return index < 3 ? all[index] : NULL;
}

static struct lesson *read_lesson(struct arena *arena, const struct buf *text, const char *dir)
{
	static const struct lesson_names names = {known, known, listed, listed, known, listed, known, listed, NULL};
	const char *top = getenv("top_srcdir");
	const char *data = arena_printf(arena, "%s/tests/lessons/data", top ? top : ".");
	struct diag diag = {0};
	struct lesson *lesson = lesson_parse(arena,
		&(struct lesson_text){data, dir, "lesson.md", text->len ? text->data : "", text->len, &names}, &diag);
	if (!lesson != (diag.errors > 0))
		abort();
	for (size_t i = 0; i < diag.count; i++)
		if (!diag.entries[i].file || !*diag.entries[i].message)
			abort();
	diag_free(&diag);
	return lesson;
}

/* All parameters at their first and last values. */
static void launch_steps(struct arena *arena, const struct lesson *lesson)
{
	int64_t *values = arena_array(arena, int64_t, (size_t)lesson->n_parameters + 1);
	struct diag diag = {0};
	for (int i = 0; i < lesson->n_steps; i++) {
		for (int last = 0; last < 2; last++) {
			for (int p = 0; p < lesson->n_parameters; p++) {
				const struct parameter *parameter = &lesson->parameters[p];
				values[p] = parameter->values[last ? parameter->n_values - 1 : 0];
			}
			if (lesson->steps[i].has_experiment) {
				size_t before = diag.errors;
				bool made = lesson_launch(arena, lesson, &lesson->steps[i], values, &diag);
				if (made != (diag.errors == before))
					abort();
			}
			lesson_watched(lesson, &lesson->steps[i], values);
			lesson_expects_defect(lesson, &lesson->steps[i], values);
		}
	}
	diag_free(&diag);
}

static void check_catalog(struct arena *arena, struct lesson *lesson, const char *what)
{
	struct catalog catalog = {.lessons = &lesson, .n_lessons = 1};
	const struct lesson *found = NULL;
	struct diag diag = {0};
	int at = 0;
	if (lesson_catalog_find(&catalog, what, &found, &at, &diag) != (diag.errors == 0) ||
		(!diag.errors && (found != lesson || at < 0 || (at && at >= lesson->n_steps))))
		abort();
	diag_free(&diag);
	diag = (struct diag){0};
	/* A folder that may be called so has no character that a shell or a path gives a meaning. */
	if (lesson_dir_check(what, (struct diag_pos){0}, &diag) && strpbrk(what, "/.$`'\" \\;|&"))
		abort();
	struct buf text = {0};
	buf_puts(&text, front);
	if (read_lesson(arena, &text, what) && diag.errors)
		abort();
	buf_free(&text);
	diag_free(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct buf text = {0};
	const char *line = arena_strndup(arena, (const char *)data, size);

	buf_puts(&text, "---\n");
	buf_append(&text, data, size);
	buf_printf(&text, "\n---\n# T\n%s%s```\n", step, good);
	struct lesson *lesson = read_lesson(arena, &text, "10-fuzz");
	if (lesson)
		launch_steps(arena, lesson);

	buf_clear(&text);
	buf_printf(&text, "%s%s", front, step);
	buf_append(&text, data, size);
	buf_puts(&text, "\n```\n");
	lesson = read_lesson(arena, &text, "10-fuzz");
	if (lesson) {
		launch_steps(arena, lesson);
		check_catalog(arena, lesson, arena_strndup(arena, line, strcspn(line, "\n")));
	}
	buf_free(&text);
	arena_free(arena);
	return 0;
}

#include "replay.h"
