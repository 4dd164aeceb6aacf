/* Files that are memory of several processes. */
#define _GNU_SOURCE
#include "runtime/memory/shared.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/portable.h"
#include "runtime/state.h"

#define TITLE_MARK 0x52485354u
#define FOLDER_MAX 3500
#define FILE_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define STALE_SECONDS 600

size_t shared_pages(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	return (bytes + page - 1) / page * page;
}

/* --- the folder --------------------------------------------------------------------------------------------------- */

/* Removes what processes that have ended left there: nobody holds a lock on it. */
static void remove_stale(int folder)
{
	int copy = dup(folder);
	DIR *all = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *e;
	while (all && (e = readdir(all)) != NULL) {
		struct stat status;
		if (strlen(e->d_name) != 2 * SHARED_NAME || strspn(e->d_name, "0123456789abcdef") != 2 * SHARED_NAME ||
			fstatat(folder, e->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode) ||
			time(NULL) - status.st_ctime < STALE_SECONDS)
			continue;
		int file = openat(folder, e->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (file < 0)
			continue;
		if (flock(file, LOCK_EX | LOCK_NB) == 0)
			unlinkat(folder, e->d_name, 0);
		close(file);
	}
	if (all)
		closedir(all);
}

/* The folder, opened, if it is the user's alone; else -1, with the reason on standard error. */
static int open_folder(void)
{
	static int folder = -1;
	char path[FOLDER_MAX + 64];
	struct stat status;
	if (folder >= 0)
		return folder;
	const char *given = getenv("SIMTTUTOR_SHARED"), *temporary = getenv("TMPDIR");
	if (given && *given)
		snprintf(path, sizeof path, "%.*s", FOLDER_MAX, given);
	else
		snprintf(path, sizeof path, "%.*s/simttutor-shared-%lu", FOLDER_MAX,
			temporary && *temporary ? temporary : "/tmp", (unsigned long)geteuid());
	if (!(given && *given) && mkdir(path, 0700) != 0 && errno != EEXIST) {
		runtime_warn("%s: no folder for memory that processes share: %s", path, strerror(errno));
		return -1;
	}
	folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0 || fstat(folder, &status) != 0) {
		runtime_warn("%s: no folder for memory that processes share: %s", path, strerror(errno));
	} else if (status.st_uid != geteuid() || status.st_mode & 077) {
		runtime_warn("%s is not used for memory that processes share: it is not this user's alone", path);
		close(folder);
		folder = -1;
	} else {
		remove_stale(folder);
	}
	return folder;
}

static void spell(const uint8_t *name, char *out)
{
	for (int i = 0; i < SHARED_NAME; i++)
		snprintf(out + 2 * i, 3, "%02x", name[i]);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static int new_file(const struct shared_title *title, uint8_t *name)
{
	char path[2 * SHARED_NAME + 1];
	/* Nobody can take pages from what is sealed. Where such files are not allowed, as in `simttutor run`, it is one
	 * of the folder, of which its own processes alone know. */
	int file = name ? -1 : memfd_create("simttutor-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	bool seals = file >= 0;
	if (file < 0) {
		int folder = open_folder();
		if (folder < 0)
			return -1;
		if (!name) {
			file = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		} else if (portable_random(name, SHARED_NAME)) {
			spell(name, path);
			file = openat(folder, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		}
	}
	size_t bytes = shared_pages(title->bytes);
	if (file >= 0 && ftruncate(file, (off_t)(bytes + shared_pages(sizeof *title))) == 0 &&
		pwrite(file, title, sizeof *title, (off_t)bytes) == (ssize_t)sizeof *title &&
		flock(file, LOCK_SH | LOCK_NB) == 0 && (!seals || fcntl(file, F_ADD_SEALS, FILE_SEALS) == 0))
		return file;
	runtime_warn("no memory that processes share: %s", strerror(errno));
	if (file >= 0)
		close(file);
	return -1;
}

int shared_make(const struct shared_title *asked, uint8_t *name)
{
	struct shared_title title = *asked;
	title.mark = TITLE_MARK;
	return new_file(&title, name);
}

int shared_open(const uint8_t *name)
{
	char path[2 * SHARED_NAME + 1];
	int folder = open_folder();
	spell(name, path);
	return folder < 0 ? -1 : openat(folder, path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

void shared_remove(const uint8_t *name)
{
	char path[2 * SHARED_NAME + 1];
	int folder = open_folder();
	spell(name, path);
	if (folder >= 0)
		unlinkat(folder, path, 0);
}

bool shared_read(int file, enum shared_kind kind, struct shared_title *title, ino_t *number)
{
	struct stat status;
	size_t last = shared_pages(sizeof *title);
	if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
		(fcntl(file, F_GETFL) & O_ACCMODE) != O_RDWR || status.st_size <= (off_t)last ||
		pread(file, title, sizeof *title, status.st_size - (off_t)last) != (ssize_t)sizeof *title)
		return false;
	*number = status.st_ino;
	return title->mark == TITLE_MARK && title->kind == (uint32_t)kind && title->bytes &&
		title->bytes <= (uint64_t)status.st_size &&
		shared_pages(title->bytes) == (size_t)status.st_size - last && title->device >= 0 &&
		title->device < RUNTIME_DEVICES_MAX && title->compression >= 0 && title->compression <= 1;
}

void *shared_map(int file, const struct shared_title *title)
{
	void *at = mmap(NULL, shared_pages(title->bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	return at == MAP_FAILED ? NULL : at;
}
