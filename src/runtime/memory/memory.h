/* runtime/memory/memory.h: copies and fills as work of a stream, pools, CUDA arrays, textures and surfaces. Inside
 * runtime/ only. */
#pragma once
#include "machine/warp/texture.h"
#include "runtime/stream/queue.h"

/* --- copies and fills --------------------------------------------------------------------------------------------- */

/* A copy as it is asked for; the ends are where the program says. */
struct copy_request {
	const char *call; /* its name, for messages */
	struct copy_end to, from;
	bool to_array, from_array; /* the end was found already */
	size_t width, height, depth;
	int kind;
};

enum copy_when { COPY_SYNC, COPY_ASYNC };

struct copy_request copy_bytes(const char *call, void *to, const void *from, size_t bytes, int kind);
int copy_box(const char *call, const struct cuda_copy *copy, struct copy_request *out);

/* The work of it, WORK_NOTHING where it has no bytes; or an error, having said what is wrong. */
int copy_work(struct runtime *r, const struct copy_request *request, struct cuda_work *out);
int copy_submit(struct runtime *r, struct cuda_stream *stream, struct cuda_work *work, enum copy_when when);

/* The whole of a call. */
int copy_do(const struct copy_request *request, struct cuda_stream *handle, enum copy_when when);

/* Rows to set: each element has `element` bytes of the value. */
struct copy_fill {
	const char *call;
	void *at;
	size_t pitch, width, height; /* bytes, rows */
	uint32_t value;
	uint8_t element;
};
int copy_fill_work(struct runtime *r, const struct copy_fill *fill, struct cuda_work *out);
int copy_fill_do(const struct copy_fill *f, struct cuda_stream *handle, enum copy_when when);

/* A copy to or from a variable of the program's kernels. */
struct copy_symbol {
	const char *call;
	const void *symbol;
	void *other;
	size_t bytes, offset;
	int kind;
	bool to_symbol;
};
int copy_symbol(struct runtime *r, const struct copy_symbol *symbol, struct cuda_work *out);

/* --- pools -----------------------------------------------------------------------------------------------------------
 *
 * Memory that is made and given back in the order of a stream. An allocation has its address at once and its memory
 * until its turn to be freed has come, and a pool keeps nothing back. */

struct cuda_pool {
	uint32_t mark;
	int device;
	bool is_default, destroyed; /* destroyed: it goes with its last allocation */
	int reuse[3];               /* what the program has set, by attribute */
	uint64_t threshold;
	uint64_t used, used_most, reserved_most; /* bytes */
	size_t most;                             /* bytes; 0: as the device has */
};
#define POOL_MARK 0x4C4F4F50u

/* cudaMemPoolProps */
struct cuda_pool_properties {
	int type, handles;
	int location_type, location;
	void *unused;
	size_t most;
	unsigned short usage;
	char reserved[54];
};

/* The pool of the device from which cudaMallocAsync takes. */
struct cuda_pool *pool_of_device(struct runtime *r, int device);

/* Memory that is the stream's; an error. */
int pool_alloc(struct runtime *r, struct cuda_pool *pool, size_t bytes, void **out);

/* The work of giving it back, in the order of a stream; or an error, having said why. */
int pool_free_work(struct runtime *r, const char *call, void *pointer, struct cuda_work *out);

/* Memory of the pool was released. */
void pool_released(struct cuda_pool *pool, size_t bytes);

/* --- memory and events of several processes: ipc.c ---------------------------------------------------------------- */

/* An allocation that other processes may have is given back. */
void ipc_drop(const struct cuda_allocation *a);

/* Of an event that other processes may have: a recording begins, and has ended; whether the last one was another
 * process's, and then whether it has ended, waiting for it, and work that does. */
uint64_t ipc_event_begin(struct cuda_event *event);
void ipc_event_end(const struct cuda_event *event, uint64_t serial);
bool ipc_event_is_others(const struct cuda_event *event);
bool ipc_event_is_done(const struct cuda_event *event);
void ipc_event_wait(const struct cuda_event *event);
struct cuda_work ipc_event_work(const struct cuda_event *event);

/* --- arrays ----------------------------------------------------------------------------------------------------------
 *
 * Their texels lie as machine/warp/texture.h says. */

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

/* --- textures and surfaces -------------------------------------------------------------------------------------------
 *
 * What a program says of them. */

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
