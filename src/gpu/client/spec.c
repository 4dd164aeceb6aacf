#include "gpu/client/private.h"

#include "gpu/client/gpu.h"

#include <string.h>

#include "base/file.h"

enum spec_kind { SPEC_NONE, SPEC_LOCAL, SPEC_COMMAND, SPEC_SSH };

/* Fills argv from what follows the colon (NULL: no colon) and says whether that was right. */
static bool fill(enum spec_kind kind, const char *rest, const char *worker, struct spec *out)
{
	switch (kind) {
	case SPEC_NONE: return !rest;
	case SPEC_LOCAL:
		out->argv[0] = worker;
		if (!rest)
			return true;
		out->argv[1] = "--device";
		out->argv[2] = rest;
		return *rest && strlen(rest) <= 4 && strspn(rest, "0123456789") == strlen(rest);
	case SPEC_COMMAND:
		out->argv[0] = "/bin/sh";
		out->argv[1] = "-c";
		out->argv[2] = rest;
		return rest && *rest;
	case SPEC_SSH: {
		/* no one can answer a prompt; a dead connection is noticed; and what the reader's configuration adds to
		 * a session of theirs has no place in this one */
		const char *const argv[] = {"ssh", "-T", "-oBatchMode=yes", "-oConnectTimeout=20",
			"-oServerAliveInterval=5", "-oServerAliveCountMax=3", "-oClearAllForwardings=yes",
			"-oRemoteCommand=none", "--", rest, "simttutor-gpu"};
		memcpy(out->argv, argv, sizeof argv);
		if (!rest || !*rest || *rest == '-')
			return false;
		for (const char *c = rest; *c; c++)
			if ((unsigned char)*c <= ' ' || *c == 0x7F)
				return false;
		return true;
	}
	}
	return false;
}

static const struct {
	const char *name;
	int start_ms, rest_ms;
	bool far;
} kinds[] = {
	[SPEC_NONE] = {"none", 0, 0, false},
	[SPEC_LOCAL] = {"local", 30000, 0, false},
	[SPEC_COMMAND] = {"command", 86400000, 60000, true},
	[SPEC_SSH] = {"ssh", 60000, 0, true},
};

bool gpu_spec_parse(struct arena *arena, const char *spec, const char *worker, struct diag_pos pos, struct spec *out,
	struct diag *diag)
{
	const char *colon = strchr(spec, ':');
	size_t len = colon ? (size_t)(colon - spec) : strlen(spec);
	*out = (struct spec){0};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strlen(kinds[i].name) != len || memcmp(kinds[i].name, spec, len) != 0)
			continue;
		out->start_ms = kinds[i].start_ms;
		out->rest_ms = kinds[i].rest_ms;
		out->far = kinds[i].far;
		const char *rest = colon ? arena_strdup(arena, colon + 1) : NULL;
		if (fill((enum spec_kind)i, rest, arena_strdup(arena, worker), out))
			return true;
	}
	diag_error(diag, pos,
		"\"%.100s\" names no GPU: use none, local, local:N, ssh:HOST, command:CMD or pool:FILE, a file with several of these",
		spec);
	return false;
}

bool gpu_spec_parse_all(struct arena *arena, const char *text, const char *worker, struct diag_pos pos,
	struct spec_list *out, struct diag *diag)
{
	static const char next[] = {SPEC_NEXT, '\0'};
	out->n = 0;
	for (const char *at = text, *end; at; at = *end ? end + 1 : NULL) {
		end = at + strcspn(at, next);
		if (out->n == SPECS_MAX) {
			diag_error(diag, pos, "there are more than %d GPUs to try", SPECS_MAX);
			return false;
		}
		out->texts[out->n] = arena_strndup(arena, at, (size_t)(end - at));
		if (!gpu_spec_parse(arena, out->texts[out->n], worker, pos, &out->specs[out->n], diag))
			return false;
		out->n++;
	}
	for (int i = 0; i < out->n && out->n > 1; i++) {
		if (out->specs[i].argv[0])
			continue;
		diag_error(diag, pos, "\"none\" cannot be one of several GPUs to try");
		return false;
	}
	return true;
}

/* --- a pool ------------------------------------------------------------------------------------------------------- */

#define POOL_MAX (64 * 1024)

/* The lines with a GPU each, their places checked. -1: an error. */
static int read_pool(
	struct arena *arena, const char *path, const struct buf *text, const char *lines[SPECS_MAX], struct diag *diag)
{
	int n = 0, number = 0;
	for (const char *at = buf_str(text), *end; *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, "\n");
		number++;
		size_t len = (size_t)(end - at), skip = strspn(at, " \t");
		if (skip >= len || at[skip] == '#' || at[skip] == '\r')
			continue;
		while (strchr(" \t\r", at[len - 1]))
			len--;
		struct diag_pos pos = {.file = path, .line = number};
		struct spec spec;
		const char *line = arena_strndup(arena, at + skip, len - skip);
		if (strchr(line, SPEC_NEXT) || n == SPECS_MAX) {
			diag_error(diag, pos, n == SPECS_MAX ? "a pool has no more than %d GPUs" : "this is no text",
				SPECS_MAX);
			return -1;
		}
		if (!gpu_spec_parse(arena, line, "", pos, &spec, diag))
			return -1;
		if (!spec.argv[0]) {
			diag_error(diag, pos, "\"none\" cannot be in a pool");
			return -1;
		}
		lines[n++] = line;
	}
	if (n == 0) {
		diag_error(diag, (struct diag_pos){.file = path},
			"this pool has no GPU: it takes one on a line, as --gpu does");
		return -1;
	}
	return n;
}

const char *gpu_pool(struct arena *arena, const char *spec, unsigned first, struct diag *diag)
{
	static const char name[] = "pool:";
	const char *lines[SPECS_MAX], *path = spec + sizeof name - 1;
	struct buf text = {0}, all = {0};
	if (strncmp(spec, name, sizeof name - 1) != 0)
		return spec;
	if (!*path) {
		diag_error(diag, (struct diag_pos){0}, "--gpu pool:FILE needs a file with a GPU on each line");
		return NULL;
	}
	if (!file_read_text(path, POOL_MAX, &text, diag)) {
		buf_free(&text);
		return NULL;
	}
	int n = read_pool(arena, arena_strdup(arena, path), &text, lines, diag);
	for (int i = 0; i < n; i++) {
		if (i > 0)
			buf_putc(&all, SPEC_NEXT);
		buf_puts(&all, lines[(first + (unsigned)i) % (unsigned)n]);
	}
	const char *joined = n < 0 ? NULL : arena_strdup(arena, buf_str(&all));
	buf_free(&text);
	buf_free(&all);
	return joined;
}

const char *gpu_several(struct arena *arena, const char *specs, const char *next)
{
	return specs ? arena_printf(arena, "%s%c%s", specs, SPEC_NEXT, next) : next;
}

const char *const *const *gpu_commands(struct arena *arena, const char *spec, const char *worker)
{
	struct spec_list *all = arena_alloc(arena, sizeof *all);
	const char *const **commands = arena_array(arena, const char *const *, SPECS_MAX + 1);
	struct diag quiet = {0};
	bool ok = gpu_spec_parse_all(arena, spec, worker, (struct diag_pos){0}, all, &quiet);
	int n = 0;
	for (int i = 0; ok && i < all->n; i++)
		if (all->specs[i].argv[0])
			commands[n++] = all->specs[i].argv;
	commands[n] = NULL;
	diag_free(&quiet);
	return n ? commands : NULL;
}
