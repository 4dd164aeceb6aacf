/* experiment/program.h: a kernel file, ready to run. Inside tutor/ only. */
#pragma once
#include "base/diag.h"
#include "lesson/lesson.h"
#include "ptx/ptx.h"

struct program {
	const struct kernel_file *file;
	struct ptx_module *module; /* NULL: the PTX is broken, see problems */
	char fingerprint[17];      /* of the PTX, for recordings */
	const char **line_texts;
	int n_lines;
	const char *lines_of, *lines_ptx; /* the PTX to count the lines of this kernel by; NULL: not made yet */
	struct diag problems;
};

/* In the arena, but for the problems. */
struct program *program_new(struct arena *arena, const struct kernel_file *file);
void program_free_problems(struct program *program);
