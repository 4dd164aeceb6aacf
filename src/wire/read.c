#include "wire/wire.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "wire/base64.h"
#include "wire/kinds.h"

/* Reading goes on after a fault with a harmless value, so that every fault of a line is reported; `diag` remembers. */
struct reader {
	struct arena *arena;
	struct diag *diag;
	const char *type; /* of the message, for messages */
};

#define FAULT(r, ...) diag_error((r)->diag, (struct diag_pos){.file = (r)->type}, __VA_ARGS__)

static const char *get_text(struct reader *r, const json_t *json, const char *name)
{
	const json_t *value = json_object_get(json, name);
	if (json_is_string(value))
		return arena_strndup(r->arena, json_string_value(value), json_string_length(value));
	FAULT(r, "\"%s\" must be a string", name);
	return "";
}

static int64_t check_int(struct reader *r, const json_t *value, const char *name, int64_t least, int64_t most)
{
	if (json_is_integer(value) && json_integer_value(value) >= least && json_integer_value(value) <= most)
		return json_integer_value(value);
	FAULT(r, "\"%s\" must be an integer from %" PRId64 " to %" PRId64, name, least, most);
	return least;
}

static int64_t get_int(struct reader *r, const json_t *json, const char *name, int64_t least, int64_t most)
{
	return check_int(r, json_object_get(json, name), name, least, most);
}

static bool get_bool(struct reader *r, const json_t *json, const char *name)
{
	const json_t *value = json_object_get(json, name);
	if (!json_is_boolean(value))
		FAULT(r, "\"%s\" must be true or false", name);
	return json_is_true(value);
}

/* An array of at most `most` members; NULL (which has size 0) after a fault. */
static const json_t *get_array(struct reader *r, const json_t *json, const char *name, size_t most)
{
	const json_t *value = json_object_get(json, name);
	if (!json_is_array(value)) {
		FAULT(r, "\"%s\" must be an array", name);
		return NULL;
	}
	if (json_array_size(value) > most) {
		FAULT(r, "\"%s\" has %zu members, at most %zu are allowed", name, json_array_size(value), most);
		return NULL;
	}
	return value;
}

static bool number(const json_t *value, double *out)
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

static const char **get_texts(struct reader *r, const json_t *json, const char *name, size_t most, int *n)
{
	const json_t *array = get_array(r, json, name, most);
	const char **texts = arena_array(r->arena, const char *, json_array_size(array) + 1);
	*n = (int)json_array_size(array);
	for (int i = 0; i < *n; i++) {
		const json_t *value = json_array_get(array, (size_t)i);
		texts[i] = json_is_string(value) ? arena_strdup(r->arena, json_string_value(value)) : "";
		if (!json_is_string(value))
			FAULT(r, "member %d of \"%s\" must be a string", i, name);
	}
	return texts;
}

static void get_dims(struct reader *r, const json_t *json, const char *name, uint32_t out[3])
{
	const json_t *array = get_array(r, json, name, 3);
	if (array && json_array_size(array) != 3)
		FAULT(r, "\"%s\" must have three members", name);
	for (size_t i = 0; i < 3; i++)
		out[i] = array ? (uint32_t)check_int(r, json_array_get(array, i), name, 1, INT32_MAX) : 1;
}

static void get_launch(struct reader *r, const json_t *json, struct launch *out)
{
	const json_t *launch = json_object_get(json, "launch");
	if (!json_is_object(launch)) {
		FAULT(r, "\"launch\" must be an object");
		return;
	}
	out->kernel = get_text(r, launch, "kernel");
	get_dims(r, launch, "grid", out->grid);
	get_dims(r, launch, "block", out->block);
	out->shared = (uint32_t)get_int(r, launch, "shared", 0, INT32_MAX);
	const char **texts = get_texts(r, launch, "args", LAUNCH_ARGS_MAX, &out->n_args);
	out->args = arena_array(r->arena, struct launch_arg, (size_t)out->n_args + 1);
	for (int i = 0; i < out->n_args; i++)
		out->args[i].text = texts[i];
}

static void get_measure(struct reader *r, const json_t *json, struct wire_message *out)
{
	out->measure.ptx = get_text(r, json, "ptx");
	out->measure.ptx_len = strlen(out->measure.ptx);
	get_launch(r, json, &out->measure.launch);
	out->measure.metrics = get_texts(r, json, "metrics", WIRE_METRICS_MAX, &out->measure.n_metrics);
	out->measure.return_buffers = get_bool(r, json, "buffers");
}

static enum wire_error_code get_code(struct reader *r, const json_t *json, const char *name)
{
	const char *code = get_text(r, json, name);
	enum wire_error_code found = wire_error_find(code);
	if (found != WIRE_ERRORS)
		return found;
	FAULT(r, "\"%s\" is \"%.40s\", which is no error code", name, code);
	return WIRE_INTERNAL;
}

static void get_gpu(struct reader *r, const json_t *json, struct wire_gpu *out)
{
	out->name = get_text(r, json, "name");
	out->chip = get_text(r, json, "chip");
	out->uuid = get_text(r, json, "uuid");
	out->cc = (int)get_int(r, json, "cc", 0, 9999);
	out->sms = (int)get_int(r, json, "sms", 0, 1 << 20);
	out->driver_cuda = (int)get_int(r, json, "driver_cuda", 0, INT_MAX);
	out->driver = get_text(r, json, "driver");
	out->cupti = (int)get_int(r, json, "cupti", 0, INT_MAX);
	out->cupti_version = get_text(r, json, "cupti_version");
	out->counters = get_bool(r, json, "counters");
	out->counters_message = "";
	if (out->counters)
		return;
	out->counters_error = get_code(r, json, "counters_error");
	out->counters_message = get_text(r, json, "counters_message");
}

static void get_buffers(struct reader *r, const json_t *json, struct wire_measurement *out)
{
	const json_t *array = get_array(r, json, "buffers", LAUNCH_ARGS_MAX);
	out->n_buffers = (int)json_array_size(array);
	out->buffers = arena_array(r->arena, const void *, (size_t)out->n_buffers + 1);
	out->buffer_bytes = arena_array(r->arena, size_t, (size_t)out->n_buffers + 1);
	size_t *sizes = arena_array(r->arena, size_t, (size_t)out->n_buffers + 1);
	for (int i = 0; i < out->n_buffers; i++) {
		const json_t *value = json_array_get(array, (size_t)i);
		void *bytes = NULL;
		if (json_is_null(value))
			continue;
		if (!json_is_string(value) || !base64_decode(r->arena, json_string_value(value),
				json_string_length(value), &bytes, &sizes[i]))
			FAULT(r, "member %d of \"buffers\" must be null or base64", i);
		out->buffers[i] = bytes;
	}
	out->buffer_bytes = sizes;
}

static void get_measurement(struct reader *r, const json_t *json, struct wire_measurement *out)
{
	const json_t *array = get_array(r, json, "metrics", WIRE_METRICS_MAX);
	out->n = (int)json_array_size(array);
	const char **names = arena_array(r->arena, const char *, (size_t)out->n + 1);
	double *values = arena_array(r->arena, double, (size_t)out->n + 1);
	bool *available = arena_array(r->arena, bool, (size_t)out->n + 1);
	for (int i = 0; i < out->n; i++) {
		const json_t *row = json_array_get(array, (size_t)i), *value = json_object_get(row, "value");
		names[i] = get_text(r, row, "name");
		available[i] = !json_is_null(value);
		if (available[i] && !number(value, &values[i]))
			FAULT(r, "\"value\" of metric %d must be a number, null, \"nan\", \"inf\" or \"-inf\"", i);
	}
	out->metrics = names;
	out->values = values;
	out->available = available;
	out->passes = (int)get_int(r, json, "passes", 0, INT_MAX);
	if (!number(json_object_get(json, "ms"), &out->worker_ms))
		FAULT(r, "\"ms\" must be a number");
	if (json_object_get(json, "registers"))
		out->registers = (int)get_int(r, json, "registers", 1, INT_MAX);
	get_buffers(r, json, out);
}

static void get_members(struct reader *r, const json_t *json, struct wire_message *out)
{
	switch (out->kind) {
	case WIRE_HELLO:
		/* of a hello of another protocol nothing else can be relied on */
		out->hello.protocol = (int)get_int(r, json, "protocol", 0, INT_MAX);
		out->hello.version = json_object_get(json, "version") || out->hello.protocol == WIRE_PROTOCOL
			? get_text(r, json, "version") : "";
		break;
	case WIRE_MEASURE:
		get_measure(r, json, out);
		break;
	case WIRE_PROGRESS:
		out->progress.pass = (int)get_int(r, json, "pass", 0, INT_MAX);
		out->progress.passes = (int)get_int(r, json, "passes", 0, INT_MAX);
		if (json_object_get(json, "waiting"))
			out->progress.waiting = (int)get_int(r, json, "waiting", 0, INT_MAX);
		break;
	case WIRE_RESULT_PROBE:
		get_gpu(r, json, &out->gpu);
		break;
	case WIRE_RESULT_MEASURE:
		get_measurement(r, json, &out->measurement);
		break;
	case WIRE_ERROR_REPLY:
		out->error.code = get_code(r, json, "code");
		out->error.message = get_text(r, json, "message");
		break;
	case WIRE_PROBE:
	case WIRE_QUIT:
		break;
	}
}

static int find_kind(const char *type)
{
	for (int i = 0; i < wire_kind_count; i++)
		if (!strcmp(wire_kinds[i].type, type))
			return i;
	return -1;
}

static void read_message(struct reader *r, const json_t *json, struct wire_message *out)
{
	const char *type = json_string_value(json_object_get(json, "type"));
	if (!type) {
		FAULT(r, "a message must be a JSON object with a string \"type\"");
		return;
	}
	int kind = find_kind(type);
	if (kind < 0) {
		FAULT(r, "\"%.40s\" is no type of message", type);
		return;
	}
	out->kind = (enum wire_kind)kind;
	r->type = wire_kinds[kind].type;
	if (wire_kinds[kind].id || json_object_get(json, "id"))
		out->id = get_int(r, json, "id", wire_kinds[kind].id ? 1 : 0, INT64_MAX);
	get_members(r, json, out);
}

bool wire_read(struct arena *arena, const char *line, size_t len, struct wire_message *out, struct diag *diag)
{
	struct reader r = {arena, diag, "message"};
	size_t before = diag->errors;
	memset(out, 0, sizeof *out);
	if (len > WIRE_LINE_MAX) {
		FAULT(&r, "a line of %zu bytes is longer than the %zu allowed", len, WIRE_LINE_MAX);
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
