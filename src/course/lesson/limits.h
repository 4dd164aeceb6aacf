/* course/lesson/limits.h: how large a lesson may be. Far above any real one; they keep a hostile file from using up the host. */
#pragma once

#define LESSON_FILE_MAX ((size_t)1 << 20) /* bytes of lesson.md, and of a kernel's source */
#define LESSON_PTX_MAX ((size_t)16 << 20)
#define LESSON_YAML_MAX ((size_t)128 << 10) /* bytes of the front matter, of an experiment */
#define LESSON_YAML_DEPTH_MAX 32            /* brackets inside of brackets there */
#define LESSON_STEPS_MAX 100
#define LESSON_BUFFERS_MAX ((size_t)128 << 20) /* bytes of the buffers of a launch: a key fills them anew */
#define LESSON_LAUNCHES_MAX 8                  /* of an experiment */
#define LESSON_KERNELS_MAX (LESSON_STEPS_MAX + 1)
#define LESSON_TITLE_MAX 120 /* bytes */
#define LESSON_TEXT_MAX 4000 /* bytes of a value in YAML */
#define LESSON_PARAMETERS_MAX 16
#define LESSON_VALUES_MAX 1000     /* of a parameter, of a sweep */
#define LESSON_NAMED_VALUES_MAX 32 /* of a parameter whose values have names */
#define LESSON_WORDS_MAX (LESSON_PARAMETERS_MAX * (LESSON_NAMED_VALUES_MAX + 1)) /* that expressions may name */
#define LESSON_TERMS_MAX 64                                                      /* metrics in one judgment */
#define LESSON_GOALS_MAX 16
#define LESSON_TRIES_MAX 16
#define LESSON_RUNS_MAX 8 /* of a program */
#define LESSON_ARGUMENTS_MAX 16
#define LESSON_PRINTS_MAX 100 /* lines */
#define LESSON_AFTER_MAX 32
#define LESSON_METRICS_MAX 32
#define LESSON_VIEWS_MAX 16
#define LESSON_HINTS_MAX 10
#define LESSON_CHOICES_MAX 9 /* one digit answers */
