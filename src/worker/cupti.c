#include "config.h"
#include "worker/cupti.h"

#include <dlfcn.h>
#include <link.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
static const char *const folders[] = {"lib64", "lib", "extras/CUPTI/lib64", "extras/CUPTI/lib"};

/* CUPTI opens this by its bare name when it starts; beside the library, where the loader does not look, it must be there
 * already. */
static void load_companions(struct arena *arena, const char *dir)
{
	dlopen(arena_printf(arena, "%s/libnvperf_host.so", dir), RTLD_NOW | RTLD_GLOBAL);
	dlopen(arena_printf(arena, "%s/libnvperf_target.so", dir), RTLD_NOW | RTLD_GLOBAL);
}

static void *open_in_toolkit(struct arena *arena, const char *root, const char *name)
{
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		const char *dir = arena_printf(arena, "%s/%s", root, folders[i]);
		void *library = dlopen(arena_printf(arena, "%s/%s", dir, name), RTLD_NOW | RTLD_GLOBAL);
		if (library) {
			load_companions(arena, dir);
			return library;
		}
	}
	return NULL;
}

static void *open_named(struct arena *arena, const char *name)
{
	void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
	const char *const roots[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda", "/opt/cuda"};
	for (size_t i = 0; !library && i < sizeof roots / sizeof roots[0]; i++)
		if (roots[i] && *roots[i])
			library = open_in_toolkit(arena, roots[i], name);
	return library;
}

static void *open_any(struct arena *arena, int driver_cuda)
{
	const char *best = arena_printf(arena, "libcupti.so.%d", driver_cuda / 1000);
	void *library = open_named(arena, best);
	for (size_t i = 0; !library && i < sizeof names / sizeof names[0]; i++)
		library = open_named(arena, names[i]);
	return library;
}

/* libcupti.so.13 is a link to libcupti.so.2025.3.1 in an installed toolkit. */
static const char *find_version(struct arena *arena, const struct cupti *cupti)
{
	struct link_map *map = NULL;
	char real[PATH_MAX];
	if (dlinfo(cupti->library, RTLD_DI_LINKMAP, &map) == 0 && map && realpath(map->l_name, real)) {
		const char *suffix = strstr(real, ".so.");
		if (suffix && strchr(suffix + 4, '.'))
			return arena_strdup(arena, suffix + 4);
	}
	return arena_printf(arena, "API %d", cupti->api);
}

bool cupti_open(struct arena *arena, struct cupti *cupti, int driver_cuda, struct wire_error *error)
{
	cupti->driver_cuda = driver_cuda;
	cupti->library = open_any(arena, driver_cuda);
	if (!cupti->library) {
		*error = (struct wire_error){WIRE_NO_CUPTI, "libcupti.so.13 and libcupti.so.12 are in none of LD_LIBRARY_PATH, "
			"CUDA_HOME, CUDA_PATH, /usr/local/cuda and /opt/cuda"};
		return false;
	}
	const char *missing = NULL;
#define LOAD(name) \
	cupti->name = (__typeof__(cupti->name))dlsym(cupti->library, #name); \
	if (!cupti->name && !missing) \
		missing = #name;
	CUPTI_FUNCTIONS(LOAD)
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
