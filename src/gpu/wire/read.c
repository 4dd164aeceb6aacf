#include "gpu/wire/wire.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "gpu/wire/kinds.h"

const char *wire_get_text(struct wire_reader *r, const json_t *json, const char *name)
{
	const json_t *value = json_object_get(json, name);
	if (json_is_string(value))
		return arena_strndup(r->arena, json_string_value(value), json_string_length(value));
	WIRE_FAULT(r, "\"%s\" must be a string", name);
	return "";
}

static int64_t check_int(struct wire_reader *r, const json_t *value, const char *name, int64_t least, int64_t most)
{
	if (json_is_integer(value) && json_integer_value(value) >= least && json_integer_value(value) <= most)
		return json_integer_value(value);
	WIRE_FAULT(r, "\"%s\" must be an integer from %" PRId64 " to %" PRId64, name, least, most);
	return least;
}

int64_t wire_get_int(struct wire_reader *r, const json_t *json, const char *name, int64_t least, int64_t most)
{
	return check_int(r, json_object_get(json, name), name, least, most);
}

bool wire_get_bool(struct wire_reader *r, const json_t *json, const char *name)
{
	const json_t *value = json_object_get(json, name);
	if (!json_is_boolean(value))
		WIRE_FAULT(r, "\"%s\" must be true or false", name);
	return json_is_true(value);
}

const json_t *wire_get_array(struct wire_reader *r, const json_t *json, const char *name, size_t most)
{
	const json_t *value = json_object_get(json, name);
	if (!json_is_array(value)) {
		WIRE_FAULT(r, "\"%s\" must be an array", name);
		return NULL;
	}
	if (json_array_size(value) > most) {
		WIRE_FAULT(r, "\"%s\" has %zu members, at most %zu are allowed", name, json_array_size(value), most);
		return NULL;
	}
	return value;
}

bool wire_is_number(const json_t *value, double *out)
{
	const char *s = json_string_value(value);
	if (json_is_number(value))
		*out = json_number_value(value);
	else if (s && !strcmp(s, "nan"))
		*out = NAN;
	else if (s && (!strcmp(s, "inf") || !strcmp(s, "-inf")))
		*out = *s == '-' ? -INFINITY : INFINITY;
	else
		return false;
	return true;
}

double wire_get_number(struct wire_reader *r, const json_t *json, const char *name)
{
	double v = 0;
	if (!wire_is_number(json_object_get(json, name), &v))
		WIRE_FAULT(r, "\"%s\" must be a number", name);
	return v;
}

const char **wire_get_texts(struct wire_reader *r, const json_t *json, const char *name, size_t most, int *n)
{
	const json_t *array = wire_get_array(r, json, name, most);
	const char **texts = arena_array(r->arena, const char *, json_array_size(array) + 1);
	*n = (int)json_array_size(array);
	for (int i = 0; i < *n; i++) {
		const json_t *value = json_array_get(array, (size_t)i);
		texts[i] = json_is_string(value) ? arena_strdup(r->arena, json_string_value(value)) : "";
		if (!json_is_string(value))
			WIRE_FAULT(r, "member %d of \"%s\" must be a string", i, name);
	}
	return texts;
}

static void get_dims(struct wire_reader *r, const json_t *json, const char *name, uint32_t out[3])
{
	const json_t *array = wire_get_array(r, json, name, 3);
	if (array && json_array_size(array) != 3)
		WIRE_FAULT(r, "\"%s\" must have three members", name);
	for (size_t i = 0; i < 3; i++)
		out[i] = array ? (uint32_t)check_int(r, json_array_get(array, i), name, 1, INT32_MAX) : 1;
}

static void get_launch(struct wire_reader *r, const json_t *json, struct launch *out)
{
	const json_t *launch = json_object_get(json, "launch");
	if (!json_is_object(launch)) {
		WIRE_FAULT(r, "\"launch\" must be an object");
		return;
	}
	out->kernel = wire_get_text(r, launch, "kernel");
	get_dims(r, launch, "grid", out->grid);
	get_dims(r, launch, "block", out->block);
	if (json_object_get(launch, "cluster"))
		get_dims(r, launch, "cluster", out->cluster);
	out->shared = (uint32_t)wire_get_int(r, launch, "shared", 0, INT32_MAX);
	out->cooperative = json_object_get(launch, "cooperative") && wire_get_bool(r, launch, "cooperative");
	if (json_object_get(launch, "memory")) {
		/* What lies in order, and not beyond the end of all addresses. */
		const json_t *array = wire_get_array(r, launch, "memory", LAUNCH_MEMORY_MAX);
		struct launch_memory *all = arena_array(r->arena, struct launch_memory, json_array_size(array) + 1);
		int64_t least = 1;
		out->memory = all;
		out->n_memory = (int)json_array_size(array);
		for (int i = 0; i < out->n_memory; i++) {
			const json_t *row = json_array_get(array, (size_t)i), *data = json_object_get(row, "data");
			void *bytes = NULL;
			all[i].address = (uint64_t)wire_get_int(r, row, "address", least, WIRE_ADDRESS_MAX);
			all[i].bytes = (size_t)wire_get_int(r, row, "bytes", 1, LAUNCH_BUFFER_MAX);
			least = (int64_t)(all[i].address + all[i].bytes);
			if (!json_is_string(data) ||
				!wire_base64_decode(r->arena, json_string_value(data), json_string_length(data), &bytes,
					&all[i].n_data) ||
				all[i].n_data > all[i].bytes) {
				WIRE_FAULT(r,
					"\"data\" of member %d of \"memory\" must be base64, and not more than its bytes",
					i);
				all[i].n_data = 0;
			}
			all[i].data = bytes;
		}
	}
	const char **texts = wire_get_texts(r, launch, "args", LAUNCH_ARGS_MAX, &out->n_args);
	out->args = arena_array(r->arena, struct launch_arg, (size_t)out->n_args + 1);
	for (int i = 0; i < out->n_args; i++)
		out->args[i].text = texts[i];
}

void wire_get_job(struct wire_reader *r, const json_t *json, struct wire_job *out)
{
	out->ptx = wire_get_text(r, json, "ptx");
	out->ptx_len = strlen(out->ptx);
	get_launch(r, json, &out->launch);
}

void wire_get_measure(struct wire_reader *r, const json_t *json, struct wire_message *out)
{
	wire_get_job(r, json, &out->measure.job);
	out->measure.metrics = wire_get_texts(r, json, "metrics", WIRE_METRICS_MAX, &out->measure.n_metrics);
	out->measure.return_buffers = wire_get_bool(r, json, "buffers");
}

static enum wire_error_code get_code(struct wire_reader *r, const json_t *json, const char *name)
{
	const char *code = wire_get_text(r, json, name);
	enum wire_error_code found = wire_error_find(code);
	if (found != WIRE_ERRORS)
		return found;
	WIRE_FAULT(r, "\"%s\" is \"%.40s\", which is not an error code", name, code);
	return WIRE_INTERNAL;
}

void wire_get_gpu(struct wire_reader *r, const json_t *json, struct wire_message *m)
{
	struct wire_gpu *out = &m->gpu;
	out->name = wire_get_text(r, json, "name");
	out->chip = wire_get_text(r, json, "chip");
	out->uuid = wire_get_text(r, json, "uuid");
	out->cc = (int)wire_get_int(r, json, "cc", 0, 9999);
	out->sms = (int)wire_get_int(r, json, "sms", 0, 1 << 20);
	out->driver_cuda = (int)wire_get_int(r, json, "driver_cuda", 0, INT_MAX);
	out->driver = wire_get_text(r, json, "driver");
	out->cupti = (int)wire_get_int(r, json, "cupti", 0, INT_MAX);
	out->cupti_version = wire_get_text(r, json, "cupti_version");
	out->addresses = json_object_get(json, "addresses") && wire_get_bool(r, json, "addresses");
	out->counters = wire_get_bool(r, json, "counters");
	out->counters_message = "";
	if (out->counters)
		return;
	out->counters_error = get_code(r, json, "counters_error");
	out->counters_message = wire_get_text(r, json, "counters_message");
}

/* Buffers, or null where there is none. */
static int get_buffers(struct wire_reader *r, const json_t *json, const char *name, size_t most, const void ***buffers,
	const size_t **bytes)
{
	const json_t *array = wire_get_array(r, json, name, most);
	int n = (int)json_array_size(array);
	const void **at = arena_array(r->arena, const void *, (size_t)n + 1);
	size_t *sizes = arena_array(r->arena, size_t, (size_t)n + 1);
	for (int i = 0; i < n; i++) {
		const json_t *value = json_array_get(array, (size_t)i);
		void *one = NULL;
		if (json_is_null(value))
			continue;
		if (!json_is_string(value) ||
			!wire_base64_decode(
				r->arena, json_string_value(value), json_string_length(value), &one, &sizes[i]))
			WIRE_FAULT(r, "member %d of \"%s\" must be null or base64", i, name);
		at[i] = one;
	}
	*buffers = at;
	*bytes = sizes;
	return n;
}

/* Names and values of metrics, and which have one. */
static int get_metrics(struct wire_reader *r, const json_t *json, const char *const **names, const double **values,
	const bool **available)
{
	const json_t *array = wire_get_array(r, json, "metrics", WIRE_METRICS_MAX);
	size_t n = json_array_size(array);
	const char **name = arena_array(r->arena, const char *, n + 1);
	double *number = arena_array(r->arena, double, n + 1);
	bool *there = arena_array(r->arena, bool, n + 1);
	for (size_t i = 0; i < n; i++) {
		const json_t *row = json_array_get(array, i), *value = json_object_get(row, "value");
		name[i] = wire_get_text(r, row, "name");
		there[i] = !json_is_null(value);
		if (there[i] && !wire_is_number(value, &number[i]))
			WIRE_FAULT(
				r, "\"value\" of metric %zu must be a number, null, \"nan\", \"inf\" or \"-inf\"", i);
	}
	*names = name;
	*values = number;
	*available = there;
	return (int)n;
}

void wire_get_measurement(struct wire_reader *r, const json_t *json, struct wire_message *m)
{
	struct wire_measurement *out = &m->measurement;
	out->n = get_metrics(r, json, &out->metrics, &out->values, &out->available);
	out->passes = (int)wire_get_int(r, json, "passes", 0, INT_MAX);
	out->worker_ms = wire_get_number(r, json, "ms");
	if (json_object_get(json, "registers"))
		out->registers = (int)wire_get_int(r, json, "registers", 1, INT_MAX);
	out->n_buffers = get_buffers(r, json, "buffers", LAUNCH_ARGS_MAX, &out->buffers, &out->buffer_bytes);
	if (json_object_get(json, "memory"))
		out->n_memory = get_buffers(r, json, "memory", LAUNCH_MEMORY_MAX, &out->memory, &out->memory_bytes);
}

void wire_get_hello(struct wire_reader *r, const json_t *json, struct wire_message *out)
{
	/* of a hello of another protocol nothing else can be relied on */
	out->hello.protocol = (int)wire_get_int(r, json, "protocol", 0, INT_MAX);
	out->hello.version = json_object_get(json, "version") || out->hello.protocol == WIRE_PROTOCOL
		? wire_get_text(r, json, "version")
		: "";
	const char *place = json_string_value(json_object_get(json, "place"));
	out->hello.place = place ? wire_place_find(place) : WIRE_HOST;
	if (out->hello.place == WIRE_PLACES)
		out->hello.place = WIRE_HOST; /* one that we have no lines for */
}

void wire_get_progress(struct wire_reader *r, const json_t *json, struct wire_message *out)
{
	out->progress.pass = (int)wire_get_int(r, json, "pass", 0, INT_MAX);
	out->progress.passes = (int)wire_get_int(r, json, "passes", 0, INT_MAX);
	if (json_object_get(json, "waiting"))
		out->progress.waiting = (int)wire_get_int(r, json, "waiting", 0, INT_MAX);
	const bool *available;
	if (json_object_get(json, "metrics"))
		out->progress.n = get_metrics(r, json, &out->progress.metrics, &out->progress.values, &available);
	for (int i = 0; i < out->progress.n; i++)
		if (!available[i])
			WIRE_FAULT(r, "metric %d of a progress must have a value", i);
}

void wire_get_error(struct wire_reader *r, const json_t *json, struct wire_message *out)
{
	out->error.code = get_code(r, json, "code");
	out->error.message = wire_get_text(r, json, "message");
}

static void read_message(struct wire_reader *r, const json_t *json, struct wire_message *out)
{
	const char *type = json_string_value(json_object_get(json, "type"));
	if (!type) {
		WIRE_FAULT(r, "a message must be a JSON object with a string \"type\"");
		return;
	}

	int kind = -1;
	for (int i = 0; i < WIRE_KINDS && kind < 0; i++)
		if (!strcmp(wire_kinds[i].type, type))
			kind = i;
	if (kind < 0) {
		WIRE_FAULT(r, "\"%.40s\" is not a type of message", type);
		return;
	}
	out->kind = (enum wire_kind)kind;
	r->type = wire_kinds[kind].type;
	if (wire_kinds[kind].has_id || json_object_get(json, "id"))
		out->id = wire_get_int(r, json, "id", wire_kinds[kind].has_id ? 1 : 0, INT64_MAX);
	if (wire_kinds[kind].get)
		wire_kinds[kind].get(r, json, out);
}

bool wire_read(struct arena *arena, const char *line, size_t len, struct wire_message *out, struct diag *diag)
{
	struct wire_reader r = {arena, diag, "message"};
	size_t before = diag->errors;
	memset(out, 0, sizeof *out);
	if (len > WIRE_LINE_MAX) {
		WIRE_FAULT(&r, "a line of %zu bytes is longer than the %zu allowed", len, WIRE_LINE_MAX);
		return false;
	}
	json_error_t error;
	json_t *json = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);
	if (!json) {
		diag_error(diag, (struct diag_pos){r.type, 1, error.position > 0 ? error.position : 1, NULL, 0},
			"not JSON: %s", error.text);
		return false;
	}
	read_message(&r, json, out);
	json_decref(json);
	return diag->errors == before;
}
