#include "config.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_LINUX_MAGIC_H
#include <linux/magic.h>
#include <sys/vfs.h>
#endif
#ifdef HAVE_LINUX_OPENAT2_H
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include "base/arena.h"
#include "base/portable.h"

#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

static struct diag_pos at(const char *path)
{
	return (struct diag_pos){.file = path};
}

int file_descriptor(const char *path)
{
	static const char *const named[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	for (int i = 0; i < 3; i++)
		if (strcmp(path, named[i]) == 0)
			return i;
	for (int i = 0; i < 2; i++) {
		size_t len = strlen(folders[i]), digits = 0;
		if (strncmp(path, folders[i], len) == 0)
			digits = strspn(path + len, "0123456789");
		if (digits > 0 && digits < 9 && !path[len + digits])
			return (int)strtol(path + len, NULL, 10);
	}
	return -1;
}

const char *file_kind(unsigned mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG: return NULL;
	case S_IFDIR: return "a folder";
	case S_IFIFO: return "a FIFO";
	case S_IFSOCK: return "a socket";
	case S_IFCHR:
	case S_IFBLK: return "a device";
	}
	return "no regular file";
}

/* --- descriptors ------------------------------------------------------------------------------------------------------ */

/* Whether a call that failed is to be made again: after a signal, and, of a descriptor that does not wait, when it is ready. */
static bool is_to_repeat(int fd, short events)
{
	struct pollfd ready = {.fd = fd, .events = events};
	if (errno == EAGAIN)
		return poll(&ready, 1, -1) >= 0 || errno == EINTR;
	return errno == EINTR;
}

ssize_t file_get(int fd, void *data, size_t most)
{
	ssize_t n;
	do
		n = read(fd, data, most);
	while (n < 0 && is_to_repeat(fd, POLLIN));
	return n;
}

bool file_get_all(int fd, void *data, size_t len)
{
	char *to = data;
	for (ssize_t n; len > 0; to += n, len -= (size_t)n)
		if ((n = file_get(fd, to, len)) <= 0)
			return false;
	return true;
}

bool file_put(int fd, const void *data, size_t len)
{
	for (const char *from = data; len > 0;) {
		ssize_t n = write(fd, from, len);
		if (n < 0 && !is_to_repeat(fd, POLLOUT))
			return false;
		from += n < 0 ? 0 : n;
		len -= n < 0 ? 0 : (size_t)n;
	}
	return true;
}

/* --- reading ---------------------------------------------------------------------------------------------------------- */

/* Room for nearly all files at once, for growing copies. It is also what glibc's malloc learns from: once a block of so much
 * was freed, it keeps 1 MiB, which the runs of a lesson's kernel use again and again, instead of returning it after each. */
#define READ_ROOM (512u << 10)
#define READ_LEAST 1024 /* with less room than that there is made more */

static bool read_all(int fd, const char *path, size_t max, struct buf *out, struct diag *diag)
{
	for (;;) {
		if (out->cap - out->len <= READ_LEAST)
			buf_reserve(out, READ_ROOM);
		ssize_t n = file_get(fd, out->data + out->len, out->cap - out->len - 1);
		if (n < 0) {
			diag_error(diag, at(path), "cannot read: %s", strerror(errno));
			return false;
		}
		if (n == 0)
			break;
		out->len += (size_t)n;
		if (out->len > max) {
			diag_error(diag, at(path), "larger than the limit of %zu bytes", max);
			return false;
		}
	}
	out->data[out->len] = '\0';
	return true;
}

/* Which may have no end, wait, or give what was meant for others. */
static bool is_of_proc(int fd)
{
#ifdef HAVE_LINUX_MAGIC_H
	struct statfs system;
	return fd >= 0 && fstatfs(fd, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
#else
	(void)fd;
	return false;
#endif
}

static bool is_plain(int fd, const char *path, const struct stat *info, struct diag *diag)
{
	struct stat nothing;
	const char *kind = file_kind(info->st_mode);
	if (S_ISCHR(info->st_mode) && stat("/dev/null", &nothing) == 0 && info->st_rdev == nothing.st_rdev)
		return true; /* an empty file to everyone */
	if (kind)
		diag_error(diag, at(path), "cannot be read: it is %s, not a regular file", kind);
	else if (is_of_proc(fd))
		diag_error(diag, at(path), "cannot be read: files of /proc are not");
	else
		return true;
	return false;
}

/* Looks before it opens: opening a device may already do something. */
static int open_plain(const char *path, struct stat *info, struct diag *diag)
{
	if (stat(path, info) == 0 && !is_plain(-1, path, info, diag))
		return -1;
	int fd = open(path, OPEN_FLAGS);
	if (fd < 0 || fstat(fd, info) != 0) {
		diag_error(diag, at(path), "cannot open: %s", strerror(errno));
	} else if (is_plain(fd, path, info, diag)) {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

int file_open(const char *path, struct diag *diag)
{
	struct stat info;
	return open_plain(path, &info, diag);
}

bool file_read_open(int fd, const char *path, size_t max, struct buf *out, struct diag *diag)
{
	bool ok = read_all(fd, path, max, out, diag);
	close(fd);
	return ok;
}

bool file_read(const char *path, size_t max, struct buf *out, struct diag *diag)
{
	struct stat info;
	bool standard = strcmp(path, "-") == 0;
	int descriptor = standard ? STDIN_FILENO : file_descriptor(path);
	if (descriptor >= 0)
		return read_all(descriptor, standard ? "standard input" : path, max, out, diag);
	int fd = open_plain(path, &info, diag);
	return fd >= 0 && file_read_open(fd, path, max, out, diag);
}

bool file_read_private(const char *path, size_t max, struct buf *out, struct diag *diag)
{
	struct stat info;
	int fd = open_plain(path, &info, diag);
	if (fd >= 0 && info.st_uid != geteuid()) {
		diag_error(diag, at(path), "belongs to another user");
		close(fd);
		return false;
	}
	return fd >= 0 && file_read_open(fd, path, max, out, diag);
}

bool file_read_text(const char *path, size_t max, struct buf *out, struct diag *diag)
{
	size_t before = out->len;
	if (!file_read(path, max, out, diag))
		return false;
	char *text = out->data + before;
	size_t len = out->len - before;
	if (len >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)) {
		diag_error(diag, at(path), "is text in UTF-16; save it as UTF-8");
		return false;
	}
	if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
		memmove(text, text + 3, len - 3 + 1);
		out->len -= 3;
	}
	return true;
}

bool file_exists(const char *path)
{
	return access(path, R_OK) == 0;
}

bool file_is_named(const char *path)
{
	struct stat info;
	return lstat(path, &info) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* --- below a folder --------------------------------------------------------------------------------------------------- */

/* What is left of `path`, which has no links, below `folder`; NULL: it is elsewhere. */
static const char *rest_below(const char *folder, const char *path)
{
	size_t len = strlen(folder);
	if (len && folder[len - 1] == '/')
		len--;
	return strncmp(path, folder, len) == 0 && path[len] == '/' ? path + len + 1 : NULL;
}

/* Folder by folder, none by a link. Takes over `at`. */
static int open_stepwise(int at, const char *rest)
{
	for (const char *slash; at >= 0 && (slash = strchr(rest, '/')) != NULL; rest = slash + 1) {
		char name[NAME_MAX + 1];
		size_t len = (size_t)(slash - rest);
		int next = -1;
		errno = ENAMETOOLONG;
		if (len < sizeof name) {
			memcpy(name, rest, len);
			name[len] = '\0';
			next = portable_open_folder(at, name, O_NOFOLLOW);
		}
		int why = errno;
		close(at);
		errno = why;
		at = next;
	}
	int fd = at < 0 ? -1 : openat(at, rest, OPEN_FLAGS | O_NOFOLLOW), why = errno;
	if (at >= 0)
		close(at);
	errno = why;
	return fd;
}

/* `rest` has no links and no ".."; one that is made meanwhile is refused: by the kernel, where it can (from Linux 5.6). */
static int open_relative(int folder, const char *rest)
{
#ifdef HAVE_LINUX_OPENAT2_H
	struct open_how how = {.flags = OPEN_FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
	int fd = (int)syscall(SYS_openat2, folder, rest, &how, sizeof how);
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd;
#endif
	return open_stepwise(fcntl(folder, F_DUPFD_CLOEXEC, 3), rest);
}

/* What is left of a name, its links resolved, below the folder. */
static const char *name_below(const char *real_folder, const char *name, char *real)
{
	struct buf joined = {0};
	buf_printf(&joined, "%s/%s", *name == '/' ? "" : real_folder, name);
	const char *found = realpath(joined.data, real);
	const char *rest = found ? rest_below(real_folder, real) : NULL;
	int why = found && !rest ? EXDEV : errno;
	buf_free(&joined);
	errno = why;
	return rest;
}

int file_open_below(const char *folder, const char *name)
{
	char real_folder[PATH_MAX], real[PATH_MAX];
	struct stat info;
	const char *rest = realpath(folder, real_folder) ? name_below(real_folder, name, real) : NULL;
	int base = rest ? portable_open_folder(AT_FDCWD, real_folder, 0) : -1;
	if (base < 0)
		return -1;
	int fd = -1;
	if (fstatat(base, rest, &info, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(info.st_mode))
		errno = EINVAL;
	else
		fd = open_relative(base, rest);
	int why = errno;
	close(base);
	struct diag quiet = {0};
	if (fd >= 0 && (fstat(fd, &info) != 0 || !is_plain(fd, name, &info, &quiet))) {
		close(fd);
		fd = -1;
		why = EINVAL;
	}
	diag_free(&quiet);
	errno = why;
	return fd;
}
