/* runtime/array.h: CUDA arrays, whose texels lie as warp/texture.h says. Inside runtime/ only. */
#pragma once
#include "runtime/queue.h"

struct cuda_channels {
	int bits[4]; /* x, y, z, w */
	int kind;    /* 0: signed, 1: unsigned, 2: float */
};

struct cuda_array {
	uint32_t mark;
	struct cuda_channels channels;
	struct cuda_extent extent; /* as asked for: 0 where it has no such dimension; layers are the depth */
	unsigned int flags;
	uint32_t texel;              /* bytes */
	size_t width, height, depth; /* at least 1 each; height and depth: rows, slices or layers or faces */
	uint64_t address;
	char *host;
	struct cuda_mipmap *level_of; /* of a mipmapped array; NULL: it stands alone */
};
#define ARRAY_MARK 0x59415241u

enum { ARRAY_LAYERED = 1, ARRAY_SURFACE = 2, ARRAY_CUBEMAP = 4, ARRAY_GATHER = 8 };

/* NULL where it is none. */
struct cuda_array *array_of(const void *handle);
