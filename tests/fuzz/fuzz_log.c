/* Fuzz target of what compilers say: the log of NVRTC, which a worker far away sends, and words of the environment,
 * which is the first line: seconds, folders, yes and no. Each message has a text and a place, and what is shown of it
 * has no control character. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "tools/compile/compile.h"

#define VARIABLE "SIMTTUTOR_FUZZ"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_shown(const struct diag *diag)
{
	struct buf shown = {0};
	diag_format(diag, &shown);
	for (size_t i = 0; i < shown.len; i++)
		if ((unsigned char)shown.data[i] < ' ' && !strchr("\n\t", shown.data[i]))
			abort();
	for (size_t i = 0; i < diag->count; i++)
		if (diag->entries[i].line < 0 || diag->entries[i].col < 0 || !diag->entries[i].message)
			abort();
	buf_free(&shown);
}

static void check_environment(const char *text)
{
	struct diag diag = {0};
	setenv(VARIABLE, text, 1);
	int seconds = environment_seconds(VARIABLE, 60, &diag);
	if (seconds < 1 || seconds > ENVIRONMENT_SECONDS_MAX)
		abort();
	size_t before = diag.errors;
	if (environment_check_folders(VARIABLE, &diag) != (diag.errors == before))
		abort();
	const char *folder = environment_folder(VARIABLE, &diag);
	if (folder && *folder != '/')
		abort();
	environment_is_no(VARIABLE, &diag);
	check_shown(&diag);
	diag_free(&diag);
}

static void check_log(struct arena *arena, const char *log)
{
	static const char text[] = "#include \"own.h\"\n\t__global__ void k(int *p) { *p = 1; }\n\n";
	struct diag diag = {0};
	const struct compile_ctx ctx = {.arena = arena, .diag = &diag};
	struct cuda_source source = {
		.n = 2, .files = {{"/k.cu", "k.cu", text, sizeof text - 1, text}, {"/own.h", "own.h", "", 0, ""}}};
	bool errors = cuda_source_report(&ctx, &source, log);
	if (errors != (diag.errors > 0))
		abort();
	check_shown(&diag);
	diag_free(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	char *text = arena_strndup(arena, (const char *)data, size), *log = strchr(text, '\n');
	if (log)
		*log++ = '\0';
	check_environment(text);
	if (log)
		check_log(arena, log);
	arena_free(arena);
	return 0;
}

#include "replay.h"
