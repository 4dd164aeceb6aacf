/* model/profile/example.h: a kernel's parameters as C has them, and arguments that it would take: what an error shows. Types come from the
 * mangled name; without one, from how the kernel uses its parameters. */
#pragma once
#include "base/buf.h"
#include "machine/launch/launch.h"
#include "machine/ptx/ptx.h"

/* "const float *, int", in parentheses behind the kernel's name in the source. */
void profile_signature(const struct ptx_kernel *kernel, struct buf *out);

/* "const float *" */
void profile_param_type(const struct ptx_kernel *kernel, int index, struct buf *out);

/* "f32[64]", with as many elements as the launch has threads. */
void profile_param_example(const struct ptx_kernel *kernel, const struct launch *launch, int index, struct buf *out);
