// A transpose of 40 x 24 through padded tiles, edges cut.
// out: row 3 begins 3 27 51, all 960 in place
#include <cstdio>
#include <vector>

const int tile = 16;

__global__ void transpose(const int *in, int *out, int width, int height)
{
	__shared__ int part[tile][tile + 1];
	int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
	if (x < width && y < height)
		part[threadIdx.y][threadIdx.x] = in[y * width + x];
	__syncthreads();
	int to_x = blockIdx.y * tile + threadIdx.x, to_y = blockIdx.x * tile + threadIdx.y;
	if (to_x < height && to_y < width)
		out[to_y * height + to_x] = part[threadIdx.x][threadIdx.y];
}

int main()
{
	const int width = 24, height = 40;
	std::vector<int> a(width * height), b(a);
	int *in, *out, right = 0;
	for (int i = 0; i < width * height; i++)
		a[i] = i;
	cudaMalloc(&in, a.size() * sizeof(int));
	cudaMalloc(&out, a.size() * sizeof(int));
	cudaMemcpy(in, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
	dim3 block(tile, tile), grid((width + tile - 1) / tile, (height + tile - 1) / tile);
	transpose<<<grid, block>>>(in, out, width, height);
	cudaMemcpy(b.data(), out, b.size() * sizeof(int), cudaMemcpyDeviceToHost);
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			right += b[x * height + y] == a[y * width + x];
	printf("row 3 begins %d %d %d, all %d in place\n", b[3 * height], b[3 * height + 1], b[3 * height + 2], right);
}
