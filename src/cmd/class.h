/* cmd/class.h: what students hand in: found in a folder, graded side by side, and reported.
 *
 * All of it is strangers': names of files are escaped where they are shown, links are not followed, sizes and numbers are bounded, and
 * each kernel is graded by a process of its own, in a sandbox (tools/sandbox/sandbox.h) that ends it when its time is over. */
#pragma once
#include <jansson.h>

#include "cmd/cmd.h"
#include "course/lesson/lesson.h"

#define CLASS_FILES_MAX 20000
#define CLASS_DEPTH_MAX 6 /* of folders in the one that is looked at */

enum class_verdict {
#define VERDICT(id, text) CLASS_##id,
#include "cmd/class_verdicts.def"
#undef VERDICT
	CLASS_VERDICTS
};
extern const char *const class_verdict_texts[CLASS_VERDICTS];

extern const struct cmd_entry cmd_class_entry;

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

/* Finds what is below `folder`. With a `step`, every kernel is one for that; else the name says for which: LESSON.cu, LESSON-STEP.cu,
 * and likewise .ptx; a folder there is a student's, with progress.json where it was handed in. False with an error. */
bool class_find(struct cmd_ctx *ctx, const struct catalog *catalog, const char *folder, const struct lesson *lesson,
	const struct step *step, struct class_files *out);
void class_free(struct class_files *files);

/* Grades them all, `jobs` at a time (0: as many as there are processors); the result does not depend on that. */
void class_grade(struct cmd_ctx *ctx, struct class_files *files, int jobs);

/* One line for each kernel, and how many are solved. */
void class_write_kernels(const struct class_files *files, struct buf *out);
json_t *class_kernels_json(const struct class_files *files);
