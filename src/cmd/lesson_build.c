#include "config.h"
#include "cmd/lesson_build.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "course/lesson/limits.h"
#include "course/lesson/made.h"
#include "tools/compile/compile.h"

/* The oldest GPU that nvcc 13 compiles for, and the oldest PTX version that knows it. */
#define TARGET 75
#define PTX_VERSION "6.3"

/* What is built, and for what. */
struct kernel_build {
	struct cmd_ctx *ctx;
	const char *root; /* with a slash at the end, without links */
	struct kernel_file file;
	const char *path; /* of the source, without links */
	int cc;
	const char *version;
};

/* "// needs: sm_80, PTX 7.0" in the source asks for more than is usual, and sm_90a for what no later GPU has. */
static void read_needs(struct kernel_build *b)
{
	struct compile_needs needs = compile_read_needs(b->file.source_text);
	b->cc = needs.cc ? needs.cc : TARGET;
	b->version = needs.cc ? arena_printf(b->ctx->arena, "%d.%d", needs.major, needs.minor) : PTX_VERSION;
}

static bool read_text(struct kernel_build *b, const char *path, size_t max, const char **text, size_t *len)
{
	struct buf content = {0};
	bool ok = file_read_text(path, max, &content, &b->ctx->diag);
	*text = arena_strndup(b->ctx->arena, buf_str(&content), content.len);
	*len = content.len;
	buf_free(&content);
	return ok;
}

/* A name in the first line of PTX ends at a blank. */
static bool can_be_named(struct kernel_build *b, const char *name)
{
	bool plain = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-/") ==
		strlen(name);
	if (!plain)
		diag_error(&b->ctx->diag, (struct diag_pos){.file = b->file.source_path},
			"the name of a kernel or of a header of the course has letters, digits and ./_+- alone; '%s' has not",
			name);
	return plain;
}

/* The first lines. */
static bool put_origin(struct kernel_build *b, struct buf *out)
{
	size_t root = strlen(b->root);
	const char *headers[LESSON_MADE_HEADERS_MAX];
	int n = 0;
	const struct cuda_source *source = cuda_source_read(
		cmd_compile_ctx(b->ctx), b->path, path_join(b->ctx->arena, b->ctx->paths.data, "kernels"));
	if (!source || !can_be_named(b, b->path + root))
		return false;
	for (int i = 1; i < source->n && n < LESSON_MADE_HEADERS_MAX; i++) {
		if (strncmp(source->files[i].file, b->root, root) != 0)
			continue; /* it ships with the program, which may change it */
		headers[n++] = source->files[i].file + root;
		if (!can_be_named(b, headers[n - 1]))
			return false;
	}
	buf_puts(out, "// Made by simttutor lesson build; do not edit.\n");
	if (lesson_made_write(&b->file, b->path + root, headers, n, out))
		return true;
	diag_error(&b->ctx->diag, (struct diag_pos){.file = b->file.source_path}, "a header of it cannot be read");
	return false;
}

static int compile(struct kernel_build *b)
{
	struct arena *arena = b->ctx->arena;
	const struct compile_request request = {.path = b->path, .cc = b->cc};
	const char *const roots[] = {b->root, path_join(arena, b->ctx->paths.data, ""), NULL};
	const struct kernel_ptx how = {b->version, b->path, roots};
	struct buf made = {0}, kept = {0};
	int status = put_origin(b, &kept) ? compile_cuda(cmd_compile_ctx(b->ctx), &request, &made) : EXIT_FAILED;
	kernel_ptx_keep(&how, buf_str(&made), made.len, &kept);
	if (status == EXIT_OK && !file_write(b->file.ptx_path, buf_str(&kept), kept.len, &b->ctx->diag))
		status = EXIT_FAILED;
	buf_free(&made);
	buf_free(&kept);
	return status;
}

static bool is_current(struct kernel_build *b)
{
	return file_exists(b->file.ptx_path) &&
		read_text(b, b->file.ptx_path, LESSON_PTX_MAX, &b->file.ptx_text, &b->file.ptx_len) &&
		lesson_made_check(b->ctx->arena, &b->file) == LESSON_MADE_CURRENT;
}

/* Whether it is a whole program, which is compiled when it is run: a line begins with its main(). */
static bool has_main(const char *source)
{
	static const char *const begins[] = {"int main(", "auto main(", "int main ("};
	for (const char *line = source; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
			if (strncmp(line, begins[i], strlen(begins[i])) == 0)
				return true;
	}
	return false;
}

/* Seen from the current folder, where it is below that. */
static const char *shown_path(struct arena *arena, const char *real)
{
	char here[PATH_MAX];
	size_t len = getcwd(here, sizeof here) ? strlen(here) : 0;
	bool below = len > 1 && strncmp(real, here, len) == 0 && real[len] == '/';
	return arena_strdup(arena, below ? real + len + 1 : real);
}

static int build_one(struct kernel_build *b, const char *folder, const char *name, bool force, struct buf *out)
{
	struct arena *arena = b->ctx->arena;
	char real[PATH_MAX];
	int stem = (int)strlen(name) - 3;
	b->file = (struct kernel_file){
		.source_path = path_join(arena, folder, name),
		.ptx_path = arena_printf(arena, "%s/%.*s.ptx", folder, stem, name),
		.root = b->root,
		.shared = b->ctx->paths.data,
	};
	if (!read_text(b, b->file.source_path, LESSON_FILE_MAX, &b->file.source_text, &b->file.source_len))
		return EXIT_FAILED;
	if (!realpath(b->file.source_path, real) || strncmp(real, b->root, strlen(b->root)) != 0) {
		diag_error(&b->ctx->diag, (struct diag_pos){.file = b->file.source_path},
			"it lies outside of the course, %s", b->root);
		return EXIT_FAILED;
	}
	b->path = arena_strdup(arena, real);
	const char *shown = shown_path(arena, real);
	if (has_main(b->file.source_text)) {
		escape_line(out, "%s: a whole program, which needs no PTX", shown);
		return EXIT_OK;
	}
	if (!force && is_current(b)) {
		escape_line(out, "%.*s.ptx: current", (int)strlen(shown) - 3, shown);
		return EXIT_OK;
	}
	read_needs(b);
	int status = compile(b);
	escape_line(out, "%.*s.ptx: %s", (int)strlen(shown) - 3, shown, status == EXIT_OK ? "made" : "not made");
	return status;
}

static int only_sources(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);
	return entry->d_name[0] != '.' && len > 3 && strcmp(entry->d_name + len - 3, ".cu") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int cmd_lesson_build(struct cmd_ctx *ctx, const char *root, const char *const *folders, int n_folders, bool force)
{
	char real[PATH_MAX];
	struct kernel_build b = {.ctx = ctx};
	struct buf out = {0};
	int status = EXIT_OK, found = 0;
	b.root = path_join(ctx->arena, realpath(root, real) ? real : root, "");
	for (int i = 0; i < n_folders; i++) {
		struct dirent **entries;
		int n = scandir(folders[i], &entries, only_sources, by_name);
		if (n < 0 && errno == ENOMEM)
			base_out_of_memory();
		for (int k = 0; k < n; k++) {
			int one = build_one(&b, folders[i], entries[k]->d_name, force, &out);
			status = one > status ? one : status;
			free(entries[k]);
		}
		if (n >= 0)
			free(entries);
		found += n > 0 ? n : 0;
	}
	if (!found)
		escape_line(&out, "there is no kernel");
	if (!cmd_print(ctx, &out))
		status = EXIT_FAILED;
	buf_free(&out);
	return status;
}
