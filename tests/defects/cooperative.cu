// Cooperative launches: grid.sync() as cooperative groups have it. CC 8.7 has 16 SMs, and a block with 100000 bytes of shared memory is
// alone on one.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// launch: --cooperative --grid 8 --block 64 --arg u32[512] --arg u32[512]
// expect: clean
// result: 1: 64 65 66
__global__ void sync_clean(unsigned *data, unsigned *out)
{
	cg::grid_group grid = cg::this_grid();
	unsigned i = blockIdx.x * 64 + threadIdx.x;
	data[i] = i;
	grid.sync();
	out[i] = data[(i + 64) % 512];
}

// The same without grid.sync().
// launch: --cooperative --grid 8 --block 64 --arg u32[512] --arg u32[512]
// expect: race global make take
__global__ void sync_missing(unsigned *data, unsigned *out)
{
	unsigned i = blockIdx.x * 64 + threadIdx.x;
	data[i] = i; // [make]
	__syncthreads();
	out[i] = data[(i + 64) % 512]; // [take]
}

// Blocks of two dimensions in a grid of three, as many as are resident.
// launch: --cooperative --cc 8.7 --grid 4,2,2 --block 8,8 --shared 100000 --arg u32[16] --arg u32[16]
// expect: clean
// result: 1: 120 120 120
__global__ void sync_shapes_clean(unsigned *data, unsigned *out)
{
	cg::grid_group grid = cg::this_grid();
	unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z), sum = 0;
	if (threadIdx.x == 3 && threadIdx.y == 5)
		data[block] = block;
	grid.sync();
	if (threadIdx.x == 7 && threadIdx.y == 1) {
		for (unsigned i = 0; i < 16; i++)
			sum += data[i];
		out[block] = sum;
	}
}

// From one array to the other and back, each time to the right.
// launch: --cooperative --grid 4 --block 64 --arg u32[256]:iota --arg u32[256]
// expect: clean
// result: 0: 252 253 254 255 0 1 2
__global__ void steps_clean(unsigned *a, unsigned *b)
{
	cg::grid_group grid = cg::this_grid();
	unsigned i = grid.thread_rank(), n = grid.size(), left = (i + n - 1) % n;
	for (int step = 0; step < 2; step++) {
		b[i] = a[left];
		grid.sync();
		a[i] = b[left];
		grid.sync();
	}
}

// Only every second step waits: neighbors overwrite what is still read.
// launch: --cooperative --grid 4 --block 64 --arg u32[256]:iota --arg u32[256]
// expect: race global write read
// also: race global back again
__global__ void steps_half(unsigned *a, unsigned *b)
{
	cg::grid_group grid = cg::this_grid();
	unsigned i = grid.thread_rank(), n = grid.size(), left = (i + n - 1) % n;
	for (int step = 0; step < 2; step++) {
		b[i] = a[i] + a[left]; // [again write]
		a[i] = b[i] + b[left]; // [read back]
		grid.sync();
	}
}

// Split in two: what is done between arriving and waiting is not ordered.
// launch: --cooperative --grid 4 --block 32 --arg u32[4] --arg u32[4]
// expect: clean
// result: 1: 1 1 1 1
__global__ void arrive_clean(unsigned *data, unsigned *out)
{
	cg::grid_group grid = cg::this_grid();
	if (threadIdx.x == 0)
		data[blockIdx.x] = 1;
	auto token = grid.barrier_arrive();
	unsigned mine = threadIdx.x;
	grid.barrier_wait(cuda::std::move(token));
	if (mine == 0)
		out[blockIdx.x] = data[(blockIdx.x + 1) % 4];
}

// launch: --cooperative --grid 4 --block 32 --arg u32[4] --arg u32[4]
// expect: race global late take
__global__ void arrive_late(unsigned *data, unsigned *out)
{
	cg::grid_group grid = cg::this_grid();
	auto token = grid.barrier_arrive();
	if (threadIdx.x == 0)
		data[blockIdx.x] = 1; // [late]
	grid.barrier_wait(cuda::std::move(token));
	if (threadIdx.x == 0)
		out[blockIdx.x] = data[(blockIdx.x + 1) % 4]; // [take]
}

// A block that ends does not arrive: the others wait forever.
// launch: --cooperative --grid 4 --block 64 --arg u32[4]
// expect: limit
__global__ void sync_left(unsigned *out)
{
	if (blockIdx.x == 2)
		return;
	cg::this_grid().sync();
	out[blockIdx.x] = 1;
}

// A launch that is not cooperative has nothing to synchronize the grid by.
// launch: --grid 2 --block 32 --arg u32[2]
// expect: trap
__global__ void sync_not_cooperative(unsigned *out)
{
	cg::this_grid().sync();
	out[blockIdx.x] = 1;
}
