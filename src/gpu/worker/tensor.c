#include "gpu/worker/session.h"

#include <string.h>

bool tensor_is_known(const struct launch_arg *arg, const char **why)
{
	*why = "tensor maps of pixels are the machine's alone";
	return !arg->tensor->pixels;
}

/* Elements are copied, never computed with, but by reductions: a type of that size and kind does. */
static CUtensorMapDataType type_of(const struct warp_tensor *t)
{
	bool is_float = t->kind == 'F', is_signed = t->kind == 'S';
	switch (t->stride[0]) {
	case 1: return CU_TENSOR_MAP_DATA_TYPE_UINT8;
	case 2: return is_float ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_UINT16;
	case 4:
		return is_float     ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
			: is_signed ? CU_TENSOR_MAP_DATA_TYPE_INT32
				    : CU_TENSOR_MAP_DATA_TYPE_UINT32;
	default:
		return is_float     ? CU_TENSOR_MAP_DATA_TYPE_FLOAT64
			: is_signed ? CU_TENSOR_MAP_DATA_TYPE_INT64
				    : CU_TENSOR_MAP_DATA_TYPE_UINT64;
	}
}

/* warp_tensor: the bits of a shared address that are exchanged. */
static CUtensorMapSwizzle swizzle_of(const struct warp_tensor *t)
{
	switch (t->swizzle) {
	case 0: return CU_TENSOR_MAP_SWIZZLE_NONE;
	case 1: return CU_TENSOR_MAP_SWIZZLE_32B;
	case 3: return CU_TENSOR_MAP_SWIZZLE_64B;
	default: return CU_TENSOR_MAP_SWIZZLE_128B;
	}
}

void *tensor_map(const struct session_launch *launch, int index, struct wire_error *error)
{
	const struct driver *d = &launch->session->driver;
	const struct launch_arg *arg = &launch->launch->args[index];
	const struct warp_tensor *t = arg->tensor;
	cuuint64_t size[WARP_TENSOR_RANKS], stride[WARP_TENSOR_RANKS];
	cuuint32_t box[WARP_TENSOR_RANKS], step[WARP_TENSOR_RANKS];
	CUtensorMap map;
	_Static_assert(sizeof map == WARP_TENSOR_BYTES, "a map has 128 bytes");
	for (int i = 0; i < t->rank; i++) {
		size[i] = t->size[i];
		box[i] = t->box[i];
		step[i] = t->step[i];
		if (i)
			stride[i - 1] = t->stride[i];
	}
	CUresult result = d->cuTensorMapEncodeTiled(&map, type_of(t), t->rank,
		(void *)launch->session->buffers[index].address, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
		swizzle_of(t), CU_TENSOR_MAP_L2_PROMOTION_NONE,
		t->fills_nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
	if (result != CUDA_SUCCESS) {
		*error = (struct wire_error){WIRE_BAD_LAUNCH,
			arena_printf(launch->arena, "argument %d (%.60s): the driver makes no such tensor map: %s",
				index, arg->text, driver_message(launch->arena, d, result))};
		return NULL;
	}
	void *out = arena_alloc(launch->arena, sizeof map);
	memcpy(out, &map, sizeof map);
	return out;
}
