/* What leads out of the runtime: the profiler, and the driver's functions. */
#include "runtime/driver/driver.h"

RUNTIME_API int cudaProfilerStart(void)
{
	RUNTIME_ENTER(r);
	(void)r;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaProfilerStop(void)
{
	RUNTIME_ENTER(r);
	(void)r;
	return runtime_leave(CUDA_Success);
}

enum { ENTRY_FOUND, ENTRY_MISSING, ENTRY_TOO_NEW };
#define ENTRY_PER_THREAD 2u
#define ENTRY_FLAGS 3u

RUNTIME_API int cudaGetDriverEntryPointByVersion(
	const char *name, void **function, unsigned int version, unsigned long long flags, int *status)
{
	bool per_thread = flags == ENTRY_PER_THREAD || (!flags && runtime_is_per_thread()), newer;
	RUNTIME_ENTER(r);
	(void)r;
	if (!name || !function || flags >= ENTRY_FLAGS)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*function = runtime_driver_function(name, (int)version, per_thread, &newer);
	if (status)
		*status = *function ? ENTRY_FOUND : newer ? ENTRY_TOO_NEW : ENTRY_MISSING;
	return runtime_leave(*function || status ? CUDA_Success : CUDA_ErrorSymbolNotFound);
}

RUNTIME_API int cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags, int *status)
{
	return cudaGetDriverEntryPointByVersion(name, function, (unsigned int)runtime_version, flags, status);
}
