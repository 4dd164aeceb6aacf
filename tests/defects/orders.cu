// Faults that only some orders of blocks or warps show. A data race is one of some execution that the model allows; that the blocks
// ran in another order, in which a release happened to come before the acquire, is no excuse.
#include "simt.h"

// Keeps the compiler from making one store of those of two branches, which would have no line.
#define APART asm volatile("" ::: "memory")

__device__ void take(unsigned *lock)
{
	while (atomicCAS(lock, 0u, 1u) != 0)
		;
}

// Block 0 uses the count without taking the lock, and gives it back. When it comes first, block 1 acquires what it released.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1]
// expect: race global past count
__global__ void lock_not_taken_first(unsigned *lock, unsigned *count)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*count += 1; // [past]
		__threadfence();
		atomicExch(lock, 0u);
		return;
	}
	take(lock);
	__threadfence();
	*count += 1; // [count]
	__threadfence();
	atomicExch(lock, 0u);
}

// The mirror image: block 1 does.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1]
// expect: race global past count
__global__ void lock_not_taken_second(unsigned *lock, unsigned *count)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 1) {
		*count += 1; // [past]
		__threadfence();
		atomicExch(lock, 0u);
		return;
	}
	take(lock);
	__threadfence();
	*count += 1; // [count]
	__threadfence();
	atomicExch(lock, 0u);
}

// Block 0 takes the lock without an acquire pattern: no fence after the swap. First it has nothing to acquire.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1]
// expect: race global lax count
__global__ void lock_no_acquire_first(unsigned *lock, unsigned *count)
{
	if (threadIdx.x)
		return;
	take(lock);
	if (blockIdx.x == 0) {
		*count += 1; // [lax]
		APART;
	} else {
		__threadfence();
		*count += 2; // [count]
	}
	__threadfence();
	atomicExch(lock, 0u);
}

// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1]
// expect: race global lax count
__global__ void lock_no_acquire_second(unsigned *lock, unsigned *count)
{
	if (threadIdx.x)
		return;
	take(lock);
	if (blockIdx.x == 1) {
		*count += 1; // [lax]
		APART;
	} else {
		__threadfence();
		*count += 2; // [count]
	}
	__threadfence();
	atomicExch(lock, 0u);
}

// Block 1 gives the lock back without a release pattern. Second it has no one to release to.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1]
// expect: race global lax count
__global__ void lock_no_release_second(unsigned *lock, unsigned *count)
{
	if (threadIdx.x)
		return;
	take(lock);
	__threadfence();
	if (blockIdx.x == 1) {
		APART;
		*count += 1; // [lax]
		APART;
	} else {
		*count += 2; // [count]
		__threadfence();
	}
	atomicExch(lock, 0u);
}

// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1]
// expect: race global lax count
__global__ void lock_no_release_first(unsigned *lock, unsigned *count)
{
	if (threadIdx.x)
		return;
	take(lock);
	__threadfence();
	if (blockIdx.x == 0) {
		APART;
		*count += 1; // [lax]
		APART;
	} else {
		*count += 2; // [count]
		__threadfence();
	}
	atomicExch(lock, 0u);
}

// Between the warps of a block.
// launch: --grid 1 --block 64 --arg u32[1]
// expect: race shared past count
__global__ void lock_shared_not_taken_first(unsigned *out)
{
	__shared__ unsigned lock, count;
	int t = threadIdx.x;
	if (t == 0)
		lock = count = 0;
	__syncthreads();
	if (t == 0) {
		count += 1; // [past]
		__threadfence_block();
		atomicExch(&lock, 0u);
	} else if (t == 32) {
		take(&lock);
		__threadfence_block();
		count += 1; // [count]
		__threadfence_block();
		atomicExch(&lock, 0u);
	}
	__syncthreads();
	if (t == 0)
		*out = count;
}

// launch: --grid 1 --block 64 --arg u32[1]
// expect: race shared past count
__global__ void lock_shared_not_taken_second(unsigned *out)
{
	__shared__ unsigned lock, count;
	int t = threadIdx.x;
	if (t == 0)
		lock = count = 0;
	__syncthreads();
	if (t == 32) {
		count += 1; // [past]
		__threadfence_block();
		atomicExch(&lock, 0u);
	} else if (t == 0) {
		take(&lock);
		__threadfence_block();
		count += 1; // [count]
		__threadfence_block();
		atomicExch(&lock, 0u);
	}
	__syncthreads();
	if (t == 0)
		*out = count;
}

// All take and give it in order, whoever comes first.
// launch: --grid 4 --block 64 --arg u32[1] --arg u32[1]
// expect: clean
// result: 1: 8
__global__ void lock_by_warps_clean(unsigned *lock, unsigned *count)
{
	if (threadIdx.x % 32 == 0) {
		take(lock);
		__threadfence();
		*count += 1;
		__threadfence();
		atomicExch(lock, 0u);
	}
}

// A flag that is asked, not waited for: who finds it down goes on as if it need not be raised. The data are read before they are made.
// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: race global make take
__global__ void flag_asked_once_second(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t; // [make]
		__threadfence();
		__syncwarp();
		if (t == 0)
			*flag = 1;
	} else {
		if (*flag)
			__threadfence();
		out[t] = data[t]; // [take]
	}
}

// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: race global make take
__global__ void flag_asked_once_first(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 1) {
		data[t] = t; // [make]
		__threadfence();
		__syncwarp();
		if (t == 0)
			*flag = 1;
	} else {
		if (*flag)
			__threadfence();
		out[t] = data[t]; // [take]
	}
}

// Asked once, and nothing is read when it is down: correct in any order.
// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: clean
__global__ void flag_asked_once_clean(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t;
		__threadfence();
		__syncwarp();
		if (t == 0)
			*flag = 1;
	} else if (*flag) {
		__threadfence();
		out[t] = data[t];
	}
}

// A version without the reader's check that it was even; the reader that comes before the writer is unordered with it.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[2] --arg u32[2]
// expect: race global write read
__global__ void version_reader_second(volatile unsigned *version, unsigned *data, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*version = 1;
		__threadfence();
		data[0] = 7; data[1] = 8; // [write]
		__threadfence();
		*version = 2;
	} else {
		unsigned before, a, b;
		do {
			before = *version;
			__threadfence();
			a = data[0]; b = data[1]; // [read]
			__threadfence();
		} while (before % 2 || *version != before);
		out[0] = a;
		out[1] = b;
	}
}

// Whoever comes first makes, the other takes; it takes without an acquire pattern. Each order shows it, each from another side.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1] --arg u32[1]
// expect: race global make take
__global__ void first_makes_no_acquire(unsigned *come, unsigned *data, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (atomicCAS(come, 0u, 1u) == 0) {
		*data = 42; // [make]
		__threadfence();
		atomicExch(come, 2u);
	} else {
		while (atomicAdd(come, 0u) != 2)
			;
		*out = *data; // [take]
	}
}

// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1] --arg u32[1]
// expect: clean
// result: 2: 42
__global__ void first_makes_clean(unsigned *come, unsigned *data, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (atomicCAS(come, 0u, 1u) == 0) {
		*data = 42;
		__threadfence();
		atomicExch(come, 2u);
	} else {
		while (atomicAdd(come, 0u) != 2)
			;
		__threadfence();
		*out = *data;
	}
}

// Block 2 is lax when it comes right after block 0: neither the order of their numbers nor the reverse has that.
// launch: --grid 3 --block 32 --arg u32[2] --arg u32[1]
// expect: race global lax count
__global__ void lax_after_block_0(unsigned *lock, unsigned *count)
{
	if (threadIdx.x)
		return;
	take(&lock[0]);
	unsigned before = atomicExch(&lock[1], blockIdx.x + 1);
	if (blockIdx.x == 2 && before == 1) {
		*count += 1; // [lax]
		APART;
	} else {
		__threadfence();
		*count += 2; // [count]
	}
	__threadfence();
	atomicExch(&lock[0], 0u);
}
