#include "gpu/wire/wire.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "gpu/wire/kinds.h"

/* jansson takes only valid UTF-8, and what the driver or a PTX comment says need not be. */
json_t *wire_textn(const char *s, size_t len)
{
	json_t *json = json_stringn(s, len);
	if (json)
		return json;
	struct buf clean = {0};
	utf8_replace_invalid(s, len, &clean);
	json = json_stringn(buf_str(&clean), clean.len);
	buf_free(&clean);
	return json ? json : json_string("");
}

json_t *wire_text(const char *s)
{
	return wire_textn(s ? s : "", s ? strlen(s) : 0);
}

json_t *wire_texts(const char *const *texts, int n)
{
	json_t *array = json_array();
	for (int i = 0; i < n; i++)
		json_array_append_new(array, wire_text(texts[i]));
	return array;
}

json_t *wire_number(double v)
{
	if (isnan(v))
		return json_string("nan");
	if (isinf(v))
		return json_string(v > 0 ? "inf" : "-inf");
	if (v == floor(v) && fabs(v) < 9007199254740992.0)
		return json_integer((json_int_t)v);
	return json_real(v);
}

static json_t *dims(const uint32_t d[3])
{
	return json_pack("[I, I, I]", (json_int_t)d[0], (json_int_t)d[1], (json_int_t)d[2]);
}

void wire_put_job(const struct wire_job *job, json_t *json)
{
	const struct launch *l = &job->launch;
	json_t *args = json_array();
	for (int i = 0; i < l->n_args; i++)
		json_array_append_new(args, wire_text(l->args[i].text));
	json_t *launch = json_pack("{s:o, s:o, s:o, s:I, s:o}", "kernel", wire_text(l->kernel), "grid", dims(l->grid),
		"block", dims(l->block), "shared", (json_int_t)l->shared, "args", args);
	if (l->cluster[0])
		json_object_set_new(launch, "cluster", dims(l->cluster));
	if (l->cooperative)
		json_object_set_new(launch, "cooperative", json_true());
	if (l->n_memory) {
		json_t *memory = json_array();
		for (int i = 0; i < l->n_memory; i++) {
			const struct launch_memory *m = &l->memory[i];
			json_array_append_new(memory,
				json_pack("{s:I, s:I, s:o}", "address", (json_int_t)m->address, "bytes",
					(json_int_t)m->bytes, "data", wire_buffer(m->data ? m->data : "", m->n_data)));
		}

		json_object_set_new(launch, "memory", memory);
	}

	json_object_set_new(json, "launch", launch);
	json_object_set_new(json, "ptx", wire_textn(job->ptx, job->ptx_len));
}

void wire_put_measure(const struct wire_message *m, json_t *json)
{
	json_object_set_new(json, "metrics", wire_texts(m->measure.metrics, m->measure.n_metrics));
	json_object_set_new(json, "buffers", json_boolean(m->measure.return_buffers));
	wire_put_job(&m->measure.job, json);
}

void wire_put_gpu(const struct wire_message *m, json_t *json)
{
	const struct wire_gpu *g = &m->gpu;
	json_object_set_new(json, "name", wire_text(g->name));
	json_object_set_new(json, "chip", wire_text(g->chip));
	json_object_set_new(json, "uuid", wire_text(g->uuid));
	json_object_set_new(json, "cc", json_integer(g->cc));
	json_object_set_new(json, "sms", json_integer(g->sms));
	json_object_set_new(json, "driver_cuda", json_integer(g->driver_cuda));
	json_object_set_new(json, "driver", wire_text(g->driver));
	json_object_set_new(json, "cupti", json_integer(g->cupti));
	json_object_set_new(json, "cupti_version", wire_text(g->cupti_version));
	if (g->addresses)
		json_object_set_new(json, "addresses", json_true());
	json_object_set_new(json, "counters", json_boolean(g->counters));
	if (g->counters)
		return;
	json_object_set_new(json, "counters_error", wire_text(wire_error_name(g->counters_error)));
	json_object_set_new(json, "counters_message", wire_text(g->counters_message));
}

json_t *wire_buffer(const void *bytes, size_t len)
{
	if (!bytes)
		return json_null();
	struct buf b64 = {0};
	wire_base64_encode(bytes, len, &b64);
	json_t *json = json_stringn_nocheck(buf_str(&b64), b64.len);
	buf_free(&b64);
	return json;
}

/* `value` NULL: there is none. */
static json_t *metric_row(const char *name, const double *value)
{
	return json_pack("{s:o, s:o}", "name", wire_text(name), "value", value ? wire_number(*value) : json_null());
}

void wire_put_measurement(const struct wire_message *m, json_t *json)
{
	const struct wire_measurement *r = &m->measurement;
	json_t *metrics = json_array(), *buffers = json_array();
	for (int i = 0; i < r->n; i++)
		json_array_append_new(metrics, metric_row(r->metrics[i], r->available[i] ? &r->values[i] : NULL));
	for (int i = 0; i < r->n_buffers; i++)
		json_array_append_new(buffers, wire_buffer(r->buffers[i], r->buffer_bytes[i]));
	json_object_set_new(json, "metrics", metrics);
	json_object_set_new(json, "passes", json_integer(r->passes));
	json_object_set_new(json, "ms", wire_number(r->worker_ms));
	if (r->registers)
		json_object_set_new(json, "registers", json_integer(r->registers));
	json_object_set_new(json, "buffers", buffers);
	if (r->n_memory) {
		json_t *memory = json_array();
		for (int i = 0; i < r->n_memory; i++)
			json_array_append_new(memory, wire_buffer(r->memory[i], r->memory_bytes[i]));
		json_object_set_new(json, "memory", memory);
	}
}

void wire_put_hello(const struct wire_message *m, json_t *json)
{
	json_object_set_new(json, "protocol", json_integer(m->hello.protocol));
	json_object_set_new(json, "version", wire_text(m->hello.version));
	json_object_set_new(json, "place", wire_text(wire_place_name(m->hello.place)));
}

void wire_put_progress(const struct wire_message *m, json_t *json)
{
	json_object_set_new(json, "pass", json_integer(m->progress.pass));
	json_object_set_new(json, "passes", json_integer(m->progress.passes));
	if (m->progress.waiting)
		json_object_set_new(json, "waiting", json_integer(m->progress.waiting));
	if (m->progress.n == 0)
		return;
	json_t *metrics = json_array();
	for (int i = 0; i < m->progress.n; i++)
		json_array_append_new(metrics, metric_row(m->progress.metrics[i], &m->progress.values[i]));
	json_object_set_new(json, "metrics", metrics);
}

void wire_put_error(const struct wire_message *m, json_t *json)
{
	json_object_set_new(json, "code", wire_text(wire_error_name(m->error.code)));
	json_object_set_new(json, "message", wire_text(m->error.message));
}

static int append(const char *bytes, size_t len, void *out)
{
	buf_append(out, bytes, len);
	return 0;
}

void wire_write(const struct wire_message *message, struct buf *out)
{
	json_t *json = json_pack("{s:s}", "type", wire_kinds[message->kind].type);
	if (message->id)
		json_object_set_new(json, "id", json_integer(message->id));
	if (wire_kinds[message->kind].put)
		wire_kinds[message->kind].put(message, json);
	json_dump_callback(json, append, out, JSON_COMPACT | JSON_REAL_PRECISION(17));
	json_decref(json);
	buf_putc(out, '\n');
}
