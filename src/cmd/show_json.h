/* cmd/show_json.h: a step as JSON: what `show --format json` prints. simttutor(1) documents the members. */
#pragma once
#include <jansson.h>

#include "base/buf.h"
#include "front/tutor/tutor.h"

/* Appends one object with every number of the step and its witness; a missing number is null, with the reason beside it. */
void show_json(struct tutor *tutor, struct buf *out);

/* What the view of roofs draws: the roofs, and what each launch does. */
json_t *cmd_json_roofline(const struct view_roofline *roofline);
