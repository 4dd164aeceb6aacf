/* gpu/worker/facts.h: metrics of a kernel ready to run that the driver reports, by their names.
 * Inside the worker only. */
#pragma once
#include "gpu/worker/session.h"

/* True when `name` is a metric that the driver reports and CUPTI does not count. `available`: whether it did; `value`: what. */
bool facts_find(const struct session_launch *launch, const char *name, double *value, bool *available);
