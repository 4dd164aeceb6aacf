// Flags that are stored and polled past the first cache, by __stcg() and __ldcg(), as CUB's scans had them up to 2022: caches are hints to
// the memory model, but every GPU keeps one order there, so that these count as volatile ones do.
#include "simt.h"

// Each block hands its number on to the next.
// launch: --grid 4 --block 32 --arg u32[4]:=0 --arg u32[4] --arg u32[4]
// expect: clean
// result: 2: 1 2 3 4
__global__ void chain_clean(unsigned *flags, unsigned *sums, unsigned *out)
{
	unsigned block = blockIdx.x, before = 0;
	if (threadIdx.x != 0)
		return;
	if (block > 0) {
		while (__ldcg(&flags[block - 1]) == 0)
			;
		__threadfence();
		before = sums[block - 1];
	}
	sums[block] = before + 1;
	__threadfence();
	__stcg(&flags[block], 1u);
	out[block] = before + 1;
}

// Without fences nothing orders the sums.
// launch: --grid 4 --block 32 --arg u32[4]:=0 --arg u32[4] --arg u32[4]
// expect: race global give take
__global__ void chain_no_fences(unsigned *flags, unsigned *sums, unsigned *out)
{
	unsigned block = blockIdx.x, before = 0;
	if (threadIdx.x != 0)
		return;
	if (block > 0) {
		while (__ldcg(&flags[block - 1]) == 0)
			;
		before = sums[block - 1]; // [take]
	}
	sums[block] = before + 1; // [give]
	__stcg(&flags[block], 1u);
	out[block] = before + 1;
}

// The flag is stored as anything is.
// launch: --grid 4 --block 32 --arg u32[4]:=0 --arg u32[4]
// expect: race global raise poll
__global__ void chain_plain_store(unsigned *flags, unsigned *out)
{
	unsigned block = blockIdx.x;
	if (threadIdx.x != 0)
		return;
	if (block > 0) {
		while (__ldcg(&flags[block - 1]) == 0) // [poll]
			;
	}
	__threadfence();
	flags[block] = 1; // [raise]
	out[block] = 1;
}
