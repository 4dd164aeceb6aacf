#include "config.h"
#include "course/experiment/recordings.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX_BYTES 200

static const char *get_word(struct arena *arena, const json_t *json, const char *name)
{
	const char *text = json_string_value(json_object_get(json, name));
	return text ? arena_strndup(arena, text, strnlen(text, TEXT_MAX_BYTES)) : "";
}

/* Which of a list a member is; 0, which stands for none in each of them, where it is not there. -1: it is another. */
static int get_named(const json_t *json, const char *name, const char *const *names, int n)
{
	const json_t *value = json_object_get(json, name);
	const char *text = json_string_value(value);
	int i = 0;
	if (!value)
		return 0;
	while (i < n && (!text || strcmp(names[i], text) != 0))
		i++;
	return i < n ? i : -1;
}

static int get_index(const json_t *json, const char *name)
{
	const json_t *value = json_object_get(json, name);
	json_int_t v = json_is_integer(value) ? json_integer_value(value) : -1;
	return v >= 0 && v < HOSTLOG_OPS_MAX ? (int)v : -1;
}

struct hostlog *experiment_hostlog_read(struct arena *arena, const json_t *json, const char **why)
{
	const json_t *streams = json_object_get(json, "streams"), *ops = json_object_get(json, "operations");
	json_int_t left_out = json_integer_value(json_object_get(json, "operations_left_out"));
	size_t n = json_array_size(ops), n_streams = json_array_size(streams);
	*why = "\"streams\" and \"operations\" must be arrays of what a program asked for";
	if (!json_is_array(streams) || !json_is_array(ops) || n > HOSTLOG_OPS_MAX || n_streams > HOSTLOG_STREAMS_MAX ||
		left_out < 0)
		return NULL;
	struct hostlog *log = arena_alloc(arena, sizeof *log);
	*log = (struct hostlog){.ops = arena_array(arena, struct hostlog_op, n + 1),
		.streams = arena_array(arena, struct hostlog_stream, n_streams + 1),
		.left_out = (uint64_t)left_out};
	for (; (size_t)log->n_streams < n_streams; log->n_streams++) {
		const json_t *stream_json = json_array_get(streams, (size_t)log->n_streams);
		struct hostlog_stream *out = &log->streams[log->n_streams];
		int kind = get_named(stream_json, "kind", hostlog_stream_names, HOSTLOG_STREAM_KINDS);
		json_int_t number = json_integer_value(json_object_get(stream_json, "number"));
		if (kind < 0 || number < 0 || number > INT32_MAX)
			return NULL;
		*out = (struct hostlog_stream){(enum hostlog_stream_kind)kind, (int)number,
			json_is_true(json_object_get(stream_json, "blocking"))};
	}
	for (; (size_t)log->n_ops < n; log->n_ops++) {
		const json_t *operation_json = json_array_get(ops, (size_t)log->n_ops);
		struct hostlog_op *out = &log->ops[log->n_ops];
		int kind = (int)hostlog_kind_find(get_word(arena, operation_json, "kind"));
		int memory = get_named(operation_json, "memory", hostlog_memory_names, HOSTLOG_MEMORIES);
		int direction = get_named(operation_json, "direction", hostlog_direction_names, HOSTLOG_DIRECTIONS);
		json_int_t line = json_integer_value(json_object_get(operation_json, "line")),
			   bytes = json_integer_value(json_object_get(operation_json, "bytes"));
		if (kind == HOSTLOG_KINDS || memory < 0 || direction < 0 || line < 0 || line > INT32_MAX || bytes < 0)
			return NULL;
		*out = (struct hostlog_op){.kind = (enum hostlog_kind)kind,
			.stream = get_index(operation_json, "stream"),
			.call = get_word(arena, operation_json, "call"),
			.name = get_word(arena, operation_json, "kernel"),
			.file = line ? get_word(arena, operation_json, "file") : NULL,
			.line = (int)line,
			.bytes = (uint64_t)bytes,
			.memory = (enum hostlog_memory)memory,
			.direction = (enum hostlog_direction)direction,
			.of = get_index(operation_json, "of"),
			.to = get_index(operation_json, "to"),
			.from = get_index(operation_json, "from"),
			.graph = get_index(operation_json, "graph"),
			.blocks = json_is_true(json_object_get(operation_json, "blocks")),
			.ms = json_number_value(json_object_get(operation_json, "model_ms")),
			.share = json_number_value(json_object_get(operation_json, "device_share"))};
	}
	*why = "its \"operations\" do not fit together";
	if (!hostlog_is_sound(log))
		return NULL;
	hostlog_schedule(log);
	return log;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void put_member(json_t *json, const char *name, const char *text)
{
	if (text && *text)
		json_object_set_new(json, name, json_string(text));
}

static void put_index(json_t *json, const char *name, int64_t index)
{
	if (index >= 0)
		json_object_set_new(json, name, json_integer(index));
}

static json_t *operation_json(const struct hostlog_op *op)
{
	json_t *json = json_object();
	put_member(json, "kind", hostlog_kind_names[op->kind]);
	put_member(json, "call", op->call);
	put_member(json, "kernel", op->name);
	put_member(json, "file", op->file);
	put_index(json, "line", op->line ? op->line : -1);
	put_index(json, "stream", op->stream);
	put_index(json, "of", op->of);
	put_index(json, "to", op->to);
	put_index(json, "from", op->from);
	put_index(json, "graph", op->graph);
	put_index(json, "bytes", op->bytes ? (int64_t)op->bytes : -1);
	put_member(json, "memory", hostlog_memory_names[op->memory]);
	put_member(json, "direction", hostlog_direction_names[op->direction]);
	if (op->blocks)
		json_object_set_new(json, "blocks", json_true());
	if (op->kind == HOSTLOG_LAUNCH) {
		json_object_set_new(json, "model_ms", json_real(op->ms));
		json_object_set_new(json, "device_share", json_real(op->share));
	}
	return json;
}

static void put_line(json_t *json, const char *indent, bool first, struct buf *out)
{
	char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(9));
	buf_printf(out, "%s\n%s\t%s", first ? "" : ",", indent, text ? text : "{}");
	free(text);
	json_decref(json);
}

void experiment_hostlog_format(const struct hostlog *log, const char *indent, struct buf *out)
{
	buf_printf(out, "%s\"operations_left_out\": %" PRIu64 ",\n%s\"streams\": [", indent, log->left_out, indent);
	for (int i = 0; i < log->n_streams; i++)
		put_line(json_pack("{s:s, s:i, s:b}", "kind", hostlog_stream_names[log->streams[i].kind], "number",
				 log->streams[i].number, "blocking", log->streams[i].blocking),
			indent, i == 0, out);
	buf_printf(out, "],\n%s\"operations\": [", indent);
	for (int i = 0; i < log->n_ops; i++)
		put_line(operation_json(&log->ops[i]), indent, i == 0, out);
	buf_puts(out, "]");
}
