/* dap/private.h: what the files of dap/ share. */
#pragma once
#include "dap/dap.h"

#define DAP_SOURCE 1 /* references of texts: of the source, of the PTX */
#define DAP_PTX 2

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

/* show.c: what is to be seen; each answers its request. */
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
