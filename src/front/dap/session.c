/* What the client asks for, from its first message to its last. */
#include <stdlib.h>
#include <string.h>

#include "front/dap/private.h"

struct dap *dap_new(void)
{
	struct dap *dap = base_calloc(1, sizeof *dap);
	dap->held = json_array();
	return dap;
}

void dap_free(struct dap *dap)
{
	if (!dap)
		return;
	json_decref(dap->launch);
	json_decref(dap->held);
	dap_objects_forget(dap);
	free(dap->objects.paths);
	buf_free(&dap->in);
	buf_free(&dap->out);
	free((char *)dap->with.name);
	free((char *)dap->with.path);
	free((char *)dap->with.where);
	free(dap);
}

struct buf *dap_out(struct dap *dap)
{
	return &dap->out;
}

bool dap_over(const struct dap *dap)
{
	return dap->state == DAP_OVER;
}

void dap_output(struct dap *dap, const char *category, const char *text, size_t len)
{
	struct buf all = {0};
	buf_append(&all, text, len);
	dap_event(dap, "output", json_pack("{s:s, s:o}", "category", category, "output", dap_string_of(&all)));
	buf_free(&all);
}

/* --- beginning ---------------------------------------------------------------------------------------------------- */

static void initialize(struct dap *dap, const json_t *request)
{
	static const char *const can[] = {"supportsConfigurationDoneRequest", "supportsStepBack",
		"supportsSteppingGranularity", "supportsInstructionBreakpoints", "supportsConditionalBreakpoints",
		"supportsEvaluateForHovers", "supportsExceptionInfoRequest", "supportsTerminateRequest",
		"supportsRestartRequest", "supportsReadMemoryRequest", "supportsDisassembleRequest",
		"supportsHitConditionalBreakpoints", "supportsLogPoints", "supportsSetVariable",
		"supportsSetExpression"};
	json_t *body = json_object();
	for (size_t i = 0; i < sizeof can / sizeof *can; i++)
		json_object_set_new(body, can[i], json_true());
	json_object_set_new(body, "exceptionBreakpointFilters", dap_exception_filters());
	dap->from_0 = !dap_flag(dap_arguments(request), "linesStartAt1", true);
	dap->columns_from_0 = !dap_flag(dap_arguments(request), "columnsStartAt1", true);
	dap->invalidates = dap_flag(dap_arguments(request), "supportsInvalidatedEvent", false);
	dap->state = DAP_INITIALIZED;
	dap_answer(dap, request, body);
}

static void launch(struct dap *dap, const json_t *request)
{
	json_decref(dap->launch); /* of one that could not be */
	dap->launch = json_deep_copy(request);
	dap->stop_on_entry = dap_flag(dap_arguments(request), "stopOnEntry", true);
	dap->state = DAP_LAUNCHING;
}

const json_t *dap_wants_launch(const struct dap *dap)
{
	static json_t *none;
	if (dap->state != DAP_LAUNCHING)
		return NULL;
	const json_t *arguments = dap_arguments(dap->launch);
	if (!none)
		none = json_object();
	return json_is_object(arguments) ? arguments : none;
}

static void take_held(struct dap *dap)
{
	json_t *held = dap->held;
	size_t i;
	json_t *request;
	dap->held = json_array();
	json_array_foreach(held, i, request) dap_request(dap, request);
	json_decref(held);
}

void dap_launched(struct dap *dap, const struct dap_launched *with)
{
	dap->with = (struct dap_launched){.debug = with->debug,
		.name = base_strdup(with->name),
		.path = with->path ? base_strdup(with->path) : NULL,
		.where = base_strdup(with->where)};
	dap->state = DAP_CONFIGURING;
	dap_answer(dap, dap->launch, NULL);
	dap_event(dap, "initialized", NULL);
	if (*with->where) {
		struct buf text = {0};
		buf_printf(&text, "%s\n", with->where);
		dap_output(dap, "console", text.data, text.len);
		buf_free(&text);
	}
	take_held(dap);
}

void dap_failed(struct dap *dap, const char *message)
{
	dap->state = DAP_INITIALIZED;
	dap_refuse(dap, dap->launch, message);
	dap_event(dap, "terminated", NULL);
	take_held(dap);
}

/* --- running and stopping ----------------------------------------------------------------------------------------- */

static void flush_output(struct dap *dap)
{
	struct debug *debug = dap->with.debug;
	if (debug->said.printed.len)
		dap_output(dap, "stdout", debug->said.printed.data, debug->said.printed.len);
	if (debug->said.output.len)
		dap_output(dap, "console", debug->said.output.data, debug->said.output.len);
	buf_clear(&debug->said.printed);
	buf_clear(&debug->said.output);
}

/* Without the keys of the debugger's own screen. */
static const char *description_of(const struct dap *dap)
{
	const struct debug *debug = dap->with.debug;
	if (debug->ended && debug->result.outcome == SIMT_OK)
		return "The kernel ran to its end. It can be stepped back from here; to continue ends the session.";
	return debug->step == 0 && !debug->ended ? "Before the first instruction." : debug->said.notice;
}

static void say_stopped(struct dap *dap)
{
	static const char *const words[] = {[DAP_WHY_ENTRY] = "entry",
		[DAP_WHY_STEP] = "step",
		[DAP_WHY_GOES] = "pause",
		[DAP_WHY_PAUSE] = "pause",
		[DAP_WHY_COMMAND] = "goto"};
	const struct debug *debug = dap->with.debug;
	int number = debug_stopped_by(debug);
	bool failed = debug->ended && debug->result.outcome != SIMT_OK;
	const char *reason = failed ? "exception" : number ? "breakpoint" : words[dap->why];
	flush_output(dap);
	dap->state = DAP_STOPPED;
	json_t *body = json_pack(
		"{s:s, s:I, s:b}", "reason", reason, "threadId", dap_thread(debug), "allThreadsStopped", 1);
	if (*description_of(dap)) {
		json_object_set_new(body, "description", dap_string(description_of(dap)));
		json_object_set_new(body, "text", dap_string(description_of(dap)));
	}
	if (number)
		json_object_set_new(body, "hitBreakpointIds", json_pack("[i]", number));
	dap_event(dap, "stopped", body);
}

static void go(struct dap *dap, enum dap_why why)
{
	dap->why = why;
	dap->state = DAP_RUNNING;
	dap_objects_forget(dap);
	if (!debug_busy(dap->with.debug))
		say_stopped(dap);
}

bool dap_busy(const struct dap *dap)
{
	return dap->state == DAP_RUNNING;
}

void dap_work(struct dap *dap)
{
	if (dap->state != DAP_RUNNING)
		return;
	debug_work(dap->with.debug);
	if (!debug_busy(dap->with.debug))
		say_stopped(dap);
	else if (dap->with.debug->said.printed.len)
		flush_output(dap);
}

static void terminate(struct dap *dap)
{
	const struct debug *debug = dap->with.debug;
	bool failed = debug && debug->ended && debug->result.outcome != SIMT_OK;
	dap_event(dap, "exited", json_pack("{s:i}", "exitCode", failed ? 1 : 0));
	dap_event(dap, "terminated", NULL);
}

/* Of stepIn, into what a line calls, an instruction is the least there is. */
static const struct {
	const char *command;
	enum debug_action by_line, by_instruction;
	enum dap_why why;
} moves[] = {
	{"continue", DEBUG_ACT_CONTINUE, DEBUG_ACT_CONTINUE, DAP_WHY_GOES},
	{"reverseContinue", DEBUG_ACT_BACK_CONTINUE, DEBUG_ACT_BACK_CONTINUE, DAP_WHY_GOES},
	{"next", DEBUG_ACT_NEXT, DEBUG_ACT_STEP, DAP_WHY_STEP},
	{"stepIn", DEBUG_ACT_STEP, DEBUG_ACT_STEP, DAP_WHY_STEP},
	{"stepOut", DEBUG_ACT_FINISH, DEBUG_ACT_FINISH, DAP_WHY_STEP},
	{"stepBack", DEBUG_ACT_BACK_NEXT, DEBUG_ACT_BACK_STEP, DAP_WHY_STEP},
};

static void move(struct dap *dap, const json_t *request)
{
	const char *name = dap_word(request, "command");
	const char *granularity = dap_word(dap_arguments(request), "granularity");
	size_t i = 0;
	while (i + 1 < sizeof moves / sizeof *moves && strcmp(moves[i].command, name) != 0)
		i++;
	bool by_instruction = granularity && strcmp(granularity, "instruction") == 0;
	enum debug_action action = by_instruction ? moves[i].by_instruction : moves[i].by_line;
	enum dap_why why = moves[i].why;
	if (dap->state != DAP_STOPPED) {
		dap_refuse(dap, request, "the kernel is running");
		return;
	}
	if (!dap_follow(dap, dap_number(dap_arguments(request), "threadId", dap_thread(dap->with.debug)))) {
		dap_refuse(dap, request, "there is no such warp");
		return;
	}
	dap_answer(dap, request, why == DAP_WHY_GOES ? json_pack("{s:b}", "allThreadsContinued", 1) : NULL);

	/* The kernel ran to its end before, and is to go on: that is the end of it. */
	const struct debug *debug = dap->with.debug;
	bool on = action == DEBUG_ACT_CONTINUE || action == DEBUG_ACT_NEXT || action == DEBUG_ACT_STEP ||
		action == DEBUG_ACT_FINISH;
	if (on && debug->ended && debug->result.outcome == SIMT_OK) {
		terminate(dap);
		return;
	}
	debug_act(dap->with.debug, action);
	go(dap, why);
}

static void restart(struct dap *dap, const json_t *request)
{
	dap_answer(dap, request, NULL);
	debug_cancel(dap->with.debug);
	debug_act(dap->with.debug, DEBUG_ACT_RESTART);
	go(dap, DAP_WHY_ENTRY);
}

static void pause_kernel(struct dap *dap, const json_t *request)
{
	bool runs = dap->state == DAP_RUNNING;
	dap_answer(dap, request, NULL);
	if (!runs)
		return;
	debug_cancel(dap->with.debug);
	dap->why = DAP_WHY_PAUSE;
	say_stopped(dap);
}

static void configuration_done(struct dap *dap, const json_t *request)
{
	dap_answer(dap, request, NULL);
	if (dap->state != DAP_CONFIGURING)
		return;
	if (dap->with.debug->ended || dap->stop_on_entry) {
		dap->why = DAP_WHY_ENTRY;
		say_stopped(dap);
		return;
	}
	debug_act(dap->with.debug, DEBUG_ACT_CONTINUE);
	go(dap, DAP_WHY_GOES);
}

/* --- the debugger's own commands ---------------------------------------------------------------------------------- */

static bool command(struct dap *dap, const char *text, struct diag *diag)
{
	struct diag_pos at = {.file = "expression", .line = 1, .text = text, .text_len = strlen(text)};
	return debug_command(dap->with.debug, text, at, diag);
}

/* An expression; or, typed, a command of the prompt's language, which may begin with a colon so that it is none. One
 * that runs the kernel does so afterwards. */
static void evaluate(struct dap *dap, const json_t *request)
{
	const char *text = dap_word(dap_arguments(request), "expression");
	const char *context = dap_word(dap_arguments(request), "context");
	bool typed = context && strcmp(context, "repl") == 0, colon = typed && text && *text == ':';
	struct debug *debug = dap->with.debug;
	struct diag diag = {0}, other = {0};
	struct buf said = {0};
	uint64_t step = debug->step, followed = debug->followed;
	if (!text || dap->state != DAP_STOPPED) {
		dap_refuse(dap, request, text ? "the kernel is running" : "there is no expression");
		return;
	}
	flush_output(dap);
	json_t *body = colon ? NULL : dap_evaluate(dap, text, &diag);
	bool ok = body || (typed && command(dap, text + colon, &other));
	buf_append(&said, debug->said.output.data, debug->said.output.len);
	buf_clear(&debug->said.output);
	if (ok && !said.len && debug->said.notice[0])
		buf_puts(&said, debug->said.notice);
	while (said.len && said.data[said.len - 1] == '\n')
		said.data[--said.len] = '\0';
	const struct diag *wrong = typed && other.count ? &other : &diag;
	if (ok)
		dap_answer(dap, request,
			body ? body : json_pack("{s:o, s:i}", "result", dap_string_of(&said), "variablesReference", 0));
	else
		dap_refuse(dap, request, wrong->count ? wrong->entries[0].message : "it cannot be");
	if (ok && !body && (debug_busy(debug) || debug->step != step || debug->followed != followed))
		go(dap, DAP_WHY_COMMAND);
	if (ok && debug->quit)
		terminate(dap);
	diag_free(&diag);
	diag_free(&other);
	buf_free(&said);
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static void end_kernel(struct dap *dap, const json_t *request)
{
	dap_answer(dap, request, NULL);
	if (dap->with.debug)
		debug_cancel(dap->with.debug);
	dap->state = dap->state == DAP_RUNNING ? DAP_STOPPED : dap->state;
	terminate(dap);
}

static void disconnect(struct dap *dap, const json_t *request)
{
	dap_answer(dap, request, NULL);
	dap->state = DAP_OVER;
}

/* --- which there are ---------------------------------------------------------------------------------------------- */

/* Bits of states in which they make sense. */
#define BEFORE (1u << DAP_NEW)
#define KNOWN (1u << DAP_INITIALIZED)
#define THERE (1u << DAP_CONFIGURING | 1u << DAP_STOPPED | 1u << DAP_RUNNING)
#define HALTED (1u << DAP_CONFIGURING | 1u << DAP_STOPPED)
#define ALWAYS (~0u)

static const struct {
	const char *command;
	unsigned states;
	void (*take)(struct dap *dap, const json_t *request);
} requests[] = {
	{"initialize", BEFORE, initialize},
	{"launch", KNOWN, launch},
	{"setBreakpoints", THERE, dap_set_breakpoints},
	{"setInstructionBreakpoints", THERE, dap_set_instructions},
	{"setExceptionBreakpoints", THERE, dap_set_exceptions},
	{"configurationDone", THERE, configuration_done},
	{"threads", THERE, dap_threads},
	{"stackTrace", HALTED, dap_stack},
	{"scopes", HALTED, dap_scopes},
	{"variables", HALTED, dap_variables},
	{"source", THERE, dap_source},
	{"readMemory", HALTED, dap_memory},
	{"disassemble", THERE, dap_disassemble},
	{"exceptionInfo", HALTED, dap_exception},
	{"evaluate", HALTED, evaluate},
	{"setVariable", HALTED, dap_set_variable},
	{"setExpression", HALTED, dap_set_expression},
	{"continue", HALTED, move},
	{"reverseContinue", HALTED, move},
	{"next", HALTED, move},
	{"stepIn", HALTED, move},
	{"stepOut", HALTED, move},
	{"stepBack", HALTED, move},
	{"pause", THERE, pause_kernel},
	{"restart", THERE, restart},
	{"terminate", ALWAYS, end_kernel},
	{"disconnect", ALWAYS, disconnect},
};

void dap_request(struct dap *dap, const json_t *request)
{
	const char *name = dap_word(request, "command");
	struct buf text = {0};
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
		if (strcmp(requests[i].command, name) != 0)
			continue;
		if (requests[i].states >> dap->state & 1)
			requests[i].take(dap, request);
		else
			dap_refuse(dap, request,
				dap->state == DAP_RUNNING ? "the kernel is running" : "it is not the time for that");
		return;
	}
	buf_printf(&text, "simttutor does not know this request: %.100s", name);
	dap_refuse(dap, request, buf_str(&text));
	buf_free(&text);
}
