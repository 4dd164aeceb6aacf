/* What a tool can read and execute. */
#include "config.h"
#include "tools/sandbox/sandbox.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"

#define PROGRAMS (CONFINE_READ | CONFINE_EXECUTE)

struct reach {
	struct arena *arena;
	struct confine_profile *profile;
};

static const struct confine_rule system_rules[] = {
#define INSTALLED(path, allowed) {path, allowed},
#include "tools/sandbox/installed.def"
#undef INSTALLED
	{"/sbin", PROGRAMS},
	{"/lib32", PROGRAMS},
	{"/libx32", PROGRAMS},
	{"/etc/ld.so.conf", CONFINE_READ},
	{"/etc/ld.so.conf.d", CONFINE_READ},
	{"/etc/ld.so.preload", CONFINE_READ},
	{"/etc/os-release", CONFINE_READ},
	{"/etc/lsb-release", CONFINE_READ},
	{"/etc/debian_version", CONFINE_READ},
	{"/etc/redhat-release", CONFINE_READ},
};

/* What names an installation, a list of folders, or a program, in the environment. */
static const char *const root_variables[] = {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "NVHPC_ROOT", "CONDA_PREFIX"};
static const char *const list_variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH",
	"LD_LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "DICPATH"};
static const char *const program_variables[] = {"NVCC_CCBIN"};

/* Beside a folder bin of PATH. The installation of the tool itself is open as a whole. */
static const char *const siblings[] = {"lib", "lib64", "libexec", "include", "share"};

/* The programs whose links in PATH are followed to where they are installed: nvcc looks for them. */
static const char *const host_compilers[] = {"gcc", "g++", "cc", "c++", "clang", "clang++"};

static void allow_programs(const struct reach *r, const char *folder)
{
	if (*folder == '/' && !paths_hold_home(folder) /* no installation */)
		confine_allow(r->arena, r->profile, folder, PROGRAMS);
}

/* The folder that holds it, without links; NULL: it is the root, or does not exist. */
static const char *parent_of_real(struct arena *arena, const char *path)
{
	char resolved[PATH_MAX], *real = realpath(path, resolved), *slash = real ? strrchr(real, '/') : NULL;
	return slash && slash > real ? arena_strndup(arena, real, (size_t)(slash - real)) : NULL;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* The one that a program is part of: what is above its folder bin, and above that where toolkits come in parts, as
 * those of pip do: nvidia/cuda_nvcc, nvidia/cuda_runtime. */
static void allow_installation(const struct reach *r, const char *program)
{
	const char *folder = parent_of_real(r->arena, program);
	if (!folder)
		return;
	allow_programs(r, folder);
	confine_allow(r->arena, r->profile, program, PROGRAMS);
	const char *root = strcmp(last_part(folder), "bin") == 0 ? parent_of_real(r->arena, folder) : NULL;
	const char *above = root ? parent_of_real(r->arena, root) : NULL;
	if (root)
		allow_programs(r, root);
	if (above && strcmp(last_part(above), "nvidia") == 0)
		allow_programs(r, above);
}

static void allow_path_entry(const struct reach *r, const char *folder)
{
	allow_programs(r, folder);
	char resolved[PATH_MAX], *real = realpath(folder, resolved);
	const char *root = real && strcmp(last_part(real), "bin") == 0 ? parent_of_real(r->arena, real) : NULL;
	for (size_t i = 0; root && i < sizeof siblings / sizeof *siblings; i++)
		allow_programs(r, path_join(r->arena, root, siblings[i]));
	for (size_t i = 0; i < sizeof host_compilers / sizeof *host_compilers; i++) {
		const char *program = path_join(r->arena, folder, host_compilers[i]);
		const char *home = parent_of_real(r->arena, program);
		if (home && strncmp(home, "/usr/", 5) != 0)
			allow_installation(r, program);
	}
}

static void allow_list(const struct reach *r, const char *variable, void (*allow)(const struct reach *, const char *))
{
	const char *list = getenv(variable);
	while (list && *list) {
		size_t len = strcspn(list, ":");
		if (*list == '/')
			allow(r, arena_strndup(r->arena, list, len));
		list += len + (list[len] == ':');
	}
}

static void allow_reading(const struct reach *r, const char *path)
{
	confine_allow(r->arena, r->profile, path, PROGRAMS);
}

void sandbox_reach(struct arena *arena, const struct sandbox_job *job, struct confine_profile *profile)
{
	const struct reach r = {arena, profile};
	for (size_t i = 0; i < sizeof system_rules / sizeof *system_rules; i++)
		confine_allow(arena, profile, system_rules[i].path, system_rules[i].access);
	allow_installation(&r, job->argv[0]);

	for (size_t i = 0; i < sizeof root_variables / sizeof *root_variables; i++)
		allow_list(&r, root_variables[i], allow_programs);
	for (size_t i = 0; i < sizeof list_variables / sizeof *list_variables; i++)
		allow_list(&r, list_variables[i], allow_programs);
	for (size_t i = 0; i < sizeof program_variables / sizeof *program_variables; i++)
		allow_list(&r, program_variables[i], allow_installation);
	allow_list(&r, "PATH", allow_path_entry);
	allow_list(&r, SANDBOX_READS, allow_reading);

	for (int i = 0; i < job->n_reads; i++)
		confine_allow(arena, profile, job->reads[i], CONFINE_READ);
	for (int i = 0; i < job->n_held; i++)
		confine_allow_open(arena, profile, job->held[i], CONFINE_READ);
	confine_allow_open(
		arena, profile, job->scratch->fd, CONFINE_READ | CONFINE_WRITE | (job->executes ? CONFINE_EXECUTE : 0));
	profile->liberties = CONFINE_MAY_EXECUTE | CONFINE_MAY_FORK;
}
