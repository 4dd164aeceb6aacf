/* wire/kinds.h: one row for each kind of message: its "type" on the wire, whether it carries an id, what answers it, and how
 * its members are written and read. A kind is added by a row in wire.c and two functions. Inside the folder only. */
#pragma once
#include <stdbool.h>

#include <jansson.h>

#include "wire/wire.h"

/* Reading goes on after a fault with a harmless value, so that every fault of a line is reported; `diag` remembers. */
struct wire_reader {
	struct arena *arena;
	struct diag *diag;
	const char *type; /* of the message, for messages */
};

struct wire_kind_row {
	const char *type;
	bool id;                                                       /* a positive "id" is required */
	enum wire_kind answer;                                         /* to a request; otherwise the kind itself */
	void (*put)(const struct wire_message *message, json_t *json); /* NULL: no members */
	void (*get)(struct wire_reader *r, const json_t *json, struct wire_message *out); /* likewise */
};
extern const struct wire_kind_row wire_kinds[];
extern const int wire_kind_count;

void wire_put_hello(const struct wire_message *m, json_t *json);
void wire_put_measure(const struct wire_message *m, json_t *json);
void wire_put_compile(const struct wire_message *m, json_t *json);
void wire_put_compiled(const struct wire_message *m, json_t *json);
void wire_put_lines(const struct wire_message *m, json_t *json);
void wire_put_line_counts(const struct wire_message *m, json_t *json);
void wire_put_progress(const struct wire_message *m, json_t *json);
void wire_put_gpu(const struct wire_message *m, json_t *json);
void wire_put_measurement(const struct wire_message *m, json_t *json);
void wire_put_sample(const struct wire_message *m, json_t *json);
void wire_put_samples(const struct wire_message *m, json_t *json);
void wire_put_stamp(const struct wire_message *m, json_t *json);
void wire_put_stamped(const struct wire_message *m, json_t *json);
void wire_put_error(const struct wire_message *m, json_t *json);

void wire_get_hello(struct wire_reader *r, const json_t *json, struct wire_message *out);
void wire_get_measure(struct wire_reader *r, const json_t *json, struct wire_message *out);
void wire_get_compile(struct wire_reader *r, const json_t *json, struct wire_message *out);
void wire_get_compiled(struct wire_reader *r, const json_t *json, struct wire_message *out);
void wire_get_lines(struct wire_reader *r, const json_t *json, struct wire_message *out);
void wire_get_line_counts(struct wire_reader *r, const json_t *json, struct wire_message *m);
void wire_get_progress(struct wire_reader *r, const json_t *json, struct wire_message *out);
void wire_get_gpu(struct wire_reader *r, const json_t *json, struct wire_message *m);
void wire_get_measurement(struct wire_reader *r, const json_t *json, struct wire_message *m);
void wire_get_sample(struct wire_reader *r, const json_t *json, struct wire_message *out);
void wire_get_samples(struct wire_reader *r, const json_t *json, struct wire_message *m);
void wire_get_stamp(struct wire_reader *r, const json_t *json, struct wire_message *out);
void wire_get_stamped(struct wire_reader *r, const json_t *json, struct wire_message *m);
void wire_get_error(struct wire_reader *r, const json_t *json, struct wire_message *out);

/* --- pieces, for the kinds above and those that have a file of their own --------------------------------------------- */

json_t *wire_textn(const char *s, size_t len); /* bytes that are no UTF-8 become U+FFFD */
json_t *wire_text(const char *s);              /* NULL is "" */
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
