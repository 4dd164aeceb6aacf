/* lesson/kernel.h: the kernel a lesson names: its source with marks, and the entries of its PTX.
 *
 * A mark is a comment `//@ name` at the end of a source line; lessons name lines by it, so that they stay right when the
 * kernel is edited. */
#pragma once
#include "lesson/lesson.h"

/* Reads DATA/kernels/NAME.cu and NAME.ptx into the lesson. False with an error at `pos`. */
bool kernel_load(struct arena *arena, const char *data_dir, const char *name, struct diag_pos pos, struct lesson *lesson,
	struct diag *diag);

/* The name it was loaded by. */
const char *kernel_base(struct arena *arena, const struct lesson *lesson);

int kernel_lines(const struct lesson *lesson);

/* The line with this mark, from 1; 0 with an error at `pos` that lists the marks. */
int kernel_find_mark(const struct lesson *lesson, const char *mark, struct diag_pos pos,
	struct diag *diag);

bool kernel_has_entry(const struct lesson *lesson, const char *name);

/* The names of all entries, separated by commas. */
const char *kernel_entries(struct arena *arena, const struct lesson *lesson);
