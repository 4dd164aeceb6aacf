#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/paths.h"

static struct diag_pos at(const char *path)
{
	return (struct diag_pos){.file = path};
}

static bool read_all(int fd, const char *path, size_t max, struct buf *out, struct diag *diag)
{
	for (;;) {
		buf_reserve(out, 65536);
		ssize_t n = read(fd, out->data + out->len, 65536);
		if (n < 0 && errno == EINTR)
			continue;
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

bool file_read(const char *path, size_t max, struct buf *out, struct diag *diag)
{
	if (strcmp(path, "-") == 0)
		return read_all(STDIN_FILENO, "standard input", max, out, diag);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		diag_error(diag, at(path), "cannot open: %s", strerror(errno));
		return false;
	}
	bool ok = read_all(fd, path, max, out, diag);
	close(fd);
	return ok;
}

/* Makes the folders `path` lies in. A failure shows when the file is opened. */
static void make_parents(const char *path)
{
	char *copy = base_strdup(path);
	for (char *p = copy + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		(void)mkdir(copy, 0777);
		*p = '/';
	}
	free(copy);
}

static bool write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

bool file_write(const char *path, const char *data, size_t len, struct diag *diag)
{
	make_parents(path);
	struct buf temporary = {0};
	buf_printf(&temporary, "%s.%ld.new", path, (long)getpid());
	int fd = open(temporary.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool ok = fd >= 0 && write_all(fd, data, len) && fsync(fd) == 0;
	int why = errno;
	if (fd >= 0 && close(fd) != 0 && ok) {
		ok = false;
		why = errno;
	}
	if (ok && rename(temporary.data, path) != 0) {
		ok = false;
		why = errno;
	}
	if (!ok) {
		if (fd >= 0)
			(void)unlink(temporary.data);
		diag_error(diag, at(path), "cannot write: %s", strerror(why));
	}
	buf_free(&temporary);
	return ok;
}

bool file_exists(const char *path)
{
	return access(path, R_OK) == 0;
}

const char *file_make_scratch(struct arena *arena, struct diag *diag)
{
	const char *root = getenv("TMPDIR");
	char *path = path_join(arena, root && *root ? root : "/tmp", "simttutor-XXXXXX");
	if (mkdtemp(path))
		return path;
	diag_error(diag, at(path), "cannot be made: %s", strerror(errno));
	return NULL;
}
