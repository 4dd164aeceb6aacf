/* course/lesson/judgment.h: expressions over metrics, and texts with such numbers in them, as lessons write them.
 *
 * A term is the name of a metric; `model.` or `recorded.` before it names the witness, `[stride=2, version=tiled]` after
 * it sets parameters. Of a launch it is also `result`, with `argument` and `element` among the latter, or a kind of defect, with _
 * for blanks: `wrong_mask[count=8]`. Or it is that of a roof, with `roof.` before it. After `measured.`
 * it is the name of a number that is stored with the lesson. */
#pragma once
#include "course/lesson/draft.h"
#include "course/lesson/reader.h"

struct judgment_scope {
	const struct lesson *lesson;
	const struct lesson_names *names;
	const int64_t *set; /* of the parameters, where a term says no other */
	enum term_witness from;
	bool of_program; /* of the launches of a program: LESSON_LAUNCHES, LESSON_LEAKS and those of has_program are names, too */
	bool has_program; /* the step shows one: lesson_program_word says what are names */
	bool of_launch;   /* LESSON_RESULT and the kinds of defects are names, too; */
	bool detects;     /* of the latter there are values, since the step is about a defect */
};

/* The scope of an experiment; `set` are the parameters' values. The model is asked. */
struct judgment_scope lesson_judgment_scope_of(const struct step_draft *e, const int64_t *set);

/* The same for what is asked or claimed of its launches. */
struct judgment_scope lesson_judgment_scope_of_launch(const struct step_draft *e, const int64_t *set);

/* False with an error at scalar->pos. */
bool lesson_judgment_parse(
	struct reader *r, const struct lesson_scalar *scalar, const struct judgment_scope *scope, struct judgment *out);

/* Reads a scalar. */
bool lesson_judgment_read(struct reader *r, yaml_node_t *node, const char *what, const struct judgment_scope *scope,
	struct judgment *out);

/* A text in which {= EXPRESSION } stands for a number. */
bool lesson_phrase_read(
	struct reader *r, yaml_node_t *node, const char *what, const struct judgment_scope *scope, struct phrase *out);
