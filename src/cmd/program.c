#include "config.h"
#include "cmd/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

#define OUTPUT_MAX ((size_t)1 << 20)

extern char **environ;

static const char *find_in_path(struct arena *arena, const char *name)
{
	const char *path = getenv("PATH");
	if (strchr(name, '/'))
		return access(name, X_OK) == 0 ? name : NULL;
	while (path && *path) {
		size_t len = strcspn(path, ":");
		const char *full = path_join(arena, len ? arena_strndup(arena, path, len) : ".", name);
		if (access(full, X_OK) == 0)
			return full;
		path += len + (path[len] == ':');
	}
	return NULL;
}

const char *program_find(struct arena *arena, const char *variable, const char *const *names)
{
	const char *named = getenv(variable), *found = NULL;
	if (named && *named)
		return find_in_path(arena, named);
	for (; !found && *names; names++)
		found = find_in_path(arena, *names);
	return found;
}

int program_run(const char *const *argv, int output)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	pid_t pid;
	int status = -1;
	void (*interrupt)(int) = signal(SIGINT, SIG_IGN);

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	int error = posix_spawn(&pid, argv[0], &files, &attributes, (char **)argv, environ);
	while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	signal(SIGINT, interrupt);
	errno = error;
	return status;
}

bool program_read(const char *const *argv, const char *scratch, struct buf *out)
{
	struct diag quiet = {0};
	int fd = open(scratch, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	bool ok = program_ended_well(program_run(argv, fd));
	close(fd);
	ok = ok && file_read(scratch, OUTPUT_MAX, out, &quiet);
	unlink(scratch);
	diag_free(&quiet);
	return ok;
}

bool program_ended_well(int status)
{
	return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const char *program_folder(struct cmd_ctx *ctx)
{
	const char *root = getenv("TMPDIR");
	char *folder = path_join(ctx->arena, root && *root ? root : "/tmp", "simttutor-XXXXXX");
	if (mkdtemp(folder))
		return folder;
	diag_error(&ctx->diag, (struct diag_pos){.file = folder}, "cannot be made: %s", strerror(errno));
	return NULL;
}
