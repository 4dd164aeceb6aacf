// Numbers of 8 bits: all of them as wider ones, and what floats, doubles, halves and bfloats become, as sums of all results' bits.
// out: 0 9dfbda572af
// out: 1 9cb4765ea3b
// out: 2 9d8dbd529a3
// out: 3 9c62a98b3df
// out: 4 8b864e6781226ca8
// out: 5 6ff52a9a3
// out: 6 1f9d9b52d3800
// out: 7 b4d0a32bdec45e00
// nvcc: -arch=compute_80
#include <cuda_fp8.h>
#include <cstdio>
typedef unsigned long long sum_t;
__host__ __device__ float float_of(unsigned int i)
{
	float f;
	unsigned int bits = i % 3 ? i * 2654435761u : (i * 40503u & 0x80FFFFFF) + 0x3A000000 + (i % 16 << 23);
	memcpy(&f, &bits, sizeof f);
	return f;
}
__host__ __device__ void one(unsigned int i, sum_t s[8])
{
	float f = float_of(i);
	double d = f == f ? (double)f * (1 + 1e-12 * (i % 3)) : 1; // which NaN, of doubles, is up to the GPU
	__half_raw h = {(unsigned short)i};
	__nv_bfloat16_raw b;
	b.x = (unsigned short)i;
	for (int k = 0; k < 4; k++) {
		__nv_fp8_interpretation_t format = k % 2 ? __NV_E5M2 : __NV_E4M3;
		__nv_saturation_t saturate = k / 2 ? __NV_SATFINITE : __NV_NOSAT;
		s[k] = __nv_cvt_float_to_fp8(f, saturate, format) + 3 * __nv_cvt_double_to_fp8(d, saturate, format) +
			5 * __nv_cvt_halfraw_to_fp8(h, saturate, format) + 7 * __nv_cvt_bfloat16raw_to_fp8(b, saturate, format);
	}
	__nv_fp8_e4m3 p(f);
	__nv_fp8_e5m2 q(f);
	__nv_fp8x2_e4m3 pair(make_float2(f, -f));
	__nv_fp8x4_e5m2 four(make_float4(f, 1.0f, -f, 0.5f));
	float2 back = float2(pair);
	float4 all = float4(four);
	s[4] = (sum_t)p.__x + 3 * q.__x + 5 * pair.__x + 7ull * four.__x;
	s[5] = (back.x == -back.y) + 2 * (all.y == 1.0f) + 4 * (all.w == 0.5f);
	p.__x = q.__x = (unsigned char)i;
	s[6] = (sum_t)__nv_cvt_fp8_to_halfraw(p.__x, __NV_E4M3).x + 3 * __nv_cvt_fp8_to_halfraw(q.__x, __NV_E5M2).x;
	float x = float(p), y = float(q);
	s[7] = (sum_t)(x == x ? x * 512 + 300000 : 1) + 3 * (sum_t)(y == y && y < 1e30f && y > -1e30f ? y * 65536.0 + 4e9 : 1);
}
__global__ void all(sum_t *sums)
{
	sum_t s[8];
	unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
	one(i, s);
	for (int k = 0; k < 8; k++)
		atomicAdd(&sums[k], s[k] * (2 * i + 1));
}
int main()
{
	sum_t host[8] = {}, s[8], device[8], *d;
	cudaMalloc(&d, sizeof device);
	cudaMemset(d, 0, sizeof device);
	all<<<256, 256>>>(d);
	cudaMemcpy(device, d, sizeof device, cudaMemcpyDeviceToHost);
	for (unsigned int i = 0; i < 65536; i++) {
		one(i, s);
		for (int k = 0; k < 8; k++)
			host[k] += s[k] * (2 * i + 1);
	}
	for (int k = 0; k < 8; k++)
		printf("%d %llx%s\n", k, device[k], host[k] == device[k] ? "" : " and not so on the host");
	cudaFree(d);
}
