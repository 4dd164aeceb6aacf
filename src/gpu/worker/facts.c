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

static bool read_registers(const struct session_launch *l, double *value)
{
	return function_attribute(l, CU_FUNC_ATTRIBUTE_NUM_REGS, value);
}

static bool read_local_bytes(const struct session_launch *l, double *value)
{
	return function_attribute(l, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, value);
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
	bool (*read)(const struct session_launch *l, double *value);
} facts[] = {
	{"CU_FUNC_ATTRIBUTE_NUM_REGS", read_registers},
	{"sm__maximum_warps_per_active_cycle_pct", read_occupancy},
	{"CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES", read_local_bytes},
};

bool facts_find(const struct session_launch *launch, const char *name, double *value, bool *available)
{
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
		if (strcmp(facts[i].name, name) != 0)
			continue;
		*available = facts[i].read(launch, value);
		return true;
	}
	return false;
}
