/* machine/simt/exec_texture.h: what executors on textures and on surfaces share. Inside simt/ only. */
#pragma once
#include "machine/simt/simt.h"

struct code;
struct warp;

/* The texture, or the surface, that a lane of the instruction names by its handle, of the geometry that the instruction says; NULL
 * after a fault. */
const struct simt_texture *simt_texture_of_lane(
	struct warp *w, const struct code *c, uint64_t handle, bool surface, int lane);
