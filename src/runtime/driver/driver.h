/* runtime/driver/driver.h: the driver API, cu..., over what the runtime does. Inside runtime/ only.
 *
 * libcuda.so.1 (libcuda.c) exports the names of drivers.def, and passes every call on to the runtime library of the
 * process, so that both have one device. Each call begins and ends in driver.c: it asks for what the row says that the
 * function needs, and returns the driver's errors, so that the functions themselves return the runtime's. */
#pragma once
#include "runtime/stream/queue.h"

/* What libcuda.so.1 gets from the runtime library. Functions are in the order of drivers.def. */
struct cuda_driver {
	uint32_t mark, n;
	const char *version;                        /* of simttutor: both libraries are of one build */
	bool (*is_used)(void);                      /* the process has called that library */
	int (*enter)(int function, int per_thread); /* 0, or the error to return */
	int (*leave)(int result);
	void (*const *functions)(void);
};
#define DRIVER_MARK 0x56524443u

/* Exported. `begin` to `end`: the code of libcuda.so.1, which is not the program's. */
const struct cuda_driver *__simttutorDriver(const void *begin, const void *end);

/* A context: of a device, whose memory all of them share. Lasts as long as the program. */
struct cuda_context {
	uint32_t mark; /* CONTEXT_MARK; 0: it was destroyed */
	int device;
	unsigned int flags, version;
	uint64_t id;
	bool primary;
	int kept; /* how often a primary one was retained */
	struct cuda_context *next;
};
#define CONTEXT_MARK 0x54585443u

/* driver_context.c */

/* The current one of this thread; NULL: none. One that was destroyed is still current. */
struct cuda_context *runtime_context(struct runtime *r);
/* The current context of this thread where it is one that the program has created, and not the primary one; what is
 * allocated belongs to it. */
struct cuda_context *runtime_own_context(void);
struct cuda_context *runtime_context_of(struct runtime *r, const void *handle); /* NULL: it is none */
/* The runtime was called by this thread: the primary context of its device is there, and current where none is. */
void runtime_context_used(void);
/* That of a device. */
struct cuda_context *runtime_primary(struct runtime *r, int device);
/* The program has chosen a device by the runtime. */
void runtime_context_choose(struct runtime *r, int device);
bool runtime_driver_began(void); /* cuInit was called, or the runtime */

/* driver_table.c: by row of drivers.def; NULL: it is refused. */
extern void (*const runtime_driver_functions[])(void);

/* driver.c */

/* This thread is in a call of the driver's. */
bool runtime_in_driver(void);
/* What the call that this thread is in is called: the driver's name for it, in a call of that, else its own. */
const char *runtime_call_name(const char *own);
/* The address of a function of the driver API, of the version of it that a CUDA of `version` has; NULL. `*newer`: there
 * is one, which needs a newer CUDA. */
void *runtime_driver_function(const char *name, int version, bool per_thread, bool *newer);
