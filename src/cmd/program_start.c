/* What a program's process begins with: the interpreter of a script, and what has the dynamic linker take simttutor's
 * libraries in place of NVIDIA's. */
#include "config.h"

#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/elf.h"
#include "base/file.h"
#include "cmd/program.h"
#include "runtime/linked.h"
#include "tools/sandbox/process.h"

#define PYTHON "SIMTTUTOR_PYTHON"
#define AUDITOR "libsimttutor-audit.so"
#define PROGRAM_MAX ((size_t)512 << 20)

bool program_is_script(const char *path)
{
	size_t n = strlen(path);
	return n > 3 && strcmp(path + n - 3, ".py") == 0;
}

const char *program_interpreter(struct cmd_ctx *ctx)
{
	static const char *const names[] = {"python3", "python", NULL};
	return process_find(ctx->arena, PYTHON, names);
}

bool program_report_no_interpreter(struct cmd_ctx *ctx, const char *file)
{
	diag_error(
		&ctx->diag, (struct diag_pos){.file = file}, "a script of Python needs python3, which is not in PATH");
	diag_note(&ctx->diag, (struct diag_pos){0}, "install it, or name it: " PYTHON "=FILE");
	return false;
}

/* --- what a script reads ------------------------------------------------------------------------------------------ */

/* The folders in which an interpreter and what was installed for it lie, beside those of the system: a virtual
 * environment, an installation of its own, packages of the reader alone, and what PYTHONPATH and PYTHONHOME list. */
static void visit_folders(struct arena *arena, void (*visit)(void *ctx, const char *folder), void *ctx)
{
	static const char *const names[] = {"python3", "python", NULL};
	static const char *const lists[] = {"PYTHONPATH", "PYTHONHOME"};
	const char *found = process_find(arena, PYTHON, names), *home = getenv("HOME");
	char real[PATH_MAX];
	const char *paths[] = {found, found ? realpath(found, real) : NULL};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		const char *slash = paths[i] ? strrchr(paths[i], '/') : NULL;
		if (slash && slash - paths[i] > 4 && strncmp(slash - 4, "/bin", 4) == 0)
			visit(ctx, arena_strndup(arena, paths[i], (size_t)(slash - 4 - paths[i])));
	}
	if (home && *home == '/')
		visit(ctx, path_join(arena, home, ".local/lib"));
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (const char *at = getenv(lists[i]); at && *at;) {
			size_t len = strcspn(at, ":");
			if (len)
				visit(ctx, arena_strndup(arena, at, len));
			at += len + (at[len] == ':');
		}
}

struct reading {
	struct arena *arena;
	struct confine_profile *profile;
};

static void allow_reading(void *ctx, const char *folder)
{
	const struct reading *reading = ctx;
	char real[PATH_MAX];
	if (realpath(folder, real) && !paths_hold_home(real))
		confine_allow(reading->arena, reading->profile, arena_strdup(reading->arena, real),
			CONFINE_READ | CONFINE_EXECUTE);
}

void program_allow_script(struct arena *arena, struct confine_profile *profile)
{
	struct reading reading = {arena, profile};
	visit_folders(arena, allow_reading, &reading);
}

/* --- libraries ---------------------------------------------------------------------------------------------------- */

struct listing {
	struct arena *arena;
	const char *list;
};

/* Adds the folders of NVIDIA's packages below one, where libnvrtc.so is, which our libnvrtc passes calls on to. */
static void list_packages(void *ctx, const char *folder)
{
	static const char *const below[] = {
		"lib/python3*/site-packages/nvidia/*/lib", "python3*/site-packages/nvidia/*/lib", "nvidia/*/lib"};
	struct listing *listing = ctx;
	for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
		glob_t found;
		if (glob(path_join(listing->arena, folder, below[i]), 0, NULL, &found) != 0)
			continue;
		for (size_t k = 0; k < found.gl_pathc; k++)
			if (!strchr(found.gl_pathv[k], ':'))
				listing->list = arena_printf(listing->arena, "%s:%s", listing->list, found.gl_pathv[k]);
		globfree(&found);
	}
}

int program_linked_version(const char *path)
{
	struct buf bytes = {0};
	struct diag quiet = {0};
	struct elf elf;
	int version = 0;
	struct arena *arena = arena_new();
	if (file_read(path, PROGRAM_MAX, &bytes, &quiet) && elf_read(arena, bytes.data, bytes.len, &elf)) {
		const struct elf_symbols functions = elf_read_symbols(arena, &elf, SHT_SYMTAB);
		version = linked_version(&functions);
	}
	arena_free(arena);
	buf_free(&bytes);
	diag_free(&quiet);
	return version;
}

int program_linking(struct cmd_ctx *ctx, const char *file, const char **variables)
{
	struct arena *arena = ctx->arena;
	const char *runtime = ctx->paths.runtime, *before = getenv("LD_LIBRARY_PATH"),
		   *preloaded = getenv("LD_PRELOAD"), *auditor = path_join(arena, runtime, AUDITOR);
	const bool is_script = program_is_script(file);
	struct listing listing = {
		arena, arena_printf(arena, "%s%s%s", runtime, before && *before ? ":" : "", before ? before : "")};
	int m = 0;

	if (is_script)
		visit_folders(arena, list_packages, &listing);
	variables[m++] = "LD_LIBRARY_PATH";
	variables[m++] = listing.list;
	/* The linker splits both of these lists at colons, and the second at blanks too. */
	if (strpbrk(auditor, ": ") || !file_exists(auditor))
		return m;
	variables[m++] = "LD_AUDIT";
	variables[m++] = auditor;
	if (is_script || program_linked_version(file)) {
		variables[m++] = "LD_PRELOAD";
		variables[m++] = arena_printf(arena, "%s/libcudart.so.13:%s/libcudart.so.12%s%s", runtime, runtime,
			preloaded && *preloaded ? ":" : "", preloaded ? preloaded : "");
	}
	/* A script cannot write where it would keep what it compiled. */
	for (size_t i = 0; is_script && i < 2; i++) {
		static const char *const kept[][3] = {{"PYTHONDONTWRITEBYTECODE", "PYTHONDONTWRITEBYTECODE", "1"},
			{"CUPY_CACHE_DIR", "CUPY_CACHE_IN_MEMORY", "1"}};
		if (!getenv(kept[i][0])) {
			variables[m++] = kept[i][1];
			variables[m++] = kept[i][2];
		}
	}
	return m;
}
