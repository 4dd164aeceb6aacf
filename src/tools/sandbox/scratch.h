/* tools/sandbox/scratch.h: private folders (mode 0700) for what a program that we start reads and writes.
 *
 * Their paths are made of letters, digits and ./_+@,=- alone, so that a compiler can hand them to a shell. They lie in $TMPDIR,
 * or in /tmp where that is not set, is relative, has other characters, is another user's, or lets others rename what is in it. A folder is locked while it is in
 * use; what a program that was killed left behind is removed when the next one is made. */
#pragma once
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

struct scratch {
	const char *path; /* absolute, without links, in the arena; NULL: there is none */
	int fd;           /* the folder, locked */
	bool held;        /* signals wait; `before` is the mask to return to */
	sigset_t before;
};

#define SCRATCH_NONE ((struct scratch){.fd = -1})

/* Makes all folders of this process in that one, from now on; both arguments last as long. `note`: why TMPDIR was passed over, for the
 * first who makes one; NULL: it was not. */
void scratch_set_root(const char *path, const char *note);

/* That one, or NULL. */
const char *scratch_root(void);

/* Makes a folder. False with an error; a note where TMPDIR is passed over. */
bool scratch_make(struct scratch *scratch, struct arena *arena, struct diag *diag);

/* The same, and the signals by which a terminal, a shell or a system ends a program wait until scratch_remove, so that nothing
 * is left behind. leash_run sees them. */
bool scratch_make_held(struct scratch *scratch, struct arena *arena, struct diag *diag);

/* Removes the folder with all that is in it; fine when there is none. A signal that waited arrives. */
void scratch_remove(struct scratch *scratch);

/* Empties and removes the folder alone: for a process that shares it with one that is gone. */
void scratch_remove_folder(const struct scratch *scratch);

/* Makes a file, or a symbolic link. False with an error. */
bool scratch_write(const struct scratch *scratch, const char *name, const char *data, size_t len, struct diag *diag);
bool scratch_link(const struct scratch *scratch, const char *name, const char *target, struct diag *diag);

/* The bytes that all in it takes on the disk. */
uint64_t scratch_size(const struct scratch *scratch);

/* Puts those of the signals above that are not ignored into `out`. */
void scratch_signals(sigset_t *out);
