/* "lines" and "line_counts": counters of each source line of a launch, and of each machine instruction. */
#include <limits.h>

#include "gpu/wire/kinds.h"

void wire_put_lines(const struct wire_message *m, json_t *json)
{
	json_object_set_new(json, "metrics", wire_texts(m->lines.metrics, m->lines.n_metrics));
	if (m->lines.instrs)
		json_object_set_new(json, "instrs", json_true());
	wire_put_job(&m->lines.job, json);
}

void wire_get_lines(struct wire_reader *r, const json_t *json, struct wire_message *out)
{
	wire_get_job(r, json, &out->lines.job);
	out->lines.metrics = wire_get_texts(r, json, "metrics", WIRE_METRICS_MAX, &out->lines.n_metrics);
	out->lines.instrs = json_object_get(json, "instrs") && wire_get_bool(r, json, "instrs");
}

static json_t *put_rows(
	const struct wire_line_counts *counts, const struct wire_line *rows, int n_rows, const char *named)
{
	json_t *all = json_array();
	for (int at = 0; at < n_rows; at++) {
		json_t *values = json_array();
		for (int i = 0; i < counts->n; i++)
			json_array_append_new(
				values, counts->available[i] ? wire_number(rows[at].values[i]) : json_null());
		json_array_append_new(all, json_pack("{s:i, s:o}", named, rows[at].line, "values", values));
	}
	return all;
}

void wire_put_line_counts(const struct wire_message *m, json_t *json)
{
	const struct wire_line_counts *counts = &m->line_counts;
	json_t *metrics = json_array();
	for (int i = 0; i < counts->n; i++)
		json_array_append_new(metrics,
			json_pack("{s:o, s:b}", "name", wire_text(counts->metrics[i]), "available",
				counts->available[i]));
	json_object_set_new(json, "metrics", metrics);
	json_object_set_new(json, "lines", put_rows(counts, counts->lines, counts->n_lines, "line"));
	if (counts->code) {
		json_object_set_new(json, "code", wire_text(counts->code));
		json_object_set_new(json, "instrs", put_rows(counts, counts->instrs, counts->n_instrs, "at"));
	}
	json_object_set_new(json, "passes", json_integer(counts->passes));
	json_object_set_new(json, "ms", wire_number(counts->worker_ms));
}

/* Of a line, or of an address. */
struct row_kind {
	const char *rows, *named; /* the members */
	int step;
};

static void get_values(struct wire_reader *r, const json_t *row, const struct wire_line_counts *counts,
	const struct row_kind *kind, struct wire_line *out)
{
	const json_t *array = wire_get_array(r, row, "values", WIRE_METRICS_MAX);
	double *values = arena_array(r->arena, double, (size_t)counts->n + 1);
	if (array && json_array_size(array) != (size_t)counts->n)
		WIRE_FAULT(r, "\"values\" of %s %d must be as many as \"metrics\"", kind->named, out->line);
	for (int i = 0; i < counts->n; i++)
		if (counts->available[i] && !wire_is_number(json_array_get(array, (size_t)i), &values[i]))
			WIRE_FAULT(r, "value %d of %s %d must be a number", i, kind->named, out->line);
	out->values = values;
}

static const struct wire_line *get_rows(struct wire_reader *r, const json_t *json,
	const struct wire_line_counts *counts, const struct row_kind *kind, int *n)
{
	const json_t *array = wire_get_array(r, json, kind->rows, WIRE_LINES_MAX);
	*n = (int)json_array_size(array);
	struct wire_line *rows = arena_array(r->arena, struct wire_line, (size_t)*n + 1);
	for (int i = 0; i < *n; i++) {
		const json_t *row = json_array_get(array, (size_t)i);
		rows[i].line = (int)wire_get_int(r, row, kind->named, 0, INT_MAX);
		if (rows[i].line % kind->step != 0)
			WIRE_FAULT(r, "%s %d: no instruction stands there", kind->named, rows[i].line);
		if (i > 0 && rows[i].line <= rows[i - 1].line)
			WIRE_FAULT(r, "%s %d comes after %s %d: \"%s\" must ascend", kind->named, rows[i].line,
				kind->named, rows[i - 1].line, kind->rows);
		get_values(r, row, counts, kind, &rows[i]);
	}
	return rows;
}

void wire_get_line_counts(struct wire_reader *r, const json_t *json, struct wire_message *m)
{
	static const struct row_kind lines = {"lines", "line", 1}, instrs = {"instrs", "at", WIRE_INSTR_BYTES};
	struct wire_line_counts *out = &m->line_counts;

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

	out->lines = get_rows(r, json, out, &lines, &out->n_lines);
	if (json_object_get(json, "code")) {
		out->code = wire_get_text(r, json, "code");
		out->instrs = get_rows(r, json, out, &instrs, &out->n_instrs);
	}
	out->passes = (int)wire_get_int(r, json, "passes", 0, INT_MAX);
	out->worker_ms = wire_get_number(r, json, "ms");
}
