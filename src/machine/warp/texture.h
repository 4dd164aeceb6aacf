/* machine/warp/texture.h: textures, surfaces and samplers, as a launch describes them and the machine reads them. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* CUDA C++ Programming Guide, linear filtering: the fraction of a weight has 8 bits. How sums are rounded is not said, so what a linear
 * filter gives may be off by one step of the weight in each dimension, times how far the texels there are from each other. */
#define WARP_FILTER_BITS 8

/* What becomes of a coordinate outside of the texture. Their numbers are those that txq gives. */
enum warp_addressing {
	WARP_ADDRESS_WRAP,   /* the texture repeats */
	WARP_ADDRESS_MIRROR, /* and every other time in reverse */
	WARP_ADDRESS_CLAMP_OGL,
	WARP_ADDRESS_CLAMP,  /* its nearest texel */
	WARP_ADDRESS_BORDER, /* zero */
};

struct warp_sampler {
	bool linear;       /* the weighted mean of the texels around a coordinate; else the one that it is in */
	bool unnormalized; /* coordinates count texels, whatever the texture says */
	uint8_t addressing[3];
};

/* The texels of a texture or a surface lie one after the other, rows perhaps further apart: channels, columns (x), rows (y), slices (z), and last the
 * layers, or the faces of cubes, six for each. */
struct warp_texture {
	bool is_surface, layered, cube;
	char kind;                   /* of a channel: 'U', 'S' or 'F' */
	uint8_t bytes, channels;     /* bytes of a channel: 1, 2 or 4; channels of a texel: 1, 2 or 4 */
	uint8_t dimensions;          /* 1 to 3; of a cube 2 */
	uint32_t size[3];            /* texels; 1 where it has no such dimension */
	uint32_t layers;             /* 1 unless layered */
	uint32_t pitch;              /* bytes from one row to the next; 0: they lie one after the other */
	bool normalized;             /* coordinates run from 0 to 1 over the texture; else they count texels */
	bool reads_floats;           /* its integers are read as floats in [0, 1] or [-1, 1] */
	struct warp_sampler sampler; /* where the instruction names none */
};

static inline uint32_t warp_texel_bytes(const struct warp_texture *t)
{
	return (uint32_t)t->bytes * t->channels;
}

/* Layers, or faces of cubes. */
static inline uint32_t warp_texture_images(const struct warp_texture *t)
{
	return t->layers * (t->cube ? 6u : 1u);
}

/* From the beginning of a row to that of the next. */
static inline uint64_t warp_texture_row(const struct warp_texture *t)
{
	return t->pitch ? t->pitch : (uint64_t)warp_texel_bytes(t) * t->size[0];
}

static inline uint64_t warp_texture_bytes(const struct warp_texture *t)
{
	uint64_t rows = (uint64_t)t->size[1] * t->size[2] * warp_texture_images(t);
	return rows ? (rows - 1) * warp_texture_row(t) + (uint64_t)warp_texel_bytes(t) * t->size[0] : 0;
}
