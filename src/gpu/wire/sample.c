/* The request "sample": what counters do over a kernel's life; and its answer. */
#include <limits.h>

#include "gpu/wire/kinds.h"

void wire_put_sample(const struct wire_message *m, json_t *json)
{
	json_object_set_new(json, "metrics", wire_texts(m->sample.metrics, m->sample.n_metrics));
	json_object_set_new(json, "interval", json_integer(m->sample.interval));
	wire_put_job(&m->sample.job, json);
}

void wire_get_sample(struct wire_reader *r, const json_t *json, struct wire_message *out)
{
	wire_get_job(r, json, &out->sample.job);
	out->sample.metrics = wire_get_texts(r, json, "metrics", WIRE_METRICS_MAX, &out->sample.n_metrics);
	out->sample.interval = (int)wire_get_int(r, json, "interval", 0, INT_MAX);
}

static json_t *numbers(const double *values, int n)
{
	json_t *array = json_array();
	for (int i = 0; i < n; i++)
		json_array_append_new(array, wire_number(values[i]));
	return array;
}

void wire_put_samples(const struct wire_message *m, json_t *json)
{
	const struct wire_samples *s = &m->samples;
	json_t *metrics = json_array();
	for (int i = 0; i < s->n_metrics; i++)
		json_array_append_new(metrics,
			json_pack("{s:o, s:o}", "name", wire_text(s->metrics[i]), "values",
				s->values[i] ? numbers(s->values[i], s->n) : json_null()));
	json_object_set_new(json, "interval", json_integer(s->interval));
	json_object_set_new(json, "times", numbers(s->times, s->n));
	json_object_set_new(json, "metrics", metrics);
	json_object_set_new(json, "cut", json_boolean(s->cut));
	json_object_set_new(json, "ms", wire_number(s->worker_ms));
}

static const double *get_numbers(struct wire_reader *r, const json_t *json, const char *name, int n)
{
	const json_t *array = wire_get_array(r, json, name, WIRE_SAMPLES_MAX);
	double *out = arena_array(r->arena, double, (size_t)n + 1);
	if (array && json_array_size(array) != (size_t)n) {
		WIRE_FAULT(r, "\"%s\" has %zu members, not %d", name, json_array_size(array), n);
		return out;
	}
	for (int i = 0; array && i < n; i++)
		if (!wire_is_number(json_array_get(array, (size_t)i), &out[i]))
			WIRE_FAULT(r, "member %d of \"%s\" must be a number", i, name);
	return out;
}

void wire_get_samples(struct wire_reader *r, const json_t *json, struct wire_message *m)
{
	struct wire_samples *out = &m->samples;
	out->n = (int)json_array_size(wire_get_array(r, json, "times", WIRE_SAMPLES_MAX));
	out->times = get_numbers(r, json, "times", out->n);
	const json_t *array = wire_get_array(r, json, "metrics", WIRE_METRICS_MAX);
	out->n_metrics = (int)json_array_size(array);
	const char **names = arena_array(r->arena, const char *, (size_t)out->n_metrics + 1);
	const double **values = arena_array(r->arena, const double *, (size_t)out->n_metrics + 1);
	for (int i = 0; i < out->n_metrics; i++) {
		const json_t *row = json_array_get(array, (size_t)i);
		names[i] = wire_get_text(r, row, "name");
		values[i] = json_is_null(json_object_get(row, "values")) ? NULL : get_numbers(r, row, "values", out->n);
	}
	out->metrics = names;
	out->values = values;
	out->interval = (int)wire_get_int(r, json, "interval", 1, INT_MAX);
	out->cut = wire_get_bool(r, json, "cut");
	out->worker_ms = wire_get_number(r, json, "ms");
}
