/* course/experiment/hostlog.h: what a program asked for (model/hardware/hostlog.h) as JSON: of a report of the runtime, and stored with a lesson. */
#pragma once
#include <jansson.h>

#include "base/arena.h"
#include "base/buf.h"
#include "model/hardware/hostlog.h"

/* From the members "streams", "operations" and "operations_left_out" of an object, whoever wrote it, with its times. NULL, and `*why` is a
 * constant text: it is none. */
struct hostlog *experiment_hostlog_read(struct arena *arena, const json_t *json, const char **why);

/* Appends these members, without the times, an operation a line. */
void experiment_hostlog_format(const struct hostlog *log, const char *indent, struct buf *out);
