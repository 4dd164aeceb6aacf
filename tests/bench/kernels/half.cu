// Eight independent chains of fused multiply-adds of pairs, four of f16x2 and four of bf16x2, as a benchmark of the machine.
// needs: sm_80, PTX 7.0
#include "simt.h"

extern "C" __global__ void half_chains(int rounds, unsigned x, unsigned y, unsigned x_bf, unsigned y_bf, unsigned *out)
{
	unsigned v[8], sum = 0;
	int i = blockIdx.x * blockDim.x + threadIdx.x;

#pragma unroll
	for (int k = 0; k < 8; k++)
		v[k] = y + i + k;
#pragma unroll 1
	for (int r = 0; r < rounds; r++) {
#pragma unroll
		for (int k = 0; k < 4; k++) {
			asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(v[k]) : "r"(x), "r"(y));
			asm("fma.rn.bf16x2 %0, %0, %1, %2;" : "+r"(v[k + 4]) : "r"(x_bf), "r"(y_bf));
		}
	}
#pragma unroll
	for (int k = 0; k < 8; k++)
		sum += v[k];
	out[i] = sum;
}
