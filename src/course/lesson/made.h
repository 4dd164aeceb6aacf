/* course/lesson/made.h: what a kernel's PTX says that it was made from.
 *
 * Among its first lines is `// from: SOURCE HEADER... (cksum SUM BYTES)`, with the checksum of all of them, one after the other,
 * as cksum(1) has it. Headers are named from the course's folder on. `kernels/make-ptx` and `simttutor lesson build` write it. */
#pragma once
#include "course/lesson/lesson.h"

#define LESSON_MADE_HEADERS_MAX 32

enum lesson_made { LESSON_MADE_CURRENT, LESSON_MADE_STALE, LESSON_MADE_UNSAID };

/* Compares. */
enum lesson_made lesson_made_check(struct arena *arena, const struct kernel_file *file);

/* Appends the line, for a source of that text and its headers, named as above; false when one of them cannot be read. */
bool lesson_made_write(
	const struct kernel_file *file, const char *source, const char *const *headers, int n_headers, struct buf *out);
