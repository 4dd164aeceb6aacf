#include "config.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
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

/* --- descriptors -------------------------------------------------------------------------------------------------- */

/* Whether a call that failed is to be made again: after a signal, and, of a descriptor that does not wait, when it is
 * ready. */
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

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Room for nearly all files at once, for growing copies. It is also what glibc's malloc learns from: once a block of so
 * much was freed, it keeps 1 MiB, which the runs of a lesson's kernel use again and again, instead of returning it
 * after each. */
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

/* What was read behind `before`, as file_read_text promises it. False with an error. */
static bool make_plain(const char *path, size_t before, struct buf *out, struct diag *diag)
{
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

	char *to = memchr(text, '\r', out->len - before);
	for (char *from = to, *end = out->data + out->len; from && from < end; from++)
		if (*from != '\r' || from + 1 == end || from[1] != '\n')
			*to++ = *from;
	if (to) {
		*to = '\0';
		out->len = (size_t)(to - out->data);
	}
	return true;
}

bool file_read_text(const char *path, size_t max, struct buf *out, struct diag *diag)
{
	size_t before = out->len;
	return file_read(path, max, out, diag) && (out->len == before || make_plain(path, before, out, diag));
}

bool file_read_open_text(int fd, const char *path, size_t max, struct buf *out, struct diag *diag)
{
	size_t before = out->len;
	return file_read_open(fd, path, max, out, diag) && (out->len == before || make_plain(path, before, out, diag));
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

/* --- below a folder ----------------------------------------------------------------------------------------------- */

/* `rest` has no links and no ".."; one that is made meanwhile is refused: by the kernel, where it can (from Linux
 * 5.6). */
static int open_relative(int folder, const char *rest)
{
#ifdef HAVE_LINUX_OPENAT2_H
	struct open_how how = {.flags = OPEN_FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
	int fd = (int)syscall(SYS_openat2, folder, rest, &how, sizeof how);
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd;
#endif

	/* Folder by folder, none by a link. */
	int at = fcntl(folder, F_DUPFD_CLOEXEC, 3);
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
	int found = at < 0 ? -1 : openat(at, rest, OPEN_FLAGS | O_NOFOLLOW), why = errno;
	if (at >= 0)
		close(at);
	errno = why;
	return found;
}

int file_open_below(const char *folder, const char *name)
{
	char real_folder[PATH_MAX], real[PATH_MAX];
	struct stat info;
	const char *rest = NULL;
	if (realpath(folder, real_folder)) {
		/* What is left of the name, its links resolved, below the folder. */
		struct buf joined = {0};
		buf_printf(&joined, "%s/%s", *name == '/' ? "" : real_folder, name);
		const char *found = realpath(joined.data, real);
		if (found) {
			size_t len = strlen(real_folder);
			if (len && real_folder[len - 1] == '/')
				len--;
			rest = strncmp(real, real_folder, len) == 0 && real[len] == '/' ? real + len + 1 : NULL;
		}
		int why = found && !rest ? EXDEV : errno;
		buf_free(&joined);
		errno = why;
	}
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

/* --- writing ------------------------------------------------------------------------------------------------------ */

#define TEMPORARY ".simttutor-new-"
#define TEMPORARY_DIGITS 16
#define LEFTOVER_S 600        /* a write of that age is no longer under way */
#define FIFO_WAIT_MS 1000.0   /* for somebody to read */
#define FIFO_POLL_NS 20000000 /* how often that is looked for */

enum write_how { WRITE_REPLACE, WRITE_CREATE, WRITE_PRIVATE };

struct writing {
	const char *path;
	const char *data;
	size_t len;
	enum write_how how;
	struct diag *diag;
};

static bool refuse(const struct writing *w, const char *why)
{
	diag_error(w->diag, (struct diag_pos){.file = w->path}, "cannot write: %s", why);
	return false;
}

/* Makes the folders that `path` lies in; whoever makes one can use it, whatever the umask. `*made` is how much of the
 * path names the first that was missing, 0: none was. False with errno. */
static bool make_folders(const char *path, unsigned mode, size_t *made)
{
	char *copy = base_strdup(path);
	struct stat info;
	mode_t before = umask(077);
	bool ok = true;
	int why = 0;
	umask(before & 077);
	*made = 0;
	for (char *p = copy; *p && ok; p++) {
		if (*p != '/' || p == copy)
			continue;
		*p = '\0';
		bool is_new = mkdir(copy, mode) == 0;
		why = errno;
		ok = is_new || why == EEXIST || (stat(copy, &info) == 0 && S_ISDIR(info.st_mode));
		if (is_new && !*made)
			*made = (size_t)(p - copy);
		*p = '/';
	}
	umask(before);
	free(copy);
	errno = why;
	return ok;
}

void file_make_parents(const char *path, unsigned mode)
{
	size_t made;
	(void)make_folders(path, mode, &made);
}

/* --- temporary files ---------------------------------------------------------------------------------------------- */

void file_remove_leftovers(const char *folder)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));) {
		struct stat info;
		size_t len = sizeof TEMPORARY - 1;
		bool is_temporary = strncmp(entry->d_name, TEMPORARY, len) == 0 &&
			strspn(entry->d_name + len, "0123456789abcdef") == TEMPORARY_DIGITS &&
			strlen(entry->d_name) == len + TEMPORARY_DIGITS;
		if (is_temporary && fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
			S_ISREG(info.st_mode) && info.st_uid == geteuid() && time(NULL) - info.st_mtime > LEFTOVER_S)
			(void)unlinkat(dirfd(dir), entry->d_name, 0);
	}
	closedir(dir);
}

/* The folder of `path`, which ends before the returned length; 0: the current one. */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash + 1 - path) : 0;
}

/* A new file in the folder of `path`, with an unpredictable name, which goes to `name`. -1 with errno. */
static int open_temporary(const char *path, mode_t mode, struct buf *name)
{
	for (int i = 0; i < 10; i++) {
		uint64_t random;
		if (!portable_random(&random, sizeof random))
			return -1;
		buf_clear(name);
		buf_printf(name, "%.*s" TEMPORARY "%016" PRIx64, (int)folder_length(path), path, random);
		int fd = open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

bool file_rename_new(const char *from, const char *to)
{
#ifdef HAVE_RENAMEAT2
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
#endif
	return link(from, to) == 0 && unlink(from) == 0; /* a file system, or a C library, that cannot do it at once */
}

/* Writes the new file and gives it the name `path`; `old` is what has that name, NULL: nothing. */
static bool write_beside(const struct writing *w, const char *path, const struct stat *old)
{
	struct buf temporary = {0};
	int fd = open_temporary(path, old || w->how == WRITE_PRIVATE ? 0600 : 0666, &temporary);
	int why = errno;
	bool ok = fd >= 0;
	if (ok && old) {
		/* Owner, group and mode of the file that is replaced; without its group, the group permissions are
		 * dropped. */
		mode_t mode = w->how == WRITE_PRIVATE ? 0600 : old->st_mode & 0777;
		struct stat now;
		bool same = fstat(fd, &now) == 0 && now.st_uid == old->st_uid && now.st_gid == old->st_gid;
		if (!same && fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0)
			mode &= (mode_t)~070;
		(void)fchmod(fd, mode);
	} else if (ok && w->how == WRITE_PRIVATE) {
		(void)fchmod(fd, 0600); /* whatever the umask */
	}
	if (ok) {
		ok = file_put(fd, w->data, w->len) && fsync(fd) == 0;
		why = errno;
	}
	if (fd >= 0 && close(fd) != 0 && ok) {
		ok = false;
		why = errno;
	}
	if (ok) {
		ok = old ? rename(temporary.data, path) == 0 : file_rename_new(temporary.data, path);
		why = errno;
	}
	if (ok && w->how == WRITE_PRIVATE) {
		/* The names in a folder outlive a crash once the folder is written, too. */
		struct buf folder = {0};
		buf_printf(&folder, "%.*s", (int)folder_length(path), path);
		int folder_fd = open(folder.len ? folder.data : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (folder_fd >= 0) {
			(void)fsync(folder_fd);
			close(folder_fd);
		}
		buf_free(&folder);
	}
	if (!ok && fd >= 0)
		(void)unlink(temporary.data);
	buf_free(&temporary);
	return ok || refuse(w, strerror(why));
}

/* --- what is there ------------------------------------------------------------------------------------------------ */

static bool write_new(const struct writing *w)
{
	struct stat info;
	if (lstat(w->path, &info) == 0)
		return refuse(w, "it is a link to a file that does not exist");
	size_t made;
	bool ok = make_folders(w->path, w->how == WRITE_PRIVATE ? 0700 : 0777, &made) || refuse(w, strerror(errno));
	ok = ok && write_beside(w, w->path, NULL);
	if (!ok && made) {
		/* Those that make_folders made, the inner ones first. */
		char *copy = base_strdup(w->path);
		for (size_t at = strlen(copy); made && at >= made; at--)
			if (copy[at] == '/' || at == made) {
				copy[at] = '\0';
				(void)rmdir(copy);
			}
		free(copy);

		diag_note(w->diag, (struct diag_pos){.file = w->path}, "the folders that were made for it are removed");
	}
	return ok;
}

/* Opens what is there, without waiting for a FIFO's reader. The kernel says whether this user may write to it, and
 * follow a link that somebody else may have made. */
static int open_existing(const char *path, struct stat *info)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && fstat(fd, info) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The bytes go to whoever has the other end; closed by the caller. */
static bool write_open(const struct writing *w, int fd)
{
	return file_put(fd, w->data, w->len) || refuse(w, strerror(errno));
}

static bool write_in_place(const struct writing *w, mode_t mode)
{
	struct stat info;
	const struct timespec pause = {.tv_nsec = FIFO_POLL_NS};
	double start = clock_ms();
	int fd = open_existing(w->path, &info);
	while (fd < 0 && errno == ENXIO && S_ISFIFO(mode) && clock_ms() - start < FIFO_WAIT_MS) {
		nanosleep(&pause, NULL);
		fd = open_existing(w->path, &info);
	}
	if (fd < 0 && errno == ENXIO && S_ISFIFO(mode))
		return refuse(w, "that FIFO has no reader");
	if (fd < 0)
		return refuse(w, S_ISSOCK(mode) ? "it is a socket" : strerror(errno));
	(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	bool ok = S_ISREG(info.st_mode) ? refuse(w, "the file there was exchanged meanwhile") : write_open(w, fd);
	if (close(fd) != 0 && ok)
		ok = refuse(w, strerror(errno));
	return ok;
}

static bool write_somewhere(const struct writing *w)
{
	struct stat info;
	int descriptor = file_descriptor(w->path);
	if (descriptor >= 0)
		return write_open(w, descriptor);
	if (stat(w->path, &info) != 0)
		return errno == ENOENT ? write_new(w) : refuse(w, strerror(errno));
	if (w->how == WRITE_CREATE)
		return refuse(w, strerror(EEXIST));
	if (S_ISREG(info.st_mode)) {
		struct stat old, named;
		char real[PATH_MAX];
		int fd = open_existing(w->path, &old);
		if (fd < 0)
			return refuse(w, strerror(errno));
		close(fd);
		if (!(old.st_mode & 0222))
			return refuse(w, "the file there is read-only");
		if (w->how == WRITE_PRIVATE && old.st_uid != geteuid())
			return refuse(w, "the file there belongs to another user");
		if (!realpath(w->path, real) || lstat(real, &named) != 0)
			return refuse(w, strerror(errno));
		if (!S_ISREG(old.st_mode) || named.st_dev != old.st_dev || named.st_ino != old.st_ino)
			return refuse(w, "the file there was exchanged meanwhile");
		return write_beside(w, real, &old);
	}
	return w->how == WRITE_PRIVATE ? refuse(w, "it is no regular file") : write_in_place(w, info.st_mode);
}

bool file_write(const char *path, const char *data, size_t len, struct diag *diag)
{
	return write_somewhere(&(struct writing){path, data, len, WRITE_REPLACE, diag});
}

bool file_create(const char *path, const char *data, size_t len, struct diag *diag)
{
	return write_somewhere(&(struct writing){path, data, len, WRITE_CREATE, diag});
}

bool file_write_private(const char *path, const char *data, size_t len, struct diag *diag)
{
	return write_somewhere(&(struct writing){path, data, len, WRITE_PRIVATE, diag});
}

bool file_make_folder_private(const char *folder, struct diag *diag)
{
	struct stat info;
	struct diag_pos pos = {.file = folder};
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return true;
	bool ok = fd >= 0 && fstat(fd, &info) == 0;
	if (!ok)
		diag_error(diag, pos, "cannot open: %s", strerror(errno));
	else if (info.st_uid != geteuid()) {
		diag_error(diag, pos, "belongs to another user");
		ok = false;
	} else if ((info.st_mode & 077) && fchmod(fd, info.st_mode & 0700) != 0) {
		diag_error(diag, pos, "cannot be made private: %s", strerror(errno));
		ok = false;
	}
	if (fd >= 0)
		close(fd);
	return ok;
}
