// Heat in a rod, cut in four parts, each on a stream of its own: halos are copied between parts, events order the streams.
// out: as one rod on the host
#include <cmath>
#include <cstdio>
#include <vector>

const int parts = 4, n = 64, steps = 20;

__global__ void diffuse(const float *from, float *to)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
	to[i] = from[i] + 0.25f * (from[i - 1] - 2 * from[i] + from[i + 1]);
}

int main()
{
	std::vector<float> rod(parts * n + 2), next(rod), part(n + 2);
	float *d[parts][2];
	cudaStream_t stream[parts];
	cudaEvent_t done[parts], copied[parts];
	for (int i = 1; i <= parts * n; i++)
		rod[i] = i % 37 == 0 ? 100.0f : 0;
	next = rod;
	for (int p = 0; p < parts; p++) {
		cudaStreamCreateWithFlags(&stream[p], cudaStreamNonBlocking);
		cudaEventCreateWithFlags(&done[p], cudaEventDisableTiming);
		cudaEventCreateWithFlags(&copied[p], cudaEventDisableTiming);
		for (auto &half : d[p]) {
			cudaMalloc(&half, (n + 2) * sizeof(float));
			cudaMemcpy(half, &rod[p * n], (n + 2) * sizeof(float), cudaMemcpyHostToDevice);
		}
	}
	for (int s = 0; s < steps; s++) {
		int from = s % 2, to = 1 - from;
		for (int p = 0; p < parts; p++) {
			diffuse<<<2, n / 2, 0, stream[p]>>>(d[p][from], d[p][to]);
			cudaEventRecord(done[p], stream[p]);
		}
		for (int p = 0; p < parts; p++) {
			if (p > 0) {
				cudaStreamWaitEvent(stream[p], done[p - 1], 0);
				cudaMemcpyAsync(d[p][to], d[p - 1][to] + n, sizeof(float), cudaMemcpyDeviceToDevice, stream[p]);
			}
			if (p < parts - 1) {
				cudaStreamWaitEvent(stream[p], done[p + 1], 0);
				cudaMemcpyAsync(d[p][to] + n + 1, d[p + 1][to] + 1, sizeof(float),
					cudaMemcpyDeviceToDevice, stream[p]);
			}
			cudaEventRecord(copied[p], stream[p]);
		}
		for (int p = 0; p < parts; p++) /* before the neighbors write what was copied from here */
			for (int q = p - 1; q <= p + 1; q += 2)
				if (q >= 0 && q < parts)
					cudaStreamWaitEvent(stream[p], copied[q], 0);
		for (int i = 1; i <= parts * n; i++)
			next[i] = rod[i] + 0.25f * (rod[i - 1] - 2 * rod[i] + rod[i + 1]);
		std::swap(rod, next);
	}
	cudaDeviceSynchronize();
	float worst = 0;
	for (int p = 0; p < parts; p++) {
		cudaMemcpy(part.data(), d[p][steps % 2], (n + 2) * sizeof(float), cudaMemcpyDeviceToHost);
		for (int i = 1; i <= n; i++)
			worst = std::fmax(worst, std::fabs(part[i] - rod[p * n + i]));
	}
	puts(worst < 1e-4f ? "as one rod on the host" : "not as on the host");
}
