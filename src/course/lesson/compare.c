/* Two settings of an experiment, whose numbers stand beside each other. */
#include <string.h>

#include "course/lesson/private.h"

void lesson_compare_read(struct reader *r, struct step_draft *draft)
{
	size_t errors = r->diag->errors, n = (size_t)draft->lesson->n_parameters;
	int64_t *set = lesson_draft_copy_set(r->arena, draft);
	int pairs = lesson_reader_pairs(r, draft->nodes.compare, "compare");
	if (pairs == 0)
		lesson_reader_error(r, draft->nodes.compare, "compare names no parameter");
	if (pairs <= 0)
		return;
	lesson_names_read_settings(r, draft->nodes.compare, draft->lesson, set);
	if (r->diag->errors != errors)
		return;
	if (memcmp(set, draft->set, n * sizeof *set) == 0)
		lesson_reader_error(r, draft->nodes.compare,
			"the step begins with these values itself: there is nothing to compare it with");
	else if (draft->metrics.n == 0)
		lesson_reader_error(r, draft->nodes.compare, "the step has no metrics, which are what is compared");
	else
		draft->compare = set;
}

void lesson_compare_check_views(const struct step_draft *draft, struct diag *diag)
{
	for (int i = 0; i < draft->views.n && !draft->compare; i++)
		if (strcmp(draft->views.items[i].text, "compare") == 0)
			diag_error(diag, draft->views.items[i].pos,
				"the view compare shows two settings, but the step has no 'compare' that says the other");
}

bool lesson_compare_differs(const struct step *step, int parameter)
{
	return step->compare && step->compare[parameter] != step->set[parameter];
}

int lesson_compare(const struct lesson *lesson, const struct step *step, const int64_t *values, int64_t *other)
{
	int n = lesson->n_parameters, column = 1;
	if (!step->compare)
		return -1;
	for (int i = 0; i < n; i++)
		if (lesson_compare_differs(step, i) && values[i] != step->compare[i])
			column = 0;
	for (int i = 0; i < n; i++)
		other[i] = !lesson_compare_differs(step, i) ? values[i] : column ? step->set[i] : step->compare[i];
	return column;
}

void lesson_compare_name(const struct lesson *lesson, const struct step *step, const int64_t *values, struct buf *out)
{
	const char *between = "";
	for (int i = 0; i < lesson->n_parameters; i++) {
		const struct parameter *p = &lesson->parameters[i];
		if (!lesson_compare_differs(step, i))
			continue;
		buf_puts(out, between);
		if (!p->names && !*p->unit)
			buf_printf(out, "%s ", p->label);
		lesson_write_value_with_unit(p, values[i], out);
		between = ", ";
	}
}
