// What atomics in L2 take, counted (tests/time/atomics, tests/gpu/times.c): on one word and on many, in one sector and in many lines, by one
// SM and by all. Micro-kernels: none of them is in a set that the model is judged by.
#include "simt.h"

// Each thread changes `rounds` words in turn, one of `mask` + 1 that are `apart` words from each other; 32 >> `share` of a warp's lanes
// choose in an order that looks random, the others as those do.
#define PLACES \
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x; \
	unsigned at = (thread >> share) * 2654435761u + 12345u; \
	for (unsigned r = 0; r < rounds; r++, at = at * 1664525u + 1013904223u)
#define PLACE ((at >> 8 & mask) * apart)

// What is added differs, so that no lanes' sums are made one.
extern "C" __global__ void red_places(unsigned *data, unsigned mask, unsigned apart, unsigned share, unsigned rounds)
{
	PLACES
		asm volatile("red.global.add.u32 [%0], %1;" :: "l"(data + PLACE), "r"(thread) : "memory");
}

extern "C" __global__ void red_places_float(float *data, unsigned mask, unsigned apart, unsigned share, unsigned rounds)
{
	PLACES
		asm volatile("red.global.add.f32 [%0], %1;" :: "l"(data + PLACE), "f"((float)thread) : "memory");
}

extern "C" __global__ void red_places_wide(unsigned long long *data, unsigned mask, unsigned apart, unsigned share, unsigned rounds)
{
	PLACES
		asm volatile("red.global.add.u64 [%0], %1;" :: "l"(data + PLACE), "l"((unsigned long long)thread) : "memory");
}

extern "C" __global__ void max_places(unsigned *data, unsigned mask, unsigned apart, unsigned share, unsigned rounds)
{
	PLACES
		asm volatile("red.global.max.u32 [%0], %1;" :: "l"(data + PLACE), "r"(thread) : "memory");
}

// The old value is used, four at a time.
extern "C" __global__ void atom_places(unsigned *data, unsigned mask, unsigned apart, unsigned share, unsigned rounds, unsigned *out)
{
	unsigned sum = 0;
	PLACES {
		unsigned old;
		asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(data + PLACE), "r"(thread) : "memory");
		sum += old;
	}
	if (sum == 12345)
		out[0] = sum;
}

extern "C" __global__ void cas_places(unsigned *data, unsigned mask, unsigned apart, unsigned share, unsigned rounds, unsigned *out)
{
	unsigned sum = 0;
	PLACES {
		unsigned old;
		asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(data + PLACE), "r"(r), "r"(thread) : "memory");
		sum += old;
	}
	if (sum == 12345)
		out[0] = sum;
}

// Each warp changes `rounds` lines in turn, one of `mask` + 1 that are `apart` lines from each other, each lane its own word.
extern "C" __global__ void red_lines(unsigned *data, unsigned mask, unsigned apart, unsigned rounds)
{
	unsigned share = 5;
	PLACES
		asm volatile("red.global.add.u32 [%0], %1;" :: "l"(data + PLACE * 32 + threadIdx.x % 32), "r"(thread) : "memory");
}

extern "C" __global__ void atom_lines(unsigned *data, unsigned mask, unsigned apart, unsigned rounds, unsigned *out)
{
	unsigned share = 5, sum = 0;
	PLACES {
		unsigned old;
		asm volatile("atom.global.add.u32 %0, [%1], %2;"
			     : "=r"(old) : "l"(data + PLACE * 32 + threadIdx.x % 32), "r"(thread) : "memory");
		sum += old;
	}
	if (sum == 12345)
		out[0] = sum;
}

// One lane of each warp, a place of its own choice.
extern "C" __global__ void red_one_lane(unsigned *data, unsigned mask, unsigned apart, unsigned rounds)
{
	unsigned share = 5;
	PLACES
		if (threadIdx.x % 32 == 0)
			asm volatile("red.global.add.u32 [%0], %1;" :: "l"(data + PLACE), "r"(thread) : "memory");
}

// A stream that is read, with an atomic for each word: how much the one waits for the other.
extern "C" __global__ void red_beside_loads(const unsigned *from, unsigned *data, unsigned n, unsigned mask)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned v;
		asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(from + i));
		asm volatile("red.global.add.u32 [%0], %1;" :: "l"(data + (v * 2654435761u >> 8 & mask)), "r"(i) : "memory");
	}
}
