/* tutor/attempt.h: the reader's own kernel of the exercise on the screen: found, compiled in the background whenever it
 * changes, graded, and shown in the place of the lesson's. Inside tutor/ only. */
#pragma once
#include <sys/stat.h>
#include <sys/types.h>

#include "base/process.h"
#include "base/scratch.h"
#include "tutor/tutor.h"

struct tutor_attempt_work {
	struct tutor_attempt shown; /* what the screen reads */
	struct arena *arena;        /* of path and step: as long as the step is open */
	const struct step *of;      /* NULL: the step on the screen is not an exercise */
	struct timespec changed;    /* of the version that was compiled last */
	off_t size;
	struct process compiler; /* pid 0: nothing is being compiled */
	struct buf said;         /* by the compiler */
	struct scratch scratch;  /* for the PTX */
	struct arena *version;   /* of the version graded: its file, step and grade */
	const struct step *mine; /* the step with the reader's kernel, NULL: none is graded */
	double looked;           /* clock_ms when the file was looked at last */
};

/* The step on the screen has changed. */
void tutor_attempt_open(struct tutor *tutor);
void tutor_attempt_close(struct tutor *tutor);

/* Puts the kernel into the reader's folder, or has it checked again. */
void tutor_attempt_edit(struct tutor *tutor);

/* The step whose experiment is shown: with the reader's kernel where there is one that runs. */
const struct step *tutor_step_to_run(const struct tutor *tutor);
