/* The driver that is not there; see README.md. */
#include <cuda.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "script.h"

#define FAKE_RESULT CUDA_SUCCESS
#define PARAMS_MAX 64

struct CUmod_st {
	char *ptx;
	struct CUfunc_st *functions;
};

struct CUfunc_st {
	struct CUmod_st *module;
	size_t sizes[PARAMS_MAX];
	size_t n;
	struct CUfunc_st *next;
};

static CUresult dead;    /* what killed the context */
static CUresult pending; /* what the launch on its way will come to */
static size_t used;      /* bytes */
double fake_threads(void);
static double threads; /* of the last launch */

/* For the counters of libcupti. */
double fake_threads(void)
{
	return threads;
}

#define ALIVE()                                                                                                        \
	do {                                                                                                           \
		ANSWER();                                                                                              \
		if (dead)                                                                                              \
			return dead;                                                                                   \
	} while (0)

/* --- devices ------------------------------------------------------------------------------------------------------ */

CUresult cuInit(unsigned flags)
{
	(void)flags;
	ANSWER();
	return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
	*version = script_number("cuda", 13000);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
	ANSWER();
	*count = script_number("devices", 1);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	ANSWER();
	*device = ordinal;
	return ordinal < script_number("devices", 1) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice device)
{
	(void)device;
	snprintf(name, (size_t)len, "Fake GPU of the driver");
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	memset(uuid, 0xFA, sizeof *uuid);
	uuid->bytes[15] = (char)device;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
	(void)device;
	int cc = script_number("cc", 90);
	*value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR             ? cc / 10
		: which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR            ? cc % 10
		: which == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT                ? 132
		: which == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN   ? 232448
		: which == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED ? script_number("addresses", 1)
		: which == CU_DEVICE_ATTRIBUTE_COMPUTE_MODE                        ? script_number("computemode", 0)
										   : 0;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	static char contexts[64];
	ANSWER();
	*context = (CUcontext)&contexts[device % 64];
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	(void)context;
	ANSWER();
	return CUDA_SUCCESS;
}

/* --- modules ------------------------------------------------------------------------------------------------------ */

static CUresult refuse(const CUjit_option *options, void **values, unsigned n, CUresult result, const char *words)
{
	for (unsigned i = 0; i < n; i++)
		if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
			strcpy(values[i], words);
	return result;
}

static int number_after(const char *text, const char *what)
{
	const char *at = strstr(text, what);
	return at ? atoi(at + strlen(what)) : 0;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, CUjit_option *options, void **values)
{
	const char *ptx = image, *version = strstr(ptx, ".version ");
	int major = 0, minor = 0;
	ALIVE();
	if (version && sscanf(version + 9, "%d.%d", &major, &minor) == 2 &&
		10 * major + minor > script_number("ptx", 90))
		return refuse(options, values, n, CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
			"ptxas fatal   : Unsupported .version\n");
	if (number_after(ptx, ".target sm_") > script_number("cc", 90))
		return refuse(
			options, values, n, CUDA_ERROR_NO_BINARY_FOR_GPU, "ptxas fatal   : SM version not supported\n");
	if (!strstr(ptx, ".entry"))
		return refuse(options, values, n, CUDA_ERROR_INVALID_PTX, "ptxas fatal   : syntax error\n");
	*module = calloc(1, sizeof **module);
	(*module)->ptx = strdup(ptx);
	return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
	ALIVE();
	while (module->functions) {
		struct CUfunc_st *next = module->functions->next;
		free(module->functions);
		module->functions = next;
	}
	free(module->ptx);
	free(module);
	return CUDA_SUCCESS;
}

/* The bytes of ".param .u32 name" or ".param .align 4 .b8 name[12]" that starts at `at`. */
static size_t param_size(const char *at, const char *end)
{
	size_t bits = 0, count = 1;
	for (; at < end && *at != ','; at++) {
		if (*at == '.' && strchr("bfus", at[1]) && strchr("123468", at[2]))
			bits = (size_t)atoi(at + 2);
		if (*at == '[')
			count = (size_t)atoi(at + 1);
	}
	return bits / 8 * count;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	char head[300];
	ALIVE();
	for (const char *at = module->ptx; (at = strstr(at, ".entry ")) != NULL; at++) {
		snprintf(head, sizeof head, ".entry %.200s", name);
		size_t len = strlen(head);
		if (strncmp(at, head, len) != 0 || (at[len] != '(' && at[len] != ' ' && at[len] != '\n'))
			continue;
		struct CUfunc_st *f = *function = calloc(1, sizeof *f);
		f->module = module;
		f->next = module->functions;
		module->functions = f;
		const char *end = strpbrk(at, "){");
		while (f->n < PARAMS_MAX && end && (at = strstr(at, ".param")) != NULL && at < end) {
			at += 6;
			f->sizes[f->n++] = param_size(at, end);
		}
		return CUDA_SUCCESS;
	}
	return CUDA_ERROR_NOT_FOUND;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t i, size_t *offset, size_t *size)
{
	ALIVE();
	if (i >= function->n)
		return CUDA_ERROR_INVALID_VALUE;
	*offset = 0;
	*size = function->sizes[i];
	return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function)
{
	(void)function;
	*value = which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : which == CU_FUNC_ATTRIBUTE_NUM_REGS ? 40 : 0;
	return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value)
{
	(void)function, (void)which, (void)value;
	ALIVE();
	return CUDA_SUCCESS;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static size_t total(void)
{
	return (size_t)script_number("memory", 4096) << 20;
}

/* The bytes follow their number. */
CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
	ALIVE();
	size_t *block = used + bytes <= total() ? malloc(bytes + 64) : NULL;
	if (!block)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*block = bytes;
	used += bytes;
	*address = (CUdeviceptr)(block + 8);
	return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr address)
{
	ALIVE();
	size_t *block = (size_t *)address - 8;
	used -= *block;
	free(block);
	return CUDA_SUCCESS;
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t bytes)
{
	ALIVE();
	memset((void *)to, value, bytes);
	return CUDA_SUCCESS;
}

/* Its address alone; no kernel reads it. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
	const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *steps,
	CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
	CUtensorMapFloatOOBfill fill)
{
	(void)type, (void)rank, (void)sizes, (void)strides, (void)box, (void)steps;
	(void)interleave, (void)swizzle, (void)promotion, (void)fill;
	ALIVE();
	memset(map, 0, sizeof *map);
	memcpy(map, &address, sizeof address);
	return CUDA_SUCCESS;
}

/* --- memory at addresses: pages of this process. Small room is elsewhere than wished, as a real driver has it, with `elsewhere` all is  */

CUresult cuMemGetAllocationGranularity(
	size_t *bytes, const CUmemAllocationProp *prop, CUmemAllocationGranularity_flags which)
{
	(void)prop, (void)which;
	ALIVE();
	*bytes = (size_t)2 << 20;
	return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(
	CUdeviceptr *out, size_t bytes, size_t alignment, CUdeviceptr wish, unsigned long long flags)
{
	(void)alignment, (void)flags;
	ALIVE();
	void *at = mmap(script_number("elsewhere", 0) || bytes <= (size_t)8 << 30 ? NULL : (void *)wish, bytes,
		PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	*out = (CUdeviceptr)at;
	return at == MAP_FAILED ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr at, size_t bytes)
{
	ALIVE();
	return munmap((void *)at, bytes) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemCreate(
	CUmemGenericAllocationHandle *pages, size_t bytes, const CUmemAllocationProp *prop, unsigned long long flags)
{
	(void)prop, (void)flags;
	ALIVE();
	if (used + bytes > total())
		return CUDA_ERROR_OUT_OF_MEMORY;
	used += bytes;
	*pages = bytes;
	return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle pages)
{
	ALIVE();
	used -= pages;
	return CUDA_SUCCESS;
}

CUresult cuMemMap(
	CUdeviceptr at, size_t bytes, size_t offset, CUmemGenericAllocationHandle pages, unsigned long long flags)
{
	(void)at, (void)offset, (void)flags;
	ALIVE();
	return pages == bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemUnmap(CUdeviceptr at, size_t bytes)
{
	ALIVE();
	return mprotect((void *)at, bytes, PROT_NONE) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemSetAccess(CUdeviceptr at, size_t bytes, const CUmemAccessDesc *access, size_t n)
{
	(void)access, (void)n;
	ALIVE();
	return mprotect((void *)at, bytes, PROT_READ | PROT_WRITE) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Of the host, at the addresses that it has there. */
CUresult cuMemHostRegister(void *at, size_t bytes, unsigned flags)
{
	(void)at, (void)bytes, (void)flags;
	ALIVE();
	return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *at)
{
	(void)at;
	ALIVE();
	return CUDA_SUCCESS;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *out, void *at, unsigned flags)
{
	(void)flags;
	ALIVE();
	*out = (CUdeviceptr)at;
	return CUDA_SUCCESS;
}

CUresult cuMemGetInfo(size_t *left, size_t *all)
{
	*all = total();
	*left = *all - used;
	return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
	ALIVE();
	memcpy((void *)to, from, bytes);
	return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
	ALIVE();
	memcpy(to, (const void *)from, bytes);
	return CUDA_SUCCESS;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static const char *asked(const struct CUfunc_st *f, const char *what)
{
	const char *at = strstr(f->module->ptx, "// fake: ");
	return at && !strncmp(at + 9, what, strlen(what)) ? at + 9 + strlen(what) : NULL;
}

static bool is_cooperative(const CUlaunchConfig *c)
{
	for (unsigned i = 0; i < c->numAttrs; i++)
		if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
			return c->attrs[i].value.cooperative;
	return false;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **params, void **extra)
{
	(void)params, (void)extra;
	ALIVE();
	if (asked(f, "kill"))
		raise(SIGKILL);
	while (asked(f, "hang"))
		pause();
	const char *launch = asked(f, is_cooperative(c) ? "cooperative=" : "launch="), *sync = asked(f, "sync=");
	threads = (double)c->gridDimX * c->gridDimY * c->gridDimZ * c->blockDimX * c->blockDimY * c->blockDimZ;
	pending = sync ? (CUresult)atoi(sync) : CUDA_SUCCESS;
	return launch ? (CUresult)atoi(launch) : CUDA_SUCCESS;
}

/* "// fake: resident=N" */
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int block, size_t shared)
{
	const char *resident = asked(f, "resident=");
	(void)block, (void)shared;
	if (!resident)
		return CUDA_ERROR_NOT_SUPPORTED;
	*blocks = atoi(resident);
	return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
	ALIVE();
	dead = pending;
	return dead;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

CUresult cuGetErrorName(CUresult result, const char **name)
{
	static char text[40];
	snprintf(text, sizeof text, "CUDA_ERROR_%d", (int)result);
	*name = text;
	return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult result, const char **text)
{
	(void)result;
	*text = "as the test asked";
	return CUDA_SUCCESS;
}
