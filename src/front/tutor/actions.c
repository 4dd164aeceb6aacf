/* What a reader does: steps, parameters and views, the list, and the actions that do it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/tutor/keys.h"
#include "front/tutor/private.h"

/* --- steps and parameters ----------------------------------------------------------------------------------------- */

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
		tutor->at.parameter = -1;
		for (int i = 0; step->has_experiment && i < lesson->n_parameters && tutor->at.parameter < 0; i++)
			tutor->at.parameter = step->shown[i] ? i : -1;
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

static void turn_parameter(struct tutor *tutor, int by)
{
	if (!tutor_step(tutor) || tutor->at.parameter < 0)
		return;
	const struct parameter *p = &tutor->at.lesson->parameters[tutor->at.parameter];
	int to = tutor_value_index(p, tutor->at.values[tutor->at.parameter]) + by;
	if (to < 0 || to > tutor_parameter_last(tutor, tutor->at.parameter))
		return;
	tutor->at.values[tutor->at.parameter] = p->values[to];
	tutor_explore_turned(tutor, tutor->at.parameter);
	tutor_refresh(tutor);
	tutor_explore_follow(tutor);
	if (tutor_covered_by_turning(tutor) && !tutor->presented)
		snprintf(tutor->notice, sizeof tutor->notice,
			_("Commit to an answer first? (%s shows it anyway, as looked up.)"),
			key_string(tutor_key_of(ACTION_UNCOVER)).text);
}

void tutor_parameter_select(struct tutor *tutor, int index)
{
	const struct step *step = tutor_step(tutor);
	if (step && step->has_experiment && index >= 0 && index < tutor->at.lesson->n_parameters && step->shown[index])
		tutor->at.parameter = index;
	tutor_explore_selected(tutor);
}

static int count_parameters(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	int n = 0;
	for (int i = 0; step && step->has_experiment && i < tutor->at.lesson->n_parameters; i++)
		n += step->shown[i];
	return n;
}

/* --- views -------------------------------------------------------------------------------------------------------- */

void tutor_turn_to_view(struct tutor *tutor, view_id view)
{
	tutor->shown.view = view;
	tutor_input_fill_times(tutor);
	tutor_roofline_refresh(tutor);
	tutor_input_fill_code(tutor);
	if (view_is_of(view, VIEW_OF_TIMES) || view_is_of(view, VIEW_OF_ROOFLINE))
		tutor_live_request(tutor);
	tutor_cover_apply(tutor);
}

void tutor_show_view(struct tutor *tutor, int index)
{
	const struct step *step = tutor_step(tutor);
	if (step && step->has_experiment && index >= 0 && index < step->n_views)
		tutor_turn_to_view(tutor, view_find(step->views[index]));
}

static void cycle_view(struct tutor *tutor, int by)
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

/* --- which lessons are listed ------------------------------------------------------------------------------------- */

static bool passes(const struct tutor *tutor, const struct lesson *lesson, enum tutor_filter filter, const char *track)
{
	struct lesson_progress_score score = lesson_progress_score(tutor->progress, lesson);
	if (track && strcmp(lesson->track, track) != 0)
		return false;
	switch (filter) {
	case FILTER_UNREAD: return lesson_progress_visited_count(tutor->progress, lesson->id) < lesson->n_steps;
	case FILTER_UNANSWERED: return score.answered < score.questions;
	case FILTER_UNSOLVED: return score.solved < score.exercises;
	default: return true;
	}
}

bool tutor_lists(const struct tutor *tutor, int lesson)
{
	return passes(tutor, tutor->catalog->lessons[lesson], tutor->at.filter, tutor->at.track);
}

static bool leaves_any(const struct tutor *tutor, enum tutor_filter filter, const char *track)
{
	for (int i = 0; i < tutor->catalog->n_lessons; i++)
		if (passes(tutor, tutor->catalog->lessons[i], filter, track))
			return true;
	return false;
}

/* The listed lesson that is nearest to the selected one. */
static void select_nearest(struct tutor *tutor)
{
	int best = -1, at = tutor->at.selected;
	for (int i = 0; i < tutor->catalog->n_lessons; i++)
		if (tutor_lists(tutor, i) && (best < 0 || abs(i - at) < abs(best - at)))
			best = i;
	tutor->at.selected = best < 0 ? at : best;
}

/* The first lesson of a track. */
static int track_begins(const struct catalog *c, const char *track)
{
	int i = 0;
	while (i < c->n_lessons && strcmp(c->lessons[i]->track, track) != 0)
		i++;
	return i;
}

/* --- actions ------------------------------------------------------------------------------------------------------ */

static void leave(struct tutor *tutor)
{
	if (tutor_typing(tutor)) {
		tutor->answer.state = ANSWER_NONE;
		tutor->answer.text[0] = '\0';
		tutor->answer.choice = -1;
	} else if (!tutor->explored) {
		tutor->at.mode = TUTOR_LIST;
		tutor->at.ending = false;
		/* A filter that nothing passes any more ends; the selected lesson is one that is listed. */
		if (!leaves_any(tutor, tutor->at.filter, tutor->at.track)) {
			tutor->at.filter = FILTER_ALL;
			tutor->at.track = NULL;
		}
		select_nearest(tutor);
	}
}

static void open_selected(struct tutor *tutor)
{
	tutor_open(tutor, tutor->catalog->lessons[tutor->at.selected], tutor->at.listed_step - 1);
}

static void go_on(struct tutor *tutor)
{
	if (tutor->explored) {
		tutor_explore_version(tutor, tutor->at.step + 1);
	} else if (tutor->at.ending) {
		/* Past the ending: the next lesson, or the list after the last. */
		if (tutor->at.selected + 1 < tutor->catalog->n_lessons) {
			tutor->at.selected++;
			open_selected(tutor);
		} else {
			leave(tutor);
		}
	} else {
		tutor_go_to_step(tutor, tutor->at.step + 1);
	}
}

static bool has_question(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return step && step->question.kind != QUESTION_NONE;
}

bool tutor_choosing(const struct tutor *tutor)
{
	return tutor_typing(tutor) && lesson_question_table[tutor_step(tutor)->question.kind].entry == QUESTION_PICKED;
}

static void move_choice(struct tutor *tutor, int by)
{
	if (tutor_choosing(tutor))
		tutor_answer_move(tutor, by);
}

#define LIST_PAGE 10

/* To the next of the lines that have instructions. */
static void move_line(struct tutor *tutor, int by)
{
	const struct step *step = tutor_step(tutor);
	if (!step || !step->watch.by)
		return;
	const struct parameter *p = &tutor->at.lesson->parameters[step->watch.by->line];
	int to = tutor_value_index(p, tutor->at.values[step->watch.by->line]) + by;
	if (to >= 0 && to < p->n_values)
		tutor_watch_line(tutor, (int)p->values[to]);
}

/* Of lessons, or of the steps of one. */
static void select_listed(struct tutor *tutor, int by)
{
	int n = tutor->catalog->lessons[tutor->at.selected]->n_steps, *step = &tutor->at.listed_step;
	if (*step) {
		*step = *step + by < 1 ? 1 : *step + by > n ? n : *step + by;
	} else {
		/* So many of the listed lessons on, or back. */
		int way = by < 0 ? -1 : 1;
		for (int i = tutor->at.selected + way; by && i >= 0 && i < tutor->catalog->n_lessons; i += way) {
			if (!tutor_lists(tutor, i))
				continue;
			tutor->at.selected = i;
			by -= way;
		}
	}
}

void tutor_act(struct tutor *tutor, enum tutor_action action)
{
	bool sure = tutor->private->may_reset == tutor->catalog->lessons[tutor->at.selected];
	tutor_dismiss_notice(tutor);
	tutor->private->may_reset = NULL;
	if (action != ACTION_EDIT)
		tutor->private->may_run = NULL;
	if (action == ACTION_QUIT) {
		tutor->quit = true;
	} else if (tutor->presented && tutor_present_act(tutor, action)) {
		return;
	} else if (tutor->playground && tutor_playground_act(tutor, action)) {
		return;
	} else if (action == ACTION_RESET && !tutor->explored) {
		/* The second time in a row it is done. */
		const struct lesson *lesson = tutor->catalog->lessons[tutor->at.selected];
		char text[200];
		if (!sure) {
			snprintf(text, sizeof text, _("R again forgets what you read and answered in \"%.100s\"."),
				lesson->title);
			tutor_notice(tutor, text);
			tutor->private->may_reset = lesson;
			return;
		}
		lesson_progress_forget(tutor->progress, lesson->id, NULL);
		if (tutor->at.mode == TUTOR_LESSON)
			tutor_go_to_step(tutor, 0);
		snprintf(text, sizeof text, _("\"%.100s\" is as new."), lesson->title);
		tutor_notice(tutor, text);
	} else if (tutor->at.mode == TUTOR_LIST) {
		if (action == ACTION_FILTER || action == ACTION_TRACK || action == ACTION_BACK)
			tutor->at.listed_step = 0;
		switch (action) {
		case ACTION_UP: select_listed(tutor, -1); break;
		case ACTION_DOWN: select_listed(tutor, 1); break;
		case ACTION_PAGE_UP: select_listed(tutor, -LIST_PAGE); break;
		case ACTION_PAGE_DOWN: select_listed(tutor, LIST_PAGE); break;
		case ACTION_STEPS: {
			/* Into the steps of the selected lesson, where it would be opened. */
			const struct lesson *lesson = tutor->catalog->lessons[tutor->at.selected];
			int at = lesson_progress_step(tutor->progress, lesson->id);
			if (!tutor->at.listed_step)
				tutor->at.listed_step = at >= 0 && at < lesson->n_steps ? at + 1 : 1;
			break;
		}
		case ACTION_FILTER:
			/* On to the next filter; to the next track of the lessons that it leaves. */
			do
				tutor->at.filter = (enum tutor_filter)((tutor->at.filter + 1) % FILTERS);
			while (!leaves_any(tutor, tutor->at.filter, tutor->at.track) && tutor->at.filter != FILTER_ALL);
			select_nearest(tutor);
			break;
		case ACTION_TRACK: {
			/* Tracks in the order in which they begin; after the last, all. */
			const struct catalog *c = tutor->catalog;
			int at = tutor->at.track ? track_begins(c, tutor->at.track) + 1 : 0;
			tutor->at.track = NULL;
			for (; at < c->n_lessons && !tutor->at.track; at++) {
				const char *track = c->lessons[at]->track;
				if (track_begins(c, track) == at && leaves_any(tutor, tutor->at.filter, track))
					tutor->at.track = track;
			}
			select_nearest(tutor);
			break;
		}
		case ACTION_OPEN: open_selected(tutor); break;
		case ACTION_MEASURE: tutor_live_measure(tutor); break;
		default: break;
		}
	} else {
		switch (action) {
		case ACTION_BACK: leave(tutor); break;
		case ACTION_UP: move_choice(tutor, -1); break;
		case ACTION_DOWN: move_choice(tutor, 1); break;
		case ACTION_OPEN:
			/* Enter follows the reader's way: check what is typed, take up an open question, go on. */
			if (!tutor->explored) { /* a version is left by its own keys */
				if (tutor_typing(tutor))
					tutor_answer_check(tutor);
				else if (has_question(tutor) && tutor->answer.state != ANSWER_RIGHT)
					tutor_answer_begin(tutor);
				else
					go_on(tutor);
			}
			break;
		case ACTION_LINE_UP: move_line(tutor, -1); break;
		case ACTION_LINE_DOWN: move_line(tutor, 1); break;
		case ACTION_STEP_NEXT: go_on(tutor); break;
		case ACTION_STEP_PREVIOUS:
			if (tutor->explored)
				tutor_explore_version(tutor, tutor->at.step - 1);
			else if (tutor->at.ending)
				tutor_go_to_step(tutor, tutor->at.lesson->n_steps - 1);
			else if (tutor->at.step > 0)
				tutor_go_to_step(tutor, tutor->at.step - 1);
			break;
		case ACTION_PARAM_NEXT: turn_parameter(tutor, 1); break;
		case ACTION_PARAM_PREVIOUS: turn_parameter(tutor, -1); break;
		case ACTION_PARAM_SELECT: {
			const struct step *step = tutor_step(tutor);
			int at = tutor->at.parameter, n = tutor->at.lesson->n_parameters, next = at;
			if (!step || at < 0)
				break;
			for (int k = 1; k < n && next == at; k++)
				next = step->shown[(at + k) % n] ? (at + k) % n : at;
			tutor_parameter_select(tutor, next);
			break;
		}
		case ACTION_PARAM_RESET: {
			const struct step *step = tutor_step(tutor);
			if (step && step->has_experiment) {
				memcpy(tutor->at.values, step->set,
					(size_t)tutor->at.lesson->n_parameters * sizeof *tutor->at.values);
				tutor_refresh(tutor);
			}
			break;
		}
		case ACTION_VIEW_NEXT: cycle_view(tutor, 1); break;
		case ACTION_VIEW_PREVIOUS: cycle_view(tutor, -1); break;
		case ACTION_MEASURE: tutor_live_measure(tutor); break;
		case ACTION_WITNESS:
			if (tutor->shown.live_times) {
				tutor->shown.model_times = !tutor->shown.model_times;
				tutor_input_choose_times(tutor);
				tutor_cover_apply(tutor);
			}
			break;
		case ACTION_RECORDING: tutor_recorded_next(tutor); break;
		case ACTION_ANSWER: tutor_answer_begin(tutor); break;
		case ACTION_UNCOVER: tutor_uncover(tutor); break;
		case ACTION_HINT: tutor_answer_hint(tutor); break;
		case ACTION_TAKE_BACK: tutor_answer_take_back(tutor); break;
		case ACTION_EDIT: tutor_attempt_edit(tutor); break;
		default: break;
		}
	}
}

bool tutor_can(const struct tutor *tutor, enum tutor_action action)
{
	const struct step *step = tutor_step(tutor);
	bool experiment = step && step->has_experiment;
	if (action >= ACTION_SLIDE_NEXT && action <= ACTION_SLIDE_LEAVE)
		return tutor->presented != NULL;
	switch (action) {
	case ACTION_NONE: return false;
	case ACTION_STEPS:
	case ACTION_FILTER:
	case ACTION_TRACK: return tutor->at.mode == TUTOR_LIST;
	case ACTION_COPY: return experiment && tutor->shown.view != VIEW_NONE;
	case ACTION_COPY_PATH: return tutor->exercise.attempt || (step && step->file);
	case ACTION_SETTINGS: return tutor->settings != NULL;
	case ACTION_TAKE_BACK: return step && tutor_answered(tutor);
	case ACTION_PARAM_NEXT:
	case ACTION_PARAM_PREVIOUS: return experiment && tutor->at.parameter >= 0;
	case ACTION_PARAM_RESET:
		return experiment &&
			memcmp(tutor->at.values, step->set,
				(size_t)tutor->at.lesson->n_parameters * sizeof *tutor->at.values) != 0;
	case ACTION_PARAM_SELECT: return count_parameters(tutor) > 1;
	case ACTION_VIEW_NEXT:
	case ACTION_VIEW_PREVIOUS: return experiment && step->n_views > 1;
	case ACTION_POINT:
	case ACTION_POINT_UP:
	case ACTION_POINT_DOWN:
	case ACTION_POINT_LEFT:
	case ACTION_POINT_RIGHT:
	case ACTION_POINT_PANE:
	case ACTION_POINT_END:
	case ACTION_ZOOM: return experiment && step->n_views > 0;
	case ACTION_PLAY:
	case ACTION_PLAY_BACK:
	case ACTION_PLAY_FORWARD:
	case ACTION_PLAY_PACE: return experiment && view_moments(tutor->shown.view, &tutor->shown.input) > 1;
	case ACTION_DEBUG: return experiment && tutor->private->shown && tutor->private->shown->launch;
	case ACTION_MEASURE: return tutor->at.mode == TUTOR_LIST || experiment;
	case ACTION_WITNESS: return experiment && tutor->shown.live_times;
	case ACTION_RECORDING: return experiment && tutor_recorded_count(tutor) > 1;
	case ACTION_ANSWER: return has_question(tutor) && tutor->answer.state != ANSWER_RIGHT;
	case ACTION_UNCOVER: return tutor_covered(tutor);
	case ACTION_HINT:
		return step && (step->exercise.dir ? !tutor_answered(tutor) : tutor->answer.state != ANSWER_RIGHT) &&
			tutor->answer.hints_shown < tutor_answer_hints(tutor);
	case ACTION_EDIT: return tutor->playground || tutor_file_to_edit(tutor, NULL);
	case ACTION_PLAYGROUND: return tutor->playground || tutor->playgrounds.open;
	case ACTION_STEP_PREVIOUS: return tutor->at.ending || (step && tutor->at.step > 0);
	case ACTION_STEP_NEXT:
		return tutor->at.mode == TUTOR_LESSON &&
			(!tutor->explored || tutor->at.step + 1 < tutor->explored->versions);
	case ACTION_LINE_UP:
	case ACTION_LINE_DOWN: return tutor->explored && step && step->watch.by;
	default: return true;
	}
}
