#include "gpu/worker/session.h"

#include <string.h>

static bool function_attribute(const struct session_launch *l, CUfunction_attribute which, double *value)
{
	int number = 0;
	*value = 0;
	if (l->session->driver.cuFuncGetAttribute(&number, which, l->function) != CUDA_SUCCESS)
		return false;
	*value = number;
	return true;
}

static bool device_attribute(const struct session_launch *l, CUdevice_attribute which, int *value)
{
	return l->session->driver.cuDeviceGetAttribute(value, which, l->session->cu_device) == CUDA_SUCCESS;
}

/* Theoretical occupancy: warps of the resident blocks of an SM, as a percentage of the most it holds. */
static bool read_occupancy(const struct session_launch *l, double *value)
{
	const uint32_t *block = l->launch->block;
	int threads = (int)(block[0] * block[1] * block[2]), blocks = 0, warp = 0, most = 0;
	if (l->session->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
		    &blocks, l->function, threads, l->launch->shared) != CUDA_SUCCESS ||
		!device_attribute(l, CU_DEVICE_ATTRIBUTE_WARP_SIZE, &warp) ||
		!device_attribute(l, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &most) || warp < 1 ||
		most < warp)
		return false;
	int warps = (threads + warp - 1) / warp;
	int warp_slots = most / warp;
	*value = 100.0 * blocks * warps / warp_slots;
	return true;
}

static const struct {
	const char *name;
	CUfunction_attribute attribute;
} attributes[] = {
	{"CU_FUNC_ATTRIBUTE_NUM_REGS", CU_FUNC_ATTRIBUTE_NUM_REGS},
	{"CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES", CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
};

bool facts_find(const struct session_launch *launch, const char *name, double *value, bool *available)
{
	for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
		if (strcmp(attributes[i].name, name) != 0)
			continue;
		*available = function_attribute(launch, attributes[i].attribute, value);
		return true;
	}
	bool occupancy = strcmp(name, "sm__maximum_warps_per_active_cycle_pct") == 0;
	if (occupancy)
		*available = read_occupancy(launch, value);
	return occupancy;
}
