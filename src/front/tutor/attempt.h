/* front/tutor/attempt.h: the reader's own kernel of the exercise on the screen: found, compiled in the background whenever it
 * changes, graded, and shown in the place of the lesson's. Inside tutor/ only. */
#pragma once
#include "front/tutor/recompile.h"

struct tutor_attempt_work {
	struct tutor_attempt shown; /* what the screen reads */
	struct arena *arena;        /* of path and step: as long as the step is open */
	const struct step *of;      /* NULL: the step on the screen is not an exercise */
	struct recompile file;
	struct arena *version;   /* of the version graded: its file, step and grade */
	const struct step *mine; /* the step with the reader's kernel, NULL: none is graded */
	const struct tutor *tutor;
	struct tutor_compiler grader; /* of a whole program: makes its grade where others make PTX */
};

/* The step on the screen has changed. */
void tutor_attempt_open(struct tutor *tutor);
void tutor_attempt_close(struct tutor *tutor);

/* Puts the kernel into the reader's folder, or has it checked again. */
void tutor_attempt_edit(struct tutor *tutor);

/* The step whose experiment is shown: with the reader's kernel where there is one that runs. */
const struct step *tutor_step_to_run(const struct tutor *tutor);
