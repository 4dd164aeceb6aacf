// Reading uninitialized memory. A launch's buffers are written by the host, __device__ variables when the program starts; shared
// and local memory begin uninitialized.
#include "simt.h"

// The lanes beyond the end load nothing, but all are added.
// launch: --grid 1 --block 64 --arg u32[50]:iota --arg u32[1] --arg s32:50
// expect: uninitialized shared add
__global__ void tile_partly_loaded(const unsigned *in, unsigned *out, int n)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t < n)
		s[t] = in[t];
	__syncthreads();
	if (t == 0) {
		unsigned sum = 0;
		for (int i = 0; i < 64; i++)
			sum += s[i]; // [add]
		*out = sum;
	}
}

// Zero is loaded beyond the end.
// launch: --grid 1 --block 64 --arg u32[50]:iota --arg u32[1] --arg s32:50
// expect: clean
// result: 1: 1225
__global__ void tile_zero_beyond_clean(const unsigned *in, unsigned *out, int n)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	s[t] = t < n ? in[t] : 0;
	__syncthreads();
	if (t == 0) {
		unsigned sum = 0;
		for (int i = 0; i < 64; i++)
			sum += s[i];
		*out = sum;
	}
}

// Partly loaded, and only that part is used.
// launch: --grid 1 --block 64 --arg u32[50]:iota --arg u32[1] --arg s32:50
// expect: clean
// result: 1: 1225
__global__ void tile_part_used_clean(const unsigned *in, unsigned *out, int n)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t < n)
		s[t] = in[t];
	__syncthreads();
	if (t == 0) {
		unsigned sum = 0;
		for (int i = 0; i < n; i++)
			sum += s[i];
		*out = sum;
	}
}

// Counting from whatever is there.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[8]
// expect: uninitialized shared count
__global__ void bins_not_emptied(const unsigned *in, unsigned *out)
{
	__shared__ unsigned bins[8];
	int t = threadIdx.x;
	atomicAdd(&bins[in[t] % 8], 1u); // [count]
	__syncthreads();
	if (t < 8)
		out[t] = bins[t];
}

// Another thread wrote it, before the barrier.
// launch: --grid 1 --block 64 --arg u32[64]
// expect: clean
// result: 0: 7 7 7
__global__ void set_by_another_clean(unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t == 0)
		for (int i = 0; i < 64; i++)
			s[i] = 7;
	__syncthreads();
	out[t] = s[t];
}

// The halo on the left is forgotten.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: uninitialized shared look
__global__ void halo_forgotten(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[66];
	int t = threadIdx.x;
	s[t + 1] = in[t];
	if (t == 63)
		s[65] = 0;
	__syncthreads();
	out[t] = s[t] + s[t + 2]; // [look]
}

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 1 2 4
__global__ void halo_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[66];
	int t = threadIdx.x;
	s[t + 1] = in[t];
	if (t == 63)
		s[65] = 0;
	if (t == 0)
		s[0] = 0;
	__syncthreads();
	out[t] = s[t] + s[t + 2];
}

// A thread's own array, filled in part.
// launch: --grid 1 --block 32 --arg s32:6 --arg s32[32]
// expect: uninitialized local pick
__global__ void local_partly_filled(int n, int *out)
{
	int own[8];
	for (int k = 0; k < n; k++)
		own[k] = k * k;
	out[threadIdx.x] = own[threadIdx.x % 8]; // [pick]
}

// launch: --grid 1 --block 32 --arg s32:8 --arg s32[32]
// expect: clean
// result: 1: 0 1 4 9
__global__ void local_filled_clean(int n, int *out)
{
	int own[8];
	for (int k = 0; k < n; k++)
		own[k] = k * k;
	out[threadIdx.x] = own[threadIdx.x % 8];
}

// A buffer of zeros and a variable of the program are written.
__device__ unsigned table[32];

// launch: --grid 1 --block 32 --arg u32[32] --arg u32[32]
// expect: clean
// result: 1: 0 0 0
__global__ void zeroed_clean(const unsigned *in, unsigned *out)
{
	out[threadIdx.x] = in[threadIdx.x] + table[threadIdx.x];
}

struct padded {
	unsigned char kind; // three bytes of nothing follow
	unsigned value;
};

// A struct is copied whole, with its uninitialized padding: copying is no use of it.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
// result: 0: 31 31 31
__global__ void padding_copied_clean(unsigned *out)
{
	__shared__ __align__(8) struct padded s[32], copy[32];
	int t = threadIdx.x;
	s[t].kind = t;
	s[t].value = 31 - t;
	__syncwarp();
	*(unsigned long long *)&copy[t] = *(unsigned long long *)&s[t];
	__syncwarp();
	out[t] = copy[t].value + copy[t].kind;
}

// A struct is read whole and an uninitialized member used. Where the checker follows values it is reported at the use, else at the
// read.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: uninitialized shared use
__global__ void member_forgotten(unsigned *out)
{
	__shared__ struct padded s[32];
	int t = threadIdx.x;
	s[t].kind = t;
	__syncwarp();
	out[t] = s[t].value + s[t].kind; // [use]
}

// The unused column of a padded tile is never touched.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 0 8 16
__global__ void padding_column_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[8][9];
	int t = threadIdx.x;
	s[t / 8][t % 8] = in[t];
	__syncthreads();
	out[t] = s[t % 8][t / 8];
}

// Dynamic shared memory is not zero either.
// launch: --grid 1 --block 32 --shared 128 --arg u32[32]
// expect: uninitialized shared read
__global__ void dynamic_not_set(unsigned *out)
{
	extern __shared__ unsigned s[];
	out[threadIdx.x] = s[threadIdx.x] + 1; // [read]
}
