/* What leads out of the runtime: the profiler, and the driver's functions. */
#include <dlfcn.h>

#include "runtime/state.h"

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

enum { ENTRY_FOUND, ENTRY_MISSING };
#define ENTRY_FLAGS 3u

/* There is a function where the program has loaded a driver, and else none. */
RUNTIME_API int cudaGetDriverEntryPointByVersion(
	const char *name, void **function, unsigned int version, unsigned long long flags, int *status)
{
	(void)version;
	RUNTIME_ENTER(r);
	(void)r;
	if (!name || !function || flags >= ENTRY_FLAGS)
		return runtime_leave(CUDA_ErrorInvalidValue);
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	*function = driver ? dlsym(driver, name) : NULL;
	if (driver)
		dlclose(driver);
	if (status)
		*status = *function ? ENTRY_FOUND : ENTRY_MISSING;
	return runtime_leave(*function || status ? CUDA_Success : CUDA_ErrorSymbolNotFound);
}

RUNTIME_API int cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags, int *status)
{
	return cudaGetDriverEntryPointByVersion(name, function, (unsigned int)runtime_version, flags, status);
}
