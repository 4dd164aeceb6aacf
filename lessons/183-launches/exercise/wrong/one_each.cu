// One block on each SM, although more of them fit.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

__global__ void look_up(const unsigned *codes, const unsigned *table, unsigned *out, unsigned n, unsigned entries)
{
	extern __shared__ unsigned copy[];

	for (unsigned k = threadIdx.x; k < entries; k += blockDim.x)
		copy[k] = table[k];
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = copy[codes[i] % entries];
}

static unsigned blocks_for(unsigned n, unsigned threads, size_t shared)
{
	int device, sms;
	cudaGetDevice(&device);
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
	unsigned needed = (n + threads - 1) / threads;
	return std::min(needed, (unsigned)sms);
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 300000, kib = argc > 2 ? (unsigned)atoi(argv[2]) : 36;
	unsigned entries = kib * 1024 / sizeof(unsigned), threads = 256;
	std::vector<unsigned> codes(n), table(entries), out(n);
	for (unsigned i = 0; i < n; i++)
		codes[i] = 7 * i + 3;
	for (unsigned k = 0; k < entries; k++)
		table[k] = k / 2;

	unsigned *in, *entry, *found;
	cudaMalloc(&in, n * sizeof *in);
	cudaMalloc(&entry, entries * sizeof *entry);
	cudaMalloc(&found, n * sizeof *found);
	cudaMemcpy(in, codes.data(), n * sizeof *in, cudaMemcpyHostToDevice);
	cudaMemcpy(entry, table.data(), entries * sizeof *entry, cudaMemcpyHostToDevice);

	size_t shared = entries * sizeof(unsigned);
	unsigned blocks = blocks_for(n, threads, shared);
	look_up<<<blocks, threads, shared>>>(in, entry, found, n, entries);
	cudaError_t error = cudaGetLastError();
	if (error == cudaSuccess)
		error = cudaMemcpy(out.data(), found, n * sizeof *found, cudaMemcpyDeviceToHost);
	if (error != cudaSuccess) {
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
		return 1;
	}
	unsigned long long sum = 0;
	for (unsigned word : out)
		sum += word;
	printf("blocks %u\nsum %llu\n", blocks, sum);
	cudaFree(in);
	cudaFree(entry);
	cudaFree(found);
	return 0;
}
