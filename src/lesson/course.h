/* lesson/course.h: a course: a folder with lessons, their kernels, and course.yaml, which says what it is. */
#pragma once
#include "lesson/lesson.h"

#define LESSON_COURSE_FILE "course.yaml"

struct course {
	const char *title, *author, *license, *version; /* "" where it does not say */
	const char *language; /* of its texts, as in "de" or "pt-BR"; "en" where it does not say */
};

/* Reads FOLDER/course.yaml. Where there is none, the course says nothing. False with errors. */
bool lesson_course_read(struct arena *arena, const char *folder, struct course *out, struct diag *diag);
