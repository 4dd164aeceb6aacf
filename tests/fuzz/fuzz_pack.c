/* Fuzz target of archives of courses. The input is a tar file; libarchive finds by itself what compresses it. Whatever
 * it holds, what is made of it lies in its own folder, in plain files and folders with plain names. */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pack.h"
#include "base/paths.h"
#include "tools/sandbox/sandbox.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(struct arena *arena, const char *folder)
{
	DIR *dir = opendir(folder);
	for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
		struct stat info;
		const char *path = path_join(arena, folder, entry->d_name);
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (pack_name_fault(entry->d_name) || lstat(path, &info) != 0)
			abort();
		if (S_ISDIR(info.st_mode))
			look_at(arena, path);
		else if (!S_ISREG(info.st_mode))
			abort();
	}
	if (dir)
		closedir(dir);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	char around[] = "/tmp/simttutor-fuzz-XXXXXX";
	if (!mkdtemp(around))
		abort();
	const char *archive = path_join(arena, around, "archive"), *into = path_join(arena, around, "into");
	if (mkdir(into, 0700) != 0 || !file_write(archive, (const char *)data, size, &diag))
		abort();
	const char *top = pack_extract(arena, archive, into, &diag);
	if ((top == NULL) != (diag.errors > 0) && !pack_absence())
		abort();
	look_at(arena, into);
	struct scratch folder = {.path = around, .fd = open(around, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	scratch_remove_folder(&folder);
	close(folder.fd);
	if (access(around, F_OK) == 0)
		abort();
	diag_free(&diag);
	arena_free(arena);
	return 0;
}

#include "replay.h"
