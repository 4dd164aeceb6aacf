#include <stdlib.h>
#include <string.h>

#include "tutor/attempt.h"
#include "tutor/private.h"

/* --- steps and parameters --------------------------------------------------------------------------------------------- */
static int first_shown_parameter(const struct tutor *tutor, const struct step *step)
{
	for (int i = 0; i < tutor->lesson->n_parameters; i++)
		if (step->shown[i])
			return i;
	return -1;
}

void step_go(struct tutor *tutor, int index)
{
	const struct lesson *lesson = tutor->lesson;
	tutor->ending = index >= lesson->n_steps;
	tutor->step = index < 0 ? 0 : tutor->ending ? lesson->n_steps - 1 : index;
	tutor->events.steps_entered++;
	tutor->events.attention_to = ATTENTION_NONE;
	tutor->answer[0] = '\0';
	tutor->choice = -1;
	tutor->hints_shown = 0;
	tutor->answer_state = ANSWER_NONE;
	tutor->private->live.sweep_paused = false;
	if (!tutor->ending) {
		const struct step *step = &lesson->steps[tutor->step];
		if (tutor->keeps_progress)
			progress_visit(tutor->progress, lesson->id, tutor->step, step->id);
		if (progress_answered(tutor->progress, lesson->id, step->id))
			tutor->answer_state = ANSWER_RIGHT;
		if (step->has_experiment)
			memcpy(tutor->values, step->set, (size_t)lesson->n_parameters * sizeof *tutor->values);
		tutor->parameter = step->has_experiment ? first_shown_parameter(tutor, step) : -1;
		tutor->view = step->has_experiment && step->n_views ? view_find(step->views[0]) : VIEW_NONE;
	}
	attempt_open(tutor);
	tutor_refresh(tutor);
	answer_settle(tutor);
}

void lesson_close(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	attempt_close(tutor);
	live_detach(tutor);
	sweep_free(&p->sweep);
	experiments_free(p->experiments);
	p->experiments = NULL;
	p->shown = NULL;
	tutor->lesson = NULL;
	free(tutor->values);
	tutor->values = NULL;
}

void tutor_open(struct tutor *tutor, const struct lesson *lesson, int step)
{
	struct tutor_private *p = tutor->private;
	if (tutor->lesson != lesson) {
		lesson_close(tutor);
		p->experiments = experiments_new(lesson, &(struct experiment_rules){.keep = TUTOR_EXPERIMENTS});
		tutor->lesson = lesson;
		size_t n = (size_t)lesson->n_parameters;
		tutor->values = base_calloc(n + 1, sizeof *tutor->values);
		for (size_t i = 0; i < n; i++)
			tutor->values[i] = lesson->parameters[i].initial;
	}
	for (int i = 0; i < tutor->catalogue->n_lessons; i++)
		if (tutor->catalogue->lessons[i] == lesson)
			tutor->selected = i;
	tutor->mode = TUTOR_LESSON;
	tutor->events.lessons_opened++;
	if (step < 0)
		step = progress_step(tutor->progress, lesson->id);
	step_go(tutor, step >= 0 && step < lesson->n_steps ? step : 0);
}

static int value_index(const struct parameter *p, int64_t value)
{
	for (int i = 0; i < p->n_values; i++)
		if (p->values[i] == value)
			return i;
	return -1;
}

bool tutor_set(struct tutor *tutor, const char *name, int64_t value, struct diag *diag)
{
	struct buf list = {0};
	struct diag_pos nowhere = {0};
	const struct lesson *lesson = tutor->lesson;
	for (int i = 0; i < lesson->n_parameters; i++) {
		const struct parameter *p = &lesson->parameters[i];
		if (strcmp(p->name, name) != 0)
			continue;
		if (value_index(p, value) >= 0) {
			tutor->values[i] = value;
			tutor_refresh(tutor);
			return true;
		}
		return lesson_check_value(p, value, nowhere, diag);
	}
	for (int i = 0; i < lesson->n_parameters; i++)
		buf_printf(&list, "%s%s", i ? ", " : "", lesson->parameters[i].name);
	diag_error(diag, nowhere, "lesson %s has no parameter %s; it has %s", lesson->id, name,
		list.len ? buf_str(&list) : "none");
	buf_free(&list);
	return false;
}

static bool can_turn(const struct tutor *tutor, int by)
{
	if (!tutor_step(tutor) || tutor->parameter < 0)
		return false;
	const struct parameter *p = &tutor->lesson->parameters[tutor->parameter];
	int to = value_index(p, tutor->values[tutor->parameter]) + by;
	return to >= 0 && to < p->n_values;
}

void parameter_turn(struct tutor *tutor, int by)
{
	if (!can_turn(tutor, by))
		return;
	const struct parameter *p = &tutor->lesson->parameters[tutor->parameter];
	tutor->values[tutor->parameter] = p->values[value_index(p, tutor->values[tutor->parameter]) + by];
	tutor_refresh(tutor);
}

static int next_shown(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	int n = tutor->lesson->n_parameters;
	for (int k = 1; k < n; k++)
		if (step->shown[(tutor->parameter + k) % n])
			return (tutor->parameter + k) % n;
	return tutor->parameter;
}

void parameter_select_next(struct tutor *tutor)
{
	if (tutor_step(tutor) && tutor->parameter >= 0)
		tutor->parameter = next_shown(tutor);
}

void tutor_select_parameter(struct tutor *tutor, int index)
{
	const struct step *step = tutor_step(tutor);
	if (step && step->has_experiment && index >= 0 && index < tutor->lesson->n_parameters && step->shown[index])
		tutor->parameter = index;
}

void parameter_reset(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	if (!step || !step->has_experiment)
		return;
	memcpy(tutor->values, step->set, (size_t)tutor->lesson->n_parameters * sizeof *tutor->values);
	tutor_refresh(tutor);
}

int parameter_count_shown(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	int n = 0;
	for (int i = 0; step && step->has_experiment && i < tutor->lesson->n_parameters; i++)
		n += step->shown[i];
	return n;
}

/* --- views ------------------------------------------------------------------------------------------------------------ */
void tutor_look(struct tutor *tutor, enum view_id view)
{
	tutor->view = view;
	input_fill_times(tutor);
	if (view_is_of_time(view))
		live_ask(tutor);
}

void tutor_show_view(struct tutor *tutor, int index)
{
	const struct step *step = tutor_step(tutor);
	if (step && step->has_experiment && index >= 0 && index < step->n_views)
		tutor_look(tutor, view_find(step->views[index]));
}

void view_cycle(struct tutor *tutor, int by)
{
	const struct step *step = tutor_step(tutor);
	if (!step || !step->has_experiment || step->n_views == 0)
		return;
	int at = 0;
	for (int i = 0; i < step->n_views; i++)
		if (view_find(step->views[i]) == tutor->view)
			at = i;
	tutor_show_view(tutor, (at + by + step->n_views) % step->n_views);
}
