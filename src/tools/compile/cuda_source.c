#include "config.h"
#include "tools/compile/compile.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define SOURCE_MAX ((size_t)16 << 20) /* bytes with all headers */

struct source_reading {
	const struct compile_ctx *ctx;
	const char *own, *ours; /* folders: of the source, and of simt.h; headers come from below them */
	struct cuda_source *out;
	size_t bytes; /* of all files */
};

/* A file that is open: `shown` is how the reader would name it. */
struct opened_file {
	int fd;
	const char *file, *shown;
};

/* The number of the file, read once, or -1 with an error. Closes it. */
static int add_file(struct source_reading *r, struct opened_file opened)
{
	const struct compile_ctx *ctx = r->ctx;
	struct cuda_source *out = r->out;
	struct buf text = {0};
	for (int i = 0; i < out->n; i++)
		if (!strcmp(out->files[i].file, opened.file)) {
			close(opened.fd);
			return i;
		}
	bool ok = out->n <= WIRE_HEADERS_MAX;
	if (!ok) {
		diag_error(
			ctx->diag, (struct diag_pos){.file = opened.shown}, "more than %d headers", WIRE_HEADERS_MAX);
		close(opened.fd);
	} else {
		ok = file_read_open(opened.fd, opened.shown, SOURCE_MAX - r->bytes, &text, ctx->diag);
	}
	if (ok) {
		bool mark = text.len >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0;
		char *copy = arena_strdup(ctx->arena, buf_str(&text) + (mark ? 3 : 0));
		r->bytes += text.len;
		out->files[out->n] = (struct cuda_file){arena_strdup(ctx->arena, opened.file),
			arena_strdup(ctx->arena, opened.shown), copy, strlen(copy), copy};
	}
	buf_free(&text);
	return ok ? out->n++ : -1;
}

enum include_form { INCLUDE_QUOTED, INCLUDE_ANGLED };

/* An #include that names something. */
struct include {
	int index; /* of the file that has it */
	int line;
	const char *name;
	enum include_form form;
};

enum header_state { HEADER_NOT_FOUND, HEADER_OPEN, HEADER_REFUSED };

/* Opens `path`, if it is there: below the source's own folder or that of simt.h, whatever links and ".." lead there. */
static enum header_state open_header(const struct source_reading *r, const char *path, struct opened_file *out)
{
	char real[PATH_MAX];
	struct stat info;
	if (!realpath(path, real) || stat(real, &info) != 0 || S_ISDIR(info.st_mode))
		return HEADER_NOT_FOUND;
	out->fd = file_open_below(r->own, real);
	if (out->fd < 0)
		out->fd = file_open_below(r->ours, real);
	out->file = arena_strdup(r->ctx->arena, real);
	out->shown = path;
	return out->fd < 0 ? HEADER_REFUSED : HEADER_OPEN;
}

/* The file that an #include names; not found: the compiler has to find it. */
static enum header_state find_header(
	const struct source_reading *r, const struct include *include, struct opened_file *out)
{
	struct arena *arena = r->ctx->arena;
	const char *from = r->out->files[include->index].shown, *slash = strrchr(from, '/'), *name = include->name;
	const char *beside = slash ? path_join(arena, arena_strndup(arena, from, (size_t)(slash + 1 - from)), name)
				   : name;
	if (*name == '/')
		return file_exists(name) ? HEADER_REFUSED : HEADER_NOT_FOUND;
	enum header_state state = HEADER_NOT_FOUND;
	if (include->form == INCLUDE_QUOTED)
		state = open_header(r, beside, out);
	return state == HEADER_NOT_FOUND ? open_header(r, path_join(arena, r->ours, name), out) : state;
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

/* Appends a line of a file as it is sent. */
static bool copy_source_line(
	struct source_reading *r, struct include at, const char *line, size_t len, struct buf *sent)
{
	size_t n;
	struct opened_file opened;
	const char *name = included_name(line, &n);
	enum header_state state = HEADER_NOT_FOUND;
	if (name) {
		at.name = arena_strndup(r->ctx->arena, name, n);
		at.form = name[-1] == '"' ? INCLUDE_QUOTED : INCLUDE_ANGLED;
		state = find_header(r, &at, &opened);
	}
	if (state == HEADER_REFUSED) {
		const struct cuda_file *file = &r->out->files[at.index];
		diag_error(r->ctx->diag, (struct diag_pos){.file = file->shown, .line = at.line},
			"%s is not sent to the GPU's worker: only regular files below the folder of the source are, by relative "
			"names",
			at.name);
		diag_note(r->ctx->diag, (struct diag_pos){0},
			"copy it there, or compile on this machine: nvcc -ptx -lineinfo FILE.cu");
	}
	if (state == HEADER_NOT_FOUND)
		buf_append(sent, line, len);
	if (state != HEADER_OPEN)
		return state == HEADER_NOT_FOUND;
	int header = add_file(r, opened);
	if (header >= 0)
		buf_printf(sent, "#include \"%s\"%.*s", r->out->files[header].file, (int)(line + len - name - n - 1),
			name + n + 1);
	return header >= 0;
}

struct cuda_source *cuda_source_read(const struct compile_ctx *ctx, const char *path, const char *folder)
{
	const char *slash = strrchr(path, '/');
	struct source_reading r = {.ctx = ctx,
		.own = slash ? arena_strndup(ctx->arena, path, (size_t)(slash + 1 - path)) : ".",
		.ours = folder,
		.out = arena_alloc(ctx->arena, sizeof(struct cuda_source))};

	/* The source itself, which the user named. */
	char real[PATH_MAX];
	struct diag *diag = r.ctx->diag;
	int fd = file_open(path, diag);
	if (fd < 0 || add_file(&r, (struct opened_file){fd, realpath(path, real) ? real : path, path}) != 0)
		return NULL;

	for (int i = 0; i < r.out->n; i++) {
		/* Replaces the names of its headers by absolute ones, and reads those that are new. */
		const char *line = r.out->files[i].text;
		struct include at = {.index = i, .line = 1};
		struct buf sent = {0};
		bool ok = true;
		for (; *line && ok; at.line++) {
			size_t len = strcspn(line, "\n");
			len += line[len] == '\n';
			ok = copy_source_line(&r, at, line, len, &sent);
			line += len;
		}
		r.out->files[i].sent = arena_strndup(r.ctx->arena, buf_str(&sent), sent.len);
		buf_free(&sent);
		if (!ok)
			return NULL;
	}
	return r.out;
}

/* --- what NVRTC says of it --- */

/* A message of NVRTC, whose front end is that of nvcc:
 *     FILE(LINE): error: what is wrong
 *                 more of it
 *       the line of source, two spaces in
 *         ^
 *               detected during ...
 * and an empty line. */
struct nvrtc_message {
	const char *file;
	int line, col;
	enum diag_severity severity;
	struct buf text;
};

static const struct {
	const char *word;
	enum diag_severity severity;
} severities[] = {
	{"error", DIAG_ERROR},
	{"catastrophic error", DIAG_ERROR},
	{"internal error", DIAG_ERROR},
	{"warning", DIAG_WARNING},
	{"remark", DIAG_NOTE},
};

#define LINE_DIGITS 9
#define NUMBER_MAX 40 /* characters of " #177-D" at most */

/* ": warning #177-D: text": the text, NULL when it is not a message. */
static const char *read_severity(const char *at, enum diag_severity *out)
{
	if (strncmp(at, ": ", 2) != 0)
		return NULL;
	at += 2;
	for (size_t i = 0; i < sizeof severities / sizeof *severities; i++) {
		size_t n = strlen(severities[i].word);
		if (strncmp(at, severities[i].word, n) != 0 || !strchr(": ", at[n]))
			continue;
		const char *text = memmem(at + n, strnlen(at + n, NUMBER_MAX), ": ", 2);
		*out = severities[i].severity;
		return text ? text + 2 : NULL;
	}
	return NULL;
}

/* "(12)": what follows it, NULL when it is something else. A log can have millions of parentheses: no more is looked at
 * than this. */
static const char *read_line_number(const char *at, int *out)
{
	size_t digits = strspn(++at, "0123456789");
	if (!digits || digits > LINE_DIGITS || at[digits] != ')')
		return NULL;
	*out = (int)strtol(at, NULL, 10);
	return at + digits + 1;
}

static bool read_message_head(struct arena *arena, const char *line, struct nvrtc_message *out)
{
	for (const char *at = strchr(line, '('); at; at = strchr(at + 1, '(')) {
		int number;
		const char *end = read_line_number(at, &number),
			   *text = end ? read_severity(end, &out->severity) : NULL;
		if (!text)
			continue;
		out->file = arena_strndup(arena, line, (size_t)(at - line));
		out->line = number;
		buf_printf(&out->text, "%s", text);
		return true;
	}
	return false;
}

/* The column of the caret, in bytes; the caret and the line above it are indented by two spaces, and tabs are kept. 0:
 * no caret. */
static int caret_column(const char *caret)
{
	size_t n = strspn(caret, " \t");
	return n >= 2 && caret[n] == '^' && !caret[n + 1] ? (int)n - 1 : 0;
}

static char **split_lines(struct arena *arena, const char *log)
{
	size_t n = 1;
	for (const char *c = log; *c; c++)
		n += *c == '\n';
	char **lines = arena_array(arena, char *, n + 1);
	for (size_t i = 0; i < n; i++) {
		size_t len = strcspn(log, "\n");
		lines[i] = arena_strndup(arena, log, len);
		log += len + (log[len] == '\n');
	}
	return lines;
}

bool cuda_source_report(const struct compile_ctx *ctx, const struct cuda_source *source, const char *log)
{
	size_t before = ctx->diag->errors;
	for (char **lines = split_lines(ctx->arena, log); *lines;) {
		struct nvrtc_message m = {0};
		if (read_message_head(ctx->arena, *lines++, &m)) {
			/* The lines that follow its head, up to an empty one. */
			int n = 0;
			for (; lines[n] && lines[n][0] && !m.col; n++) {
				m.col = lines[n + 1] ? caret_column(lines[n + 1]) : 0;
				if (m.col) {
					n++;
					continue;
				}
				buf_printf(&m.text, " %s", lines[n] + strspn(lines[n], " \t"));
			}
			for (; lines[n] && strncmp(lines[n], "          ", 10) == 0; n++)
				buf_printf(&m.text, "; %s", lines[n] + strspn(lines[n], " \t"));
			lines += n;

			struct diag_pos pos = {m.file, m.line, m.col, NULL, 0};
			for (int i = 0; i < source->n; i++)
				if (!strcmp(source->files[i].file, m.file))
					pos = (struct diag_pos){source->files[i].shown, m.line, m.col,
						source->files[i].text, source->files[i].len};
			if (m.severity == DIAG_ERROR)
				diag_error(ctx->diag, pos, "%s", buf_str(&m.text));
			else if (m.severity == DIAG_WARNING)
				diag_warn(ctx->diag, pos, "%s", buf_str(&m.text));
			else
				diag_note(ctx->diag, pos, "%s", buf_str(&m.text));
		}
		buf_free(&m.text);
	}
	return ctx->diag->errors > before;
}
