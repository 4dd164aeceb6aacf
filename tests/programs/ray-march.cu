// A sphere over a plane, by marching rays against a distance field; each block draws a line, and its first thread prints it.
// out: ................................
// out: ..........+++++++++++#..........
// out: ........+++++++++++++++#........
// out: .......#++++++++++++++###.......
// out: .......###++++++++++#####.......
// out: ~~~~~~~.################.~~~~~~~
// out: ~~~~~~~~~~############~~~~~~~~~~
// out: ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// out: ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#include <cstdio>

const int width = 32, height = 9;

__device__ float sphere(float x, float y, float z)
{
	return sqrtf(x * x + y * y + z * z) - 1;
}

__device__ char march(float dx, float dy)
{
	float x = 0, y = 0, z = -3, inverse = rsqrtf(dx * dx + dy * dy + 1);
	dx *= inverse, dy *= inverse;
	for (int step = 0; step < 64; step++) {
		float far = sphere(x, y, z), floor = y + 1.02f, nearest = fminf(far, floor);
		if (nearest < 1e-3f) {
			if (floor < far)
				return '~';
			return -z * 0.8f + y * 0.4f - x * 0.1f > 0.68f ? '+' : '#';
		}
		x += dx * nearest, y += dy * nearest, z += inverse * nearest;
	}
	return '.';
}

__global__ void draw()
{
	__shared__ char line[width + 1];
	for (int row = 0; row < height; row++) {
		line[threadIdx.x] = march((threadIdx.x - 15.5f) / 26, (3.5f - row) / 9.5f);
		__syncthreads();
		if (threadIdx.x == 0) {
			line[width] = '\0';
			printf("%s\n", line);
		}
		__syncthreads();
	}
}

int main()
{
	draw<<<1, width>>>();
	return cudaDeviceSynchronize();
}
