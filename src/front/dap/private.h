/* front/dap/private.h: what the files of dap/ share. */
#pragma once
#include "front/dap/dap.h"

#define DAP_SOURCE 1 /* references of texts: of the source, of the PTX */
#define DAP_PTX 2

#define DAP_FRAMES_MAX 16
#define DAP_LISTED_MAX 1000 /* variables of one answer, and instructions */

/* References of variables: scopes, a register's lanes, and what expressions of the source name, by their number in
 * dap.objects. */
enum {
	DAP_SCOPE_USED = 1,
	DAP_SCOPE_ALL,
	DAP_SCOPE_PARAMETERS,
	DAP_SCOPE_SHARED,
	DAP_SCOPE_WARP,
	DAP_SCOPE_REGISTER,
	DAP_SCOPE_LOCAL = 1 << 28,
	DAP_SCOPE_VARIABLES,
	DAP_SCOPE_OBJECT = 1 << 29
};

enum dap_state { DAP_NEW, DAP_INITIALIZED, DAP_LAUNCHING, DAP_CONFIGURING, DAP_STOPPED, DAP_RUNNING, DAP_OVER };

/* Why the debugger runs, which says why it stopped. */
enum dap_why { DAP_WHY_ENTRY, DAP_WHY_STEP, DAP_WHY_GOES, DAP_WHY_PAUSE, DAP_WHY_COMMAND };

struct dap {
	enum dap_state state;
	struct buf in, out;
	json_int_t seq;
	json_t *launch; /* the request */
	json_t *held;   /* requests that came while it was being answered */
	struct dap_launched with;
	bool from_0, columns_from_0; /* lines of the client */
	bool stop_on_entry, has_run;
	enum dap_why why;
	struct {
		char **paths; /* of what is shown of the source, until the kernel goes on */
		size_t n, cap;
	} objects;
	bool invalidates; /* the client wants to know that values have changed */
};

/* messages.c */
void dap_send(struct dap *dap, json_t *message);                       /* releases it */
void dap_event(struct dap *dap, const char *event, json_t *body);      /* likewise; NULL: no body */
void dap_answer(struct dap *dap, const json_t *request, json_t *body); /* likewise */
void dap_refuse(struct dap *dap, const json_t *request, const char *text);
json_t *dap_string(const char *text); /* of any bytes */
json_t *dap_string_of(const struct buf *text);

/* Members of a request's arguments: of the wrong type, or missing, they are what is said. */
const json_t *dap_arguments(const json_t *request);
const char *dap_word(const json_t *arguments, const char *name); /* NULL */
json_int_t dap_number(const json_t *arguments, const char *name, json_int_t otherwise);
bool dap_flag(const json_t *arguments, const char *name, bool otherwise);

/* A request that came whole. */
void dap_request(struct dap *dap, const json_t *request);

/* objects.c: what expressions of the source name. Their references end when the kernel goes on. */
json_t *dap_objects(struct dap *dap);
json_t *dap_object_parts(
	struct dap *dap, json_int_t reference, json_int_t first, json_int_t count); /* NULL: there are none */
void dap_objects_forget(struct dap *dap);

/* The body of an answer to `evaluate`; NULL: the text is no expression, and the error says why. */
json_t *dap_evaluate(struct dap *dap, const char *text, struct diag *diag);
void dap_set_variable(struct dap *dap, const json_t *request);
void dap_set_expression(struct dap *dap, const json_t *request);

/* variables.c */
json_t *dap_variable(const char *name, const struct buf *value, const char *type, json_int_t reference);
int dap_first_lane(const struct debug *debug);

/* show.c: a part of a list, which is released; count 0: all from there on. */
json_t *dap_part_of(json_t *all, json_int_t first, json_int_t count);

/* show.c, variables.c: what is to be seen; each answers its request. */
void dap_threads(struct dap *dap, const json_t *request);
void dap_stack(struct dap *dap, const json_t *request);
void dap_scopes(struct dap *dap, const json_t *request);
void dap_variables(struct dap *dap, const json_t *request);
void dap_source(struct dap *dap, const json_t *request);
void dap_memory(struct dap *dap, const json_t *request);
void dap_disassemble(struct dap *dap, const json_t *request);
void dap_exception(struct dap *dap, const json_t *request);

/* Follows the warp that a thread is; false: there is none. */
bool dap_follow(struct dap *dap, json_int_t thread);
json_int_t dap_thread(const struct debug *debug);

/* The instruction at an address and so many after it; -1: there is none. */
int dap_instruction(const struct dap *dap, const char *address, json_int_t offset);

/* breaks.c */
void dap_set_breakpoints(struct dap *dap, const json_t *request);
void dap_set_instructions(struct dap *dap, const json_t *request);
void dap_set_exceptions(struct dap *dap, const json_t *request);
json_t *dap_exception_filters(void);
