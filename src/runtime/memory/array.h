/* runtime/memory/array.h: CUDA arrays, whose texels lie as machine/warp/texture.h says. Inside runtime/ only. */
#pragma once
#include "machine/warp/texture.h"
#include "runtime/stream/queue.h"

struct cuda_mipmap;

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

enum { ARRAY_LAYERED = 1, ARRAY_SURFACE = 2, ARRAY_CUBEMAP = 4, ARRAY_GATHER = 8, ARRAY_FLAGS = 15 };

/* cudaMipmappedArray_t: level i has half the texels of level i - 1 in each dimension. */
#define MIPMAP_LEVELS 18
struct cuda_mipmap {
	uint32_t mark;
	unsigned int flags, n;
	struct cuda_array *levels[MIPMAP_LEVELS];
};
#define MIPMAP_MARK 0x50494D4Du
struct cuda_mipmap *array_mipmap_of(const void *handle);

/* The channels of a texel: bytes, channels, kind and reads_floats of the texture. False: there are no such texels. */
bool array_texel(const struct cuda_channels *channels, struct warp_texture *out);
int array_channel_count(const struct cuda_channels *channels);

/* NULL where it is none. */
struct cuda_array *array_of(const void *handle);
