// Conway's Game of Life on a torus: many launches that take turns in two buffers, pitched memory, streams.
// out: 5 cells live after 64 generations, as on the host
#include <cstdio>
#include <cstring>

const int n = 16;

__host__ __device__ unsigned char next(const unsigned char *cells, size_t pitch, int x, int y)
{
	int around = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			around += (dx || dy) && cells[((y + dy + n) % n) * pitch + (x + dx + n) % n];
	return around == 3 || (around == 2 && cells[y * pitch + x]);
}

__global__ void generation(const unsigned char *from, unsigned char *to, size_t pitch)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	to[y * pitch + x] = next(from, pitch, x, y);
}

int main()
{
	unsigned char cells[n][n] = {}, other[n][n], *d[2];
	cells[1][2] = cells[2][3] = cells[3][1] = cells[3][2] = cells[3][3] = 1; // a glider
	size_t pitch;
	cudaStream_t stream;
	cudaStreamCreate(&stream);
	for (int i = 0; i < 2; i++)
		cudaMallocPitch(&d[i], &pitch, n, n);
	cudaMemcpy2DAsync(d[0], pitch, cells, n, n, n, cudaMemcpyHostToDevice, stream);
	for (int i = 0; i < 64; i++)
		generation<<<dim3(2, 4), dim3(8, 4), 0, stream>>>(d[i % 2], d[1 - i % 2], pitch);
	cudaMemcpy2DAsync(other, n, d[0], pitch, n, n, cudaMemcpyDeviceToHost, stream);
	cudaStreamSynchronize(stream);
	for (int i = 0; i < 64; i++) {
		unsigned char after[n][n];
		for (int y = 0; y < n; y++)
			for (int x = 0; x < n; x++)
				after[y][x] = next(&cells[0][0], n, x, y);
		memcpy(cells, after, sizeof cells);
	}
	int live = 0;
	for (int i = 0; i < n * n; i++)
		live += cells[0][i];
	printf("%d cells live after 64 generations, %s\n", live, memcmp(cells, other, sizeof cells) ? "not so on the host" : "as on the host");
	cudaStreamDestroy(stream);
}
