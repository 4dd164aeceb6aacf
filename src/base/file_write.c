/* Writing. */
#include "config.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/portable.h"

#define TEMPORARY ".simttutor-new-"
#define TEMPORARY_DIGITS 16
#define LEFTOVER_S 600        /* a write of that age is no longer under way */
#define FIFO_WAIT_MS 1000.0   /* for somebody to read */
#define FIFO_LOOK_NS 20000000 /* how often that is looked for */

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

/* Makes the folders that `path` lies in; whoever makes one can use it, whatever the umask. `*made` is how much of the path names the first
 * that was missing, 0: none was. False with errno. */
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

/* Removes those that make_folders made, the inner ones first. */
static void remove_folders(const char *path, size_t made)
{
	char *copy = base_strdup(path);
	for (size_t at = strlen(copy); made && at >= made; at--)
		if (copy[at] == '/' || at == made) {
			copy[at] = '\0';
			(void)rmdir(copy);
		}
	free(copy);
}

void file_make_parents(const char *path, unsigned mode)
{
	size_t made;
	(void)make_folders(path, mode, &made);
}

/* --- temporary files -------------------------------------------------------------------------------------------------- */

static bool is_temporary(const char *name)
{
	size_t len = sizeof TEMPORARY - 1;
	return strncmp(name, TEMPORARY, len) == 0 && strspn(name + len, "0123456789abcdef") == TEMPORARY_DIGITS &&
		strlen(name) == len + TEMPORARY_DIGITS;
}

void file_remove_leftovers(const char *folder)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));) {
		struct stat info;
		if (is_temporary(entry->d_name) &&
			fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode) &&
			info.st_uid == geteuid() && time(NULL) - info.st_mtime > LEFTOVER_S)
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

/* The names in a folder outlive a crash once the folder is written, too. */
static void sync_folder(const char *path)
{
	struct buf folder = {0};
	buf_printf(&folder, "%.*s", (int)folder_length(path), path);
	int fd = open(folder.len ? folder.data : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
	buf_free(&folder);
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

/* Owner, group and mode of the file that is replaced; without its group, the group permissions are dropped. */
static void keep_attributes(int fd, const struct stat *old, enum write_how how)
{
	mode_t mode = how == WRITE_PRIVATE ? 0600 : old->st_mode & 0777;
	struct stat now;
	bool same = fstat(fd, &now) == 0 && now.st_uid == old->st_uid && now.st_gid == old->st_gid;
	if (!same && fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0)
		mode &= (mode_t)~070;
	(void)fchmod(fd, mode);
}

/* Writes the new file and gives it the name `path`; `old` is what has that name, NULL: nothing. */
static bool write_beside(const struct writing *w, const char *path, const struct stat *old)
{
	struct buf temporary = {0};
	int fd = open_temporary(path, old || w->how == WRITE_PRIVATE ? 0600 : 0666, &temporary);
	int why = errno;
	bool ok = fd >= 0;
	if (ok && old)
		keep_attributes(fd, old, w->how);
	else if (ok && w->how == WRITE_PRIVATE)
		(void)fchmod(fd, 0600); /* whatever the umask */
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
	if (ok && w->how == WRITE_PRIVATE)
		sync_folder(path);
	if (!ok && fd >= 0)
		(void)unlink(temporary.data);
	buf_free(&temporary);
	return ok || refuse(w, strerror(why));
}

/* --- what is there ---------------------------------------------------------------------------------------------------- */

static bool write_new(const struct writing *w)
{
	struct stat info;
	if (lstat(w->path, &info) == 0)
		return refuse(w, "it is a link to a file that does not exist");
	size_t made;
	bool ok = make_folders(w->path, w->how == WRITE_PRIVATE ? 0700 : 0777, &made) || refuse(w, strerror(errno));
	ok = ok && write_beside(w, w->path, NULL);
	if (!ok && made) {
		remove_folders(w->path, made);
		diag_note(w->diag, (struct diag_pos){.file = w->path}, "the folders that were made for it are removed");
	}
	return ok;
}

/* Opens what is there, without waiting for a FIFO's reader. The kernel says whether this user may write to it, and follow a link
 * that somebody else may have made. */
static int open_existing(const char *path, struct stat *info)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && fstat(fd, info) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool replace_file(const struct writing *w)
{
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

/* The bytes go to whoever has the other end; closed by the caller. */
static bool write_open(const struct writing *w, int fd)
{
	return file_put(fd, w->data, w->len) || refuse(w, strerror(errno));
}

static bool write_in_place(const struct writing *w, mode_t mode)
{
	struct stat info;
	const struct timespec pause = {.tv_nsec = FIFO_LOOK_NS};
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
	if (S_ISREG(info.st_mode))
		return replace_file(w);
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
