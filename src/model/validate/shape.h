/* model/validate/shape.h: one random launch shape for occupancy, as PTX in which every SM counts how many blocks it holds at a
 * time, and what the model predicts.
 *
 * Shape `seed` is always the same: threads of a block, registers of a thread (values that are alive at a time, and sometimes
 * .maxnreg), static and dynamic shared memory, named barriers. A block counts itself in on its SM, stays long enough for
 * all that fit to come in, keeps the most it saw, and counts itself out. */
#pragma once
#include "machine/launch/launch.h"
#include "model/hardware/occupancy.h"

struct shape {
	uint64_t seed;
	uint32_t threads, fixed, dynamic; /* bytes of static and dynamic shared memory */
	uint32_t values;                  /* alive at a time: about as many registers */
	uint32_t limit;                   /* .maxnreg, 0: none */
	uint32_t barriers;
};

struct shape validate_shape_generate(uint64_t seed);

/* Takes of a shape's dynamic shared memory what a block of this compute capability cannot have. */
void validate_shape_fit(struct shape *shape, int cc);

/* Its kernel, in the arena; and a launch that fills a GPU of `sms` SMs twice over with as many blocks as would fit by all but
 * registers. Argument 1 of the launch comes back with the most blocks that each SM saw. */
const char *validate_shape_ptx(struct arena *arena, const struct shape *shape);
struct launch *validate_shape_launch(struct arena *arena, const struct shape *shape, int cc, int sms);
#define SHAPE_RESULT 1

/* What the model predicts when it is compiled to so many registers. */
struct occupancy validate_shape_occupancy(const struct shape *shape, int cc, int registers);

/* "256 threads, 40 registers, 1000 + 2048 bytes of shared memory, 3 barriers" */
void validate_shape_describe(const struct shape *shape, int registers, struct buf *out);
