/* CUDA arrays. */
#include "runtime/array.h"

struct cuda_array *array_of(const void *handle)
{
	struct cuda_array *a = (struct cuda_array *)handle;
	return a && a->mark == ARRAY_MARK ? a : NULL;
}
