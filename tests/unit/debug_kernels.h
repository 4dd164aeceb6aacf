/* The kernels of tests/run, opened in a debugger: for its unit tests and its golden pictures. */
#pragma once
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "front/debug/debug.h"
#include "model/profile/profile.h"

struct opened {
	struct arena *arena;
	struct launch launch;
	struct ptx_module *module;
	struct debug *debug;
};

static const struct debug_launch {
	const char *name, *kernel, *grid, *block, *args;
} debug_launches[] = {
	{"histogram", "_Z9histogramPKjiPj", "2", "128", "u32[1000]:random@3 s32:1000 u32[4]"},
	{"matmul", "matmul", "2,2", "16,16", "s32:32 s32[1024]:iota s32[1024]:iota s32[1024]"},
	{"stencil", "_Z7stencilPKiPii", "2", "64", "s32[100]:iota s32[100] s32:100"},
	{"stencil", "_Z17stencil_unboundedPKiPi", "1", "64", "s32[64]:iota s32[64]"},
	{"scan", "_Z4scanPKiPi", "1", "128", "s32[128]:iota s32[128]"},
	{"calls", "calls", "1", "32", "s32[32]"},
	{"traffic", "local_array", "1", "32", "u32[1024]:iota u32[32]"},
	{"../defects/tile", "_Z18tile_reuse_missingPKjPji", "1", "64", "u32[256]:iota u32[64] s32:4"},
	{"variables", "variables", "1", "32", "s32[32] (f32:1.5;f32:2;s32:3) f32[32]:iota s32:5"},
	{"variables-clang", "variables", "1", "32", "s32[32] (f32:1.5;f32:2;s32:3) f32[32]:iota s32:5"},
	{"softmax", "_Z7softmaxPKfPKiPf", "1", "32,4", "f32[128]:random@5 s32[]:32,20,7,1 f32[128]"},
};

static inline const char *debug_top(void)
{
	const char *dir = getenv("top_srcdir");
	return dir ? dir : ".";
}

static inline char *debug_read(struct arena *arena, const char *name, const char *ending, size_t *len)
{
	struct buf text = {0};
	struct diag diag = {0};
	if (!file_read(arena_printf(arena, "%s/tests/run/%s%s", debug_top(), name, ending), 1 << 20, &text, &diag))
		abort();
	*len = text.len;
	char *copy = arena_strndup(arena, buf_str(&text), text.len);
	buf_free(&text);
	return copy;
}

static inline void debug_read_args(struct opened *o, const char *args, struct diag *diag)
{
	char word[64];
	o->launch.args = arena_array(o->arena, struct launch_arg, 8);
	for (int n; sscanf(args, " %63s%n", word, &n) == 1; args += n)
		if (!launch_arg_parse(
			    o->arena, "test", arena_strdup(o->arena, word), &o->launch.args[o->launch.n_args++], diag))
			abort();
}

static inline struct opened debug_open_as(
	const char *name, const char *kernel, const char *source, const char *ptx_text, size_t text_len)
{
	struct opened o = {.arena = arena_new()};
	struct diag diag = {0};
	struct debug_setup setup = {.launch = &o.launch, .checks = SIMT_CHECK_ALL, .cc = MODEL_CC_DEFAULT};
	const struct debug_launch *l = debug_launches;
	size_t len;
	while (strcmp(l->name, name) != 0 || !strstr(l->kernel, kernel))
		l++;
	o.launch.kernel = l->kernel;
	launch_dim_parse("grid", l->grid, o.launch.grid, &diag);
	launch_dim_parse("block", l->block, o.launch.block, &diag);
	debug_read_args(&o, l->args, &diag);
	char *ptx = ptx_text ? arena_strndup(o.arena, ptx_text, len = text_len)
			     : debug_read(o.arena, name, ".ptx", &len);
	o.module = setup.module = ptx_parse(o.arena, name, ptx, len, &diag);
	setup.ptx = (struct source){.file = name, .text = ptx, .len = len};
	source_open(o.arena, &setup.ptx, &diag);
	if (source) {
		/* NAME-COMPILER.ptx is of NAME.cu */
		const char *of = arena_strndup(o.arena, name, strcspn(name, "-"));
		char *text = debug_read(o.arena, of, source, &len);
		setup.source = (struct source){.file = name, .text = text, .len = len};
		source_open(o.arena, &setup.source, &diag);
	}
	/* the launch outlives this function where the debugger looks for it */
	struct launch *kept = arena_alloc(o.arena, sizeof *kept);
	*kept = o.launch;
	setup.launch = kept;
	o.debug = o.module ? debug_new(&setup, &diag) : NULL;
	if (!o.debug)
		abort();
	diag_free(&diag);
	return o;
}

/* The launch of `name` whose kernel's name holds `kernel`; `source` NULL: without its source. */
static inline struct opened debug_open(const char *name, const char *kernel, const char *source)
{
	return debug_open_as(name, kernel, source, NULL, 0);
}

/* The same of its first kernel, with this text for its PTX. */
static inline struct opened debug_open_text(const char *name, const char *text, size_t len)
{
	return debug_open_as(name, "", NULL, text, len);
}

static inline void debug_close(struct opened *o)
{
	debug_free(o->debug);
	arena_free(o->arena);
}

/* A command that must be fine, and all that it begins. */
static inline bool debug_do(struct debug *debug, const char *command)
{
	struct diag diag = {0};
	struct diag_pos at = {.file = "test", .line = 1, .text = command, .text_len = strlen(command)};
	bool ok = debug_command(debug, command, at, &diag);
	debug_finish(debug);
	diag_free(&diag);
	return ok;
}
