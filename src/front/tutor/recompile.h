/* front/tutor/recompile.h: a kernel of the reader's that is compiled in the background whenever its file changes. Inside tutor/ only. */
#pragma once
#include <sys/stat.h>
#include <sys/types.h>

#include "front/tutor/tutor.h"
#include "tools/sandbox/process.h"
#include "tools/sandbox/sandbox.h"

struct recompile {
	const char *path;
	struct arena *arena; /* of the owner: as long as this */
	struct timespec changed;
	off_t size;              /* of the version that was compiled last; -1: of none */
	struct process compiler; /* pid 0: nothing is being compiled */
	struct buf said;         /* by the compiler */
	struct scratch scratch;  /* for the PTX */
	double looked;           /* clock_ms when the file was looked at last */
};

enum recompile_event {
	RECOMPILE_NOTHING,
	RECOMPILE_GONE,     /* there is no such file */
	RECOMPILE_STARTED,  /* it is another than the one compiled last */
	RECOMPILE_FAILED,   /* it could not be: `why` of recompile_step */
	RECOMPILE_REFUSED,  /* `said` has what the compiler says */
	RECOMPILE_COMPILED, /* recompile_ptx can be read until recompile_done */
};

void recompile_begin(struct recompile *r, struct arena *arena, const char *path);
/* Stops the compiler and removes what it made. */
void recompile_end(struct recompile *r);

/* The file as it is counts as compiled. */
void recompile_skip(struct recompile *r);
/* It is compiled at the next step, changed or not. */
void recompile_again(struct recompile *r);

/* Looks whether the file has changed, at most so often, or what became of the compiler. */
enum recompile_event recompile_step(struct recompile *r, const struct tutor_compiler *compiler, const char **why);
/* The same, at once. */
enum recompile_event recompile_look(struct recompile *r, const struct tutor_compiler *compiler, const char **why);
int recompile_timeout_ms(const struct recompile *r);

const char *recompile_ptx(const struct recompile *r);
void recompile_done(struct recompile *r);

/* What the compiler said, as a screen shows it: names of files without the folder of the kernel's, and without our own line about the
 * messages above it. In `arena`. */
const char *recompile_log(const struct recompile *r, struct arena *arena);
/* Any message, likewise. */
const char *recompile_message(const struct recompile *r, struct arena *arena, const char *message);
