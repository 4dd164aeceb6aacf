#include "config.h"
#include "cmd/run.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"

#define SOURCE_MAX ((size_t)16 << 20)

/* A file below the folder; the PTX, whoever made it, names nothing else. A name that is there, but elsewhere or no regular file,
 * sets `refused`. */
static bool read_source_below(struct run *run, const char *folder, const char *name, bool *refused)
{
	struct arena *arena = run->ctx->arena;
	struct buf text = {0};
	struct diag quiet = {0};
	int fd = file_open_below(folder, name);
	*refused |= fd < 0 && (errno == EXDEV || errno == EINVAL);
	bool ok = fd >= 0 && file_read_open(fd, name, SOURCE_MAX, &text, &quiet);
	if (ok) {
		run->source = (struct source){.file = run->source_name,
			.text = arena_strndup(arena, buf_str(&text), text.len),
			.len = text.len};
		source_open(arena, &run->source, &quiet); /* a file that is not UTF-8 is shown anyway */
	}
	buf_free(&text);
	diag_free(&quiet);
	return ok;
}

/* Looks for the name in all folders, then for its last part in those of PTX alone. */
static bool search_source(struct run *run, const char *name, bool *refused)
{
	const char *slash = strrchr(run->file, '/'), *last = strrchr(name, '/');
	const char *folders[RUN_SOURCES_MAX + 2];
	int n = 0;
	folders[n++] = slash ? arena_strndup(run->ctx->arena, run->file, (size_t)(slash - run->file) + 1) : ".";
	for (int i = 0; i < run->n_sources; i++)
		folders[n++] = run->sources[i];
	for (int i = 0; i < n; i++)
		if (read_source_below(run, folders[i], name, refused))
			return true;
	if (read_source_below(run, ".", name, refused))
		return true;
	for (int i = 0; last && i < n; i++)
		if (read_source_below(run, folders[i], last + 1, refused))
			return true;
	return false;
}

void run_find_source(struct run *run, const char *name)
{
	struct diag quiet = {0};
	bool refused = false;
	if (!name) {
		run->source_name = run->ptx_name;
		run->source = (struct source){.file = run->ptx_name, .text = buf_str(&run->ptx), .len = run->ptx.len};
		source_open(run->ctx->arena, &run->source, &quiet);
		diag_free(&quiet);
		return;
	}
	run->source_name = name;
	if (search_source(run, name, &refused) || !refused || run->source_refused)
		return;
	run->source_refused = true;
	diag_note(&run->ctx->diag, (struct diag_pos){.file = run->ptx_name},
		"the source that it names, %s, is not shown: only regular files below its own folder, the current one, "
		"or one given with --source DIR are",
		name);
}

const char *run_line_text(const struct run *run, int line, size_t *len)
{
	return line >= 1 && line <= run->source.n_lines ? source_line_text(&run->source, line - 1, len) : NULL;
}
