/* How long a turn of a parameter costs: one run of the lesson's kernel on the machine with the models listening. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/file.h"
#include "model/profile/profile.h"

#define RUNS 20

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Milliseconds of one run, negative when it failed. */
static double run(const struct buf *ptx, const char *stride, struct diag *diag)
{
	static const char *const texts[] = {"f32[1024]:iota", "f32[1024]", NULL, "u32:32"};
	struct arena *arena = arena_new();
	struct launch_arg args[4];
	struct launch launch = {
		.kernel = "shared_stride", .grid = {8, 1, 1}, .block = {128, 1, 1}, .args = args, .n_args = 4};
	double start = now_ms();
	struct ptx_module *module = ptx_parse(arena, "shared_stride.ptx", ptx->data, ptx->len, diag);
	bool ok = module != NULL;
	for (int i = 0; ok && i < 4; i++)
		ok = launch_arg_parse(arena, NULL, texts[i] ? texts[i] : stride, &args[i], diag);
	struct profile *p = ok ? profile_run(arena, module, &launch, (struct profile_watch){0}, diag) : NULL;
	ok = p && p->result.outcome == SIMT_OK;
	double took = now_ms() - start;
	arena_free(arena);
	return ok ? took : -1;
}

int main(void)
{
	const char *top = getenv("top_srcdir"), *strides[] = {"u32:1", "u32:32"};
	struct buf path = {0}, ptx = {0}, messages = {0};
	struct diag diag = {0};
	int failed = 0;

	buf_printf(&path, "%s/kernels/shared_stride.ptx", top ? top : ".");
	failed = !file_read(buf_str(&path), 1 << 20, &ptx, &diag);
	for (size_t s = 0; !failed && s < sizeof strides / sizeof *strides; s++) {
		double ms[RUNS];
		for (int i = 0; i < RUNS; i++) {
			ms[i] = run(&ptx, strides[s], &diag);
			failed |= ms[i] < 0;
		}
		qsort(ms, RUNS, sizeof *ms, compare);
		printf("profile of shared_stride, 8 blocks of 128, 32 rounds, %s: parse and run %.2f ms (median of %d)\n",
			strides[s], ms[RUNS / 2], RUNS);
	}
	diag_format(&diag, &messages);
	fputs(buf_str(&messages), stderr);
	buf_free(&messages);
	buf_free(&ptx);
	buf_free(&path);
	diag_free(&diag);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
