// Halves and bfloats, one by one and in pairs: arithmetic, comparisons, functions, conversions, atomics.
// out: 2.25 1.125 1.875 1.2246 1 2.1172 0.5 4 6 21 1.5 1
// out: 2 15 5 0.75 3.375 1 1 3 0.25 1 3 4
// out: 2 0.46216 3.375 0.75 0 2 1 3.75 3.375 4.875 1 1.5
// out: 6 1.875 1 1.5 2.25 4.4688 -1.5
// out: 64 64 128 32
// out: 1.125 2.25
// nvcc: -arch=compute_80
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdio>
#include <cstdlib>
#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));                                  \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)
__global__ void k(float *o, const half *x, const __half2 *y)
{
	int n = 0;
	half a = x[0], b = x[1];
	o[n++] = __half2float(a + b);
	o[n++] = __half2float(__hmul(a, b));
	o[n++] = __half2float(__hfma(a, b, a));
	o[n++] = __half2float(hsqrt(b));
	o[n++] = __hlt(a, b);
	o[n++] = __half2float(hexp(a));
	o[n++] = float(a / b);
	half2 s = __hadd2(y[0], y[1]);
	o[n++] = __low2float(s);
	o[n++] = __high2float(s);
	half2 f = __hfma2(y[0], y[1], s);
	float2 ff = __half22float2(f);
	o[n++] = ff.x + ff.y;
	o[n++] = __half2float(__hmax(a, b));
	o[n++] = __hbeq2(y[0], y[0]);
	half2 c = __hgt2(y[0], y[1]);
	o[n++] = __low2float(c) + 2 * __high2float(c);
	o[n++] = __half2int_rn(b * half(10));
	o[n++] = (float)__short2half_rn(5);
	o[n++] = __half2float(__habs(__hneg(a)));
	a += b;
	a *= b;
	o[n++] = (float)a;
	o[n++] = __half2float(__hadd_sat(b, b));
	o[n++] = __half2ushort_rz(b);
	o[n++] = __half2float(hlog2(half(8.0f)));
	o[n++] = __half2float(hrcp(half(4.f)));
	o[n++] = __half2float(__float2half_rz(1.0009f));
	o[n++] = __half2float(__hmul2(y[0], y[1]).x);
	half2 sw = __lowhigh2highlow(y[0]);
	o[n++] = __half2float(sw.x);
	o[n++] = __half2float(h2exp2(y[0]).x);
	o[n++] = __half2float(htanh(half(0.5f)));
	o[n++] = __half2float(__shfl_sync(1, a, 0));
	o[n++] = __half2float(__ldg(x));
	o[n++] = __half2float(__hfma_relu(half(-1.f), b, half(0.f)));
	o[n++] = __half2float(hfloor(half(2.7f)));
	o[n++] = __heq(a, a) + __hisnan(a);
	__nv_bfloat16 p = __float2bfloat16(1.5f), q = __float2bfloat16(2.25f);
	o[n++] = __bfloat162float(p + q);
	o[n++] = __bfloat162float(__hmul(p, q));
	o[n++] = __bfloat162float(__hfma(p, q, p));
	o[n++] = __hgt(q, p);
	o[n++] = __bfloat162float(hsqrt(q));
	__nv_bfloat162 r = __floats2bfloat162_rn(1.f, 2.f);
	r = __hadd2(r, r);
	o[n++] = __bfloat162float(r.x) + __bfloat162float(__high2bfloat16(r));
	o[n++] = (float)(p * q - p);
	o[n++] = __bfloat162float(__float2bfloat16_rn(1.00390625f));
	o[n++] = __low2float(__bfloat162bfloat162(p));
	o[n++] = __bfloat162float(__hmax(p, q));
	o[n++] = __bfloat162float(hexp(p));
	o[n++] = __bfloat162float(__hneg(p));
	o[63] = n;
}
__global__ void at(half *h, __half2 *h2, __nv_bfloat16 *b)
{
	atomicAdd(h, half(1.0f));
	atomicAdd(h2, __floats2half2_rn(1.f, 2.f));
	atomicAdd(b, __float2bfloat16(0.5f));
}
int main()
{
	half hx[2] = {__float2half(0.75f), __float2half(1.5f)};
	__half2 hy[2] = {__floats2half2_rn(1, 4), __floats2half2_rn(3, 2)};
	half *x;
	__half2 *y;
	float *o, h[64];
	CHECK(cudaMalloc(&x, 4));
	CHECK(cudaMalloc(&y, 8));
	CHECK(cudaMalloc(&o, 256));
	CHECK(cudaMemcpy(x, hx, 4, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(y, hy, 8, cudaMemcpyHostToDevice));
	k<<<1, 1>>>(o, x, y);
	CHECK(cudaMemcpy(h, o, 256, cudaMemcpyDeviceToHost));
	for (int i = 0; i < h[63]; i++)
		printf(i % 12 ? " %.5g" : i ? "\n%.5g" : "%.5g", h[i]);
	printf("\n");
	half *hs;
	__half2 *h2;
	__nv_bfloat16 *b;
	CHECK(cudaMalloc(&hs, 4));
	CHECK(cudaMalloc(&h2, 4));
	CHECK(cudaMalloc(&b, 4));
	CHECK(cudaMemset(hs, 0, 4));
	CHECK(cudaMemset(h2, 0, 4));
	CHECK(cudaMemset(b, 0, 4));
	at<<<2, 32>>>(hs, h2, b);
	half r;
	__half2 r2;
	__nv_bfloat16 rb;
	CHECK(cudaMemcpy(&r, hs, 2, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(&r2, h2, 4, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(&rb, b, 2, cudaMemcpyDeviceToHost));
	printf("%g %g %g %g\n", __half2float(r), __low2float(r2), __high2float(r2), __bfloat162float(rb));
	printf("%g %g\n", __half2float(hx[0] * hx[1]), (float)(hx[0] + hx[1]));
	for (void *p : {(void *)x, (void *)y, (void *)o, (void *)hs, (void *)h2, (void *)b})
		CHECK(cudaFree(p));
	return 0;
}
