// Static and dynamic shared memory together are what a block may have on this device.
// out: 232448 bytes for a block
// out: 232448 static and dynamic: no error
// out: 232464: invalid argument
// says: is not launched with 231440 bytes of shared memory: it is more than a block may have
#include <cstdio>

extern __shared__ int dynamic[];

__global__ void sum(int *out)
{
	__shared__ int fixed[256];
	fixed[threadIdx.x] = dynamic[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = fixed[threadIdx.x] + dynamic[threadIdx.x ^ 1];
}

static void launch(int bytes, const char *what)
{
	int *out;
	cudaMalloc(&out, 256 * sizeof *out);
	sum<<<1, 256, bytes - 1024>>>(out);
	printf("%d%s: %s\n", bytes, what, cudaGetErrorString(cudaGetLastError()));
	cudaFree(out);
}

int main()
{
	int most;
	cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
	printf("%d bytes for a block\n", most);
	cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, most - 1024);
	launch(most, " static and dynamic");
	launch(most + 16, "");
	return 0;
}
