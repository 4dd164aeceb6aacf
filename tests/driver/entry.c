// Functions by cuGetProcAddress: versions, names that are none, per-thread streams; refusals; the older names.
// out: cuMemAlloc of 12.0: the one that libcuda.so.1 has
// out: cuCtxCreate of 4.0 and of 12.5: different
// out: cuLaunchKernelEx of 11.0: too new, and an error
// out: cuNoSuchThing: not there, and an error
// out: without a status: CUDA_ERROR_NOT_FOUND
// out: by it: 1 2 3
// out: per thread: another function
// out: cuGraphicsUnregisterResource: CUDA_ERROR_NOT_SUPPORTED
// out: and again: CUDA_ERROR_NOT_SUPPORTED
// out: cuGetErrorString: invalid argument
// out: no error has the number 424242: CUDA_ERROR_INVALID_VALUE
// out: the older names: as the newer ones
// out: primary: 0, retained 1, of device 0
// says: cuGraphicsUnregisterResource is not emulated; it returns CUDA_ERROR_NOT_SUPPORTED
// gpu: it asks for what is refused here
#include "driver.h"

static function *proc(const char *name, int version, uint64_t flags, int *status)
{
	function *found = NULL;
	void *symbol = NULL;
	int error = TRY(cuGetProcAddress_v2, name, &symbol, version, AT flags, status);
	memcpy(&found, &symbol, sizeof found);
	return error ? NULL : found;
}

int main(void)
{
	int status, error, out[3], active;
	unsigned int flags;
	uint64_t memory;
	void *module, *f, *context, *symbol;
	const char *string;
	begin();
	function *alloc = proc("cuMemAlloc", 12000, 0, &status);
	printf("cuMemAlloc of 12.0: %s\n",
		alloc == find("cuMemAlloc_v2") && !status ? "the one that libcuda.so.1 has" : "another");
	printf("cuCtxCreate of 4.0 and of 12.5: %s\n",
		proc("cuCtxCreate", 4000, 0, &status) == proc("cuCtxCreate", 12050, 0, &status) ? "the same"
												: "different");
	function *ex = proc("cuLaunchKernelEx", 11000, 0, &status);
	printf("cuLaunchKernelEx of 11.0: %s, and %s\n", status == 2 ? "too new" : "there",
		ex ? "no error" : "an error");
	ex = proc("cuNoSuchThing", 12000, 0, &status);
	printf("cuNoSuchThing: %s, and %s\n", status == 1 ? "not there" : "there", ex ? "no error" : "an error");
	printf("without a status: %s\n", name_of(TRY(cuGetProcAddress, "cuNoSuchThing", &symbol, 12000, AT 0)));
	check("cuMemAlloc", alloc(&memory, SIZE 12));
	CALL(cuModuleLoadData, &module, PTX ADD);
	CALL(cuModuleGetFunction, &f, module, "add");
	unsigned int value = 1;
	void *args[] = {&memory, &value};
	check("cuLaunchKernel", proc("cuLaunchKernel", 12000, 2, &status)(f, 1, 1, 1, 3, 1, 1, 0, NULL, args, NULL));
	check("cuMemcpyDtoH", proc("cuMemcpyDtoH", 12000, 2, &status)(out, AT memory, SIZE 12));
	printf("by it: %d %d %d\n", out[0], out[1], out[2]);
	printf("per thread: %s\n",
		proc("cuLaunchKernel", 12000, 2, &status) == proc("cuLaunchKernel", 12000, 1, &status)
			? "the same"
			: "another function");
	SAY(cuGraphicsUnregisterResource, AT memory);
	printf("and again: %s\n", name_of(TRY(cuGraphicsUnregisterResource, AT memory)));
	CALL(cuGetErrorString, 1, &string);
	printf("cuGetErrorString: %s\n", string);
	printf("no error has the number 424242: %s\n", name_of(TRY(cuGetErrorName, 424242, &string)));
	CALL(cuCtxCreate, &context, 0, 0);
	CALL(cuCtxPopCurrent, &symbol);
	CALL(cuCtxPushCurrent, context);
	error = TRY(cuCtxDestroy, context);
	printf("the older names: %s\n", symbol == context && !error ? "as the newer ones" : "not so");
	CALL(cuDevicePrimaryCtxGetState, 0, &flags, &active);
	printf("primary: %d, ", active);
	CALL(cuDevicePrimaryCtxRetain, &context, 0);
	CALL(cuDevicePrimaryCtxGetState, 0, &flags, &active);
	CALL(cuCtxPushCurrent_v2, context);
	CALL(cuCtxGetDevice, &status);
	printf("retained %d, of device %d\n", active, status);
	CALL(cuDevicePrimaryCtxRelease_v2, 0);
	return 0;
}
