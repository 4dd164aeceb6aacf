// Micro-kernels that the parameters of the model of time are read off from (tests/gpu/micro.c). None of them is in the set that the
// model is judged by.
#include "simt.h"

typedef unsigned long long word;

#define CLOCK(v) asm volatile("mov.u64 %0, %%clock64;" : "=l"(v) :: "memory")
#define TIMER(v) asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(v) :: "memory")
#define SMID(v) asm volatile("mov.u32 %0, %%smid;" : "=r"(v))
#define LOAD_CA(v, p) asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory")
#define LOAD_CG(v, p) asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory")

// Node i lies at i * stride bytes and has the address of node (a i + c) mod n, n a power of two: a ring of all of them for
// a = 1 mod 4 and odd c; or, with mask 0, of i + 1 modulo any n.
extern "C" __global__ void link_ring(char *base, word stride, unsigned n, unsigned a, unsigned c, unsigned mask)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned next = mask ? (a * i + c) & mask : i + 1 < n ? i + 1 : 0;
		*(word *)(base + i * stride) = (word)(base + next * stride);
	}
}

// Cycles of `links` links, after `warm` others: out[0] cycles, out[1] SM.
#define CHASE(name, LOAD) \
	extern "C" __global__ void name(word start, unsigned warm, unsigned links, word *out) \
	{ \
		word p = start, from, to; \
		unsigned sm; \
		for (unsigned i = 0; i < warm; i++) \
			LOAD(p, p); \
		if (!p) \
			return; \
		CLOCK(from); \
		for (unsigned i = 0; i < links; i++) \
			LOAD(p, p); \
		if (!p) \
			return; \
		CLOCK(to); \
		SMID(sm); \
		out[3 * blockIdx.x] = to - from; \
		out[3 * blockIdx.x + 1] = sm; \
		out[3 * blockIdx.x + 2] = p; \
	}
CHASE(chase_ca, LOAD_CA)
CHASE(chase_cg, LOAD_CG)

// The cycles of each of `links` links, at most 4096, after `warm` others. The clock is part of them. Blocks other than 0 do nothing
// but where `all`: then block b writes from out[b * links] on.
#define EACH(name, LOAD) \
	extern "C" __global__ void name(word start, unsigned warm, unsigned links, unsigned *out) \
	{ \
		__shared__ unsigned cycles[4096]; \
		word p = start, from, to; \
		for (unsigned i = 0; i < warm; i++) \
			LOAD(p, p); \
		if (!p) \
			return; \
		for (unsigned i = 0; i < links; i++) { \
			CLOCK(from); \
			LOAD(p, p); \
			if (!p) \
				return; \
			CLOCK(to); \
			cycles[i] = (unsigned)(to - from); \
		} \
		for (unsigned i = 0; i < links; i++) \
			out[blockIdx.x * links + i] = cycles[i]; \
	}
EACH(each_ca, LOAD_CA)
EACH(each_cg, LOAD_CG)

static __device__ __forceinline__ unsigned timed_load(word *p)
{
	word from, v, to;
	CLOCK(from);
	LOAD_CA(v, p);
	if (v == 12345)
		return 0;
	CLOCK(to);
	return (unsigned)(to - from);
}

// What a store leaves in L1. The lines at data, data + 512 and so on are in L2. out: 0 first load, 1 again, 2 after a store to it,
// 3 again; of another line: 4 after a store, 5 the sector beside it, 6 again; 7 a first load, 8 the sector beside it, 9 the third,
// 10 the fourth, 11 the line beside it; 12 after an atomic to a loaded line; 13 an L2-only load of a loaded line, 14 a load after it.
extern "C" __global__ void store_policy(word *data, unsigned *out)
{
	unsigned t[16];
	word v;
	t[0] = timed_load(data);
	t[1] = timed_load(data);
	asm volatile("st.global.u64 [%0], %1;" :: "l"(data), "l"((word)1) : "memory");
	t[2] = timed_load(data);
	t[3] = timed_load(data);
	asm volatile("st.global.u64 [%0], %1;" :: "l"(data + 64), "l"((word)1) : "memory");
	t[4] = timed_load(data + 64);
	t[5] = timed_load(data + 68);
	t[6] = timed_load(data + 68);
	t[7] = timed_load(data + 128);
	t[8] = timed_load(data + 132);
	t[9] = timed_load(data + 136);
	t[10] = timed_load(data + 140);
	t[11] = timed_load(data + 144);
	t[15] = timed_load(data + 192);
	asm volatile("red.global.add.u64 [%0], %1;" :: "l"(data + 192), "l"((word)1) : "memory");
	t[12] = timed_load(data + 192);
	t[15] = timed_load(data + 256);
	{
		word from, to;
		CLOCK(from);
		LOAD_CG(v, data + 256);
		if (v == 12345)
			return;
		CLOCK(to);
		t[13] = (unsigned)(to - from);
	}
	t[14] = timed_load(data + 256);
	for (int i = 0; i < 16; i++)
		out[i] = t[i];
}

// Every block follows the same ring twice: SM, cycles of each time, when it began.
extern "C" __global__ void twice(word start, unsigned links, word *out)
{
	word p = start, from, to, cycles[2], timer;
	unsigned sm;
	TIMER(timer);
	for (int k = 0; k < 2; k++) {
		CLOCK(from);
		for (unsigned i = 0; i < links; i++)
			LOAD_CA(p, p);
		if (!p)
			return;
		CLOCK(to);
		cycles[k] = to - from;
	}
	SMID(sm);
	if (threadIdx.x == 0) {
		out[4 * blockIdx.x] = sm;
		out[4 * blockIdx.x + 1] = cycles[0];
		out[4 * blockIdx.x + 2] = cycles[1];
		out[4 * blockIdx.x + 3] = timer;
	}
}

// Bandwidth. The grid goes through the first `mask` + 1 elements, a power of two, again and again: `rounds` times 8 elements a thread,
// eight at a time. Where `own`, each block goes through so many of its own. out: SM, cycles, begin and end by the timer.
#define BEGIN \
	word from, to, start, end; \
	unsigned sm, step = own ? blockDim.x : gridDim.x * blockDim.x; \
	unsigned at = own ? threadIdx.x : blockIdx.x * blockDim.x + threadIdx.x; \
	if (own) \
		data += (size_t)blockIdx.x * (mask + 1); \
	TIMER(start); \
	CLOCK(from);
#define END \
	__syncthreads(); \
	CLOCK(to); \
	TIMER(end); \
	SMID(sm); \
	if (threadIdx.x == 0) { \
		out[4 * blockIdx.x] = sm; \
		out[4 * blockIdx.x + 1] = to - from; \
		out[4 * blockIdx.x + 2] = start; \
		out[4 * blockIdx.x + 3] = end; \
	}
#define READ(name, type, asm_load) \
	extern "C" __global__ void name(type *data, unsigned mask, unsigned rounds, unsigned own, word *out) \
	{ \
		unsigned sum = 0; \
		BEGIN \
		for (unsigned r = 0; r < rounds; r++) { \
			unsigned v[8]; \
			_Pragma("unroll") for (int k = 0; k < 8; k++, at += step) { \
				type *p = data + (at & mask); \
				asm_load; \
			} \
			_Pragma("unroll") for (int k = 0; k < 8; k++) \
				sum += v[k]; \
		} \
		if (sum == 12345) \
			return; \
		END \
	}
#define LOAD1(cache) asm volatile("ld.global." cache ".u32 %0, [%1];" : "=r"(v[k]) : "l"(p))
#define LOAD2(cache) \
	do { \
		unsigned x; \
		asm volatile("ld.global." cache ".v2.u32 {%0, %1}, [%2];" : "=r"(v[k]), "=r"(x) : "l"(p)); \
		v[k] += x; \
	} while (0)
#define LOAD4(cache) \
	do { \
		unsigned x, y, z; \
		asm volatile("ld.global." cache ".v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[k]), "=r"(x), "=r"(y), "=r"(z) : "l"(p)); \
		v[k] += x + y + z; \
	} while (0)
READ(read_ca_4, unsigned, LOAD1("ca"))
READ(read_ca_8, uint2, LOAD2("ca"))
READ(read_ca_16, uint4, LOAD4("ca"))
READ(read_cg_4, unsigned, LOAD1("cg"))
READ(read_cg_16, uint4, LOAD4("cg"))

#define WRITE(name, type, ...) \
	extern "C" __global__ void name(type *data, unsigned mask, unsigned rounds, unsigned own, word *out) \
	{ \
		BEGIN \
		for (unsigned r = 0; r < rounds; r++) { \
			_Pragma("unroll") for (int k = 0; k < 8; k++, at += step) \
				data[at & mask] = __VA_ARGS__; \
		} \
		END \
	}
WRITE(write_4, unsigned, r)
WRITE(write_16, uint4, make_uint4(r, r, r, r))

// Lines in an order that looks random: what a sector costs alone.
extern "C" __global__ void read_random(unsigned *data, unsigned mask, unsigned rounds, unsigned own, word *out)
{
	unsigned sum = 0;
	BEGIN
	at = at * 2654435761u + 12345;
	for (unsigned r = 0; r < rounds; r++) {
		unsigned v[8];
		_Pragma("unroll") for (int k = 0; k < 8; k++) {
			at = at * 1664525 + 1013904223;
			asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(data + (at >> 2 & mask)));
		}
		_Pragma("unroll") for (int k = 0; k < 8; k++)
			sum += v[k];
	}
	if (sum == 12345 || step == 0)
		return;
	END
}

// A word of one of `mask` + 1 places `stride` bytes apart, in an order that looks random: what far pages cost.
extern "C" __global__ void read_spread(char *data, unsigned mask, word stride, unsigned rounds, word *out)
{
	unsigned sum = 0, own = 0;
	BEGIN
	at = at * 2654435761u + 12345;
	for (unsigned r = 0; r < rounds; r++) {
		unsigned v[8];
		_Pragma("unroll") for (int k = 0; k < 8; k++) {
			at = at * 1664525 + 1013904223;
			asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(data + (at >> 8 & mask) * stride));
		}
		_Pragma("unroll") for (int k = 0; k < 8; k++)
			sum += v[k];
	}
	if (sum == 12345 || step == 0)
		return;
	END
}

extern "C" __global__ void copy_16(uint4 *data, unsigned mask, unsigned rounds, unsigned own, word *out)
{
	uint4 *target = data + mask + 1;
	BEGIN
	for (unsigned r = 0; r < rounds; r++) {
		uint4 v[4];
		_Pragma("unroll") for (int k = 0; k < 4; k++)
			v[k] = data[(at + k * step) & mask];
		_Pragma("unroll") for (int k = 0; k < 4; k++, at += step)
			target[at & mask] = v[k];
	}
	END
}

// Block 0 follows a ring, one thread; the others read until it is through, eight words of 16 bytes and then a pause at a time.
// out: cycles of block 0, or how many rounds a block made; SM.
extern "C" __global__ void under_load(word ring, unsigned links, uint4 *data, unsigned mask, unsigned pause, unsigned *done, word *out)
{
	word from, to;
	if (blockIdx.x == 0) {
		word p = ring;
		if (threadIdx.x)
			return;
		for (unsigned i = 0; i < 64; i++)
			LOAD_CG(p, p);
		CLOCK(from);
		for (unsigned i = 0; i < links; i++)
			LOAD_CG(p, p);
		if (!p)
			return;
		CLOCK(to);
		*(volatile unsigned *)done = 1;
		out[0] = to - from;
		return;
	}
	unsigned step = gridDim.x * blockDim.x, at = blockIdx.x * blockDim.x + threadIdx.x, sum = 0, rounds = 0;
	while (rounds < 1000000 && !*(volatile unsigned *)done) {
		unsigned v[8];
		_Pragma("unroll") for (int k = 0; k < 8; k++, at += step) {
			uint4 *p = data + (at & mask);
			LOAD4("cg");
		}
		_Pragma("unroll") for (int k = 0; k < 8; k++)
			sum += v[k];
		rounds++;
		CLOCK(from);
		do
			CLOCK(to);
		while (to - from < pause);
	}
	if (sum != 12345 && threadIdx.x == 0)
		out[blockIdx.x] = rounds;
}

// Where and when each block was: SM, clock and timer at its begin, clock at its end.
extern "C" __global__ void stamps(unsigned busy, word *out)
{
	word from, to, timer;
	unsigned sm;
	CLOCK(from);
	TIMER(timer);
	SMID(sm);
	do
		CLOCK(to);
	while (to - from < busy);
	if (threadIdx.x == 0) {
		out[4 * (size_t)blockIdx.x] = sm;
		out[4 * (size_t)blockIdx.x + 1] = from;
		out[4 * (size_t)blockIdx.x + 2] = timer;
		out[4 * (size_t)blockIdx.x + 3] = to;
	}
}

extern "C" __global__ void nothing()
{
}

extern "C" __global__ void spin(unsigned busy)
{
	word from, to;
	CLOCK(from);
	do
		CLOCK(to);
	while (to - from < busy);
}
