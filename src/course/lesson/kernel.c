#include "course/lesson/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/file.h"
#include "base/paths.h"

#define NAME_MAX_BYTES 64

static bool name_valid(const char *name)
{
	size_t len = strlen(name);
	return len > 0 && len <= NAME_MAX_BYTES &&
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == len;
}

/* A file of the kernel; a fault is reported at `pos`, where the lesson names it. */
static bool read_kernel_text(const char *path, size_t max, struct buf *content, struct diag_pos pos, struct diag *diag)
{
	struct diag faults = {0};
	bool read = file_read_text(path, max, content, &faults);
	if (!read)
		diag_error(diag, pos, "%s: %s", path, faults.count ? faults.entries[0].message : "cannot be read");
	diag_free(&faults);
	return read;
}

bool lesson_kernel_name_check(const char *name, struct diag_pos pos, struct diag *diag)
{
	if (!name_valid(name))
		diag_error(diag, pos,
			"'%s' is not the name of a kernel: letters, digits, _ and -, without folder and ending", name);
	return name_valid(name);
}

const struct kernel_file *lesson_kernel_load(
	struct arena *arena, const struct kernel_place *place, const char *name, struct diag_pos pos, struct diag *diag)
{
	struct kernel_file *file = arena_alloc(arena, sizeof *file);
	const char *folder = place->folder;
	file->root = place->root;
	file->shared = place->shared;
	file->is_program = place->is_program;
	file->name = arena_strdup(arena, name);
	file->source_path = arena_printf(arena, "%s/%s.cu", folder, name);
	file->ptx_path = arena_printf(arena, "%s/%s.ptx", folder, name);
	struct buf source = {0}, ptx = {0};
	bool read = read_kernel_text(file->source_path, LESSON_FILE_MAX, &source, pos, diag);
	if (!place->is_program)
		read = read_kernel_text(file->ptx_path, LESSON_PTX_MAX, &ptx, pos, diag) && read;
	file->source_text = arena_strndup(arena, buf_str(&source), source.len);
	file->source_len = source.len;
	file->ptx_text = arena_strndup(arena, buf_str(&ptx), ptx.len);
	file->ptx_len = ptx.len;
	buf_free(&source);
	buf_free(&ptx);
	return read ? file : NULL;
}

static int count_source_lines(const struct kernel_file *file)
{
	int n = 0;
	for (size_t i = 0; i < file->source_len; i++)
		n += file->source_text[i] == '\n';
	return n + (file->source_len > 0 && file->source_text[file->source_len - 1] != '\n');
}

/* --- marks -------------------------------------------------------------------------------------------------------- */

#define MARK "//@"
#define MARK_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

/* The next mark from `*at` on, and past it. `line` counts from 1 and must go along. NULL: no more. */
static const char *next_mark(const struct kernel_file *file, const char **at, int *line, size_t *len)
{
	const char *end = file->source_text + file->source_len;
	for (const char *p = *at; p < end; p++) {
		*line += *p == '\n';
		if ((size_t)(end - p) < sizeof MARK - 1 || memcmp(p, MARK, sizeof MARK - 1) != 0)
			continue;
		p += sizeof MARK - 1;
		p += strspn(p, " \t");
		*len = strspn(p, MARK_CHARS);
		*at = p + *len;
		return p;
	}
	return NULL;
}

int lesson_kernel_find_line(const struct kernel_file *file, const char *text, struct diag_pos pos, struct diag *diag)
{
	if (!isdigit((unsigned char)*text)) {
		/* The line with this mark, from 1; 0 with an error at `pos` that lists the marks. */
		const char *mark = text;
		const char *at = file->source_text, *found;
		int line = 1, first = 0;
		size_t len;

		while ((found = next_mark(file, &at, &line, &len))) {
			if (len != strlen(mark) || memcmp(found, mark, len) != 0)
				continue;
			if (first) {
				diag_error(diag, pos, "mark '%s' is twice in %s, in lines %d and %d", mark,
					file->source_path, first, line);
				return 0;
			}
			first = line;
		}
		if (first)
			return first;
		struct buf list = {0};

		const char *marks_at = file->source_text, *list_mark;
		int marks_line = 1;
		size_t marks_len;
		while ((list_mark = next_mark(file, &marks_at, &marks_line, &marks_len)))
			buf_printf(&list, "%s%.*s", list.len ? ", " : "; it has ", (int)marks_len, list_mark);

		diag_error(diag, pos, "no mark '//@ %s' in %s%s", mark, file->source_path,
			list.len ? buf_str(&list) : "; it has none");
		buf_free(&list);
		return 0;
	}
	char *end;
	long line = strtol(text, &end, 10);
	if (!*end && line >= 1 && line <= count_source_lines(file))
		return (int)line;
	diag_error(diag, pos, "%s has no line %s; it has 1 to %d", file->source_path, text, count_source_lines(file));
	return 0;
}

/* --- entries ------------------------------------------------------------------------------------------------------ */

/* The name after the next ".entry" from `*at` on; NULL: no more. */
static const char *next_entry(const char **at, size_t *len)
{
	static const char word[] = ".entry";
	const char *p = *at ? strstr(*at, word) : NULL;
	if (!p)
		return NULL;
	p += sizeof word - 1;
	p += strspn(p, " \t\r\n");
	*len = 0;
	while (isalnum((unsigned char)p[*len]) || p[*len] == '_' || p[*len] == '$')
		++*len;
	*at = p + *len;
	return p;
}

bool lesson_kernel_has_entry(const struct kernel_file *file, const char *name)
{
	const char *at = file->ptx_text, *entry;
	size_t len;
	while ((entry = next_entry(&at, &len)))
		if (len == strlen(name) && memcmp(entry, name, len) == 0)
			return true;
	return false;
}

const char *lesson_kernel_entries(struct arena *arena, const struct kernel_file *file)
{
	const char *at = file->ptx_text, *entry;
	struct buf list = {0};
	size_t len;
	while ((entry = next_entry(&at, &len)))
		buf_printf(&list, "%s%.*s", list.len ? ", " : "", (int)len, entry);
	const char *result = arena_strdup(arena, list.len ? buf_str(&list) : "none");
	buf_free(&list);
	return result;
}

const char *lesson_kernel_only_entry(struct arena *arena, const struct kernel_file *file)
{
	const char *at = file->ptx_text, *more;
	size_t len, other;
	const char *entry = at ? next_entry(&at, &len) : NULL;
	if (!entry)
		return NULL;
	more = next_entry(&at, &other);
	return more ? NULL : arena_strndup(arena, entry, len);
}

const char *lesson_kernel_renamed(struct arena *arena, const struct kernel_file *file, const char *name)
{
	const char *at = file->ptx_text, *entry;
	size_t len;
	while ((entry = next_entry(&at, &len))) {
		const char *mangled = arena_strndup(arena, entry, len);
		if (strcmp(mangled, name) != 0 && demangle_is(arena, mangled, name))
			return mangled;
	}
	return NULL;
}
