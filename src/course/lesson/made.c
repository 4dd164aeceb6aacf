
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/paths.h"
#include "course/lesson/lesson.h"

#define LINES_READ 5 /* of the PTX, where the line may be */
#define FROM "// from: "
#define SUM " (cksum "

/* A header, named from the course's folder on, or from that of the kernels which ship with the program. */
static bool add_header(const struct kernel_file *file, const char *name, struct cksum *sum)
{
	const char *const roots[] = {file->root, file->shared};
	struct diag quiet = {0};
	struct buf text = {0};
	bool read = false;
	for (size_t i = 0; i < sizeof roots / sizeof *roots && !read; i++) {
		int fd = roots[i] ? file_open_below(roots[i], name) : -1;
		read = fd >= 0 && file_read_open(fd, name, LESSON_FILE_MAX, &text, &quiet);
	}
	if (read)
		cksum_add(sum, buf_str(&text), text.len);
	buf_free(&text);
	diag_free(&quiet);
	return read;
}

/* The text of the line after its first word, without the newline; NULL: there is none. */
static const char *find_from(struct arena *arena, const struct kernel_file *file)
{
	const char *at = file->ptx_text;
	for (int i = 0; i < LINES_READ && at && *at; i++) {
		if (strncmp(at, FROM, sizeof FROM - 1) == 0)
			return arena_strndup(arena, at + sizeof FROM - 1, strcspn(at + sizeof FROM - 1, "\n"));
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return NULL;
}

enum lesson_made lesson_made_check(struct arena *arena, const struct kernel_file *file)
{
	if (file->is_program)
		return LESSON_MADE_CURRENT; /* there is no PTX */
	const char *from = find_from(arena, file), *end = from ? strstr(from, SUM) : NULL;
	struct cksum sum = {0};
	char *rest = NULL;
	uint64_t value = end ? strtoull(end + sizeof SUM - 1, &rest, 10) : 0;
	uint64_t bytes = end ? strtoull(rest, &rest, 10) : 0;
	if (!end || *rest != ')')
		return LESSON_MADE_UNSAID;
	cksum_add(&sum, file->source_text, file->source_len);
	const char *at = from + strcspn(from, " ");
	for (int i = 0; at < end && i < LESSON_MADE_HEADERS_MAX; i++) {
		size_t len = strcspn(++at, " ");
		if (!add_header(file, arena_strndup(arena, at, len), &sum))
			return LESSON_MADE_STALE;
		at += len;
	}
	return sum.len == bytes && cksum_value(&sum) == value ? LESSON_MADE_CURRENT : LESSON_MADE_STALE;
}

bool lesson_made_write(
	const struct kernel_file *file, const char *source, const char *const *headers, int n_headers, struct buf *out)
{
	struct cksum sum = {0};
	cksum_add(&sum, file->source_text, file->source_len);
	buf_printf(out, FROM "%s", source);
	for (int i = 0; i < n_headers; i++) {
		if (!add_header(file, headers[i], &sum))
			return false;
		buf_printf(out, " %s", headers[i]);
	}
	buf_printf(out, SUM "%" PRIu32 " %" PRIu64 ")\n", cksum_value(&sum), sum.len);
	return true;
}
