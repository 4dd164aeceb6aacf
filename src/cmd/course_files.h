/* cmd/course_files.h: the files of a course that is being written: those that its archive has. */
#pragma once
#include "base/pack.h"
#include "cmd/cmd.h"
#include "course/lesson/course.h"

struct course_files {
	struct pack_file *files; /* in the arena, in the order of their names */
	size_t n, cap;
	size_t n_withheld; /* left out: see course_files_list */
};

/* All files below `folder`, but those whose names begin with a dot or are an editor's copies ("a~", "a.orig", "a.rej", "a.new"), and, with
 * `withhold`, what tells the solutions: exercise/solution.*, exercise/right and exercise/wrong of each lesson. A link, what is no file,
 * and a name that an archive cannot have are errors with their places. False with errors. */
bool course_files_list(struct cmd_ctx *ctx, const char *folder, bool withhold, struct course_files *out);

/* The folders of its lessons, in order; NULL at the end. An error where there is none. */
const char *const *course_files_lessons(struct cmd_ctx *ctx, const char *folder);
