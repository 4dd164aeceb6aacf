/* base/file.h: whole files, read with a limit and written so that a crash leaves the old one. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"

/* Reads `path` ("-": standard input) into `out`. False, with a diagnostic naming the file, when it cannot be read, is a
 * folder, or holds more than `max` bytes. */
bool file_read(const char *path, size_t max, struct buf *out, struct diag *diag);

/* Writes a new file beside `path` and renames it into place; missing parent folders are made. */
bool file_write(const char *path, const char *data, size_t len, struct diag *diag);

/* A new, empty folder in $TMPDIR or /tmp, whose path belongs to the arena; NULL with an error. Whoever asked removes it. */
const char *file_make_scratch(struct arena *arena, struct diag *diag);

/* True when `path` names something that can be opened for reading. */
bool file_exists(const char *path);
