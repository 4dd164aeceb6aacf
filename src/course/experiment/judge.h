/* course/experiment/judge.h: answers, claims and texts of a lesson, judged by what the witnesses say of its experiments. */
#pragma once
#include "course/experiment/experiment.h"

/* Why there is no number when the lesson's recording lacks the launch, or has another version of its kernel. */
extern const char experiment_not_recorded[], experiment_recording_stale[];

/* The number that a judgment of the step, or one of its terms, has; false with a constant string when there is none. */
bool experiment_judge(struct experiments *set, const struct step *step, const struct judgment *judgment, double *out,
	const char **why);
bool experiment_judge_term(
	struct experiments *set, const struct step *step, const struct term *term, double *out, const char **why);

/* What a judgment's number says of a condition. */
bool experiment_is_true(double v);

/* A number agrees when it is right to half a unit of the second decimal, or to `within` of it where that is more. */
bool experiment_agrees(double typed, double right, double within);

/* Appends the text with its numbers; why one is missing stands in its place. */
void experiment_write_phrase(
	struct experiments *set, const struct step *step, const struct phrase *phrase, struct buf *out);

/* What a word of course/lesson/program_words.def is of a program; false: it is none. */
bool experiment_program_word(const struct hostlog_sums *sums, const char *word, double *out);
