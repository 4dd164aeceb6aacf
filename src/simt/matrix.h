/* simt/matrix.h: what the matrix instructions have in common. Inside simt/ only. */
#pragma once
#include "simt/lanes.h"

/* False, with a defect, when not all 32 lanes of the warp execute it: PTX ISA, .sync.aligned. */
bool matrix_whole_warp(struct warp *w, const struct code *c, uint32_t mask);
