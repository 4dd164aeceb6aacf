/* Fuzz target of whole launches: PTX with a comment that says how it is launched, as in tests/ptx
 * (tests/unit/test_fixtures.c has the grammar), so that clusters, textures, surfaces, tensor maps and structures come
 * to the instructions that are for them. The arguments are read and placed as those of `run` are, and the models
 * listen. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/profile/profile.h"

#define MARK "// launch:"
#define STEPS 3000
#define THREADS_MAX 1024
#define ARGUMENT_MAX ((size_t)1 << 20)

static uint32_t threads(const uint32_t dims[3])
{
	uint64_t n = (uint64_t)dims[0] * dims[1];
	return n > THREADS_MAX || n * dims[2] > THREADS_MAX ? THREADS_MAX + 1 : (uint32_t)(n * dims[2]);
}

static bool read_sizes(struct launch *launch, const char *part, struct diag *diag)
{
	char word[8], value[64];
	for (int used; sscanf(part, " %7s %63s%n", word, value, &used) == 2; part += used) {
		uint32_t *dims = !strcmp(word, "grid") ? launch->grid
			: !strcmp(word, "block")       ? launch->block
			: !strcmp(word, "cluster")     ? launch->cluster
						       : NULL;
		if (dims && !launch_dim_parse(NULL, value, dims, diag))
			return false;
		if (!strcmp(word, "shared"))
			launch->shared = (uint32_t)strtoul(value, NULL, 10);
	}
	return true;
}

static bool read_part(struct arena *arena, struct launch *launch, char *part, struct diag *diag)
{
	part += strspn(part, " ");
	if (strncmp(part, "arg ", 4) != 0)
		return read_sizes(launch, part, diag);
	part += 4;
	const char *brace = strchr(part, '}'); /* of a texture or a tensor map */
	part[brace ? (size_t)(brace - part) + 1 : strcspn(part, " ;")] = '\0';
	struct launch_arg *arg = &launch->args[launch->n_args];
	if (launch->n_args == LAUNCH_ARGS_MAX || !launch_arg_parse(arena, NULL, part, arg, diag))
		return false;
	launch->n_args++;
	return launch_arg_bytes(arg) <= ARGUMENT_MAX;
}

static bool read_launch(struct arena *arena, const char *text, struct launch *launch, struct diag *diag)
{
	const char *at = strstr(text, MARK);
	char *save = NULL;
	if (!at)
		return false;
	at += sizeof MARK - 1;
	char *line = arena_strndup(arena, at, strcspn(at, "\n"));
	for (char *part = strtok_r(line, ";", &save); part; part = strtok_r(NULL, ";", &save))
		if (!read_part(arena, launch, part, diag))
			return false;
	return threads(launch->grid) <= 64 && threads(launch->block) <= 256;
}

static void run(struct arena *arena, const char *text, const struct launch *launch, uint32_t checks, unsigned cores)
{
	struct diag diag = {0};
	struct profile_watch watch = {.line = 1,
		.steps = STEPS,
		.cores = cores,
		.checks = checks,
		.defects = checks == SIMT_CHECK_ALL ? 4 : 0};
	struct ptx_module *module = ptx_parse(arena, "fuzz.ptx", text, strlen(text), &diag);
	struct launch here = *launch;
	if (module && ptx_kernel_count(module)) {
		here.kernel = ptx_kernel_name(module, 0);
		const struct profile *p = profile_run(arena, module, &here, watch, &diag);
		if (!p && !diag.errors)
			abort();
		if (p && (p->result.steps > STEPS || (p->result.outcome != SIMT_OK && !p->result.message[0])))
			abort();
	}
	diag_free(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const char *text = arena_strndup(arena, (const char *)data, size);
	struct launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
	launch.args = arena_array(arena, struct launch_arg, LAUNCH_ARGS_MAX);
	if (read_launch(arena, text, &launch, &diag)) {
		run(arena, text, &launch, SIMT_CHECK_ALL, 1);
		run(arena, text, &launch, SIMT_CHECK_NONE, 2);
	}
	diag_free(&diag);
	arena_free(arena);
	return 0;
}

#include "replay.h"
