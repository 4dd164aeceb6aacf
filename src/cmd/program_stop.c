/* A program up to one of its launches, for the debugger. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/portable.h"
#include "cmd/program_parts.h"
#include "machine/snapshot/snapshot.h"
#include "tools/sandbox/sandbox.h"

#define PRINTED_MAX ((size_t)1 << 20)

/* Where the launch is kept, which the program may write. Made before we are confined; or, where we are not, when it is needed. */
static struct {
	const char *folder;
	struct scratch own; /* that, in the latter case */
	int output;         /* what the program prints, when it is not to go where we print; 0: there is none */
} kept = {.own = {.fd = -1}};

static bool is_choice(const char *value)
{
	const char *number = strncmp(value, "line=", 5) == 0 ? value + 5 : value;
	if (strncmp(value, "kernel=", 7) == 0)
		return value[7] && !strchr(value, ',');
	size_t n = strlen(number);
	return n && n < 10 && *number != '0' && strspn(number, "0123456789") == n;
}

bool program_launch_is(struct cmd_ctx *ctx, const char *value)
{
	return is_choice(value) ||
		cmd_bad_value(
			ctx, "--launch", value, "the launch's number, from 1, kernel=NAME or line=N of the program");
}

bool program_stop_prepare(struct cmd_needs *needs, struct confine_profile *profile)
{
	struct arena *arena = needs->ctx->arena;
	if (!needs->scratch)
		return false;
	kept.folder = path_join(arena, needs->scratch, "launches");
	if (mkdir(kept.folder, 0700) != 0 && errno != EEXIST)
		return false;
	confine_allow(arena, profile, kept.folder, CONFINE_READ | CONFINE_WRITE);
	return true;
}

int program_stop_output(bool keeps)
{
	if (keeps && !kept.output)
		kept.output = portable_temporary_file();
	return kept.output > 0 ? kept.output : 0;
}

void program_stop_printed(struct buf *out)
{
	char bytes[4096];
	ssize_t n;
	for (off_t at = 0; kept.output > 0 && out->len < PRINTED_MAX; at += n) {
		n = pread(kept.output, bytes, sizeof bytes, at);
		if (n <= 0)
			return;
		buf_append(out, bytes, (size_t)n);
	}
}

bool program_stop_begin(struct cmd_ctx *ctx)
{
	if (kept.folder)
		return true;
	if (!scratch_make(&kept.own, ctx->arena, &ctx->diag))
		return false;
	kept.folder = kept.own.path;
	return true;
}

const char *program_stop_folder(void)
{
	return kept.folder;
}

void program_stop_end(void)
{
	if (kept.own.path)
		scratch_remove(&kept.own);
}

const char *const *program_stop_variables(struct cmd_ctx *ctx, const char *choice, const char *cc)
{
	const char **v = arena_array(ctx->arena, const char *, 16);
	int m = 0;
	const char *before = getenv("LD_LIBRARY_PATH");
	const char *libraries = arena_printf(
		ctx->arena, "%s%s%s", ctx->paths.runtime, before && *before ? ":" : "", before ? before : "");
	const char *pairs[][2] = {{"LD_LIBRARY_PATH", libraries}, {"SIMTTUTOR_RECORD", kept.folder},
		{"SIMTTUTOR_RECORD_STOP", "1"}, {"SIMTTUTOR_LAUNCHES", choice ? choice : "1"},
		{"SIMTTUTOR_REPORT", "none"}, {"SIMTTUTOR_CHECK", "default"}, {"SIMTTUTOR_CC", cc}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (pairs[i][1]) {
			v[m++] = pairs[i][0];
			v[m++] = pairs[i][1];
		}
	return v;
}

const char *program_stop_find(struct cmd_ctx *ctx)
{
	DIR *dir = opendir(kept.folder);
	const char *path = NULL;
	for (struct dirent *entry; dir && !path && (entry = readdir(dir)) != NULL;)
		if (snapshot_is_named(entry->d_name))
			path = path_join(ctx->arena, kept.folder, entry->d_name);
	if (dir)
		closedir(dir);
	return path;
}
