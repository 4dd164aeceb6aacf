// Eight threads of the host, each with a stream and memory of its own.
// out: 0 wrong
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

__global__ void scale(int *d, int n, int by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		d[i] *= by;
}

int main()
{
	std::atomic<int> wrong{0};
	std::vector<std::thread> threads;
	for (int t = 0; t < 8; t++)
		threads.emplace_back([t, &wrong] {
			const int n = 1000;
			std::vector<int> host(n);
			for (int round = 0; round < 5; round++) {
				int *d;
				cudaStream_t s;
				cudaEvent_t e;
				for (int i = 0; i < n; i++)
					host[i] = i;
				cudaStreamCreate(&s);
				cudaEventCreate(&e);
				cudaMalloc(&d, n * sizeof(int));
				cudaMemcpyAsync(d, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, s);
				scale<<<(n + 127) / 128, 128, 0, s>>>(d, n, t + round);
				cudaEventRecord(e, s);
				cudaMemcpyAsync(host.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost, s);
				cudaEventSynchronize(e);
				cudaStreamSynchronize(s);
				for (int i = 0; i < n; i++)
					wrong += host[i] != i * (t + round);
				cudaFree(d);
				cudaEventDestroy(e);
				cudaStreamDestroy(s);
			}
		});
	for (auto &t : threads)
		t.join();
	printf("%d wrong\n", wrong.load());
	return 0;
}
