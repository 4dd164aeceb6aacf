#include "config.h"
#include "cmd/cuda_source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

#define SOURCE_MAX ((size_t)16 << 20)

struct source_reading {
	struct cmd_ctx *ctx;
	const char *folder;
	struct cuda_source *out;
};

/* Reads a file, once. Its number, or -1 with an error. */
static int add_file(struct source_reading *r, const char *path)
{
	char real[PATH_MAX];
	struct cuda_source *out = r->out;
	struct buf text = {0};
	const char *file = realpath(path, real) ? real : path;
	for (int i = 0; i < out->n; i++)
		if (!strcmp(out->files[i].file, file))
			return i;
	if (out->n > WIRE_HEADERS_MAX) {
		diag_error(&r->ctx->diag, (struct diag_pos){.file = path}, "more than %d headers", WIRE_HEADERS_MAX);
		return -1;
	}
	bool ok = file_read(path, SOURCE_MAX, &text, &r->ctx->diag);
	if (ok) {
		char *copy = arena_strndup(r->ctx->arena, buf_str(&text), text.len);
		out->files[out->n] = (struct cuda_file){
			arena_strdup(r->ctx->arena, file), arena_strdup(r->ctx->arena, path), copy, strlen(copy), copy};
	}
	buf_free(&text);
	return ok ? out->n++ : -1;
}

static bool is_file(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

enum include_form { INCLUDE_QUOTED, INCLUDE_ANGLED };

/* The file that an #include names; NULL: the compiler has to find it. */
static const char *find_header(
	const struct source_reading *r, const struct cuda_file *from, const char *name, enum include_form form)
{
	struct arena *arena = r->ctx->arena;
	const char *slash = strrchr(from->shown, '/');
	const char *beside = *name == '/' ? name
		: slash ? path_join(arena, arena_strndup(arena, from->shown, (size_t)(slash - from->shown)), name)
			: name;
	const char *ours = path_join(arena, r->folder, name);
	return form == INCLUDE_QUOTED && is_file(beside) ? beside : is_file(ours) ? ours : NULL;
}

/* The name in a line that includes something: between the quotes or angles, `*len` bytes; NULL in any other line. */
static const char *included_name(const char *line, size_t *len)
{
	const char *at = line + strspn(line, " \t");
	if (*at != '#')
		return NULL;
	at += 1 + strspn(at + 1, " \t");
	if (strncmp(at, "include", 7) != 0)
		return NULL;
	at += 7 + strspn(at + 7, " \t");
	char close = *at == '"' ? '"' : *at == '<' ? '>' : '\0';
	*len = close ? strcspn(at + 1, "\n") : 0;
	const char *end = close ? memchr(at + 1, close, *len) : NULL;
	*len = end ? (size_t)(end - at - 1) : 0;
	return *len ? at + 1 : NULL;
}

static bool copy_source_line(struct source_reading *r, int index, const char *line, size_t len, struct buf *sent)
{
	size_t n;
	const char *name = included_name(line, &n);
	const char *path = name ? find_header(r, &r->out->files[index], arena_strndup(r->ctx->arena, name, n),
					  name[-1] == '"' ? INCLUDE_QUOTED : INCLUDE_ANGLED)
				: NULL;
	int header = path ? add_file(r, path) : -1;
	if (header >= 0)
		buf_printf(sent, "#include \"%s\"%.*s", r->out->files[header].file, (int)(line + len - name - n - 1),
			name + n + 1);
	else
		buf_append(sent, line, len);
	return header >= 0 || !path;
}

/* Replaces the names of its headers by absolute ones, and reads those that are new. */
static bool resolve_includes(struct source_reading *r, int index)
{
	const char *line = r->out->files[index].text;
	struct buf sent = {0};
	bool ok = true;
	while (*line && ok) {
		size_t len = strcspn(line, "\n");
		len += line[len] == '\n';
		ok = copy_source_line(r, index, line, len, &sent);
		line += len;
	}
	r->out->files[index].sent = arena_strndup(r->ctx->arena, buf_str(&sent), sent.len);
	buf_free(&sent);
	return ok;
}

struct cuda_source *cuda_source_read(struct cmd_ctx *ctx, const char *path, const char *folder)
{
	struct source_reading r = {ctx, folder, arena_alloc(ctx->arena, sizeof(struct cuda_source))};
	if (add_file(&r, path) < 0)
		return NULL;
	for (int i = 0; i < r.out->n; i++)
		if (!resolve_includes(&r, i))
			return NULL;
	return r.out;
}
