/* course/lesson/names.h: the names a lesson uses for things defined elsewhere; an unknown one is an error that lists what there
 * is. */
#pragma once
#include "course/lesson/lesson.h"
#include "course/lesson/reader.h"

/* Index of a parameter, or -1. */
int lesson_names_parameter(const struct lesson *lesson, const char *name);
int lesson_names_find_parameter(const struct lesson *lesson, const struct lesson_scalar *name, struct diag *diag);

/* Reads one of a parameter's values, called `what`. */
bool lesson_names_read_value(
	struct reader *r, yaml_node_t *node, const struct parameter *parameter, const char *what, int64_t *out);

/* Reads a mapping that sets some parameters, each to one of its values. `values` has one for each parameter. */
void lesson_names_read_settings(struct reader *r, yaml_node_t *node, const struct lesson *lesson, int64_t *values);

/* Fills in what expressions may name: the parameters, then the names of their values. An error at `pos` when one name
 * would mean two things, or a parameter's is that of a metric. */
void lesson_names_settle_words(struct arena *arena, struct lesson *lesson, const struct lesson_names *names,
	struct diag_pos pos, struct diag *diag);

/* The values of those words, when the parameters have `values`. `out` has room for LESSON_WORDS_MAX. */
void lesson_names_word_values(const struct lesson *lesson, const int64_t *values, int64_t *out);

/* The one of the names that `word` was probably to be: a few letters differ. NULL: none. */
const char *lesson_names_nearest(const char *(*list_at)(int), const char *word);

bool lesson_names_check_metric(const struct lesson_names *names, const struct lesson_scalar *name, struct diag *diag);
bool lesson_names_check_view(const struct lesson_names *names, const struct lesson_scalar *name, struct diag *diag);
bool lesson_names_check_defect(const struct lesson_names *names, const struct lesson_scalar *name, struct diag *diag);
