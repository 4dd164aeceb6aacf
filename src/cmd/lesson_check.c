#include "cmd/drawn.h"
#include "cmd/lesson_check_parts.h"
#include "cmd/lesson_folder.h"
#include "cmd/program_record.h"

#include <string.h>

#include "base/portable.h"
#include "base/text.h"
#include "base/utf8.h"
#include "course/lesson/made.h"
#include "front/screen/screen.h"
#include "front/tutor/tutor.h"

#define FAULTY_REPORTED 3 /* launches of a step */

void cmd_lesson_check_fault(const struct lesson_checking *c, const int64_t *values, const char *what)
{
	const char *at = c->lesson->n_parameters ? experiment_label(c->arena, c->lesson, c->step, values) : "";
	diag_error(c->diag, c->step->pos, "step %s%s%s: %s", c->step->id, *at ? ", " : "", at, what);
}

/* The faults of launches that could not be made, each once for each step. */
static void report_unplaced(struct lesson_checking *c)
{
	for (size_t i = 0; i < c->unplaced->count; i++) {
		const struct diag_entry *e = &c->unplaced->entries[i];
		bool reported = false;
		for (size_t k = 0; k < i && !reported; k++)
			reported = strcmp(c->unplaced->entries[k].message, e->message) == 0;
		if (reported)
			continue;
		if (e->file || !c->step)
			diag_error(c->diag, (struct diag_pos){.file = e->file, .line = e->line, .col = e->col}, "%s",
				e->message);
		else
			diag_error(c->diag, c->step->pos, "step %s: %s", c->step->id, e->message);
	}
	diag_free(c->unplaced);
}

/* Once for all. */
static void report_late(const struct lesson_checking *c)
{
	if (!c->totals->late)
		diag_error(c->diag, c->step->pos,
			"step %s: there is no time for its launches: the course takes too long to check", c->step->id);
	c->totals->late = true;
}

const struct experiment_run *cmd_lesson_check_run(const struct lesson_checking *c, const int64_t *values)
{
	if (c->totals->until_ms > 0 && clock_ms() > c->totals->until_ms) {
		report_late(c);
		return NULL;
	}
	struct experiment *e = experiment_open(c->set, c->step, values);
	const struct experiment_run *run = experiment_run(e);
	experiment_report(e, c->unplaced);
	return run->ran ? run : NULL;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static void report_defect(const struct lesson_checking *c, const int64_t *values, const struct simt_defect *d)
{
	char place[PTX_PLACE_TEXT];
	cmd_lesson_check_fault(c, values,
		arena_printf(c->arena, "%s, %s: %s", simt_defect_name(d->kind), ptx_place_text(&d->here.place, place),
			d->message));
}

/* A run that ends otherwise than it should. */
static void check_defects(const struct lesson_checking *c, const int64_t *values, const struct experiment_run *run)
{
	const char *expected = lesson_expects_defect(c->lesson, c->step, values);
	bool met = false;
	for (uint32_t i = 0; i < run->n_defects; i++) {
		if (expected && simt_defect_is_named(run->defects[i].kind, expected))
			met = true;
		else
			report_defect(c, values, &run->defects[i]);
	}
	if (run->result.outcome != SIMT_OK && run->result.outcome != SIMT_DEFECT)
		cmd_lesson_check_fault(c, values,
			run->result.place.line
				? arena_printf(c->arena, "%s, line %d", run->result.message, run->result.place.line)
				: arena_strdup(c->arena, run->result.message));
	else if (expected && !met)
		cmd_lesson_check_fault(c, values,
			arena_printf(c->arena, "the lesson is a defect, %s, but the machine finds none", expected));
}

static void check_run(const struct lesson_checking *c, const int64_t *values)
{
	const struct experiment_run *run = cmd_lesson_check_run(c, values);
	if (!run)
		return;
	check_defects(c, values, run);
	if (run->wrong)
		cmd_lesson_check_fault(c, values, run->wrong);
}

static bool offers_view(const struct step *step, const char *name)
{
	for (int i = 0; i < step->n_views; i++)
		if (strcmp(step->views[i], name) == 0)
			return true;
	return false;
}

/* The watched line does what the views of the step draw of it; where they draw nothing of it, it is executed. */
static void check_watched(const struct lesson_checking *c, const struct experiment_run *run)
{
	const struct step *step = c->step;
	const int line = lesson_watched(c->lesson, step, step->set).line;
	const view_id first = step->n_views ? view_find(step->views[0]) : VIEW_NONE;
	bool executed = false;
	for (int i = 0; i < run->n_lines; i++)
		executed = executed || (run->lines[i].line == line && run->lines[i].executed);
	if (cmd_draws_watched(step) && run->n_watched == 0 && !run->has_shuffle && !run->tiles.n)
		cmd_lesson_check_fault(c, step->set,
			arena_printf(c->arena,
				"line %d, which is watched, makes no memory access and no shuffle, and has no matrix instruction, in block %u, warp %u",
				line, step->watch.block, step->watch.warp));
	else if (!executed && !run->stored)
		cmd_lesson_check_fault(
			c, step->set, arena_printf(c->arena, "line %d, which is watched, is not executed", line));
	else if (view_is_of(first, VIEW_OF_ATOMIC) && run->has_access && !warp_op_is_atomic(run->access.op))
		cmd_lesson_check_fault(c, step->set,
			arena_printf(c->arena,
				"the first access of line %d, which is watched, is no atomic operation, as the view %s draws: give that a line of its own",
				line, step->views[0]));
}

static void check_start(const struct lesson_checking *c)
{
	const struct step *step = c->step;
	const struct experiment_run *run = cmd_lesson_check_run(c, step->set);
	if (run && run->result.outcome != SIMT_ERROR && step->watch.line)
		check_watched(c, run);
	if (step->defect && !offers_view(step, "defect"))
		cmd_lesson_check_fault(c, step->set, "the lesson is a defect, but the view defect is not offered");
	if (step->n_results == 0 && !(step->defect && !step->defect_when) && !step->file->is_program)
		cmd_lesson_check_fault(c, step->set, "nothing says what the kernel must compute: results");
}

/* Every launch that can be made from the step, and the line it watches. */
static void check_launches(const struct lesson_checking *c, int parameter)
{
	const struct parameter *p = &c->lesson->parameters[parameter];
	size_t n = (size_t)c->lesson->n_parameters;
	int64_t *values = arena_array(c->arena, int64_t, n);
	memcpy(values, c->step->set, n * sizeof *values);
	for (int i = 0; i < p->n_values; i++) {
		struct diag faults = {0};
		values[parameter] = p->values[i];
		bool made = lesson_launch(c->arena, c->lesson, c->step, values, &faults);
		if (!made)
			cmd_lesson_check_fault(c, values, faults.entries[0].message);
		else if (c->step->watch.line && !lesson_watched(c->lesson, c->step, values).line)
			cmd_lesson_check_fault(c, values, "there is no such line to watch");
		diag_free(&faults);
		if (!made)
			return;
	}
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Whether a launch is as it should be; `enough` others were reported. */
static bool check_point(const struct lesson_checking *c, const int64_t *values, bool enough)
{
	struct lesson_checking here = *c;
	struct diag unheard = {0};
	here.diag = enough ? &unheard : c->diag;
	size_t errors = here.diag->errors;
	check_run(&here, values);
	bool good = here.diag->errors == errors;
	diag_free(&unheard);
	return good;
}

static bool hits_a_limit(const struct lesson_checking *c, const int64_t *values)
{
	const struct experiment_run *run = cmd_lesson_check_run(c, values);
	return run && run->result.outcome == SIMT_LIMIT;
}

/* False when none of the step's launches can be made, for a reason that was reported. */
static bool can_launch(struct lesson_checking *c)
{
	const struct experiment_run *run = cmd_lesson_check_run(c, c->step->set);
	report_unplaced(c);
	return run;
}

static void check_points(struct lesson_checking *c, const struct experiment_points *points)
{
	int faulty = 0, limits = 0;
	for (int i = 0; i < points->n && limits < FAULTY_REPORTED; i++) {
		faulty += !check_point(c, points->points[i].values, faulty >= FAULTY_REPORTED);
		limits += hits_a_limit(c, points->points[i].values);
	}
	if (limits == FAULTY_REPORTED) /* each takes seconds */
		diag_error(c->diag, c->step->pos, "step %s: its other launches are not tried", c->step->id);
	else if (faulty > FAULTY_REPORTED)
		diag_error(c->diag, c->step->pos, "step %s: %d more of %d launches %s faulty", c->step->id,
			faulty - FAULTY_REPORTED, points->n, faulty - FAULTY_REPORTED == 1 ? "is" : "are");
	if (c->totals->recorded)
		cmd_lesson_check_recordings(c, points);
}

static void check_step(struct lesson_checking *c)
{
	if (c->totals->late)
		return;
	size_t errors = c->diag->errors;
	struct experiment_points points = {0};
	buf_printf(c->out, "  %d %s: %s", (int)(c->step - c->lesson->steps) + 1, c->step->id,
		c->step->exercise.dir             ? "exercise"
			: c->step->has_experiment ? "experiment"
						  : "text");
	for (int p = 0; p < c->lesson->n_parameters && c->step->has_experiment; p++)
		check_launches(c, p);
	bool runs = c->step->has_experiment && c->diag->errors == errors && can_launch(c);
	if (runs) {
		experiment_points_of_step(c->arena, c->lesson, c->step, &points, c->diag);
		check_start(c);
		if (!c->step->exercise.dir)
			check_points(c, &points);
		cmd_lesson_check_program(c, &points);
		cmd_lesson_check_sweep(c);
		cmd_lesson_check_compare(c);
		cmd_lesson_check_exercise(c);
	}
	if (runs || !c->step->has_experiment) {
		cmd_lesson_check_question(c);
		cmd_lesson_check_claim(c);
	}
	if (c->step->exercise.n_runs)
		cmd_lesson_check_exercise(c);
	report_unplaced(c);
	buf_puts(c->out, c->diag->errors == errors ? "\n" : "; FAULTY\n");
}

/* --- the screen --------------------------------------------------------------------------------------------------- */

#define SCREEN_COLS 80
#define SCREEN_ROWS 24
#define PAGES_MAX 2 /* what is seen, and one page of scrolling */

/* The text of every step as a reader meets it, before any answer. */
static void check_screens(struct lesson_checking *c, struct lesson *lesson)
{
	struct screen_state screen = {0};
	struct tutor *tutor = tutor_new_for(lesson, c->diag);
	for (int i = 0; tutor && i < lesson->n_steps; i++) {
		c->step = &lesson->steps[i];
		tutor_open(tutor, lesson, i);
		screen_lay_out(&screen, tutor, SCREEN_ROWS, SCREEN_COLS);
		if (screen.text_rows > PAGES_MAX * screen.text_room)
			diag_error(c->diag, c->step->pos,
				"step %s: the text takes %d rows at %dx%d, where %d are seen at a time; it "
				"may take %d",
				c->step->id, screen.text_rows, SCREEN_COLS, SCREEN_ROWS, screen.text_room,
				PAGES_MAX * screen.text_room);
	}
	if (tutor)
		tutor_free(tutor);
}

/* --- PTX ---------------------------------------------------------------------------------------------------------- */

void cmd_lesson_check_made(const struct lesson_checking *c, const struct kernel_file *file)
{
	enum lesson_made made = lesson_made_check(c->arena, file);
	if (made != LESSON_MADE_CURRENT)
		diag_error(c->diag, (struct diag_pos){.file = file->ptx_path},
			"%s %s; simttutor lesson build makes it anew",
			made == LESSON_MADE_STALE ? "it was not made from what is now in"
						  : "it does not say whether it was made from",
			file->source_path);
}

static void check_front(const struct lesson_checking *c)
{
	const struct lesson *lesson = c->lesson;
	struct diag_pos pos = {.file = lesson->path};
	for (int i = 0; i < lesson->n_after; i++)
		if (!cmd_lesson_is_listed(c->totals->ids, lesson->after[i]))
			diag_error(c->diag, pos, "it comes after '%s', but there is no such lesson", lesson->after[i]);
	if (!*lesson->can)
		diag_error(c->diag, pos, "nothing says what the reader can do afterwards: can");
}

void cmd_lesson_check(struct cmd_lesson_check *totals, struct lesson *lesson, struct buf *out, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct diag unplaced = {0};
	struct program_record *program = NULL;
	struct lesson_compared compared = {0};
	struct lesson_checking c = {.totals = totals,
		.program = &program,
		.compared = &compared,
		.unplaced = &unplaced,
		.lesson = lesson,
		.set = experiments_new(
			lesson, &(struct experiment_rules){EXPERIMENT_CHECKED, .steps = totals->max_steps}),
		.out = out,
		.diag = diag,
		.arena = arena};

	escape_line(out, text_plural("%s: %s, %d step", "%s: %s, %d steps", (unsigned)lesson->n_steps), lesson->path,
		lesson->title, lesson->n_steps);
	diag_move(experiments_problems(c.set), &unplaced);
	report_unplaced(&c);
	for (int i = 0; i < lesson->n_kernels; i++)
		cmd_lesson_check_made(&c, lesson->kernels[i]);
	for (int i = 0; i < lesson->n_steps; i++) {
		c.step = &lesson->steps[i];
		check_step(&c);
	}
	check_front(&c);
	check_screens(&c, lesson);
	totals->lessons++;
	totals->steps += lesson->n_steps;
	totals->launches += experiments_count(c.set);
	program_record_close(program);
	experiments_free(c.set);
	arena_free(arena);
}
