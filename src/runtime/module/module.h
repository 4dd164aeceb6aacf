/* runtime/module/module.h: device code that a program loads as it runs, and what is known of a kernel. Inside runtime/
 * only. */
#pragma once
#include "runtime/state.h"
#include "runtime/stream/queue.h"

struct library_request {
	const char *call; /* its name, for messages */
	struct cuda_module **out;
	struct buf *log; /* for what is wrong with the code; NULL: standard error */
};

/* Loads what a program says is device code: PTX up to its zero, or a container. Returns an error. Pauses. */
int runtime_library_load(struct runtime *r, const struct library_request *request, const void *code);
int runtime_library_load_file(struct runtime *r, const struct library_request *request, const char *path);

/* Whether one of its kernels can be used, or it has none; else what is wrong with them. */
bool runtime_library_check(struct ptx_module *module, struct diag *diag);

/* The bytes of device code, with the zero of PTX; 0: it is machine code. */
size_t runtime_code_size(const void *code);

/* A whole file in the arena, and a zero; NULL. */
char *runtime_read_file(struct runtime *r, const char *path, size_t *bytes);

/* One that is loaded; NULL: it is none. */
struct cuda_module *runtime_library_of(const struct runtime *r, const void *handle);

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* cudaFuncAttributes; the reserved ones are CUDA 13's. */
struct cuda_function_attributes {
	size_t shared, constant, local;
	int threads_max, registers, ptx_version, binary_version, cache_mode, dynamic_shared_max, carveout;
	int cluster_must_be_set, cluster[3], cluster_policy, cluster_unportable;
	int reserved[16];
};

int cudaFuncGetAttributes(struct cuda_function_attributes *out, const void *function);
