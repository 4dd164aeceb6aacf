/* While a question is open, what answers it is covered: the numbers, pictures and points of the sweep that the screen
 * would show at the values that the question asks about. What is covered never reaches the screen: it is given another
 * input. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "front/tutor/keys.h"
#include "front/tutor/private.h"
#include "front/view/subjects.h"
#include "model/hardware/metrics.h"

/* Of the launch with certain values. PART: where the question asks about what is on the screen anyway, only the numbers
 * that its answer is made of; the picture is what the text talks about. */
enum cover { COVER_NOTHING, COVER_PART, COVER_ALL };

/* --- what a question asks about ----------------------------------------------------------------------------------- */

/* The judgments that decide what is right, in turn; NULL after the last. Choices without one are passed by. */
static const struct judgment *next_judgment(const struct question *q, int *at)
{
	for (int i = (*at)++; i <= q->n_choices; i = (*at)++) {
		const struct judgment *judgment = i > 0 ? q->choices[i - 1].when : q->answer.expr ? &q->answer : NULL;
		if (judgment)
			return judgment;
	}
	return NULL;
}

static bool same_values(const struct tutor *tutor, const int64_t *a, const int64_t *b)
{
	return memcmp(a, b, (size_t)tutor->at.lesson->n_parameters * sizeof *a) == 0;
}

/* Of the terms of the question: how many there are, and how many of them are of the step's own values and of
 * recordings. */
struct asked {
	int terms, own, recorded;
	bool at_values; /* one of them is of the values that were given */
};

static struct asked ask_of(const struct tutor *tutor, const struct step *step, const int64_t *values)
{
	struct asked asked = {0};
	const struct question *q = &step->question;
	const struct judgment *judgment;
	for (int at = 0; (judgment = next_judgment(q, &at));) {
		for (int i = 0; i < judgment->n_terms; i++) {
			if (judgment->terms[i].witness == TERM_MEASURED)
				continue;
			asked.terms++;
			asked.own += same_values(tutor, judgment->terms[i].set, step->set);
			asked.recorded += judgment->terms[i].witness == TERM_RECORDED;
			asked.at_values |= same_values(tutor, judgment->terms[i].set, values);
		}
	}
	return asked;
}

/* A question that compares what the step begins with to something else covers the latter alone. */
static enum cover cover_of(const struct tutor *tutor, const struct step *step, const int64_t *values)
{
	const struct question *q = &step->question;
	struct asked asked = ask_of(tutor, step, values);
	bool own = same_values(tutor, values, step->set);
	if (q->has_set && same_values(tutor, q->set, values))
		return own && asked.terms ? COVER_PART : COVER_ALL;
	if (!asked.at_values || (own && asked.own < asked.terms))
		return COVER_NOTHING;
	return own ? COVER_PART : COVER_ALL;
}

static bool is_open(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return tutor->covers && step && step->has_experiment && step->question.kind != QUESTION_NONE &&
		tutor->answer.state != ANSWER_RIGHT &&
		!lesson_progress_tries(tutor->progress, tutor->at.lesson->id, step->id).looked;
}

bool tutor_covers_launch(const struct tutor *tutor)
{
	return is_open(tutor) && cover_of(tutor, tutor_step(tutor), tutor->at.values) != COVER_NOTHING;
}

/* Of the setting that stands beside the one that is shown. */
static enum cover cover_of_other(const struct tutor *tutor)
{
	const struct tutor_private *p = tutor->private;
	return p->full->numbers.other && p->other ? cover_of(tutor, tutor_step(tutor), p->other->values)
						  : COVER_NOTHING;
}

bool tutor_covered(const struct tutor *tutor)
{
	return tutor_covers_launch(tutor) || (is_open(tutor) && cover_of_other(tutor) != COVER_NOTHING);
}

bool tutor_covered_by_turning(const struct tutor *tutor)
{
	return is_open(tutor) && cover_of(tutor, tutor_step(tutor), tutor->at.values) == COVER_ALL &&
		!same_values(tutor, tutor->at.values, tutor_step(tutor)->set);
}

const int64_t *tutor_asked_values(const struct tutor *tutor, int right_choice)
{
	const struct step *step = tutor_step(tutor);
	const struct question *q = &step->question;
	const struct judgment *of = q->answer.expr ? &q->answer
		: right_choice >= 0                ? q->choices[right_choice].when
						   : NULL;
	if (q->has_set)
		return q->set;
	for (int i = 0; of && i < of->n_terms; i++)
		if (of->terms[i].witness != TERM_MEASURED && !same_values(tutor, of->terms[i].set, step->set))
			return of->terms[i].set;
	return step->set;
}

/* --- covering ----------------------------------------------------------------------------------------------------- */

static bool shares_counter(enum metric_id a, enum metric_id b)
{
	enum counter_id of_a[METRIC_COUNTERS_MAX], of_b[METRIC_COUNTERS_MAX];
	int n = metric_counters(a, of_a), m = metric_counters(b, of_b);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < m; k++)
			if (of_a[i] == of_b[k])
				return true;
	return false;
}

/* Whether the answer is made of this metric, or of something it is made of, too. */
static bool is_asked(const struct question *q, enum metric_id metric)
{
	const struct judgment *judgment;
	for (int at = 0; (judgment = next_judgment(q, &at));)
		for (int i = 0; i < judgment->n_terms; i++)
			if (judgment->terms[i].witness != TERM_MEASURED &&
				shares_counter(metric, metric_find(judgment->terms[i].metric)))
				return true;
	return false;
}

/* Whether a metric that answers the question as it is, without any arithmetic, is what the picture of the watched
 * access shows. */
static bool is_pictured(const struct question *q, const struct warp_access *access)
{
	char prefix[64];

	/* The detector answers it, as the picture of a defect does. */
	const struct judgment *judgment;
	for (int at = 0; (judgment = next_judgment(q, &at));)
		for (int i = 0; i < judgment->n_terms; i++)
			if (judgment->terms[i].kind == TERM_DEFECT)
				return true;

	if (!access)
		return false;
	bool loads = access->op == ACCESS_LOAD || access->op == ACCESS_LOAD_MATRIX;
	bool stores = access->op == ACCESS_STORE || access->op == ACCESS_STORE_MATRIX;
	const char *op = loads ? _("load") : stores ? _("store") : _("atomic");
	snprintf(prefix, sizeof prefix, "%s_%s_", warp_space_name(access->space), op);
	for (int at = 0; (judgment = next_judgment(q, &at));)
		if (judgment->n_terms == 1 &&
			(judgment != &q->answer || !strcmp(q->answer.text, judgment->terms[0].metric)) &&
			!strncmp(judgment->terms[0].metric, prefix, strlen(prefix)))
			return true;
	return false;
}

/* What is covered of one launch. */
struct covering {
	const struct question *question;
	enum cover cover;
	bool measured_only;
};

static void cover_value(struct value *value)
{
	*value = value_missing(VALUE_COVERED);
}

/* Returns those that are to be shown, for which `covered` has room. */
static const struct view_number *cover_numbers(
	const struct view_number *rows, int n, struct view_number *covered, const struct covering *c)
{
	for (int i = 0; i < n && c->cover != COVER_NOTHING; i++) {
		covered[i] = rows[i];
		if (c->cover == COVER_PART && !is_asked(c->question, rows[i].metric))
			continue;
		cover_value(&covered[i].measured);
		if (!c->measured_only)
			cover_value(&covered[i].predicted);
	}
	return c->cover != COVER_NOTHING ? covered : rows;
}

/* The text stays. */
static void cover_source(struct arena *arena, struct view_source *source, bool measured_only)
{
	struct view_source_line *lines = arena_array(arena, struct view_source_line, (size_t)source->n_lines + 1);
	source->measured = NULL;
	if (measured_only)
		return;
	for (int i = 0; i < source->n_lines; i++)
		lines[i] = (struct view_source_line){.line = source->lines[i].line, .text = source->lines[i].text};
	source->lines = lines;
}

/* One side of a comparison, all of which is the model's. That lines differ in their numbers alone is not said
 * either. */
static void cover_compare(struct arena *arena, struct view_compare *compare, int side, const struct covering *c)
{
	struct value *values = arena_array(arena, struct value, (size_t)compare->n_metrics + 1);
	struct view_source *sources = arena_array(arena, struct view_source, 2);
	struct view_compared_row *rows = arena_array(arena, struct view_compared_row, (size_t)compare->n_rows + 1);
	if (c->cover == COVER_NOTHING || c->measured_only || !compare->names[0])
		return;
	for (int i = 0; i < compare->n_metrics; i++) {
		values[i] = compare->values[side][i];
		if (c->cover == COVER_ALL || is_asked(c->question, compare->metrics[i]))
			cover_value(&values[i]);
	}
	for (int i = 0; i < compare->n_rows; i++) {
		rows[i] = compare->rows[i];
		rows[i].mark = rows[i].mark == '#' ? 0 : rows[i].mark;
	}
	memcpy(sources, compare->sources, 2 * sizeof *sources);
	cover_source(arena, &sources[side], false);
	compare->values[side] = values;
	compare->sources = sources;
	compare->rows = rows;
}

/* What a question that a place under the roofs answers asks about. */
static bool asks_roofline(const struct question *q)
{
	static const enum metric_id metrics[] = {METRIC_TIME, METRIC_FLOAT_OPERATIONS, METRIC_FLOAT_RATE,
		METRIC_GLOBAL_LD_BYTES_USED, METRIC_GLOBAL_ST_BYTES_USED, METRIC_GLOBAL_LD_BYTES_MOVED,
		METRIC_GLOBAL_ST_BYTES_MOVED, METRIC_DRAM_READ, METRIC_DRAM_WRITE, METRIC_DRAM_THROUGHPUT};
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		if (is_asked(q, metrics[i]))
			return true;
	return false;
}

void tutor_cover_apply(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	const struct step *step = tutor_step(tutor);
	*p->bare = *p->full;
	tutor->shown.input = p->input_full;
	view_input_of(&tutor->shown.input, p->bare);
	tutor->shown.problems = p->problems;
	if (!is_open(tutor))
		return;
	struct asked asked = ask_of(tutor, step, tutor->at.values);
	enum cover cover = cover_of(tutor, step, tutor->at.values);
	bool measured_only = asked.terms > 0 && asked.recorded == asked.terms;
	arena_free(p->cover);
	p->cover = arena_new();
	p->cover_says = tutor->presented
		? _("Covered until the answer is revealed.")
		: arena_printf(p->cover,
			  _("Covered: the question asks about this. Commit to an answer first. Or press %s to see it; the answer then counts "
			    "as looked up."),
			  key_label(tutor_key_of(ACTION_UNCOVER)).text);

	/* The points at which the question asks, whatever the parameter is now. */
	struct arena *arena = p->cover;
	struct view_sweep *sweep = &tutor->private->bare->sweep;
	struct value *predicted = arena_array(arena, struct value, (size_t)sweep->n + 1);
	struct value *measured = arena_array(arena, struct value, (size_t)sweep->n + 1);
	if (sweep->n) {
		memcpy(predicted, sweep->predicted, (size_t)sweep->n * sizeof *predicted);
		memcpy(measured, sweep->measured, (size_t)sweep->n * sizeof *measured);
		for (int i = 0; i < sweep->n; i++) {
			enum cover here = cover_of(tutor, step, tutor_sweep_values(tutor, i));
			if (here == COVER_NOTHING || (here == COVER_PART && !is_asked(&step->question, sweep->metric)))
				continue;
			cover_value(&measured[i]);
			if (!measured_only)
				cover_value(&predicted[i]);
		}
		sweep->predicted = predicted;
		sweep->measured = measured;
	}

	struct view_roofline *r = &tutor->private->bare->roofline;
	struct roof_work *work = arena_array(arena, struct roof_work, (size_t)r->n + 1);
	bool *covered = arena_array(arena, bool, (size_t)r->n + 1);
	if (r->n) {
		memcpy(work, r->measured, (size_t)r->n * sizeof *work);
		for (int i = 0; i < r->n; i++) {
			enum cover here = cover_of(
				tutor, step, r->sweep ? tutor_sweep_values(tutor, i) : tutor->at.values);
			if (here == COVER_NOTHING || (here == COVER_PART && !asks_roofline(&step->question)))
				continue;
			cover_value(&work[i].time);
			covered[i] = !measured_only;
		}
		r->measured = work;
		r->covered = covered;
	}

	struct view_numbers *numbers = &tutor->private->bare->numbers;
	const struct covering here = {&step->question, cover, measured_only},
			      there = {&step->question, cover_of_other(tutor), measured_only};
	numbers->rows = cover_numbers(numbers->rows, numbers->n_rows, p->covered[0], &here);
	cover_compare(p->cover, &tutor->private->bare->compare, numbers->shown, &here);
	if (numbers->other) {
		numbers->other = cover_numbers(numbers->other, numbers->n_rows, p->covered[1], &there);
		cover_compare(p->cover, &tutor->private->bare->compare, 1 - numbers->shown, &there);
	}
	if (cover == COVER_NOTHING)
		return;
	numbers->n_elsewhere = 0;
	cover_source(p->cover, &tutor->private->bare->source, measured_only);

	/* What a GPU counted of machine code; the code itself, and what the model has of PTX, is covered as a picture
	 * is. */
	struct view_code *code = &tutor->private->bare->code;
	struct view_code_instr *sass = arena_array(p->cover, struct view_code_instr, (size_t)code->n_sass + 1);
	for (int i = 0; i < code->n_sass; i++) {
		sass[i] = code->sass[i];
		sass[i].executed = sass[i].threads = sass[i].sectors = sass[i].wavefronts = value_missing(VALUE_NONE);
	}
	code->sass = sass;
	code->counted_by = WITNESS_NONE;
	code->each = code->is_other = false;

	/* Pictures of the model answer nothing that is asked of the GPU. */
	struct view_input *input = &tutor->shown.input;
	if (step->question.kind == QUESTION_POINT && cover == COVER_PART) /* it is found in the picture */
		return;
	if (measured_only) {
		const struct timelines *model = view_is_of(tutor->shown.view, VIEW_OF_TIMES)
			? experiment_times(p->shown)
			: NULL;
		p->bare->times = model ? *model : (struct timelines){0};
		return;
	}
	if (cover == COVER_PART && !is_pictured(&step->question, input->access))
		return;
	input->covered = p->cover_says;
	input->access = NULL;
	input->shuffle = NULL;
	input->tiles = NULL;
	input->cluster = NULL;
	p->bare->times = (struct timelines){0};
	p->bare->launch = (struct view_launch){0};
	p->bare->defects = (struct view_defects){0};
	p->bare->occupancy = (struct view_occupancy){0};
	p->bare->code = (struct view_code){0};
	if (p->shown && experiment_run(p->shown)->ran)
		tutor->shown.problems = NULL;
}

void tutor_uncover(struct tutor *tutor)
{
	if (!tutor_covered(tutor))
		return;
	lesson_progress_look(tutor->progress, tutor->at.lesson->id, tutor_step(tutor)->id);
	tutor_cover_apply(tutor);
}
