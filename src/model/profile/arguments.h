/* model/profile/arguments.h: a launch's arguments in the machine's memory, for what starts the machine. */
#pragma once
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "machine/launch/launch.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/simt.h"
#include "model/profile/device.h"

struct arguments {
	void *params;        /* the kernel's parameter space */
	uint64_t *addresses; /* per argument: of its buffer, or of its texels; 0 for a scalar */
	struct simt_texture *textures;
	uint32_t n_textures;
	struct simt_variables *variables; /* of the device; NULL: the launch has its own */
	struct profile_buffer *
		buffers; /* all of them, also those in structs and those of other launches; of the launch's arguments in order */
	int n_buffers;
};

/* Checks the arguments against the kernel's parameters, makes and fills the buffers, and lays out the parameters. In `arena`;
 * NULL with diagnostics that name the argument. */
const struct arguments *profile_arguments_place(struct arena *arena, const struct ptx_kernel *kernel,
	const struct launch *launch, struct profile_device *device, struct diag *diag);

/* The launch as the machine takes it; limits, listener, checks and report are for the caller to set. `arguments` may be NULL:
 * no parameters yet. */
struct simt_launch profile_simt_launch(
	const struct ptx_kernel *kernel, const struct launch *launch, const struct arguments *arguments);

/* Copies the buffers out of the machine: one pointer per argument, NULL for scalars; arguments->buffers have theirs, too. */
void **profile_arguments_copy(struct arena *arena, const struct launch *launch, const struct arguments *arguments,
	struct simt_memory *memory);

/* Whether the argument is one for this parameter. */
bool profile_argument_fits(const struct ptx_kernel *kernel, const struct launch_arg *arg, int index);

/* Whether their number and sizes are those of the kernel's parameters. With an error, unless `diag` is NULL. */
bool profile_arguments_fit(const struct ptx_kernel *kernel, const struct launch *launch, struct diag *diag);
