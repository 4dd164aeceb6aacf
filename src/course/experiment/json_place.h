/* course/experiment/json_place.h: where in a JSON text a value stands, for messages; jansson reports places of syntax errors only.
 * Inside the folder only. The text must be valid JSON. */
#pragma once
#include <stddef.h>

#include "base/diag.h"

/* The value of member `name` of the object at `at`, item `index` of the array at `at`: pointers into the text, or `at`
 * itself when there is no such thing (the container is then the nearest place). */
const char *experiment_place_member(const char *at, const char *name);
const char *experiment_place_item(const char *at, size_t index);

/* The item after the one at `at` in its array; `at` itself when it is the last. */
const char *experiment_place_next(const char *at);

/* The position of `at` in `text`. */
struct diag_pos experiment_place_pos(const char *file, const char *text, size_t len, const char *at);
