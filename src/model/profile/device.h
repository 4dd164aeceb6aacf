/* model/profile/device.h: what launches one after the other share: memory, the module's variables, and buffers by name;
 * and a launch on its way there: its arguments, an example of them, how many of its blocks are resident. */
#pragma once
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/launch/launch.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/simt.h"

/* A buffer that has been made. */
struct profile_buffer {
	int argument, member;          /* member -1: the argument itself; else as in struct launch_pointer */
	const struct launch_arg *what; /* its elements */
	uint64_t address;
	void *bytes; /* after the launch: profile_arguments_copy */
};

struct profile_device {
	struct simt_memory *memory;
	struct simt_variables *variables; /* NULL: each launch has its own */
	struct ptx_module *module;
	struct profile_buffer *named; /* by what->name */
	int n_named, cap_named;
};

/* How launches that come before are run; limits and checks as in struct simt_launch. */
struct profile_before {
	bool keeps;     /* variables, for launches to come */
	size_t granule; /* see simt_memory_round_up */
	uint64_t steps;
	uint32_t checks, quiet_ms;
};

/* A device as the launch finds it: with its variables set, and what it says comes before run. NULL with
 * diagnostics, also when a launch before did not end. */
struct profile_device *profile_device_open(
	struct ptx_module *module, const struct launch *launch, const struct profile_before *before, struct diag *diag);
void profile_device_free(struct profile_device *device);

/* ptx_find_kernel, where the launch hands it functions by address; those of launches before count, too. */
const struct ptx_kernel *profile_find_kernel(struct ptx_module *module, const struct launch *launch, struct diag *diag);

/* Its first part: false with an error, where there is no such function. */
bool profile_take_functions(struct ptx_module *module, const struct launch *launch, struct diag *diag);

/* Makes and fills the buffer of `arg`, and those it points to, which are added to `list`. 0 with an error: no memory,
 * no such function or name. */
struct profile_buffers {
	struct arena *arena;
	struct profile_buffer *at;
	int n;
	size_t cap;
	int argument; /* that they are of */
};
uint64_t profile_device_buffer(struct profile_device *device, const struct launch_arg *arg, int member,
	struct profile_buffers *list, struct diag *diag);

/* Writes the addresses in the bytes of `arg`, at `bytes`. False with an error. */
bool profile_device_point(struct profile_device *device, const struct launch_arg *arg, void *bytes,
	struct profile_buffers *list, struct diag *diag);

/* --- arguments.c -------------------------------------------------------------------------------------------------- */

/* A launch's arguments in the machine's memory, for what starts the machine. */

struct arguments {
	void *params;        /* the kernel's parameter space */
	uint64_t *addresses; /* per argument: of its buffer, or of its texels; 0 for a scalar */
	struct simt_texture *textures;
	uint32_t n_textures;
	struct simt_variables *variables; /* of the device; NULL: the launch has its own */
	/* All of them, also those in structs and those of other launches; of the launch's arguments in order */
	struct profile_buffer *buffers;
	int n_buffers;
};

/* Checks the arguments against the kernel's parameters, makes and fills the buffers, and lays out the parameters. In
 * `arena`; NULL with diagnostics that name the argument. */
const struct arguments *profile_arguments_place(struct arena *arena, const struct ptx_kernel *kernel,
	const struct launch *launch, struct profile_device *device, struct diag *diag);

/* The launch as the machine takes it; limits, listener, checks and report are for the caller to set. `arguments` may be
 * NULL: no parameters yet. */
struct simt_launch profile_simt_launch(
	const struct ptx_kernel *kernel, const struct launch *launch, const struct arguments *arguments);

/* Copies the buffers out of the machine: one pointer per argument, NULL for scalars; arguments->buffers have theirs,
 * too. */
void **profile_arguments_copy(struct arena *arena, const struct launch *launch, const struct arguments *arguments,
	struct simt_memory *memory);

/* Whether the argument is one for this parameter. */
bool profile_argument_fits(const struct ptx_kernel *kernel, const struct launch_arg *arg, int index);

/* Whether their number and sizes are those of the kernel's parameters. With an error, unless `diag` is NULL. */
bool profile_arguments_fit(const struct ptx_kernel *kernel, const struct launch *launch, struct diag *diag);

/* --- example.c ---------------------------------------------------------------------------------------------------- */

/* A kernel's parameters as C has them, and arguments that it would take: what an error shows. Types come from the
 * mangled name; without one, from how the kernel uses its parameters. */

/* "const float *, int", in parentheses behind the kernel's name in the source. */
void profile_signature(const struct ptx_kernel *kernel, struct buf *out);

/* "const float *" */
void profile_param_type(const struct ptx_kernel *kernel, int index, struct buf *out);

/* "f32[64]", with as many elements as the launch has threads. */
void profile_param_example(const struct ptx_kernel *kernel, const struct launch *launch, int index, struct buf *out);

/* --- resident blocks ---------------------------------------------------------------------------------------------- */

/* How many blocks of a launch a GPU holds at the same time. */

/* Whose blocks. */
struct resident_gpu {
	int cc;             /* 0: MODEL_CC_DEFAULT */
	uint32_t registers; /* of a thread; 0: not known, and limit nothing */
	uint32_t barriers;  /* named ones; likewise */
};

/* On the GPU that stands for the compute capability (model/hardware/gpus.def); none where nothing is known of it, or no
 * block fits. Its text is in `arena`. */
struct simt_resident profile_resident(struct arena *arena, const struct ptx_kernel *kernel, const struct launch *launch,
	const struct resident_gpu *gpu);
