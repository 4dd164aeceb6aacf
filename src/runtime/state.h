/* runtime/state.h: what the runtime knows of the program it is in. Inside runtime/ only.
 *
 * One device. Work is done in the call that asks for it, one operation after the other, whatever the stream; so a stream never
 * has work left. What a kernel did wrong is returned by the next call that waits for the device, as on a GPU, and by all after
 * it. One lock protects everything; it is held while a kernel runs. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "ptx/ptx.h"
#include "runtime/cuda_abi.h"
#include "simt/simt.h"

/* errors.def */
enum {
#define ERROR(name, value, string) CUDA_##name = value,
#include "runtime/errors.def"
#undef ERROR
};

/* Device code of one source file. */
struct cuda_module {
	const void *image; /* in the program; NULL: it was unloaded */
	bool managed;      /* has managed variables */
	bool tried;        /* to parse it; it has no `ptx` where that failed */
	struct ptx_module *ptx;
	struct simt_variables *variables;
};

struct cuda_kernel {
	struct cuda_module *module;
	const void *host; /* the program's function that stands for it */
	const char *name; /* as in PTX */
	bool looked_up;
	const struct ptx_kernel *ptx;
	uint32_t dynamic_shared_max; /* bytes, by cudaFuncSetAttribute; 0: the default */
};

struct cuda_variable {
	struct cuda_module *module;
	const void *host;
	void **managed; /* the program's pointer to a managed one, set when the module is loaded; else NULL */
	const char *name;
};

enum memory_kind { MEMORY_DEVICE, MEMORY_PINNED, MEMORY_REGISTERED, MEMORY_MANAGED };

struct cuda_allocation {
	uint64_t address;
	size_t bytes;
	enum memory_kind kind;
	bool freed;
};

/* Bytes of a block, static and dynamic, unless cudaFuncSetAttribute asked for more. */
#define RUNTIME_SHARED_UNASKED (48u << 10)

struct runtime {
	struct arena *arena; /* for as long as the program runs */
	int cc;
	size_t memory_limit;
	struct simt_memory *memory;
	uint64_t device_begin, device_end; /* addresses that are the device's alone */
	struct cuda_module **modules;
	int n_modules, modules_cap;
	struct cuda_kernel **kernels;
	int n_kernels, kernels_cap;
	struct cuda_variable *variables;
	int n_variables, variables_cap;
	struct cuda_allocation *allocations;
	int n_allocations, allocations_cap;
	size_t allocated; /* bytes on the device */
	uint32_t checks;  /* of every launch: SIMT_CHECK_... */
	int failed;       /* found by a kernel, not returned yet; or returned: sticky */
	bool failure_known;
};

/* The state, locked; made by the first call. */
struct runtime *runtime_enter(void);

/* Unlocks it. Returns `error`, and remembers it for cudaGetLastError of this thread when it is one. */
int runtime_leave(int error);

/* For calls that wait for the device: what a kernel did wrong, from now on the answer of all calls; else `error`. */
int runtime_wait(struct runtime *r, int error);

/* Tells the reader, on stderr. */
void runtime_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void runtime_say_diag(const struct diag *diag);

/* What kernels print, to where the program prints, as it is: it is the program's own. */
void runtime_print(const struct buf *text);

/* module.c. NULL: there is none that the program registered by that address. */
struct cuda_kernel *runtime_kernel(struct runtime *r, const void *host);
const struct cuda_variable *runtime_variable(struct runtime *r, const void *host);

/* The kernel's code; NULL, having said why, when the module cannot be used. */
const struct ptx_kernel *runtime_load(struct runtime *r, struct cuda_kernel *kernel);
bool runtime_load_module(struct runtime *r, struct cuda_module *module);

/* memory.c: the allocation that has all these bytes, not freed; NULL: none. */
struct cuda_allocation *runtime_allocation(struct runtime *r, uint64_t address, size_t bytes);
