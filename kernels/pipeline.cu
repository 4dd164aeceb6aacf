// Blocks of 256 threads go through tiles of 256 words: load one, use it, load the next. Of each tile a thread takes the words beside its own, and
// turns their sum around, `rounds` times by a bit: a multiple of 32, so that it comes out as it went in.
// needs: sm_80, PTX 7.0
#include "clang.h"

#define THREADS 256

#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" \
	:: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_BUT(n) asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")

static __device__ __forceinline__ unsigned use(const unsigned *tile, unsigned rounds)
{
	unsigned t = threadIdx.x, word = tile[(t + 1) % THREADS] + tile[(t + THREADS - 1) % THREADS]; //@ use
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		word = word << 1 | word >> 31;
	return word;
}

// One tile at a time: load, wait, use, wait.
extern "C" __global__ void one_tile(const unsigned *in, unsigned *out, unsigned tiles, unsigned rounds)
{
	__shared__ unsigned tile[THREADS];

	unsigned t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * THREADS + t;
	#pragma unroll 1
	for (unsigned k = 0; k < tiles; k++) {
		tile[t] = in[k * THREADS]; //@ one_tile
		__syncthreads();
		sum += use(tile, rounds);
		__syncthreads();
	}
	out[blockIdx.x * THREADS + t] = sum;
}

// The next tile is on its way, to registers, while this one is used.
extern "C" __global__ void registers(const unsigned *in, unsigned *out, unsigned tiles, unsigned rounds)
{
	__shared__ unsigned tile[2][THREADS];

	unsigned t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * THREADS + t;
	unsigned next = in[0];
	#pragma unroll 1
	for (unsigned k = 0; k < tiles; k++) {
		tile[k % 2][t] = next;
		if (k + 1 < tiles)
			next = in[(k + 1) * THREADS]; //@ registers
		__syncthreads();
		sum += use(tile[k % 2], rounds);
	}
	out[blockIdx.x * THREADS + t] = sum;
}

// Tiles are copied to shared memory by cp.async, with stages - 1 of them on their way while one is used. A group is a tile's copies.
template <unsigned stages>
static __device__ __forceinline__ void copied(const unsigned *in, unsigned *out, unsigned tiles, unsigned rounds)
{
	__shared__ unsigned tile[stages][THREADS];

	unsigned t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * THREADS + t;
	#pragma unroll
	for (unsigned k = 0; k < stages - 1; k++) {
		COPY(&tile[k][t], &in[k * THREADS]);
		COMMIT();
	}
	unsigned k = 0;
	#pragma unroll 1
	for (; k + stages - 1 < tiles; k++) {
		WAIT_BUT(stages - 2);
		__syncthreads();
		COPY(&tile[(k + stages - 1) % stages][t], &in[(k + stages - 1) * THREADS]);
		COMMIT();
		sum += use(tile[k % stages], rounds);
	}
	WAIT_BUT(0); // the last tiles are on their way, and no others follow
	__syncthreads();
	#pragma unroll 1
	for (; k < tiles; k++)
		sum += use(tile[k % stages], rounds);
	out[blockIdx.x * THREADS + t] = sum;
}

extern "C" __global__ void copies_two(const unsigned *in, unsigned *out, unsigned tiles, unsigned rounds)
{
	copied<2>(in, out, tiles, rounds); //@ copies_two
}

extern "C" __global__ void copies_three(const unsigned *in, unsigned *out, unsigned tiles, unsigned rounds)
{
	copied<3>(in, out, tiles, rounds); //@ copies_three
}

extern "C" __global__ void copies_four(const unsigned *in, unsigned *out, unsigned tiles, unsigned rounds)
{
	copied<4>(in, out, tiles, rounds); //@ copies_four
}

extern "C" __global__ void copies_eight(const unsigned *in, unsigned *out, unsigned tiles, unsigned rounds)
{
	copied<8>(in, out, tiles, rounds); //@ copies_eight
}
