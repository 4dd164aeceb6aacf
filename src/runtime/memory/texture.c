/* Texture and surface objects: what kernels read through them, as machine/simt/texture.h has it. */

#include <string.h>

#include "base/arena.h"
#include "runtime/driver/driver.h"
#include "runtime/memory/memory.h"

enum { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER };

struct texture_description {
	struct texture_resource resource;
	struct texture_sampling sampling;
	struct texture_view view;
	bool has_view;
};

#define PITCH_ALIGNMENT 32u
#define TEXELS_LINEAR_MAX ((size_t)1 << 28)

/* --- the memory of it --------------------------------------------------------------------------------------------- */

static int shape_of_array(const struct cuda_array *a, struct simt_texture *out)
{
	struct warp_texture *t = &out->shape;
	if (!a || !array_texel(&a->channels, t))
		return CUDA_ErrorInvalidValue;
	out->address = a->address;
	t->cube = (a->flags & ARRAY_CUBEMAP) != 0;
	t->layered = (a->flags & ARRAY_LAYERED) != 0;
	bool deep = a->extent.depth && !t->cube && !t->layered;
	t->dimensions = deep ? 3 : a->extent.height ? 2 : 1;
	t->size[0] = (uint32_t)a->width;
	t->size[1] = (uint32_t)a->height;
	t->size[2] = deep ? (uint32_t)a->depth : 1;
	t->layers = t->layered ? (uint32_t)a->depth / (t->cube ? 6 : 1) : 1;
	return CUDA_Success;
}

static int shape_of(struct runtime *r, const struct texture_resource *p, struct simt_texture *out)
{
	const struct cuda_mipmap *m;
	switch (p->type) {
	case RESOURCE_ARRAY: return shape_of_array(array_of(p->array), out);
	case RESOURCE_MIPMAP:
		m = array_mipmap_of(p->mipmap);
		if (m && m->n > 1)
			runtime_warn("a texture of a mipmapped array has its first level alone");
		return shape_of_array(m ? m->levels[0] : NULL, out);
	case RESOURCE_LINEAR:
	case RESOURCE_PITCHED: {
		/* Memory that the program has an address of. */
		bool rows = p->type == RESOURCE_PITCHED;
		struct warp_texture *t = &out->shape;
		const void *at = rows ? p->pitched.at : p->linear.at;
		if (!array_texel(rows ? &p->pitched.channels : &p->linear.channels, t))
			return CUDA_ErrorInvalidChannelDescriptor;
		size_t texel = warp_texel_bytes(t);
		size_t width = rows ? p->pitched.width : p->linear.bytes / texel, height = rows ? p->pitched.height : 1;
		if (!width || !height || width > TEXELS_LINEAR_MAX || height > UINT16_MAX + 1u ||
			(uintptr_t)at % (rows ? PITCH_ALIGNMENT : texel) ||
			(rows &&
				(p->pitched.pitch % PITCH_ALIGNMENT || p->pitched.pitch < width * texel ||
					p->pitched.pitch > UINT32_MAX)))
			return CUDA_ErrorInvalidValue;
		t->dimensions = rows ? 2 : 1;
		t->size[0] = (uint32_t)width;
		t->size[1] = (uint32_t)height;
		t->size[2] = t->layers = 1;
		t->pitch = rows ? (uint32_t)p->pitched.pitch : 0;
		out->address = (uintptr_t)at;
		if (runtime_allocation(r, (uintptr_t)at, warp_texture_bytes(t)))
			return CUDA_Success;
		runtime_warn("%s: %p has no %zu bytes that are allocated", runtime_call_name("cudaCreateTextureObject"),
			at, (size_t)warp_texture_bytes(t));
		return CUDA_ErrorInvalidValue;
	}
	default: return CUDA_ErrorInvalidValue;
	}
}

/* --- how it is read ----------------------------------------------------------------------------------------------- */

static int check_sampling(const struct texture_sampling *s, const struct warp_texture *t)
{
	if (s->linear < 0 || s->linear > 1 || s->read < READ_ELEMENTS || s->read > READ_FRACTIONS)
		return CUDA_ErrorInvalidValue;
	if (s->read == READ_FRACTIONS && t->kind != 'F' && t->bytes == 4)
		return CUDA_ErrorInvalidNormSetting;
	if (s->linear && s->read == READ_ELEMENTS && t->kind != 'F' && !t->reads_floats)
		return CUDA_ErrorInvalidFilterSetting;
	for (int i = 0; i < 3; i++)
		if (s->addressing[i] < ADDRESS_WRAP || s->addressing[i] > ADDRESS_BORDER)
			return CUDA_ErrorInvalidValue;
	bool border = false;
	for (int i = 0; i < 4; i++)
		border |= s->border[i] != 0;
	for (int i = 0; i < t->dimensions; i++)
		if (border && s->addressing[i] == ADDRESS_BORDER) {
			runtime_warn("%s: a border that is not zero is not emulated",
				runtime_call_name("cudaCreateTextureObject"));
			return CUDA_ErrorNotSupported;
		}
	if (!s->srgb)
		return CUDA_Success;
	runtime_warn("%s: sRGB is not emulated", runtime_call_name("cudaCreateTextureObject"));
	return CUDA_ErrorNotSupported;
}

static void set_sampling(const struct texture_sampling *s, struct warp_texture *t)
{
	static const uint8_t addressing[] = {[ADDRESS_WRAP] = WARP_ADDRESS_WRAP,
		[ADDRESS_CLAMP] = WARP_ADDRESS_CLAMP,
		[ADDRESS_MIRROR] = WARP_ADDRESS_MIRROR,
		[ADDRESS_BORDER] = WARP_ADDRESS_BORDER};
	t->normalized = s->normalized != 0;
	t->reads_floats |= s->read == READ_FRACTIONS && t->kind != 'F';
	t->sampler.linear = s->linear != 0;
	t->sampler.unnormalized = !t->normalized;
	for (int i = 0; i < 3; i++)
		t->sampler.addressing[i] = addressing[s->addressing[i]];
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

#define SLOTS_BEFORE_REUSE 4096 /* so that the use of one that was destroyed is found */

static unsigned long long add_object(
	struct runtime *r, const struct simt_texture *texture, const struct texture_description *object)
{
	int at = 0;
	bool reuse = r->n_textures >= SLOTS_BEFORE_REUSE;
	while (at < r->n_textures && (!reuse || r->textures[at].shape.bytes))
		at++;
	if (at == r->n_textures) {
		vec_push(r->textures, r->n_textures, r->textures_cap);
		vec_push(r->objects, r->n_objects, r->objects_cap);
	}
	r->textures[at] = *texture;
	r->objects[at] = *object;
	return simt_texture_handle((uint32_t)at);
}

/* Which it is; -1: none. */
static int find_object(const struct runtime *r, unsigned long long handle, bool surface)
{
	for (int i = 0; i < r->n_textures; i++)
		if (simt_texture_handle((uint32_t)i) == handle && r->textures[i].shape.bytes &&
			r->textures[i].shape.is_surface == surface)
			return i;
	return -1;
}

RUNTIME_API int cudaCreateTextureObject(unsigned long long *out, const struct texture_resource *resource,
	const struct texture_sampling *sampling, const struct texture_view *view)
{
	RUNTIME_ENTER(r);
	struct simt_texture texture = {0};
	int error = out && resource && sampling ? shape_of(r, resource, &texture) : CUDA_ErrorInvalidValue;
	error = error == CUDA_Success ? check_sampling(sampling, &texture.shape) : error;
	if (error == CUDA_Success && view && view->format) {
		runtime_warn(
			"%s: a view of another format is not emulated", runtime_call_name("cudaCreateTextureObject"));
		error = CUDA_ErrorNotSupported;
	}
	if (error != CUDA_Success)
		return runtime_leave(error);
	struct texture_description object = {.resource = *resource, .sampling = *sampling, .has_view = view != NULL};
	if (view)
		object.view = *view;
	set_sampling(sampling, &texture.shape);
	if (resource->type == RESOURCE_LINEAR) { /* it has no filters, and zeros past its end */
		texture.shape.sampler.linear = false;
		texture.shape.sampler.addressing[0] = WARP_ADDRESS_BORDER;
	}
	*out = add_object(r, &texture, &object);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaCreateSurfaceObject(unsigned long long *out, const struct texture_resource *resource)
{
	RUNTIME_ENTER(r);
	struct simt_texture surface = {0};
	const struct cuda_array *a = resource && resource->type == RESOURCE_ARRAY ? array_of(resource->array) : NULL;
	if (!out || !a)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (!(a->flags & ARRAY_SURFACE)) {
		runtime_warn("%s: the array was not made with cudaArraySurfaceLoadStore",
			runtime_call_name("cudaCreateSurfaceObject"));
		return runtime_leave(CUDA_ErrorInvalidValue);
	}
	int error = shape_of_array(a, &surface);
	if (error != CUDA_Success)
		return runtime_leave(error);
	surface.shape.is_surface = true;
	surface.shape.layered |= surface.shape.cube; /* its faces are layers to a surface */
	if (surface.shape.cube)
		surface.shape.layers *= 6;
	surface.shape.cube = false;
	*out = add_object(r, &surface, &(struct texture_description){.resource = *resource});
	return runtime_leave(CUDA_Success);
}

/* Work that was asked for before may still use it. */
static int destroy_object(unsigned long long handle, bool surface)
{
	RUNTIME_ENTER(r);
	int at = find_object(r, handle, surface);
	if (!handle)
		return runtime_leave(CUDA_Success);
	if (at < 0)
		return runtime_leave(CUDA_ErrorInvalidValue);
	int error = queue_wait_all(r);
	r->textures[at] = (struct simt_texture){0};
	return runtime_leave(error);
}

RUNTIME_API int cudaDestroyTextureObject(unsigned long long handle)
{
	return destroy_object(handle, false);
}

RUNTIME_API int cudaDestroySurfaceObject(unsigned long long handle)
{
	return destroy_object(handle, true);
}

static const struct texture_description *object_at(
	const struct runtime *r, unsigned long long handle, bool surface, const void *out)
{
	int at = find_object(r, handle, surface);
	return at >= 0 && out ? &r->objects[at] : NULL;
}

RUNTIME_API int cudaGetTextureObjectResourceDesc(struct texture_resource *out, unsigned long long handle)
{
	RUNTIME_ENTER(r);
	const struct texture_description *object = object_at(r, handle, false, out);
	if (object)
		*out = object->resource;
	return runtime_leave(object ? CUDA_Success : CUDA_ErrorInvalidValue);
}

RUNTIME_API int cudaGetTextureObjectTextureDesc(struct texture_sampling *out, unsigned long long handle)
{
	RUNTIME_ENTER(r);
	const struct texture_description *object = object_at(r, handle, false, out);
	if (object)
		*out = object->sampling;
	return runtime_leave(object ? CUDA_Success : CUDA_ErrorInvalidValue);
}

RUNTIME_API int cudaGetTextureObjectResourceViewDesc(struct texture_view *out, unsigned long long handle)
{
	RUNTIME_ENTER(r);
	const struct texture_description *object = object_at(r, handle, false, out);
	if (object && object->has_view)
		*out = object->view;
	return runtime_leave(object && object->has_view ? CUDA_Success : CUDA_ErrorInvalidValue);
}

RUNTIME_API int cudaGetSurfaceObjectResourceDesc(struct texture_resource *out, unsigned long long handle)
{
	RUNTIME_ENTER(r);
	const struct texture_description *object = object_at(r, handle, true, out);
	if (object)
		*out = object->resource;
	return runtime_leave(object ? CUDA_Success : CUDA_ErrorInvalidValue);
}
