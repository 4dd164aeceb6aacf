/* gpu/worker/surroundings.h: what the system around the worker shows of a GPU that cannot be used, or not be measured.
 * Inside the worker only.
 *
 * Files, and the toolkit's usual folders, are looked for below SIMTTUTOR_SYSTEM_ROOT where that is set, which is for
 * tests. */
#pragma once
#include "base/arena.h"
#include "gpu/wire/wire.h"

/* That folder, or "". */
const char *surroundings_root(void);

/* Host, container (/.dockerenv, /run/.containerenv, the cgroup of process 1) or WSL (/proc/version names Microsoft). */
enum wire_place surroundings_place(void);

/* Why the driver finds no GPU: DRIVER_NOT_LOADED (there is no /proc/driver/nvidia), DEVICE_HIDDEN
 * (CUDA_VISIBLE_DEVICES), or DEVICE_ACCESS (/dev/nvidiactl, /dev/nvidia0 and so on); `error` is filled. False when
 * nothing of that is so. */
bool surroundings_hide_gpu(struct arena *arena, struct wire_error *error);

/* "; RmProfilingAdminOnly is 1" as /proc/driver/nvidia/params says, or "". */
const char *surroundings_lock(struct arena *arena);

/* "; ncu (process 123) runs here": profilers among the processes that can be seen, and libraries that this process is
 * injected with; or "". */
const char *surroundings_profilers(struct arena *arena);

/* --- NVIDIA's libraries, opened at run time ----------------------------------------------------------------------- */

/* Opens the first of `names` (ends in NULL) that is somewhere: in the loader's own places, then in the library folders
 * of CUDA_HOME, CUDA_PATH, /usr/local/cuda and /opt/cuda. NULL when none is. `*folder` is where, NULL for the loader's
 * places. */
void *library_open(struct arena *arena, const char *const *names, const char **folder);

/* The folders that may hold a toolkit, in this order; ends in NULL. */
const char *const *library_toolkits(struct arena *arena);

/* Where library_open looks, for messages. */
#define LIBRARY_PLACES "LD_LIBRARY_PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda and /opt/cuda"

/* The file that a library was opened from, links followed; NULL where the loader does not say. */
const char *library_file(struct arena *arena, void *library);
