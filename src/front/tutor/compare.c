/* Two versions of a kernel side by side: which lines belong together, and where text or numbers differ. */
#include <stdlib.h>
#include <string.h>

#include "front/tutor/private.h"
#include "front/view/subjects.h"
#include "model/hardware/metrics.h"

#define CELLS_MAX                                                                                                      \
	((size_t)4 << 20) /* of the table of longest common subsequences; what is longer is paired line by line */

/* --- which lines belong together ---------------------------------------------------------------------------------- */

/* Lines from the first to the last that have instructions, and the head of the kernel above. */
struct span_of_lines {
	const struct view_source *source;
	int from, n;
};

static const char *text_at(const struct span_of_lines *span, int i)
{
	return span->source->lines[span->from + i].text;
}

static bool same_text(const struct span_of_lines *a, int i, const struct span_of_lines *b, int k)
{
	return strcmp(text_at(a, i), text_at(b, k)) == 0;
}

struct alignment {
	struct view_compared_row *rows;
	int n;
};

static void add_row(struct alignment *to, const struct span_of_lines spans[2], int i, int k)
{
	to->rows[to->n++] = (struct view_compared_row){
		.lines = {i >= 0 ? spans[0].from + i : -1, k >= 0 ? spans[1].from + k : -1}};
}

/* Lines i..i_end of the first and k..k_end of the second, which have nothing in common, in pairs. */
static void add_changed(struct alignment *to, const struct span_of_lines spans[2], int i, int i_end, int k, int k_end)
{
	while (i < i_end || k < k_end) {
		add_row(to, spans, i < i_end ? i : -1, k < k_end ? k : -1);
		i += i < i_end;
		k += k < k_end;
	}
}

/* The longest common subsequence of what lies between the first and the last lines that differ. */
static void align_middle(struct alignment *to, const struct span_of_lines spans[2], int from, int i_end, int k_end)
{
	size_t n = (size_t)(i_end - from), m = (size_t)(k_end - from), width = m + 1;
	uint32_t *table = (n + 1) * width <= CELLS_MAX ? base_calloc((n + 1) * width, sizeof *table) : NULL;
	int i = from, k = from, i_open = from, k_open = from;
	for (size_t a = n; table && a-- > 0;)
		for (size_t b = m; b-- > 0;) {
			uint32_t down = table[(a + 1) * width + b], right = table[a * width + b + 1];
			table[a * width + b] = same_text(&spans[0], from + (int)a, &spans[1], from + (int)b)
				? table[(a + 1) * width + b + 1] + 1
				: down > right ? down
					       : right;
		}
	while (table && i < i_end && k < k_end) {
		size_t at = (size_t)(i - from) * width + (size_t)(k - from);
		if (same_text(&spans[0], i, &spans[1], k)) {
			add_changed(to, spans, i_open, i, k_open, k);
			add_row(to, spans, i++, k++);
			i_open = i;
			k_open = k;
		} else if (table[at + width] >= table[at + 1]) {
			i++;
		} else {
			k++;
		}
	}
	add_changed(to, spans, i_open, i_end, k_open, k_end);
	free(table);
}

static struct alignment align(struct arena *arena, const struct span_of_lines spans[2])
{
	int n = spans[0].n, m = spans[1].n, head = 0, tail = 0;
	struct alignment to = {arena_array(arena, struct view_compared_row, (size_t)(n + m) + 1), 0};
	while (head < n && head < m && same_text(&spans[0], head, &spans[1], head))
		add_row(&to, spans, head, head), head++;
	while (tail < n - head && tail < m - head && same_text(&spans[0], n - 1 - tail, &spans[1], m - 1 - tail))
		tail++;
	align_middle(&to, spans, head, n - tail, m - tail);
	for (int i = tail; i > 0; i--)
		add_row(&to, spans, n - i, m - i);
	return to;
}

/* --- what differs ------------------------------------------------------------------------------------------------- */

static bool same_value(struct value a, struct value b)
{
	return a.state == b.state && (a.state != VALUE_OK || !(a.v < b.v || a.v > b.v));
}

/* Lines of ours, so that they can be marked. */
static struct view_source_line *copy_lines(struct arena *arena, struct view_source *source)
{
	struct view_source_line *lines = arena_array(arena, struct view_source_line, (size_t)source->n_lines + 1);
	memcpy(lines, source->lines, (size_t)source->n_lines * sizeof *lines);
	source->lines = lines;
	return lines;
}

static void mark_rows(struct arena *arena, struct alignment *rows, struct view_source sources[2])
{
	struct view_source_line *lines[2] = {copy_lines(arena, &sources[0]), copy_lines(arena, &sources[1])};
	for (int r = 0; r < rows->n; r++) {
		struct view_compared_row *row = &rows->rows[r];
		struct view_source_line *at[2];
		for (int side = 0; side < 2; side++)
			at[side] = row->lines[side] >= 0 ? &lines[side][row->lines[side]] : NULL;

		const struct view_source_line *a = at[0], *b = at[1];
		bool same_counts = a && b && a->executed == b->executed && a->requests == b->requests &&
			same_value(a->wavefronts, b->wavefronts) && same_value(a->sectors, b->sectors) &&
			same_value(a->active_lanes, b->active_lanes);
		row->mark = !a || !b ? '+' : strcmp(a->text, b->text) != 0 ? '~' : same_counts ? 0 : '#';
		for (int side = 0; side < 2; side++)
			if (at[side])
				at[side]->mark = row->mark;
	}
}

/* --- the comparison ----------------------------------------------------------------------------------------------- */

static void pin_other(struct tutor_private *p, struct experiment *e)
{
	experiment_pin(e);
	experiment_unpin(p->other);
	p->other = e;
}

/* Two launches that are shown side by side. */
struct two_settings {
	const struct step *steps[2];
	struct experiment *of[2];
	const char *names[2];
	int shown; /* which of them the other pictures are of */
};

static void fill_compare(struct tutor *tutor, const struct step *step, const struct two_settings *two)
{
	struct tutor_private *p = tutor->private;
	struct view_source *sources = arena_array(p->input, struct view_source, 2);
	struct span_of_lines spans[2];
	int *metrics = arena_array(p->input, int, (size_t)step->n_metrics + 1);
	struct view_compare *c = &p->full->compare;
	*c = (struct view_compare){.shown = two->shown, .sources = sources, .metrics = metrics};
	for (int side = 0; side < 2; side++) {
		const struct experiment_run *run = experiment_run(two->of[side]);
		sources[side] = tutor_input_source(p->input, two->of[side], run);

		const struct view_source *source = &sources[side];
		struct span_of_lines *span = &spans[side];
		*span = (struct span_of_lines){source, 0, source->n_lines};
		if (run->n_lines && source->n_lines) {
			int first = run->lines[0].line, last = run->lines[run->n_lines - 1].line;
			for (int i = 0; i < run->n_lines && first < 1; i++)
				first = run->lines[i].line;
			span->from = first >= 2 && first <= source->n_lines ? first - 2 : 0;
			while (span->from > 0 && strpbrk(source->lines[span->from - 1].text, " \t") &&
				!strchr(source->lines[span->from - 1].text, '}') &&
				!strchr(source->lines[span->from - 1].text, ';') && first - span->from < 8)
				span->from--;
			last = last < source->n_lines ? last : source->n_lines;
			span->n = last > span->from ? last - span->from : source->n_lines - span->from;
		}

		c->names[side] = two->names[side];

		struct arena *arena = p->input;
		struct experiment *e = two->of[side];
		struct value *values = arena_array(arena, struct value, (size_t)step->n_metrics + 1);
		for (int i = 0; i < step->n_metrics; i++)
			values[i] = metric_value(metric_find(step->metrics[i]), &experiment_run(e)->counts);
		c->values[side] = values;
	}
	struct alignment rows = align(p->input, spans);
	mark_rows(p->input, &rows, sources);
	c->rows = rows.rows;
	c->n_rows = rows.n;
	c->n_metrics = step->n_metrics;
	for (int i = 0; i < c->n_metrics; i++)
		metrics[i] = (int)metric_find(step->metrics[i]);
}

void tutor_compare(struct tutor *tutor)
{
	if (!tutor->explored) {
		/* A step's other setting: the numbers of both, and their lines. */
		const struct step *step = tutor_step(tutor);
		struct tutor_private *p = tutor->private;
		const struct lesson *lesson = tutor->at.lesson;
		struct view_numbers *numbers = &p->full->numbers;
		int64_t *values = arena_array(p->input, int64_t, (size_t)lesson->n_parameters + 1);
		struct two_settings two = {.shown = lesson_compare(lesson, step, tutor->at.values, values)};
		if (two.shown < 0) {
			pin_other(p, NULL);
			return;
		}
		pin_other(p, experiment_open(p->experiments, tutor_step_to_run(tutor), values));
		two.of[two.shown] = p->shown;
		two.of[1 - two.shown] = p->other;
		for (int side = 0; side < 2; side++) {
			struct buf name = {0};
			lesson_compare_name(lesson, two.of[side]->step, two.of[side]->values, &name);
			two.names[side] = numbers->names[side] = arena_strdup(p->input, buf_str(&name));
			buf_free(&name);
		}
		fill_compare(tutor, step, &two);
		numbers->shown = two.shown;
		numbers->other = p->others;
		for (int i = 0; i < numbers->n_rows; i++)
			p->others[i] = (struct view_number){.metric = p->numbers[i].metric,
				.predicted = metric_value(p->numbers[i].metric, &experiment_run(p->other)->counts)};
	} else if (tutor->at.lesson->n_steps > 1) {
		struct tutor_private *p = tutor->private;
		const struct lesson *lesson = tutor->at.lesson;
		struct two_settings two = {.shown = tutor->at.step};
		pin_other(p, experiment_open(p->experiments, &lesson->steps[1 - two.shown], tutor->at.values));
		two.of[two.shown] = p->shown;
		two.of[1 - two.shown] = p->other;
		for (int side = 0; side < 2; side++)
			two.names[side] = lesson->steps[side].title;
		fill_compare(tutor, &lesson->steps[0], &two);
		p->full->source = p->full->compare.sources[two.shown];
	}
}

int tutor_compare_line(const struct tutor *tutor, int step, int line)
{
	const struct view_compare *c = &tutor->private->full->compare;
	for (int i = 0; c->names[0] && i < c->n_rows; i++) {
		int here = c->rows[i].lines[step], there = c->rows[i].lines[1 - step];
		if (here >= 0 && c->sources[step].lines[here].line == line)
			return there >= 0 ? c->sources[1 - step].lines[there].line : 0;
	}
	return 0;
}
