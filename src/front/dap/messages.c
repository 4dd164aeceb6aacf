/* Messages: how they are found in bytes, and written. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "front/dap/private.h"

#define NUMBER_MAX ((json_int_t)1 << 53) /* of JSON, so that sums of them are numbers, too */

/* --- writing ------------------------------------------------------------------------------------------------------ */

void dap_send(struct dap *dap, json_t *message)
{
	json_object_set_new(message, "seq", json_integer(++dap->seq));
	char *text = json_dumps(message, JSON_COMPACT);
	json_decref(message);
	if (!text)
		return;
	buf_printf(&dap->out, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
	free(text);
}

void dap_event(struct dap *dap, const char *event, json_t *body)
{
	json_t *message = json_pack("{s:s, s:s}", "type", "event", "event", event);
	if (body)
		json_object_set_new(message, "body", body);
	dap_send(dap, message);
}

static json_t *response(const json_t *request, bool success)
{
	json_t *message = json_pack("{s:s, s:b}", "type", "response", "success", success);
	json_object_set_new(message, "request_seq", json_integer(dap_number(request, "seq", 0)));
	json_object_set_new(message, "command", dap_string(dap_word(request, "command")));
	return message;
}

void dap_answer(struct dap *dap, const json_t *request, json_t *body)
{
	json_t *message = response(request, true);
	if (body)
		json_object_set_new(message, "body", body);
	dap_send(dap, message);
}

void dap_refuse(struct dap *dap, const json_t *request, const char *text)
{
	json_t *message = response(request, false), *format = dap_string(text);
	json_object_set(message, "message", format);
	json_object_set_new(message, "body",
		json_pack("{s:{s:i, s:s, s:{s:o}, s:b}}", "error", "id", 1, "format", "{text}", "variables", "text",
			format, "showUser", 1));
	dap_send(dap, message);
}

json_t *dap_string(const char *text)
{
	struct buf out = {0};
	buf_puts(&out, text ? text : "");
	json_t *json = dap_string_of(&out);
	buf_free(&out);
	return json;
}

/* What is not UTF-8 is not lost. */
json_t *dap_string_of(const struct buf *text)
{
	struct buf out = {0};
	escape_to_json(buf_str(text), text->len, &out);
	json_t *json = json_stringn(buf_str(&out), out.len);
	buf_free(&out);
	return json ? json : json_string("");
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

const json_t *dap_arguments(const json_t *request)
{
	return json_object_get(request, "arguments");
}

const char *dap_word(const json_t *arguments, const char *name)
{
	return json_string_value(json_object_get(arguments, name));
}

json_int_t dap_number(const json_t *arguments, const char *name, json_int_t otherwise)
{
	const json_t *value = json_object_get(arguments, name);
	json_int_t number = json_is_integer(value) ? json_integer_value(value) : otherwise;
	return number < -NUMBER_MAX || number > NUMBER_MAX ? otherwise : number;
}

bool dap_flag(const json_t *arguments, const char *name, bool otherwise)
{
	const json_t *value = json_object_get(arguments, name);
	return json_is_boolean(value) ? json_is_true(value) : otherwise;
}

/* The length that a header says; SIZE_MAX: none, or too much. Names are those of HTTP: their case does not matter. */
static size_t content_length(const char *at, const char *end)
{
	static const char name[] = "content-length:";
	size_t found = SIZE_MAX;
	while (at < end) {
		const char *line = memchr(at, '\r', (size_t)(end - at));
		const char *stop = line ? line : end;
		if ((size_t)(stop - at) > sizeof name - 1 && strncasecmp(at, name, sizeof name - 1) == 0) {
			char *after;
			const char *digits = at + sizeof name - 1;
			digits += strspn(digits, " \t");
			unsigned long long value = strtoull(digits, &after, 10);
			bool whole = *digits >= '0' && *digits <= '9' && after == stop && after - digits < 10;
			found = whole && value <= DAP_MESSAGE_MAX ? (size_t)value : SIZE_MAX;
		}
		at = stop + (stop < end ? 2 : 0);
	}
	return found;
}

/* The next message in what has come; `*taken` bytes of it are done with. False: there is none yet, or there can be
 * none. */
static bool next_message(struct dap *dap, size_t *taken, bool *broken)
{
	const char *begin = dap->in.data + *taken;
	size_t len = dap->in.len - *taken;
	const char *end = len ? memmem(begin, len, "\r\n\r\n", 4) : NULL;
	*broken = !end && len > DAP_HEADER_MAX;
	if (!end)
		return false;
	size_t length = content_length(begin, end), head = (size_t)(end - begin) + 4;
	*broken = length == SIZE_MAX || head > DAP_HEADER_MAX;
	if (*broken || length > len - head)
		return false;

	json_error_t error;
	json_t *message = json_loadb(end + 4, length, JSON_REJECT_DUPLICATES, &error);
	const char *type = dap_word(message, "type");
	bool is_request = type && strcmp(type, "request") == 0 && dap_word(message, "command");
	if (!is_request)
		; /* answers to what we never ask, and what is none of the protocol's */
	else if (dap->state == DAP_LAUNCHING && json_array_size(dap->held) < 1000)
		json_array_append(dap->held, message);
	else
		dap_request(dap, message);
	json_decref(message);

	*taken += head + length;
	return true;
}

bool dap_take(struct dap *dap, const char *bytes, size_t len)
{
	size_t taken = 0;
	bool broken = false;
	buf_append(&dap->in, bytes, len);
	while (dap->state != DAP_OVER && next_message(dap, &taken, &broken))
		continue;
	if (taken)
		memmove(dap->in.data, dap->in.data + taken, dap->in.len - taken);
	dap->in.len -= taken;
	if (dap->in.data)
		dap->in.data[dap->in.len] = '\0';
	if (broken)
		dap->state = DAP_OVER;
	return !broken;
}
