/* machine/warp/texture.h: textures, surfaces, samplers, and tensor maps, as a launch describes them and the machine
 * reads them. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* --- textures, surfaces, samplers --------------------------------------------------------------------------------- */

/* CUDA C++ Programming Guide, linear filtering: the fraction of a weight has 8 bits. How sums are rounded is not said,
 * so what a linear filter gives may be off by one step of the weight in each dimension, times how far the texels there
 * are from each other. */
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

/* The texels of a texture or a surface lie one after the other, rows perhaps further apart: channels, columns (x), rows
 * (y), slices (z), and last the layers, or the faces of cubes, six for each. */
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

/* --- tensor maps -------------------------------------------------------------------------------------------------- */

/* They are opaque to programs: the bytes here are ours, and a GPU has others. */

#define WARP_TENSOR_RANKS 5
#define WARP_TENSOR_BOX_MAX 256u
#define WARP_TENSOR_STEP_MAX 8u
#define WARP_TENSOR_PIXELS_MAX 1024u
#define WARP_TENSOR_BYTES 128u /* of a CUtensorMap */
#define WARP_TENSOR_ALIGN 64u
#define WARP_TENSOR_MARK ((uint64_t)0x50414D524F534E54)

/* A tensor in global memory, and the box of it that one copy takes. Index 0 is the innermost dimension. */
struct warp_tensor {
	uint64_t mark;                      /* WARP_TENSOR_MARK */
	uint64_t address;                   /* of the first element */
	uint64_t stride[WARP_TENSOR_RANKS]; /* bytes; [0]: of an element */
	uint32_t size[WARP_TENSOR_RANKS];   /* elements */
	uint16_t box[WARP_TENSOR_RANKS];    /* elements that it spans */
	uint8_t step[WARP_TENSOR_RANKS];    /* of which every so many is taken */
	uint8_t rank;
	char kind;       /* 'U', 'S' or 'F' */
	uint8_t swizzle; /* bits 7.. of a shared address that are added to bits 4..: 0, 1, 3 or 7 */
	uint8_t fills_nan;
	/* PTX ISA, "im2col mode": how many pixels a copy takes, 0: it takes a box. They are in the bounding box between
	 * the corners, `lower` from the first and `upper` from the end of each dimension but the channels and the
	 * images; of each pixel box[0] channels. */
	uint16_t pixels;
	int16_t lower[WARP_TENSOR_RANKS - 2], upper[WARP_TENSOR_RANKS - 2];
};

_Static_assert(sizeof(struct warp_tensor) <= WARP_TENSOR_BYTES, "a map has 128 bytes");

/* Whether a box of it has a size. The bytes of a map may be anybody's: a kernel can write its own. */
static inline bool warp_tensor_sound(const struct warp_tensor *t)
{
	uint64_t element = t->stride[0];
	if (t->mark != WARP_TENSOR_MARK || t->rank < 1 || t->rank > WARP_TENSOR_RANKS || t->step[0] != 1 ||
		(element != 1 && element != 2 && element != 4 && element != 8) || t->swizzle > 7 ||
		(t->swizzle & (t->swizzle + 1u)) || (t->kind != 'U' && t->kind != 'S' && t->kind != 'F'))
		return false;
	for (int i = 0; i < t->rank; i++)
		if (!t->size[i] || !t->box[i] || t->box[i] > WARP_TENSOR_BOX_MAX || !t->step[i] ||
			t->step[i] > WARP_TENSOR_STEP_MAX)
			return false;
	if (!t->pixels)
		return true;
	for (int i = 1; i < t->rank - 1; i++)
		if ((int64_t)t->size[i] + t->upper[i - 1] <= t->lower[i - 1])
			return false;
	return t->rank > 2 && t->pixels <= WARP_TENSOR_PIXELS_MAX;
}

/* How many elements of dimension `i` a box has. */
static inline uint32_t warp_tensor_taken(const struct warp_tensor *t, int i)
{
	return (t->box[i] + t->step[i] - 1u) / t->step[i];
}

/* Bytes of a box in shared memory. */
static inline uint32_t warp_tensor_box_bytes(const struct warp_tensor *t)
{
	uint64_t n = t->stride[0];
	if (t->pixels)
		return (uint32_t)n * t->box[0] * t->pixels;
	for (int i = 0; i < t->rank; i++)
		n *= warp_tensor_taken(t, i);
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* Where byte `at` of shared memory is with the swizzle. */
static inline uint64_t warp_tensor_swizzled(uint8_t swizzle, uint64_t at)
{
	return at ^ (at >> 7 & swizzle) << 4;
}
