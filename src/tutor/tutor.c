#include "tutor/tutor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutor/keys.h"
#include "tutor/private.h"

/* --- life ------------------------------------------------------------------------------------------------------------- */
static bool is_metric(const char *name)
{
	return metric_find(name) != METRIC_NONE;
}

static bool is_view(const char *name)
{
	return view_find(name) != VIEW_NONE;
}

static const char *metric_at(int index)
{
	return index < METRICS ? metric_table[index].name : NULL;
}

static const char *view_at(int index)
{
	return index < VIEWS ? view_table[index].name : NULL;
}

const struct lesson_names tutor_lesson_names = {.metric = is_metric, .view = is_view, .metric_at = metric_at,
	.view_at = view_at};

struct tutor *tutor_new(const struct paths *paths, const char *gpu_spec, struct diag *diag)
{
	struct tutor *tutor = base_calloc(1, sizeof *tutor);
	struct tutor_private *p = tutor->private = base_calloc(1, sizeof *p);
	p->arena = arena_new();
	tutor->keeps_progress = true;
	tutor->parameter = -1;
	tutor->page = 10;
	tutor->view = VIEW_NONE;
	tutor->catalogue = catalogue_load(p->arena, paths->data, &tutor_lesson_names, diag);
	if (tutor->catalogue && tutor->catalogue->n_lessons == 0)
		diag_error(diag, (struct diag_pos){0}, "there is not a single lesson in %s/lessons", paths->data);
	tutor->gpu = gpu_new(gpu_spec, paths->worker, diag);
	tutor->progress = progress_load(paths->state, diag);
	if (!tutor->catalogue || tutor->catalogue->n_lessons == 0 || !tutor->gpu || !tutor->progress) {
		tutor_free(tutor);
		return NULL;
	}
	live_describe(tutor);
	return tutor;
}

static void close_lesson(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	live_detach(tutor);
	sweep_free(&p->sweep);
	workbench_free(p->bench);
	p->bench = NULL;
	p->shown = NULL;
	tutor->lesson = NULL;
	free(tutor->values);
	tutor->values = NULL;
}

void tutor_free(struct tutor *tutor)
{
	if (!tutor)
		return;
	struct diag unheard = {0};
	tutor_save(tutor, &unheard);
	diag_free(&unheard);
	close_lesson(tutor);
	if (tutor->gpu)
		gpu_free(tutor->gpu);
	if (tutor->progress)
		progress_free(tutor->progress);
	arena_free(tutor->private->arena);
	free(tutor->private);
	free(tutor);
}

void tutor_notice(struct tutor *tutor, const char *sentence)
{
	snprintf(tutor->notice, sizeof tutor->notice, "%s", sentence);
}

bool tutor_save(struct tutor *tutor, struct diag *diag)
{
	return !tutor->keeps_progress || !tutor->progress || progress_save(tutor->progress, diag);
}

const struct step *tutor_step(const struct tutor *tutor)
{
	return tutor->mode == TUTOR_LESSON && tutor->lesson && !tutor->ending ? &tutor->lesson->steps[tutor->step] : NULL;
}

/* --- what is shown ---------------------------------------------------------------------------------------------------- */
static bool is_known(struct value v)
{
	return v.state == VALUE_OK || v.state == VALUE_UNDEFINED;
}

static void fill_measured(const struct tutor *tutor, const struct experiment *e, struct view_number *row)
{
	struct value live = metric_value(row->metric, &e->live);
	struct value recorded = metric_value(row->metric, &e->recorded);
	row->measured_by = WITNESS_NONE;
	if (is_known(live)) {
		row->measured = live;
		row->measured_by = WITNESS_LIVE;
	} else if (e->found == RECORDED_OK && is_known(recorded)) {
		row->measured = recorded;
		row->measured_by = WITNESS_RECORDED;
	} else if (live.state != VALUE_NONE) {
		row->measured = live;
	} else {
		row->measured = value_missing(e->found == RECORDED_STALE ? VALUE_STALE : live_absence(tutor));
	}
}

static void name_measured_on(struct tutor *tutor, const struct experiment *e)
{
	struct tutor_private *p = tutor->private;
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	bool live = false, recorded = false;
	for (int i = 0; i < tutor->input.numbers.n_rows; i++) {
		live |= p->numbers[i].measured_by == WITNESS_LIVE;
		recorded |= p->numbers[i].measured_by == WITNESS_RECORDED;
	}
	tutor->measured_on = tutor->measured_short = NULL;
	if (live && info) {
		snprintf(p->measured_short, sizeof p->measured_short, "%s, live", info->name);
		snprintf(p->measured_on, sizeof p->measured_on, "%s", p->measured_short);
	} else if (recorded) {
		snprintf(p->measured_short, sizeof p->measured_short, "%s, recorded", e->provenance->gpu);
		snprintf(p->measured_on, sizeof p->measured_on, "%s %s", p->measured_short, e->provenance->date);
	} else {
		return;
	}
	tutor->measured_on = p->measured_on;
	tutor->measured_short = p->measured_short;
}

void tutor_refresh_measured(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	if (p->shown) {
		for (int i = 0; i < tutor->input.numbers.n_rows; i++)
			fill_measured(tutor, p->shown, &p->numbers[i]);
		name_measured_on(tutor, p->shown);
		tutor->input.numbers.measured_on = tutor->measured_on;
		sweep_refresh(tutor);
	}
	live_describe(tutor);
}

static void fill_input(struct tutor *tutor, const struct step *step, const struct experiment *e)
{
	struct tutor_private *p = tutor->private;
	tutor->input = (struct view_input){
		.access = e->has_access ? &e->access : NULL,
		.cc = MODEL_CC_DEFAULT,
		.place = e->place,
		.source = e->source,
		.numbers = {.rows = p->numbers},
	};
	for (int i = 0; i < step->n_metrics && tutor->input.numbers.n_rows < METRICS; i++) {
		enum metric_id metric = metric_find(step->metrics[i]);
		if (metric == METRIC_NONE)
			continue;
		p->numbers[tutor->input.numbers.n_rows++] = (struct view_number){
			.metric = metric,
			.predicted = metric_value(metric, &e->model),
		};
	}
}

void tutor_refresh(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	const struct step *step = tutor_step(tutor);
	tutor->problems = NULL;
	tutor->measured_on = tutor->measured_short = NULL;
	if (!step || !step->has_experiment) {
		tutor->input = (struct view_input){.cc = MODEL_CC_DEFAULT};
		p->shown = NULL;
		sweep_begin(tutor);
	} else {
		struct experiment *e = workbench_get(p->bench, step, tutor->values);
		p->shown = e;
		p->bench->current = e;
		if (p->bench->problems.count)
			tutor->problems = &p->bench->problems;
		if (e->problems.count)
			tutor->problems = &e->problems;
		fill_input(tutor, step, e);
		sweep_begin(tutor);
		while (!tutor->background && !sweep_complete(tutor))
			sweep_predict(tutor);
	}
	live_ask(tutor);
	tutor_refresh_measured(tutor);
}

bool tutor_has_work(const struct tutor *tutor)
{
	return !sweep_complete(tutor);
}

bool tutor_work(struct tutor *tutor)
{
	if (sweep_complete(tutor))
		return false;
	sweep_predict(tutor);
	if (sweep_complete(tutor))
		live_ask(tutor);
	sweep_refresh(tutor);
	return tutor->view == VIEW_SWEEP;
}

/* --- steps and parameters --------------------------------------------------------------------------------------------- */
static int first_shown_parameter(const struct tutor *tutor, const struct step *step)
{
	for (int i = 0; i < tutor->lesson->n_parameters; i++)
		if (step->shown[i])
			return i;
	return -1;
}

static void go_to_step(struct tutor *tutor, int index)
{
	const struct lesson *lesson = tutor->lesson;
	tutor->ending = index >= lesson->n_steps;
	tutor->step = index < 0 ? 0 : tutor->ending ? lesson->n_steps - 1 : index;
	tutor->text_scroll = 0;
	tutor->answer[0] = '\0';
	tutor->choice = -1;
	tutor->hints_shown = 0;
	tutor->answer_state = ANSWER_NONE;
	tutor->show_question = false;
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
	tutor_refresh(tutor);
}

void tutor_open(struct tutor *tutor, const struct lesson *lesson, int step)
{
	struct tutor_private *p = tutor->private;
	if (tutor->lesson != lesson) {
		close_lesson(tutor);
		p->bench = workbench_new(lesson);
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
	tutor->zoom = false;
	if (step < 0)
		step = progress_step(tutor->progress, lesson->id);
	go_to_step(tutor, step >= 0 && step < lesson->n_steps ? step : 0);
}

static int value_index(const struct parameter *p, int64_t value)
{
	for (int i = 0; i < p->n_values; i++)
		if (p->values[i] == value)
			return i;
	return -1;
}

static void list_values(const struct parameter *p, struct buf *out)
{
	for (int i = 0; i < p->n_values; i++)
		buf_printf(out, "%s%lld", i ? ", " : "", (long long)p->values[i]);
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
		list_values(p, &list);
		diag_error(diag, nowhere, "%s cannot be %lld; it takes %s", name, (long long)value, buf_str(&list));
		buf_free(&list);
		return false;
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

static void turn(struct tutor *tutor, int by)
{
	if (!can_turn(tutor, by))
		return;
	const struct parameter *p = &tutor->lesson->parameters[tutor->parameter];
	tutor->values[tutor->parameter] = p->values[value_index(p, tutor->values[tutor->parameter]) + by];
	tutor_refresh(tutor);
}

static int next_shown_parameter(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	int n = tutor->lesson->n_parameters;
	for (int k = 1; k < n; k++)
		if (step->shown[(tutor->parameter + k) % n])
			return (tutor->parameter + k) % n;
	return tutor->parameter;
}

void tutor_select_parameter(struct tutor *tutor, int index)
{
	const struct step *step = tutor_step(tutor);
	if (step && step->has_experiment && index >= 0 && index < tutor->lesson->n_parameters && step->shown[index])
		tutor->parameter = index;
}

static void reset(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	if (!step || !step->has_experiment)
		return;
	memcpy(tutor->values, step->set, (size_t)tutor->lesson->n_parameters * sizeof *tutor->values);
	tutor_refresh(tutor);
}

/* --- views ------------------------------------------------------------------------------------------------------------ */
void tutor_show_view(struct tutor *tutor, int index)
{
	const struct step *step = tutor_step(tutor);
	if (step && step->has_experiment && index >= 0 && index < step->n_views)
		tutor->view = view_find(step->views[index]);
}

static void cycle_view(struct tutor *tutor, int by)
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

/* --- actions ---------------------------------------------------------------------------------------------------------- */
static void leave(struct tutor *tutor)
{
	if (tutor_typing(tutor)) {
		tutor->answer_state = ANSWER_NONE;
		tutor->answer[0] = '\0';
		tutor->choice = -1;
	} else if (tutor->zoom) {
		tutor->zoom = false;
	} else {
		tutor->mode = TUTOR_LIST;
		tutor->ending = false;
	}
}

static void open_selected(struct tutor *tutor)
{
	tutor_open(tutor, tutor->catalogue->lessons[tutor->selected], -1);
}

/* Past the ending: the next lesson, or the list after the last. */
static void next_lesson(struct tutor *tutor)
{
	if (tutor->selected + 1 < tutor->catalogue->n_lessons) {
		tutor->selected++;
		open_selected(tutor);
	} else {
		leave(tutor);
	}
}

static void go_on(struct tutor *tutor)
{
	if (tutor->ending)
		next_lesson(tutor);
	else
		go_to_step(tutor, tutor->step + 1);
}

static void go_back(struct tutor *tutor)
{
	if (tutor->ending)
		go_to_step(tutor, tutor->lesson->n_steps - 1);
	else if (tutor->step > 0)
		go_to_step(tutor, tutor->step - 1);
}

static bool has_question(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return step && step->question.kind != QUESTION_NONE;
}

/* Enter follows the reader's way: check what is typed, take up an open question, go on. */
static void enter(struct tutor *tutor)
{
	if (tutor_typing(tutor))
		answer_check(tutor);
	else if (has_question(tutor) && tutor->answer_state != ANSWER_RIGHT)
		answer_begin(tutor);
	else
		go_on(tutor);
}

static void scroll(struct tutor *tutor, int by)
{
	bool choosing = tutor_typing(tutor) && tutor_step(tutor)->question.kind == QUESTION_CHOICE;
	if (choosing && (by == 1 || by == -1))
		answer_move(tutor, by);
	else
		tutor->text_scroll = tutor->text_scroll + by < 0 ? 0 : tutor->text_scroll + by;
}

#define LIST_PAGE 10

static void act_in_lesson(struct tutor *tutor, enum tutor_action action)
{
	switch (action) {
	case ACTION_BACK: leave(tutor); break;
	case ACTION_UP: scroll(tutor, -1); break;
	case ACTION_DOWN: scroll(tutor, 1); break;
	case ACTION_PAGE_UP: scroll(tutor, -tutor->page); break;
	case ACTION_PAGE_DOWN: scroll(tutor, tutor->page); break;
	case ACTION_OPEN: enter(tutor); break;
	case ACTION_STEP_NEXT: go_on(tutor); break;
	case ACTION_STEP_PREVIOUS: go_back(tutor); break;
	case ACTION_PARAM_NEXT: turn(tutor, 1); break;
	case ACTION_PARAM_PREVIOUS: turn(tutor, -1); break;
	case ACTION_PARAM_SELECT:
		if (tutor_step(tutor) && tutor->parameter >= 0)
			tutor->parameter = next_shown_parameter(tutor);
		break;
	case ACTION_PARAM_RESET: reset(tutor); break;
	case ACTION_VIEW_NEXT: cycle_view(tutor, 1); break;
	case ACTION_VIEW_PREVIOUS: cycle_view(tutor, -1); break;
	case ACTION_ZOOM: tutor->zoom = tutor_can(tutor, action) && !tutor->zoom; break;
	case ACTION_MEASURE: live_measure(tutor); break;
	case ACTION_ANSWER: answer_begin(tutor); break;
	case ACTION_HINT: answer_hint(tutor); break;
	default: break;
	}
}

static void select_lesson(struct tutor *tutor, int to)
{
	int last = tutor->catalogue->n_lessons - 1;
	tutor->selected = to < 0 ? 0 : to > last ? last : to;
}

static void act_in_list(struct tutor *tutor, enum tutor_action action)
{
	switch (action) {
	case ACTION_UP: select_lesson(tutor, tutor->selected - 1); break;
	case ACTION_DOWN: select_lesson(tutor, tutor->selected + 1); break;
	case ACTION_PAGE_UP: select_lesson(tutor, tutor->selected - LIST_PAGE); break;
	case ACTION_PAGE_DOWN: select_lesson(tutor, tutor->selected + LIST_PAGE); break;
	case ACTION_OPEN: open_selected(tutor); break;
	case ACTION_MEASURE: live_measure(tutor); break;
	default: break;
	}
}

static void toggle_help(struct tutor *tutor)
{
	tutor->help = !tutor->help;
	tutor->help_scroll = 0;
}

/* A key that does not scroll closes the list of keys and does nothing else. */
static void act_in_help(struct tutor *tutor, enum tutor_action action)
{
	switch (action) {
	case ACTION_UP: tutor->help_scroll--; break;
	case ACTION_DOWN: tutor->help_scroll++; break;
	case ACTION_PAGE_UP: tutor->help_scroll -= LIST_PAGE; break;
	case ACTION_PAGE_DOWN: tutor->help_scroll += LIST_PAGE; break;
	default: tutor->help = false; break;
	}
}

void tutor_act(struct tutor *tutor, enum tutor_action action)
{
	tutor->notice[0] = '\0';
	if (action == ACTION_QUIT)
		tutor->quit = true;
	else if (action == ACTION_HELP)
		toggle_help(tutor);
	else if (action == ACTION_NONE || action == ACTION_REDRAW)
		return;
	else if (tutor->help)
		act_in_help(tutor, action);
	else if (tutor->mode == TUTOR_LIST)
		act_in_list(tutor, action);
	else
		act_in_lesson(tutor, action);
}

static int count_shown_parameters(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	int n = 0;
	for (int i = 0; step && step->has_experiment && i < tutor->lesson->n_parameters; i++)
		n += step->shown[i];
	return n;
}

bool tutor_can(const struct tutor *tutor, enum tutor_action action)
{
	const struct step *step = tutor_step(tutor);
	bool experiment = step && step->has_experiment;
	switch (action) {
	case ACTION_NONE: return false;
	case ACTION_PARAM_NEXT:
	case ACTION_PARAM_PREVIOUS: return experiment && tutor->parameter >= 0;
	case ACTION_PARAM_RESET:
		return experiment && memcmp(tutor->values, step->set,
			(size_t)tutor->lesson->n_parameters * sizeof *tutor->values) != 0;
	case ACTION_PARAM_SELECT: return count_shown_parameters(tutor) > 1;
	case ACTION_VIEW_NEXT:
	case ACTION_VIEW_PREVIOUS: return experiment && step->n_views > 1;
	case ACTION_ZOOM: return experiment && step->n_views > 0;
	case ACTION_MEASURE: return tutor->mode == TUTOR_LIST || experiment;
	case ACTION_ANSWER: return has_question(tutor);
	case ACTION_HINT:
		return has_question(tutor) && tutor->answer_state != ANSWER_RIGHT &&
			tutor->hints_shown < step->question.n_hints;
	case ACTION_STEP_PREVIOUS: return tutor->ending || (step && tutor->step > 0);
	case ACTION_STEP_NEXT: return tutor->mode == TUTOR_LESSON;
	case ACTION_PAGE_UP:
	case ACTION_PAGE_DOWN: return !tutor->ending;
	default: return true;
	}
}

void tutor_key(struct tutor *tutor, const char *key)
{
	bool one = key[0] && !key[1];
	bool answer = !strcmp(key, "Backspace") || (one && ((key[0] >= '0' && key[0] <= '9') || strchr(".-", key[0])));
	if (!answer) {
		tutor_act(tutor, key_action(key_mode_of(tutor), key));
		return;
	}
	tutor->notice[0] = '\0';
	if (!tutor->help)
		tutor_type(tutor, one ? (uint32_t)key[0] : 8);
}
