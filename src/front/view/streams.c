/* The streams of a program over time: a row for each, with its copies and kernels; the host, and what works for all
 * streams. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "front/view/program.h"
#include "front/view/times.h"

#define LABEL 10 /* "stream 12 " */
#define SAME 1e-9
#define HOST_ROW "host"

/* --- time --------------------------------------------------------------------------------------------------------- */

/* To scale, or in order: each piece between two moments at which something begins or ends is equally wide. */
struct stream_axis {
	int col, cols;
	double *moments; /* ascending */
	int n;
	double end;
	bool to_scale;
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static bool is_wait(const struct hostlog_op *op)
{
	return op->blocks && op->returned > op->asked + hostlog_cost_ms(HOSTLOG_COST_CALL, 0) + SAME;
}

static struct stream_axis make_axis(const struct view_input *input, int col, int cols)
{
	const struct hostlog *log = input->program->log;
	struct stream_axis a = {
		col, cols, base_calloc(4 * (size_t)log->n_ops + 2, sizeof(double)), 0, 0, input->program->to_scale};
	double *all = a.moments;
	int n = 0;
	all[n++] = 0;
	for (int i = 0; i < log->n_ops; i++) {
		const struct hostlog_op *op = &log->ops[i];
		if (hostlog_is_work(op)) {
			all[n++] = op->begin;
			all[n++] = op->end;
		}
		if (is_wait(op))
			all[n++] = op->returned;
		a.end = op->end > a.end ? op->end : a.end;
	}
	qsort(all, (size_t)n, sizeof *all, by_value);
	for (int i = 0; i < n; i++)
		if (!a.n || all[i] > all[a.n - 1] + SAME)
			all[a.n++] = all[i];
	if (!a.to_scale && a.n)
		a.end = all[a.n - 1];
	return a;
}

/* Where a time lies, from 0 to 1. */
static double place_on(const struct stream_axis *a, double time)
{
	int low = 0, high = a->n - 1;
	if (a->to_scale || a->n < 2)
		return a->end > 0 ? time / a->end : 0;
	while (high - low > 1) {
		int middle = low + (high - low) / 2;
		if (a->moments[middle] <= time + SAME)
			low = middle;
		else
			high = middle;
	}
	double part = (time - a->moments[low]) / (a->moments[low + 1] - a->moments[low]);
	part = part < 0 ? 0 : part > 1 ? 1 : part;
	return (low + part) / (a->n - 1);
}

static int col_of(const struct stream_axis *a, double time)
{
	int c = (int)(place_on(a, time) * a->cols + 0.5);
	return a->col + (c < 0 ? 0 : c > a->cols ? a->cols : c);
}

/* --- bars --------------------------------------------------------------------------------------------------------- */

struct stream_picture {
	const struct view_input *input;
	const struct hostlog *log;
	struct stream_axis axis;
	int reached, at;
	int rows[HOSTLOG_STREAMS_MAX]; /* of each stream; -1: it is not drawn */
};

/* With a blank column before the next, where it is wide enough for that. */
static void draw_stream_bar(struct canvas *canvas, int row, const struct stream_picture *p, int i, const char *text)
{
	const struct hostlog_op *op = &p->log->ops[i];
	int first = col_of(&p->axis, op->begin), end = col_of(&p->axis, op->end);
	end = end > first ? end : first + 1;
	int last = p->axis.col + p->axis.cols;
	if (end > last) {
		first = last - 1;
		end = last;
	}
	int cols = end - first > 2 ? end - first - 1 : end - first;
	struct rect r = {row, first, 1, cols};
	int wide = utf8_columns(text);
	struct buf label = {0};
	if (wide <= cols)
		buf_printf(&label, wide + 4 <= cols ? " %s " : "%s", text);
	else if (cols >= 3 && op->kind == HOSTLOG_LAUNCH)
		buf_puts(&label, "k");
	canvas_paint(canvas, r, view_program_role(op));
	if (label.len)
		canvas_label(canvas, r, view_program_role(op), buf_str(&label));
	buf_free(&label);
	if (i == p->at)
		canvas_light(canvas, r, ROLE_SELECTED);
}

static void draw_stream_label(struct canvas *canvas, int row, int col, enum role role, const char *text)
{
	canvas_text_fit(canvas, (struct rect){row, col, 1, LABEL - 1}, role, text);
}

enum stream_engine { STREAM_ENGINE_IN, STREAM_ENGINE_SMS, STREAM_ENGINE_OUT, STREAM_ENGINES };
static const char *const engine_names[STREAM_ENGINES] = {"to GPU", "SMs", "to host"};

static bool is_of_engine(const struct hostlog_op *op, enum stream_engine engine)
{
	if (engine == STREAM_ENGINE_SMS)
		return op->kind == HOSTLOG_LAUNCH;
	return op->kind == HOSTLOG_COPY && op->direction == (engine == STREAM_ENGINE_IN ? HOSTLOG_IN : HOSTLOG_OUT);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Over what is blank, or idle. */
static void draw_stroke(struct canvas *canvas, int row, int col, uint32_t glyph)
{
	const struct cell *cell = canvas_at(canvas, row, col);
	if (cell->ch == ' ' || cell->ch == GLYPH_MIDDLE_DOT)
		canvas_put(canvas, row, col, glyph, ROLE_WATCHED);
}

/* Where an event happens, and where a stream goes on that waits for it. */
struct stream_arrow {
	int from_row, from_col, to_row, to_col;
};

/* The column before a time, in which bars have a blank. */
static int col_before(const struct stream_axis *axis, double time)
{
	int col = col_of(axis, time) - 1;
	return col < axis->col ? axis->col : col;
}

/* Returns how many there are. */
static int draw_events(struct canvas *canvas, const struct stream_picture *p)
{
	int n = 0;
	for (int i = 0; i < p->reached; i++) {
		const struct hostlog_op *op = &p->log->ops[i];
		const struct hostlog_op *of = op->kind == HOSTLOG_AWAIT && op->of >= 0 ? &p->log->ops[op->of] : NULL;
		if (!of || of->stream < 0)
			continue;
		const struct stream_arrow arrow = {p->rows[of->stream], col_before(&p->axis, of->end),
			p->rows[op->stream], col_before(&p->axis, op->end)};
		if (arrow.from_row < 0 || arrow.to_row < 0 || arrow.from_row == arrow.to_row)
			continue;

		/* Between rows that are apart it turns in the row beside the first; else the two ends are to be seen
		 * alone. */
		int step = arrow.to_row > arrow.from_row ? 1 : -1, turn = arrow.from_row + step;
		bool down = step > 0, straight = arrow.from_col == arrow.to_col;
		for (int row = turn; row != arrow.to_row; row += step)
			draw_stroke(canvas, row, arrow.to_col, GLYPH_LINE_V);
		for (int col = arrow.from_col + 1; turn != arrow.to_row && col < arrow.to_col; col++)
			draw_stroke(canvas, turn, col, GLYPH_LINE_H);
		if (turn != arrow.to_row && !straight) {
			canvas_put(
				canvas, turn, arrow.from_col, down ? GLYPH_CORNER_BL : GLYPH_CORNER_TL, ROLE_WATCHED);
			canvas_put(canvas, turn, arrow.to_col, down ? GLYPH_CORNER_TR : GLYPH_CORNER_BR, ROLE_WATCHED);
		}
		canvas_put(canvas, arrow.to_row, arrow.to_col, down ? GLYPH_TRIANGLE_DOWN : GLYPH_TRIANGLE_UP,
			ROLE_WATCHED);
		canvas_put(canvas, arrow.from_row, arrow.from_col, GLYPH_DIAMOND, ROLE_WATCHED);

		n++;
	}
	return n;
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

/* --- the picture -------------------------------------------------------------------------------------------------- */

static bool has_work(const struct hostlog *log, int stream)
{
	for (int i = 0; i < log->n_ops; i++)
		if (log->ops[i].stream == stream && hostlog_is_work(&log->ops[i]))
			return true;
	return false;
}

static void draw_streams(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	struct stream_picture p = {.input = input,
		.log = input->program->log,
		.axis = make_axis(input, rect.col + LABEL, rect.cols - LABEL),
		.reached = view_program_reached(input),
		.at = view_program_at(input)};
	struct view_notes notes = {.n = 0};
	struct hostlog_sums sums = hostlog_sum(p.log);
	int n = 0, row = rect.row + 1, room = rect.rows - 2;
	for (int s = 0; s < p.log->n_streams; s++)
		n += has_work(p.log, s);

	/* title and host; then streams, apart where there is room; what works for all; notes */
	bool engines = room >= n + STREAM_ENGINES + 3;
	int pitch = room >= 2 * n + (engines ? STREAM_ENGINES + 1 : 0) + 4 ? 2 : 1,
	    below = engines ? STREAM_ENGINES + 1 : 0;

	struct buf title = {0};
	int at = canvas_text(canvas, rect.row, rect.col, ROLE_MODEL, witness_name(WITNESS_MODEL));
	buf_printf(&title, ": %d cop%s, %d kernel%s, %d stream%s", sums.copies, sums.copies == 1 ? "y" : "ies",
		sums.kernels, view_plural(sums.kernels), sums.streams, view_plural(sums.streams));
	if (p.input->program->to_scale) { /* where there is no room for it, it is in the notes alone */
		struct buf ms = {0};
		value_format(sums.ms, &ms);
		if (at + utf8_columns(buf_str(&title)) + 5 + (int)ms.len <= rect.cols)
			buf_printf(&title, ", %s ms", buf_str(&ms));
		buf_free(&ms);
	}
	canvas_text_fit(canvas, (struct rect){rect.row, rect.col + at, 1, rect.cols - at}, ROLE_TEXT, buf_str(&title));
	buf_free(&title);

	/* Ticks where calls are made, a bar where one waits. */
	int host_row = row++;
	draw_stream_label(canvas, host_row, rect.col, ROLE_TEXT, HOST_ROW);
	canvas_fill(canvas, (struct rect){host_row, p.axis.col, 1, p.axis.cols}, GLYPH_MIDDLE_DOT, ROLE_IDLE);
	for (int i = 0; i < p.reached; i++) {
		const struct hostlog_op *op = &p.log->ops[i];
		int first = col_of(&p.axis, op->asked), end = col_of(&p.axis, op->returned);
		if (op->graph >= 0)
			continue;
		first = first < p.axis.col + p.axis.cols ? first : p.axis.col + p.axis.cols - 1;
		struct rect r = {host_row, first, 1, end > first ? end - first : 1};
		if (is_wait(op)) {
			canvas_paint(canvas, r, ROLE_RESULT);
			if (r.cols >= 9)
				canvas_label(canvas, r, ROLE_RESULT, " waits ");
		}
		if (!is_wait(op))
			canvas_put(canvas, host_row, first, op->kind == HOSTLOG_GRAPH ? GLYPH_SQUARE : GLYPH_LINE_V,
				ROLE_STRONG);
		if (i == p.at)
			canvas_light(canvas, r, ROLE_SELECTED);
	}

	/* The rows of streams, `pitch` apart, as many as fit. */
	int end = rect.row + rect.rows - below - 1, left_out = 0;
	for (int s = 0, next = row + pitch - 1; s < p.log->n_streams; s++) {
		p.rows[s] = -1;
		if (!has_work(p.log, s))
			continue;
		left_out += next >= end;
		p.rows[s] = next < end ? next : -1;
		next += pitch;
	}

	for (int s = 0; s < p.log->n_streams; s++) {
		struct buf name = {0};
		int stream_row = p.rows[s];
		if (stream_row < 0)
			continue;
		view_program_stream(p.log, s, &name);
		draw_stream_label(canvas, stream_row, rect.col, ROLE_TEXT, buf_str(&name));
		buf_free(&name);
		canvas_fill(canvas, (struct rect){stream_row, p.axis.col, 1, p.axis.cols}, GLYPH_MIDDLE_DOT, ROLE_IDLE);
		for (int i = 0; i < p.reached; i++)
			if (p.log->ops[i].stream == s && hostlog_is_work(&p.log->ops[i]))
				draw_stream_bar(canvas, stream_row, &p, i, view_program_bar(&p.log->ops[i]));
	}
	row += pitch * (n - left_out) + (pitch > 1);
	if (left_out) {
		canvas_fill(canvas, (struct rect){end - 1, rect.col, 1, rect.cols}, ' ', ROLE_TEXT);
		canvas_textf(canvas, end - 1, rect.col, ROLE_STRONG, "⋮ %d more streams", left_out + 1);
	}
	int events = draw_events(canvas, &p);
	for (int e = 0; engines && e < STREAM_ENGINES; e++) {
		/* What works for all streams, with the number of the stream in each bar. */
		int engine_row = row++;
		enum stream_engine engine = (enum stream_engine)e;
		draw_stream_label(canvas, engine_row, rect.col, ROLE_DIM, engine_names[engine]);
		for (int i = 0; i < p.reached; i++) {
			const struct hostlog_op *op = &p.log->ops[i];
			char number[12];
			if (!is_of_engine(op, engine))
				continue;
			const struct hostlog_stream *s = &p.log->streams[op->stream];
			snprintf(number, sizeof number, "%d", s->kind == HOSTLOG_DEFAULT ? 0 : s->number);
			draw_stream_bar(canvas, engine_row, &p, i, number);
		}
	}
	if (p.at >= 0) {
		const struct hostlog_op *op = &p.log->ops[p.at];
		struct buf text = {0};
		if (op->line)
			buf_printf(&text, "line %d: ", op->line);
		view_program_operation(p.log, op, &text);
		if (hostlog_is_work(op) && op->why == HOSTLOG_BY_DEFAULT)
			buf_puts(&text, "; the default stream and others wait for each other");
		else if (hostlog_is_work(op) && op->why == HOSTLOG_BY_ENGINE)
			buf_printf(
				&text, "; %s busy", op->kind == HOSTLOG_COPY ? "the copy engine was" : "the SMs were");
		view_notes_add(&notes, ROLE_STRONG, "%s", buf_str(&text));
		buf_free(&text);
	} else {
		int both = sums.copies + sums.kernels;
		if (p.input->program->to_scale) {
			struct buf ms = {0}, busy = {0};
			value_format(sums.ms, &ms);
			value_format(sums.busy_ms, &busy);
			view_notes_add(&notes, ROLE_STRONG,
				"%d of %d copies and kernels overlap: %s ms for %s ms of work", sums.overlapping, both,
				buf_str(&ms), buf_str(&busy));
			buf_free(&ms);
			buf_free(&busy);
		} else {
			view_notes_add(
				&notes, ROLE_STRONG, "%d of %d copies and kernels overlap", sums.overlapping, both);
		}
	}

	/* What the signs and fills mean, of those that there are. */
	view_notes_add(&notes, ROLE_DIM, "in: from the host to the device; out: back%s%s",
		events ? "; ◆ an event, ▾ who waits for it" : "", sums.graphs ? "; ■ a graph is launched" : "");
	if (!p.input->program->to_scale)
		view_notes_add(
			&notes, ROLE_DIM, "in order, not to scale: what copies and calls cost here was not measured");
	if (p.log->left_out)
		view_notes_add(&notes, ROLE_DIM, "%llu more calls are not shown", (unsigned long long)p.log->left_out);

	room = rect.row + rect.rows - row;
	int used = view_notes_fit(&notes, room, rect.cols);
	view_notes_draw(canvas, (struct rect){row + (room > used), rect.col, room - (room > used), rect.cols}, &notes);
	free(p.axis.moments);
}

const struct view_drawer view_drawer_streams = {.draw = draw_streams,
	.lacks = view_program_lacks,
	.moments = view_program_moments,
	.describe = view_program_describe};
