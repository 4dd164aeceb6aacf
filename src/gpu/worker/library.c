#include "config.h"
#include "gpu/worker/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>

#include "gpu/worker/surroundings.h"

#define HOW (RTLD_NOW | RTLD_GLOBAL)

static const char *const folders[] = {
	"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "extras/CUPTI/lib64", "extras/CUPTI/lib"};

static void *open_in_toolkit(struct arena *arena, const char *root, const char *name, const char **folder)
{
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		*folder = arena_printf(arena, "%s/%s", root, folders[i]);
		void *library = dlopen(arena_printf(arena, "%s/%s", *folder, name), HOW);
		if (library)
			return library;
	}
	return NULL;
}

const char *const *library_toolkits(struct arena *arena)
{
	const char *const places[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"),
		arena_printf(arena, "%s/usr/local/cuda", surroundings_root()),
		arena_printf(arena, "%s/opt/cuda", surroundings_root())};
	const char **out = arena_array(arena, const char *, sizeof places / sizeof places[0] + 1), **next = out;
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		if (places[i] && *places[i])
			*next++ = places[i];
	return out;
}

void *library_open(struct arena *arena, const char *const *names, const char **folder)
{
	void *library = NULL;
	for (; !library && *names; names++) {
		const char *name = *names;
		library = dlopen(name, HOW);
		*folder = NULL;
		for (const char *const *root = library_toolkits(arena); !library && *root; root++)
			library = open_in_toolkit(arena, *root, name, folder);
	}
	return library;
}

const char *library_file(struct arena *arena, void *library)
{
	struct link_map *map = NULL;
	char real[PATH_MAX];
	if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map || !realpath(map->l_name, real))
		return NULL;
	return arena_strdup(arena, real);
}
