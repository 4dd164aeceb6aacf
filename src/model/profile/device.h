/* model/profile/device.h: what launches one after the other share: memory, the module's variables, and buffers by name. */
#pragma once
#include "base/arena.h"
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

/* Makes and fills the buffer of `arg`, and those it points to, which are added to `list`. 0 with an error: no memory, no such function
 * or name. */
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
