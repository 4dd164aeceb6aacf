/* runtime/state.h: what the runtime knows of the program it is in. Inside runtime/ only.
 *
 * One lock protects everything. It is not held while kernels run, but in the pauses between their turns, in which
 * memory may be made and released (runtime_pause). What a kernel did wrong is returned by the next call that waits for
 * the device, as on a GPU, and by all after it. Times are the model's, in milliseconds since the first call. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/simt.h"
#include "runtime/cuda_abi.h"

/* errors.def */
enum {
#define ERROR(name, value, driver, string) CUDA_##name = value,
#include "runtime/errors.def"
#undef ERROR
};

#define RUNTIME_DEVICES_MAX 8

/* Device code of one source file. */
/* A kernel or function that needs what is not here. */
struct refused_code {
	const char *name, *title; /* title: of what it needs */
	const struct refused_code *next;
};

struct cuda_module {
	const void *image;        /* in the program; NULL: it was unloaded */
	size_t room;              /* bytes that it has at most; 0: as the program's segment says */
	const void *const *parts; /* images of source files that are to be linked, up to a NULL; or NULL */
	bool managed;             /* has managed variables */
	bool library;             /* by cudaLibraryLoadData, until it is unloaded */
	bool tried;               /* to parse it; it has no `ptx` where that failed */
	struct buf *log;          /* for what is wrong with it; NULL: standard error */
	struct ptx_module *ptx;
	const struct refused_code *refused;
	struct simt_variables *variables[RUNTIME_DEVICES_MAX]; /* NULL: not loaded there yet */
};

struct cuda_kernel {
	struct cuda_module *module;
	const void *host; /* the program's function that stands for it; NULL: none does */
	const char *name; /* as in PTX */
	bool looked_up;
	const struct ptx_kernel *ptx;
	const char *needs;           /* it cannot be launched, for this is not emulated; or NULL */
	uint32_t dynamic_shared_max; /* bytes, by cudaFuncSetAttribute; 0: the default */
	int carveout;                /* percent, by the same; -1: the default */
	bool cluster_unportable;     /* more than 8 blocks of a cluster are allowed */
	const uint8_t *orders;       /* of its instructions: report_order.h; NULL: not looked at */
	uint8_t orders_all;
	enum { KERNEL_APART_UNKNOWN, KERNEL_IS_APART, KERNEL_IS_NOT_APART } apart; /* from other launches: executor.c */
};

struct cuda_variable {
	struct cuda_module *module;
	const void *host;
	void **managed; /* the program's pointer to a managed one, set when the module is loaded; else NULL */
	bool placed;    /* it is managed, and `host` is where it lies */
	void *shared,
		*shared_host; /* it is managed, and lies here for the machine and the host: report_share; or NULL */
	const char *name;
};

enum memory_kind {
	MEMORY_DEVICE,
	MEMORY_PINNED,
	MEMORY_REGISTERED,
	MEMORY_MANAGED,
	MEMORY_VARIABLE, /* of a module */
	MEMORY_ARRAY,    /* of a CUDA array, which the program has no address of */
	MEMORY_VIRTUAL,  /* mapped to addresses that the program has reserved */
	MEMORY_GRAPH,    /* of an allocation node: graph_memory.c */
	MEMORY_IPC,      /* of another process: memory/ipc.c */
};

/* cudaMemLocation */
struct cuda_location {
	int type, id;
};

/* What the program said of managed memory: of the last part of it. */
struct cuda_advice {
	bool read_mostly, by_host;
	struct cuda_location preferred, prefetched;
	uint32_t accessed_by; /* bit: device */
};

struct report_site;

struct cuda_allocation {
	uint64_t address;
	size_t bytes;
	char *host; /* where the host has the bytes; good until it is freed */
	enum memory_kind kind;
	uint8_t device;
	unsigned int flags;             /* of cudaHostAlloc and its like */
	struct cuda_pool *pool;         /* or NULL */
	struct cuda_advice *advice;     /* of managed memory, or NULL */
	struct ipc_memory *ipc;         /* what other processes can have of it, or NULL */
	struct cuda_context *context;   /* in which the program made it, and which it has created; or NULL */
	bool freed;                     /* in the order of a stream that has not come to it */
	bool of_module;                 /* it is a variable, and goes with its module */
	bool away;                      /* of a graph: no launch has allocated it, or it was freed since */
	bool read_only;                 /* to copies and fills; kernels: simt_memory_protect */
	bool written;                   /* by a copy, a fill or a kernel, or perhaps by the host */
	const struct report_site *site; /* where the program asked for it; NULL: not known */
	int logged;                     /* report_log.c: index, from 1; 0: not there */
};

/* Bytes of a block, static and dynamic, unless cudaFuncSetAttribute asked for more. */
#define RUNTIME_SHARED_UNASKED (48u << 10)

struct runtime_queue; /* queue.c */

struct runtime {
	struct arena *arena; /* for as long as the program runs */
	int cc, devices;
	size_t memory_limit; /* of a device */
	size_t memory_here;  /* of this machine, for all devices */
	struct simt_memory *memory;
	uint64_t device_begin, device_end; /* addresses that are the device's alone */
	uint64_t virtual_next;             /* of those that the program may reserve: from there to the end */
	struct cuda_module **modules;
	int n_modules, modules_cap;
	struct cuda_kernel **kernels;
	int n_kernels, kernels_cap;
	struct cuda_variable *variables;
	int n_variables, variables_cap;
	struct cuda_allocation *allocations; /* by address */
	int n_allocations, allocations_cap;
	size_t allocated[RUNTIME_DEVICES_MAX]; /* bytes */
	size_t limits[8];                      /* by cudaLimit */
	bool limit_set[8];
	unsigned int device_flags;
	const char **named; /* functions that were refused, and the reader knows it */
	int n_named, named_cap;
	struct simt_texture *textures;       /* by handle */
	struct texture_description *objects; /* what the program said of each */
	int n_textures, textures_cap, n_objects, objects_cap;
	struct runtime_queue *queue;
	struct buf printed; /* by kernels that have ended; what waits for them passes it on */
	uint32_t checks;    /* of every launch: SIMT_CHECK_... */
	bool goes_on;       /* launches go on after an access that would end them on a GPU */
	bool pageable;      /* kernels reach all memory of the process */
	bool discards;      /* memory of which bits say what was written */
	int failed;         /* found by a kernel, not returned yet; or returned: sticky */
	bool failure_known;
};

/* The version of CUDA whose library this is: 12000 or 13000. */
extern const int runtime_version;

/* The state, locked; made by the first call. NULL, and nothing is locked: this process is the child of one that had
 * used it. */
struct runtime *runtime_enter(void);

/* Unlocks it. Returns `error`, and remembers it for cudaGetLastError of this thread when it is one. */
int runtime_leave(int error);

/* Like runtime_enter, for a call of the program's own, after which a child has no use of what there is; others only
 * register. */
struct runtime *runtime_enter_call(void);

/* Begins every function of the API that needs the state. */
#define RUNTIME_ENTER(r)                                                                                               \
	struct runtime *r = runtime_enter_call();                                                                      \
	if (!r)                                                                                                        \
	return CUDA_ErrorInitializationError

/* For calls that wait for the device: what a kernel did wrong, from now on the answer of all calls; else `error`. */
int runtime_wait(struct runtime *r, int error);

/* The device of this thread. */
int runtime_device(void);
void runtime_set_device(int to);

/* The next call's default stream is that of the thread, until it leaves. */
void runtime_per_thread(void);
bool runtime_is_per_thread(void);

/* The lock, for those that wait: `r` is locked before and after. */
struct timespec;
void runtime_sleep(void *condition);
void runtime_lock(void);
void runtime_unlock(void);
bool runtime_lock_until(const struct timespec *until); /* CLOCK_REALTIME; false: it is past */

/* Tells the reader, on stderr. */
void runtime_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void runtime_write(const struct buf *text); /* as it is: escaped by the caller */
const char *runtime_error_name(int error);  /* "cudaErrorInvalidValue" */

/* What a call of the driver API returns for it; and its name there, "CUDA_ERROR_INVALID_VALUE", NULL: it has none. */
int runtime_driver_error(int error);
const char *runtime_driver_error_name(int error);

/* The last error of this thread, as cudaGetLastError has it. */
int runtime_last_error(void);
void runtime_put_last_error(int error);

/* The program has called the runtime or the driver. */
bool runtime_is_used(void);

/* refused.c: names the function on standard error, once. Returns CUDA_ErrorNotSupported, which is called `error`. */
int runtime_refuse(const char *name, const char *error);

/* device.c: what the device is called. */
void runtime_device_name(const struct runtime *r, char *name, size_t bytes);
void runtime_warn_diag(const struct diag *diag);

/* What kernels printed goes to where the program prints, as it is: it is the program's own. */
void runtime_print(struct runtime *r);

/* module.c. NULL: there is none that the program registered by that address. */
struct cuda_kernel *runtime_kernel(struct runtime *r, const void *host);
const struct cuda_variable *runtime_variable(struct runtime *r, const void *host);
struct cuda_module *runtime_module_new(struct runtime *r, const void *image, size_t room);
struct cuda_kernel *runtime_kernel_new(struct runtime *r, struct cuda_module *module, const char *name);

/* The kernel's code; NULL, having said why, when the module cannot be used. The runtime is paused. */
const struct ptx_kernel *runtime_load(struct runtime *r, struct cuda_kernel *kernel);
bool runtime_load_module(struct runtime *r, struct cuda_module *module);

/* memory.c: the allocation that has all these bytes; NULL: none. */
struct cuda_allocation *runtime_allocation(struct runtime *r, uint64_t address, size_t bytes);
void runtime_remember(struct runtime *r, const struct cuda_allocation *allocation);
void runtime_forget(struct runtime *r, const struct cuda_allocation *allocation);
bool runtime_is_hosts(uint64_t address, size_t bytes); /* memory that the host can read and write */
bool runtime_is_of_device(const struct runtime *r, const void *pointer);

/* Bytes of all devices that this machine has memory for, beyond those that the program has; whether so many more are
 * among them, false with a sentence. */
size_t runtime_memory_left(const struct runtime *r);
bool runtime_has_memory(const struct runtime *r, size_t bytes);

/* driver_virtual.c: what is wrong with an address that the program has reserved; NULL: nothing, or it has not. */
const char *runtime_reservation(uint64_t address);

/* pageable.c: kernels reach what the process has now, if they reach all of it; or no more. Between turns. */
void runtime_pageable_reach(struct runtime *r);
void runtime_pageable_drop(struct runtime *r);

/* A buffer of the device of this thread, zeroed; 0: there is no memory. Pauses. */
uint64_t runtime_alloc(struct runtime *r, size_t bytes, struct cuda_pool *pool);
/* Gives back what begins there, or unmaps it. Pauses. */
void runtime_release(struct runtime *r, uint64_t address);

struct cuda_symbol {
	uint64_t address;
	size_t bytes;
	char *host;
};
bool runtime_find_symbol(struct runtime *r, const void *symbol, struct cuda_symbol *out);
