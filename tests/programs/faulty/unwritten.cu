// fault: unwritten 14 128 bytes that were allocated at unwritten.cu:11
#include <cstdio>
__global__ void twice(const int *in, int *out)
{
	out[threadIdx.x] = 2 * in[threadIdx.x];
}
int main()
{
	int *in, *out, *result, h[32] = {0};
	cudaMalloc(&in, sizeof h);
	cudaMalloc(&out, sizeof h), cudaMalloc(&result, sizeof h);
	cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
	twice<<<1, 32>>>(in, out);
	cudaMemcpy(h, result, sizeof h, cudaMemcpyDeviceToHost);
	cudaFree(in), cudaFree(out), cudaFree(result);
	return 0;
}
