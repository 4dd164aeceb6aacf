/* gpu/wire/kinds.h: one row for each kind of message: its "type" on the wire, whether it carries an id, what answers
 * it, and how its members are written and read: a row of messages.def and two functions. Inside the folder only. */
#pragma once
#include <stdbool.h>

#include <jansson.h>

#include "gpu/wire/wire.h"

/* Reading goes on after a fault with a harmless value, so that every fault of a line is reported; `diag` remembers. */
struct wire_reader {
	struct arena *arena;
	struct diag *diag;
	const char *type; /* of the message, for messages */
};

struct wire_kind_row {
	const char *type;
	bool has_id;                                                   /* a positive "id" is required */
	enum wire_kind answer;                                         /* to a request; otherwise the kind itself */
	void (*put)(const struct wire_message *message, json_t *json); /* NULL: no members */
	void (*get)(struct wire_reader *r, const json_t *json, struct wire_message *out); /* likewise */
};
extern const struct wire_kind_row wire_kinds[WIRE_KINDS];

/* The functions of each kind that has members. */
#define WIRE_FUNCTIONS(name)                                                                                           \
	void wire_put_##name(const struct wire_message *m, json_t *json);                                              \
	void wire_get_##name(struct wire_reader *r, const json_t *json, struct wire_message *out);
#define WIRE_REQUEST(ID, name, type, members) WIRE_FUNCTIONS(name)
#define WIRE_REPLY(ID, name, type) WIRE_FUNCTIONS(name)
#define WIRE_MESSAGE(ID, name, type, id, members) WIRE_FUNCTIONS(name)
#include "gpu/wire/messages.def"
#undef WIRE_REQUEST
#undef WIRE_REPLY
#undef WIRE_MESSAGE
#undef WIRE_FUNCTIONS

/* --- pieces, for the kinds above and those that have a file of their own ------------------------------------------ */

json_t *wire_textn(const char *s, size_t len); /* bytes that are no UTF-8 become U+FFFD */
json_t *wire_text(const char *s);              /* NULL is "" */
json_t *wire_texts(const char *const *texts, int n);
json_t *wire_number(double v);
json_t *wire_buffer(const void *bytes, size_t len); /* base64; null for NULL */
void wire_put_job(const struct wire_job *job, json_t *json);

#define WIRE_FAULT(r, ...) diag_error((r)->diag, (struct diag_pos){.file = (r)->type}, __VA_ARGS__)
const char *wire_get_text(struct wire_reader *r, const json_t *json, const char *name);
int64_t wire_get_int(struct wire_reader *r, const json_t *json, const char *name, int64_t least, int64_t most);
bool wire_get_bool(struct wire_reader *r, const json_t *json, const char *name);
double wire_get_number(struct wire_reader *r, const json_t *json, const char *name);
/* An array of at most `most` members; NULL (which has size 0) after a fault. */
const json_t *wire_get_array(struct wire_reader *r, const json_t *json, const char *name, size_t most);
const char **wire_get_texts(struct wire_reader *r, const json_t *json, const char *name, size_t most, int *n);
bool wire_is_number(const json_t *value, double *out);
void wire_get_job(struct wire_reader *r, const json_t *json, struct wire_job *out);
