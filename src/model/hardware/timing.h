/* model/hardware/timing.h: the parameters of the model of time, timings.def. */
#pragma once

enum timing_id {
#define TIMING(id, value, unit, source) TIMING_##id,
#include "model/hardware/timings.def"
#undef TIMING
	TIMINGS
};

extern const double timing[TIMINGS];

/* What a block of so many warps takes to begin after another, in cycles: between the measured ones a straight line. */
double timing_block_start(int warps);
