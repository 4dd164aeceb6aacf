// fault: kernel 23 by a graph
#include <cstdio>
__global__ void fill(int *p)
{
	p[threadIdx.x] = 1;
}

int main()
{
	int *p;
	cudaStream_t s;
	cudaGraph_t g;
	cudaGraphExec_t e;
	cudaStreamCreate(&s);
	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	cudaMallocAsync(&p, 4096, s);
	fill<<<1, 32, 0, s>>>(p);
	cudaFreeAsync(p, s);
	cudaStreamEndCapture(s, &g);
	cudaGraphInstantiate(&e, g, 0);
	cudaGraphLaunch(e, s);
	cudaStreamSynchronize(s);
	fill<<<1, 32, 0, s>>>(p);
	cudaError_t error = cudaStreamSynchronize(s);
	printf("%s\n", cudaGetErrorString(error));
	return error == cudaSuccess;
}
