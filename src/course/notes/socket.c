/* Where the sockets are. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "course/notes/notes.h"

#define NAME_MAX_LEN 32

bool notes_name_check(const char *name)
{
	size_t len = strlen(name);
	return len > 0 && len <= NAME_MAX_LEN && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

bool notes_folder(struct buf *out, struct diag *diag)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	if (runtime && runtime[0] == '/')
		buf_printf(out, "%s/" PACKAGE, runtime);
	else
		buf_printf(out, "/tmp/" PACKAGE "-%u", (unsigned)geteuid());
	if (mkdir(buf_str(out), 0700) != 0 && errno != EEXIST) {
		diag_error(diag, (struct diag_pos){.file = buf_str(out)}, "the folder for notes cannot be made: %s",
			strerror(errno));
		return false;
	}

	/* A folder, no link to one, that nobody but the user can enter. */
	const char *folder = buf_str(out);
	struct stat info;
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool ok = fd >= 0 && fstat(fd, &info) == 0 && info.st_uid == geteuid() && (info.st_mode & 077) == 0;
	if (fd >= 0)
		close(fd);
	if (ok)
		return true;

	diag_error(diag, (struct diag_pos){.file = buf_str(out)},
		"the folder for notes must be yours, no link, and closed to others (chmod 700)");
	return false;
}

bool notes_address(const char *name, struct sockaddr_un *out, struct diag *diag)
{
	struct buf path = {0};
	bool ok = notes_folder(&path, diag);
	buf_printf(&path, "/%s", name);
	*out = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (ok && path.len >= sizeof out->sun_path) {
		diag_error(
			diag, (struct diag_pos){.file = buf_str(&path)}, "this is too long for the name of a socket");
		ok = false;
	}
	if (ok)
		memcpy(out->sun_path, buf_str(&path), path.len + 1);
	buf_free(&path);
	return ok;
}
