/* What a program asks of the device as a whole: limits, flags, caches, and which device it is. */
#include <stdio.h>
#include <string.h>

#include "model/hardware/occupancy.h"
#include "runtime/report/report.h"
#include "runtime/stream/queue.h"

/* --- limits ------------------------------------------------------------------------------------------------------- */

enum {
	LIMIT_STACK,
	LIMIT_PRINTF,
	LIMIT_HEAP,
	LIMIT_SYNC_DEPTH,
	LIMIT_PENDING_LAUNCHES,
	LIMIT_L2_GRANULARITY,
	LIMIT_L2_PERSISTING,
	LIMITS_N
};

/* What a GPU begins with: CUDA C++ Programming Guide and API reference. */
static const size_t beginning[LIMITS_N] = {1024, SIMT_PRINT_MAX, 8u << 20, 2, 2048, 64, 0};
#define STACK_MOST ((size_t)512 << 10) /* of local memory of a thread */
#define STACK_UNIT 16
#define GRANULARITY_MOST 128
/* What can be set aside of L2 is set aside in tenths, three of them from the beginning. Verified: H200. */
#define PERSISTING_UNITS 10
#define PERSISTING_BEGINNING 3

static int check_limit(const struct runtime *r, int limit)
{
	if (limit < 0 || limit >= LIMITS_N)
		return CUDA_ErrorInvalidValue;
	return (limit == LIMIT_SYNC_DEPTH && r->cc >= 90) || (limit == LIMIT_L2_PERSISTING && r->cc < 80)
		? CUDA_ErrorUnsupportedLimit
		: CUDA_Success;
}

/* What is asked of the L2 cache is as CUDA has it; a report notes that the model of time knows nothing of it. */
static void note_l2(void)
{
	static bool noted;
	if (noted || !report_is_on())
		return;
	noted = true;
	runtime_warn(
		"note: what is set aside of the L2 cache and access policy windows have no effect here: the model of time "
		"has no L2 cache that keeps data");
}

RUNTIME_API int cudaDeviceGetLimit(size_t *value, int limit)
{
	RUNTIME_ENTER(r);
	int error = value ? check_limit(r, limit) : CUDA_ErrorInvalidValue;
	/* What it is now: as set, 0 stands for the default. */
	if (error == CUDA_Success)
		*value = r->limit_set[limit] ? r->limits[limit]
			: limit == LIMIT_L2_PERSISTING
			? (size_t)occupancy_gpu(r->cc)->persisting / PERSISTING_UNITS * PERSISTING_BEGINNING
			: beginning[limit];
	return runtime_leave(error);
}

RUNTIME_API int cudaDeviceSetLimit(int limit, size_t value)
{
	RUNTIME_ENTER(r);
	int error = check_limit(r, limit);
	if (error != CUDA_Success)
		return runtime_leave(error);
	if ((limit == LIMIT_STACK && value > STACK_MOST) || (limit == LIMIT_L2_GRANULARITY && value > GRANULARITY_MOST))
		return runtime_leave(CUDA_ErrorInvalidValue);
	if ((limit == LIMIT_HEAP || limit == LIMIT_PRINTF) && value > r->memory_limit)
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	if (limit == LIMIT_STACK)
		value = (value + STACK_UNIT - 1) / STACK_UNIT * STACK_UNIT;
	if (limit == LIMIT_L2_PERSISTING) {
		/* nothing is set aside where it is not known how much could be */
		uint32_t most = occupancy_gpu(r->cc)->persisting;
		if (most && value > most)
			return runtime_leave(CUDA_ErrorInvalidValue);
		size_t unit = most / PERSISTING_UNITS;
		value = unit ? (value + unit - 1) / unit * unit : 0;
		note_l2();
	}
	r->limits[limit] = value;
	r->limit_set[limit] = true;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaThreadGetLimit(size_t *value, int limit)
{
	return cudaDeviceGetLimit(value, limit);
}

RUNTIME_API int cudaThreadSetLimit(int limit, size_t value)
{
	return cudaDeviceSetLimit(limit, value);
}

/* --- caches: what is asked of them has no effect on what kernels compute ------------------------------------------ */

#define CACHE_CONFIGS 4
#define BANK_CONFIGS 3
#define BANKS_FOUR_BYTES 1

static int cache_config;

RUNTIME_API int cudaDeviceSetCacheConfig(int config)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (config < 0 || config >= CACHE_CONFIGS)
		return runtime_leave(CUDA_ErrorInvalidValue);
	cache_config = config;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaDeviceGetCacheConfig(int *config)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (!config)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*config = cache_config;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaThreadSetCacheConfig(int config)
{
	return cudaDeviceSetCacheConfig(config);
}

RUNTIME_API int cudaThreadGetCacheConfig(int *config)
{
	return cudaDeviceGetCacheConfig(config);
}

RUNTIME_API int cudaDeviceSetSharedMemConfig(int config)
{
	RUNTIME_ENTER(r);
	(void)r;
	return runtime_leave(config < 0 || config >= BANK_CONFIGS ? CUDA_ErrorInvalidValue : CUDA_Success);
}

RUNTIME_API int cudaDeviceGetSharedMemConfig(int *config)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (!config)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*config = BANKS_FOUR_BYTES;
	return runtime_leave(CUDA_Success);
}

enum { ACCESS_NORMAL, ACCESS_STREAMING, ACCESS_PERSISTING };

bool runtime_take_window(struct runtime *r, const struct cuda_window *w)
{
	uint32_t most = occupancy_gpu(r->cc)->window;
	if (!w->bytes)
		return true;
	/* As an H200 has it, which takes properties that are none, and a ratio that is no number. */
	if (w->ratio < 0 || w->ratio > 1 || (most && w->bytes > most) || w->miss == ACCESS_PERSISTING)
		return false;
	note_l2();
	return true;
}

RUNTIME_API int cudaCtxResetPersistingL2Cache(void)
{
	RUNTIME_ENTER(r);
	(void)r;
	return runtime_leave(CUDA_Success);
}

/* --- flags -------------------------------------------------------------------------------------------------------- */

#define SCHEDULE_FLAGS 7u
#define SCHEDULE_BLOCKING 4u
#define FLAG_MAP_HOST 8u
#define FLAGS_MOST 0x9Fu /* with resize-to-max and synchronous memory operations */

static bool are_flags(unsigned int flags)
{
	unsigned int schedule = flags & SCHEDULE_FLAGS;
	return !(flags & ~FLAGS_MOST) && (!(schedule & (schedule - 1)) && schedule <= SCHEDULE_BLOCKING);
}

RUNTIME_API int cudaSetDeviceFlags(unsigned int flags)
{
	RUNTIME_ENTER(r);
	if (!are_flags(flags))
		return runtime_leave(CUDA_ErrorInvalidValue);
	r->device_flags = flags;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGetDeviceFlags(unsigned int *flags)
{
	RUNTIME_ENTER(r);
	if (!flags)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*flags = r->device_flags | FLAG_MAP_HOST;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (flags > 1 || (flags && !are_flags(device_flags)))
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (flags)
		r->device_flags = device_flags;
	return runtime_leave(CUDA_Success);
}

/* --- which device ------------------------------------------------------------------------------------------------- */

/* They are all alike. */
RUNTIME_API int cudaChooseDevice(int *device, const void *properties)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (!device || !properties)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*device = 0;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaSetValidDevices(const int *devices, int n)
{
	RUNTIME_ENTER(r);
	if (n < 0 || n > r->devices || (n && !devices))
		return runtime_leave(CUDA_ErrorInvalidValue);
	for (int i = 0; i < n; i++)
		if (devices[i] < 0 || devices[i] >= r->devices)
			return runtime_leave(CUDA_ErrorInvalidDevice);
	return runtime_leave(CUDA_Success);
}

#define BUS_ID_BYTES 13 /* "0000:01:00.0" */

/* Device n is alone on bus n, as its attributes say. */
RUNTIME_API int cudaDeviceGetPCIBusId(char *id, int len, int device)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!id || len < BUS_ID_BYTES)
		return runtime_leave(CUDA_ErrorInvalidValue);
	snprintf(id, (size_t)len, "0000:%02X:00.0", (unsigned int)device & 0xFF);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaDeviceGetByPCIBusId(int *device, const char *id)
{
	RUNTIME_ENTER(r);
	unsigned int domain = 0, bus = 0, slot = 0, function = 0;
	if (!device || !id)
		return runtime_leave(CUDA_ErrorInvalidValue);
	bool parsed = sscanf(id, "%8x:%2x:%2x.%1x", &domain, &bus, &slot, &function) >= 3 ||
		sscanf(id, "%2x:%2x.%1x", &bus, &slot, &function) >= 2;
	if (!parsed || domain || slot || function || bus >= (unsigned int)r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	*device = (int)bus;
	return runtime_leave(CUDA_Success);
}

#define TEXELS_LINEAR_MAX ((size_t)1 << 28)

/* What all compute capabilities from 7.5 have: CUDA C++ Programming Guide, section "Compute Capabilities". */
RUNTIME_API int cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const void *channels, int device)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!width || !channels)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*width = TEXELS_LINEAR_MAX;
	return runtime_leave(CUDA_Success);
}
