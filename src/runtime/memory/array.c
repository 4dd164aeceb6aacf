/* CUDA arrays, and those with levels. */
#include "runtime/memory/memory.h"

#include <string.h>

struct cuda_array *array_of(const void *handle)
{
	struct cuda_array *a = (struct cuda_array *)handle;
	return a && a->mark == ARRAY_MARK ? a : NULL;
}

struct cuda_mipmap *array_mipmap_of(const void *handle)
{
	struct cuda_mipmap *m = (struct cuda_mipmap *)handle;
	return m && m->mark == MIPMAP_MARK ? m : NULL;
}

/* --- channels ----------------------------------------------------------------------------------------------------- */

enum {
	KIND_SIGNED,
	KIND_UNSIGNED,
	KIND_FLOAT,
	KIND_NONE,
	KIND_UNSIGNED_FRACTION = 5, /* 8 bits and 1, 2, 4 channels; 16 bits and so on */
	KIND_SIGNED_FRACTION = 11,
	KIND_FRACTIONS_END = 17,
};

int array_channel_count(const struct cuda_channels *c)
{
	int n = 0;
	while (n < 4 && c->bits[n])
		n++;
	return n;
}

bool array_texel(const struct cuda_channels *c, struct warp_texture *out)
{
	int n = array_channel_count(c), bits = c->bits[0];
	for (int i = 0; i < 4; i++)
		if (c->bits[i] != (i < n ? bits : 0))
			return false;
	if ((n != 1 && n != 2 && n != 4) || (bits != 8 && bits != 16 && bits != 32) ||
		(c->kind == KIND_FLOAT && bits == 8))
		return false;
	bool fraction = c->kind >= KIND_UNSIGNED_FRACTION && c->kind < KIND_FRACTIONS_END;
	if (!fraction && c->kind > KIND_FLOAT)
		return false;
	*out = (struct warp_texture){.bytes = (uint8_t)(bits / 8), .channels = (uint8_t)n, .reads_floats = fraction};
	if (c->kind == KIND_FLOAT)
		out->kind = 'F';
	else if (c->kind == KIND_SIGNED || c->kind >= KIND_SIGNED_FRACTION)
		out->kind = 'S';
	else
		out->kind = 'U';
	return true;
}

/* It is returned as a structure: to where the caller says, first of all. */
RUNTIME_API struct cuda_channels cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
	return (struct cuda_channels){{x, y, z, w}, kind};
}

RUNTIME_API int cudaGetChannelDesc(struct cuda_channels *out, const struct cuda_array *handle)
{
	RUNTIME_ENTER(r);
	const struct cuda_array *a = array_of(handle);
	(void)r;
	if (!out || !a)
		return runtime_leave(a ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*out = a->channels;
	return runtime_leave(CUDA_Success);
}

/* --- making ------------------------------------------------------------------------------------------------------- */

/* CUDA C++ Programming Guide, section "Compute Capabilities": texels in each dimension, and layers. */
enum { WIDTH_1D = 131072, WIDTH_2D = 131072, HEIGHT_2D = 65536, SIDE_3D = 16384, SIDE_CUBE = 32768, LAYERS = 2048 };

static bool fits(const struct cuda_extent *e, unsigned int flags)
{
	size_t depth_most = flags & ARRAY_LAYERED ? LAYERS : SIDE_3D;
	if (!e->width || e->depth > depth_most)
		return false;
	if (flags & ARRAY_CUBEMAP)
		return e->width == e->height && e->width <= SIDE_CUBE &&
			(flags & ARRAY_LAYERED ? e->depth && e->depth % 6 == 0 : e->depth == 6);
	if (flags & ARRAY_LAYERED)
		return e->depth && e->width <= SIDE_CUBE && e->height <= SIDE_CUBE;
	if (e->depth)
		return e->height && e->width <= SIDE_3D && e->height <= SIDE_3D;
	return e->height ? e->width <= WIDTH_2D && e->height <= HEIGHT_2D : e->width <= WIDTH_1D;
}

static int make_array(struct runtime *r, struct cuda_array **out, const struct cuda_channels *c,
	const struct cuda_extent *e, unsigned int flags)
{
	struct warp_texture texel;
	if (!out || !c || flags & ~ARRAY_FLAGS || !fits(e, flags))
		return CUDA_ErrorInvalidValue;
	if (!array_texel(c, &texel))
		return CUDA_ErrorInvalidChannelDescriptor;
	struct cuda_array *a = arena_alloc(r->arena, sizeof *a);
	*a = (struct cuda_array){.mark = ARRAY_MARK,
		.channels = *c,
		.extent = *e,
		.flags = flags,
		.texel = warp_texel_bytes(&texel),
		.width = e->width,
		.height = e->height ? e->height : 1,
		.depth = e->depth ? e->depth : 1};
	a->address = runtime_alloc(r, a->texel * a->width * a->height * a->depth, NULL);
	struct cuda_allocation *memory = a->address ? runtime_allocation(r, a->address, 1) : NULL;
	if (!memory)
		return CUDA_ErrorMemoryAllocation;
	memory->kind = MEMORY_ARRAY;
	a->host = memory->host;
	*out = a;
	return CUDA_Success;
}

static void drop_array(struct runtime *r, struct cuda_array *a)
{
	a->mark = 0;
	runtime_release(r, a->address);
}

RUNTIME_API int cudaMalloc3DArray(
	struct cuda_array **out, const struct cuda_channels *c, struct cuda_extent e, unsigned int flags)
{
	RUNTIME_ENTER(r);
	return runtime_leave(make_array(r, out, c, &e, flags));
}

RUNTIME_API int cudaMallocArray(
	struct cuda_array **out, const struct cuda_channels *c, size_t width, size_t height, unsigned int flags)
{
	RUNTIME_ENTER(r);
	struct cuda_extent e = {width, height, 0};
	return runtime_leave(make_array(r, flags & (ARRAY_LAYERED | ARRAY_CUBEMAP) ? NULL : out, c, &e, flags));
}

RUNTIME_API int cudaFreeArray(struct cuda_array *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_array *a = array_of(handle);
	if (!handle)
		return runtime_leave(CUDA_Success);
	if (!a || a->level_of)
		return runtime_leave(a ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	int error = queue_wait_all(r);
	drop_array(r, a);
	return runtime_leave(error);
}

RUNTIME_API int cudaArrayGetInfo(
	struct cuda_channels *channels, struct cuda_extent *extent, unsigned int *flags, struct cuda_array *handle)
{
	RUNTIME_ENTER(r);
	const struct cuda_array *a = array_of(handle);
	(void)r;
	if (!a)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (channels)
		*channels = a->channels;
	if (extent)
		*extent = a->extent;
	if (flags)
		*flags = a->flags;
	return runtime_leave(CUDA_Success);
}

/* --- with levels -------------------------------------------------------------------------------------------------- */

static size_t half(size_t size, unsigned int times)
{
	return !size ? 0 : size >> times ? size >> times : 1;
}

RUNTIME_API int cudaMallocMipmappedArray(struct cuda_mipmap **out, const struct cuda_channels *c, struct cuda_extent e,
	unsigned int levels, unsigned int flags)
{
	RUNTIME_ENTER(r);
	int error = out && levels ? CUDA_Success : CUDA_ErrorInvalidValue;
	unsigned int most = 1;
	while (most < MIPMAP_LEVELS && (half(e.width, most - 1) > 1 || half(e.height, most - 1) > 1))
		most++;
	levels = levels < most ? levels : most;
	struct cuda_mipmap *m = arena_alloc(r->arena, sizeof *m);
	*m = (struct cuda_mipmap){.mark = MIPMAP_MARK, .flags = flags};
	for (unsigned int i = 0; i < levels && error == CUDA_Success; i++) {
		struct cuda_extent at = {half(e.width, i), half(e.height, i),
			flags & (ARRAY_LAYERED | ARRAY_CUBEMAP) ? e.depth : half(e.depth, i)};
		error = make_array(r, &m->levels[i], c, &at, flags);
		m->n += error == CUDA_Success;
		if (error == CUDA_Success)
			m->levels[i]->level_of = m;
	}
	for (unsigned int i = 0; error != CUDA_Success && i < m->n; i++)
		drop_array(r, m->levels[i]);
	if (error == CUDA_Success)
		*out = m;
	return runtime_leave(error);
}

RUNTIME_API int cudaFreeMipmappedArray(struct cuda_mipmap *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_mipmap *m = array_mipmap_of(handle);
	if (!m)
		return runtime_leave(handle ? CUDA_ErrorInvalidResourceHandle : CUDA_Success);
	int error = queue_wait_all(r);
	for (unsigned int i = 0; i < m->n; i++)
		drop_array(r, m->levels[i]);
	m->mark = 0;
	return runtime_leave(error);
}

RUNTIME_API int cudaGetMipmappedArrayLevel(
	struct cuda_array **out, const struct cuda_mipmap *handle, unsigned int level)
{
	RUNTIME_ENTER(r);
	const struct cuda_mipmap *m = array_mipmap_of(handle);
	(void)r;
	if (!out || !m || level >= m->n)
		return runtime_leave(m ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*out = m->levels[level];
	return runtime_leave(CUDA_Success);
}
