#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/tutor/private.h"
#include "front/tutor/keys.h"

/* --- steps and parameters --------------------------------------------------------------------------------------------- */
static int first_shown_parameter(const struct tutor *tutor, const struct step *step)
{
	for (int i = 0; i < tutor->at.lesson->n_parameters; i++)
		if (step->shown[i])
			return i;
	return -1;
}

void tutor_go_to_step(struct tutor *tutor, int index)
{
	const struct lesson *lesson = tutor->at.lesson;
	tutor->at.ending = index >= lesson->n_steps;
	tutor->at.step = index < 0 ? 0 : tutor->at.ending ? lesson->n_steps - 1 : index;
	tutor->events.steps_entered++;
	tutor->events.attention_to = ATTENTION_NONE;
	tutor->answer.text[0] = '\0';
	tutor->answer.choice = -1;
	tutor->answer.moved = "";
	tutor->answer.hints_shown = 0;
	tutor->answer.state = ANSWER_NONE;
	tutor->private->live.paused.sweep = false;
	if (!tutor->at.ending) {
		const struct step *step = &lesson->steps[tutor->at.step];
		if (tutor->keeps_progress)
			lesson_progress_visit(tutor->progress, lesson->id, tutor->at.step, step->id);
		if (lesson_progress_answered(tutor->progress, lesson->id, step->id))
			tutor->answer.state = ANSWER_RIGHT;
		if (step->has_experiment)
			memcpy(tutor->at.values, step->set, (size_t)lesson->n_parameters * sizeof *tutor->at.values);
		tutor->at.parameter = step->has_experiment ? first_shown_parameter(tutor, step) : -1;
		tutor->shown.view = step->has_experiment && step->n_views ? view_find(step->views[0]) : VIEW_NONE;
	}
	tutor_attempt_open(tutor);
	tutor_refresh(tutor);
	tutor_answer_settle(tutor);
	tutor_present_entered(tutor);
}

void tutor_close_lesson(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	tutor_attempt_close(tutor);
	tutor_live_detach(tutor);
	tutor_sweep_free(&p->sweep);
	experiments_free(p->experiments);
	p->experiments = NULL;
	p->shown = p->other = NULL;
	tutor->at.lesson = NULL;
	free(tutor->at.values);
	tutor->at.values = NULL;
}

void tutor_begin_lesson(struct tutor *tutor, const struct lesson *lesson)
{
	size_t n = (size_t)lesson->n_parameters;
	tutor_close_lesson(tutor);
	tutor->private->experiments = experiments_new(lesson, &tutor->private->rules);
	tutor_recorded_begin(tutor);
	tutor->at.lesson = lesson;
	tutor->at.values = base_calloc(n + 1, sizeof *tutor->at.values);
	for (size_t i = 0; i < n; i++)
		tutor->at.values[i] = lesson->parameters[i].initial;
}

void tutor_open(struct tutor *tutor, const struct lesson *lesson, int step)
{
	if (tutor->explored && tutor->at.lesson == lesson) {
		tutor_explore_version(tutor, step);
		return;
	}
	tutor_present_opened(tutor, lesson);
	if (tutor->at.lesson != lesson)
		tutor_begin_lesson(tutor, lesson);
	for (int i = 0; i < tutor->catalog->n_lessons; i++)
		if (tutor->catalog->lessons[i] == lesson)
			tutor->at.selected = i;
	tutor->at.mode = TUTOR_LESSON;
	tutor->at.listed_step = 0;
	tutor->events.lessons_opened++;
	if (step < 0)
		step = lesson_progress_step(tutor->progress, lesson->id);
	tutor_go_to_step(tutor, step >= 0 && step < lesson->n_steps ? step : 0);
}

int tutor_value_index(const struct parameter *parameter, int64_t value)
{
	for (int i = 0; i < parameter->n_values; i++)
		if (parameter->values[i] == value)
			return i;
	return -1;
}

bool tutor_set(struct tutor *tutor, const char *name, int64_t value, struct diag *diag)
{
	struct buf list = {0};
	struct diag_pos nowhere = {0};
	const struct lesson *lesson = tutor->at.lesson;
	for (int i = 0; i < lesson->n_parameters; i++) {
		const struct parameter *p = &lesson->parameters[i];
		if (strcmp(p->name, name) != 0)
			continue;
		if (tutor_value_index(p, value) >= 0) {
			tutor->at.values[i] = value;
			tutor_explore_turned(tutor, i);
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
	if (!tutor_step(tutor) || tutor->at.parameter < 0)
		return false;
	const struct parameter *p = &tutor->at.lesson->parameters[tutor->at.parameter];
	int to = tutor_value_index(p, tutor->at.values[tutor->at.parameter]) + by;
	return to >= 0 && to <= tutor_parameter_last(tutor, tutor->at.parameter);
}

void tutor_parameter_turn(struct tutor *tutor, int by)
{
	if (!can_turn(tutor, by))
		return;
	const struct parameter *p = &tutor->at.lesson->parameters[tutor->at.parameter];
	tutor->at.values[tutor->at.parameter] = p->values[tutor_value_index(p, tutor->at.values[tutor->at.parameter]) +
		by];
	tutor_explore_turned(tutor, tutor->at.parameter);
	tutor_refresh(tutor);
	tutor_explore_follow(tutor);
	if (tutor_covered_by_turning(tutor) && !tutor->presented)
		snprintf(tutor->notice, sizeof tutor->notice,
			_("Commit to an answer first? (%s shows it anyway, as looked up.)"),
			key_string(tutor_key_of(ACTION_UNCOVER)).text);
}

static int next_shown(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	int n = tutor->at.lesson->n_parameters;
	for (int k = 1; k < n; k++)
		if (step->shown[(tutor->at.parameter + k) % n])
			return (tutor->at.parameter + k) % n;
	return tutor->at.parameter;
}

void tutor_parameter_select_next(struct tutor *tutor)
{
	if (tutor_step(tutor) && tutor->at.parameter >= 0)
		tutor_parameter_select(tutor, next_shown(tutor));
}

void tutor_parameter_select(struct tutor *tutor, int index)
{
	const struct step *step = tutor_step(tutor);
	if (step && step->has_experiment && index >= 0 && index < tutor->at.lesson->n_parameters && step->shown[index])
		tutor->at.parameter = index;
	tutor_explore_selected(tutor);
}

void tutor_parameter_reset(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	if (!step || !step->has_experiment)
		return;
	memcpy(tutor->at.values, step->set, (size_t)tutor->at.lesson->n_parameters * sizeof *tutor->at.values);
	tutor_refresh(tutor);
}

int tutor_count_parameters(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	int n = 0;
	for (int i = 0; step && step->has_experiment && i < tutor->at.lesson->n_parameters; i++)
		n += step->shown[i];
	return n;
}

/* --- views ------------------------------------------------------------------------------------------------------------ */
void tutor_look(struct tutor *tutor, view_id view)
{
	tutor->shown.view = view;
	tutor_input_fill_times(tutor);
	tutor_roofline_refresh(tutor);
	tutor_input_fill_code(tutor);
	if (view_is_of(view, VIEW_OF_TIMES) || view_is_of(view, VIEW_OF_ROOFLINE))
		tutor_live_ask(tutor);
	tutor_cover_apply(tutor);
}

void tutor_show_view(struct tutor *tutor, int index)
{
	const struct step *step = tutor_step(tutor);
	if (step && step->has_experiment && index >= 0 && index < step->n_views)
		tutor_look(tutor, view_find(step->views[index]));
}

void tutor_cycle_view(struct tutor *tutor, int by)
{
	const struct step *step = tutor_step(tutor);
	if (!step || !step->has_experiment || step->n_views == 0)
		return;
	int at = 0;
	for (int i = 0; i < step->n_views; i++)
		if (view_find(step->views[i]) == tutor->shown.view)
			at = i;
	tutor_show_view(tutor, (at + by + step->n_views) % step->n_views);
}
