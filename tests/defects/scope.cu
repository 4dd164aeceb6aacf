// Scope: whom an atomic is atomic for.
#include "simt.h"

// launch: --grid 4 --block 32 --arg u32[1]
// expect: race global add add
__global__ void add_block_across_blocks(unsigned *count)
{
	atomicAdd_block(count, 1u); // [add]
}

// launch: --grid 1 --block 64 --arg u32[1]
// expect: clean
// result: 0: 64
__global__ void add_block_within_clean(unsigned *count)
{
	atomicAdd_block(count, 1u);
}

// Each block its own counter.
// launch: --grid 4 --block 32 --arg u32[4]
// expect: clean
// result: 0: 32 32 32 32
__global__ void add_block_each_clean(unsigned *count)
{
	atomicAdd_block(&count[blockIdx.x], 1u);
}

// One side has the wider scope; both must have it.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: race global wide narrow
__global__ void add_mixed_scopes(unsigned *count)
{
	if (blockIdx.x == 0)
		atomicAdd(count, 1u); // [wide]
	else
		atomicAdd_block(count, 1u); // [narrow]
}

// The whole system includes the GPU.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: clean
// result: 0: 64
__global__ void add_system_clean(unsigned *count)
{
	if (blockIdx.x == 0)
		atomicAdd(count, 1u);
	else
		atomicAdd_system(count, 1u);
}
