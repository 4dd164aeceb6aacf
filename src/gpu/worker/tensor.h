/* gpu/worker/tensor.h: tensor maps, as the driver writes them. Inside the worker only. */
#pragma once
#include "gpu/worker/session.h"

/* Whether the driver can be asked for a map of this argument, which is a tensor map; else `*why` not. */
bool tensor_is_known(const struct launch_arg *arg, const char **why);

/* The map of argument `index` over its buffer, WARP_TENSOR_BYTES in the launch's arena. NULL with BAD_LAUNCH: the driver refuses it. */
void *tensor_map(const struct session_launch *launch, int index, struct wire_error *error);
