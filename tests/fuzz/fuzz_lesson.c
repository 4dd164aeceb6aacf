/* Fuzz target of the lesson reader. Whatever the bytes are, reading them must end with a lesson or with a fault that
 * has a place; and the launches of a lesson that was read must be made or refused.
 *
 * The bytes are taken as a whole lesson, and once more as the body after a good front matter. Run it where
 * tests/lessons/data lies, or with $top_srcdir set. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "course/lesson/lesson.h"

#define FILE_MAX ((size_t)2 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char front[] = "---\nformat: 1\ntitle: T\ntrack: K\nsummary: S\ntakeaway: W\nkernel: marks\n"
			    "parameters: [{name: n, range: [0, 33]}]\n"
			    "experiment: {launch: {grid: 8, block: 64}, watch: guard, views: [banks]}\n---\n";

static bool known(const char *name)
{
	return strcmp(name, "banks") == 0 || strcmp(name, "time") == 0;
}

static const char *data_dir(struct arena *arena)
{
	const char *top = getenv("top_srcdir");
	return arena_printf(arena, "%s/tests/lessons/data", top ? top : ".");
}

/* Every text that a screen would show is there. */
static size_t walk(const struct text *text)
{
	size_t len = 0;
	for (int i = 0; i < text->n_blocks; i++)
		for (int s = 0; s < text->blocks[i].n_spans; s++)
			len += strlen(text->blocks[i].spans[s].text);
	return len;
}

static void read_lesson(const char *text, size_t len)
{
	static const struct lesson_names names = {.metric = known, .view = known};
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct lesson *lesson = lesson_parse(
		arena, &(struct lesson_text){data_dir(arena), "01-fuzz", "fuzz", text, len, &names}, &diag);

	if (!lesson != (diag.errors > 0))
		abort();
	for (size_t i = 0; i < diag.count; i++)
		if (!diag.entries[i].file || (diag.entries[i].line < 1 && len < FILE_MAX / 2))
			abort();
	for (int i = 0; lesson && i < lesson->n_steps; i++) {
		const struct step *step = &lesson->steps[i];
		if (walk(&step->text) > 8 * len || !*step->id || !*step->title)
			abort();
		if (step->has_experiment && !lesson_launch(arena, lesson, step, step->set, &diag))
			abort();
	}
	diag_free(&diag);
	arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf body = {0};
	read_lesson((const char *)data, size);
	buf_puts(&body, front);
	buf_append(&body, data, size);
	read_lesson(body.data, body.len);
	buf_free(&body);
	return 0;
}

#include "replay.h"
