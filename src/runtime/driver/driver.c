/* What every call of the driver API passes through; its errors, and the addresses of its functions. */
#define _GNU_SOURCE
#include "runtime/driver/driver.h"

#include "config.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "runtime/report/report.h"

enum driver_needs { NEEDS_FREE, NEEDS_INIT, NEEDS_CONTEXT };

struct driver_row {
	const char *name, *symbol, *variant;
	int since;
	enum driver_needs needs;
	bool refused;
};

#define VARIANT_NONE NULL
#define VARIANT_PTSZ "_ptsz"
#define VARIANT_PTDS "_ptds"
#define IS_DONE false
#define IS_CHECKED false
#define IS_REFUSED true
#define GROUP(title)
static const struct driver_row rows[] = {
#define DRIVER(name, suffix, since, variant, needs, state, by, note)                                                   \
	{#name, #name #suffix, VARIANT_##variant, since, NEEDS_##needs, IS_##state},
#include "runtime/driver/drivers.def"
#undef DRIVER
};
#define ROWS (sizeof rows / sizeof *rows)

/* --- a call ------------------------------------------------------------------------------------------------------- */

static _Thread_local struct {
	bool inside;
	const char *name;
	int error; /* of the runtime, which the driver's calls leave alone */
} call;

bool runtime_in_driver(void)
{
	return call.inside;
}

const char *runtime_call_name(const char *own)
{
	return call.inside ? call.name : own;
}

static int check_context(void)
{
	RUNTIME_ENTER(r);
	const struct cuda_context *context = runtime_context(r);
	runtime_unlock();
	if (!context)
		return CUDA_ErrorDeviceUninitialized;
	return context->mark == CONTEXT_MARK ? CUDA_Success : CUDA_ErrorContextIsDestroyed;
}

static int end_call(int result)
{
	call.inside = false;
	runtime_put_last_error(call.error);
	report_error_read(result); /* the program has it from the call, and nobody else can tell it */
	return runtime_driver_error(result);
}

static int begin_call(int function, int per_thread)
{
	const struct driver_row *row = &rows[function];
	int error = CUDA_Success;
	call.inside = true;
	call.name = row->name;
	call.error = runtime_last_error();
	if (row->refused)
		error = runtime_refuse(row->symbol, "CUDA_ERROR_NOT_SUPPORTED");
	else if (row->needs != NEEDS_FREE && !runtime_driver_began())
		error = CUDA_ErrorInitializationError;
	else if (row->needs == NEEDS_CONTEXT)
		error = check_context();
	if (error != CUDA_Success)
		return end_call(error);
	if (per_thread)
		runtime_per_thread();
	return CUDA_Success;
}

const struct cuda_driver *__simttutorDriver(const void *begin, const void *end)
{
	static const struct cuda_driver driver = {
		DRIVER_MARK, ROWS, PACKAGE_VERSION, runtime_is_used, begin_call, end_call, runtime_driver_functions};
	report_site_skip(begin, end);
	return &driver;
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

int cuGetErrorName(int error, const char **name)
{
	const char *found = runtime_driver_error_name(error);
	if (name)
		*name = found;
	return name && found ? CUDA_Success : CUDA_ErrorInvalidValue;
}

const char *cudaGetErrorString(int error);

int cuGetErrorString(int error, const char **string)
{
	bool known = runtime_driver_error_name(error) != NULL;
	if (string)
		*string = known ? cudaGetErrorString(error) : NULL;
	return string && known ? CUDA_Success : CUDA_ErrorInvalidValue;
}

/* --- addresses of functions --------------------------------------------------------------------------------------- */

/* libcuda.so.1 beside this library; NULL. It stays. */
static void *driver_library(void)
{
	static void *library;
	Dl_info info;
	char path[4096];
	if (library || !dladdr((const void *)rows, &info) || !info.dli_fname)
		return library;
	const char *slash = strrchr(info.dli_fname, '/');
	int folder = slash ? (int)(slash - info.dli_fname) + 1 : 0;
	if (folder && snprintf(path, sizeof path, "%.*slibcuda.so.1", folder, info.dli_fname) < (int)sizeof path)
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	return library;
}

void *runtime_driver_function(const char *name, int version, bool per_thread, bool *newer)
{
	const struct driver_row *best = NULL;
	char symbol[128];
	*newer = false;
	for (size_t i = 0; i < ROWS; i++) {
		const struct driver_row *row = &rows[i];
		if (strcmp(row->name, name) != 0)
			continue;
		if (row->since > version)
			*newer = true;
		else if (!best || row->since >= best->since)
			best = row;
	}
	void *library = best ? driver_library() : NULL;
	if (!library)
		return NULL;
	*newer = false;
	snprintf(symbol, sizeof symbol, "%s%s", best->symbol, per_thread && best->variant ? best->variant : "");
	return dlsym(library, symbol);
}

enum { PROC_FOUND, PROC_MISSING, PROC_TOO_NEW };
#define PROC_PER_THREAD 2u
#define PROC_FLAGS 3u

int cuGetProcAddress_v2(const char *name, void **function, int version, unsigned long long flags, int *status)
{
	RUNTIME_ENTER(r);
	bool newer;
	(void)r;
	if (!name || !function || flags >= PROC_FLAGS)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*function = runtime_driver_function(name, version, flags == PROC_PER_THREAD, &newer);
	if (status)
		*status = *function ? PROC_FOUND : newer ? PROC_TOO_NEW : PROC_MISSING;
	return runtime_leave(*function ? CUDA_Success : CUDA_ErrorSymbolNotFound);
}

int cuGetProcAddress(const char *name, void **function, int version, unsigned long long flags)
{
	return cuGetProcAddress_v2(name, function, version, flags, NULL);
}

/* NVIDIA's runtime begins so, linked into a program or beside it. */
int cuGetExportTable(const void **table, const void *id)
{
	RUNTIME_ENTER(r);
	static bool told;
	(void)r;
	if (!table || !id)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*table = NULL;
	if (!told) {
		/* The call comes from the program itself, or from a runtime beside it, and not from another library,
		 * such as NVRTC, which goes on without a table. */
		bool of_runtime = true;
		struct report_site site = report_site_here();
		Dl_info info;
		if (site.n && dladdr(site.frames[0], &info) && info.dli_fname) {
			const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
			of_runtime = strncmp(name, "lib", 3) != 0 || strncmp(name, "libcudart", 9) == 0;
		}
		if (of_runtime) {
			told = true;
			runtime_warn(
				"the program has a runtime of NVIDIA's own in it, which asks the driver for what only NVIDIA's "
				"has; simttutor run replaces it");
		}
	}
	return runtime_leave(CUDA_ErrorNotSupported);
}
