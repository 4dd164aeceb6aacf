/* gpu/worker/session.h: one GPU held open: its context, the modules loaded and the buffers of the last launch, kept so
 * that the next launch of the same kernel is quick. Inside the worker only. */
#pragma once
#include <stdbool.h>

#include "gpu/worker/driver.h"
#include "gpu/worker/profiler.h"
#include "gpu/worker/sampler.h"
#include "gpu/worker/sass.h"
#include "gpu/worker/turn.h"

#define SESSION_MODULES_MAX 256

/* One that was counted stays loaded when its slot is given to another: CUPTI (13.0) goes on to look at the functions
 * that SASS metrics patched, and once their module was unloaded the next measurement with such metrics ended in a
 * segmentation fault, with a ring of 16 modules in one of 20 kernels. */

struct session_module {
	char *ptx;
	size_t ptx_len;
	CUmodule module;
	void *cubin; /* what the driver made of it; NULL when it was loaded before sass_open */
	size_t cubin_size;
	bool counted; /* CUPTI has looked at it */
};

struct session_buffer {
	CUdeviceptr address;
	size_t cap; /* bytes; 0: none */
};

struct session_range;
struct session_room;

struct session {
	struct arena *arena;
	struct driver driver;
	int device;
	CUdevice cu_device;
	CUcontext context;
	struct wire_gpu gpu;
	bool poisoned; /* a kernel fault killed the context: only a new process helps */
	struct session_module modules[SESSION_MODULES_MAX];
	int n_modules, next_module;
	struct session_buffer buffers[LAUNCH_ARGS_MAX];
	struct session_range *ranges; /* of the last launch's memory at addresses */
	struct session_room *rooms;
	int n_ranges, ranges_cap, n_rooms, rooms_cap;
	bool profiler_tried;
	struct profiler profiler; /* usable when gpu.counters */
	struct sampler sampler;   /* opened at the first request for samples */
	struct sass sass;         /* usable when it is open */
	struct turn turn;         /* on this GPU: taken before a launch */
};

/* Opens the driver and device number `device`, and finds out what it is. False with the reason. */
bool session_open(struct session *session, int device, struct wire_error *error);

/* Opens the profiler and counts one small kernel, which is the only sure sign that counters may be read; gpu.counters
 * and the reason why not are the outcome. Does it once. */
void session_open_counters(struct session *session);

/* One launch made ready on the device. */
struct session_launch {
	struct session *session;
	struct arena *arena;
	const struct launch *launch;   /* its arguments read */
	struct session_module *module; /* valid until another is loaded */
	CUfunction function;
	void **filled; /* per argument: its bytes before the launch */
	void **params; /* for cuLaunchKernel */
};

/* Loads the PTX, takes memory and fills the arguments. `job` must outlive `out`. False with BAD_PTX, BAD_LAUNCH or
 * OUT_OF_MEMORY. */
bool session_prepare(struct session *session, struct arena *arena, const struct wire_job *job,
	struct session_launch *out, struct wire_error *error);

/* Copies the filled buffers to the device, launches, waits for the end. Matches profiler_run.run. */
bool session_run(void *launch, struct wire_error *error);

/* The two halves of it: the copying, and the rest. */
bool session_fill(struct session_launch *launch, struct wire_error *error);
bool session_go(void *launch, struct wire_error *error);

/* What counts on the context's GPU stops, so that something else can: CUPTI admits one of profiler and sampler at a
 * time. */
void session_rest(struct session *session);

/* While nothing is asked: makes a pass of the profiler ahead, so that the next measurement begins with its quickest
 * (profiler.h). True when one was made. */
bool session_go_ahead(struct session *session);

/* Who is to replay it: CUPTI where the PTX has variables of its own in global memory, which a run does not put back. */
enum profiler_replay session_replay(const char *ptx, size_t ptx_len);

/* Registers of a thread, as the driver compiled the kernel for this device; 0 when it does not say. */
int session_registers(const struct session_launch *launch);

/* Copies buffer `index` back into `out`, launch_arg_bytes of it. */
bool session_read(const struct session_launch *launch, int index, void *out, struct wire_error *error);

/* The same of the launch's memory. */
bool session_read_memory(const struct session_launch *launch, int index, void *out, struct wire_error *error);

CUresult session_memory_fill(const struct session_launch *launch);

/* --- facts.c: metrics that the driver reports --------------------------------------------------------------------- */

/* True when `name` is a metric that the driver reports and CUPTI does not count. `available`: whether it did; `value`:
 * what. */
bool facts_find(const struct session_launch *launch, const char *name, double *value, bool *available);

/* --- tensor.c: tensor maps, as the driver writes them ------------------------------------------------------------- */

/* Whether the driver can be asked for a map of this argument, which is a tensor map; else `*why` not. */
bool tensor_is_known(const struct launch_arg *arg, const char **why);

/* The map of argument `index` over its buffer, WARP_TENSOR_BYTES in the launch's arena. NULL with BAD_LAUNCH: the
 * driver refuses it. */
void *tensor_map(const struct session_launch *launch, int index, struct wire_error *error);
