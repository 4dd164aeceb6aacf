/* worker/facts.h: what the driver knows of a kernel that is ready to run, by the names under which metrics are asked for.
 * Inside the worker only. */
#pragma once
#include "worker/session.h"

/* True when `name` is told by the driver and not counted. Then `available` says whether it did, and `value` what. */
bool fact_find(const struct session_launch *launch, const char *name, double *value, bool *available);
