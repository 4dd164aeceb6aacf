#include "gpu/worker/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "gpu/worker/cause.h"

#define QUOTE(name) #name
#define SYMBOL(name) QUOTE(name) /* the name that cuda.h maps it to */

/* Why the library was not loaded: dlopen's words, shorter for a file that is not there. */
static const char *reason(void)
{
	const char *words = dlerror();
	return !words ? "libcuda.so.1" : strstr(words, "No such file") ? "there is no libcuda.so.1" : words;
}

static bool load(struct arena *arena, struct driver *d, struct wire_error *error)
{
	d->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
	if (!d->library) {
		*error = (struct wire_error){
			WIRE_NO_DRIVER, arena_printf(arena, "no NVIDIA driver can be loaded (%s)", reason())};
		return false;
	}
	const char *missing = NULL;
#define LOAD(name)                                                                                                     \
	d->name = (__typeof__(d->name))dlsym(d->library, SYMBOL(name));                                                \
	if (!d->name && !missing)                                                                                      \
		missing = SYMBOL(name);
	DRIVER_FUNCTIONS(LOAD)
#undef LOAD
	if (!missing)
		return true;
	*error = (struct wire_error){WIRE_DRIVER_TOO_OLD,
		arena_printf(arena, "this driver is too old: libcuda.so.1 has no %s (CUDA 12.4 has it)", missing)};
	return false;
}

bool driver_open(struct arena *arena, struct driver *driver, struct wire_error *error)
{
	if (!load(arena, driver, error))
		return false;
	int count = 0;
	CUresult result = driver->cuInit(0);
	if (result == CUDA_SUCCESS)
		result = driver->cuDeviceGetCount(&count);
	if (result == CUDA_SUCCESS && count > 0)
		return true;
	if (result == CUDA_SUCCESS)
		result = CUDA_ERROR_NO_DEVICE;
	return cause_fail_driver(arena, driver, (struct cause_answer){CAUSE_OPEN, result, NULL}, error);
}

const char *driver_message(struct arena *arena, const struct driver *driver, CUresult result)
{
	const char *name = NULL, *text = NULL;
	if (driver->cuGetErrorName(result, &name) != CUDA_SUCCESS || !name)
		return arena_printf(arena, "CUDA error %d", (int)result);
	driver->cuGetErrorString(result, &text);
	return arena_printf(arena, "%s: %s", name, text ? text : "no description");
}

const char *driver_version(struct arena *arena)
{
	const char *found = "";
	char line[80] = "";
	FILE *file = fopen("/sys/module/nvidia/version", "r");
	if (file) {
		if (fgets(line, sizeof line, file))
			found = arena_strndup(arena, line, strcspn(line, "\n"));
		fclose(file);
	}

	if (*found)
		return found;
	/* not every container shows it; the management library knows too */
	char version[80] = "";
	void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
	if (!library)
		return "";
	int (*init)(void) = (int (*)(void))dlsym(library, "nvmlInit_v2");
	int (*get)(char *, unsigned) = (int (*)(char *, unsigned))dlsym(library, "nvmlSystemGetDriverVersion");
	int (*end)(void) = (int (*)(void))dlsym(library, "nvmlShutdown");
	if (init && get && end && init() == 0) {
		if (get(version, sizeof version) != 0)
			version[0] = '\0';
		end();
	}
	dlclose(library);
	return arena_strdup(arena, version);
}
