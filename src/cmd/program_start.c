/* What a program's process begins with: the interpreter of a script, and what has the dynamic linker take simttutor's
 * libraries in place of NVIDIA's. */
#include "config.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/elf.h"
#include "base/file.h"
#include "base/portable.h"
#include "cmd/program.h"
#include "runtime/linked.h"
#include "tools/sandbox/process.h"

#define PYTHON "SIMTTUTOR_PYTHON"
#define AUDITOR "libsimttutor-audit.so"
#define PROGRAM_MAX ((size_t)512 << 20)

enum program_kind program_kind(const char *path)
{
	size_t n = strlen(path);
	const char *end = n > 3 ? path + n - 3 : "";
	return strcmp(end, ".cu") == 0 ? PROGRAM_SOURCE : strcmp(end, ".py") == 0 ? PROGRAM_SCRIPT : PROGRAM_EXECUTABLE;
}

/* --- Python ------------------------------------------------------------------------------------------------------- */

/* What the interpreter says of itself, asked once, before we are confined: what PATH has may be a script that chooses
 * one, and it may belong to a virtual environment. */
static struct {
	const char *path;           /* NULL: there is none */
	const char *const *folders; /* where it and its packages lie */
	int n_folders;
	bool asked;
} python;

#define ANSWER_MAX 65536
#define ANSWER_MS 10000

/* Appends what it prints to `out`. False: it could not be started, or took too long. */
static bool ask_python(const char *path, struct buf *out)
{
	static const char
		question[] = "import sys, site\n"
			     "print(sys.executable, sys.prefix, sys.base_prefix, site.getusersitepackages(),\n"
			     "      *site.getsitepackages(), *sys.path, sep='\\n')";
	const char *const argv[] = {path, "-c", question, NULL};
	struct process process = PROCESS_NONE;
	struct buf why = {0};
	int came = 0;
	if (process_start(&process, argv, &why)) {
		const double end = clock_ms() + ANSWER_MS;
		while ((came = process_read(&process, out, ANSWER_MAX)) >= 0 && out->len < ANSWER_MAX &&
			clock_ms() < end) {
			struct pollfd fd = {.fd = process_fd(&process), .events = POLLIN};
			process_read_errors(&process);
			(void)poll(&fd, 1, 100);
		}
		process_kill(&process);
	}
	buf_free(&why);
	return came < 0 && out->len;
}

static void find_python(struct arena *arena)
{
	static const char *const names[] = {"python3", "python", NULL};
	const char **folders = NULL;
	size_t n = 0, cap = 0;
	struct buf answer = {0};
	if (python.asked)
		return;
	python.asked = true;
	python.path = process_find(arena, PYTHON, names);
	if (python.path && ask_python(python.path, &answer)) {
		char *rest = arena_strdup(arena, buf_str(&answer)), *line;
		for (int i = 0; (line = strsep(&rest, "\n")) != NULL; i++)
			if (*line == '/' && i == 0)
				python.path = line;
			else if (*line == '/')
				*vec_push_in(arena, folders, n, cap) = line;
	}
	python.folders = folders;
	python.n_folders = (int)n;
	buf_free(&answer);
}

const char *program_interpreter(struct cmd_ctx *ctx)
{
	find_python(ctx->arena);
	return python.path;
}

bool program_report_no_interpreter(struct cmd_ctx *ctx, const char *file)
{
	diag_error(&ctx->diag, (struct diag_pos){.file = file}, "a Python script needs python3, which is not in PATH");
	diag_note(&ctx->diag, (struct diag_pos){0}, "install it, or name it: " PYTHON "=FILE");
	return false;
}

static const char *shared; /* where processes of the program have memory in common; NULL: it is not confined */

void program_allow_shared(struct cmd_needs *needs, struct confine_profile *profile)
{
	const char *folder = needs->scratch ? path_join(needs->ctx->arena, needs->scratch, "shared") : NULL;
	if (!folder || getenv("SIMTTUTOR_SHARED"))
		folder = getenv("SIMTTUTOR_SHARED");
	else if (mkdir(folder, 0700) != 0 && errno != EEXIST)
		folder = NULL;
	if (!folder || !*folder)
		return;
	confine_allow(needs->ctx->arena, profile, folder, CONFINE_READ | CONFINE_WRITE);
	shared = folder;
}

static const char *kept; /* where a confined script may keep what it makes; NULL: it is not confined */

void program_allow_script(struct cmd_needs *needs, struct confine_profile *profile)
{
	struct arena *arena = needs->ctx->arena;
	char real[PATH_MAX];
	find_python(arena);
	const char *folder = needs->scratch ? path_join(arena, needs->scratch, "script") : NULL;
	if (folder && (mkdir(folder, 0700) == 0 || errno == EEXIST)) {
		confine_allow(arena, profile, folder, CONFINE_READ | CONFINE_WRITE | CONFINE_EXECUTE);
		kept = folder;
	}
	for (int i = 0; i < python.n_folders; i++)
		if (realpath(python.folders[i], real) && !paths_hold_home(real))
			confine_allow(arena, profile, arena_strdup(arena, real), CONFINE_READ | CONFINE_EXECUTE);
	if (python.path)
		confine_allow(arena, profile, python.path, CONFINE_READ | CONFINE_EXECUTE);
}

/* --- libraries ---------------------------------------------------------------------------------------------------- */

/* `list` with the folders of NVIDIA's packages for Python, where libnvrtc.so is, which our libnvrtc passes calls on
 * to. */
static const char *add_packages(struct arena *arena, const char *list)
{
	for (int i = 0; i < python.n_folders; i++) {
		glob_t found;
		if (glob(path_join(arena, python.folders[i], "nvidia/*/lib"), 0, NULL, &found) != 0)
			continue;
		for (size_t k = 0; k < found.gl_pathc; k++)
			if (!strchr(found.gl_pathv[k], ':'))
				list = arena_printf(arena, "%s:%s", list, found.gl_pathv[k]);
		globfree(&found);
	}
	return list;
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
	const bool is_script = program_kind(file) == PROGRAM_SCRIPT;
	const char *list = arena_printf(arena, "%s%s%s", runtime, before && *before ? ":" : "", before ? before : "");
	int m = 0;

	if (is_script)
		find_python(arena);
	variables[m++] = "LD_LIBRARY_PATH";
	variables[m++] = is_script ? add_packages(arena, list) : list;
	if (shared) {
		variables[m++] = "SIMTTUTOR_SHARED";
		variables[m++] = shared;
	}
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
	/* Where it would keep what it compiles, a script that is confined cannot write. */
	const char *const folders[][2] = {{"TMPDIR", kept}, {"CUPY_CACHE_DIR", kept}, {"NUMBA_CACHE_DIR", kept},
		{"PYTHONDONTWRITEBYTECODE", "1"}};
	for (size_t i = 0; is_script && kept && i < sizeof folders / sizeof *folders; i++) {
		variables[m++] = folders[i][0];
		variables[m++] = folders[i][1];
	}
	return m;
}
