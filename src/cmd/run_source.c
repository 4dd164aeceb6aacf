#include "config.h"
#include "cmd/run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

#define SOURCE_MAX ((size_t)16 << 20)

/* Why a source is not found, unless there is none of its name. */
struct source_search {
	bool refused;  /* it is elsewhere, or no regular file */
	char why[128]; /* it cannot be read: the machine's trouble, not the name's */
};

static bool is_trouble(int error)
{
	return error == EIO || error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* A file below the folder; the PTX, whoever made it, names nothing else. */
static bool read_source_below(struct run *run, const char *folder, const char *name, struct source_search *search)
{
	struct arena *arena = run->ctx->arena;
	struct buf text = {0};
	struct diag quiet = {0};
	int fd = file_open_below(folder, name);
	search->refused |= fd < 0 && (errno == EXDEV || errno == EINVAL);
	if (fd < 0 && is_trouble(errno))
		snprintf(search->why, sizeof search->why, "cannot open: %s", strerror(errno));
	bool ok = fd >= 0 && file_read_open(fd, name, SOURCE_MAX, &text, &quiet);
	if (ok) {
		run->source = (struct source){.file = run->source_name,
			.text = arena_strndup(arena, buf_str(&text), text.len),
			.len = text.len};
		run->source_path = *name == '/' ? name : path_join(arena, folder, name);
		source_open(arena, &run->source, &quiet); /* a file that is not UTF-8 is shown anyway */
	}
	if (fd >= 0 && !ok)
		snprintf(search->why, sizeof search->why, "%s", quiet.entries[0].message);
	buf_free(&text);
	diag_free(&quiet);
	return ok;
}

/* Looks for the name in all folders, then for its last part in those of PTX alone. */
static bool search_source(struct run *run, const char *name, struct source_search *search)
{
	const char *slash = strrchr(run->file, '/'), *last = strrchr(name, '/');
	const char *folders[RUN_SOURCES_MAX + 2];
	int n = 0;
	folders[n++] = slash ? arena_strndup(run->ctx->arena, run->file, (size_t)(slash - run->file) + 1) : ".";
	for (int i = 0; i < run->n_sources; i++)
		folders[n++] = run->sources[i];
	for (int i = 0; i < n; i++)
		if (read_source_below(run, folders[i], name, search))
			return true;
	if (read_source_below(run, ".", name, search))
		return true;
	for (int i = 0; last && i < n; i++)
		if (read_source_below(run, folders[i], last + 1, search))
			return true;
	return false;
}

void run_find_source(struct run *run, const char *name)
{
	struct diag quiet = {0};
	struct source_search search = {0};
	if (!name) {
		run->source_name = run->ptx_name;
		run->source = (struct source){.file = run->ptx_name, .text = buf_str(&run->ptx), .len = run->ptx.len};
		source_open(run->ctx->arena, &run->source, &quiet);
		diag_free(&quiet);
		return;
	}
	run->source_name = name;
	if (run_kept_source(run, name))
		return;
	if (search_source(run, name, &search) || !(search.refused || *search.why) || run->source_refused)
		return;
	run->source_refused = true;
	struct diag_pos pos = {.file = run->ptx_name};
	if (*search.why) {
		diag_note(&run->ctx->diag, pos, "the source that it names, %s, is not shown: %s", name, search.why);
		return;
	}
	diag_note(&run->ctx->diag, pos,
		"the source that it names, %s, is not shown: only regular files below its own folder, the current one, "
		"or one given with --source DIR are",
		name);
}

const char *run_line_text(const struct run *run, int line, size_t *len)
{
	return line >= 1 && line <= run->source.n_lines ? source_line_text(&run->source, line - 1, len) : NULL;
}
