/* gpu/worker/library.h: NVIDIA's libraries, opened at run time. Inside the worker only. */
#pragma once
#include "base/arena.h"

/* Opens the first of `names` (ends in NULL) that is somewhere: in the loader's own places, then in the library folders of
 * CUDA_HOME, CUDA_PATH, /usr/local/cuda and /opt/cuda. NULL when none is. `*folder` is where, NULL for the loader's
 * places. */
void *library_open(struct arena *arena, const char *const *names, const char **folder);

/* The folders that may hold a toolkit, in this order; ends in NULL. */
const char *const *library_toolkits(struct arena *arena);

/* Where library_open looks, for messages. */
#define LIBRARY_PLACES "LD_LIBRARY_PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda and /opt/cuda"

/* The file that a library was opened from, links followed; NULL where the loader does not say. */
const char *library_file(struct arena *arena, void *library);
