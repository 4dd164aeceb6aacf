#include "config.h"
#include "cmd/output.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

#define FILE_MAX ((size_t)256 << 20)

/* Whether the command wrote it, some other time. */
static bool is_own(const struct output *output)
{
	struct diag quiet = {0};
	struct buf text = {0};
	size_t len = strlen(output->mark);
	bool own = file_read(output->path, FILE_MAX, &text, &quiet) && text.len >= len &&
		memcmp(text.data, output->mark, len) == 0;
	buf_free(&text);
	diag_free(&quiet);
	return own;
}

static void remove_leftovers(struct cmd_ctx *ctx, const char *path)
{
	const char *slash = strrchr(path, '/');
	file_remove_leftovers(slash ? arena_strndup(ctx->arena, path, (size_t)(slash + 1 - path)) : ".");
}

bool output_check(struct cmd_ctx *ctx, const struct output *output)
{
	struct stat info;
	bool exists = file_descriptor(output->path) < 0 && stat(output->path, &info) == 0;
	remove_leftovers(ctx, output->path);
	if (!exists || output->force || (S_ISREG(info.st_mode) && (info.st_size == 0 || is_own(output))) ||
		S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode))
		return true;
	const char *kind = file_kind(info.st_mode);
	if (S_ISDIR(info.st_mode) || S_ISSOCK(info.st_mode))
		diag_error(&ctx->diag, (struct diag_pos){.file = output->path}, "cannot write: it is %s", kind);
	else
		diag_error(&ctx->diag, (struct diag_pos){.file = output->path},
			"%s: there is %s already that this command did not write; --force overwrites it",
			output->option, kind ? kind : "a file");
	return false;
}

bool output_write(struct cmd_ctx *ctx, const struct output *output, const struct buf *text)
{
	return output_check(ctx, output) && file_write(output->path, buf_str(text), text->len, &ctx->diag);
}
