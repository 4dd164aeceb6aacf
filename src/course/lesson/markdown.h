/* course/lesson/markdown.h: the body of a lesson file -> its steps, as text, notes and the place of their
 * experiments. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "course/lesson/lesson.h"

struct markdown_step {
	const char *title;
	struct diag_pos pos; /* of the title */
	struct text text;
	const char *notes;
	bool has_block;            /* a fenced block `simt` */
	struct diag_pos block_pos; /* of its fence */
	int first_line, last_line; /* its lines [first, last), from 0, without the fences */
};

struct markdown {
	struct markdown_step *steps;
	int n_steps;
};

/* Reads the source from line `first` on, and reports its faults; what could be read is there. All in `arena`. `names`
 * are for links. */
struct markdown lesson_markdown_parse(struct arena *arena, const struct source *source, int first,
	const struct lesson_names *names, struct diag *diag);
