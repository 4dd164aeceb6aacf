/* Fuzz target of PTX as anybody might write it: parse, and run whatever kernels there are, with tight limits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "machine/ptx/program.h"
#include "machine/simt/simt.h"
#include "model/probe/probe.h"
#include "model/profile/private.h"
#include "model/profile/times.h"

static void on_access(void *ctx, const struct simt_site *site, const struct warp_access *access)
{
	(void)site;
	uint64_t *seen = ctx;
	if ((!access->active && access->space != SPACE_SHARED) || !access->width || access->width > 16)
		abort();
	*seen += access->active ? access->address[__builtin_ctz(access->active)] : 0;
}

static void on_step(void *ctx, const struct simt_site *site, uint32_t active, uint32_t executing)
{
	uint64_t *seen = ctx;
	if (executing & ~active || !active)
		abort();
	*seen += (uint64_t)site->instr + site->block + site->warp + active;
}

#define STEPS 2000

/* With all checks, defects are collected and the run goes on; without, the first one ends it. On several cores nobody
 * listens. */
static void run_kernel(struct arena *arena, const struct ptx_kernel *kernel, uint32_t checks, uint32_t cores)
{
	struct simt_memory *memory = simt_memory_new(1 << 20);
	uint64_t buffer = simt_memory_alloc(memory, 65536), unwritten = simt_memory_alloc(memory, 4096), seen = 0;
	struct simt_listener listener = {.ctx = &seen, .access = on_access, .step = on_step};
	struct simt_defect defects[4];
	struct simt_report report = {.defects = defects, .cap = 4};
	uint32_t bytes = ptx_param_bytes(kernel);
	uint8_t *params = arena_alloc(arena, bytes + 8u);
	struct simt_launch launch = {
		.kernel = kernel,
		.grid = {2, 1, 1},
		.block = {40, 1, 1},
		.dynamic_shared = 256,
		.params = params,
		.limits = {.steps = STEPS, .threads = 1024, .shared = 65536, .cores = cores},
		.listener = cores == 1 ? &listener : NULL,
		.checks = checks,
		.report = checks == SIMT_CHECK_ALL ? &report : NULL,
	};
	struct simt_result result;

	simt_memory_uninitialized(memory, unwritten, SIZE_MAX);
	for (uint32_t at = 0; at + 8 <= bytes; at += 8)
		memcpy(params + at, at % 24 == 16 ? &unwritten : &buffer, 8);
	simt_run(&launch, memory, &result);
	if (result.steps > STEPS || (result.outcome != SIMT_OK && !result.message[0]) || report.n > report.cap)
		abort();
	simt_memory_free(memory);
}

/* What parses has to parse with probes too. */
static void probe_module(struct arena *arena, const struct ptx_module *module, enum probe_what what)
{
	int lines[64], n = 0;
	struct diag diag = {0};
	struct buf ptx = {0};
	struct probe_log log;

	for (int i = 0; i < module->n_kernels; i++)
		for (int k = 0; k < module->kernels[i]->n_instrs && n < 64; k++)
			lines[n++] = module->kernels[i]->instrs[k].line;
	struct probe_request request = {
		.what = what, .lines = lines, .n_lines = n, .n_blocks = 2, .n_warps = 2, .capacity = 4};
	struct probe *probe = what == PROBE_ACCESSES && !n ? NULL : probe_write(arena, module, &request, &ptx, &diag);
	if (probe) {
		if (!ptx_parse(arena, "probed.ptx", buf_str(&ptx), ptx.len, &diag))
			abort();
		size_t there = probe->bytes < ptx.len ? probe->bytes : ptx.len;
		const void *bytes = memcpy(arena_alloc(arena, probe->bytes), buf_str(&ptx), there);
		probe_read(arena, probe, (struct probe_bytes){bytes, probe->bytes}, &log, &diag);
	} else if (diag.errors) {
		abort();
	}
	buf_free(&ptx);
	diag_free(&diag);
}

/* A warp's life has no gap, and in every cycle each scheduler issues one instruction at most. */
static void check_schedule(const struct schedule_timeline *t)
{
	uint64_t issued = 0, spans = 0;
	for (int i = 0; i < TIMELINE_SCHEDULERS; i++) {
		issued += t->issued[i];
		if (t->issued[i] > t->end)
			abort();
	}
	for (int i = 0; i < t->n_rows; i++) {
		uint64_t at = 0;
		for (size_t k = 0; k < t->rows[i].n; k++) {
			const struct phase_span *span = &t->rows[i].spans[k];
			if (span->start != at || span->end <= at || span->phase >= PHASES)
				abort();
			at = span->end;
			spans += span->phase == PHASE_ISSUE ? span->end - span->start : 0;
		}
		if (at != t->rows[i].end)
			abort();
	}
	if (spans != issued)
		abort();
}

/* The model's timelines, with arguments of the parameters' sizes. */
static void time_kernel(
	struct arena *arena, struct ptx_module *module, const struct ptx_kernel *kernel, const char *name)
{
	static const char *const texts[] = {[1] = "b8:1", [2] = "b16:1", [4] = "b32:7", [8] = "b8[4096]"};
	struct launch_arg args[LAUNCH_ARGS_MAX];
	struct launch launch = {.kernel = name,
		.grid = {3, 1, 1},
		.block = {72, 1, 1},
		.shared = 256,
		.args = args,
		.n_args = ptx_param_count(kernel)};
	struct times_request request = {
		.block = 1, .warp = 2, .sms = 2, .gpu = "a GPU", .cc = 90, .steps = STEPS, .cores = 1};
	struct timelines times;
	struct diag diag = {0};
	bool fits = launch.n_args <= LAUNCH_ARGS_MAX;
	for (int i = 0; fits && i < launch.n_args; i++) {
		uint32_t size = ptx_kernel_param(kernel, i).size;
		fits = size < sizeof texts / sizeof *texts && texts[size] &&
			launch_arg_parse(arena, NULL, texts[size], &args[i], &diag);
	}
	if (fits) {
		profile_times_model(arena, module, &launch, &request, &times);
		if (!times.schedule && !times.why)
			abort();
		if (times.schedule)
			check_schedule(times.schedule);
	}
	diag_free(&diag);
}

/* The rules of machine instructions, for a launch that was stopped somewhere. */
static void count_machine_instructions(struct arena *arena, const struct ptx_kernel *kernel)
{
	int n = ptx_instr_count(kernel);
	uint64_t *executed = arena_array(arena, uint64_t, (size_t)n + 1);
	for (int i = 0; i < n; i++)
		executed[i] = (uint64_t)(i * 7 % 5);
	double all = profile_machine_instructions(kernel, executed);
	if (!(all >= 0 && all < 1e9))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct buf out = {0};
	struct ptx_module *module = ptx_parse(arena, "fuzz.ptx", (const char *)data, size, &diag);

	if (!module != (diag.errors > 0))
		abort();
	for (int i = 0; module && i < ptx_kernel_count(module) && i < 8; i++) {
		const struct ptx_kernel *kernel = ptx_find_kernel(module, ptx_kernel_name(module, i), &diag);
		for (int n = 0; kernel && n < ptx_instr_count(kernel) && n < 200; n++) {
			ptx_instr_print(kernel, n, &out);
			ptx_instr_location(kernel, n);
		}
		if (!kernel || kernel->local_bytes >= 65536)
			continue;
		run_kernel(arena, kernel, SIMT_CHECK_NONE, 1);
		run_kernel(arena, kernel, SIMT_CHECK_NONE, 2);
		run_kernel(arena, kernel, SIMT_CHECK_ALL, 1);
		time_kernel(arena, module, kernel, ptx_kernel_name(module, i));
		count_machine_instructions(arena, kernel);
	}
	for (int what = PROBE_STAMPS; module && what <= PROBE_ACCESSES; what++)
		probe_module(arena, module, (enum probe_what)what);
	diag_format(&diag, &out);
	buf_free(&out);
	diag_free(&diag);
	arena_free(arena);
	return 0;
}

#include "replay.h"
