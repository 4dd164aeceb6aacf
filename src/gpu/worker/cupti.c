#include "config.h"
#include "gpu/worker/cupti.h"

#include <dlfcn.h>
#include <string.h>

#include "gpu/worker/surroundings.h"

static void *open_any(struct arena *arena, int driver_cuda)
{
	const char *best = arena_printf(arena, "libcupti.so.%d", driver_cuda / 1000), *folder;
	const char *const names[] = {best, "libcupti.so.13", "libcupti.so.12", "libcupti.so", NULL};
	void *library = library_open(arena, names, &folder);
	if (library && folder) {
		/* CUPTI opens this by its bare name when it starts; beside the library, where the loader does not look,
		 * it must be there already. */
		dlopen(arena_printf(arena, "%s/libnvperf_host.so", folder), RTLD_NOW | RTLD_GLOBAL);
		dlopen(arena_printf(arena, "%s/libnvperf_target.so", folder), RTLD_NOW | RTLD_GLOBAL);
	}
	return library;
}

/* libcupti.so.13 is a link to libcupti.so.2025.3.1 in an installed toolkit. */
static const char *find_version(struct arena *arena, const struct cupti *cupti)
{
	const char *real = library_file(arena, cupti->library), *suffix = real ? strstr(real, ".so.") : NULL;
	if (suffix && strchr(suffix + 4, '.'))
		return suffix + 4;
	return arena_printf(arena, "API %d", cupti->api);
}

bool cupti_open(struct arena *arena, struct cupti *cupti, int driver_cuda, struct wire_error *error)
{
	cupti->driver_cuda = driver_cuda;
	cupti->library = open_any(arena, driver_cuda);
	if (!cupti->library) {
		*error = (struct wire_error){
			WIRE_NO_CUPTI, "libcupti.so.13 and libcupti.so.12 are in none of " LIBRARY_PLACES};
		return false;
	}
	const char *missing = NULL;
#define LOAD(name)                                                                                                     \
	cupti->name = (__typeof__(cupti->name))dlsym(cupti->library, #name);                                           \
	if (!cupti->name && !missing)                                                                                  \
		missing = #name;
	CUPTI_FUNCTIONS(LOAD)
#undef LOAD
	cupti->sampling = true;
#define LOAD(name)                                                                                                     \
	cupti->name = (__typeof__(cupti->name))dlsym(cupti->library, #name);                                           \
	cupti->sampling &= cupti->name != NULL;
	CUPTI_SAMPLING_FUNCTIONS(LOAD)
#undef LOAD
	if (missing) {
		*error = (struct wire_error){WIRE_CUPTI_TOO_OLD,
			arena_printf(arena, "this CUPTI is too old: it has no %s (CUDA 12.6 has it)", missing)};
		return false;
	}
	uint32_t api = 0;
	cupti->cuptiGetVersion(&api);
	cupti->api = (int)api;
	cupti->version = find_version(arena, cupti);
	return true;
}

const char *cupti_message(struct arena *arena, const struct cupti *cupti, const char *what, CUptiResult result)
{
	const char *name = NULL;
	if (cupti->cuptiGetResultString(result, &name) != CUPTI_SUCCESS || !name)
		name = "unknown CUPTI error";
	return arena_printf(arena, "%s: %s (%d)", what, name, (int)result);
}
