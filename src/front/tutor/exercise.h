/* front/tutor/exercise.h: the reader's own copy of an exercise's kernel. */
#pragma once
#include "base/arena.h"
#include "course/experiment/grade.h"
#include "course/lesson/lesson.h"

/* DIR/LESSON.cu; a second exercise of a lesson has the step's id in its name. */
const char *tutor_exercise_path(
	struct arena *arena, const char *dir, const struct lesson *lesson, const struct step *step);

/* Writes the kernel with the fault to `path`, unless there is a file: it is never overwritten. */
bool tutor_exercise_begin(const struct step *step, const char *path, struct diag *diag);

/* A kernel file from what was read and compiled. */
struct kernel_file *tutor_exercise_file(
	struct arena *arena, const char *path, const struct buf *source, const struct buf *ptx);
