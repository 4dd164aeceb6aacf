// What guards a variable that several threads change: a lock, in the shapes that it has in programs. Without its fences a lock orders
// nothing, and that is what is said of it.
#include "simt.h"

// Each lane tries again and again, and works within the loop.
// launch: --grid 2 --block 64 --arg u32[1] --arg u32[1]
// expect: clean
// result: 1: 128
__global__ void tries(unsigned *lock, unsigned *sum)
{
	bool done = false;
	while (!done)
		if (atomicCAS(lock, 0u, 1u) == 0) {
			__threadfence();
			*sum = *sum + 1;
			__threadfence();
			atomicExch(lock, 0u);
			done = true;
		}
}

// launch: --grid 2 --block 64 --arg u32[1] --arg u32[1]
// expect: race global sum sum
// missing: lock fences
// says: a __threadfence() after it is taken and one before it is released
__global__ void tries_bare(unsigned *lock, unsigned *sum)
{
	bool done = false;
	while (!done)
		if (atomicCAS(lock, 0u, 1u) == 0) {
			*sum = *sum + 1; // [sum]
			atomicExch(lock, 0u);
			done = true;
		}
}

// One thread of each block waits in a loop of its own.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: clean
// result: 1: 4
__global__ void waits(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		__threadfence();
		*sum += 1;
		__threadfence();
		atomicExch(lock, 0u);
	}
}

// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global sum sum
// missing: lock fences
__global__ void waits_bare(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		*sum += 1; // [sum]
		atomicExch(lock, 0u);
	}
}

// The fence before the release alone is missing.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global sum sum
// missing: lock fences
__global__ void waits_half(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		__threadfence();
		*sum += 1; // [sum]
		atomicExch(lock, 0u);
	}
}

// The fence after it was taken alone is missing.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global sum sum
// missing: lock fences
__global__ void waits_other_half(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		*sum += 1; // [sum]
		__threadfence();
		atomicExch(lock, 0u);
	}
}

// Fences that reach the own block alone.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global sum sum
// missing: lock fences
__global__ void waits_narrow(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		__threadfence_block();
		*sum += 1; // [sum]
		__threadfence_block();
		atomicExch(lock, 0u);
	}
}

// Taken by an exchange, of warps of one block.
// launch: --grid 1 --block 128 --arg u32[1] --arg u32[1]
// expect: clean
// result: 1: 4
__global__ void exchanges(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x % 32 == 0) {
		while (atomicExch(lock, 1u) != 0)
			;
		__threadfence();
		*sum += 1;
		__threadfence();
		atomicExch(lock, 0u);
	}
}

// launch: --grid 1 --block 128 --arg u32[1] --arg u32[1]
// expect: race global sum sum
// missing: lock fences
__global__ void exchanges_bare(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x % 32 == 0) {
		while (atomicExch(lock, 1u) != 0)
			;
		*sum += 1; // [sum]
		atomicExch(lock, 0u);
	}
}

// In shared memory, released by a volatile store.
// launch: --grid 1 --block 64 --arg u32[1]
// expect: clean
// result: 0: 64
__global__ void shared_volatile(unsigned *out)
{
	__shared__ unsigned lock, sum;
	if (threadIdx.x == 0)
		lock = sum = 0;
	__syncthreads();
	for (bool done = false; !done;)
		if (atomicCAS(&lock, 0u, 1u) == 0) {
			__threadfence_block();
			sum++;
			__threadfence_block();
			*(volatile unsigned *)&lock = 0;
			done = true;
		}
	__syncthreads();
	if (threadIdx.x == 0)
		*out = sum;
}

// launch: --grid 1 --block 64 --arg u32[1]
// expect: race shared sum sum
// missing: lock fences
__global__ void shared_volatile_bare(unsigned *out)
{
	__shared__ unsigned lock, sum;
	if (threadIdx.x == 0)
		lock = sum = 0;
	__syncthreads();
	for (bool done = false; !done;)
		if (atomicCAS(&lock, 0u, 1u) == 0) {
			sum++; // [sum]
			*(volatile unsigned *)&lock = 0;
			done = true;
		}
	__syncthreads();
	if (threadIdx.x == 0)
		*out = sum;
}

// One lock for each bin; what is done within takes two lines.
// launch: --grid 2 --block 64 --arg u32[4] --arg u32[4]
// expect: clean
// result: 1: 32 32 32 32
__global__ void bins(unsigned *locks, unsigned *bins)
{
	unsigned bin = threadIdx.x % 4;
	for (bool done = false; !done;)
		if (atomicCAS(&locks[bin], 0u, 1u) == 0) {
			__threadfence();
			unsigned old = bins[bin];
			bins[bin] = old + 1;
			__threadfence();
			atomicExch(&locks[bin], 0u);
			done = true;
		}
}

// launch: --grid 2 --block 64 --arg u32[4] --arg u32[4]
// expect: race global take give
// also: race global give give
// missing: lock fences
__global__ void bins_bare(unsigned *locks, unsigned *bins)
{
	unsigned bin = threadIdx.x % 4;
	for (bool done = false; !done;)
		if (atomicCAS(&locks[bin], 0u, 1u) == 0) {
			unsigned old = bins[bin]; // [take]
			bins[bin] = old + 1; // [give]
			atomicExch(&locks[bin], 0u);
			done = true;
		}
}

// Each takes a ticket and waits until it is called; the next one is called by a volatile store.
// launch: --grid 4 --block 32 --arg u32[2] --arg u32[1]
// expect: clean
// result: 1: 4
__global__ void tickets(unsigned *counters, unsigned *sum)
{
	if (threadIdx.x == 0) {
		volatile unsigned *called = counters + 1;
		unsigned mine = atomicAdd(counters, 1u);
		while (*called != mine)
			;
		__threadfence();
		*sum += 1;
		__threadfence();
		*called = mine + 1;
	}
}

// launch: --grid 4 --block 32 --arg u32[2] --arg u32[1]
// expect: race global sum sum
// missing: lock fences
__global__ void tickets_bare(unsigned *counters, unsigned *sum)
{
	if (threadIdx.x == 0) {
		volatile unsigned *called = counters + 1;
		unsigned mine = atomicAdd(counters, 1u);
		while (*called != mine)
			;
		*sum += 1; // [sum]
		*called = mine + 1;
	}
}

// Two locks, always taken in the same order, released by an atomic subtraction.
// launch: --grid 4 --block 32 --arg u32[2] --arg u32[1]
// expect: clean
// result: 1: 4
__global__ void nested(unsigned *locks, unsigned *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(locks, 0u, 1u) != 0)
			;
		while (atomicCAS(locks + 1, 0u, 1u) != 0)
			;
		__threadfence();
		*sum += 1;
		__threadfence();
		atomicSub(locks + 1, 1u);
		atomicSub(locks, 1u);
	}
}

// launch: --grid 4 --block 32 --arg u32[2] --arg u32[1]
// expect: race global sum sum
// missing: lock fences
__global__ void nested_bare(unsigned *locks, unsigned *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(locks, 0u, 1u) != 0)
			;
		while (atomicCAS(locks + 1, 0u, 1u) != 0)
			;
		*sum += 1; // [sum]
		atomicSub(locks + 1, 1u);
		atomicSub(locks, 1u);
	}
}

// A lock whose functions are not inlined.
__device__ __noinline__ void acquire(unsigned *lock)
{
	while (atomicCAS(lock, 0u, 1u) != 0)
		;
}

__device__ __noinline__ void release(unsigned *lock)
{
	atomicExch(lock, 0u);
}

// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: clean
// result: 1: 4
__global__ void calls(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x == 0) {
		acquire(lock);
		__threadfence();
		*sum += 1;
		__threadfence();
		release(lock);
	}
}

// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global sum sum
// missing: lock fences
__global__ void calls_bare(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x == 0) {
		acquire(lock);
		*sum += 1; // [sum]
		release(lock);
	}
}

// Beside the lock, not within it: another matter.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global sum sum
// missing: atomic update
__global__ void beside(unsigned *lock, unsigned *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		__threadfence();
		__threadfence();
		atomicExch(lock, 0u);
		*sum += 1; // [sum]
	}
}

// An exchange that is no lock: nothing sets the word back.
// launch: --grid 1 --block 64 --arg u32[1] --arg u32[1]
// expect: race global sum sum
// missing: atomic update
__global__ void no_lock(unsigned *last, unsigned *sum)
{
	if (atomicExch(last, threadIdx.x + 1) < 100)
		*sum += 1; // [sum]
}
