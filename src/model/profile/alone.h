/* model/profile/alone.h: a launch that comes after others, as one that does not need them: for a GPU, which is given one launch at a time. */
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include "machine/launch/launch.h"
#include "machine/ptx/ptx.h"

#define PROFILE_ALONE_MAX ((size_t)4 << 20) /* bytes of the buffers of others, which travel as text */

/* Whether it can be: its arguments have no addresses but those of buffers that others made, each once and PROFILE_ALONE_MAX in all, and others
 * may not have written variables of the module. True of one that comes after no others and has no addresses. */
bool profile_can_be_alone(const struct ptx_module *module, const struct launch *launch);

/* The launch with each of those buffers as its elements are when it begins, as the machine has them after the others: bits in its text, in
 * its type those of the one that made it. In `arena`, where
 * `launch` must outlive it. NULL with an error when one of the others does not end, or it cannot be alone. */
const struct launch *profile_launch_alone(
	struct arena *arena, struct ptx_module *module, const struct launch *launch, struct diag *diag);
