/* front/view/launch.h: subjects of the views `lanes`, `defect` and `occupancy`: what is known of a launch besides its
 * numbers. */
#pragma once
#include "machine/warp/warp.h"
#include "model/hardware/occupancy.h"

/* The shape of the launch, and the warp that is watched. block[0] 0: not known. */
struct view_launch {
	uint32_t grid[3], block[3];
	uint32_t watched_block, watched_warp; /* linear; of the block */

	/* Lanes of each warp of the watched block in its first watched access; all 0: not known. */
	uint32_t taking_part[BLOCK_WARPS_MAX];
};

/* One side of a defect. */
struct view_side {
	int line;         /* of the source; 0: not known */
	const char *text; /* of that line, "" when not known */
	const char *who;  /* "block 0, warp 0, thread 4" */
	const char *does; /* "load"; "" when it accesses no memory */
	uint32_t block, warp;
	uint32_t lanes; /* of the warp that the defect is of; 0: not known */
};

struct view_defect {
	const char *kind;             /* "race" */
	const char *message;          /* one sentence */
	struct view_side here, other; /* other.who NULL: there is one side */
};

/* What the detector found. */
struct view_defects {
	bool looked; /* it was on */
	const struct view_defect *at;
	int n;
};

/* How many blocks fit on an SM, from what is known of the kernel. */
struct view_occupancy {
	struct occupancy_block block; /* threads 0: not known; registers 0: those are not */
	struct occupancy result;
};
