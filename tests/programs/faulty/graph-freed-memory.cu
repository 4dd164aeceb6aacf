// fault: copy 17 freed
#include <cstdio>
int main()
{
	int *d, h = 1;
	cudaStream_t s;
	cudaGraph_t g;
	cudaGraphExec_t e;
	cudaMalloc(&d, 4);
	cudaStreamCreate(&s);
	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	cudaMemcpyAsync(d, &h, 4, cudaMemcpyHostToDevice, s);
	cudaStreamEndCapture(s, &g);
	cudaGraphInstantiate(&e, g, 0);
	cudaFree(d);
	cudaError_t error;
	error = cudaGraphLaunch(e, s);
	return error == cudaSuccess;
}
