/* gpu/worker/driver.h: the CUDA driver, opened at run time. Inside the worker only. */
#pragma once
#include <stdbool.h>

#include <cuda.h>

#include "base/arena.h"
#include "gpu/wire/wire.h"

/* The functions that are used. cuda.h maps most of these names to versioned ones, in the table and in its users
 * alike. */
/* clang-format off */
#define DRIVER_FUNCTIONS(F) \
	F(cuInit) F(cuDriverGetVersion) F(cuDeviceGetCount) F(cuDeviceGet) F(cuDeviceGetName) F(cuDeviceGetAttribute) \
	F(cuDeviceGetUuid) F(cuDevicePrimaryCtxRetain) F(cuCtxSetCurrent) F(cuCtxSynchronize) F(cuModuleLoadDataEx) \
	F(cuModuleUnload) F(cuModuleGetFunction) F(cuFuncGetAttribute) F(cuFuncSetAttribute) F(cuFuncGetParamInfo) \
	F(cuMemAlloc) F(cuMemFree) F(cuMemcpyHtoD) F(cuMemcpyDtoH) F(cuMemGetInfo) F(cuMemsetD8) \
	F(cuMemGetAllocationGranularity) F(cuMemAddressReserve) \
	F(cuMemAddressFree) F(cuMemCreate) F(cuMemRelease) F(cuMemMap) F(cuMemUnmap) F(cuMemSetAccess) \
	F(cuMemHostRegister) F(cuMemHostUnregister) F(cuMemHostGetDevicePointer) F(cuLaunchKernelEx) \
	F(cuTensorMapEncodeTiled) \
	F(cuOccupancyMaxActiveBlocksPerMultiprocessor) F(cuGetErrorName) F(cuGetErrorString)
/* clang-format on */

struct driver {
	void *library;
#define DRIVER_MEMBER(name) __typeof__(&name) name;
	DRIVER_FUNCTIONS(DRIVER_MEMBER)
#undef DRIVER_MEMBER
};

/* Opens libcuda.so.1 and initializes it. False with an error that says what is missing. */
bool driver_open(struct arena *arena, struct driver *driver, struct wire_error *error);

/* "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered" */
const char *driver_message(struct arena *arena, const struct driver *driver, CUresult result);

/* The driver's own version ("580.159.04"), or "". */
const char *driver_version(struct arena *arena);
