/* simt/texture.h: what a fetch from a texture gives. Inside simt/ only.
 *
 * CUDA C++ Programming Guide, appendix Texture Fetching. Not verified on a GPU: how coordinates between two texels are rounded,
 * what a texel of fewer than four channels has in the others (here 0, 0 and 1, as in OpenCL), and that a layer past the last is
 * the last. */
#pragma once
#include "simt/code.h"
#include "simt/simt.h"
#include "warp/texture.h"

/* What a handle stands for; NULL and NULL: nothing. */
struct texture_object {
	const struct simt_texture *texture; /* or a surface */
	const struct ptx_var *reference; /* of a sampler, or of a texture or a surface that the launch does not have */
};
struct texture_object simt_texture_find(const struct machine *m, uint64_t handle);

/* The handle of a .texref, .samplerref or .surfref of the module, the same in every launch. */
uint64_t simt_texture_reference(const struct ptx_var *var);

struct texture_fetch {
	const struct warp_texture *texture;
	const struct warp_sampler *sampler;
	const uint8_t *texels;
	bool is_cube, is_layered, whole; /* whole: the coordinates are integers */
	uint32_t dimensions;             /* of a cube 3 */
	uint32_t at[4];                  /* coordinates, floats as their bits; a layer comes first */
	int32_t offset[3];               /* in texels */
};

/* The channels red, green, blue and alpha: bits of a float where the texture holds floats or reads as them, else integers of 32
 * bits. */
void simt_texture_fetch(const struct texture_fetch *f, uint32_t out[4]);

/* One channel of the texels that a linear filter would weigh, counterclockwise from the lower left. */
void simt_texture_gather(const struct texture_fetch *f, int channel, uint32_t out[4]);

static inline bool simt_texture_gives_floats(const struct warp_texture *t)
{
	return t->kind == 'F' || t->reads_floats;
}
