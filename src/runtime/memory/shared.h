/* runtime/memory/shared.h: memory that processes have in common. Inside runtime/ only.
 *
 * It is a file: one without a name, which is passed on as a descriptor, or one with a name of 16 random bytes in a
 * folder of the user's own, for those who know the name. The folder is SIMTTUTOR_SHARED, which `simttutor run` makes
 * anew for each program and all that it starts; without it, one in TMPDIR or /tmp. What comes from another process, a
 * descriptor or a name, is taken only if it is such a file of this user's, with the title that it was given. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SHARED_NAME 16 /* bytes */

/* What a file says of itself, after its memory. */
struct shared_title {
	uint32_t mark, kind;
	uint64_t bytes;
	int32_t device, compression;
};
enum shared_kind { SHARED_VIRTUAL = 1, SHARED_ALLOCATION, SHARED_EVENT };

/* The file has so many zeros, of memory, and its title. It has no name where `name` is NULL, else that is given out.
 * -1: there is none, which is reported on standard error. */
int shared_make(const struct shared_title *asked, uint8_t *name);
int shared_open(const uint8_t *name);
void shared_remove(const uint8_t *name);

/* Whether the descriptor is such a file of that kind; its title, and its number among files. */
bool shared_read(int file, enum shared_kind kind, struct shared_title *title, ino_t *number);

/* Its memory; NULL: this process has no addresses for it. */
void *shared_map(int file, const struct shared_title *title);
size_t shared_pages(size_t bytes); /* as many bytes as are mapped */
