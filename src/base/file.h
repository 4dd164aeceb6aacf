/* base/file.h: whole files, read with a limit and written so that a crash leaves the old one.
 *
 * Names may come from anyone, so nothing here waits for a file without end: what is read is a regular file outside
 * /proc, or a descriptor that whoever started the program opened ("-", /dev/stdin, /dev/fd/N). */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"

/* --- descriptors -------------------------------------------------------------------------------------------------- */

/* Reads what there is, up to `most` bytes, or all `len` bytes; a signal between is nothing, and a descriptor that does
 * not wait is waited for. The number of bytes, 0 at the end, -1 with errno; false with errno, or at the end. */
ssize_t file_get(int fd, void *data, size_t most);
bool file_get_all(int fd, void *data, size_t len);

/* Writes all of it, in the same way. False with errno. Safe in a signal handler. */
bool file_put(int fd, const void *data, size_t len);

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Reads `path` ("-": standard input) into `out`. False, with a diagnostic naming the file, when it cannot be read, is
 * no regular file, or holds more than `max` bytes. */
bool file_read(const char *path, size_t max, struct buf *out, struct diag *diag);

/* The same for text in UTF-8, without the byte order mark that some editors put before it, and with the line ends of
 * Windows as any others. Text in UTF-16 is an error. */
bool file_read_text(const char *path, size_t max, struct buf *out, struct diag *diag);

/* The same as file_read for a file that must belong to the user. */
bool file_read_private(const char *path, size_t max, struct buf *out, struct diag *diag);

/* True when `path` names something that can be opened for reading. */
bool file_exists(const char *path);

/* True when a folder has the name, or one cannot tell; it may be that of a link to nothing, or of what cannot be
 * read. */
bool file_is_named(const char *path);

/* Opens a regular file that lies below `folder`, whatever links and ".." are on the way; an absolute name must lead
 * there, too. A descriptor, or -1: errno is EXDEV when the file is elsewhere, EINVAL when it is no regular file. */
int file_open_below(const char *folder, const char *name);

/* Opens a regular file, or with an error returns -1. */
int file_open(const char *path, struct diag *diag);

/* Reads what these open, and closes it. */
bool file_read_open(int fd, const char *path, size_t max, struct buf *out, struct diag *diag);

/* The same as file_read_text for it. */
bool file_read_open_text(int fd, const char *path, size_t max, struct buf *out, struct diag *diag);

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Writes a new file with a name of its own in the same folder, and renames it into place; missing parent folders are
 * made. Links are followed; mode, owner and group of a file that is replaced are kept, where that is permitted. One
 * that is read-only is not replaced, by root neither. A device or a FIFO is written to as it is, a descriptor
 * (/dev/stdout, /dev/fd/N) too. */
bool file_write(const char *path, const char *data, size_t len, struct diag *diag);

/* The same, but an error where something has the name already. */
bool file_create(const char *path, const char *data, size_t len, struct diag *diag);

/* The same as file_write, for the user alone: mode 0600, in folders of mode 0700. A file of someone else is not
 * replaced. */
bool file_write_private(const char *path, const char *data, size_t len, struct diag *diag);

/* Makes the folders that `path` lies in. A failure shows when the file is opened. */
void file_make_parents(const char *path, unsigned mode);

/* Gives a file a name that nothing has. False with errno, EEXIST where something has it. */
bool file_rename_new(const char *from, const char *to);

/* Makes an existing folder, which must be the user's, accessible for the user alone. A missing one is fine. */
bool file_make_folder_private(const char *folder, struct diag *diag);

/* Removes what interrupted writes left in a folder: the user's own files with the names that file_write makes up, some
 * time after they were last written to. */
void file_remove_leftovers(const char *folder);

/* The open descriptor that `path` names: 1 for /dev/stdout, N for /dev/fd/N or /proc/self/fd/N; else -1. */
int file_descriptor(const char *path);

/* "a folder", "a device" and so on; NULL: a regular file. */
const char *file_kind(unsigned mode);
