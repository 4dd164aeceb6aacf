/* Micro-kernels, from which the parameters of the model of time are read off: caches, their latencies and policies,
 * bandwidths, pipes, launches. None of them is a launch that the model is judged by. Prints TAP, one line for each
 * section, and writes what it found to OUT: lines of WHAT, PARAMETERS, VALUE and UNIT between tabs. Takes half a
 * minute.
 *
 *   micro MICRO.ptx OUT        tests/time/micro.ptx
 *   micro MICRO.ptx OUT pipes  the pipes alone; tlb: how far translations of addresses reach
 *   micro --ptx                prints the kernels that it writes itself, divided by lines of "//" */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"

/* clang-format off */
#define DRIVER_FUNCTIONS(F) \
	F(cuDeviceGetAttribute) F(cuDeviceGetName) F(cuDriverGetVersion) F(cuCtxSynchronize) F(cuModuleUnload) F(cuLaunchKernel) \
	F(cuMemAlloc) F(cuMemFree) F(cuMemcpyHtoD) F(cuMemcpyDtoH) F(cuMemsetD8) F(cuFuncSetAttribute) \
	F(cuFuncGetAttribute) F(cuEventCreate) F(cuEventRecord) F(cuEventSynchronize) F(cuEventElapsedTime)
/* clang-format on */
#include "tests/gpu/driver.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define MEMORY (8192 * MIB) /* what rings and streams are in */
#define FLUSH (512 * MIB)   /* more than an L2 cache */
#define RESULTS (32 * MIB)  /* what kernels write */
#define BLOCKS_MAX ((size_t)1 << 20)
#define LINE 128
#define SECTOR 32
#define HIT_CYCLES 70 /* a load that takes longer did not hit L1: a hit takes 35 */

static struct {
	CUmodule module;
	CUdeviceptr memory, flush, results;
	CUevent before, after;
	int sms;
	FILE *out;
	int sections;
	uint64_t *words; /* RESULTS bytes */
} micro;

/* --- what was found ----------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void found(double value, const char *unit, const char *what, ...)
{
	va_list ap;
	va_start(ap, what);
	vfprintf(micro.out, what, ap);
	va_end(ap);
	fprintf(micro.out, "\t%.6g\t%s\n", value, unit);
}

static void end_section(const char *name)
{
	fflush(micro.out);
	printf("ok %d - %s\n", ++micro.sections, name);
	fflush(stdout);
}

/* --- launching ---------------------------------------------------------------------------------------------------- */

static CUfunction find_kernel(const char *name)
{
	CUfunction function;
	MUST(cuModuleGetFunction(&function, micro.module, name));
	return function;
}

/* The share of an SM's memory that is to be shared memory, in percent; the rest is L1. */
static void set_carveout(CUfunction function, int percent)
{
	MUST(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, percent));
}

struct shape {
	unsigned blocks, threads, shared;
};

static void launch(CUfunction function, struct shape s, void **params)
{
	MUST(cuLaunchKernel(function, s.blocks, 1, 1, s.threads, 1, 1, s.shared, NULL, params, NULL));
}

static void read_results(size_t bytes)
{
	MUST(cuCtxSynchronize());
	MUST(cuMemcpyDtoH(micro.words, micro.results, bytes));
}

static void flush_l2(void)
{
	MUST(cuMemsetD8(micro.flush, 1, FLUSH));
	MUST(cuCtxSynchronize());
}

/* A ring of n nodes, `stride` bytes apart, one after the other or in an order that looks random (n a power of two). */
static void lay_ring(uint64_t stride, unsigned n, bool random)
{
	CUdeviceptr base = micro.memory;
	unsigned a = random ? 1664525 : 1, c = random ? 1013904223 : 1, mask = random ? n - 1 : 0;
	launch(find_kernel("link_ring"), (struct shape){1024, 256, 0}, (void *[]){&base, &stride, &n, &a, &c, &mask});
	MUST(cuCtxSynchronize());
}

/* Cycles of a link on average. */
static double chase(CUfunction kernel, unsigned warm, unsigned links)
{
	CUdeviceptr start = micro.memory, out = micro.results;
	launch(kernel, (struct shape){1, 1, 0}, (void *[]){&start, &warm, &links, &out});
	read_results(24);
	return (double)micro.words[0] / links;
}

/* The cycles of each link, at most 4096. */
static const uint32_t *chase_each(CUfunction kernel, unsigned blocks, unsigned warm, unsigned links)
{
	CUdeviceptr start = micro.memory, out = micro.results;
	launch(kernel, (struct shape){blocks, 1, 0}, (void *[]){&start, &warm, &links, &out});
	read_results((size_t)blocks * links * sizeof(uint32_t));
	return (const uint32_t *)micro.words;
}

static unsigned count_hits(const uint32_t *cycles, unsigned n)
{
	unsigned hits = 0;
	for (unsigned i = 0; i < n; i++)
		hits += cycles[i] < HIT_CYCLES;
	return hits;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* --- L1 ----------------------------------------------------------------------------------------------------------- */

static void measure_l1_size(void)
{
	static const int carveouts[] = {0, 10, 25, 50, 75, 100};
	CUfunction kernel = find_kernel("chase_ca");
	for (size_t c = 0; c < sizeof carveouts / sizeof *carveouts; c++) {
		set_carveout(kernel, carveouts[c]);
		for (unsigned kib = 8; kib <= 272; kib += 8) {
			unsigned n = kib * 1024 / LINE;
			lay_ring(LINE, n, false);
			found(chase(kernel, 2 * n, n), "cycles", "l1_size\tcarveout=%d stride=%d kib=%u", carveouts[c],
				LINE, kib);
		}
	}
	set_carveout(kernel, 0);
	for (unsigned kib = 16; kib <= 272; kib += 16) {
		unsigned n = kib * 1024 / SECTOR;
		lay_ring(SECTOR, n, false);
		found(chase(kernel, 2 * n, n), "cycles", "l1_size\tcarveout=0 stride=%d kib=%u", SECTOR, kib);
	}
	end_section("l1_size");
}

/* How many of n lines, `stride` bytes apart, are still there when they are read again. */
static void measure_l1_sets(void)
{
	CUfunction kernel = find_kernel("each_ca");
	set_carveout(kernel, 0);
	for (uint64_t stride = LINE; stride <= 256 * KIB; stride *= 2) {
		for (unsigned n = 1; n <= 2048; n += n < 8 ? 1 : n / 8 * (n < 256 ? 1 : 4)) {
			lay_ring(stride, n, false);
			unsigned hits = count_hits(chase_each(kernel, 1, 2 * n, n), n);
			found(hits, "hits", "l1_sets\tstride=%u n=%u", (unsigned)stride, n);
		}
	}
	/* all lines in L1 and then some, in the order of the ring and in another */
	for (unsigned kib = 176; kib <= 256; kib += 8) {
		unsigned n = kib * 1024 / LINE;
		lay_ring(LINE, n, false);
		found(count_hits(chase_each(kernel, 1, 3 * n, n), n), "hits", "l1_replacement\tn=%u", n);
	}
	end_section("l1_sets");
}

/* A ring through all sectors of some lines, which L1 does not have yet. */
static void measure_sectors(void)
{
	static const struct {
		const char *name, *kernel;
		bool flush;
	} cases[] = {
		{"l1_sectors", "each_ca", false}, {"l2_sectors", "each_cg", true}, {"l1_l2_sectors", "each_ca", true}};
	for (size_t c = 0; c < 3; c++) {
		lay_ring(SECTOR, 4096, false);
		if (cases[c].flush)
			flush_l2();
		const uint32_t *cycles = chase_each(find_kernel(cases[c].kernel), 1, 0, 4096);
		for (unsigned at = 0; at < 16; at++) {
			double sum = 0;
			for (unsigned i = 1024 + at; i < 4096; i += 16)
				sum += cycles[i];
			found(sum / (3072 / 16), "cycles", "%s\tsector=%u of 16", cases[c].name, at);
		}
	}
	end_section("sectors");
}

static void measure_policy(void)
{
	static const char *const steps[] = {"load", "load again", "load after store to loaded", "load again",
		"load after store", "sector beside it", "again", "first load", "sector 1 beside it", "sector 2",
		"sector 3", "next line", "load after red to loaded", "L2 load of loaded", "load after that", "-"};
	uint32_t least[16];
	CUfunction kernel = find_kernel("store_policy");
	for (int run = 0; run < 5; run++) {
		CUdeviceptr data = micro.memory, out = micro.results;
		MUST(cuMemsetD8(data, 0, 64 * KIB));
		launch(kernel, (struct shape){1, 1, 0}, (void *[]){&data, &out});
		read_results(sizeof least);
		for (int i = 0; i < 16; i++) {
			uint32_t cycles = ((const uint32_t *)micro.words)[i];
			least[i] = !run || cycles < least[i] ? cycles : least[i];
		}
	}
	for (int i = 0; i < 15; i++)
		found(least[i], "cycles", "l1_policy\t%d: %s", i, steps[i]);
	end_section("l1_policy");
}

/* Whether what a block reads is still there for the next block on the SM, and for the next launch. */
static void measure_next_block(void)
{
	CUfunction kernel = find_kernel("twice");
	unsigned links = 128, blocks = 3 * (unsigned)micro.sms, shared = 120 * KIB;
	lay_ring(LINE, links, false);
	MUST(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared));
	for (int run = 0; run < 3; run++) {
		CUdeviceptr start = micro.memory, out = micro.results;
		double first[2] = {0}, again[2] = {0};
		unsigned n[2] = {0};
		launch(kernel, (struct shape){blocks, 32, shared}, (void *[]){&start, &links, &out});
		read_results((size_t)blocks * 32);
		for (unsigned b = 0; b < blocks; b++) {
			bool later = false;
			for (unsigned k = 0; k < blocks; k++)
				later |= micro.words[4 * k] == micro.words[4 * b] &&
					micro.words[4 * k + 3] < micro.words[4 * b + 3];
			n[later]++;
			first[later] += (double)micro.words[4 * b + 1] / links;
			again[later] += (double)micro.words[4 * b + 2] / links;
		}
		for (int later = 0; later < 2; later++) {
			found(n[later] ? first[later] / n[later] : 0, "cycles",
				"next_block\tlaunch=%d %s block of its SM, first time (%u blocks)", run,
				later ? "later" : "first", n[later]);
			found(n[later] ? again[later] / n[later] : 0, "cycles",
				"next_block\tlaunch=%d %s block of its SM, again", run, later ? "later" : "first");
		}
	}
	end_section("next_block");
}

/* --- L2, DRAM, TLB ------------------------------------------------------------------------------------------------ */

static void measure_far(void)
{
	CUfunction kernel = find_kernel("chase_cg");
	for (int log = 14; log <= 33; log++) {
		unsigned n = 1u << (log - 7), links = n < 8192 ? n : 8192;
		lay_ring(LINE, n, true);
		found(chase(kernel, 0, links), "cycles", "l2_latency\tlog2bytes=%d", log);
		found(chase(kernel, n < 65536 ? n : 0, links), "cycles", "l2_latency\tlog2bytes=%d again", log);
		flush_l2();
		found(chase(kernel, 0, links), "cycles", "dram_latency\tlog2bytes=%d", log);
	}
	for (uint64_t stride = 64 * KIB; stride <= 4 * MIB; stride *= 2) {
		for (unsigned n = 1; n <= 16384 && n * stride <= MEMORY; n += n < 4 ? 1 : n / 4) {
			lay_ring(stride + LINE, n * (stride + LINE) > MEMORY ? n - 1 : n, false);
			found(chase(kernel, 2 * n, n), "cycles", "tlb\tstride=%uKiB n=%u", (unsigned)(stride / KIB), n);
		}
	}
	end_section("l2_latency");
}

/* Places that L2 has all of, further and further apart: what takes longer does so for the translation of addresses. One
 * SM, one load after the other; and all SMs, as many as they can. */
static void measure_tlb(void)
{
	static const unsigned windows[] = {16, 32, 64, 96, 128, 192, 256, 320, 384, 448, 512, 576, 640, 768, 896, 1024,
		1280, 1536, 2048, 3072, 4096, 6144, 8064}; /* MiB */
	CUfunction chasing = find_kernel("chase_cg"), spread = find_kernel("read_spread");
	unsigned places = 8192, mask = places - 1, rounds = 64;
	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
		CUdeviceptr data = micro.memory, out = micro.results;
		uint64_t stride = windows[i] * MIB / places / LINE * LINE + LINE;
		lay_ring(stride, places, true);
		found(chase(chasing, 2 * places, places), "cycles", "tlb_chase\tplaces=%u mib=%u", places, windows[i]);
		for (unsigned blocks = 1; blocks <= (unsigned)micro.sms; blocks += (unsigned)micro.sms - 1) {
			uint64_t start = UINT64_MAX, end = 0;
			for (int k = 0; k < 2; k++)
				launch(spread, (struct shape){blocks, 1024, 0},
					(void *[]){&data, &mask, &stride, &rounds, &out});
			read_results((size_t)blocks * 32);
			for (unsigned b = 0; b < blocks; b++) {
				const uint64_t *w = &micro.words[(size_t)4 * b];
				start = w[2] < start ? w[2] : start;
				end = w[3] > end ? w[3] : end;
			}
			found(8.0 * 1024 * rounds * blocks / (double)(end - start), "loads/ns",
				"tlb_reads\tplaces=%u mib=%u blocks=%u", places, windows[i], blocks);
		}
	}
	end_section("tlb");
}

/* A line's home may be near an SM or far from it. */
static void measure_halves(void)
{
	unsigned links = 2048, sms = (unsigned)micro.sms;
	static const int logs[] = {18, 22, 24};
	for (size_t f = 0; f < 3; f++) {
		unsigned n = 1u << (logs[f] - 7), bins[128] = {0};
		lay_ring(LINE, n, true);
		const uint32_t *cycles = chase_each(find_kernel("each_cg"), sms, n < 65536 ? n : 65536, links);
		for (size_t i = 0; i < (size_t)sms * links; i++)
			bins[cycles[i] / 10 < 128 ? cycles[i] / 10 : 127]++;
		for (unsigned b = 0; b < 128; b++)
			if (bins[b])
				found(bins[b], "loads", "l2_halves\tlog2bytes=%d all SMs cycles=%u..%u", logs[f],
					10 * b, 10 * b + 9);
		for (unsigned sm = 0; sm < sms; sm++) {
			double sum = 0;
			for (unsigned i = 0; i < links; i++)
				sum += cycles[sm * links + i];
			found(sum / links, "cycles", "l2_halves\tlog2bytes=%d block=%u", logs[f], sm);
		}
		for (unsigned i = 0; i < 64; i++)
			found(cycles[i], "cycles", "l2_halves\tlog2bytes=%d block=0 line=%u", logs[f], i);
	}
	end_section("l2_halves");
}

/* --- bandwidth ---------------------------------------------------------------------------------------------------- */

struct stream {
	const char *kernel;
	unsigned width; /* bytes of an element */
	unsigned blocks, threads;
	int log;         /* of the bytes that are gone through, by each block where `own` */
	unsigned rounds; /* of 8 elements a thread */
	unsigned own;
};

static void run_stream(const char *what, struct stream s)
{
	CUfunction kernel = find_kernel(s.kernel);
	CUdeviceptr data = micro.memory, out = micro.results;
	unsigned mask = (unsigned)(((size_t)1 << s.log) / s.width - 1);
	set_carveout(kernel, 0);
	for (int i = 0; i < 2; i++)
		launch(kernel, (struct shape){s.blocks, s.threads, 0},
			(void *[]){&data, &mask, &s.rounds, &s.own, &out});
	read_results((size_t)s.blocks * 32);
	uint64_t start = UINT64_MAX, end = 0, most = 0;
	double cycles = 0, time = 0, bytes = 8.0 * s.width * s.threads * s.rounds;
	if (strncmp(s.kernel, "copy", 4) == 0)
		bytes /= 2; /* four of them a round; what is written is not counted */
	for (unsigned b = 0; b < s.blocks; b++) {
		const uint64_t *w = &micro.words[(size_t)4 * b];
		start = w[2] < start ? w[2] : start;
		end = w[3] > end ? w[3] : end;
		most = w[1] > most ? w[1] : most;
		cycles += (double)w[1] / s.blocks;
		time += (double)(w[3] - w[2]) / s.blocks;
	}
	char where[200];
	snprintf(where, sizeof where, "%s\t%s blocks=%u threads=%u log2bytes=%d rounds=%u own=%u", what, s.kernel,
		s.blocks, s.threads, s.log, s.rounds, s.own);
	found(bytes * s.blocks / (double)(end - start), "GB/s", "%s", where);
	found(bytes / cycles, "bytes/cycle of a block", "%s", where);
	found(bytes * s.blocks / (double)most, "bytes/cycle in all", "%s", where);
	found(cycles / time * 1000, "MHz", "%s", where);
}

static void measure_l1_bandwidth(void)
{
	static const struct {
		const char *name;
		unsigned width;
	} kernels[] = {{"read_ca_4", 4}, {"read_ca_8", 8}, {"read_ca_16", 16}, {"write_4", 4}, {"write_16", 16}};
	unsigned sms = (unsigned)micro.sms;
	for (size_t k = 0; k < 5; k++) {
		for (unsigned threads = 32; threads <= 1024; threads *= 2)
			run_stream("l1_bandwidth",
				(struct stream){kernels[k].name, kernels[k].width, sms, threads, 15, 256, 1});
	}
	end_section("l1_bandwidth");
}

static void measure_bandwidth(void)
{
	unsigned sms = (unsigned)micro.sms;
	for (unsigned blocks = 1; blocks <= 2 * sms; blocks = blocks < 64 ? 2 * blocks : blocks + sms / 4) {
		run_stream("l2_bandwidth", (struct stream){"read_cg_16", 16, blocks, 1024, 23, 64, 0});
		run_stream("l2_bandwidth", (struct stream){"read_cg_4", 4, blocks, 1024, 23, 128, 0});
		run_stream("l2_bandwidth", (struct stream){"write_16", 16, blocks, 1024, 23, 64, 0});
		run_stream("dram_bandwidth", (struct stream){"read_cg_16", 16, blocks, 1024, 32, 64, 0});
	}
	for (int log = 20; log <= 32; log++) {
		run_stream("bandwidth_by_size", (struct stream){"read_cg_16", 16, 2 * sms, 1024, log, 64, 0});
		run_stream("bandwidth_by_size", (struct stream){"read_ca_4", 4, 2 * sms, 1024, log, 128, 0});
		run_stream("bandwidth_by_size", (struct stream){"write_16", 16, 2 * sms, 1024, log, 64, 0});
		run_stream("bandwidth_by_size", (struct stream){"write_4", 4, 2 * sms, 1024, log, 128, 0});
		run_stream("bandwidth_by_size", (struct stream){"copy_16", 16, 2 * sms, 1024, log - 1, 64, 0});
		run_stream("bandwidth_by_size", (struct stream){"read_random", 4, 2 * sms, 1024, log, 16, 0});
	}
	for (unsigned threads = 32; threads <= 1024; threads *= 2) {
		run_stream("in_flight", (struct stream){"read_cg_16", 16, sms, threads, 23, 64, 0});
		run_stream("in_flight", (struct stream){"read_cg_4", 4, sms, threads, 23, 64, 0});
		run_stream("in_flight", (struct stream){"read_cg_16", 16, sms, threads, 32, 64, 0});
		run_stream("in_flight", (struct stream){"read_cg_4", 4, sms, threads, 32, 64, 0});
		run_stream("in_flight", (struct stream){"read_random", 4, sms, threads, 23, 64, 0});
		run_stream("in_flight", (struct stream){"read_random", 4, sms, threads, 32, 64, 0});
	}
	end_section("bandwidth");
}

static void measure_load(void)
{
	static const unsigned pauses[] = {0, 100, 200, 400, 600, 800, 1200, 1600, 2400, 3200, 6400, 12800, 51200};
	static const int logs[] = {23, 32}; /* L2, DRAM */
	CUfunction kernel = find_kernel("under_load");
	unsigned blocks = (unsigned)micro.sms, threads = 512, links = 1000;
	for (size_t f = 0; f < 2; f++) {
		for (size_t p = 0; p < sizeof pauses / sizeof *pauses; p++) {
			CUdeviceptr ring = micro.memory, data = micro.memory + MEMORY / 2, out = micro.results,
				    done = micro.results + RESULTS - 256;
			unsigned mask = (unsigned)((((size_t)1 << logs[f]) / 16) - 1), pause = pauses[p];
			double rounds = 0;
			lay_ring(LINE, 1u << (logs[f] - 8), true); /* half of what the others read */
			MUST(cuMemsetD8(done, 0, 4));
			launch(kernel, (struct shape){blocks, threads, 0},
				(void *[]){&ring, &links, &data, &mask, &pause, &done, &out});
			read_results((size_t)blocks * 8);
			for (unsigned b = 1; b < blocks; b++)
				rounds += (double)micro.words[b];
			double cycles = (double)micro.words[0];
			found(cycles / links, "cycles", "under_load\tlog2bytes=%d pause=%u", logs[f], pause);
			found(rounds * 8 * 16 * threads / cycles, "bytes/cycle in all",
				"under_load\tlog2bytes=%d pause=%u", logs[f], pause);
		}
	}
	end_section("under_load");
}

/* --- launches and blocks ------------------------------------------------------------------------------------------ */

/* Of one SM's blocks, in micro.words: how many, and the clock's span from the first begin to the last end. */
static void report_sm(unsigned blocks, unsigned threads, unsigned busy)
{
	static uint64_t starts[BLOCKS_MAX / 32];
	double n_all = 0, span_all = 0, gap_all = 0, second_all = 0;
	uint64_t first = UINT64_MAX, last = 0;
	for (unsigned sm = 0; sm < (unsigned)micro.sms; sm++) {
		size_t n = 0;
		uint64_t end = 0;
		for (unsigned b = 0; b < blocks; b++) {
			const uint64_t *w = &micro.words[(size_t)4 * b];
			if (w[0] != sm || n == BLOCKS_MAX / 32)
				continue;
			starts[n++] = w[1];
			end = w[3] > end ? w[3] : end;
		}
		if (!n)
			continue;
		qsort(starts, n, sizeof *starts, compare_numbers);
		n_all += (double)n / micro.sms;
		span_all += (double)(end - starts[0]) / micro.sms;
		gap_all += n > 1 ? (double)(starts[n - 1] - starts[0]) / (double)(n - 1) / micro.sms : 0;
		second_all += n > 1 ? (double)(starts[1] - starts[0]) / micro.sms : 0;
	}
	for (unsigned b = 0; b < blocks; b++) {
		uint64_t timer = micro.words[(size_t)4 * b + 2];
		first = timer < first ? timer : first;
		last = timer > last ? timer : last;
	}
	char where[100];
	snprintf(where, sizeof where, "blocks\tblocks=%u threads=%u busy=%u", blocks, threads, busy);
	found(n_all, "blocks of an SM", "%s", where);
	found(span_all, "cycles from the first begin to the last end of an SM", "%s", where);
	found(gap_all, "cycles between begins", "%s", where);
	found(second_all, "cycles from the first begin to the second", "%s", where);
	found((double)(last - first), "ns from the first begin to the last", "%s", where);
}

static void measure_blocks(void)
{
	static const unsigned busies[] = {0, 1000, 10000};
	CUfunction kernel = find_kernel("stamps");
	unsigned sms = (unsigned)micro.sms;
	for (unsigned threads = 32; threads <= 1024; threads *= 2) {
		for (size_t k = 0; k < 3; k++) {
			static const unsigned waves[] = {1, 16, 64};
			for (size_t w = 0; w < 3; w++) {
				unsigned blocks = sms * waves[w], busy = busies[k];
				CUdeviceptr out = micro.results;
				for (int i = 0; i < 2; i++)
					launch(kernel, (struct shape){blocks, threads, 0}, (void *[]){&busy, &out});
				read_results((size_t)blocks * 32);
				report_sm(blocks, threads, busy);
			}
		}
	}
	end_section("blocks");
}

/* Launches one after the other: time of each. */
static void measure_launches(void)
{
	static const unsigned counts[] = {1, 132, 1056, 13200, 132000};
	CUfunction kernel = find_kernel("nothing");
	for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
		for (unsigned threads = 32; threads <= 1024; threads *= 2) {
			float ms = 0;
			int n = counts[c] > 10000 ? 5 : 50;
			launch(kernel, (struct shape){counts[c], threads, 0}, NULL);
			MUST(cuEventRecord(micro.before, NULL));
			for (int i = 0; i < n; i++)
				launch(kernel, (struct shape){counts[c], threads, 0}, NULL);
			MUST(cuEventRecord(micro.after, NULL));
			MUST(cuEventSynchronize(micro.after));
			MUST(cuEventElapsedTime(&ms, micro.before, micro.after));
			found(1e6 * (double)ms / n, "ns", "launch\tempty blocks=%u threads=%u", counts[c], threads);
		}
	}
	end_section("launch");
}

/* --- pipes -------------------------------------------------------------------------------------------------------- */

#define UNROLLED 32
#define ROUNDS 16
#define CHAINS_MAX 8

/* One kind of instruction: "#" is the number of its chain. Registers of a chain: %v %w (32 bits), %f, %d, %a (64 bits,
 * an address in global memory, `apart` bytes from the lane before), %s (one in shared memory, likewise); all the same:
 * %seed, %other, %one, %g, %e, %p, %zero. */
enum pipe_use {
	PIPE_READS,
	PIPE_FOLLOWS, /* %a holds its own address */
	PIPE_STORES   /* through %a: every warp and chain has its own place */
};

struct pipe_test {
	const char *name, *link;
	int per;   /* of this kind in a link */
	int apart; /* bytes between lanes */
	enum pipe_use use;
};

static const struct pipe_test pipe_tests[] = {
	{"add and xor", "add.u32 %v#, %v#, %seed; xor.b32 %v#, %v#, %other;", 2, 4, PIPE_READS},
	{"lop3", "lop3.b32 %v#, %v#, %seed, %other, 0x6A;", 1, 4, PIPE_READS},
	{"shift", "shf.l.wrap.b32 %v#, %v#, %seed, %other;", 1, 4, PIPE_READS},
	{"prmt", "prmt.b32 %v#, %v#, %seed, %other;", 1, 4, PIPE_READS},
	{"min", "min.s32 %v#, %v#, %seed; max.s32 %v#, %v#, %other;", 2, 4, PIPE_READS},
	{"select", "setp.lt.u32 %p, %v#, %seed; selp.b32 %v#, %other, %v#, %p;", 2, 4, PIPE_READS},
	{"imad", "mad.lo.u32 %v#, %v#, %seed, %other;", 1, 4, PIPE_READS},
	{"mul.hi", "mul.hi.u32 %v#, %v#, %seed;", 1, 4, PIPE_READS},
	{"add.u64", "add.u64 %a#, %a#, %zero; xor.b64 %a#, %a#, %zero;", 2, 4, PIPE_READS},
	{"fma.f32", "fma.rn.f32 %f#, %f#, %g, %g;", 1, 4, PIPE_READS},
	{"add.f32", "add.f32 %f#, %f#, %g;", 1, 4, PIPE_READS},
	{"mul.f32", "mul.f32 %f#, %f#, %g;", 1, 4, PIPE_READS},
	{"fma.f32 and imad", "fma.rn.f32 %f#, %f#, %g, %g; mad.lo.u32 %v#, %v#, %seed, %other;", 2, 4, PIPE_READS},
	{"fma.f32 and lop3", "fma.rn.f32 %f#, %f#, %g, %g; lop3.b32 %v#, %v#, %seed, %other, 0x6A;", 2, 4, PIPE_READS},
	{"fma.f16x2", "fma.rn.f16x2 %v#, %v#, %seed, %other;", 1, 4, PIPE_READS},
	{"fma.f64", "fma.rn.f64 %d#, %d#, %e, %e;", 1, 4, PIPE_READS},
	{"add.f64", "add.rn.f64 %d#, %d#, %e;", 1, 4, PIPE_READS},
	{"ex2", "ex2.approx.ftz.f32 %f#, %f#;", 1, 4, PIPE_READS},
	{"rsqrt", "rsqrt.approx.ftz.f32 %f#, %f#;", 1, 4, PIPE_READS},
	{"rcp", "rcp.approx.ftz.f32 %f#, %f#; add.f32 %f#, %f#, %g;", 1, 4, PIPE_READS},
	{"sin", "sin.approx.ftz.f32 %f#, %f#;", 1, 4, PIPE_READS},
	{"div.f32", "div.rn.f32 %f#, %f#, %g;", 1, 4, PIPE_READS},
	{"sqrt.f32", "sqrt.rn.f32 %f#, %f#;", 1, 4, PIPE_READS},
	{"div.f64", "div.rn.f64 %d#, %d#, %e;", 1, 4, PIPE_READS},
	{"div.u32", "div.u32 %v#, %v#, %one;", 1, 4, PIPE_READS},
	{"div.u32 by another", "div.u32 %v#, %other, %v#; or.b32 %v#, %v#, 1;", 1, 4, PIPE_READS},
	{"rem.u32 by another", "rem.u32 %v#, %other, %v#; or.b32 %v#, %v#, 1;", 1, 4, PIPE_READS},
	{"div.s32 by another", "div.s32 %v#, %other, %v#; or.b32 %v#, %v#, 1;", 1, 4, PIPE_READS},
	{"rem.s32 by another", "rem.s32 %v#, %other, %v#; or.b32 %v#, %v#, 1;", 1, 4, PIPE_READS},
	{"div.u32 by 7", "div.u32 %v#, %v#, 7; add.u32 %v#, %v#, %seed;", 1, 4, PIPE_READS},
	{"rem.u32 by 7", "rem.u32 %v#, %v#, 7; add.u32 %v#, %v#, %seed;", 1, 4, PIPE_READS},
	{"div.u64", "div.u64 %a#, %a#, %apart;", 1, 4, PIPE_READS},
	{"popc", "popc.b32 %v#, %v#;", 1, 4, PIPE_READS},
	{"clz", "clz.b32 %v#, %v#;", 1, 4, PIPE_READS},
	{"brev", "brev.b32 %v#, %v#;", 1, 4, PIPE_READS},
	{"cvt", "cvt.rn.f32.s32 %f#, %v#; cvt.rzi.s32.f32 %v#, %f#;", 2, 4, PIPE_READS},
	{"cvt f64", "cvt.rn.f64.s32 %d#, %v#; cvt.rzi.s32.f64 %v#, %d#;", 2, 4, PIPE_READS},
	{"shuffle", "shfl.sync.idx.b32 %v#, %v#, %v#, 31, 0xFFFFFFFF;", 1, 4, PIPE_READS},
	{"vote", "setp.ne.u32 %p, %v#, 7; vote.sync.ballot.b32 %v#, %p, 0xFFFFFFFF;", 1, 4, PIPE_READS},
	{"redux", "redux.sync.add.u32 %v#, %v#, 0xFFFFFFFF;", 1, 4, PIPE_READS},
	{"barrier", "bar.sync 0;", 1, 4, PIPE_READS},
	{"fence of the block", "membar.cta;", 1, 4, PIPE_READS},
	{"fence of the GPU", "membar.gl;", 1, 4, PIPE_READS},
	{"constant",
		"and.b32 %v#, %v#, 60; mov.u64 %a#, table; cvt.u64.u32 %x#, %v#; add.u64 %a#, %a#, %x#; ld.const.u32 %v#, [%a#];",
		1, 4, PIPE_READS},
	{"shared load 4", "ld.volatile.shared.u32 %v#, [%s#];", 1, 4, PIPE_READS},
	{"shared load 8", "ld.volatile.shared.v2.u32 {%v#, %w#}, [%s#];", 1, 8, PIPE_READS},
	{"shared load 16", "ld.volatile.shared.v4.u32 {%v#, %w#, %y#, %z#}, [%s#];", 1, 16, PIPE_READS},
	{"shared load 4, 2 ways", "ld.volatile.shared.u32 %v#, [%s#];", 1, 8, PIPE_READS},
	{"shared load 4, 8 ways", "ld.volatile.shared.u32 %v#, [%s#];", 1, 32, PIPE_READS},
	{"shared load 4, 32 ways", "ld.volatile.shared.u32 %v#, [%s#];", 1, 128, PIPE_READS},
	{"shared load 4, dependent", "ld.shared.u32 %s#, [%s#];", 1, 0, PIPE_READS},
	{"shared store 4", "st.volatile.shared.u32 [%s#], %v#;", 1, 4, PIPE_READS},
	{"shared store 16", "st.volatile.shared.v4.u32 [%s#], {%v#, %w#, %y#, %z#};", 1, 16, PIPE_READS},
	{"shared atomic", "atom.shared.add.u32 %v#, [%s#], %seed;", 1, 4, PIPE_READS},
	{"shared atomic, same", "atom.shared.add.u32 %v#, [%s#], %seed;", 1, 0, PIPE_READS},
	{"shared red", "red.shared.add.u32 [%s#], %seed;", 1, 4, PIPE_READS},
	{"shared red of 1, same", "red.shared.add.u32 [%s#], 1;", 1, 0, PIPE_READS},
	{"global load 4, volatile", "ld.volatile.global.u32 %v#, [%a#];", 1, 4, PIPE_READS},
	{"global load ca 8", "ld.global.ca.u64 %a#, [%a#];", 1, 8, PIPE_FOLLOWS},
	{"global load ca 8, 4 lines", "ld.global.ca.u64 %a#, [%a#];", 1, 16, PIPE_FOLLOWS},
	{"global load ca 8, 8 lines", "ld.global.ca.u64 %a#, [%a#];", 1, 32, PIPE_FOLLOWS},
	{"global load ca 8, 16 lines", "ld.global.ca.u64 %a#, [%a#];", 1, 64, PIPE_FOLLOWS},
	{"global load ca 8, 32 lines", "ld.global.ca.u64 %a#, [%a#];", 1, 128, PIPE_FOLLOWS},
	{"global load ca 8, same", "ld.global.ca.u64 %a#, [%a#];", 1, 0, PIPE_FOLLOWS},
	{"global load ca 16", "ld.global.ca.v2.u64 {%a#, %x#}, [%a#];", 1, 16, PIPE_FOLLOWS},
	{"global load cg 8", "ld.global.cg.u64 %a#, [%a#];", 1, 8, PIPE_FOLLOWS},
	{"global load cg 8, 4 lines", "ld.global.cg.u64 %a#, [%a#];", 1, 16, PIPE_FOLLOWS},
	{"global load cg 8, 8 lines", "ld.global.cg.u64 %a#, [%a#];", 1, 32, PIPE_FOLLOWS},
	{"global load cg 8, 16 lines", "ld.global.cg.u64 %a#, [%a#];", 1, 64, PIPE_FOLLOWS},
	{"global load cg 8, 32 lines", "ld.global.cg.u64 %a#, [%a#];", 1, 128, PIPE_FOLLOWS},
	{"global load cg 8, same", "ld.global.cg.u64 %a#, [%a#];", 1, 0, PIPE_FOLLOWS},
	{"global load cg 16", "ld.global.cg.v2.u64 {%a#, %x#}, [%a#];", 1, 16, PIPE_FOLLOWS},
	{"global store 4", "st.global.u32 [%a#], %v#;", 1, 4, PIPE_STORES},
	{"global store 4, 8 lines", "st.global.u32 [%a#], %v#;", 1, 32, PIPE_STORES},
	{"global store 4, 32 lines", "st.global.u32 [%a#], %v#;", 1, 128, PIPE_STORES},
	{"global store 16", "st.global.v4.u32 [%a#], {%v#, %w#, %y#, %z#};", 1, 16, PIPE_STORES},
	{"global atomic", "atom.global.add.u32 %v#, [%a#], %v#;", 1, 4, PIPE_STORES},
	{"global atomic, same", "atom.global.add.u32 %v#, [%a#], %seed;", 1, 0, PIPE_READS},
	{"global red", "red.global.add.u32 [%a#], %v#;", 1, 4, PIPE_STORES},
	{"global red, same", "red.global.add.u32 [%a#], %v#;", 1, 0, PIPE_READS},
	{"global red, 32 lines", "red.global.add.u32 [%a#], %v#;", 1, 128, PIPE_STORES},
	{"global red f32", "red.global.add.f32 [%a#], %f#;", 1, 4, PIPE_STORES},
	{"mma m16n8k16",
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f#, %h#, %i#, %j#}, {%seed, %seed, %seed, %seed}, {%seed, %seed}, "
		"{%f#, %h#, %i#, %j#};",
		1, 4, PIPE_READS},
	{"mma m16n8k8",
		"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f#, %h#, %i#, %j#}, {%seed, %seed}, {%seed}, {%f#, %h#, %i#, %j#};",
		1, 4, PIPE_READS},
};
#define N_PIPE_TESTS ((int)(sizeof pipe_tests / sizeof *pipe_tests))

static void write_link(struct buf *out, const char *link, int chain)
{
	buf_puts(out, "\t");
	for (const char *c = link; *c; c++) {
		if (*c == '#')
			buf_printf(out, "%d", chain);
		else
			buf_printf(out, "%c", *c);
	}
	buf_puts(out, "\n");
}

/* What the chains start with: other values in each lane, or the compiler would use uniform registers. */
static void write_chain_starts(struct buf *out, const struct pipe_test *t)
{
	for (int c = 0; c < CHAINS_MAX; c++) {
		buf_printf(out,
			"\tadd.u32 %%v%d, %%seed, %d;\n\tadd.u32 %%w%d, %%seed, %d;\n\tmov.u32 %%y%d, %%seed;\n\tmov.u32 %%z%d, %%seed;\n"
			"\tcvt.rn.f32.u32 %%f%d, %%v%d;\n\tmov.f32 %%h%d, %%f%d;\n\tmov.f32 %%i%d, %%f%d;\n\tmov.f32 %%j%d, %%f%d;\n"
			"\tcvt.rn.f64.u32 %%d%d, %%v%d;\n\tmov.u64 %%x%d, 0;\n",
			c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c);
		/* chains are 4096 bytes apart in global memory, in shared memory the same */
		buf_printf(out, "\tadd.u64 %%a%d, %%own, %d;\n\tmov.u32 %%s%d, %%place;\n", c,
			t->use == PIPE_STORES ? c * 4096 : 0, c);
	}
}

static void write_pipe(const struct pipe_test *t, int chains, struct buf *out)
{
	buf_printf(out,
		".version 7.0\n.target sm_80\n.address_size 64\n.const .align 4 .b32 table[16];\n"
		".visible .entry k(.param .u64 data, .param .u32 one, .param .u64 out)\n{\n"
		"\t.reg .b32 %%one, %%seed, %%other, %%round, %%lane, %%warp, %%place, %%sum;\n\t.reg .b64 %%data, %%own, %%zero, %%from, "
		"%%to, %%at, %%apart;\n\t.reg .f32 %%g;\n\t.reg .f64 %%e;\n\t.reg .pred %%p, %%q;\n\t.reg .b32 %%v<8>, %%w<8>, %%y<8>, "
		"%%z<8>, %%s<8>;\n\t.reg .b64 %%a<8>, %%x<8>;\n\t.reg .f32 %%f<8>, %%h<8>, %%i<8>, %%j<8>;\n\t.reg .f64 %%d<8>;\n"
		"\t.shared .align 16 .b8 tile[4096];\n\tld.param.u64 %%data, [data];\n\tld.param.u32 %%one, [one];\n"
		"\tmov.u32 %%lane, %%laneid;\n\tmov.u32 %%warp, %%tid.x;\n\tshr.u32 %%warp, %%warp, 5;\n"
		"\tadd.u32 %%seed, %%one, 0x3C003BFF;\n\tadd.u32 %%seed, %%seed, %%lane;\n\tadd.u32 %%other, %%seed, %%lane;\n"
		"\tcvt.rn.f32.u32 %%g, %%one;\n\tcvt.rn.f64.u32 %%e, %%one;\n\tcvt.u64.u32 %%apart, %%one;\n\tsub.u64 %%zero, %%apart, 1;\n"
		"\tmov.u32 %%place, tile;\n\tmad.lo.u32 %%place, %%lane, %d, %%place;\n\tmov.u32 %%sum, %%place;\n"
		"\tst.shared.u32 [%%place], %%place;\n\tbar.sync 0;\n\tmad.wide.u32 %%own, %%lane, %d, %%data;\n",
		t->apart, t->apart);
	if (t->use == PIPE_STORES)
		buf_puts(out,
			"\tmad.wide.u32 %own, %warp, 32768, %own;\n\tmov.u32 %sum, %ctaid.x;\n\tmad.wide.u32 %own, %sum, 1048576, %own;\n");
	write_chain_starts(out, t);
	if (t->use == PIPE_FOLLOWS)
		buf_puts(out, "\tst.global.u64 [%own], %own;\n");
	buf_puts(out, "\tmov.u32 %round, 0;\n\tbar.sync 0;\n\tmov.u64 %from, %clock64;\nround:\n");
	for (int i = 0; i < UNROLLED; i++)
		write_link(out, t->link, i % chains);
	buf_printf(out, "\tadd.u32 %%round, %%round, 1;\n\tsetp.lt.u32 %%q, %%round, %d;\n\t@%%q bra round;\n", ROUNDS);
	buf_puts(out, "\tmov.u32 %sum, 0;\n");
	for (int c = 0; c < CHAINS_MAX; c++)
		buf_printf(out,
			"\tadd.u32 %%sum, %%sum, %%v%d;\n\tadd.u32 %%sum, %%sum, %%w%d;\n\tadd.u32 %%sum, %%sum, %%y%d;\n"
			"\tadd.u32 %%sum, %%sum, %%z%d;\n\tadd.u32 %%sum, %%sum, %%s%d;\n"
			"\tadd.f32 %%f%d, %%f%d, %%h%d;\n\tadd.f32 %%f%d, %%f%d, %%i%d;\n\tadd.f32 %%f%d, %%f%d, %%j%d;\n"
			"\tmov.b32 %%lane, %%f%d;\n\tadd.u32 %%sum, %%sum, %%lane;\n\tcvt.rzi.u32.f64 %%lane, %%d%d;\n"
			"\tadd.u32 %%sum, %%sum, %%lane;\n\tshr.u64 %%a%d, %%a%d, 7;\n\tcvt.u32.u64 %%lane, %%a%d;\n\tadd.u32 %%sum, %%sum, %%lane;\n",
			c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c);
	buf_puts(out,
		"\tsetp.eq.u32 %q, %sum, 0x12345679;\n\t@%q bra done;\n\tmov.u64 %to, %clock64;\n\tsub.u64 %to, %to, %from;\n"
		"\tld.param.u64 %at, [out];\n\tmov.u32 %lane, %ctaid.x;\n\tmad.lo.u32 %lane, %lane, 32, %warp;\n"
		"\tmad.wide.u32 %at, %lane, 8, %at;\n\tst.global.u64 [%at], %to;\ndone:\n\tret;\n}\n");
}

/* Twice, the first time for the caches. False: it has more registers than there are, and nothing ran; the driver says
 * so of a launch, not always of the function. */
static bool run_pipe(CUfunction function, struct shape s)
{
	CUdeviceptr data = micro.memory, out = micro.results;
	unsigned one = 1;
	MUST(cuMemsetD8(data, 0, 256 * KIB));
	for (int i = 0; i < 2; i++) {
		CUresult result = driver.cuLaunchKernel(
			function, s.blocks, 1, 1, s.threads, 1, 1, s.shared, NULL, (void *[]){&data, &one, &out}, NULL);
		if (result == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
			return false;
		driver_must(result, "cuLaunchKernel of a pipe");
	}
	return true;
}

/* Cycles of the slowest warp for each instruction of the kind that a scheduler issued. */
static void measure_pipe(const struct pipe_test *t, int chains)
{
	static const unsigned warps[] = {1, 4, 8, 16, 32};
	struct buf ptx = {0};
	CUmodule module;
	CUfunction function;
	int most_threads; /* that its registers leave room for */
	write_pipe(t, chains, &ptx);
	MUST(cuModuleLoadData(&module, buf_str(&ptx)));
	MUST(cuModuleGetFunction(&function, module, "k"));
	MUST(cuFuncGetAttribute(&most_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
	for (size_t w = 0; w < sizeof warps / sizeof *warps; w++) {
		for (int all = 0; all < 2; all++) {
			unsigned blocks = all ? (unsigned)micro.sms : 1;
			struct shape shape = {blocks, 32 * warps[w], 0};
			uint64_t most = 0;
			if (all && (chains == 1 || (warps[w] != 8 && warps[w] != 32) || !strstr(t->name, "global")))
				continue;
			if ((int)shape.threads > most_threads || !run_pipe(function, shape)) {
				found(most_threads, "threads fit, says the driver: not measured",
					"pipe\t%s, warps=%u chains=%d%s", t->name, warps[w], chains,
					all ? " on all SMs" : "");
				continue;
			}
			read_results((size_t)blocks * 32 * 8);
			for (unsigned b = 0; b < blocks; b++)
				for (unsigned k = 0; k < warps[w]; k++)
					most = micro.words[b * 32 + k] > most ? micro.words[b * 32 + k] : most;
			unsigned each = warps[w] < 4 ? 1 : warps[w] / 4; /* of a scheduler */
			found((double)most / (UNROLLED * ROUNDS * t->per) / each,
				"cycles per instruction of a scheduler", "pipe\t%s, warps=%u chains=%d%s", t->name,
				warps[w], chains, all ? " on all SMs" : "");
		}
	}
	MUST(cuModuleUnload(module));
	buf_free(&ptx);
}

static void measure_pipes(void)
{
	for (int i = 0; i < N_PIPE_TESTS; i++) {
		measure_pipe(&pipe_tests[i], 1);
		measure_pipe(&pipe_tests[i], CHAINS_MAX);
	}
	end_section("pipes");
}

static void print_pipes(void)
{
	for (int i = 0; i < N_PIPE_TESTS; i++) {
		struct buf ptx = {0};
		write_pipe(&pipe_tests[i], CHAINS_MAX, &ptx);
		printf("%s//\n", buf_str(&ptx));
		buf_free(&ptx);
	}
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void open_all(const char *path, const char *out)
{
	struct buf ptx = {0};
	struct diag diag = {0};
	char name[256] = "";
	int cuda = 0;
	CUdevice device = driver_open();
	if (!file_read(path, MIB, &ptx, &diag))
		driver_bail("the PTX cannot be read", 0);
	micro.out = fopen(out, "w");
	micro.words = malloc(RESULTS);
	if (!micro.out || !micro.words)
		driver_bail("no file for the results, or no memory", 0);
	MUST(cuModuleLoadData(&micro.module, buf_str(&ptx)));
	buf_free(&ptx);
	MUST(cuDeviceGetAttribute(&micro.sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
	MUST(cuDeviceGetName(name, sizeof name, device));
	MUST(cuDriverGetVersion(&cuda));
	MUST(cuMemAlloc(&micro.memory, MEMORY + MIB));
	MUST(cuMemAlloc(&micro.flush, FLUSH));
	MUST(cuMemAlloc(&micro.results, RESULTS));
	MUST(cuEventCreate(&micro.before, CU_EVENT_DEFAULT));
	MUST(cuEventCreate(&micro.after, CU_EVENT_DEFAULT));
	fprintf(micro.out, "# %s, %d SMs, CUDA %d\nwhat\tparameters\tvalue\tunit\n", name, micro.sms, cuda);
}

static void measure_memory(void)
{
	measure_l1_size();
	measure_l1_sets();
	measure_sectors();
	measure_policy();
	measure_next_block();
	measure_halves();
	measure_far();
	measure_l1_bandwidth();
	measure_bandwidth();
	measure_load();
	measure_blocks();
	measure_launches();
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--ptx") == 0) {
		print_pipes();
		return 0;
	}
	bool all = argc == 3;
	bool tlb = argc == 4 && strcmp(argv[3], "tlb") == 0;
	if (!all && !tlb && !(argc == 4 && strcmp(argv[3], "pipes") == 0)) {
		fprintf(stderr, "usage: micro MICRO.ptx OUT [pipes|tlb]\n");
		return 2;
	}
	open_all(argv[1], argv[2]);
	if (all)
		measure_memory();
	if (all || tlb)
		measure_tlb();
	if (!tlb)
		measure_pipes();
	fclose(micro.out);
	printf("1..%d\n", micro.sections);
	return 0;
}
