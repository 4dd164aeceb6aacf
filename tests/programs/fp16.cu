// Halves: single and in pairs, arithmetic in them, sums of them in floats, conversions on both sides, bfloat16.
// out: 0.5 x + y: 4 4.5 5 5.5
// out: 2048 + 1 is 2048 in halves, and 2049 in floats
// out: 3.140625 as half, 3.140625 as bfloat16
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void axpy(__half a, const __half2 *x, __half2 *y)
{
	y[threadIdx.x] = __hfma2(__half2half2(a), x[threadIdx.x], y[threadIdx.x]);
}

__global__ void add(float *out)
{
	__half h = __float2half(2048.0f), one = __float2half(1.0f);
	out[0] = __half2float(__hadd(h, one));
	out[1] = __half2float(h) + __half2float(one);
	out[2] = __bfloat162float(__float2bfloat16(3.14159f));
}

int main()
{
	__half x[4], y[4];
	__half2 *dx, *dy;
	float sums[3], *ds;
	for (int i = 0; i < 4; i++) {
		x[i] = __float2half(2.0f + i);
		y[i] = __float2half(3.0f);
	}
	cudaMalloc(&dx, sizeof x);
	cudaMalloc(&dy, sizeof y);
	cudaMalloc(&ds, sizeof sums);
	cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
	cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
	axpy<<<1, 2>>>(__float2half(0.5f), dx, dy);
	add<<<1, 1>>>(ds);
	cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
	cudaMemcpy(sums, ds, sizeof sums, cudaMemcpyDeviceToHost);
	printf("0.5 x + y: %g %g %g %g\n", __half2float(y[0]), __half2float(y[1]), __half2float(y[2]), __half2float(y[3]));
	printf("2048 + 1 is %g in halves, and %g in floats\n", sums[0], sums[1]);
	printf("%.8g as half, %.8g as bfloat16\n", __half2float(__float2half(3.14159f)), sums[2]);
}
