#include "config.h"
#include "gpu/worker/surroundings.h"

#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HOW (RTLD_NOW | RTLD_GLOBAL)

static const char *const folders[] = {
	"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "extras/CUPTI/lib64", "extras/CUPTI/lib"};

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
		for (const char *const *root = library_toolkits(arena); !library && *root; root++) {
			for (size_t i = 0; !library && i < sizeof folders / sizeof folders[0]; i++) {
				*folder = arena_printf(arena, "%s/%s", *root, folders[i]);
				library = dlopen(arena_printf(arena, "%s/%s", *folder, name), HOW);
			}
		}
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

#define TEXT_MAX 4096 /* of a file that is looked into */

/* --- files -------------------------------------------------------------------------------------------------------- */

const char *surroundings_root(void)
{
	const char *root = getenv("SIMTTUTOR_SYSTEM_ROOT");
	return root ? root : "";
}

static void path_of(const char *name, char *out, size_t size)
{
	snprintf(out, size, "%s%s", surroundings_root(), name);
}

static bool system_has(const char *name)
{
	char path[600];
	path_of(name, path, sizeof path);
	return access(path, F_OK) == 0;
}

/* The start of a file; empty where it cannot be read. */
static const char *text_of(const char *name, char out[TEXT_MAX])
{
	char path[600];
	path_of(name, path, sizeof path);
	FILE *file = fopen(path, "re");
	size_t n = file ? fread(out, 1, TEXT_MAX - 1, file) : 0;
	out[n] = '\0';
	if (file)
		fclose(file);
	return out;
}

static bool system_opens(const char *name)
{
	char path[600];
	path_of(name, path, sizeof path);
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* --- where -------------------------------------------------------------------------------------------------------- */

enum wire_place surroundings_place(void)
{
	static const char *const engines[] = {"docker", "containerd", "kubepods", "libpod", "lxc"};
	char text[TEXT_MAX];
	text_of("/proc/version", text);
	bool wsl = strstr(text, "microsoft") || strstr(text, "Microsoft");
	if (system_has("/.dockerenv") || system_has("/run/.containerenv"))
		return WIRE_CONTAINER; /* under WSL too: what it lacks, its own start gives */
	text_of("/proc/1/cgroup", text);
	for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
		if (strstr(text, engines[i]))
			return WIRE_CONTAINER;
	return wsl ? WIRE_WSL : WIRE_HOST;
}

/* --- no GPU ------------------------------------------------------------------------------------------------------- */

static bool refuse_device(struct arena *arena, const char *file, int why, struct wire_error *error)
{
	*error = (struct wire_error){WIRE_DEVICE_ACCESS, arena_printf(arena, "%s: %s", file, strerror(why))};
	return true;
}

bool surroundings_hide_gpu(struct arena *arena, struct wire_error *error)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");
	bool wsl = system_has("/dev/dxg");
	int why = 0;
	if (!wsl && !system_has("/proc/driver/nvidia")) {
		*error = (struct wire_error){WIRE_DRIVER_NOT_LOADED,
			"libcuda.so.1 is there, but the kernel has no NVIDIA driver (no /proc/driver/nvidia)"};
		return true;
	}
	if (visible) {
		*error = (struct wire_error){WIRE_DEVICE_HIDDEN,
			*visible
				? arena_printf(arena, "CUDA_VISIBLE_DEVICES is \"%.60s\", which leaves no GPU", visible)
				: "CUDA_VISIBLE_DEVICES is empty, which hides every GPU"};
		return true;
	}
	if (!wsl && !system_opens("/dev/nvidiactl"))
		return refuse_device(arena, "/dev/nvidiactl", errno, error);
	if (!wsl) {
		/* A container may be given the file of any GPU: `why` is what the last one said. */
		char path[600];
		bool opened = false;
		path_of("/dev", path, sizeof path);
		DIR *dir = opendir(path);
		why = ENOENT;
		for (struct dirent *entry; dir && !opened && (entry = readdir(dir)) != NULL;) {
			char name[300];
			if (strncmp(entry->d_name, "nvidia", 6) != 0 || !isdigit((unsigned char)entry->d_name[6]))
				continue;
			snprintf(name, sizeof name, "/dev/%.200s", entry->d_name);
			opened = system_opens(name);
			why = errno;
		}
		if (dir)
			closedir(dir);
		if (!opened)
			return refuse_device(arena, "/dev/nvidia0", why, error);
	}
	return false;
}

/* --- no counters -------------------------------------------------------------------------------------------------- */

const char *surroundings_lock(struct arena *arena)
{
	static const char name[] = "RmProfilingAdminOnly:";
	char text[TEXT_MAX];
	const char *at = strstr(text_of("/proc/driver/nvidia/params", text), name);
	int value;
	if (!at || sscanf(at + sizeof name - 1, "%9d", &value) != 1)
		return "";
	return arena_printf(arena, "; RmProfilingAdminOnly is %d", value);
}

/* Names as the kernel cuts them, after 15 bytes. */
static bool is_profiler(const char *name)
{
	static const char *const profilers[] = {"ncu", "nv-nsight-cu-cl", "nsys", "nvprof", "nv-hostengine",
		"dcgm-exporter", "compute-sanitiz", "cuda-gdb"};
	for (size_t i = 0; i < sizeof profilers / sizeof profilers[0]; i++)
		if (!strcmp(name, profilers[i]))
			return true;
	return false;
}

static const char *find_process(struct arena *arena)
{
	char path[600], text[TEXT_MAX];
	const char *found = "";
	path_of("/proc", path, sizeof path);
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
		char name[300];
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(name, sizeof name, "/proc/%.200s/comm", entry->d_name);
		text_of(name, text);
		text[strcspn(text, "\n")] = '\0';
		if (is_profiler(text))
			found = arena_printf(arena, "%s; %s (process %s) runs here", found, text, entry->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

const char *surroundings_profilers(struct arena *arena)
{
	const char *injected = getenv("CUDA_INJECTION64_PATH"), *found = find_process(arena);
	if (injected && *injected)
		found = arena_printf(arena, "%s; CUDA_INJECTION64_PATH injects %.100s", found, injected);
	return found;
}
