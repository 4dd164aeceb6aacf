#include <limits.h>
#include <string.h>

#include "gpu/wire/kinds.h"

void wire_put_compile(const struct wire_message *m, json_t *json)
{
	const struct wire_compile *c = &m->compile;
	json_t *headers = json_array();
	for (int i = 0; i < c->n_headers; i++)
		json_array_append_new(headers,
			json_pack("{s:o, s:o}", "file", wire_text(c->headers[i].file), "text",
				wire_text(c->headers[i].text)));
	json_object_set_new(json, "file", wire_text(c->file));
	json_object_set_new(json, "source", wire_text(c->source));
	json_object_set_new(json, "headers", headers);
	json_object_set_new(json, "defines", wire_texts(c->defines, c->n_defines));
	if (c->cc)
		json_object_set_new(json, "cc", json_integer(c->cc));
}

void wire_get_compile(struct wire_reader *r, const json_t *json, struct wire_message *out)
{
	struct wire_compile *c = &out->compile;
	const json_t *headers = wire_get_array(r, json, "headers", WIRE_HEADERS_MAX);
	c->file = wire_get_text(r, json, "file");
	c->source = wire_get_text(r, json, "source");
	c->n_headers = (int)json_array_size(headers);
	struct wire_header *list = arena_array(r->arena, struct wire_header, (size_t)c->n_headers + 1);
	for (int i = 0; i < c->n_headers; i++) {
		const json_t *header = json_array_get(headers, (size_t)i);
		list[i] = (struct wire_header){wire_get_text(r, header, "file"), wire_get_text(r, header, "text")};
	}
	c->headers = list;
	c->defines = wire_get_texts(r, json, "defines", WIRE_DEFINES_MAX, &c->n_defines);
	if (json_object_get(json, "cc"))
		c->cc = (int)wire_get_int(r, json, "cc", 10, 9999);
}

void wire_put_compiled(const struct wire_message *m, json_t *json)
{
	const struct wire_compiled *c = &m->compiled;
	json_object_set_new(json, "ptx", c->ptx ? wire_textn(c->ptx, c->ptx_len) : json_null());
	json_object_set_new(json, "log", wire_text(c->log));
	json_object_set_new(json, "compiler", wire_text(c->compiler));
	json_object_set_new(json, "cc", json_integer(c->cc));
	json_object_set_new(json, "ms", wire_number(c->worker_ms));
}

void wire_get_compiled(struct wire_reader *r, const json_t *json, struct wire_message *out)
{
	struct wire_compiled *c = &out->compiled;
	if (!json_is_null(json_object_get(json, "ptx"))) {
		c->ptx = wire_get_text(r, json, "ptx");
		c->ptx_len = strlen(c->ptx);
	}
	c->log = wire_get_text(r, json, "log");
	c->compiler = wire_get_text(r, json, "compiler");
	c->cc = (int)wire_get_int(r, json, "cc", 10, 9999);
	c->worker_ms = wire_get_number(r, json, "ms");
}
