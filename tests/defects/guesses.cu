// What a compare-and-swap expects is often loaded first, without order: a guess, which the swap checks.
#include "simt.h"

// An atomic operation that the hardware lacks, as the programming guide builds it.
// launch: --grid 4 --block 64 --arg u32[1]:=1
// expect: clean
// result: 0: 257
__global__ void swap_adds(unsigned *sum)
{
	unsigned old = *sum, expected;
	do {
		expected = old;
		old = atomicCAS(sum, expected, expected + 1);
	} while (old != expected);
}

// The greatest of floats; most threads only look.
// launch: --grid 4 --block 64 --arg u32[1]:=0
// expect: clean
// result: 0: 255
__global__ void swap_greatest(unsigned *most)
{
	unsigned mine = blockIdx.x * blockDim.x + threadIdx.x, old = *most, expected;
	do {
		expected = old;
		if (expected >= mine)
			break;
		old = atomicCAS(most, expected, mine);
	} while (old != expected);
}

// In shared memory, by blocks.
// launch: --grid 2 --block 64 --arg u32[2]
// expect: clean
// result: 0: 64 64
__global__ void swap_shared(unsigned *sums)
{
	__shared__ unsigned sum;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	unsigned old = sum, expected;
	do {
		expected = old;
		old = atomicCAS(&sum, expected, expected + 1);
	} while (old != expected);
	__syncthreads();
	if (threadIdx.x == 0)
		sums[blockIdx.x] = sum;
}

// The sum is looked at while others still add to it: no swap checks what was found.
// launch: --grid 1 --block 64 --arg u32[1]:=0 --arg u32[64]
// expect: race global look add
__global__ void look_too_early(unsigned *sum, unsigned *out)
{
	unsigned found = *sum; // [look]
	atomicAdd(sum, 1); // [add]
	out[threadIdx.x] = found;
}

// The guess is good, but somebody stores without a swap.
// launch: --grid 1 --block 64 --arg u32[1]:=0
// expect: race global swap reset
// also: race global guess reset
__global__ void plain_store(unsigned *sum)
{
	if (threadIdx.x == 40)
		*sum = 5; // [reset]
	unsigned old = *sum, expected; // [guess]
	do {
		expected = old;
		old = atomicCAS(sum, expected, expected + 1); // [swap]
	} while (old != expected);
}
