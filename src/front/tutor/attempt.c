#include "front/tutor/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/paths.h"
#include "base/text.h"
#include "course/experiment/experiment.h"
#include "course/lesson/lesson.h"
#include "front/tutor/tutor.h"

const char *const tutor_program_is = N_(
	"This is a whole program. Its host code runs on this machine, confined: it reads what is installed, its own folder and "
	"files that its arguments name, writes in the working folder, and has no network.");

static struct tutor_attempt_work *attempt_of(const struct tutor *tutor)
{
	return tutor->private->attempt;
}

/* --- what came of it ---------------------------------------------------------------------------------------------- */

static void forget_version(struct tutor *tutor, struct tutor_attempt_work *a)
{
	struct tutor_private *p = tutor->private;
	if (a->mine && p->live.experiment && p->live.experiment->step == a->mine)
		tutor_live_detach(tutor);
	if (a->mine && p->shown && p->shown->step == a->mine)
		p->shown = NULL;
	if (a->mine && p->other && p->other->step == a->mine)
		p->other = NULL;
	if (a->mine)
		experiments_forget(p->experiments, a->mine);
	arena_free(a->version);
	a->version = NULL;
	a->mine = NULL;
	a->shown.grade = NULL;
}

static void refuse_version(struct tutor_attempt_work *a, const char *message)
{
	a->shown.state = ATTEMPT_REFUSED;
	a->shown.message = recompile_message(&a->file, a->version, message);
}

static void take_grade(struct tutor *tutor, struct tutor_attempt_work *a, const struct experiment_grade *grade)
{
	a->shown.grade = grade;
	a->shown.state = ATTEMPT_GRADED;
	if (!grade->solved)
		return;
	if (!lesson_progress_answered(tutor->progress, tutor->at.lesson->id, a->of->id)) {
		lesson_progress_try(tutor->progress, tutor->at.lesson->id, a->of->id, tutor->answer.hints_shown);
		tutor_call_attention(tutor, ATTENTION_QUESTION);
	}
	lesson_progress_answer(tutor->progress, tutor->at.lesson->id, a->of->id);
}

static void take_version(struct tutor *tutor, struct tutor_attempt_work *a, bool compiled)
{
	struct buf source = {0}, ptx = {0};
	struct diag faults = {0};
	forget_version(tutor, a);
	a->version = arena_new();
	if (!compiled) {
		a->shown.state = ATTEMPT_REFUSED;
		a->shown.message = recompile_log(&a->file, a->version);
	} else if (a->of->exercise.n_runs) {
		/* A whole program was graded where it ran. */
		struct buf text = {0};
		const struct experiment_grade *grade = NULL;
		if (file_read(recompile_ptx(&a->file), LESSON_FILE_MAX, &text, &faults))
			grade = experiment_grade_read(a->version, a->of, buf_str(&text), text.len);
		if (grade)
			take_grade(tutor, a, grade);
		else
			refuse_version(a, _("It ran, but what it was graded cannot be read."));
		buf_free(&text);
	} else if (!file_read(recompile_ptx(&a->file), LESSON_PTX_MAX, &ptx, &faults)) {
		refuse_version(a, _("The compiler has nothing against it, but leaves no PTX that can be read."));
	} else if (!file_read_text(a->shown.path, LESSON_FILE_MAX, &source, &faults)) {
		refuse_version(a, faults.count ? faults.entries[0].message : _("it cannot be read"));
	} else {
		const struct kernel_file *file = tutor_exercise_file(a->version, a->shown.path, &source, &ptx);
		const struct experiment_grade *grade = experiment_grade_kernel(
			a->version, tutor->at.lesson, a->of, file, &faults);
		if (grade) {
			/* A kernel that runs: from now on it is what the views show. */
			struct step *mine = arena_alloc(a->version, sizeof *mine);
			*mine = *a->of;
			mine->file = file;
			a->mine = mine;
			take_grade(tutor, a, grade);
		} else {
			refuse_version(a, faults.count ? faults.entries[0].message : _("it cannot be launched"));
		}
	}
	diag_free(&faults);
	buf_free(&source);
	buf_free(&ptx);
	recompile_done(&a->file);
	tutor_refresh(tutor);
	tutor_answer_settle(tutor);
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

/* True when the screen must be drawn again. */
static bool follow_file(struct tutor *tutor, struct tutor_attempt_work *a, enum recompile_event event, const char *why)
{
	switch (event) {
	case RECOMPILE_NOTHING: return false;
	case RECOMPILE_GONE: {
		bool changed = a->shown.state != ATTEMPT_NEW;
		forget_version(tutor, a);
		a->shown.state = ATTEMPT_NEW;
		if (changed)
			tutor_refresh(tutor);
		return changed;
	}
	case RECOMPILE_STARTED: a->shown.state = ATTEMPT_COMPILING; return true;
	case RECOMPILE_FAILED:
		a->shown.state = ATTEMPT_REFUSED;
		a->shown.message = why;
		return true;
	case RECOMPILE_REFUSED:
	case RECOMPILE_COMPILED: take_version(tutor, a, event == RECOMPILE_COMPILED); return true;
	}
	return false;
}

static int grade_program(void *ctx, const char *path, const char *out_path)
{
	const struct tutor_attempt_work *a = ctx;
	const struct tutor_grader *grader = &a->tutor->exercise.grader;
	return grader->run(grader->ctx, a->tutor->at.lesson, a->of, path, out_path);
}

/* What a changed file goes through. */
static const struct tutor_compiler *compiler_of(const struct tutor *tutor, struct tutor_attempt_work *a)
{
	if (!a->of->exercise.n_runs)
		return &tutor->exercise.compiler;
	a->grader = (struct tutor_compiler){a, tutor->exercise.grader.run ? grade_program : NULL};
	return &a->grader;
}

bool tutor_attempt_step(struct tutor *tutor)
{
	struct tutor_attempt_work *a = attempt_of(tutor);
	const char *why = "";
	if (!a || !a->of)
		return false;
	enum recompile_event event = recompile_step(&a->file, compiler_of(tutor, a), &why);
	return follow_file(tutor, a, event, why);
}

int tutor_attempt_timeout_ms(const struct tutor *tutor)
{
	const struct tutor_attempt_work *a = attempt_of(tutor);
	return a && a->of ? recompile_timeout_ms(&a->file) : -1;
}

bool tutor_edit_asks(const struct tutor *tutor)
{
	const struct tutor_attempt_work *a = attempt_of(tutor);
	return a && a->of && a->shown.unagreed && tutor->private->may_run != a->of;
}

void tutor_attempt_edit(struct tutor *tutor)
{
	struct tutor_attempt_work *a = attempt_of(tutor);
	struct diag faults = {0};

	if (!a || !a->of)
		return;
	/* True: programs may be run. */
	const struct tutor_grader *grader = &tutor->exercise.grader;
	if (tutor_edit_asks(tutor)) {
		tutor_notice(tutor, _("Once more to agree: such programs are run here, confined, from now on."));
		tutor->private->may_run = a->of;
		return;
	}
	if (a->shown.unagreed && !grader->agree(grader->ctx)) {
		tutor_notice(tutor, _("That you agree cannot be kept."));
		return;
	}
	a->shown.unagreed = false;

	if (!tutor_exercise_begin(a->of, a->shown.path, &faults))
		snprintf(tutor->notice, sizeof tutor->notice, "%s: %s", a->shown.path,
			faults.count ? faults.entries[0].message : _("cannot be written"));
	diag_free(&faults);
	const char *why = "";
	recompile_again(&a->file);
	enum recompile_event event = recompile_poll(&a->file, compiler_of(tutor, a), &why);
	follow_file(tutor, a, event, why);
	tutor_call_attention(tutor, ATTENTION_QUESTION);
}

const char *tutor_file_to_edit(const struct tutor *tutor, int *line)
{
	const struct step *step = tutor_step(tutor);
	bool explored = tutor->explored && step && step->file && step->watch.by;
	if (line)
		*line = explored ? (int)tutor->at.values[step->watch.by->line] : 0;
	return tutor->exercise.attempt ? tutor->exercise.attempt->path : explored ? step->file->source_path : NULL;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

void tutor_attempt_close(struct tutor *tutor)
{
	struct tutor_attempt_work *a = attempt_of(tutor);
	tutor->exercise.attempt = NULL;
	if (!a)
		return;
	recompile_end(&a->file);
	if (tutor->private->experiments)
		forget_version(tutor, a);
	arena_free(a->arena);
	free(a);
	tutor->private->attempt = NULL;
}

void tutor_attempt_open(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	struct tutor_attempt_work *a = attempt_of(tutor);
	if (a && a->of == step)
		return;
	tutor_attempt_close(tutor);
	if (!step || !step->exercise.dir || tutor->presented) /* of the reader's kernel a class sees nothing */
		return;
	a = tutor->private->attempt = base_calloc(1, sizeof *a);
	a->arena = arena_new();
	a->of = step;
	a->tutor = tutor;
	a->shown.path = tutor_exercise_path(a->arena, tutor->exercise.dir, tutor->at.lesson, step);
	a->shown.state = ATTEMPT_NEW;
	const struct tutor_grader *grader = &tutor->exercise.grader;
	a->shown.unagreed = step->exercise.n_runs > 0 && grader->asks && grader->asks(grader->ctx);
	recompile_begin(&a->file, a->arena, a->shown.path);

	/* What the fix gains on a GPU. */
	struct experiment_timed timed;
	struct buf text = {0};
	struct diag unheard = {0};
	struct experiments *set = tutor->private->experiments;
	if (set && experiment_timed(a->arena, set, step, &timed, &unheard))
		experiment_timed_write(&timed, &step->exercise, &text);
	a->shown.timed = arena_strdup(a->arena, buf_str(&text));
	buf_free(&text);
	diag_free(&unheard);
	tutor->exercise.attempt = &a->shown;
}

const struct step *tutor_step_to_run(const struct tutor *tutor)
{
	const struct tutor_attempt_work *a = attempt_of(tutor);
	return a && a->mine ? a->mine : tutor_step(tutor);
}

/* --- the kernel in the reader's folder ---------------------------------------------------------------------------- */

const char *tutor_exercise_path(
	struct arena *arena, const char *dir, const struct lesson *lesson, const struct step *step)
{
	bool is_first = true;
	for (const struct step *s = lesson->steps; s < step && is_first; s++)
		is_first = !s->exercise.dir;

	const char *name = is_first ? arena_printf(arena, "%s.cu", lesson->id)
				    : arena_printf(arena, "%s-%s.cu", lesson->id, step->id);
	return path_join(arena, dir, name);
}

bool tutor_exercise_begin(const struct step *step, const char *path, struct diag *diag)
{
	const struct kernel_file *start = step->exercise.start;
	return file_exists(path) || file_create(path, start->source_text, start->source_len, diag);
}

struct kernel_file *tutor_exercise_file(
	struct arena *arena, const char *path, const struct buf *source, const struct buf *ptx)
{
	struct kernel_file *file = arena_alloc(arena, sizeof *file);
	const char *slash = strrchr(path, '/');
	*file = (struct kernel_file){
		.name = arena_strdup(arena, slash ? slash + 1 : path),
		.source_path = arena_strdup(arena, path),
		.ptx_path = arena_strdup(arena, path),
		.source_text = arena_strndup(arena, buf_str(source), source->len),
		.source_len = source->len,
		.ptx_text = arena_strndup(arena, buf_str(ptx), ptx->len),
		.ptx_len = ptx->len,
	};
	return file;
}
