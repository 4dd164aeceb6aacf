// A blur of an image with a mask in constant memory; tiles with a border in shared memory, clamped at the edges.
// out: 30 x 20 as on the host, the middle 38
#include <cstdio>
#include <cstring>

const int width = 30, height = 20, radius = 2, tile = 8, wide = tile + 2 * radius;

__constant__ int mask[2 * radius + 1];

__host__ __device__ inline int clamped(int v, int most)
{
	return v < 0 ? 0 : v > most ? most : v;
}

__global__ void blur(const int *in, int *out)
{
	__shared__ int part[wide][wide];
	int x0 = blockIdx.x * tile - radius, y0 = blockIdx.y * tile - radius;
	for (int i = threadIdx.y * tile + threadIdx.x; i < wide * wide; i += tile * tile)
		part[i / wide][i % wide] = in[clamped(y0 + i / wide, height - 1) * width + clamped(x0 + i % wide, width - 1)];
	__syncthreads();
	int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y, sum = 0;
	if (x >= width || y >= height)
		return;
	for (int dy = 0; dy <= 2 * radius; dy++)
		for (int dx = 0; dx <= 2 * radius; dx++)
			sum += part[threadIdx.y + dy][threadIdx.x + dx] * mask[dx] * mask[dy];
	out[y * width + x] = sum / 256;
}

int main()
{
	static const int weights[] = {1, 4, 6, 4, 1};
	static int image[height][width], found[height][width], expected[height][width];
	int *in, *out;
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			image[y][x] = x == 15 && y == 10 ? 256 : (x + y) % 2 * 8;
	cudaMalloc(&in, sizeof image);
	cudaMalloc(&out, sizeof image);
	cudaMemcpy(in, image, sizeof image, cudaMemcpyHostToDevice);
	cudaMemcpyToSymbol(mask, weights, sizeof weights);
	blur<<<dim3((width + tile - 1) / tile, (height + tile - 1) / tile), dim3(tile, tile)>>>(in, out);
	cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			int sum = 0;
			for (int dy = -radius; dy <= radius; dy++)
				for (int dx = -radius; dx <= radius; dx++)
					sum += image[clamped(y + dy, height - 1)][clamped(x + dx, width - 1)] * weights[dx + radius] *
						weights[dy + radius];
			expected[y][x] = sum / 256;
		}
	printf("%d x %d %s the host, the middle %d\n", width, height, memcmp(found, expected, sizeof found) ? "unlike" : "as on",
		found[10][15]);
}
