/* The programs of `simttutor validate flow` on a GPU, by the driver alone: many modules in many processes, which the worker,
 * made for one launch after the other, takes too long for.
 *
 *   flow source FIRST N             prints the programs of these seeds as one file of CUDA C++
 *   flow run FIRST N FILE...        runs them, as each FILE has them, PTX or a cubin, against the reference
 *
 * Prints a line for each program that differs, hangs or fails, and then for each file "FILE: N programs, N differ, N
 * hang, N fail". Exit status 1 when there is any. A kernel that does not end in time, or after whose fault the context
 * is of no use, ends its process; another goes on with the next program, unless too many have. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "model/validate/flow.h"

/* clang-format off */
#define DRIVER_FUNCTIONS(F) \
	F(cuModuleUnload) F(cuLaunchKernel) F(cuMemAlloc) F(cuMemFree) F(cuMemcpyHtoD) F(cuMemcpyDtoH) F(cuMemsetD8) \
	F(cuStreamQuery)
/* clang-format on */
#include "tests/gpu/driver.h"

#define PATIENCE_MS 1000
#define LOST_MAX 12 /* programs of a file; then it is given up */
#define FILE_MAX ((size_t)256 << 20)

enum { ENDED, LOST = 3 };

/* What a process that is lost leaves to the next one. */
struct counts {
	uint64_t next, done, differ, hang, fail;
};

static void flow_name(char name[40], uint64_t seed)
{
	snprintf(name, 40, "flow_%" PRIu64, seed);
}

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int print_source(uint64_t first, uint64_t n)
{
	struct buf out = {0};
	validate_flow_write_head(&out);
	for (uint64_t seed = first; seed < first + n; seed++) {
		struct arena *arena = arena_new();
		char name[40];
		flow_name(name, seed);
		validate_flow_write(validate_flow_generate(arena, seed), name, &out);
		arena_free(arena);
	}
	fwrite(out.data, 1, out.len, stdout);
	buf_free(&out);
	return 0;
}

/* False: the context is lost. */
static bool run_one(CUmodule module, const char *file, uint64_t seed, struct counts *counts)
{
	struct arena *arena = arena_new();
	const struct flow_program *flow = validate_flow_generate(arena, seed);
	uint32_t all = flow->blocks * flow->threads, differ = 0, first = 0;
	size_t bytes = all * sizeof(uint32_t), masks = bytes * (flow->rows ? flow->rows : 1);
	uint32_t *results = arena_array(arena, uint32_t, all);
	CUfunction function;
	CUdeviceptr out, table;
	char name[40];
	bool good = true;
	flow_name(name, seed);
	counts->done++;
	MUST(cuModuleGetFunction(&function, module, name));
	MUST(cuMemAlloc(&out, bytes));
	MUST(cuMemAlloc(&table, masks));
	MUST(cuMemsetD8(out, 0xA5, bytes));
	MUST(cuMemcpyHtoD(table, flow->table, masks));
	void *params[] = {&out, &table};
	CUresult result = driver.cuLaunchKernel(
		function, flow->blocks, 1, 1, flow->threads, 1, 1, 0, NULL, params, NULL);
	for (double until = now_ms() + PATIENCE_MS; result == CUDA_SUCCESS;) {
		result = driver.cuStreamQuery(NULL);
		if (result != CUDA_ERROR_NOT_READY)
			break;
		result = CUDA_SUCCESS;
		if (now_ms() > until) {
			printf("%s: program %" PRIu64 " does not end\n", file, seed);
			counts->hang++;
			arena_free(arena);
			return false;
		}
	}
	if (result == CUDA_SUCCESS)
		result = driver.cuMemcpyDtoH(results, out, bytes);
	if (result != CUDA_SUCCESS) {
		printf("%s: program %" PRIu64 " fails with %d\n", file, seed, (int)result);
		counts->fail++;
		good = false;
	}
	for (uint32_t i = all; good && i-- > 0;)
		if (results[i] != flow->expected[i]) {
			first = i;
			differ++;
		}
	if (differ) {
		printf("%s: program %" PRIu64 ": %" PRIu32 " of %" PRIu32
		       " results differ, the first of thread %" PRIu32 " of block %" PRIu32 ": 0x%" PRIx32
		       ", and by the reference 0x%" PRIx32 "\n",
			file, seed, differ, all, first % flow->threads, first / flow->threads, results[first],
			flow->expected[first]);
		counts->differ++;
	}
	if (good) {
		MUST(cuMemFree(out));
		MUST(cuMemFree(table));
	}
	arena_free(arena);
	return good;
}

/* In a process of its own, from program counts[f].next of file f on. */
static int run_files(uint64_t first, uint64_t n, int n_files, char **files, struct counts *counts)
{
	driver_open();
	for (int f = 0; f < n_files; f++) {
		if (counts[f].next == n || counts[f].hang + counts[f].fail >= LOST_MAX)
			continue;
		FILE *in = fopen(files[f], "rb");
		char *text = malloc(FILE_MAX);
		size_t len = in && text ? fread(text, 1, FILE_MAX - 1, in) : 0;
		CUmodule module;
		if (!len)
			driver_bail(files[f], -1);
		fclose(in);
		text[len] = '\0';
		MUST(cuModuleLoadData(&module, text));
		free(text);
		while (counts[f].next < n)
			if (!run_one(module, files[f], first + counts[f].next++, &counts[f]))
				return LOST;
		MUST(cuModuleUnload(module));
	}
	return ENDED;
}

static int run_all(uint64_t first, uint64_t n, int n_files, char **files)
{
	size_t bytes = (size_t)n_files * sizeof(struct counts);
	struct counts *counts = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool bad = false;
	if (counts == MAP_FAILED)
		driver_bail("mmap", -1);
	for (int status = LOST; status == LOST;) {
		fflush(stdout);
		pid_t child = fork();
		if (child < 0)
			driver_bail("fork", -1);
		if (child == 0) {
			status = run_files(first, n, n_files, files, counts);
			fflush(stdout);
			_exit(status); /* what the driver would do at the end may wait for a kernel that does not end */
		}
		if (waitpid(child, &status, 0) < 0)
			driver_bail("waitpid", -1);
		status = WIFEXITED(status) ? WEXITSTATUS(status) : 99;
		if (status != ENDED && status != LOST)
			return status;
	}
	for (int f = 0; f < n_files; f++) {
		printf("%s: %" PRIu64 " programs, %" PRIu64 " differ, %" PRIu64 " hang, %" PRIu64 " fail\n", files[f],
			counts[f].done, counts[f].differ, counts[f].hang, counts[f].fail);
		bad |= counts[f].differ || counts[f].hang || counts[f].fail || counts[f].done != n;
	}
	return bad;
}

int main(int argc, char **argv)
{
	bool run = argc > 4 && strcmp(argv[1], "run") == 0;
	if (!run && (argc != 4 || strcmp(argv[1], "source") != 0)) {
		fprintf(stderr, "usage: flow source FIRST N | flow run FIRST N FILE...\n");
		return 2;
	}
	uint64_t first = strtoull(argv[2], NULL, 10), n = strtoull(argv[3], NULL, 10);
	return run ? run_all(first, n, argc - 4, argv + 4) : print_source(first, n);
}
