/* "lines" and "line_counts": counters of each source line of a launch. */
#include <limits.h>

#include "wire/kinds.h"

void wire_put_lines(const struct wire_message *m, json_t *json)
{
	json_object_set_new(json, "metrics", wire_texts(m->lines.metrics, m->lines.n_metrics));
	wire_put_job(&m->lines.job, json);
}

void wire_get_lines(struct wire_reader *r, const json_t *json, struct wire_message *out)
{
	wire_get_job(r, json, &out->lines.job);
	out->lines.metrics = wire_get_texts(r, json, "metrics", WIRE_METRICS_MAX, &out->lines.n_metrics);
}

static json_t *put_line(const struct wire_line_counts *counts, int at)
{
	json_t *values = json_array();
	for (int i = 0; i < counts->n; i++)
		json_array_append_new(
			values, counts->available[i] ? wire_number(counts->lines[at].values[i]) : json_null());
	return json_pack("{s:i, s:o}", "line", counts->lines[at].line, "values", values);
}

void wire_put_line_counts(const struct wire_message *m, json_t *json)
{
	const struct wire_line_counts *counts = &m->line_counts;
	json_t *metrics = json_array(), *lines = json_array();
	for (int i = 0; i < counts->n; i++)
		json_array_append_new(metrics,
			json_pack("{s:o, s:b}", "name", wire_text(counts->metrics[i]), "available",
				counts->available[i]));
	for (int i = 0; i < counts->n_lines; i++)
		json_array_append_new(lines, put_line(counts, i));
	json_object_set_new(json, "metrics", metrics);
	json_object_set_new(json, "lines", lines);
	json_object_set_new(json, "passes", json_integer(counts->passes));
	json_object_set_new(json, "ms", wire_number(counts->worker_ms));
}

static void get_metrics(struct wire_reader *r, const json_t *json, struct wire_line_counts *out)
{
	const json_t *array = wire_get_array(r, json, "metrics", WIRE_METRICS_MAX);
	out->n = (int)json_array_size(array);
	const char **names = arena_array(r->arena, const char *, (size_t)out->n + 1);
	bool *available = arena_array(r->arena, bool, (size_t)out->n + 1);
	for (int i = 0; i < out->n; i++) {
		const json_t *metric = json_array_get(array, (size_t)i);
		names[i] = wire_get_text(r, metric, "name");
		available[i] = wire_get_bool(r, metric, "available");
	}
	out->metrics = names;
	out->available = available;
}

static void get_values(
	struct wire_reader *r, const json_t *row, const struct wire_line_counts *counts, struct wire_line *line)
{
	const json_t *array = wire_get_array(r, row, "values", WIRE_METRICS_MAX);
	double *values = arena_array(r->arena, double, (size_t)counts->n + 1);
	if (array && json_array_size(array) != (size_t)counts->n)
		WIRE_FAULT(r, "\"values\" of line %d must be as many as \"metrics\"", line->line);
	for (int i = 0; i < counts->n; i++)
		if (counts->available[i] && !wire_is_number(json_array_get(array, (size_t)i), &values[i]))
			WIRE_FAULT(r, "value %d of line %d must be a number", i, line->line);
	line->values = values;
}

void wire_get_line_counts(struct wire_reader *r, const json_t *json, struct wire_message *m)
{
	struct wire_line_counts *out = &m->line_counts;
	get_metrics(r, json, out);
	const json_t *array = wire_get_array(r, json, "lines", WIRE_LINES_MAX);
	out->n_lines = (int)json_array_size(array);
	struct wire_line *lines = arena_array(r->arena, struct wire_line, (size_t)out->n_lines + 1);
	for (int i = 0; i < out->n_lines; i++) {
		const json_t *row = json_array_get(array, (size_t)i);
		lines[i].line = (int)wire_get_int(r, row, "line", 0, INT_MAX);
		if (i > 0 && lines[i].line <= lines[i - 1].line)
			WIRE_FAULT(r, "line %d comes after line %d: \"lines\" must ascend", lines[i].line,
				lines[i - 1].line);
		get_values(r, row, out, &lines[i]);
	}
	out->lines = lines;
	out->passes = (int)wire_get_int(r, json, "passes", 0, INT_MAX);
	out->worker_ms = wire_get_number(r, json, "ms");
}
