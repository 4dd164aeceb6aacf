/* course/lesson/course.h: a course: a folder with lessons, their kernels, and course.yaml, which says what it is. */
#pragma once
#include "course/lesson/lesson.h"

#define LESSON_COURSE_FILE "course.yaml"

struct course {
	const char *title, *author, *license, *version; /* "" where it does not say */
	const char *language;             /* of its texts, as in "de" or "pt-BR"; "en" where it does not say */
	const char *const *prerequisites; /* what a reader should know, or courses to read before, a line each */
	int n_prerequisites;
	bool withholds_solutions; /* readers get the course without the solutions of its exercises */
};

/* Reads FOLDER/course.yaml. Where there is none, the course says nothing. False with errors. */
bool lesson_course_read(struct arena *arena, const char *folder, struct course *out, struct diag *diag);

/* Whether a folder of an exercise has no solution because its course keeps it back. */
bool lesson_solution_is_withheld(const struct course *course, const char *exercise_dir);
