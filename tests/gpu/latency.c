/* The cycles of src/model/hardware/latencies.def against a GPU: chains of instructions, each of which needs the result
 * before, between two readings of the SM's clock. Prints TAP; a number is as expected within a tenth or two cycles.
 * Needs a GPU of CC 8.0 or higher; run by make check-gpu. With --ptx it only prints the kernels, one module each,
 * divided by lines of "//". */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/hardware/schedule.h"

/* clang-format off */
#define DRIVER_FUNCTIONS(F) \
	F(cuCtxSynchronize) F(cuModuleUnload) F(cuLaunchKernel) F(cuMemAlloc) F(cuMemcpyHtoD) F(cuMemcpyDtoH) \
	F(cuMemsetD8)
/* clang-format on */
#include "tests/gpu/driver.h"

#define UNROLLED 64
#define ROUNDS 4 /* a pass is UNROLLED * ROUNDS links of a chain */
#define LINKS (UNROLLED * ROUNDS)
#define PASSES 2                        /* the first warms caches; the second is reported */
#define FLUSH_BYTES ((size_t)512 << 20) /* more than an L2 cache */
#define PLACES 16                       /* that a chain of hits is tried at: an L2 cache has a near and a far half */
#define NODE_BYTES 4096                 /* distance of the links of a chain through DRAM: few pages, no line twice */

/* A link: the chain is in %v (32 bits), %f, %d or %a (an address that holds the next). `per` instructions of the kind
 * that is looked for, and `less` cycles of others. */
struct chain {
	const char *name;
	int latency; /* enum latency_id that it is to check; -1: only reported */
	const char *setup, *link;
	int per;
	int alu; /* other integer instructions of a link, of the cycles that the first row found */
	int threads;
	bool cold; /* through DRAM: the second pass follows links that no cache has */
};

static const struct chain chains[] = {
	{"integer", LATENCY_ALU, "", "add.u32 %v, %v, %seed; xor.b32 %v, %v, %seed;", 2, 0, 32, false},
	{"32-bit float", LATENCY_FMA, "", "fma.rn.f32 %f, %f, %g, %g;", 1, 0, 32, false},
	{"16-bit float", LATENCY_HALF, "", "fma.rn.f16x2 %v, %v, %seed, %one;", 1, 0, 32, false},
	{"64-bit float", LATENCY_DOUBLE, "", "fma.rn.f64 %d, %d, %e, %e;", 1, 0, 32, false},
	{"special function", LATENCY_SPECIAL, "", "ex2.approx.ftz.f32 %f, %f;", 1, 0, 32, false},
	{"count of bits", LATENCY_SPECIAL, "", "popc.b32 %v, %v;", 1, 0, 32, false},
	{"32-bit division", LATENCY_LONG, "", "div.u32 %v, %v, %one;", 1, 0, 32, false},
	{"vote", LATENCY_VOTE, "", "setp.ne.u32 %p, %v, 7; vote.sync.ballot.b32 %v, %p, 0xFFFFFFFF;", 1, 1, 32, false},
	{"shuffle", LATENCY_SHUFFLE, "", "shfl.sync.idx.b32 %v, %v, %v, 31, 0xFFFFFFFF;", 1, 0, 32, false},
	{"global memory, L1 hit", -1, "", "ld.global.ca.u64 %a, [%a];", 1, 0, 32, false},
	{"global memory, L2 hit", -1, "", "ld.global.cg.u64 %a, [%a];", 1, 0, 32, false},
	{"global memory, no hit", LATENCY_GLOBAL, "", "ld.global.cg.u64 %a, [%a];", 1, 0, 32, true},
	{"atomic in global memory", LATENCY_ATOMIC, "", "atom.global.add.u64 %a, [%a], %zero;", 1, 0, 1, false},
	{"barrier of one warp", LATENCY_BARRIER, "", "bar.sync 0;", 1, 0, 32, false},
	{"tensor core, m16n8k16", LATENCY_MATRIX, "",
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%c0, %c1, %c2, %c3}, "
		"{%seed, %seed, %seed, %seed}, {%seed, %seed}, {%c0, %c1, %c2, %c3};",
		1, 0, 32, false},
	/* each lane its own word */
	{"shared memory", LATENCY_SHARED,
		"mov.u32 %w, %laneid; mov.u32 %v, tile; mad.lo.u32 %v, %w, 4, %v; st.shared.u32 [%v], %v; "
		"bar.sync 0;",
		"ld.shared.u32 %v, [%v];", 1, 0, 32, false},
};
#define N_CHAINS ((int)(sizeof chains / sizeof *chains))

/* What the chain starts with differs between lanes, or the compiler would give it to the units for uniform values.
 * data[0], data[8]: where the chains of addresses begin in each pass. data[16], data[24]: cycles. Behind the chain, its
 * end is compared with what it cannot be before the clock is read, so that the reading waits for it. */
static void write_kernel(const struct chain *c, struct buf *out)
{
	buf_puts(out,
		".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 data, .param .u32 one)\n{\n"
		"\t.reg .b32 %v, %one, %seed, %round, %pass, %w;\n\t.reg .b64 %a, %data, %zero, %from, %to, %at;\n"
		"\t.reg .f32 %f, %g, %c0, %c1, %c2, %c3;\n\t.reg .f64 %d, %e;\n\t.reg .pred %p, %q;\n\t.shared .align 4 .b32 tile[32];\n"
		"\tld.param.u64 %data, [data];\n\tld.param.u32 %one, [one];\n\tmov.u32 %w, %laneid;\n\tadd.u32 %seed, %one, 0x3C003BFF;\n\tadd.u32 %seed, %seed, %w;\n\tmov.u32 %v, %seed;\n"
		"\tcvt.rn.f32.u32 %f, %one;\n\tmov.f32 %g, %f;\n\tcvt.rn.f64.u32 %d, %one;\n\tmov.f64 %e, %d;\n"
		"\tmov.f32 %c0, %f;\n\tmov.f32 %c1, %f;\n\tmov.f32 %c2, %f;\n\tmov.f32 %c3, %f;\n"
		"\tsub.u32 %w, %one, 1;\n\tcvt.u64.u32 %zero, %w;\n\tmov.u32 %pass, 0;\n");
	buf_printf(out,
		"pass:\n\t%s\n\tmad.wide.u32 %%at, %%pass, 8, %%data;\n\tld.global.cg.u64 %%a, [%%at];\n\tmov.u32 %%round, 0;\n"
		"\tbar.sync 0;\n\tmov.u64 %%from, %%clock64;\nround:\n",
		c->setup);
	for (int i = 0; i < UNROLLED; i++)
		buf_printf(out, "\t%s\n", c->link);
	buf_printf(out, "\tadd.u32 %%round, %%round, 1;\n\tsetp.lt.u32 %%q, %%round, %d;\n\t@%%q bra round;\n", ROUNDS);
	/* all of it in one word */
	buf_puts(out,
		"\tadd.f32 %f, %f, %c0;\n\tcvt.rzi.u32.f64 %w, %d;\n\tadd.u32 %v, %v, %w;\n\tmov.b32 %w, %f;\n\tadd.u32 %v, %v, %w;\n"
		"\tcvt.u32.u64 %w, %a;\n\tadd.u32 %v, %v, %w;\n\tsetp.eq.u32 %q, %v, 0x12345679;\n\t@%q bra done;\n"
		"\tmov.u64 %to, %clock64;\n\tsub.u64 %to, %to, %from;\n\tst.global.u64 [%at+16], %to;\n"
		"\tadd.u32 %pass, %pass, 1;\n");
	buf_printf(out, "\tsetp.lt.u32 %%q, %%pass, %d;\n\t@%%q bra pass;\ndone:\n\tret;\n}\n", PASSES);
}

/* Memory: the chains' beginnings and cycles; a node that holds its own address, for the chain of hits; then as many
 * nodes as a chain has links, each with the address of the next. What follows them is written last, and puts them out
 * of the L2. */
static CUdeviceptr lay_nodes(CUdeviceptr memory, bool cold, int place)
{
	static uint64_t host[(LINKS + 3) * NODE_BYTES / 8];
	size_t own = 256 + (size_t)place * NODE_BYTES;
	CUdeviceptr self = memory + own, first = memory + NODE_BYTES;
	memset(host, 0, sizeof host);
	host[0] = self;
	host[1] = cold ? first : self;
	for (size_t i = 0; i <= LINKS; i++)
		host[(i + 1) * NODE_BYTES / 8] = first + (i < LINKS ? i + 1 : i) * NODE_BYTES;
	host[own / 8] = self;
	MUST(cuMemcpyHtoD(memory, host, sizeof host));
	MUST(cuMemsetD8(memory + sizeof host, 1, FLUSH_BYTES));
	return memory;
}

static double measure_at(const struct chain *c, CUdeviceptr memory, int place)
{
	struct buf ptx = {0};
	CUmodule module;
	CUfunction function;
	uint64_t cycles = 0;
	unsigned one = 1;
	CUdeviceptr data = lay_nodes(memory, c->cold, place);
	void *params[] = {&data, &one};
	write_kernel(c, &ptx);
	MUST(cuModuleLoadData(&module, buf_str(&ptx)));
	MUST(cuModuleGetFunction(&function, module, "k"));
	MUST(cuLaunchKernel(function, 1, 1, 1, (unsigned)c->threads, 1, 1, 0, NULL, params, NULL));
	MUST(cuCtxSynchronize());
	MUST(cuMemcpyDtoH(&cycles, memory + 8 * (2 + PASSES - 1), sizeof cycles));
	MUST(cuModuleUnload(module));
	buf_free(&ptx);
	return (double)cycles / LINKS;
}

struct range {
	double least, most;
};

/* The cycles of a link, least and most over the places in memory. */
static struct range measure(const struct chain *c, CUdeviceptr memory)
{
	struct range found = {0};
	int places = c->cold ? 1 : PLACES;
	for (int place = 0; place < places; place++) {
		double cycles = measure_at(c, memory, place);
		if (place == 0 || cycles < found.least)
			found.least = cycles;
		if (cycles > found.most)
			found.most = cycles;
	}
	return found;
}

static bool is_near(double found, double expected)
{
	double off = found > expected ? found - expected : expected - found;
	return off <= 2 || off <= expected / 10;
}

static void print_kernels(void)
{
	for (int i = 0; i < N_CHAINS; i++) {
		struct buf ptx = {0};
		write_kernel(&chains[i], &ptx);
		printf("%s//\n", buf_str(&ptx));
		buf_free(&ptx);
	}
}

int main(int argc, char **argv)
{
	CUdeviceptr memory;
	int failed = 0;
	double alu = 0;
	if (argc > 1 && strcmp(argv[1], "--ptx") == 0) {
		print_kernels();
		return 0;
	}
	driver_open();
	MUST(cuMemAlloc(&memory, FLUSH_BYTES + (size_t)(LINKS + 3) * NODE_BYTES));
	for (int i = 0; i < N_CHAINS; i++) {
		const struct chain *c = &chains[i];
		struct range found = measure(c, memory);
		double cycles = found.least / c->per - alu * c->alu, most = found.most / c->per - alu * c->alu;
		int expected = c->latency >= 0 ? latency_table[c->latency].cycles : -1;
		bool fits = expected < 0 || is_near(cycles, expected);
		alu = i == 0 ? cycles : alu;
		printf("%s %d - %s: %.1f cycles", fits ? "ok" : "not ok", i + 1, c->name, cycles);
		if (!is_near(most, cycles))
			printf(" to %.1f, by the place in memory", most);
		printf(expected >= 0 ? ", in the table %d\n" : "\n", expected);
		failed += !fits;
	}
	printf("1..%d\n", N_CHAINS);
	return failed > 0;
}
