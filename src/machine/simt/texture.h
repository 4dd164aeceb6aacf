/* machine/simt/texture.h: what a fetch from a texture gives. Inside simt/ only.
 *
 * CUDA C++ Programming Guide, appendix Texture Fetching. Verified: H200, tests/gpu/objects on tests/ptx/texture-*.ptx:
 * that a weight is rounded to the nearest of 256 parts, a half upward; that a channel which a texel lacks is zero,
 * alpha as well; that a fetch by whole coordinates, offsets added, is zero outside of the texture, whatever the address
 * modes, unless it names a level, which takes the nearest texel. */
#pragma once
#include "machine/simt/code.h"
#include "machine/simt/simt.h"
#include "machine/warp/texture.h"

struct code;
struct warp;

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
	bool names_level;                /* tex.level */
	uint32_t dimensions;             /* of a cube 3 */
	uint32_t at[4];                  /* coordinates, floats as their bits; a layer comes first */
	int32_t offset[3];               /* in texels */
};

/* The channels red, green, blue and alpha: bits of a float where the texture holds floats or reads as them, else
 * integers of 32 bits. */
void simt_texture_fetch(const struct texture_fetch *f, uint32_t out[4]);

/* One channel of the texels that a linear filter would weigh, counterclockwise from the lower left. */
void simt_texture_gather(const struct texture_fetch *f, int channel, uint32_t out[4]);

static inline bool simt_texture_gives_floats(const struct warp_texture *t)
{
	return t->kind == 'F' || t->reads_floats;
}

/* --- executors ---------------------------------------------------------------------------------------------------- */

/* The texture, or the surface, that a lane of the instruction names by its handle, of the geometry that the instruction
 * says; NULL after a fault. */
const struct simt_texture *simt_texture_of_lane(
	struct warp *w, const struct code *c, uint64_t handle, bool surface, int lane);
