/* The SIMT machine against plain C, side by side in one run: naive sgemm, a loop of fused multiply-adds, one of pairs
 * of halves, all defect checks against none, several cores against one, and the parse of a long kernel. Prints times,
 * instructions and ratios. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "machine_c.h"
#include "model/profile/device.h"
#include "model/profile/profile.h"

#define ARGS 6
#define TIMES 5 /* the least of so many runs is taken: everything else is other work of the computer */

/* One core is measured in the time the processor gave, several in the time that passed. */
static double now_ms(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double least(double so_far, double took)
{
	return so_far == 0 || took < so_far ? took : so_far;
}

/* --- the machine -------------------------------------------------------------------------------------------------- */

struct work {
	const char *kernel, *args[ARGS];
	uint32_t grid[3], block[3];
	int n_args;
};

static const struct work sgemm = {
	.kernel = "sgemm",
	.args = {"u32:256", "f32[65536]:random@1", "f32[65536]:random@2", "f32[65536]"},
	.n_args = 4,
	.grid = {16, 16, 1},
	.block = {16, 16, 1},
};
static const struct work fma_chains = {
	.kernel = "fma",
	.args = {"u32:4096", "f32:0.999", "f32:0.5", "f32[64]"},
	.n_args = 4,
	.grid = {1, 1, 1},
	.block = {64, 1, 1},
};
static const struct work half_chains = {
	.kernel = "half",
	.args = {"u32:1024", "u32:0x3bff3bff", "u32:0x30003800", "u32:0x3f7f3f7f", "u32:0x3e003f00", "u32[64]"},
	.n_args = 6,
	.grid = {1, 1, 1},
	.block = {64, 1, 1},
};

static struct ptx_module *load(struct arena *arena, const char *name, struct diag *diag)
{
	const char *top = getenv("top_srcdir");
	struct buf path = {0}, text = {0};
	buf_printf(&path, "%s/tests/bench/kernels/%s.ptx", top ? top : ".", name);
	struct ptx_module *m = NULL;
	if (file_read(buf_str(&path), 1 << 20, &text, diag))
		m = ptx_parse(arena, name, text.data, text.len, diag);
	buf_free(&path);
	buf_free(&text);
	return m;
}

/* How a launch is run: as under `run`, with what `watch` says, or only executed, its bounds checked. */
enum how { UNDER_THE_MODELS, BOUNDS_ONLY };

static struct simt_result execute(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	struct profile_watch watch, double *took, struct diag *diag)
{
	struct simt_result result = {.outcome = SIMT_ERROR};
	struct profile_before before = {.checks = SIMT_CHECK_DEFAULT};
	const struct ptx_kernel *kernel = profile_find_kernel(module, launch, diag);
	struct profile_device *device = kernel ? profile_device_open(module, launch, &before, diag) : NULL;
	const struct arguments *arguments = device ? profile_arguments_place(arena, kernel, launch, device, diag)
						   : NULL;
	if (arguments) {
		struct simt_launch machine = profile_simt_launch(kernel, launch, arguments);
		machine.limits.cores = watch.cores;
		machine.checks = SIMT_CHECK_DEFAULT; /* as where nobody asked for more */
		double start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
		simt_run(&machine, device->memory, &result);
		*took = now_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
	}
	profile_device_free(device);
	return result;
}

/* Milliseconds of one run; the warp instructions in `*steps`. Ends the program when it fails. */
static double run_once(const struct work *work, enum how how, struct profile_watch watch, uint64_t *steps)
{
	struct diag diag = {0};
	struct arena *arena = arena_new();
	struct launch_arg args[ARGS];
	struct launch launch = {.args = args, .n_args = work->n_args};
	struct ptx_module *module = load(arena, work->kernel, &diag);
	struct simt_result result = {.outcome = SIMT_ERROR};
	bool ok = module != NULL;

	memcpy(launch.grid, work->grid, sizeof launch.grid);
	memcpy(launch.block, work->block, sizeof launch.block);
	for (int i = 0; ok && i < work->n_args; i++)
		ok = launch_arg_parse(arena, NULL, work->args[i], &args[i], &diag);
	clockid_t clock = watch.cores == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
	double start = now_ms(clock), took = 0;
	if (ok && how == BOUNDS_ONLY) {
		result = execute(arena, module, &launch, watch, &took, &diag);
	} else if (ok) {
		struct profile *p = profile_run(arena, module, &launch, watch, &diag);
		took = now_ms(clock) - start;
		if (p)
			result = p->result;
	}
	if (result.outcome != SIMT_OK) {
		struct buf messages = {0};
		diag_format(&diag, &messages);
		fprintf(stderr, "%s: %s%s\n", work->kernel, buf_str(&messages), result.message);
		exit(EXIT_FAILURE);
	}
	*steps = result.steps;
	diag_free(&diag);
	arena_free(arena);
	return took;
}

static double least_of(const struct work *work, enum how how, struct profile_watch watch, uint64_t *steps)
{
	double best = 0;
	for (int i = 0; i < TIMES; i++)
		best = least(best, run_once(work, how, watch, steps));
	return best;
}

static double run(const struct work *work, struct profile_watch watch, uint64_t *steps)
{
	return least_of(work, UNDER_THE_MODELS, watch, steps);
}

/* --- plain C ------------------------------------------------------------------------------------------------------ */

static double time_sgemm_c(void)
{
	enum { N = 256 };
	float *a = malloc(3 * N * N * sizeof *a), *b = a + N * N, *c = b + N * N;
	double best = 0;

	for (int i = 0; i < 2 * N * N; i++)
		a[i] = (float)(i % 97) / 97;
	for (int i = 0; i < TIMES; i++) {
		double start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
		sgemm_c(N, a, b, c);
		best = least(best, now_ms(CLOCK_PROCESS_CPUTIME_ID) - start);
	}
	if (c[0] < 0)
		puts("never");
	free(a);
	return best;
}

static double time_fma_c(int rounds)
{
	float v[8][32] = {{0}};
	double best = 0;
	for (int i = 0; i < TIMES; i++) {
		double start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
		fma_c(rounds, 0.999f, 0.5f, v);
		best = least(best, now_ms(CLOCK_PROCESS_CPUTIME_ID) - start);
	}
	return best;
}

/* --- what is printed ---------------------------------------------------------------------------------------------- */

static void compare_sgemm(void)
{
	struct profile_watch watch = {.steps = UINT64_MAX, .cores = 1};
	uint64_t steps;
	double c = time_sgemm_c(), bounds = least_of(&sgemm, BOUNDS_ONLY, watch, &steps),
	       models = run(&sgemm, watch, &steps);
	watch.checks = SIMT_CHECK_ALL;
	double all = run(&sgemm, watch, &steps);
	printf("sgemm 256x256x256, %.2f M warp instructions, one core, against scalar C -O2, %.1f ms:\n",
		(double)steps / 1e6, c);
	printf("  bounds only          %6.1f ms, %4.1f ns each, ratio %4.1f (at most  2)\n", bounds,
		bounds * 1e6 / (double)steps, bounds / c);
	printf("  with access analysis %6.1f ms, %4.1f ns each, ratio %4.1f (at most  4)\n", models,
		models * 1e6 / (double)steps, models / c);
	printf("  with all checks      %6.1f ms, %4.1f ns each, ratio %4.1f (at most 10); %.1f of that with access analysis (at "
	       "most 3)\n",
		all, all * 1e6 / (double)steps, all / c, all / models);
}

static void compare_fma(void)
{
	enum { ROUNDS = 4096, C_TIMES = 16 };
	uint64_t steps;
	double machine = run(&fma_chains, (struct profile_watch){.steps = UINT64_MAX, .cores = 1}, &steps);
	double c = time_fma_c(ROUNDS * C_TIMES), each = machine * 1e6 / (double)steps,
	       c_each = c * 1e6 / (8.0 * ROUNDS * C_TIMES);
	printf("fma loop, registers only: %.2f M warp instructions, %.1f ns each; 32 lanes in C -O3 %.1f ns; ratio %.1f (at most "
	       "8)\n",
		(double)steps / 1e6, each, c_each, each / c_each);
}

static void time_halves(void)
{
	uint64_t steps;
	double took = run(&half_chains, (struct profile_watch){.steps = UINT64_MAX, .cores = 1}, &steps);
	printf("f16x2 and bf16x2 fma loop, registers only: %.2f M warp instructions, %.1f ns each\n",
		(double)steps / 1e6, took * 1e6 / (double)steps);
}

/* A body of arithmetic, loads, stores and branches, as long as it takes. */
static void parse_long_kernel(void)
{
	enum { LINES = 10000 };
	struct buf text = {0};
	double best = 0;

	buf_puts(&text,
		".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<9>;\n"
		".reg .b32 %r<999>;\n.reg .b64 %rd<99>;\n.reg .f32 %f<999>;\n");
	for (int i = 9; i < LINES - 1; i += 5)
		buf_printf(&text,
			"\tfma.rn.f32 \t%%f%d, %%f%d, %%f%d, 0f3F800000;\n\tld.global.u32 \t%%r%d, [%%rd%d+%d];\n"
			"\tsetp.lt.s32 \t%%p%d, %%r%d, %d;\n\t@%%p%d bra \t$L%d;\n$L%d:\tst.global.f32 \t[%%rd%d], %%f%d;\n",
			i % 999, i % 7, i % 13, i % 999, i % 99, i * 4, i % 9, i % 999, i, i % 9, i, i, i % 99,
			i % 999);
	buf_puts(&text, "}\n");
	for (int i = 0; i < TIMES; i++) {
		struct arena *arena = arena_new();
		struct diag diag = {0};
		double start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
		struct ptx_module *module = ptx_parse(arena, "long.ptx", text.data, text.len, &diag);
		best = least(best, now_ms(CLOCK_PROCESS_CPUTIME_ID) - start);
		if (!module)
			exit(EXIT_FAILURE);
		diag_free(&diag);
		arena_free(arena);
	}
	printf("parse of a kernel of %d lines: %.1f ms (at most 50)\n", LINES, best);
	buf_free(&text);
}

static void compare_cores(void)
{
	uint64_t steps;
	double one = run(&sgemm, (struct profile_watch){.steps = UINT64_MAX, .cores = 1}, &steps);
	double two = run(&sgemm, (struct profile_watch){.steps = UINT64_MAX, .cores = 2}, &steps);
	printf("sgemm, 256 blocks: one core %.1f ms, two cores %.1f ms; ratio %.2f (at least 1.8)\n", one, two,
		one / two);
}

int main(void)
{
	compare_sgemm();
	compare_fma();
	time_halves();
	compare_cores();
	parse_long_kernel();
	return EXIT_SUCCESS;
}
