/* The request "stamp": a kernel with probes beside the same kernel without; and its answer. */
#include <limits.h>
#include <string.h>

#include "gpu/wire/kinds.h"
#include "gpu/wire/wire.h"

void wire_put_stamp(const struct wire_message *m, json_t *json)
{
	json_object_set_new(json, "plain", wire_textn(m->stamp.plain, m->stamp.plain_len));
	wire_put_job(&m->stamp.job, json);
}

void wire_get_stamp(struct wire_reader *r, const json_t *json, struct wire_message *out)
{
	wire_get_job(r, json, &out->stamp.job);
	out->stamp.plain = wire_get_text(r, json, "plain");
	out->stamp.plain_len = strlen(out->stamp.plain);
	if (!out->stamp.job.launch.n_args)
		WIRE_FAULT(r, "\"args\" lacks the buffer of the probes");
}

void wire_put_stamped(const struct wire_message *m, json_t *json)
{
	const struct wire_stamped *s = &m->stamped;
	json_object_set_new(json, "differs", json_integer(s->differs));
	json_object_set_new(json, "registers", json_integer(s->registers));
	json_object_set_new(json, "plain_registers", json_integer(s->plain_registers));
	json_object_set_new(json, "ms", wire_number(s->worker_ms));
	json_object_set_new(json, "buffer", wire_buffer(s->buffer, s->bytes));
}

void wire_get_stamped(struct wire_reader *r, const json_t *json, struct wire_message *m)
{
	struct wire_stamped *out = &m->stamped;
	const json_t *buffer = json_object_get(json, "buffer");
	void *bytes = NULL;
	out->differs = (int)wire_get_int(r, json, "differs", -1, LAUNCH_ARGS_MAX - 1);
	out->registers = (int)wire_get_int(r, json, "registers", 0, INT_MAX);
	out->plain_registers = (int)wire_get_int(r, json, "plain_registers", 0, INT_MAX);
	out->worker_ms = wire_get_number(r, json, "ms");
	if (!json_is_string(buffer) ||
		!wire_base64_decode(
			r->arena, json_string_value(buffer), json_string_length(buffer), &bytes, &out->bytes))
		WIRE_FAULT(r, "\"buffer\" must be base64");
	out->buffer = bytes;
}
