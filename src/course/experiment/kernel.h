/* course/experiment/kernel.h: a lesson's kernel file, parsed, with what is derived from it. */
#pragma once
#include "base/diag.h"
#include "course/lesson/lesson.h"
#include "machine/ptx/ptx.h"

struct experiment_kernel {
	const struct kernel_file *file;
	struct ptx_module *module; /* NULL: the PTX is broken, see problems */
	char fingerprint[17];      /* of the PTX, for recordings */
	const char **line_texts;   /* of the source */
	int n_lines;
	const char *lines_of, *lines_ptx; /* the PTX to count the lines of this entry by; NULL: not made yet */
	struct diag problems;
};

/* In the arena, but for the problems. */
struct experiment_kernel *experiment_kernel_new(struct arena *arena, const struct kernel_file *file);
void experiment_kernel_free_problems(struct experiment_kernel *kernel);

/* The PTX to count the lines of entry `name` by, made when first asked for, in `arena`. NULL when there is none: see problems. */
const char *experiment_kernel_lines(struct arena *arena, struct experiment_kernel *kernel, const char *name);
