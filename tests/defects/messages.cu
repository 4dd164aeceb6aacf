// Messages between blocks by the instructions of the model themselves: releases and acquires of one scope or another, release
// sequences, accesses of other sizes.
#include "simt.h"

#define LOAD_RELAXED(v, p) asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define LOAD_ACQUIRE(v, p) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define STORE_RELAXED(p, v) asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" :: "l"(p), "r"(v) : "memory")
#define STORE_RELEASE(p, v) asm volatile("st.release.gpu.global.u32 [%0], %1;" :: "l"(p), "r"(v) : "memory")

// A fence that is acquire and release, not sequentially consistent, with relaxed accesses: release pattern and acquire pattern.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1] --arg u32[1]
// expect: clean
// result: 2: 42
__global__ void fence_acq_rel_clean(unsigned *data, unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*data = 42;
		asm volatile("fence.acq_rel.gpu;" ::: "memory");
		STORE_RELAXED(flag, 1);
	} else {
		unsigned seen;
		do
			LOAD_RELAXED(seen, flag);
		while (!seen);
		asm volatile("fence.acq_rel.gpu;" ::: "memory");
		*out = *data;
	}
}

// The reader's fence is of its block: the two are not morally strong and do not synchronize.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1] --arg u32[1]
// expect: race global make take
__global__ void fence_acq_rel_block(unsigned *data, unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*data = 42; // [make]
		asm volatile("fence.acq_rel.gpu;" ::: "memory");
		STORE_RELAXED(flag, 1);
	} else {
		unsigned seen;
		do
			LOAD_RELAXED(seen, flag);
		while (!seen);
		asm volatile("fence.acq_rel.cta;" ::: "memory");
		*out = *data; // [take]
	}
}

// Many release into one counter; the reader observes each through the later ones, which are read-modify-writes.
// launch: --grid 4 --block 32 --arg u32[3] --arg u32[1] --arg u32[1]
// expect: clean
// result: 2: 6
__global__ void release_sequence_clean(unsigned *data, unsigned *count, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x < 3) {
		data[blockIdx.x] = blockIdx.x + 1;
		asm volatile("red.release.gpu.global.add.u32 [%0], 1;" :: "l"(count) : "memory");
	} else {
		unsigned seen;
		do
			LOAD_ACQUIRE(seen, count);
		while (seen != 3);
		*out = data[0] + data[1] + data[2];
	}
}

// Block 1 adds relaxed: it carries on the releases of the others, but its own data are not released.
// launch: --grid 4 --block 32 --arg u32[3] --arg u32[1] --arg u32[1]
// expect: race global make take
__global__ void release_sequence_one_relaxed(unsigned *data, unsigned *count, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 1) {
		data[1] = 2; // [make]
		asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" :: "l"(count) : "memory");
	} else if (blockIdx.x < 3) {
		data[blockIdx.x] = blockIdx.x + 1;
		asm volatile("red.release.gpu.global.add.u32 [%0], 1;" :: "l"(count) : "memory");
	} else {
		unsigned seen;
		do
			LOAD_ACQUIRE(seen, count);
		while (seen != 3);
		*out = data[0] + data[1] + data[2]; // [take]
	}
}

// A relaxed store, unlike an add, begins anew: the reader observes it and not the release that it overwrites.
// launch: --grid 3 --block 32 --arg u32[1] --arg u32[1] --arg u32[1]
// expect: race global make take
__global__ void release_overwritten(unsigned *data, unsigned *flag, unsigned *out)
{
	unsigned seen;
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*data = 42; // [make]
		STORE_RELEASE(flag, 1);
	} else if (blockIdx.x == 1) {
		do
			LOAD_RELAXED(seen, flag);
		while (seen != 1);
		STORE_RELAXED(flag, 2);
	} else {
		do
			LOAD_ACQUIRE(seen, flag);
		while (seen != 2);
		*out = *data; // [take]
	}
}

// Handed on by acquire and release: causality order is transitive.
// launch: --grid 3 --block 32 --arg u32[1] --arg u32[1] --arg u32[1]
// expect: clean
// result: 2: 42
__global__ void release_handed_on_clean(unsigned *data, unsigned *flag, unsigned *out)
{
	unsigned seen;
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*data = 42;
		STORE_RELEASE(flag, 1);
	} else if (blockIdx.x == 1) {
		do
			LOAD_ACQUIRE(seen, flag);
		while (seen != 1);
		STORE_RELEASE(flag, 2);
	} else {
		do
			LOAD_ACQUIRE(seen, flag);
		while (seen != 2);
		*out = *data;
	}
}

// Acquired for the block only: flag and data race, since load and store are not morally strong.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1] --arg u32[1]
// expect: race global make take
// expect: race global raise wait
__global__ void acquire_block_scope(unsigned *data, unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*data = 42; // [make]
		STORE_RELEASE(flag, 1); // [raise]
	} else {
		unsigned seen;
		do
			asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory"); // [wait]
		while (!seen);
		*out = *data; // [take]
	}
}

// A node is published by a relaxed exchange of its index; reading through the index is no acquire pattern.
// launch: --grid 2 --block 32 --arg u32[4] --arg u32[1] --arg u32[1]
// expect: race global make take
__global__ void index_published_relaxed(unsigned *node, unsigned *at, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		node[3] = 42; // [make]
		atomicExch(at, 3u);
	} else {
		unsigned seen;
		while (!(seen = *(volatile unsigned *)at))
			;
		*out = node[seen]; // [take]
	}
}

// launch: --grid 2 --block 32 --arg u32[4] --arg u32[1] --arg u32[1]
// expect: clean
// result: 2: 42
__global__ void index_published_clean(unsigned *node, unsigned *at, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		node[3] = 42;
		__threadfence();
		atomicExch(at, 3u);
	} else {
		unsigned seen;
		while (!(seen = *(volatile unsigned *)at))
			;
		__threadfence();
		*out = node[seen];
	}
}

// Both are volatile, but of different sizes: they do not overlap completely, are not morally strong, and race.
// launch: --grid 2 --block 32 --arg u32[2] --arg u64[1]
// expect: race global half whole
__global__ void volatile_of_two_sizes(unsigned *word, unsigned long long *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0)
		*(volatile unsigned *)&word[1] = 1; // [half]
	else
		*out = *(volatile unsigned long long *)word; // [whole]
}

// The release is of the system, the acquire of the GPU: each scope has both threads.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1] --arg u32[1]
// expect: clean
// result: 2: 42
__global__ void release_of_system_clean(unsigned *data, unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*data = 42;
		asm volatile("st.release.sys.global.u32 [%0], 1;" :: "l"(flag) : "memory");
	} else {
		unsigned seen;
		do
			LOAD_ACQUIRE(seen, flag);
		while (!seen);
		*out = *data;
	}
}

// The flag is lowered by the reader, raised again by the writer: each hands the data back and forth.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1] --arg u32[4]
// expect: clean
// result: 2: 0 10 20 30
__global__ void back_and_forth_clean(unsigned *data, unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	for (unsigned k = 0; k < 4; k++) {
		unsigned seen;
		do
			LOAD_ACQUIRE(seen, flag);
		while (seen != blockIdx.x);
		if (blockIdx.x == 0)
			*data = k * 10;
		else
			out[k] = *data;
		STORE_RELEASE(flag, 1 - blockIdx.x);
	}
}

// The reader lowers the flag before it reads.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1] --arg u32[4]
// expect: race global make take
__global__ void back_before_read(unsigned *data, unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	for (unsigned k = 0; k < 4; k++) {
		unsigned seen;
		do
			LOAD_ACQUIRE(seen, flag);
		while (seen != blockIdx.x);
		if (blockIdx.x == 0)
			*data = k * 10; // [make]
		STORE_RELEASE(flag, 1 - blockIdx.x);
		if (blockIdx.x == 1)
			out[k] = *data; // [take]
	}
}
