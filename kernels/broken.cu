// Mistakes that are made again and again, each beside its fix: KIND_MISTAKE_broken and KIND_MISTAKE_fixed.
#include "clang.h"

#define ALL 0xFFFFFFFF

// --- Past the end ---

extern "C" __global__ void past_at_most_broken(const int *in, int *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i <= n)
		out[i] = 2 * in[i]; //@ past_at_most_broken
}

extern "C" __global__ void past_at_most_fixed(const int *in, int *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = 2 * in[i]; //@ past_at_most_fixed
}

// The last element has no right neighbor.
extern "C" __global__ void past_next_broken(const int *in, int *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i + 1] - in[i]; //@ past_next_broken
}

extern "C" __global__ void past_next_fixed(const int *in, int *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i + 1 < n)
		out[i] = in[i + 1] - in[i]; //@ past_next_fixed
}

// The tile is from a time when blocks had 32 threads.
extern "C" __global__ void past_tile_broken(const int *in, int *out, unsigned n)
{
	__shared__ int tile[32];
	unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	tile[t] = in[min(i, n - 1)]; //@ past_tile_broken
	__syncthreads();
	if (i < n)
		out[i] = 2 * tile[t];
}

extern "C" __global__ void past_tile_fixed(const int *in, int *out, unsigned n)
{
	__shared__ int tile[64];
	unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	tile[t] = in[min(i, n - 1)]; //@ past_tile_fixed
	__syncthreads();
	if (i < n)
		out[i] = 2 * tile[t];
}

// These two are one: the host has made room for n bytes, or for n words.
extern "C" __global__ void past_sizeof_broken(const int *in, int *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = 2 * in[i]; //@ past_sizeof_broken
}

extern "C" __global__ void past_sizeof_fixed(const int *in, int *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = 2 * in[i]; //@ past_sizeof_fixed
}

// --- Words that nothing has stored; blocks of one warp ---

// How often each value modulo 32 occurs in the block.
extern "C" __global__ void unset_bins_broken(const unsigned *in, unsigned *out, unsigned n)
{
	__shared__ unsigned bins[32];
	unsigned t = threadIdx.x, i = blockIdx.x * 32 + t;
	if (i < n)
		atomicAdd(&bins[in[i] % 32], 1u); //@ unset_bins_broken
	__syncthreads();
	out[i] = bins[t];
}

extern "C" __global__ void unset_bins_fixed(const unsigned *in, unsigned *out, unsigned n)
{
	__shared__ unsigned bins[32];
	unsigned t = threadIdx.x, i = blockIdx.x * 32 + t;
	bins[t] = 0;
	__syncthreads();
	if (i < n)
		atomicAdd(&bins[in[i] % 32], 1u); //@ unset_bins_fixed
	__syncthreads();
	out[i] = bins[t];
}

// Each value and its mirror's in the block.
extern "C" __global__ void unset_rest_broken(const unsigned *in, unsigned *out, unsigned n)
{
	__shared__ unsigned tile[32];
	unsigned t = threadIdx.x, i = blockIdx.x * 32 + t;
	if (i < n)
		tile[t] = in[i];
	__syncthreads();
	out[i] = tile[t] ^ tile[31 - t]; //@ unset_rest_broken
}

extern "C" __global__ void unset_rest_fixed(const unsigned *in, unsigned *out, unsigned n)
{
	__shared__ unsigned tile[32];
	unsigned t = threadIdx.x, i = blockIdx.x * 32 + t;
	tile[t] = i < n ? in[i] : 0;
	__syncthreads();
	out[i] = tile[t] ^ tile[31 - t]; //@ unset_rest_fixed
}

// Each value and its right neighbor's, which the next block has.
extern "C" __global__ void unset_halo_broken(const unsigned *in, unsigned *out, unsigned n)
{
	__shared__ unsigned tile[33];
	unsigned t = threadIdx.x, i = blockIdx.x * 32 + t;
	tile[t] = in[min(i, n - 1)];
	__syncthreads();
	out[i] = tile[t] ^ tile[t + 1]; //@ unset_halo_broken
}

extern "C" __global__ void unset_halo_fixed(const unsigned *in, unsigned *out, unsigned n)
{
	__shared__ unsigned tile[33];
	unsigned t = threadIdx.x, i = blockIdx.x * 32 + t;
	for (unsigned k = t; k < 33; k += 32)
		tile[k] = in[min(blockIdx.x * 32 + k, n - 1)];
	__syncthreads();
	out[i] = tile[t] ^ tile[t + 1]; //@ unset_halo_fixed
}

// --- Wide accesses: sums of parts of four rows ---

__shared__ __attribute__((aligned(16))) float rows[4 * 132];

#define STORE_ROWS() \
	_Pragma("unroll 1") for (unsigned k = threadIdx.x; k < 4 * 128; k += 32) \
		rows[k / 128 * pitch + k % 128] = in[k]; \
	__syncthreads();

extern "C" __global__ void wide_float(const float *in, float *out, unsigned pitch)
{
	STORE_ROWS()
	#pragma unroll 1
	for (unsigned r = 0; r < 4; r++)
		out[32 * r + threadIdx.x] = rows[r * pitch + threadIdx.x]; //@ wide_float
}

extern "C" __global__ void wide_float2(const float *in, float *out, unsigned pitch)
{
	STORE_ROWS()
	#pragma unroll 1
	for (unsigned r = 0; r < 4; r++) {
		float2 v = *(const float2 *)&rows[r * pitch + 2 * threadIdx.x]; //@ wide_float2
		out[32 * r + threadIdx.x] = v.x + v.y;
	}
}

extern "C" __global__ void wide_float4(const float *in, float *out, unsigned pitch)
{
	STORE_ROWS()
	#pragma unroll 1
	for (unsigned r = 0; r < 4; r++) {
		float4 v = *(const float4 *)&rows[r * pitch + 4 * threadIdx.x]; //@ wide_float4
		out[32 * r + threadIdx.x] = v.x + v.y + v.z + v.w;
	}
}

// --- Races; two blocks of 64 threads ---

extern "C" __global__ void race_barrier_broken(const int *in, int *out)
{
	__shared__ int tile[64];
	unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
	tile[t] = in[i];
	out[i] = tile[63 - t]; //@ race_barrier_broken
}

extern "C" __global__ void race_barrier_fixed(const int *in, int *out)
{
	__shared__ int tile[64];
	unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
	tile[t] = in[i];
	__syncthreads();
	out[i] = tile[63 - t]; //@ race_barrier_fixed
}

// The sum of each warp, by halves.
extern "C" __global__ void race_volatile_broken(const int *in, int *out)
{
	__shared__ volatile int tile[64];
	unsigned t = threadIdx.x, lane = t % 32, i = blockIdx.x * 64 + t;
	tile[t] = in[i];
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2)
		if (lane < d)
			tile[t] = tile[t] + tile[t + d]; //@ race_volatile_broken
	out[i] = tile[t - lane];
}

extern "C" __global__ void race_volatile_fixed(const int *in, int *out)
{
	__shared__ int tile[64];
	unsigned t = threadIdx.x, lane = t % 32, i = blockIdx.x * 64 + t;
	tile[t] = in[i];
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2) {
		__syncwarp();
		if (lane < d)
			tile[t] = tile[t] + tile[t + d]; //@ race_volatile_fixed
	}
	__syncwarp();
	out[i] = tile[t - lane];
}

// All values move one place to the left.
extern "C" __global__ void race_in_place_broken(const int *in, int *out)
{
	unsigned i = blockIdx.x * 64 + threadIdx.x;
	out[i] = out[(i + 1) % 128]; //@ race_in_place_broken
}

extern "C" __global__ void race_in_place_fixed(const int *in, int *out)
{
	unsigned i = blockIdx.x * 64 + threadIdx.x;
	out[i] = in[(i + 1) % 128]; //@ race_in_place_fixed
}

extern "C" __global__ void race_index_broken(const int *in, int *out)
{
	unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
	out[t] = 2 * in[i]; //@ race_index_broken
}

extern "C" __global__ void race_index_fixed(const int *in, int *out)
{
	unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
	out[i] = 2 * in[i]; //@ race_index_fixed
}

// --- Between blocks of one warp ---

__device__ __forceinline__ int warp_sum(int v)
{
	for (unsigned d = 16; d > 0; d /= 2)
		v += __shfl_xor_sync(ALL, v, d);
	return v;
}

// All blocks add what they have to one word.
extern "C" __global__ void apart_add_broken(const int *in, int *out, int *parts, int *count)
{
	int sum = warp_sum(in[blockIdx.x * 32 + threadIdx.x]);
	if (threadIdx.x == 0)
		out[0] += sum; //@ apart_add_broken
}

extern "C" __global__ void apart_add_fixed(const int *in, int *out, int *parts, int *count)
{
	int sum = warp_sum(in[blockIdx.x * 32 + threadIdx.x]);
	if (threadIdx.x == 0)
		atomicAdd(&out[0], sum); //@ apart_add_fixed
}

// The last of 32 blocks adds up what all have stored.
extern "C" __global__ void apart_last_broken(const int *in, int *out, int *parts, int *count)
{
	__shared__ int arrived;
	unsigned t = threadIdx.x;
	int sum = warp_sum(in[blockIdx.x * 32 + t]);
	if (t == 0) {
		parts[blockIdx.x] = sum;
		arrived = atomicAdd(count, 1);
	}
	__syncthreads();
	if (arrived == 31)
		out[t] = warp_sum(parts[t]); //@ apart_last_broken
}

extern "C" __global__ void apart_last_fixed(const int *in, int *out, int *parts, int *count)
{
	__shared__ int arrived;
	unsigned t = threadIdx.x;
	int sum = warp_sum(in[blockIdx.x * 32 + t]);
	if (t == 0) {
		parts[blockIdx.x] = sum;
		__threadfence();
		arrived = atomicAdd(count, 1);
	}
	__syncthreads();
	if (arrived == 31)
		out[t] = warp_sum(parts[t]); //@ apart_last_fixed
}

// The lanes of a warp add, one after the other, in the order in which they get the lock.
extern "C" __global__ void apart_lock_broken(const int *in, int *out, int *parts, int *lock)
{
	bool done = false;
	while (!done)
		if (atomicCAS(lock, 0, 1) == 0) {
			out[0] += in[threadIdx.x]; //@ apart_lock_broken
			atomicExch(lock, 0);
			done = true;
		}
}

extern "C" __global__ void apart_lock_fixed(const int *in, int *out, int *parts, int *lock)
{
	bool done = false;
	while (!done)
		if (atomicCAS(lock, 0, 1) == 0) {
			__threadfence();
			out[0] += in[threadIdx.x]; //@ apart_lock_fixed
			__threadfence();
			atomicExch(lock, 0);
			done = true;
		}
}

// --- Masks: the sum of the first `count` values of a warp ---

extern "C" __global__ void mask_all(const int *in, int *out, unsigned count)
{
	unsigned lane = threadIdx.x;
	int v = lane < count ? in[lane] : 0;
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2)
		v += __shfl_xor_sync(ALL, v, d); //@ mask_all
	out[lane] = v;
}

extern "C" __global__ void mask_branch(const int *in, int *out, unsigned count)
{
	unsigned lane = threadIdx.x;
	int v = 0;
	if (lane < count) {
		v = in[lane];
		#pragma unroll 1
		for (unsigned d = 16; d > 0; d /= 2)
			v += __shfl_xor_sync(ALL, v, d); //@ mask_branch
	}
	out[lane] = v;
}

extern "C" __global__ void mask_number(const int *in, int *out, unsigned count)
{
	unsigned lane = threadIdx.x;
	int v = lane < count ? in[lane] : 0;
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2)
		v += __shfl_xor_sync(32, v, d); //@ mask_number
	out[lane] = v;
}

extern "C" __global__ void mask_half(const int *in, int *out, unsigned count)
{
	unsigned lane = threadIdx.x;
	int v = lane < count ? in[lane] : 0;
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2)
		v += __shfl_xor_sync(0xFFFF, v, d); //@ mask_half
	out[lane] = v;
}

// The lanes add in turn; the lock is the word after the sums.
extern "C" __global__ void mask_locked(const int *in, int *out, unsigned count)
{
	bool done = threadIdx.x >= count;
	while (!done)
		if (atomicCAS(&out[32], 0, 1) == 0) {
			__threadfence();
			out[0] += in[threadIdx.x];
			__threadfence();
			__syncwarp(); //@ mask_locked
			atomicExch(&out[32], 0);
			done = true;
		}
}

// --- Barriers that only some threads come to; a block of 64 threads ---

// Each value with that of the thread opposite, among the first 40 the sum of both, among the others the difference.
extern "C" __global__ void meet_arms_broken(const int *in, int *out, unsigned n)
{
	__shared__ int tile[64];
	unsigned t = threadIdx.x;
	int v = in[t];
	tile[t] = v;
	if (t < 40) {
		__syncthreads(); //@ meet_arms_broken
		v += tile[39 - t];
	} else {
		__syncthreads();
		v -= tile[103 - t];
	}
	out[t] = v;
}

extern "C" __global__ void meet_arms_fixed(const int *in, int *out, unsigned n)
{
	__shared__ int tile[64];
	unsigned t = threadIdx.x;
	int v = in[t];
	tile[t] = v;
	__syncthreads(); //@ meet_arms_fixed
	int opposite = tile[t < 40 ? 39 - t : 103 - t];
	out[t] = t < 40 ? v + opposite : v - opposite;
}

// 64 values at a time; each thread adds up those of the thread opposite.
extern "C" __global__ void meet_rounds_broken(const int *in, int *out, unsigned n)
{
	__shared__ int tile[64];
	unsigned t = threadIdx.x;
	int v = 0;
	#pragma unroll 1
	for (unsigned i = t; i < n; i += 64) {
		tile[t] = in[i];
		__syncthreads(); //@ meet_rounds_broken
		v += tile[63 - t];
		__syncthreads();
	}
	out[t] = v;
}

extern "C" __global__ void meet_rounds_fixed(const int *in, int *out, unsigned n)
{
	__shared__ int tile[64];
	unsigned t = threadIdx.x;
	int v = 0;
	#pragma unroll 1
	for (unsigned first = 0; first < n; first += 64) {
		tile[t] = first + t < n ? in[first + t] : 0;
		__syncthreads(); //@ meet_rounds_fixed
		v += tile[63 - t];
		__syncthreads();
	}
	out[t] = v;
}

// Each value and that of the thread opposite; threads without a value are done at once.
extern "C" __global__ void meet_early_broken(const int *in, int *out, unsigned n)
{
	__shared__ int tile[64];
	unsigned t = threadIdx.x;
	if (t >= n)
		return;
	tile[t] = in[t];
	__syncthreads(); //@ meet_early_broken
	out[t] = tile[t] + tile[n - 1 - t];
}

extern "C" __global__ void meet_early_fixed(const int *in, int *out, unsigned n)
{
	__shared__ int tile[64];
	unsigned t = threadIdx.x;
	if (t < n)
		tile[t] = in[t];
	__syncthreads(); //@ meet_early_fixed
	if (t < n)
		out[t] = tile[t] + tile[n - 1 - t];
}
