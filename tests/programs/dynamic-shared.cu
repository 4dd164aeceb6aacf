// Shared memory of a size that the launch gives, cut into arrays of two types; more of it than a kernel has unasked.
// says: is not launched with 70000 bytes of shared memory
// out: 255 254 253 ... 0, mean 127.5
// out: 70000 bytes unasked: invalid argument
// out: and asked for: no error
#include <cstdio>

__global__ void reverse(int *data, double *mean, int n)
{
	extern __shared__ double room[];
	double *sums = room;
	int *copy = (int *)(sums + blockDim.x), i = threadIdx.x;
	copy[i] = data[i];
	sums[i] = data[i];
	__syncthreads();
	for (int half = n / 2; half > 0; half /= 2) {
		if (i < half)
			sums[i] += sums[i + half];
		__syncthreads();
	}
	data[i] = copy[n - 1 - i];
	if (i == 0)
		*mean = sums[0] / n;
}

__global__ void touch(int *out)
{
	extern __shared__ int words[];
	words[69996 / 4] = 3;
	*out = words[69996 / 4];
}

int main()
{
	const int n = 256;
	int data[n], *d;
	double mean, *dm;
	for (int i = 0; i < n; i++)
		data[i] = i;
	cudaMalloc(&d, sizeof data);
	cudaMalloc(&dm, sizeof mean);
	cudaMemcpy(d, data, sizeof data, cudaMemcpyHostToDevice);
	reverse<<<1, n, n * (sizeof(int) + sizeof(double))>>>(d, dm, n);
	cudaMemcpy(data, d, sizeof data, cudaMemcpyDeviceToHost);
	cudaMemcpy(&mean, dm, sizeof mean, cudaMemcpyDeviceToHost);
	printf("%d %d %d ... %d, mean %g\n", data[0], data[1], data[2], data[n - 1], mean);
	touch<<<1, 1, 70000>>>(d);
	printf("70000 bytes unasked: %s\n", cudaGetErrorString(cudaGetLastError()));
	cudaFuncSetAttribute(touch, cudaFuncAttributeMaxDynamicSharedMemorySize, 70000);
	touch<<<1, 1, 70000>>>(d);
	cudaDeviceSynchronize();
	printf("and asked for: %s\n", cudaGetErrorString(cudaGetLastError()));
}
