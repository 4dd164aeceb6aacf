// A store past the end: told with its line, returned by the call that waits, and by all after it.
// out: launched: no error
// out: waited: an illegal memory access was encountered
// out: then: an illegal memory access was encountered
// says: past-the-end.cu:13: out of bounds: a 4-byte store to global memory
// status: 3
#include <cstdio>

__global__ void shift(int *p)
{
	int i = threadIdx.x;
	int v = p[i];
	p[i + 1] = v;
}

int main()
{
	int *d;
	cudaMalloc(&d, 32 * sizeof *d);
	shift<<<1, 32>>>(d);
	printf("launched: %s\n", cudaGetErrorString(cudaGetLastError()));
	printf("waited: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	printf("then: %s\n", cudaGetErrorString(cudaMalloc(&d, 4)));
	return 3;
}
