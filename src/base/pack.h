/* base/pack.h: folders as archives, tar compressed by xz.
 *
 * The same files give the same bytes: names in order, no times, no owners. What is read may be a stranger's: only
 * folders and regular files below one folder, with names as pack_name_fault wants them, are made, in a new folder of
 * ours, and within limits. Links, devices and everything else is an error that names the entry.
 *
 * libarchive does the work. It is opened when it is needed, since with it come nine other libraries. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

#define PACK_FILES_MAX 10000
#define PACK_FILE_MAX ((size_t)32 << 20)
#define PACK_TOTAL_MAX ((uint64_t)256 << 20) /* bytes of all files */
#define PACK_NAME_MAX 200
#define PACK_DEPTH_MAX 12

struct pack_file {
	const char *name; /* below the archive's one folder, with slashes between */
	const char *path;
};

/* NULL, or why archives can be neither made nor read here (constant). */
const char *pack_absence(void);

/* NULL, or why a relative name of a file can be no archive's (constant): it has letters, digits and ._+- alone in each
 * part, which begins with a letter or digit or _, and leads nowhere but down. */
const char *pack_name_fault(const char *name);

/* Writes an archive whose one folder is called `folder`; a file of that name is replaced only by a whole one. The order
 * of `files` is the order there. False with an error. */
bool pack_write(const char *archive, const char *folder, const struct pack_file *files, size_t n, struct diag *diag);

/* Makes what is in the archive in `into`, an empty folder, without the name of its one folder, which is returned, in
 * the arena. Names that begin with a dot, as a host's own files do, are passed over. NULL with an error; files may have
 * been made by then. */
const char *pack_extract(struct arena *arena, const char *archive, const char *into, struct diag *diag);
