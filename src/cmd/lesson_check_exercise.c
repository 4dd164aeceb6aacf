#include "cmd/lesson_check_parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "base/utf8.h"
#include "cmd/program_grade.h"
#include "course/experiment/grade.h"
#include "course/experiment/timed.h"
#include "tools/compile/compile.h"

#define HINTS 3

static void exercise_fault(const struct lesson_checking *c, const char *name, const char *what)
{
	diag_error(c->diag, c->step->pos, "step %s: exercise/%s.cu %s", c->step->id, name, what);
}

/* The first thing that does not hold; NULL: nothing. */
static const char *why_not(const struct lesson_checking *c, const struct experiment_grade *grade)
{
	for (int i = 0; i < grade->n_goals; i++)
		if (!grade->goals[i].holds)
			return arena_printf(c->arena, "%s: %s", grade->goals[i].text, grade->goals[i].is);
	return grade->defect ? grade->defect : grade->wrong;
}

static const struct experiment_grade *grade_file(const struct lesson_checking *c, const char *name)
{
	const struct kernel_file *file = lesson_exercise_kernel(c->arena, c->step, name, c->diag);
	int status;
	if (!file)
		return NULL;
	if (c->step->exercise.n_runs)
		return program_grade(c->totals->ctx, c->arena, c->lesson, c->step, file->source_path, &status);
	if (strcmp(name, "start") != 0) /* which is the step's kernel, too */
		cmd_lesson_check_made(c, file);
	return experiment_grade_kernel(c->arena, c->lesson, c->step, file, c->diag);
}

/* What must be refused: the start, and every file of wrong/. */
static void check_refused(const struct lesson_checking *c, const char *name)
{
	const struct experiment_grade *grade = grade_file(c, name);
	if (!grade)
		return;
	const char *why = why_not(c, grade);
	if (why) {
		buf_printf(c->out, "\n      %s fails: ", name);
		escape_puts(why, c->out);
	} else
		exercise_fault(c, name, "passes, but it must not");
}

/* What must pass: other ways to solve it, in right/. */
static void check_accepted(const struct lesson_checking *c, const char *name)
{
	const struct experiment_grade *grade = grade_file(c, name);
	if (grade && !grade->solved)
		exercise_fault(c, name, arena_printf(c->arena, "is a solution, but: %s", why_not(c, grade)));
}

static int only_kernels(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && dot > entry->d_name && strcmp(dot, ".cu") == 0;
}

/* Each kernel of a folder of the exercise. How many there are; -1 where there is no such folder. */
static int check_each(const struct lesson_checking *c, const char *folder,
	void (*check)(const struct lesson_checking *c, const char *name))
{
	struct dirent **entries;
	int n = scandir(path_join(c->arena, c->step->exercise.dir, folder), &entries, only_kernels, alphasort);
	if (n < 0 && errno == ENOMEM)
		base_out_of_memory();
	for (int i = 0; i < n; i++) {
		int stem = (int)strlen(entries[i]->d_name) - 3;
		check(c, arena_printf(c->arena, "%s/%.*s", folder, stem, entries[i]->d_name));
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return n < 0 ? -1 : n;
}

/* What the fix gains, and whether it does. */
static void check_times(const struct lesson_checking *c)
{
	const struct exercise *e = &c->step->exercise;
	struct experiment_timed timed;
	struct buf text = {0};
	if (!e->timed && c->totals->recorded) {
		diag_error(c->diag, c->step->pos,
			"step %s: nothing says with which parameters the start and the solution are timed: timed",
			c->step->id);
		return;
	}
	if (!experiment_timed(c->arena, c->set, c->step, &timed, c->diag))
		return;
	experiment_timed_write(&timed, e, &text);
	struct value before = timed.time[EXPERIMENT_BEFORE], after = timed.time[EXPERIMENT_AFTER];
	if (text.len) {
		buf_puts(c->out, "\n      ");
		escape_puts(buf_str(&text), c->out);
		if (before.v <= after.v && !e->slower)
			exercise_fault(
				c, "solution", "is not faster than the start; slower says why, where it is meant");
		if (before.v > after.v && e->slower)
			exercise_fault(c, "solution", "is faster than the start, but slower says why not");
	} else if (c->totals->recorded) {
		diag_error(c->diag, c->step->pos,
			"step %s: the times of the exercise are not recorded; simttutor record does it", c->step->id);
	}
	buf_free(&text);
}

/* Which a reader's copy of a course may lack. */
static void check_solution(const struct lesson_checking *c)
{
	if (c->totals->course && lesson_solution_is_withheld(c->totals->course, c->step->exercise.dir)) {
		buf_puts(c->out, "\n      the course withholds the solution");
		return;
	}
	const struct experiment_grade *grade = grade_file(c, "solution");
	if (grade && !grade->solved)
		exercise_fault(c, "solution", arena_printf(c->arena, "is none: %s", why_not(c, grade)));
}

/* Without a compiler there is nothing to run; without agreement it may not be. */
static bool can_be_run(const struct lesson_checking *c)
{
	if (!c->step->exercise.n_runs)
		return true;
	bool asked = c->totals->ctx != NULL;
	if (!asked || !compile_can_here(cmd_compile_ctx(c->totals->ctx))) {
		buf_printf(c->out, "; its programs are not tried%s", asked ? ": there is no compiler" : "");
		return false;
	}
	return program_grade_can(c->totals->ctx, c->step->exercise.start->source_path) == EXIT_OK;
}

void cmd_lesson_check_exercise(const struct lesson_checking *c)
{
	const struct exercise *e = &c->step->exercise;
	if (!e->dir)
		return;
	c->totals->exercises++;
	if (e->n_hints != HINTS)
		diag_error(c->diag, c->step->pos, "step %s: an exercise has %d hints, each more specific; here are %d",
			c->step->id, HINTS, e->n_hints);
	if (!can_be_run(c))
		return;
	check_refused(c, "start");
	check_solution(c);
	int wrong = check_each(c, "wrong", check_refused);
	if (wrong < 0) /* as where lessons are installed */
		buf_puts(c->out, "\n      there are no wrong attempts to try");
	else if (wrong == 0)
		diag_error(c->diag, c->step->pos, "step %s: there is no attempt in exercise/wrong that must be refused",
			c->step->id);
	check_each(c, "right", check_accepted);
	if (e->n_runs)
		return;
	cmd_lesson_check_phrase(c, &e->explain);
	check_times(c);
}
