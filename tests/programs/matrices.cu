// Products of matrices by warps: halves, with sums in floats and in halves, by rows and by columns.
// out: 0
// out: 0
#include <mma.h>
#include <cuda_fp16.h>
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
using namespace nvcuda;
__global__ void k(const half *a, const half *b, float *c)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
	wmma::fill_fragment(fc, 0.0f);
	for (int i = 0; i < 32; i += 16) {
		wmma::load_matrix_sync(fa, a + i, 32);
		wmma::load_matrix_sync(fb, b + i, 32);
		wmma::mma_sync(fc, fa, fb, fc);
	}
	for (int i = 0; i < fc.num_elements; i++)
		fc.x[i] *= 2;
	wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void kh(const half *a, const half *b, half *c)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, half> fc;
	wmma::load_matrix_sync(fc, c, 16, wmma::mem_col_major);
	wmma::load_matrix_sync(fa, a, 16);
	wmma::load_matrix_sync(fb, b, 16);
	wmma::mma_sync(fc, fa, fb, fc);
	wmma::store_matrix_sync(c, fc, 16, wmma::mem_col_major);
}
int main()
{
	half h[512], *a, *b, *ch;
	float *c, r[256];
	for (int i = 0; i < 512; i++)
		h[i] = __float2half((i * 7 % 11) - 5);
	CHECK(cudaMalloc(&a, 1024));
	CHECK(cudaMalloc(&b, 1024));
	CHECK(cudaMalloc(&c, 1024));
	CHECK(cudaMalloc(&ch, 512));
	CHECK(cudaMemcpy(a, h, 1024, cudaMemcpyHostToDevice));
	for (int i = 0; i < 512; i++)
		h[i] = __float2half((i * 5 % 7) - 3);
	CHECK(cudaMemcpy(b, h, 1024, cudaMemcpyHostToDevice));
	k<<<1, 32>>>(a, b, c);
	CHECK(cudaMemcpy(r, c, 1024, cudaMemcpyDeviceToHost));
	int bad = 0;
	for (int i = 0; i < 16; i++)
		for (int j = 0; j < 16; j++) {
			float s = 0;
			for (int x = 0; x < 32; x++)
				s += ((i * 32 + x) * 7 % 11 - 5) * ((j * 32 + x) * 5 % 7 - 3);
			bad += r[i * 16 + j] != 2 * s;
		}
	printf("%d\n", bad);
	CHECK(cudaMemset(ch, 0, 512));
	kh<<<1, 32>>>(a, b, ch);
	half rh[256];
	CHECK(cudaMemcpy(rh, ch, 512, cudaMemcpyDeviceToHost));
	bad = 0;
	for (int i = 0; i < 16; i++)
		for (int j = 0; j < 16; j++) {
			float s = 0;
			for (int x = 0; x < 16; x++)
				s += ((x * 16 + i) * 7 % 11 - 5) * ((x * 16 + j) * 5 % 7 - 3);
			bad += __half2float(rh[j * 16 + i]) != s;
		}
	printf("%d\n", bad);
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(c));
	CHECK(cudaFree(ch));
	return 0;
}
