// Wrong barriers, the one that CASE names: what an H200 (driver 580.159.04, 2026-11-29) makes of each is what this is tested for.
#include <cstdio>

#define ASM(text, ...) asm volatile(text ::__VA_ARGS__ : "memory")

__global__ void k(unsigned *out, unsigned zero)
{
	unsigned t = threadIdx.x, r = 0;
	__shared__ unsigned long long s[4];
	unsigned at = (unsigned)__cvta_generic_to_shared(s);
	(void)at;
	if (t == 0)
		s[0] = 0;
	__syncthreads();
#if CASE == 1 // a reduction and none
	if (t < 32)
		r = __syncthreads_count(1);
	else
		__syncthreads();
#elif CASE == 2 // numbers of threads that differ
	ASM("bar.sync 1, %0;", "r"((t < 32 ? 64 : 96) + zero));
#elif CASE == 3 // lanes of one warp at different barriers
	ASM("bar.sync %0, 32;", "r"(1 + t / 16 % 2 + zero));
#elif CASE == 4
	ASM("bar.sync 1, %0;", "r"(33 + zero));
#elif CASE == 5
	if (t == 3)
		asm volatile("brkpt;");
#elif CASE == 6 // an mbarrier for 3, and 32 that arrive
	if (t == 0)
		ASM("mbarrier.init.shared.b64 [%0], 3;", "r"(at));
	__syncthreads();
	if (t < 32)
		ASM("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }", "r"(at));
#elif CASE == 7
	((void (*)(unsigned))(size_t)(0x1230 + zero))(t);
#elif CASE == 8 // no barrier of that number
	ASM("bar.sync %0;", "r"(16 + zero));
	r = 8;
#elif CASE == 9 // 0 are all threads of the block
	ASM("bar.sync 1, %0;", "r"(zero));
	r = 9;
#elif CASE == 10
	if (t == 0)
		ASM("mbarrier.init.shared.b64 [%0], %1;", "r"(at), "r"(zero));
	r = 10;
#elif CASE == 11 // both arms of a warp reduce, each by itself
	if (t < 16)
		r = __syncthreads_count(t & 1);
	else
		r = 100 + __syncthreads_count(1);
#elif CASE == 12
	if (t < 16)
		r = __syncthreads_and(1);
	else
		r = 100 + __syncthreads_and(0);
#endif
	out[t] = r;
}

int main()
{
	unsigned *d, h[96] = {0};
	cudaMalloc(&d, sizeof h);
	cudaMemset(d, 0, sizeof h);
	k<<<1, THREADS>>>(d, 0);
	cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%u %u %s\n", h[0], h[THREADS - 1], cudaGetErrorString(e));
	cudaFree(d);
}
