#include "config.h"
#include "cmd/confined.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/portable.h"
#include "cmd/spelling.h"
#include "gpu/client/gpu.h"
#include "tools/compile/build.h"
#include "tools/compile/ptxas.h"
#include "tools/sandbox/process.h"
#include "tools/sandbox/sandbox.h"
#include "tools/sandbox/starter.h"

#define TOOLS_MAX 10

/* What the C library and the runtimes of sanitizers look up, whatever the command does. */
static const struct confine_rule least_rules[] = {
	{"/usr", CONFINE_READ},
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
	{"/proc", CONFINE_READ}, /* the leak checker is a process of its own */
#endif
#ifdef SIMT_COVERAGE_FOLDER
	{SIMT_COVERAGE_FOLDER, CONFINE_READ | CONFINE_WRITE}, /* what gcov counts */
#endif
};

/* What else it looks up, and curses. Each rule costs 5 us. */
static const struct confine_rule usual_rules[] = {
	{"/lib", CONFINE_READ},
	{"/lib64", CONFINE_READ},
	{"/etc/terminfo", CONFINE_READ},
	{"/etc/localtime", CONFINE_READ},
	{"/etc/ld.so.cache", CONFINE_READ},
	{"/dev/null", CONFINE_READ | CONFINE_WRITE},
	{"/dev/tty", CONFINE_READ | CONFINE_WRITE},
	{"/dev/urandom", CONFINE_READ},
	{"/proc/self", CONFINE_READ},
	{"/proc/self/exe", CONFINE_READ},
	{"/proc/cpuinfo", CONFINE_READ},
	{"/proc/meminfo", CONFINE_READ},
	{"/proc/sys/vm/overcommit_memory", CONFINE_READ},
	{"/sys/devices/system/cpu", CONFINE_READ},
};

static void allow(struct cmd_needs *needs, const char *path, unsigned access)
{
	confine_allow(needs->ctx->arena, &needs->profile, path, access);
}

void cmd_needs_reading(struct cmd_needs *needs, const char *path)
{
	if (path && strcmp(path, "-") != 0 && file_descriptor(path) < 0)
		allow(needs, path, CONFINE_READ);
}

static const char *folder_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? arena_strndup(arena, path, (size_t)(slash - path) + 1) : ".";
}

void cmd_needs_file(struct cmd_needs *needs, const char *path)
{
	if (!path || strcmp(path, "-") == 0 || file_descriptor(path) >= 0)
		return;
	cmd_needs_reading(needs, path);
	cmd_needs_reading(needs, folder_of(needs->ctx->arena, path));
}

/* Makes the folders that lead to a file. Those of outputs go again when nothing was written; the reader's own stay. */
static void make_folders(struct cmd_needs *needs, const char *path, unsigned mode)
{
	for (const char *slash = strchr(path, '/'); slash && mode == CMD_OUTPUT_MODE; slash = strchr(slash + 1, '/')) {
		const char *folder = arena_strndup(needs->ctx->arena, path, (size_t)(slash - path));
		struct stat info;
		if (*folder && lstat(folder, &info) != 0 && errno == ENOENT)
			*vec_push_in(needs->ctx->arena, needs->made, needs->n_made, needs->cap_made) = folder;
	}
	file_make_parents(path, mode);
}

void cmd_needs_writing(struct cmd_needs *needs, const char *folder, unsigned mode)
{
	make_folders(needs, path_join(needs->ctx->arena, folder, ""), mode);
	allow(needs, folder, CONFINE_READ | CONFINE_WRITE);
	DIR *dir = opendir(folder);
	for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
		if (entry->d_type == DT_LNK)
			cmd_needs_reading(needs, path_join(needs->ctx->arena, folder, entry->d_name));
	if (dir)
		closedir(dir);
}

void cmd_needs_output(struct cmd_needs *needs, const char *path)
{
	struct stat info;
	if (file_descriptor(path) >= 0)
		return;
	make_folders(needs, path, CMD_OUTPUT_MODE);
	char *real = realpath(path, NULL);
	if (!real)
		allow(needs, folder_of(needs->ctx->arena, path), CONFINE_READ | CONFINE_WRITE);
	else if (stat(real, &info) == 0 && S_ISREG(info.st_mode))
		allow(needs, folder_of(needs->ctx->arena, real), CONFINE_READ | CONFINE_WRITE);
	else if (!S_ISDIR(info.st_mode))
		allow(needs, arena_strdup(needs->ctx->arena, real), CONFINE_READ | CONFINE_WRITE);
	free(real);
}

void cmd_needs_no_files(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	(void)args, (void)n;
	needs->no_files = true;
}

void cmd_needs_launch(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	const char *gpu = needs->ctx->gpu;
	cmd_needs_reading(needs, ".");
	for (int i = 0; i < n; i++) {
		size_t len = args[i].option ? 0 : strlen(args[i].value);
		needs->tools |= len > 3 && strcmp(args[i].value + len - 3, ".cu") == 0;
		if (!args[i].option) {
			cmd_needs_file(needs, args[i].value);
		} else if (cmd_is(&args[i], "source") || cmd_is(&args[i], "commands")) {
			cmd_needs_reading(needs, args[i].value);
		} else if (cmd_is(&args[i], "arg") || cmd_is(&args[i], "set")) {
			/* The files that an argument names; those in a struct end where a member does. */
			const char *text = args[i].value;
			for (const char *at = text; (at = strstr(at, ":@")) != NULL;) {
				at += 2;
				size_t path_len = memchr(text, '(', (size_t)(at - text)) ? strcspn(at, ";)")
											 : strlen(at);
				cmd_needs_reading(needs, arena_strndup(needs->ctx->arena, at, path_len));
			}
		} else if (cmd_is(&args[i], "live") && !gpu) {
			gpu = "local";
		}
	}
	needs->gpu = gpu;
}

void cmd_needs_build(struct cmd_needs *needs, const struct build_request *request)
{
	for (int i = 0; i < request->n_inputs; i++)
		cmd_needs_file(needs, request->inputs[i].path);
	for (int i = 0; i < request->folders.n; i++)
		cmd_needs_reading(needs, request->folders.words[i]);
	for (int i = 0; i < request->library_folders.n; i++)
		cmd_needs_reading(needs, request->library_folders.words[i]);
	cmd_needs_reading(needs, needs->ctx->paths.runtime);
}

/* Where a course was put together of links: its two folders, and those of lessons. What is in them stays where it is: a
 * link there, to a file elsewhere, was made by whoever wrote the lesson. */
static void allow_course(struct cmd_needs *needs, const char *data)
{
	struct arena *arena = needs->ctx->arena;
	const char *lessons = path_join(arena, data, "lessons");
	const char *kernels = path_join(arena, data, "kernels");
	const unsigned access = CONFINE_READ | (needs->records ? CONFINE_WRITE : 0);
	DIR *dir = opendir(lessons);
	cmd_needs_reading(needs, data);
	if (dir)
		allow(needs, lessons, access);
	else if (file_exists(path_join(arena, data, "lesson.md")))
		allow(needs, data, access);
	if (file_exists(path_join(arena, kernels, "simt.h")))
		cmd_needs_reading(needs, kernels);
	for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
		const char *lesson = entry->d_type == DT_LNK ? path_join(arena, lessons, entry->d_name) : NULL;
		if (lesson && file_exists(path_join(arena, lesson, "lesson.md")))
			allow(needs, lesson, access);
	}
	if (dir)
		closedir(dir);
}

/* Progress may be a link to where the reader keeps such things. */
static void allow_usual(struct cmd_needs *needs)
{
	const struct paths *paths = &needs->ctx->paths;
	for (size_t i = 0; i < sizeof least_rules / sizeof *least_rules; i++)
		allow(needs, least_rules[i].path, least_rules[i].access);
	if (needs->no_files)
		return;
	for (size_t i = 0; i < sizeof usual_rules / sizeof *usual_rules; i++)
		allow(needs, usual_rules[i].path, usual_rules[i].access);

	/* Where terminals are described, beside the system's folders. */
	struct arena *arena = needs->ctx->arena;
	const char *home = getenv("HOME"), *list = getenv("TERMINFO_DIRS");
	cmd_needs_reading(needs, getenv("TERMINFO"));
	if (home && *home)
		cmd_needs_reading(needs, path_join(arena, home, ".terminfo"));
	while (list && *list) {
		size_t len = strcspn(list, ":");
		if (len)
			cmd_needs_reading(needs, arena_strndup(arena, list, len));
		list += len + (list[len] == ':');
	}

	allow_course(needs, paths->data);
	if (strcmp(paths->course, paths->data) != 0)
		allow_course(needs, paths->course);
	allow(needs, paths->state, CONFINE_READ | CONFINE_WRITE);
	char *progress = realpath(path_join(needs->ctx->arena, paths->state, "progress.json"), NULL);
	if (progress)
		allow(needs, folder_of(needs->ctx->arena, progress), CONFINE_READ | CONFINE_WRITE);
	free(progress);
}

static bool begin_starter(struct cmd_needs *needs)
{
	struct cmd_ctx *ctx = needs->ctx;
	const char **tools = arena_array(ctx->arena, const char *, TOOLS_MAX); /* their paths, which end in NULL */
	if (needs->tools) {
		const struct compile_ctx *compile = cmd_compile_ctx(ctx);
		int n = compile_list_tools(compile, tools);
		n += build_list_tools(compile, tools + n);
		const char *own = needs->self ? portable_program(ctx->arena) : NULL;
		const char *const others[] = {
			ptxas_find(compile), ptxas_find_disassembler(compile), spelling_find(ctx), own};
		for (size_t i = 0; i < sizeof others / sizeof *others; i++)
			if (others[i])
				tools[n++] = others[i];
	}

	const struct starter_terms terms = {
		.commands = needs->gpu ? gpu_commands(ctx->arena, needs->gpu, ctx->paths.worker) : NULL,
		.tools = tools,
		.profile = &needs->profile,
	};
	bool begun = starter_begin(&terms, ctx->arena, &needs->profile);
	needs->scratch = begun ? scratch_root() : NULL;
	return begun;
}

static struct {
	int alive; /* the end of a pipe that is closed when we end, however we do */
	pid_t pid; /* 0: there is none */
} remover;

/* Removes the folders that were made for nothing, in a process that is not confined: what it removes is empty. */
static void remove_at_end(const struct cmd_needs *needs)
{
	int alive[2];
	sigset_t all, before;
	if (!needs->n_made || !process_pipe(alive))
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	remover.pid = fork();
	if (remover.pid == 0) {
		char byte;
		setsid();
		close(alive[1]);
		(void)file_get(alive[0], &byte, 1);
		for (size_t i = needs->n_made; i-- > 0;)
			rmdir(needs->made[i]);
		_exit(EXIT_SUCCESS);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(alive[0]);
	remover.alive = alive[1];
}

bool cmd_confine(struct cmd_ctx *ctx, const struct cmd_entry *entry, const struct cmd_parsed *args, int n)
{
	const struct confine_support support = confine_support();
	struct cmd_needs needs = {.ctx = ctx};
	bool confines = entry->needs && !support.refused && (support.abi > 0 || support.seccomp);
	if (confines)
		entry->needs(&needs, args, n);
	if (entry->begin)
		entry->begin(ctx, args, n);
	if (!confines || needs.all)
		return true;
	allow_usual(&needs);
	bool starts = needs.tools || (needs.gpu && strcmp(needs.gpu, "none") != 0);
	remove_at_end(&needs);
	needs.profile.liberties = (needs.forks ? CONFINE_MAY_FORK : 0) | (needs.accepts ? CONFINE_MAY_ACCEPT : 0) |
		(needs.calls ? CONFINE_MAY_CALL : 0);
	if ((!starts || begin_starter(&needs)) && (!needs.before || needs.before(&needs, args, n)) &&
		confine_self(&needs.profile, &support))
		return true;
	diag_error(&ctx->diag, (struct diag_pos){0}, "cannot confine itself: %s; SIMTTUTOR_CONFINE=no goes without",
		strerror(errno));
	return false;
}

void cmd_confine_end(void)
{
	starter_end();
	if (remover.pid > 0) {
		close(remover.alive);
		while (waitpid(remover.pid, NULL, 0) < 0 && errno == EINTR)
			continue;
		remover.pid = 0;
	}
	/* last: the others hold our end of its pipe, which must close where nothing can be written to it */
	foreground_end();
}
