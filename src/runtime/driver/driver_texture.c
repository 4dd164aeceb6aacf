/* Arrays, textures, surfaces and tensor maps, as the driver API describes them. */
#include <string.h>

#include "machine/warp/texture.h"
#include "runtime/driver/driver.h"
#include "runtime/memory/memory.h"

/* --- formats ------------------------------------------------------------------------------------------------------ */

/* CUarray_format, and the bits and kind of a channel that has it; `n`: of so many channels, 0: of any. */
static const struct {
	int format, bits, kind, n;
} formats[] = {
	{0x01, 8, 1, 0},
	{0x02, 16, 1, 0},
	{0x03, 32, 1, 0},
	{0x08, 8, 0, 0},
	{0x09, 16, 0, 0},
	{0x0a, 32, 0, 0},
	{0x10, 16, 2, 0},
	{0x20, 32, 2, 0},
	{0xc0, 8, 5, 1}, /* fractions: unsigned ones of 8 bits, of 16, and signed ones */
	{0xc1, 8, 6, 2},
	{0xc2, 8, 7, 4},
	{0xc3, 16, 8, 1},
	{0xc4, 16, 9, 2},
	{0xc5, 16, 10, 4},
	{0xc6, 8, 11, 1},
	{0xc7, 8, 12, 2},
	{0xc8, 8, 13, 4},
	{0xc9, 16, 14, 1},
	{0xca, 16, 15, 2},
	{0xcb, 16, 16, 4},
};
#define FORMATS (sizeof formats / sizeof *formats)

static bool channels_of(int format, unsigned int n, struct cuda_channels *out)
{
	for (size_t i = 0; i < FORMATS; i++) {
		if (formats[i].format != format || (formats[i].n && (unsigned int)formats[i].n != n) || n < 1 || n > 4)
			continue;
		*out = (struct cuda_channels){.kind = formats[i].kind};
		for (unsigned int c = 0; c < n; c++)
			out->bits[c] = formats[i].bits;
		return true;
	}
	return false;
}

static int format_of(const struct cuda_channels *c)
{
	int n = array_channel_count(c);
	for (size_t i = 0; i < FORMATS; i++)
		if (formats[i].bits == c->bits[0] && formats[i].kind == c->kind && (!formats[i].n || formats[i].n == n))
			return formats[i].format;
	return 0;
}

/* --- arrays ------------------------------------------------------------------------------------------------------- */

int cudaMalloc3DArray(struct cuda_array **out, const struct cuda_channels *c, struct cuda_extent e, unsigned int flags);
int cudaMallocMipmappedArray(struct cuda_mipmap **out, const struct cuda_channels *c, struct cuda_extent e,
	unsigned int levels, unsigned int flags);

/* CUDA_ARRAY3D_DESCRIPTOR */
struct driver_array {
	size_t width, height, depth;
	int format;
	unsigned int channels, flags;
};

/* CUDA_ARRAY_DESCRIPTOR */
struct driver_array_2d {
	size_t width, height;
	int format;
	unsigned int channels;
};

int cuArray3DCreate_v2(struct cuda_array **out, const struct driver_array *d)
{
	struct cuda_channels channels;
	if (!d || !channels_of(d->format, d->channels, &channels))
		return CUDA_ErrorInvalidValue;
	return cudaMalloc3DArray(out, &channels, (struct cuda_extent){d->width, d->height, d->depth}, d->flags);
}

int cuArrayCreate_v2(struct cuda_array **out, const struct driver_array_2d *d)
{
	if (!d)
		return CUDA_ErrorInvalidValue;
	struct driver_array deep = {d->width, d->height, 0, d->format, d->channels, 0};
	return cuArray3DCreate_v2(out, &deep);
}

int cuArray3DGetDescriptor_v2(struct driver_array *out, const struct cuda_array *handle)
{
	RUNTIME_ENTER(r);
	const struct cuda_array *a = array_of(handle);
	(void)r;
	if (!out || !a)
		return runtime_leave(a ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*out = (struct driver_array){a->extent.width, a->extent.height, a->extent.depth, format_of(&a->channels),
		(unsigned int)array_channel_count(&a->channels), a->flags};
	return runtime_leave(CUDA_Success);
}

int cuArrayGetDescriptor_v2(struct driver_array_2d *out, const struct cuda_array *handle)
{
	struct driver_array d;
	int error = out ? cuArray3DGetDescriptor_v2(&d, handle) : CUDA_ErrorInvalidValue;
	if (error == CUDA_Success)
		*out = (struct driver_array_2d){d.width, d.height, d.format, d.channels};
	return error;
}

int cuMipmappedArrayCreate(struct cuda_mipmap **out, const struct driver_array *d, unsigned int levels)
{
	struct cuda_channels channels;
	if (!d || !channels_of(d->format, d->channels, &channels))
		return CUDA_ErrorInvalidValue;
	return cudaMallocMipmappedArray(
		out, &channels, (struct cuda_extent){d->width, d->height, d->depth}, levels, d->flags);
}

/* --- textures and surfaces ---------------------------------------------------------------------------------------- */

int cudaCreateTextureObject(unsigned long long *out, const struct texture_resource *resource,
	const struct texture_sampling *sampling, const struct texture_view *view);
int cudaCreateSurfaceObject(unsigned long long *out, const struct texture_resource *resource);
int cudaGetTextureObjectResourceDesc(struct texture_resource *out, unsigned long long handle);
int cudaGetTextureObjectTextureDesc(struct texture_sampling *out, unsigned long long handle);
int cudaGetSurfaceObjectResourceDesc(struct texture_resource *out, unsigned long long handle);

/* CUDA_RESOURCE_DESC */
struct driver_resource {
	int type;
	union {
		void *handle; /* of an array, or one with levels */
		struct {
			void *at;
			int format;
			unsigned int channels;
			size_t bytes;
		} linear;
		struct {
			void *at;
			int format;
			unsigned int channels;
			size_t width, height, pitch;
		} pitched;
		int room[32];
	};
	unsigned int flags;
};

static bool resource_of(const struct driver_resource *d, struct texture_resource *out)
{
	*out = (struct texture_resource){.type = d->type};
	switch (d->type) {
	case RESOURCE_ARRAY: out->array = d->handle; return true;
	case RESOURCE_MIPMAP: out->mipmap = d->handle; return true;
	case RESOURCE_LINEAR:
		out->linear.at = d->linear.at;
		out->linear.bytes = d->linear.bytes;
		return channels_of(d->linear.format, d->linear.channels, &out->linear.channels);
	case RESOURCE_PITCHED:
		out->pitched.at = d->pitched.at;
		out->pitched.width = d->pitched.width;
		out->pitched.height = d->pitched.height;
		out->pitched.pitch = d->pitched.pitch;
		return channels_of(d->pitched.format, d->pitched.channels, &out->pitched.channels);
	default: return false;
	}
}

static void describe_resource(const struct texture_resource *p, struct driver_resource *out)
{
	*out = (struct driver_resource){.type = p->type};
	if (p->type == RESOURCE_ARRAY) {
		out->handle = p->array;
	} else if (p->type == RESOURCE_MIPMAP) {
		out->handle = p->mipmap;
	} else if (p->type == RESOURCE_LINEAR) {
		out->linear.at = p->linear.at;
		out->linear.format = format_of(&p->linear.channels);
		out->linear.channels = (unsigned int)array_channel_count(&p->linear.channels);
		out->linear.bytes = p->linear.bytes;
	} else {
		out->pitched.at = p->pitched.at;
		out->pitched.format = format_of(&p->pitched.channels);
		out->pitched.channels = (unsigned int)array_channel_count(&p->pitched.channels);
		out->pitched.width = p->pitched.width;
		out->pitched.height = p->pitched.height;
		out->pitched.pitch = p->pitched.pitch;
	}
}

/* CUDA_TEXTURE_DESC */
struct driver_sampling {
	int addressing[3], linear;
	unsigned int flags, anisotropy;
	int mipmap_linear;
	float mipmap_bias, mipmap_least, mipmap_most;
	float border[4];
	int reserved[12];
};
enum { SAMPLE_INTEGERS = 1, SAMPLE_NORMALIZED = 2, SAMPLE_SRGB = 16, SAMPLE_NO_TRILINEAR = 32, SAMPLE_SEAMLESS = 64 };
#define SAMPLE_FLAGS 0x73u

int cuTexObjectCreate(unsigned long long *out, const struct driver_resource *resource, const struct driver_sampling *s,
	const struct texture_view *view)
{
	struct texture_resource p;
	if (!resource || !s || s->flags & ~SAMPLE_FLAGS || !resource_of(resource, &p))
		return CUDA_ErrorInvalidValue;
	bool integers = s->flags & SAMPLE_INTEGERS;
	if (!integers) {
		/* Integers of 32 bits are never read as fractions: CUDA driver API, cuTexObjectCreate. */
		const struct cuda_array *a = p.type == RESOURCE_ARRAY ? array_of(p.array) : NULL;
		const struct cuda_mipmap *m = p.type == RESOURCE_MIPMAP ? array_mipmap_of(p.mipmap) : NULL;
		const struct cuda_channels *c = p.type == RESOURCE_LINEAR ? &p.linear.channels
			: p.type == RESOURCE_PITCHED                      ? &p.pitched.channels
			: a                                               ? &a->channels
			: m                                               ? &m->levels[0]->channels
									  : NULL;
		integers = c && c->bits[0] == 32 && c->kind < 2;
	}
	struct texture_sampling sampling = {
		.addressing = {s->addressing[0], s->addressing[1], s->addressing[2]},
		.linear = s->linear,
		.read = integers ? READ_ELEMENTS : READ_FRACTIONS,
		.srgb = (s->flags & SAMPLE_SRGB) != 0,
		.normalized = (s->flags & SAMPLE_NORMALIZED) != 0,
		.anisotropy = s->anisotropy,
		.mipmap_linear = s->mipmap_linear,
		.mipmap_bias = s->mipmap_bias,
		.mipmap_least = s->mipmap_least,
		.mipmap_most = s->mipmap_most,
		.no_trilinear = (s->flags & SAMPLE_NO_TRILINEAR) != 0,
		.seamless = (s->flags & SAMPLE_SEAMLESS) != 0,
	};
	memcpy(sampling.border, s->border, sizeof sampling.border);
	return cudaCreateTextureObject(out, &p, &sampling, view);
}

int cuTexObjectGetResourceDesc(struct driver_resource *out, unsigned long long handle)
{
	struct texture_resource p;
	int error = out ? cudaGetTextureObjectResourceDesc(&p, handle) : CUDA_ErrorInvalidValue;
	if (error == CUDA_Success)
		describe_resource(&p, out);
	return error;
}

int cuTexObjectGetTextureDesc(struct driver_sampling *out, unsigned long long handle)
{
	struct texture_sampling s;
	int error = out ? cudaGetTextureObjectTextureDesc(&s, handle) : CUDA_ErrorInvalidValue;
	if (error != CUDA_Success)
		return error;
	*out = (struct driver_sampling){.addressing = {s.addressing[0], s.addressing[1], s.addressing[2]},
		.linear = s.linear,
		.flags = (s.read == READ_ELEMENTS ? SAMPLE_INTEGERS : 0u) | (s.normalized ? SAMPLE_NORMALIZED : 0u) |
			(s.srgb ? SAMPLE_SRGB : 0u) | (s.no_trilinear ? SAMPLE_NO_TRILINEAR : 0u) |
			(s.seamless ? SAMPLE_SEAMLESS : 0u),
		.anisotropy = s.anisotropy,
		.mipmap_linear = s.mipmap_linear,
		.mipmap_bias = s.mipmap_bias,
		.mipmap_least = s.mipmap_least,
		.mipmap_most = s.mipmap_most};
	memcpy(out->border, s.border, sizeof out->border);
	return CUDA_Success;
}

int cuSurfObjectCreate(unsigned long long *out, const struct driver_resource *resource)
{
	struct texture_resource p;
	bool known = resource && resource->type == RESOURCE_ARRAY && resource_of(resource, &p);
	return known ? cudaCreateSurfaceObject(out, &p) : CUDA_ErrorInvalidValue;
}

int cuSurfObjectGetResourceDesc(struct driver_resource *out, unsigned long long handle)
{
	struct texture_resource p;
	int error = out ? cudaGetSurfaceObjectResourceDesc(&p, handle) : CUDA_ErrorInvalidValue;
	if (error == CUDA_Success)
		describe_resource(&p, out);
	return error;
}

/* --- tensor maps -------------------------------------------------------------------------------------------------- */

/* CUtensorMapDataType; 0 bytes: the machine has no tensors of that type. */
static const struct {
	uint8_t bytes;
	char kind;
} tensor_types[] = {{1, 'U'}, {2, 'U'}, {4, 'U'}, {4, 'S'}, {8, 'U'}, {8, 'S'}, {2, 'F'}, {4, 'F'}, {8, 'F'}, {0, 0},
	{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
#define TENSOR_TYPES ((int)(sizeof tensor_types / sizeof *tensor_types))

struct tensor_description {
	int type;
	unsigned int rank;
	uint64_t address;
	const uint64_t *sizes, *strides;
	const uint32_t *steps;
	int interleave, swizzle, fill;
};

/* What maps of boxes and of pixels have in common. An error. */
static int begin_tensor(const struct tensor_description *a, struct warp_tensor *t)
{
	static const uint8_t swizzles[] = {0, 1, 3, 7};
	if (a->type < 0 || a->type >= TENSOR_TYPES || a->rank < 1 || a->rank > WARP_TENSOR_RANKS || !a->sizes ||
		(a->rank > 1 && !a->strides) || !a->steps || !a->address || a->address % 16 || a->swizzle < 0 ||
		a->swizzle > 3 || a->fill < 0 || a->fill > 1)
		return CUDA_ErrorInvalidValue;
	if (!tensor_types[a->type].bytes || a->interleave) {
		runtime_warn(
			"cuTensorMapEncode: the machine has no interleaved tensors, and none of bf16, tf32 or 4 bits");
		return CUDA_ErrorNotSupported;
	}
	*t = (struct warp_tensor){.mark = WARP_TENSOR_MARK,
		.address = a->address,
		.rank = (uint8_t)a->rank,
		.kind = tensor_types[a->type].kind,
		.swizzle = swizzles[a->swizzle],
		.fills_nan = (uint8_t)a->fill};
	t->stride[0] = tensor_types[a->type].bytes;
	if (a->fill && t->kind != 'F')
		return CUDA_ErrorInvalidValue;
	for (unsigned int i = 0; i < a->rank; i++) {
		uint64_t stride = i ? a->strides[i - 1] : 0;
		if (!a->sizes[i] || a->sizes[i] > UINT32_MAX || !a->steps[i] || a->steps[i] > WARP_TENSOR_STEP_MAX ||
			stride % 16 || stride >> 40)
			return CUDA_ErrorInvalidValue;
		t->size[i] = (uint32_t)a->sizes[i];
		t->step[i] = (uint8_t)a->steps[i];
		if (i)
			t->stride[i] = stride;
	}
	return CUDA_Success;
}

static int end_tensor(const struct warp_tensor *t, void *out)
{
	uint64_t row = t->stride[0] * t->box[0];
	if (!warp_tensor_sound(t) || row % 16 || (t->swizzle && row > t->swizzle * 16u + 16u) ||
		(uintptr_t)out % WARP_TENSOR_ALIGN)
		return CUDA_ErrorInvalidValue;
	memset(out, 0, WARP_TENSOR_BYTES);
	memcpy(out, t, sizeof *t);
	return CUDA_Success;
}

int cuTensorMapEncodeTiled(void *out, int type, unsigned int rank, uint64_t address, const uint64_t *sizes,
	const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave, int swizzle, int promotion,
	int fill)
{
	RUNTIME_ENTER(r);
	struct warp_tensor t;
	struct tensor_description asked = {type, rank, address, sizes, strides, steps, interleave, swizzle, fill};
	(void)r, (void)promotion; /* of no consequence for what is copied */
	int error = out && box ? begin_tensor(&asked, &t) : CUDA_ErrorInvalidValue;
	for (unsigned int i = 0; error == CUDA_Success && i < rank; i++) {
		error = box[i] && box[i] <= WARP_TENSOR_BOX_MAX ? CUDA_Success : CUDA_ErrorInvalidValue;
		t.box[i] = (uint16_t)box[i];
	}
	return runtime_leave(error == CUDA_Success ? end_tensor(&t, out) : error);
}

int cuTensorMapEncodeIm2col(void *out, int type, unsigned int rank, uint64_t address, const uint64_t *sizes,
	const uint64_t *strides, const int *lower, const int *upper, unsigned int channels, unsigned int pixels,
	const uint32_t *steps, int interleave, int swizzle, int promotion, int fill)
{
	static const int corner_most[WARP_TENSOR_RANKS + 1] = {[3] = 32767, [4] = 127, [5] = 15};
	RUNTIME_ENTER(r);
	struct warp_tensor t;
	struct tensor_description asked = {type, rank, address, sizes, strides, steps, interleave, swizzle, fill};
	(void)r, (void)promotion;
	bool good = out && lower && upper && rank >= 3 && channels && channels <= WARP_TENSOR_BOX_MAX && pixels &&
		pixels <= WARP_TENSOR_PIXELS_MAX;
	int error = good ? begin_tensor(&asked, &t) : CUDA_ErrorInvalidValue;
	if (error != CUDA_Success)
		return runtime_leave(error);
	t.box[0] = (uint16_t)channels;
	t.pixels = (uint16_t)pixels;
	for (unsigned int i = 1; i < rank; i++)
		t.box[i] = 1;
	for (unsigned int i = 0; i < rank - 2; i++) {
		int most = corner_most[rank];
		if (lower[i] < -most - 1 || lower[i] > most || upper[i] < -most - 1 || upper[i] > most)
			return runtime_leave(CUDA_ErrorInvalidValue);
		t.lower[i] = (int16_t)lower[i];
		t.upper[i] = (int16_t)upper[i];
	}
	return runtime_leave(end_tensor(&t, out));
}

int cuTensorMapReplaceAddress(void *map, uint64_t address)
{
	RUNTIME_ENTER(r);
	struct warp_tensor t;
	(void)r;
	if (!map || !address || address % 16)
		return runtime_leave(CUDA_ErrorInvalidValue);
	memcpy(&t, map, sizeof t);
	if (!warp_tensor_sound(&t))
		return runtime_leave(CUDA_ErrorInvalidValue);
	t.address = address;
	memcpy(map, &t, sizeof t);
	return runtime_leave(CUDA_Success);
}
