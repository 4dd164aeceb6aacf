// A counter, written plainly, under a lock: acquired by compare-and-swap, released by exchange. Atomics alone order nothing else:
// a fence after the acquisition and one before the release do.
#include "simt.h"

// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: clean
// result: 1: 4
__global__ void lock_clean(unsigned *lock, unsigned *count)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		__threadfence();
		*count += 1;
		__threadfence();
		atomicExch(lock, 0u);
	}
}

// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global count count
__global__ void lock_no_fences(unsigned *lock, unsigned *count)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		*count += 1; // [count]
		atomicExch(lock, 0u);
	}
}

// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global count count
__global__ void lock_no_fence_at_release(unsigned *lock, unsigned *count)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		__threadfence();
		*count += 1; // [count]
		atomicExch(lock, 0u);
	}
}

// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global count count
__global__ void lock_no_fence_at_taking(unsigned *lock, unsigned *count)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		*count += 1; // [count]
		__threadfence();
		atomicExch(lock, 0u);
	}
}

// Released with a plain store, which races with the others' atomics; what it was to guard is not guarded either.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global take give
// also: race global count count
__global__ void lock_plain_release(unsigned *lock, unsigned *count)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0) // [take]
			;
		__threadfence();
		*count += 1; // [count]
		__threadfence();
		*lock = 0; // [give]
	}
}

// A volatile store is strong: with the fence before it, it is a release.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: clean
// result: 1: 4
__global__ void lock_volatile_release_clean(unsigned *lock, unsigned *count)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		__threadfence();
		*count += 1;
		__threadfence();
		*(volatile unsigned *)lock = 0;
	}
}

// One block looks without the lock.
// launch: --grid 3 --block 32 --arg u32[1] --arg u32[1] --arg u32[1]
// expect: race global count look
__global__ void lock_looked_past(unsigned *lock, unsigned *count, unsigned *out)
{
	if (threadIdx.x != 0)
		return;
	if (blockIdx.x == 1) {
		*out = *count; // [look]
		return;
	}
	while (atomicCAS(lock, 0u, 1u) != 0)
		;
	__threadfence();
	*count += 1; // [count]
	__threadfence();
	atomicExch(lock, 0u);
}

// Two locks, one thing to guard.
// launch: --grid 2 --block 32 --arg u32[2] --arg u32[1]
// expect: race global count count
__global__ void lock_of_its_own(unsigned *lock, unsigned *count)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(&lock[blockIdx.x], 0u, 1u) != 0)
			;
		__threadfence();
		*count += 1; // [count]
		__threadfence();
		atomicExch(&lock[blockIdx.x], 0u);
	}
}

// Within a block, one thread of each warp: fences of the block are enough.
// launch: --grid 1 --block 128 --arg u32[1]
// expect: clean
// result: 0: 4
__global__ void lock_shared_clean(unsigned *out)
{
	__shared__ unsigned lock, count;
	int t = threadIdx.x;
	if (t == 0)
		lock = count = 0;
	__syncthreads();
	if (t % 32 == 0) {
		while (atomicCAS(&lock, 0u, 1u) != 0)
			;
		__threadfence_block();
		count += 1;
		__threadfence_block();
		atomicExch(&lock, 0u);
	}
	__syncthreads();
	if (t == 0)
		*out = count;
}

// launch: --grid 1 --block 128 --arg u32[1]
// expect: race shared count count
__global__ void lock_shared_no_fences(unsigned *out)
{
	__shared__ unsigned lock, count;
	int t = threadIdx.x;
	if (t == 0)
		lock = count = 0;
	__syncthreads();
	if (t % 32 == 0) {
		while (atomicCAS(&lock, 0u, 1u) != 0)
			;
		count += 1; // [count]
		atomicExch(&lock, 0u);
	}
	__syncthreads();
	if (t == 0)
		*out = count;
}

// Between blocks they are not.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global count count
__global__ void lock_block_fences(unsigned *lock, unsigned *count)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		__threadfence_block();
		*count += 1; // [count]
		__threadfence_block();
		atomicExch(lock, 0u);
	}
}

// All lanes of a warp want it. With independent thread scheduling the lane that has it goes on while the others wait.
// launch: --grid 1 --block 32 --arg u32[1] --arg u32[1]
// expect: clean
// result: 1: 32
__global__ void lock_lanes_clean(unsigned *lock, unsigned *count)
{
	bool done = false;
	while (!done)
		if (atomicCAS(lock, 0u, 1u) == 0) {
			__threadfence();
			*count += 1;
			__threadfence();
			atomicExch(lock, 0u);
			done = true;
		}
}

// The same with the waiting apart, which a lockstep machine would never end.
// launch: --grid 1 --block 32 --arg u32[1] --arg u32[1]
// expect: clean
// result: 1: 32
__global__ void lock_lanes_waiting_clean(unsigned *lock, unsigned *count)
{
	while (atomicCAS(lock, 0u, 1u) != 0)
		;
	__threadfence();
	*count += 1;
	__threadfence();
	atomicExch(lock, 0u);
}

// Lanes one after the other, but without fences: atomics on the lock do not order the lanes' plain accesses.
// launch: --grid 1 --block 32 --arg u32[1] --arg u32[1]
// expect: race global count count
__global__ void lock_lanes_no_fences(unsigned *lock, unsigned *count)
{
	bool done = false;
	while (!done)
		if (atomicCAS(lock, 0u, 1u) == 0) {
			*count += 1; // [count]
			atomicExch(lock, 0u);
			done = true;
		}
}

// Never released: the second block waits forever.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1] --steps 20000
// expect: limit
__global__ void lock_kept(unsigned *lock, unsigned *count)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(lock, 0u, 1u) != 0)
			;
		__threadfence();
		*count += 1;
	}
}

// Acquire and release written into the atomics themselves.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: clean
// result: 1: 4
__global__ void lock_acquire_release_clean(unsigned *lock, unsigned *count)
{
	if (threadIdx.x == 0) {
		unsigned was;
		do
			asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(was) : "l"(lock) : "memory");
		while (was);
		*count += 1;
		asm volatile("st.release.gpu.global.u32 [%0], 0;" :: "l"(lock) : "memory");
	}
}
