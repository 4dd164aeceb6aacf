#include "config.h"
#include "gpu/worker/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "gpu/worker/cause.h"
#include "machine/warp/warp.h"

#define RANGE_PROFILER_CC 75

/* --- opening ------------------------------------------------------------------------------------------------------ */

static int device_attribute(const struct session *s, CUdevice_attribute which)
{
	int value = 0;
	s->driver.cuDeviceGetAttribute(&value, which, s->cu_device);
	return value;
}

/* Compute modes explain a device that exists but cannot be opened. */
static bool refuse_device(struct session *s, CUresult result, struct wire_error *error)
{
	static const struct {
		int mode;
		enum wire_error_code code;
		const char *words;
	} modes[] = {
		{CU_COMPUTEMODE_PROHIBITED, WIRE_GPU_PROHIBITED, "its compute mode is PROHIBITED"},
		{CU_COMPUTEMODE_EXCLUSIVE_PROCESS, WIRE_GPU_EXCLUSIVE, "its compute mode is EXCLUSIVE_PROCESS"},
	};
	const char *what = arena_printf(s->arena, "device %d", s->device);
	int mode = result == CUDA_ERROR_INVALID_DEVICE ? CU_COMPUTEMODE_DEFAULT
						       : device_attribute(s, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE);
	cause_fail_driver(s->arena, &s->driver, (struct cause_answer){CAUSE_OPEN, result, what}, error);
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (mode == modes[i].mode &&
			(result == CUDA_ERROR_DEVICE_UNAVAILABLE || mode == CU_COMPUTEMODE_PROHIBITED))
			*error = (struct wire_error){modes[i].code,
				arena_printf(s->arena, "%s: %s; %s", what, driver_message(s->arena, &s->driver, result),
					modes[i].words)};
	return false;
}

bool session_open(struct session *session, int device, struct wire_error *error)
{
	*session = (struct session){.arena = arena_new(), .device = device};
	session->gpu = (struct wire_gpu){.name = "",
		.chip = "",
		.uuid = "",
		.driver = "",
		.cupti_version = "",
		.counters_error = WIRE_INTERNAL,
		.counters_message = ""};
	if (!driver_open(session->arena, &session->driver, error))
		return false;
	const struct driver *d = &session->driver;
	CUresult result = d->cuDeviceGet(&session->cu_device, device);
	if (result == CUDA_SUCCESS)
		result = d->cuDevicePrimaryCtxRetain(&session->context, session->cu_device);
	if (result == CUDA_SUCCESS)
		result = d->cuCtxSetCurrent(session->context);
	if (result != CUDA_SUCCESS)
		return refuse_device(session, result, error);

	char name[256] = "";
	session->driver.cuDeviceGetName(name, sizeof name, session->cu_device);
	session->gpu.name = arena_strdup(session->arena, name);

	CUuuid id;
	char text[48] = "GPU-";
	size_t at = 4;
	session->gpu.uuid = "";
	if (session->driver.cuDeviceGetUuid(&id, session->cu_device) == CUDA_SUCCESS) {
		for (int i = 0; i < 16; i++)
			at += (size_t)snprintf(text + at, sizeof text - at, "%s%02x",
				i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", (unsigned char)id.bytes[i]);
		session->gpu.uuid = arena_strdup(session->arena, text);
	}

	session->gpu.cc = 10 * device_attribute(session, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
		device_attribute(session, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
	session->gpu.sms = device_attribute(session, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
	session->gpu.addresses = device_attribute(session, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED);
	session->gpu.driver = driver_version(session->arena);
	session->driver.cuDriverGetVersion(&session->gpu.driver_cuda);

	turn_init(&session->turn, *session->gpu.uuid ? session->gpu.uuid : arena_printf(session->arena, "%d", device));
	return true;
}

/* One small kernel. */
static const char
	nothing_ptx[] = ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry nothing()\n{\n\tret;\n}\n";
static const struct wire_job nothing = {
	nothing_ptx, sizeof nothing_ptx - 1, {.kernel = "nothing", .grid = {1, 1, 1}, .block = {WARP_SIZE, 1, 1}}};

static bool count_something(struct session *s, struct wire_error *error)
{
	static const char *const metric[] = {"gpu__time_duration.sum"};
	struct session_launch ready;
	double value = 0;
	bool available = false;
	struct profiler_request request = {.metrics = metric, .n = 1, .values = &value, .available = &available};
	if (!session_prepare(s, s->arena, &nothing, &ready, error))
		return false;
	ready.module->counted = true;
	if (!profiler_measure(&s->profiler, &request, &(struct profiler_run){session_run, &ready}, error))
		return false;
	if (!available)
		*error = (struct wire_error){WIRE_PROFILER, "CUPTI does not know gpu__time_duration on this GPU"};
	return available;
}

bool session_go_ahead(struct session *session)
{
	struct session_launch ready;
	struct wire_error error;
	if (session->poisoned || !profiler_is_behind(&session->profiler))
		return false;
	struct arena *arena = arena_new();
	bool prepared = session_prepare(session, arena, &nothing, &ready, &error);
	if (prepared) {
		ready.module->counted = true;
		profiler_go_ahead(&session->profiler, &(struct profiler_run){session_run, &ready});
	} else {
		profiler_rest(&session->profiler);
	}
	arena_free(arena);
	return true;
}

/* CUPTI says of compute capability 7.0 that it can be profiled, which its range profiler cannot. */
static bool check_age(struct session *s, struct wire_error *error)
{
	if (s->gpu.cc >= RANGE_PROFILER_CC)
		return true;
	*error = (struct wire_error){WIRE_UNSUPPORTED_GPU,
		arena_printf(s->arena, "this GPU has compute capability %d.%d", s->gpu.cc / 10, s->gpu.cc % 10)};
	return false;
}

void session_open_counters(struct session *session)
{
	struct wire_error error = {WIRE_INTERNAL, ""};
	if (session->profiler_tried)
		return;
	session->profiler_tried = true;
	struct wire_gpu *gpu = &session->gpu;
	gpu->counters = check_age(session, &error) &&
		profiler_open(session->arena, &session->profiler,
			&(struct profiler_gpu){session->context, session->device, gpu->driver_cuda}, &error) &&
		count_something(session, &error);
	gpu->chip = session->profiler.chip ? session->profiler.chip : "";
	gpu->cupti = session->profiler.cupti.api;
	gpu->cupti_version = session->profiler.cupti.version ? session->profiler.cupti.version : "";
	gpu->counters_error = error.code;
	gpu->counters_message = error.message;
}

void session_rest(struct session *session)
{
	profiler_rest(&session->profiler);
	sampler_rest(&session->sampler);
}

/* --- modules ------------------------------------------------------------------------------------------------------ */

/* A module that was loaded before cubins were kept is loaded again. */
static struct session_module *find_module(
	struct session *s, struct arena *arena, const char *ptx, size_t len, struct wire_error *error)
{
	CUmodule module;
	for (int i = 0; i < s->n_modules; i++) {
		struct session_module *m = &s->modules[i];
		if (m->ptx_len == len && (m->cubin || !s->sass.ready) && !memcmp(m->ptx, ptx, len))
			return m;
	}
	sass_drop_cubin(&s->sass);

	char log[4096] = "";
	/* line information does not change the code */
	CUjit_option options[] = {
		CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_GENERATE_LINE_INFO};
	void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1), (void *)1};
	CUresult result = s->driver.cuModuleLoadDataEx(&module, ptx, 3, options, values);
	if (result != CUDA_SUCCESS) {
		cause_fail_ptx(arena, &s->driver, &(struct cause_ptx){ptx, log, result, s->gpu.cc}, error);
		return NULL;
	}

	/* The slot for another module, emptied. */
	struct session_module *slot = &s->modules[s->next_module++ % SESSION_MODULES_MAX];
	if (!slot->ptx)
		s->n_modules++;
	else if (!slot->counted)
		s->driver.cuModuleUnload(slot->module);
	free(slot->ptx);
	free(slot->cubin);
	*slot = (struct session_module){0};

	*slot = (struct session_module){base_strdup(ptx), len, module, s->sass.cubin, s->sass.cubin_size, false};
	s->sass.cubin = NULL;
	return slot;
}

/* --- the launch's memory, at the very addresses that its pointers have -------------------------------------------- */

#define RANGES_BYTES_MAX ((uint64_t)8 << 30)

/* Whole pages at their addresses. */
struct session_range {
	CUdeviceptr begin, end;
	CUmemGenericAllocationHandle pages; /* of the GPU */
	bool has_pages, mapped;
	bool of_host, registered; /* of the host, in their place */
};

/* Addresses that the driver has given for some of them. */
struct session_room {
	CUdeviceptr at;
	size_t bytes;
};

/* Verified: H200, driver 580 (doc/hardware.md, tests/gpu/live.sh). A little room the driver takes from addresses that
 * it has already, whatever is wished; much it takes where it is wished. */
static const size_t room_bytes[] = {(size_t)1 << 40, (size_t)1 << 36, (size_t)1 << 34};
#define ROOM_SPAN ((uint64_t)1 << 34) /* ranges so near are in one room */

static CUmemAllocationProp pages_of(const struct session *s)
{
	return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
		.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = s->cu_device}};
}

static void drop_memory(struct session *s)
{
	for (int i = 0; i < s->n_ranges; i++) {
		struct session_range *r = &s->ranges[i];
		if (r->mapped)
			s->driver.cuMemUnmap(r->begin, r->end - r->begin);
		if (r->has_pages)
			s->driver.cuMemRelease(r->pages);
		if (r->registered)
			s->driver.cuMemHostUnregister((void *)r->begin);
		if (r->of_host)
			munmap((void *)r->begin, r->end - r->begin);
	}
	for (int i = 0; i < s->n_rooms; i++)
		s->driver.cuMemAddressFree(s->rooms[i].at, s->rooms[i].bytes);
	free(s->ranges);
	free(s->rooms);
	s->ranges = NULL;
	s->rooms = NULL;
	s->n_ranges = s->ranges_cap = s->n_rooms = s->rooms_cap = 0;
}

/* False: the driver has no room there. */
static bool reserve_room(struct session *s, uint64_t begin, uint64_t end)
{
	for (size_t i = 0; i < sizeof room_bytes / sizeof *room_bytes; i++) {
		size_t bytes = room_bytes[i] > end - begin ? room_bytes[i] : end - begin;
		CUdeviceptr at = 0;
		if (s->driver.cuMemAddressReserve(&at, bytes, 0, begin, 0) != CUDA_SUCCESS)
			continue;
		if (at == begin) {
			*(struct session_room *)vec_push(s->rooms, s->n_rooms, s->rooms_cap) = (struct session_room){
				at, bytes};
			return true;
		}
		s->driver.cuMemAddressFree(at, bytes);
	}
	return false;
}

/* Memory of this process, which the GPU sees at its address, does as well; only times would not. */
static CUresult take_from_host(const struct session *s, struct session_range *r)
{
	const struct driver *d = &s->driver;
	size_t bytes = r->end - r->begin;
	CUdeviceptr seen = 0;
	void *at = mmap((void *)r->begin, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (at == MAP_FAILED)
		return CUDA_ERROR_ALREADY_MAPPED;
	r->of_host = at == (void *)r->begin;
	if (!r->of_host) { /* of a kernel that takes an address as a wish */
		munmap(at, bytes);
		return CUDA_ERROR_ALREADY_MAPPED;
	}
	CUresult result = d->cuMemHostRegister(at, bytes, CU_MEMHOSTREGISTER_DEVICEMAP);
	r->registered = result == CUDA_SUCCESS;
	if (r->registered)
		result = d->cuMemHostGetDevicePointer(&seen, at, 0);
	return result == CUDA_SUCCESS && seen != r->begin ? CUDA_ERROR_INVALID_ADDRESS_SPACE : result;
}

static bool map_ranges(struct session_launch *l, struct wire_error *error)
{
	struct session *s = l->session;
	for (int first = 0, n; first < s->n_ranges; first += n) {
		/* Ranges that are near one another, from the first on. */
		n = 1;
		while (first + n < s->n_ranges && s->ranges[first + n].end - s->ranges[first].begin <= ROOM_SPAN)
			n++;

		bool room = reserve_room(s, s->ranges[first].begin, s->ranges[first + n - 1].end);
		for (int i = first; i < first + n; i++) {
			struct session_range *r = &s->ranges[i];
			CUresult result;
			if (room) {
				const struct driver *d = &s->driver;
				const CUmemAllocationProp pages = pages_of(s);
				const CUmemAccessDesc access = {
					.location = pages.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
				size_t bytes = r->end - r->begin;
				result = d->cuMemCreate(&r->pages, bytes, &pages, 0);
				r->has_pages = result == CUDA_SUCCESS;
				if (r->has_pages)
					result = d->cuMemMap(r->begin, bytes, 0, r->pages, 0);
				r->mapped = r->has_pages && result == CUDA_SUCCESS;
				if (r->mapped)
					result = d->cuMemSetAccess(r->begin, bytes, &access, 1);
			} else {
				result = take_from_host(s, r);
			}
			if (result != CUDA_SUCCESS) {
				const char *why = result == CUDA_ERROR_ALREADY_MAPPED
					? "something else is there"
					: driver_message(l->arena, &l->session->driver, result);
				*error = (struct wire_error){WIRE_BAD_LAUNCH,
					arena_printf(l->arena,
						"its memory from 0x%llx to 0x%llx cannot be there on this GPU: %s",
						(unsigned long long)r->begin, (unsigned long long)r->end, why)};
				drop_memory(l->session);
				return false;
			}
		}
	}
	return true;
}

/* Maps pages for the launch's memory where it has to be, in place of those of the last launch that had some; false,
 * with BAD_LAUNCH or OUT_OF_MEMORY, when they cannot be there. */
static bool map_memory(struct session_launch *l, struct wire_error *error)
{
	struct session *s = l->session;
	const struct driver *d = &s->driver;
	const CUmemAllocationProp pages = pages_of(s);
	size_t page = 0;
	if (!l->launch->n_memory)
		return true; /* it may be counters that are tried on their way to those of another launch */
	drop_memory(s);
	CUresult result = d->cuMemGetAllocationGranularity(&page, &pages, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
	if (result != CUDA_SUCCESS || !page)
		return cause_fail_driver(
			l->arena, d, (struct cause_answer){CAUSE_MEMORY, result, "memory at addresses"}, error);

	/* The pages that hold the memory, and their bytes. */
	uint64_t bytes = 0;
	for (int i = 0; i < l->launch->n_memory; i++) {
		const struct launch_memory *m = &l->launch->memory[i];
		uint64_t begin = m->address / page * page, end = (m->address + m->bytes + page - 1) / page * page;
		struct session_range *last = s->n_ranges ? &s->ranges[s->n_ranges - 1] : NULL;
		if (last && begin <= last->end) {
			bytes += end > last->end ? end - last->end : 0;
			last->end = end > last->end ? end : last->end;
			continue;
		}
		*(struct session_range *)vec_push(s->ranges, s->n_ranges, s->ranges_cap) = (struct session_range){
			.begin = begin, .end = end};
		bytes += end - begin;
	}
	if (bytes <= RANGES_BYTES_MAX)
		return map_ranges(l, error);
	*error = (struct wire_error){WIRE_OUT_OF_MEMORY,
		arena_printf(l->arena, "the pages of its memory hold %llu MiB; at most %llu are taken",
			(unsigned long long)(bytes >> 20), (unsigned long long)(RANGES_BYTES_MAX >> 20))};
	drop_memory(s);
	return false;
}

/* --- its bytes ---------------------------------------------------------------------------------------------------- */

CUresult session_memory_fill(const struct session_launch *l)
{
	const struct driver *d = &l->session->driver;
	CUresult result = CUDA_SUCCESS;
	for (int i = 0; i < l->launch->n_memory && result == CUDA_SUCCESS; i++) {
		const struct launch_memory *m = &l->launch->memory[i];
		if (m->n_data)
			result = d->cuMemcpyHtoD(m->address, m->data, m->n_data);
		if (result == CUDA_SUCCESS && m->bytes > m->n_data)
			result = d->cuMemsetD8(m->address + m->n_data, 0, m->bytes - m->n_data);
	}
	return result;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static bool refuse_launch(struct wire_error *error, const char *message)
{
	*error = (struct wire_error){WIRE_BAD_LAUNCH, message};
	return false;
}

static size_t buffer_bytes(const struct launch_arg *arg)
{
	size_t bytes = launch_arg_bytes(arg);
	return bytes ? bytes : 1; /* an empty buffer still has an address */
}

static bool reserve_all(struct session_launch *l, struct wire_error *error)
{
	struct session *s = l->session;
	CUresult result = CUDA_SUCCESS;
	/* when memory runs short, what earlier launches left in the slots goes first */
	for (int attempt = 0; attempt < 2; attempt++) {
		result = CUDA_SUCCESS;
		for (int i = 0; i < l->launch->n_args && result == CUDA_SUCCESS; i++)
			if (l->launch->args[i].buffer) {
				size_t bytes = buffer_bytes(&l->launch->args[i]);
				struct session_buffer *b = &s->buffers[i];
				if (bytes > b->cap) {
					if (b->cap)
						s->driver.cuMemFree(b->address);
					*b = (struct session_buffer){0};
					result = s->driver.cuMemAlloc(&b->address, bytes);
					if (result == CUDA_SUCCESS)
						b->cap = bytes;
				}
			}
		if (result == CUDA_SUCCESS)
			return true;

		drop_memory(s);
		for (int i = 0; i < LAUNCH_ARGS_MAX; i++) {
			if (s->buffers[i].cap)
				s->driver.cuMemFree(s->buffers[i].address);
			s->buffers[i] = (struct session_buffer){0};
		}
	}
	size_t free_bytes = 0, total = 0;
	s->driver.cuMemGetInfo(&free_bytes, &total);
	cause_fail_driver(l->arena, &s->driver, (struct cause_answer){CAUSE_MEMORY, result, NULL}, error);
	error->message = arena_printf(
		l->arena, "%s; %zu MiB of %zu MiB are free", error->message, free_bytes >> 20, total >> 20);
	return false;
}

bool session_prepare(struct session *session, struct arena *arena, const struct wire_job *job,
	struct session_launch *out, struct wire_error *error)
{
	const struct launch *launch = &job->launch;
	*out = (struct session_launch){.session = session, .arena = arena, .launch = launch};
	out->module = find_module(session, arena, job->ptx, job->ptx_len, error);
	if (!out->module)
		return false;
	if (session->driver.cuModuleGetFunction(&out->function, out->module->module, launch->kernel) != CUDA_SUCCESS)
		return refuse_launch(error, arena_printf(arena, "the PTX has no kernel named %.100s", launch->kernel));

	/* Every parameter of the kernel must get an argument of its size: the driver reads as many bytes as the kernel
	 * takes. */
	const struct driver *d = &out->session->driver;
	int n_params = out->launch->n_args;
	size_t offset, size;
	for (int i = 0; i < n_params; i++) {
		const struct launch_arg *arg = &out->launch->args[i];
		size_t given = arg->tensor ? WARP_TENSOR_BYTES
			: arg->buffer      ? sizeof(CUdeviceptr)
					   : launch_arg_bytes(arg);
		if (d->cuFuncGetParamInfo(out->function, (size_t)i, &offset, &size) != CUDA_SUCCESS)
			return refuse_launch(error,
				arena_printf(out->arena, "%d argument%s given, the kernel takes %d", n_params,
					n_params == 1 ? " was" : "s were", i));
		if (size != given)
			return refuse_launch(error,
				arena_printf(out->arena, "argument %d (%.60s) has %zu byte%s, the kernel takes %zu", i,
					arg->text, given, given == 1 ? "" : "s", size));
	}
	if (d->cuFuncGetParamInfo(out->function, (size_t)n_params, &offset, &size) == CUDA_SUCCESS)
		return refuse_launch(error,
			arena_printf(out->arena, "%d argument%s given, the kernel takes more", n_params,
				n_params == 1 ? " was" : "s were"));

	uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
	int most = 0, fixed = 0;
	d->cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, out->function);
	if (launch->block[0] > BLOCK_THREADS_MAX || launch->block[1] > BLOCK_THREADS_MAX || threads > (uint64_t)most)
		return refuse_launch(error,
			arena_printf(out->arena, "a block of %u x %u x %u threads; this kernel can have %d here",
				launch->block[0], launch->block[1], launch->block[2], most));
	d->cuFuncGetAttribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, out->function);
	int limit = device_attribute(out->session, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
	if (launch->shared > (uint32_t)limit || (int)launch->shared > limit - fixed)
		return refuse_launch(error,
			arena_printf(out->arena,
				"%u bytes of dynamic and %d of static shared memory; this GPU has %d"
				" for a block",
				launch->shared, fixed, limit));
	CUresult result = d->cuFuncSetAttribute(
		out->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)launch->shared);
	if (result != CUDA_SUCCESS)
		return refuse_launch(error, driver_message(out->arena, d, result));
	/* More than 8 blocks are not portable; on GPUs without clusters it is refused, which does not matter. */
	d->cuFuncSetAttribute(out->function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);

	/* The driver refuses it, too, but says neither how many blocks fit nor why. */
	uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
	int on_sm = 0, sms = out->session->gpu.sms;
	if (launch->cooperative &&
		d->cuOccupancyMaxActiveBlocksPerMultiprocessor(&on_sm, out->function, (int)threads, launch->shared) ==
			CUDA_SUCCESS &&
		blocks > (uint64_t)on_sm * (uint64_t)sms)
		return refuse_launch(error,
			arena_printf(out->arena,
				"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: a cooperative launch of %llu blocks; at most %d are resident"
				" together: %d on each of %d SMs",
				(unsigned long long)blocks, on_sm * sms, on_sm, sms));

	if (!reserve_all(out, error) || !map_memory(out, error))
		return false;

	size_t n = (size_t)out->launch->n_args;
	out->filled = arena_array(out->arena, void *, n + 1);
	out->params = arena_array(out->arena, void *, n + 1);
	for (size_t i = 0; i < n; i++) {
		const struct launch_arg *arg = &out->launch->args[i];
		out->filled[i] = arena_alloc(out->arena, buffer_bytes(arg));
		launch_arg_fill(arg, out->filled[i]);
		out->params[i] = arg->tensor ? tensor_map(out, (int)i, error)
			: arg->buffer        ? (void *)&out->session->buffers[i].address
					     : out->filled[i];
		if (!out->params[i])
			return false;
	}
	return true;
}

/* ".global" between blanks declares a variable; in an instruction something is before it. */
enum profiler_replay session_replay(const char *ptx, size_t ptx_len)
{
	static const char word[] = ".global";
	const char *end = ptx + ptx_len;
	for (const char *at = ptx; (at = memmem(at, (size_t)(end - at), word, sizeof word - 1)) != NULL;
		at += sizeof word - 1) {
		bool begins = at == ptx || strchr(" \t\r\n;}", at[-1]);
		bool ends = at + sizeof word - 1 < end && strchr(" \t\r\n.", at[sizeof word - 1]);
		if (begins && ends)
			return PROFILER_REPLAY_CUPTI;
	}
	return PROFILER_REPLAY_US;
}

int session_registers(const struct session_launch *launch)
{
	int registers = 0;
	launch->session->driver.cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, launch->function);
	return registers;
}

/* What launching or waiting answered. Errors that are not about the launch itself have killed the context. */
static bool check_run(struct session_launch *l, CUresult result, struct wire_error *error)
{
	if (result == CUDA_SUCCESS)
		return true;
	cause_fail_driver(l->arena, &l->session->driver, (struct cause_answer){CAUSE_RUN, result, NULL}, error);
	l->session->poisoned = wire_error_is_fatal(error->code);
	return false;
}

bool session_fill(struct session_launch *l, struct wire_error *error)
{
	const struct driver *d = &l->session->driver;
	CUresult result = CUDA_SUCCESS;
	for (int i = 0; i < l->launch->n_args && result == CUDA_SUCCESS; i++)
		if (l->launch->args[i].buffer)
			result = d->cuMemcpyHtoD(
				l->session->buffers[i].address, l->filled[i], buffer_bytes(&l->launch->args[i]));
	if (result == CUDA_SUCCESS)
		result = session_memory_fill(l);
	return check_run(l, result, error);
}

bool session_go(void *launch, struct wire_error *error)
{
	struct session_launch *l = launch;
	const struct driver *d = &l->session->driver;
	const uint32_t *grid = l->launch->grid, *block = l->launch->block, *cluster = l->launch->cluster;
	CUlaunchAttribute attributes[2] = {{0}};
	unsigned n = 0;
	if (l->launch->cooperative)
		attributes[n++] = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
	if (cluster[0])
		attributes[n++] = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
			.value.clusterDim = {cluster[0], cluster[1], cluster[2]}};
	const CUlaunchConfig config = {.gridDimX = grid[0],
		.gridDimY = grid[1],
		.gridDimZ = grid[2],
		.blockDimX = block[0],
		.blockDimY = block[1],
		.blockDimZ = block[2],
		.sharedMemBytes = l->launch->shared,
		.attrs = attributes,
		.numAttrs = n};
	CUresult result = d->cuLaunchKernelEx(&config, l->function, l->params, NULL);
	if (result == CUDA_SUCCESS)
		result = d->cuCtxSynchronize();
	return check_run(l, result, error);
}

bool session_run(void *launch, struct wire_error *error)
{
	return session_fill(launch, error) && session_go(launch, error);
}

static bool read_bytes(
	const struct session_launch *launch, CUdeviceptr from, size_t bytes, void *out, struct wire_error *error)
{
	const struct driver *d = &launch->session->driver;
	CUresult result = bytes ? d->cuMemcpyDtoH(out, from, bytes) : CUDA_SUCCESS;
	if (result == CUDA_SUCCESS)
		return true;
	cause_fail_driver(launch->arena, d, (struct cause_answer){CAUSE_RUN, result, NULL}, error);
	launch->session->poisoned = wire_error_is_fatal(error->code);
	return false;
}

bool session_read(const struct session_launch *launch, int index, void *out, struct wire_error *error)
{
	size_t bytes = launch_arg_bytes(&launch->launch->args[index]);
	return read_bytes(launch, launch->session->buffers[index].address, bytes, out, error);
}

bool session_read_memory(const struct session_launch *launch, int index, void *out, struct wire_error *error)
{
	const struct launch_memory *m = &launch->launch->memory[index];
	return read_bytes(launch, m->address, m->bytes, out, error);
}
