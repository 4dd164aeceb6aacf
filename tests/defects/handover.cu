// One block makes data and raises a flag; another waits for the flag and takes the data. Between blocks that needs a fence on
// both sides, of the whole GPU: the writer's keeps the data before the flag, the reader's keeps its reads after it. The flag
// itself must be read and written strongly: volatile or atomic.
#include "simt.h"

// Each lane's fence stands before __syncwarp, and only then lane 0 raises the flag. __threadfence() is a sequentially consistent
// fence: each lane's own comes before the reader's, else the reader had not seen the flag; so all data are before all reads.
// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: clean
// result: 2: 1 2 3 4
__global__ void handover_clean(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 1;
		__threadfence();
		__syncwarp();
		if (t == 0)
			*flag = 1;
	} else {
		while (*flag == 0)
			;
		__threadfence();
		out[t] = data[t];
	}
}

// The writer's fence is missing.
// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: race global make take
__global__ void handover_no_writer_fence(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 1; // [make]
		__syncwarp();
		if (t == 0)
			*flag = 1;
	} else {
		while (*flag == 0)
			;
		__threadfence();
		out[t] = data[t]; // [take]
	}
}

// The reader's fence is missing.
// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: race global make take
__global__ void handover_no_reader_fence(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 1; // [make]
		__threadfence();
		__syncwarp();
		if (t == 0)
			*flag = 1;
	} else {
		while (*flag == 0)
			;
		out[t] = data[t]; // [take]
	}
}

// Fences of the block, though the reader is in another.
// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: race global make take
__global__ void handover_block_fences(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 1; // [make]
		__threadfence_block();
		__syncwarp();
		if (t == 0)
			*flag = 1;
	} else {
		while (*flag == 0)
			;
		__threadfence_block();
		out[t] = data[t]; // [take]
	}
}

// The flag is raised first.
// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: race global make take
__global__ void handover_flag_first(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		if (t == 0)
			*flag = 1;
		__threadfence();
		data[t] = t + 1; // [make]
	} else {
		while (*flag == 0)
			;
		__threadfence();
		out[t] = data[t]; // [take]
	}
}

// The flag is raised by a plain store, which races with the volatile reads of it; so nothing is handed over either.
// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: race global raise wait
// also: race global make take
__global__ void handover_plain_flag(unsigned *data, unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 1; // [make]
		__threadfence();
		__syncwarp();
		if (t == 0)
			*flag = 1; // [raise]
	} else {
		while (*(volatile unsigned *)flag == 0) // [wait]
			;
		__threadfence();
		out[t] = data[t]; // [take]
	}
}

// Many threads make, one fences and raises the flag after a barrier: fences are cumulative, its fence counts for what it saw
// at the barrier. One thread waits; the others learn of it at a barrier.
// launch: --grid 2 --block 64 --arg u32[64] --arg u32[1] --arg u32[64]
// expect: clean
// result: 2: 64 63 62
__global__ void handover_by_one_clean(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 1;
		__syncthreads();
		if (t == 0) {
			__threadfence();
			*flag = 1;
		}
	} else {
		if (t == 0) {
			while (*flag == 0)
				;
			__threadfence();
		}
		__syncthreads();
		out[t] = data[63 - t];
	}
}

// The same without the maker's barrier: the flag says nothing of the second warp's data.
// launch: --grid 2 --block 64 --arg u32[64] --arg u32[1] --arg u32[64]
// expect: race global make take
__global__ void handover_by_one_too_soon(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 1; // [make]
		if (t == 0) {
			__threadfence();
			*flag = 1;
		}
	} else {
		if (t == 0) {
			while (*flag == 0)
				;
			__threadfence();
		}
		__syncthreads();
		out[t] = data[63 - t]; // [take]
	}
}

// Fence and flag in one instruction each: store-release and load-acquire.
// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: clean
// result: 2: 1 2 3 4
__global__ void handover_release_acquire_clean(unsigned *data, unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 1;
		__syncwarp();
		if (t == 0)
			asm volatile("st.release.gpu.global.u32 [%0], 1;" :: "l"(flag) : "memory");
	} else {
		unsigned raised;
		do
			asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(raised) : "l"(flag) : "memory");
		while (!raised);
		out[t] = data[t];
	}
}

// Relaxed on the reader's side.
// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: race global make take
__global__ void handover_release_relaxed(unsigned *data, unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 1; // [make]
		__syncwarp();
		if (t == 0)
			asm volatile("st.release.gpu.global.u32 [%0], 1;" :: "l"(flag) : "memory");
	} else {
		unsigned raised;
		do
			asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(raised) : "l"(flag) : "memory");
		while (!raised);
		out[t] = data[t]; // [take]
	}
}

// Released to the block only.
// launch: --grid 2 --block 32 --arg u32[32] --arg u32[1] --arg u32[32]
// expect: race global make take
// also: race global raise wait
__global__ void handover_release_block(unsigned *data, unsigned *flag, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 1; // [make]
		__syncwarp();
		if (t == 0)
			asm volatile("st.release.cta.global.u32 [%0], 1;" :: "l"(flag) : "memory"); // [raise]
	} else {
		unsigned raised;
		do
			asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(raised) : "l"(flag) : "memory"); // [wait]
		while (!raised);
		out[t] = data[t]; // [take]
	}
}

// Value and flag are one 64-bit word, written and read in one piece: nothing else is handed over, no fence is needed.
// launch: --grid 2 --block 32 --arg u64[32] --arg u32[32]
// expect: clean
// result: 1: 1 2 3 4
__global__ void handover_packed_clean(volatile unsigned long long *slot, unsigned *out)
{
	int t = threadIdx.x;
	if (blockIdx.x == 0) {
		slot[t] = (unsigned long long)(t + 1) << 32 | 1;
	} else {
		unsigned long long v;
		do
			v = slot[t];
		while (!(v & 1));
		out[t] = (unsigned)(v >> 32);
	}
}
