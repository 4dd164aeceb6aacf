#include "config.h"
#include "tools/sandbox/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/paths.h"

#define PREFIX "simttutor-scratch-"
#define NAME_LEN (sizeof PREFIX - 1 + 6)
#define TRIES 16
#define DEPTH_MAX 100 /* of folders in it */
#define ENTRIES_MAX 100000
#define SWEPT_MAX 64 /* at a time */

static const char safe_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./_+@,=-";

/* --- a folder and what is in it ----------------------------------------------------------------------------------- */

#if HAVE_DECL_O_PATH
/* A folder that we may not read is looked at first: what has its name by then may be another, or a link. */
static int open_shut_folder(int at, const char *name)
{
	char path[32];
	struct stat info;
	int fd = -1, seen = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	snprintf(path, sizeof path, "/proc/self/fd/%d", seen);
	if (seen >= 0 && fstat(seen, &info) == 0 && S_ISDIR(info.st_mode) && chmod(path, 0700) == 0)
		fd = openat(seen, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (seen >= 0)
		close(seen);
	return fd;
}
#else
/* A folder that we may not read, and no link to one. */
static int open_shut_folder(int at, const char *name)
{
	struct stat info;
	if (fstatat(at, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(info.st_mode) ||
		fchmodat(at, name, 0700, AT_SYMLINK_NOFOLLOW) != 0)
		return -1;
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}
#endif

static int open_folder(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 && errno == EACCES ? open_shut_folder(at, name) : fd;
}

/* Calls `each` for every entry that is no link to the folder itself or its parent. */
static void list_folder(int fd, void (*each)(int fd, const char *name, void *ctx), void *ctx)
{
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
	if (!dir && copy >= 0)
		close(copy);
	for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			each(fd, entry->d_name, ctx);
	if (dir)
		closedir(dir);
}

static void remove_entry(int at, const char *name, void *depth)
{
	int level = *(int *)depth + 1;
	if (unlinkat(at, name, 0) == 0 || level > DEPTH_MAX)
		return;
	int fd = open_folder(at, name);
	if (fd >= 0) {
		list_folder(fd, remove_entry, &level);
		close(fd);
	}
	unlinkat(at, name, AT_REMOVEDIR);
}

struct usage {
	uint64_t bytes;
	int depth, entries;
};

static void add_entry(int at, const char *name, void *ctx)
{
	struct usage *usage = ctx;
	struct stat info;
	if (++usage->entries > ENTRIES_MAX || fstatat(at, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
		return;
	usage->bytes += (uint64_t)info.st_blocks * 512;
	int fd = S_ISDIR(info.st_mode) && usage->depth < DEPTH_MAX ? open_folder(at, name) : -1;
	if (fd < 0)
		return;
	usage->depth++;
	list_folder(fd, add_entry, usage);
	usage->depth--;
	close(fd);
}

uint64_t scratch_size(const struct scratch *scratch)
{
	struct usage usage = {0};
	list_folder(scratch->fd, add_entry, &usage);
	return usage.bytes;
}

/* --- where -------------------------------------------------------------------------------------------------------- */

static struct {
	const char *path, *note;
} given_root;

void scratch_set_root(const char *path, const char *note)
{
	given_root.path = path;
	given_root.note = note;
}

const char *scratch_root(void)
{
	return given_root.path;
}

static const char *find_root(struct arena *arena, struct diag *diag)
{
	if (given_root.note)
		diag_note(diag, (struct diag_pos){.file = "TMPDIR"}, "%s", given_root.note);
	given_root.note = NULL;
	if (given_root.path)
		return given_root.path;
	const char *named = getenv("TMPDIR"), *root = named && *named ? named : "/tmp";
	char resolved[PATH_MAX];
	const char *real = arena_strdup(arena, realpath(root, resolved) ? resolved : root);
	const char *fault = NULL; /* why it is passed over */
	if (strcmp(root, "/tmp") != 0) {
		struct stat info;
		if (*root != '/') {
			fault = "it is relative";
		} else if (real[strspn(real, safe_characters)]) {
			fault = "its path has characters other than letters, digits and ./_+@,=-";
		} else if (stat(real, &info) == 0 && S_ISDIR(info.st_mode)) {
			/* where it is none, making a folder there says what is wrong */
			if (info.st_uid != 0 && info.st_uid != geteuid())
				fault = "it is another user's";
			else if ((info.st_mode & (S_IWGRP | S_IWOTH)) && !(info.st_mode & S_ISVTX))
				fault = "others may rename what is in it";
		}
	}
	if (!fault)
		return real;
	diag_note(diag, (struct diag_pos){.file = "TMPDIR"}, "%s, so /tmp is used instead: %s", fault, root);
	return "/tmp";
}

/* --- leftovers ---------------------------------------------------------------------------------------------------- */

/* Removes a folder that a killed program of this user left: its lock is free. */
static void sweep_entry(int at, const char *name, void *ctx)
{
	int *left = ctx, level = 0;
	struct stat info;
	if (strlen(name) != NAME_LEN || strncmp(name, PREFIX, sizeof PREFIX - 1) != 0 || *left == 0 ||
		fstatat(at, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(info.st_mode) ||
		info.st_uid != geteuid())
		return;
	int fd = open_folder(at, name);
	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		list_folder(fd, remove_entry, &level);
		unlinkat(at, name, AT_REMOVEDIR);
		--*left;
	}
	close(fd);
}

/* --- life --------------------------------------------------------------------------------------------------------- */

bool scratch_make(struct scratch *scratch, struct arena *arena, struct diag *diag)
{
	const char *root = find_root(arena, diag);
	*scratch = SCRATCH_NONE;

	/* What killed programs left, once. */
	static bool swept;
	int left = SWEPT_MAX, folder = swept ? -1 : open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	swept = true;
	if (folder >= 0) {
		list_folder(folder, sweep_entry, &left);
		close(folder);
	}

	for (int i = 0; i < TRIES; i++) {
		char *path = path_join(arena, root, PREFIX "XXXXXX");
		if (!mkdtemp(path)) {
			diag_error(diag, (struct diag_pos){.file = path}, "cannot be made: %s", strerror(errno));
			return false;
		}
		scratch->path = path;

		/* Another program's sweep can come between making and locking: then it is gone. */
		struct stat opened, named;
		scratch->fd = open(scratch->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (scratch->fd >= 0 && flock(scratch->fd, LOCK_EX | LOCK_NB) == 0 &&
			fstat(scratch->fd, &opened) == 0 && lstat(scratch->path, &named) == 0 &&
			opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
			return true;
		if (scratch->fd >= 0)
			close(scratch->fd);
		scratch->fd = -1;

		rmdir(path);
	}
	diag_error(diag, (struct diag_pos){.file = scratch->path}, "cannot be locked: %s", strerror(errno));
	*scratch = SCRATCH_NONE;
	return false;
}

void scratch_signals(sigset_t *out)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction action;
	sigemptyset(out);
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(out, ending[i]);
}

bool scratch_make_held(struct scratch *scratch, struct arena *arena, struct diag *diag)
{
	sigset_t ending, before;
	scratch_signals(&ending);
	pthread_sigmask(SIG_BLOCK, &ending, &before);
	bool ok = scratch_make(scratch, arena, diag);
	if (!ok)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	scratch->held = ok;
	scratch->before = before;
	return ok;
}

void scratch_remove_folder(const struct scratch *scratch)
{
	int level = 0;
	list_folder(scratch->fd, remove_entry, &level);
	rmdir(scratch->path);
}

void scratch_remove(struct scratch *scratch)
{
	bool held = scratch->held;
	sigset_t before = scratch->before;
	if (scratch->path)
		scratch_remove_folder(scratch);
	if (scratch->fd >= 0)
		close(scratch->fd);
	*scratch = SCRATCH_NONE;
	if (held)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool scratch_write(const struct scratch *scratch, const char *name, const char *data, size_t len, struct diag *diag)
{
	int fd = openat(scratch->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), error = errno;
	bool ok = fd >= 0 && file_put(fd, data, len);
	if (fd >= 0 && !ok)
		error = errno;
	if (fd >= 0 && close(fd) != 0 && ok) {
		error = errno;
		ok = false;
	}
	if (!ok)
		diag_error(
			diag, (struct diag_pos){.file = scratch->path}, "cannot write %s: %s", name, strerror(error));
	return ok;
}

bool scratch_link(const struct scratch *scratch, const char *name, const char *target, struct diag *diag)
{
	if (symlinkat(target, scratch->fd, name) == 0)
		return true;
	diag_error(diag, (struct diag_pos){.file = scratch->path}, "cannot link %s: %s", name, strerror(errno));
	return false;
}
