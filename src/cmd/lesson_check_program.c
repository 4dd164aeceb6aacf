/* Steps that show a program: their views, and whether what is recorded of it is what it does. */
#include "cmd/lesson_check_parts.h"

#include <string.h>

#include "cmd/program_grade.h"
#include "cmd/program_record.h"
#include "front/view/views.h"
#include "tools/compile/compile.h"

static void check_views(const struct lesson_checking *c)
{
	const struct step *step = c->step;
	for (int i = 0; i < step->n_views; i++) {
		view_id view = view_find(step->views[i]);
		bool of_program = view_is_of(view, VIEW_OF_PROGRAM), fits = of_program == step->file->is_program;
		if (!fits && view != VIEW_SOURCE)
			cmd_lesson_check_fault(c, step->set,
				arena_printf(c->arena, "the view %s is of %s", step->views[i],
					of_program ? "a program, and the step shows none"
						   : "a launch, and the step shows a program"));
	}
}

/* Without a compiler there is nothing to run; without agreement it may not be. */
static bool can_run_program(const struct lesson_checking *c)
{
	bool asked = c->totals->ctx != NULL;
	if (asked && compile_can_here(cmd_compile_ctx(c->totals->ctx)))
		return program_grade_can(c->totals->ctx, c->step->file->source_path) == EXIT_OK;
	buf_printf(c->out, "; its program is not run%s", asked ? ": there is no compiler" : "");
	return false;
}

static void check_current(
	const struct lesson_checking *c, struct program_record *p, const struct experiment_point *point)
{
	struct experiment *e = experiment_open(c->set, c->step, point->values);
	const struct experiment_program *recorded = experiment_program(e, NULL),
					*now = program_record_run(p, experiment_program_arguments(e));
	if (recorded && now && !hostlog_is_same(recorded->log, now->log))
		cmd_lesson_check_fault(c, point->values,
			"what is recorded of the program is not what it asks for; simttutor record --model does it");
}

void cmd_lesson_check_program(const struct lesson_checking *c, const struct experiment_points *points)
{
	check_views(c);
	if (!c->step->file->is_program || !can_run_program(c))
		return;
	struct program_record *p = program_record_of(c->totals->ctx, c->arena, c->program, c->step->file->source_path);
	for (int i = 0; p && i < points->n; i++)
		check_current(c, p, &points->points[i]);
	if (c->diag != &c->totals->ctx->diag)
		diag_move(&c->totals->ctx->diag, c->diag);
}
