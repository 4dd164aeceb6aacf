// What a GPU can do at most: kernels that do one thing alone, as fast as they can (tests/time/roofs, tests/gpu/times.c). Each is launched in
// several shapes, of which the fastest is the roof. None of them is in a set that the model is judged by.
// needs: sm_80, PTX 7.0
#include "simt.h"

#define EACH(k, n) _Pragma("unroll") for (unsigned k = 0; k < n; k++)
#define LOAD(what, v, p) \
	asm volatile(what ".v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p) : "memory")

// The grid goes through n elements of 16 bytes, so many times; n is a multiple of four times the threads. L1 keeps nothing of it.
extern "C" __global__ void roof_read(const uint4 *data, unsigned *out, unsigned n, unsigned times)
{
	unsigned sum = 0, step = gridDim.x * blockDim.x;
	for (unsigned t = 0; t < times; t++) {
		for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 4 * step) {
			uint4 v[4];
			EACH(k, 4)
				LOAD("ld.global.cg", v[k], data + i + k * step);
			EACH(k, 4)
				sum += v[k].x + v[k].y + v[k].z + v[k].w;
		}
	}
	if (sum == 12345)
		out[0] = sum;
}

// Each element once, to another place.
extern "C" __global__ void roof_copy(const uint4 *data, uint4 *out, unsigned n, unsigned times)
{
	unsigned step = gridDim.x * blockDim.x;
	for (unsigned t = 0; t < times; t++) {
		for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 4 * step) {
			uint4 v[4];
			EACH(k, 4)
				LOAD("ld.global.cg", v[k], data + i + k * step);
			EACH(k, 4)
				out[i + k * step] = v[k];
		}
	}
}

// All blocks go through the same `mask` + 1 elements of 16 bytes, a power of two, again and again: what L1 can give. (A load whose address
// stays would be made once.)
extern "C" __global__ void roof_read_again(const uint4 *data, unsigned *out, unsigned mask, unsigned times)
{
	unsigned sum = 0, at = threadIdx.x;
	for (unsigned t = 0; t < times; t++) {
		uint4 v[8];
		EACH(k, 8) {
			LOAD("ld.global.ca", v[k], data + (at & mask));
			at += blockDim.x;
		}
		EACH(k, 8)
			sum += v[k].x + v[k].y + v[k].z + v[k].w;
	}
	if (sum == 12345)
		out[0] = sum;
}

// The same from shared memory, one for each thread.
extern "C" __global__ void roof_read_shared(const uint4 *data, unsigned *out, unsigned times)
{
	__shared__ uint4 tile[1024];
	unsigned sum = 0;
	unsigned long long place;
	tile[threadIdx.x] = data[threadIdx.x];
	__syncthreads();
	asm volatile("cvta.to.shared.u64 %0, %1;" : "=l"(place) : "l"(tile + threadIdx.x));
	for (unsigned t = 0; t < times; t++) {
		uint4 v[8];
		EACH(k, 8)
			LOAD("ld.volatile.shared", v[k], place);
		EACH(k, 8)
			sum += v[k].x + v[k].y + v[k].z + v[k].w;
	}
	if (sum == 12345)
		out[0] = sum;
}

// Multiply-adds alone, in `CHAINS` chains that do not wait for each other: 128 of them in a round.
#define MULTIPLY_ADDS(name, CHAINS) \
	extern "C" __global__ void name(float *out, unsigned rounds, float factor, float term) \
	{ \
		float x[CHAINS], sum = 0; \
		EACH(c, CHAINS) \
			x[c] = (float)(threadIdx.x + c); \
		for (unsigned r = 0; r < rounds; r++) \
			EACH(k, 128 / CHAINS) \
				EACH(c, CHAINS) \
					x[c] = __fmaf_rn(x[c], factor, term); \
		EACH(c, CHAINS) \
			sum += x[c]; \
		if (sum == 12345.0f) \
			out[0] = sum; \
	}
MULTIPLY_ADDS(roof_fma_1, 1)
MULTIPLY_ADDS(roof_fma_2, 2)
MULTIPLY_ADDS(roof_fma_4, 4)
MULTIPLY_ADDS(roof_fma_8, 8)

// Products of matrices of half floats, 16 by 16 times 16 by 8, added up in floats: 32 of them in a round, in eight chains.
extern "C" __global__ void roof_mma(float *out, unsigned rounds, unsigned ones)
{
	float d[8][4], sum = 0;
	EACH(c, 8)
		EACH(k, 4)
			d[c][k] = 0;
	for (unsigned r = 0; r < rounds; r++)
		EACH(n, 4)
			EACH(c, 8)
				asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
					: "+f"(d[c][0]), "+f"(d[c][1]), "+f"(d[c][2]), "+f"(d[c][3]) : "r"(ones));
	EACH(c, 8)
		EACH(k, 4)
			sum += d[c][k];
	if (sum == 12345.0f)
		out[0] = sum;
}
