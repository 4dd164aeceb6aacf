// What L2 does, counted (tests/time/caches, tests/gpu/times.c): which half has a page, and is near an SM; what is read again, by others
// too; how much stays; when what was written goes to DRAM. Micro-kernels: none of them is in a set that the model is judged by.
#include "simt.h"

#define LOAD_CG(v, p) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ALL 0xFFFFFFFFu

// A block of 128 threads goes through `pages` pages of 4 KiB from page `first` + its number times `stride` on, a sector each thread,
// so many times; where `only` is no number of a block, all of them do.
extern "C" __global__ void l2_pages(
	const char *data, unsigned *out, unsigned first, unsigned stride, unsigned pages, unsigned times, unsigned only)
{
	unsigned sum = 0, v;
	if (only != ALL && blockIdx.x != only)
		return;
	for (unsigned t = 0; t < times; t++) {
		for (unsigned p = 0; p < pages; p++) {
			LOAD_CG(v, data + (size_t)(first + blockIdx.x * stride + p) * 4096 + threadIdx.x * 32);
			sum += v;
		}
		__syncthreads();
	}
	if (sum == 12345)
		out[0] = sum;
}

// What `to` reads after block `from` has written it, or changed it by atomics, and the same again. flag is 0.
extern "C" __global__ void l2_exchange(
	char *data, volatile unsigned *flag, unsigned *out, unsigned from, unsigned to, unsigned pages, unsigned changes)
{
	unsigned sum = 0, v;
	if (blockIdx.x == from) {
		for (unsigned p = 0; p < pages; p++) {
			unsigned *at = (unsigned *)(data + (size_t)p * 4096 + threadIdx.x * 32);
			if (changes)
				atomicAdd(at, 1u);
			else
				*(volatile unsigned *)at = p;
		}
		__threadfence();
		__syncthreads();
		if (threadIdx.x == 0)
			*flag = 1;
	}
	if (blockIdx.x != to)
		return;
	if (threadIdx.x == 0)
		while (!*flag)
			;
	__syncthreads();
	for (unsigned t = 0; t < 2; t++)
		for (unsigned p = 0; p < pages; p++) {
			LOAD_CG(v, data + (size_t)p * 4096 + threadIdx.x * 32);
			sum += v;
		}
	if (sum == 12345)
		out[0] = sum;
}

// n elements of 16 bytes, so many times.
#define EACH \
	for (unsigned t = 0; t < times; t++) \
		for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)

extern "C" __global__ void l2_read(const uint4 *data, unsigned *out, unsigned n, unsigned times)
{
	unsigned sum = 0;
	EACH {
		unsigned a, b, c, d;
		asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(data + i));
		sum += a + b + c + d;
	}
	if (sum == 12345)
		out[0] = sum;
}

extern "C" __global__ void l2_write(uint4 *data, unsigned n, unsigned times)
{
	EACH
		data[i] = make_uint4(i, t, i, t);
}

// A word of each sector.
extern "C" __global__ void l2_write_words(unsigned *data, unsigned n, unsigned times)
{
	EACH
		data[(size_t)i * 8] = t;
}

extern "C" __global__ void l2_copy(const uint4 *from, uint4 *to, unsigned n, unsigned times)
{
	EACH
		to[i] = from[i];
}

extern "C" __global__ void l2_change(uint4 *data, unsigned n, unsigned times)
{
	EACH {
		uint4 v = data[i];
		data[i] = make_uint4(v.x + 1, v.y, v.z, v.w);
	}
}

extern "C" __global__ void l2_sum(const uint4 *a, const uint4 *b, uint4 *to, unsigned n, unsigned times)
{
	EACH {
		uint4 v = a[i], w = b[i];
		to[i] = make_uint4(v.x + w.x, v.y, v.z, w.w);
	}
}

// Words in an order that looks random, of n.
extern "C" __global__ void l2_random(const unsigned *data, unsigned *out, unsigned n, unsigned rounds)
{
	unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345, sum = 0, v;
	for (unsigned r = 0; r < rounds; r++) {
		at = at * 1664525u + 1013904223u;
		LOAD_CG(v, data + (at >> 2) % n);
		sum += v;
	}
	if (sum == 12345)
		out[0] = sum;
}

extern "C" __global__ void l2_scatter(unsigned *data, unsigned n, unsigned rounds)
{
	unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345;
	for (unsigned r = 0; r < rounds; r++) {
		at = at * 1664525u + 1013904223u;
		data[(at >> 2) % n] = r;
	}
}
