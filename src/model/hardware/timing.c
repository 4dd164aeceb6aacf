#include "model/hardware/timing.h"

const double timing[TIMINGS] = {
#define TIMING(id, value, unit, source) [TIMING_##id] = value,
#include "model/hardware/timings.def"
#undef TIMING
};

double timing_block_start(int warps)
{
	int below = 0;
	while (below < TIMING_BLOCK_32 - TIMING_BLOCK_1 - 1 && 2 << below < warps)
		below++;
	double a = timing[TIMING_BLOCK_1 + below], b = timing[TIMING_BLOCK_1 + below + 1];
	return a + (b - a) * (warps - (1 << below)) / (1 << below);
}
