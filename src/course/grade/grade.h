/* course/grade/grade.h: exercises graded: a whole program, and what a class has handed in. Kernels by themselves are
 * graded by course/experiment/grade.h. */
#pragma once
#include <jansson.h>

#include "course/experiment/grade.h"
#include "course/lesson/lesson.h"
#include "tools/compile/compile.h"

/* --- whole programs as solutions of exercises.
 *
 * One is compiled, and each run of it is a `simttutor run` in a sandbox (tools/sandbox/sandbox.h): in a private folder,
 * without network, with a deadline and limits, whoever wrote it. What it prints is compared with what the exercise
 * says; problems that are reported are defects; the launches of its first run are kept, and counted again for goals.
 * --- */

struct grade_request {
	const struct lesson *lesson;
	const struct step *step;
	const char *path;   /* of the program */
	const char *agreed; /* the file by which the reader lets programs run: what runs one reads it */
};

/* Grades the program. NULL with an exit status, with errors; the compiler's messages are printed. All in `arena`. */
const struct experiment_grade *grade_program(
	const struct compile_ctx *ctx, struct arena *arena, const struct grade_request *request, int *status);

/* --- a class: what students hand in
 *
 * All of it is strangers': names of files are escaped where they are shown, links are not followed, sizes and numbers
 * are bounded, and each kernel is graded by a process of its own, in a sandbox (tools/sandbox/sandbox.h) that ends it
 * when its time is over. --- */

#define CLASS_FILES_MAX 20000
#define CLASS_DEPTH_MAX 6 /* of folders in the one that is looked at */

enum class_verdict {
#define VERDICT(id, text) CLASS_##id,
#include "course/grade/class_verdicts.def"
#undef VERDICT
	CLASS_VERDICTS
};
extern const char *const class_verdict_texts[CLASS_VERDICTS];

bool class_is_folder(const char *path);

struct class_submission {
	const char *student;     /* the folder below the class's that it is in; "" where it lies there itself */
	const char *path, *name; /* the name is below the student's folder; "": it stands for that folder */
	bool unread;             /* it stands for a folder, or for progress, that was not looked at: no kernel */
	const struct lesson *lesson;
	const struct step *step; /* NULL: no exercise is called so, and it is not graded */
	enum class_verdict verdict;
	const char *detail; /* the first thing that does not hold, or why it was not graded; "" where it is solved */
	json_t *grade;      /* as `exercise --format json` prints it; NULL: there is none */
};

struct class_student {
	const char *name;
	struct progress *progress; /* NULL: none was handed in */
};

struct class_files {
	struct class_submission *submissions; /* by student and name */
	size_t n_submissions, cap_submissions;
	struct class_student *students; /* by name */
	size_t n_students, cap_students;
	size_t seen; /* entries that were looked at */
};

/* Finds what is below `folder`. With a `step`, every kernel is one for that; else the name says for which: LESSON.cu,
 * LESSON-STEP.cu, and likewise .ptx; a folder there is a student's, with progress.json where it was handed in. False
 * with an error. */
bool class_find(const struct compile_ctx *ctx, const struct catalog *catalog, const char *folder,
	const struct lesson *lesson, const struct step *step, struct class_files *out);
void class_free(struct class_files *files);

/* Grades them all, `jobs` at a time (0: as many as there are processors); the result does not depend on that. `agreed`
 * as in struct grade_request. */
void class_grade(const struct compile_ctx *ctx, struct class_files *files, int jobs, const char *agreed);
