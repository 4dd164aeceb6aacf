/* model/profile/resident.h: how many blocks of a launch a GPU holds at the same time. */
#pragma once
#include "base/arena.h"
#include "machine/launch/launch.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/simt.h"

/* Whose blocks. */
struct resident_gpu {
	int cc;             /* 0: MODEL_CC_DEFAULT */
	uint32_t registers; /* of a thread; 0: not known, and limit nothing */
	uint32_t barriers;  /* named ones; likewise */
};

/* On the GPU that stands for the compute capability (model/hardware/gpus.def); none where nothing is known of it, or no block fits. Its text is
 * in `arena`. */
struct simt_resident profile_resident(struct arena *arena, const struct ptx_kernel *kernel, const struct launch *launch,
	const struct resident_gpu *gpu);
