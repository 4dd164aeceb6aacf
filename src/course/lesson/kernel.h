/* course/lesson/kernel.h: a kernel that a lesson names: its source with marks, and the entries of its PTX.
 *
 * A mark is a comment `//@ name` at the end of a source line; lessons name lines by it, so that they stay right when the
 * kernel is edited. */
#pragma once
#include "course/lesson/lesson.h"

/* Where kernels are: a folder, and what struct kernel_file says of its course. */
struct kernel_place {
	const char *folder, *root, *shared;
	bool is_program; /* whole programs: there is no PTX */
};

/* Reads FOLDER/NAME.cu and FOLDER/NAME.ptx. NULL with an error at `pos`. */
const struct kernel_file *lesson_kernel_load(struct arena *arena, const struct kernel_place *place, const char *name,
	struct diag_pos pos, struct diag *diag);

/* Whether it is a name without folder and ending; else an error. */
bool lesson_kernel_name_check(const char *name, struct diag_pos pos, struct diag *diag);

/* The line, from 1, that is written so: a number, or a mark. 0 with an error at `pos`, which lists the marks. */
int lesson_kernel_find_line(const struct kernel_file *file, const char *text, struct diag_pos pos, struct diag *diag);

bool lesson_kernel_has_entry(const struct kernel_file *file, const char *name);

/* The names of all entries, separated by commas. */
const char *lesson_kernel_entries(struct arena *arena, const struct kernel_file *file);

/* The name of its entry, where it has one only; else NULL. */
const char *lesson_kernel_only_entry(struct arena *arena, const struct kernel_file *file);

/* What C++ calls the entry that is `name` in the source, where extern "C" is missing; NULL: there is none. */
const char *lesson_kernel_renamed(struct arena *arena, const struct kernel_file *file, const char *name);
