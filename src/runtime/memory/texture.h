/* runtime/memory/texture.h: what a program says of textures and surfaces. Inside runtime/ only. */
#pragma once
#include "runtime/memory/array.h"

enum { RESOURCE_ARRAY, RESOURCE_MIPMAP, RESOURCE_LINEAR, RESOURCE_PITCHED };
enum { READ_ELEMENTS, READ_FRACTIONS };

/* cudaResourceDesc */
struct texture_resource {
	int type;
	union {
		struct cuda_array *array;
		struct cuda_mipmap *mipmap;
		struct {
			void *at;
			struct cuda_channels channels;
			size_t bytes;
		} linear;
		struct {
			void *at;
			struct cuda_channels channels;
			size_t width, height, pitch;
		} pitched;
		int room[32];
	};
	unsigned int flags;
};

/* cudaTextureDesc */
struct texture_sampling {
	int addressing[3], linear, read, srgb;
	float border[4];
	int normalized;
	unsigned int anisotropy;
	int mipmap_linear;
	float mipmap_bias, mipmap_least, mipmap_most;
	int no_trilinear, seamless;
};

/* cudaResourceViewDesc */
struct texture_view {
	int format;
	size_t width, height, depth;
	unsigned int first_level, last_level, first_layer, last_layer, reserved[16];
};
