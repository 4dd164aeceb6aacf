/* runtime/module/function.h: what is known of a kernel. Inside runtime/ only. */
#pragma once
#include "runtime/state.h"

/* cudaFuncAttributes; the reserved ones are CUDA 13's. */
struct cuda_function_attributes {
	size_t shared, constant, local;
	int threads_max, registers, ptx_version, binary_version, cache_mode, dynamic_shared_max, carveout;
	int cluster_must_be_set, cluster[3], cluster_policy, cluster_unportable;
	int reserved[16];
};

int cudaFuncGetAttributes(struct cuda_function_attributes *out, const void *function);
