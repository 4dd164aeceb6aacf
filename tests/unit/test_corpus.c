/* Kernels as nvcc and clang compile them, run and compared with the same computed here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"
#include "machine/simt/simt.h"

static const char *const compilers[] = {"nvcc13", "clang14"};

struct bench {
	struct arena *arena;
	struct diag diag;
	struct buf text;
	struct simt_memory *memory;
	const struct ptx_kernel *kernel;
	uint8_t params[256];
	int n_params;
	struct simt_launch launch;
	struct simt_result result;
};

static void load(struct bench *b, const char *path)
{
	const char *top = getenv("top_srcdir");
	char whole[4096];
	memset(b, 0, sizeof *b);
	snprintf(whole, sizeof whole, "%s/%s", top ? top : ".", path);
	b->arena = arena_new();
	b->memory = simt_memory_new(16 << 20);
	assert_true(file_read(whole, 1 << 20, &b->text, &b->diag));
	struct ptx_module *m = ptx_parse(b->arena, path, buf_str(&b->text), b->text.len, &b->diag);
	b->kernel = m ? ptx_find_kernel(m, NULL, &b->diag) : NULL;
	if (!b->kernel)
		fail_msg("%s:%d: %s", path, b->diag.entries[0].line, b->diag.entries[0].message);
}

static void load_corpus(struct bench *b, const char *kernel, const char *compiler)
{
	char path[100];
	snprintf(path, sizeof path, "tests/ptx/corpus/%s-%s.ptx", kernel, compiler);
	load(b, path);
}

static void done(struct bench *b)
{
	simt_memory_free(b->memory);
	buf_free(&b->text);
	diag_free(&b->diag);
	arena_free(b->arena);
}

static void pass(struct bench *b, const void *value, size_t size)
{
	assert_int_equal(ptx_kernel_param(b->kernel, b->n_params).size, size);
	memcpy(b->params + ptx_kernel_param(b->kernel, b->n_params++).offset, value, size);
}

static void pass_int(struct bench *b, int value)
{
	pass(b, &value, sizeof value);
}

/* A buffer, passed as the next parameter; its host address. */
static void *pass_buffer(struct bench *b, size_t bytes)
{
	uint64_t address = simt_memory_alloc(b->memory, bytes);
	assert_true(address != 0);
	pass(b, &address, sizeof address);
	return simt_memory_at(b->memory, address, bytes);
}

static void launch(struct bench *b, uint32_t grid_x, uint32_t grid_y, uint32_t block_x, uint32_t block_y)
{
	assert_int_equal(b->n_params, ptx_param_count(b->kernel));
	b->launch.kernel = b->kernel;
	memcpy(b->launch.grid, (uint32_t[]){grid_x, grid_y, 1}, sizeof b->launch.grid);
	memcpy(b->launch.block, (uint32_t[]){block_x, block_y, 1}, sizeof b->launch.block);
	b->launch.params = b->params;
	simt_run(&b->launch, b->memory, &b->result);
	if (b->result.outcome != SIMT_OK)
		fail_msg("outcome %d at line %d: %s", b->result.outcome, b->result.place.line, b->result.message);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void saxpy(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		enum { N = 1000 };
		struct bench b;
		float a = 2.5f, want[N];
		uint32_t seed = 1;
		load_corpus(&b, "saxpy", compilers[k]);
		pass_int(&b, N);
		pass(&b, &a, sizeof a);
		float *x = pass_buffer(&b, N * sizeof *x), *y = pass_buffer(&b, N * sizeof *y);
		for (int i = 0; i < N; i++) {
			x[i] = (float)next_random(&seed) / 1000;
			y[i] = (float)next_random(&seed) / 777;
			want[i] = fmaf(a, x[i], y[i]);
		}
		launch(&b, 3, 1, 96, 1);
		assert_memory_equal(y, want, sizeof want);
		done(&b);
	}
}

static void reduce(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		enum { N = 1000 };
		struct bench b;
		uint32_t seed = 2;
		int want[4] = {0};
		load_corpus(&b, "reduce", compilers[k]);
		int *in = pass_buffer(&b, N * sizeof *in), *out = pass_buffer(&b, sizeof want);
		pass_int(&b, N);
		for (int i = 0; i < N; i++)
			want[i / 256] += in[i] = (int)next_random(&seed) - 8000000;
		b.launch.dynamic_shared = 256 * sizeof(int);
		launch(&b, 4, 1, 256, 1);
		assert_memory_equal(out, want, sizeof want);
		done(&b);
	}
}

static void transpose(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		enum { W = 70, H = 45 };
		struct bench b;
		load_corpus(&b, "transpose", compilers[k]);
		float *in = pass_buffer(&b, W * H * sizeof *in), *out = pass_buffer(&b, W * H * sizeof *out);
		pass_int(&b, W);
		pass_int(&b, H);
		for (int i = 0; i < W * H; i++)
			in[i] = (float)i;
		launch(&b, 3, 2, 32, 8);
		for (int y = 0; y < H; y++) {
			for (int x = 0; x < W; x++)
				assert_true(out[x * H + y] == in[y * W + x]);
		}
		done(&b);
	}
}

static void histogram(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		enum { N = 5000 };
		struct bench b;
		uint32_t seed = 3;
		unsigned want[256] = {0};
		load_corpus(&b, "histogram", compilers[k]);
		uint8_t *in = pass_buffer(&b, N);
		pass_int(&b, N);
		unsigned *bins = pass_buffer(&b, sizeof want);
		for (int i = 0; i < N; i++)
			want[in[i] = (uint8_t)(next_random(&seed) & next_random(&seed))]++;
		launch(&b, 3, 1, 128, 1);
		assert_memory_equal(bins, want, sizeof want);
		done(&b);
	}
}

static void collatz(void **state)
{
	(void)state;
	static const int weight[10] = {1, -2, 3, -4, 5, -6, 7, -8, 9, -10};
	for (int k = 0; k < 2; k++) {
		enum { N = 100 };
		struct bench b;
		load_corpus(&b, "collatz", compilers[k]);
		uint64_t *in = pass_buffer(&b, N * sizeof *in);
		int *steps = pass_buffer(&b, N * sizeof *steps), *digits = pass_buffer(&b, N * sizeof *digits);
		double *mean = pass_buffer(&b, N * sizeof *mean);
		pass_int(&b, N);
		for (int i = 0; i < N; i++)
			in[i] = i < 50 ? (uint64_t)i : 1000000007u * (uint64_t)i;
		launch(&b, 2, 1, 64, 1);
		for (int i = 0; i < N; i++) {
			int count = 0, sum = 0;
			double total = 0;
			for (uint64_t v = in[i]; v > 1; v = v % 2 ? 3 * v + 1 : v / 2, count++)
				total += (double)v;
			for (uint64_t v = in[i]; v; v /= 10)
				sum += weight[v % 10];
			assert_int_equal(steps[i], count);
			assert_int_equal(digits[i], sum);
			assert_true(mean[i] == (count ? total / count : 0));
		}
		done(&b);
	}
}

static void sgemm(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		enum { N = 37 };
		struct bench b;
		uint32_t seed = 4;
		load_corpus(&b, "sgemm", compilers[k]);
		pass_int(&b, N);
		float *x = pass_buffer(&b, N * N * 4), *y = pass_buffer(&b, N * N * 4), *z = pass_buffer(&b, N * N * 4);
		for (int i = 0; i < N * N; i++) {
			x[i] = (float)next_random(&seed) / 1e6f;
			y[i] = (float)next_random(&seed) / 1e6f;
		}
		launch(&b, 3, 3, 16, 16);
		for (int i = 0; i < N * N; i++) {
			float sum = 0;
			for (int j = 0; j < N; j++)
				sum = fmaf(x[i / N * N + j], y[j * N + i % N], sum);
			assert_true(z[i] == sum);
		}
		done(&b);
	}
}

/* --- the lesson's kernel: both compilers' code makes the same accesses -------------------------------------------- */

struct trace {
	struct {
		struct simt_site site;
		struct warp_access access;
	} list[2048];
	int n;
};

/* Parameters are loaded in an order that is the compiler's. */
static void record(void *ctx, const struct simt_site *site, const struct warp_access *access)
{
	struct trace *t = ctx;
	if (access->space != SPACE_SHARED && access->space != SPACE_GLOBAL)
		return;
	assert_true(t->n < 2048);
	t->list[t->n].site = *site;
	t->list[t->n++].access = *access;
}

static void run_stride(const char *path, uint32_t stride, struct trace *trace, float *result)
{
	struct bench b;
	struct simt_listener listener = {.ctx = trace, .access = record};
	uint32_t rounds = 3;
	load(&b, path);
	float *in = pass_buffer(&b, 1024 * 4), *out = pass_buffer(&b, 2 * 96 * 4);
	pass(&b, &stride, sizeof stride);
	pass(&b, &rounds, sizeof rounds);
	for (int i = 0; i < 1024; i++)
		in[i] = (float)(i * i % 1021);
	b.launch.listener = &listener;
	trace->n = 0;
	launch(&b, 2, 1, 96, 1);
	memcpy(result, out, 2 * 96 * 4);
	for (uint32_t i = 0; i < 2 * 96; i++)
		assert_true(out[i] == 3 * in[i % 32 * stride]);
	done(&b);
}

static int ackermann(int m, int n)
{
	return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static void want_calls(int t, int n, int out[3], double *wide)
{
	int c[5] = {1, 2, 3, 4, 5}, by = n + t, picked[3] = {t / 2, t * 3, -t}, x = t % 5 - 1;
	c[by & 3] += 7;
	out[0] = picked[t % 3] + (x < 0 ? 0 : t & 1 ? 2 * x : x) + (t & 2 ? n * t : n * n + t);
	out[1] = ackermann(t % 3, t % 4);
	out[2] = t + by + c[0] + 10 * c[1] + 100 * c[2] + 1000 * c[3] + 10000 * c[4];
	*wide = (t + 0.25) * by;
}

static void calls(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		enum { N = 96 };
		struct bench b;
		load_corpus(&b, "calls", compilers[k]);
		int *out = pass_buffer(&b, 3 * N * sizeof *out);
		double *wide = pass_buffer(&b, N * sizeof *wide);
		pass_int(&b, 5);
		launch(&b, 1, 1, N, 1);
		for (int t = 0; t < N; t++) {
			int want[3];
			double w;
			want_calls(t, 5, want, &w);
			assert_memory_equal(&out[3 * t], want, sizeof want);
			assert_memory_equal(&wide[t], &w, sizeof w);
		}
		done(&b);
	}
}

static void shared_stride(void **state)
{
	(void)state;
	static struct trace a, b;
	float x[2 * 96], y[2 * 96];
	for (uint32_t stride = 0; stride <= 33; stride++) {
		run_stride("kernels/shared_stride.ptx", stride, &a, x);
		run_stride("tests/ptx/corpus/shared_stride-clang14.ptx", stride, &b, y);
		assert_memory_equal(x, y, sizeof x);
		assert_int_equal(a.n, b.n);
		int loads = 0;
		for (int i = 0; i < a.n; i++) {
			const struct simt_site *at = &a.list[i].site, *other = &b.list[i].site;
			const struct warp_access *p = &a.list[i].access, *q = &b.list[i].access;
			assert_true(at->block == other->block && at->warp == other->warp);
			assert_true(p->active == q->active && p->space == q->space && p->op == q->op &&
				p->width == q->width);
			for (uint32_t lane = 0; lane < 32; lane++) {
				if (p->active >> lane & 1)
					assert_int_equal(p->address[lane], q->address[lane]);
				if (p->space == SPACE_SHARED && p->op == ACCESS_LOAD)
					assert_int_equal(p->address[lane], lane * stride * 4);
			}
			loads += p->space == SPACE_SHARED && p->op == ACCESS_LOAD;
		}
		assert_int_equal(loads, 2 * 3 * 3); /* blocks, warps, rounds: no other shared loads */
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(saxpy),
		cmocka_unit_test(reduce),
		cmocka_unit_test(transpose),
		cmocka_unit_test(histogram),
		cmocka_unit_test(collatz),
		cmocka_unit_test(sgemm),
		cmocka_unit_test(calls),
		cmocka_unit_test(shared_stride),
	};
	return cmocka_run_group_tests_name("corpus", tests, NULL, NULL);
}
