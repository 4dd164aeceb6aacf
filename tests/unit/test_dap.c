/* The Debug Adapter Protocol. Sessions of tests/dap: lines `C` are what a client sent (tests/dap/README), `S` what it
 * is answered, which SIMTTUTOR_UPDATE_GOLDEN=1 rewrites. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "front/dap/dap.h"
#include "debug_kernels.h"

struct dap_bench {
	struct dap *dap;
	struct opened opened;
	bool is_open;
	struct buf said; /* lines "S ..." */
};

/* --- a client ----------------------------------------------------------------------------------------------------- */

/* What the configuration names, of the kernels of tests/run; its source is beside its PTX. */
static void open_program(struct dap_bench *b)
{
	const json_t *asked = dap_wants_launch(b->dap);
	const char *program = json_string_value(json_object_get(asked, "program"));
	const char *kernel = json_string_value(json_object_get(asked, "kernel"));
	const char *where = json_string_value(json_object_get(asked, "where")); /* as of a whole program */
	char path[200] = "";
	if (!program || !strstr(program, ".ptx")) {
		dap_failed(b->dap, "there is no such program");
		return;
	}
	snprintf(path, sizeof path, "%.*s.cu", (int)(strlen(program) - 4), program);
	const char *name = strrchr(path, '/') + 1;
	bool tile = strcmp(name, "tile.cu") == 0, traffic = strcmp(name, "traffic.cu") == 0;
	b->opened = tile                            ? debug_open("../defects/tile", kernel, ".cu")
		: traffic                           ? debug_open("traffic", "local_array", ".cu")
		: strcmp(name, "variables.cu") == 0 ? debug_open("variables", "variables", ".cu")
						    : debug_open("scan", "scan", ".cu");
	b->is_open = true;
	dap_launched(b->dap,
		&(struct dap_launched){
			.debug = b->opened.debug, .name = name, .path = path, .where = where ? where : ""});
}

/* Messages become lines. */
static void take_said(struct dap_bench *b)
{
	struct buf *out = dap_out(b->dap);
	const char *at = buf_str(out), *end = at + out->len;
	while (at < end) {
		char *body;
		assert_int_equal(strncmp(at, "Content-Length: ", 16), 0);
		size_t len = strtoul(at + 16, &body, 10);
		assert_int_equal(strncmp(body, "\r\n\r\n", 4), 0);
		assert_true(len <= (size_t)(end - body - 4));
		buf_printf(&b->said, "S %.*s\n", (int)len, body + 4);
		at = body + 4 + len;
	}
	buf_clear(out);
}

static bool send_bytes(struct dap_bench *b, const char *bytes, size_t len)
{
	bool ok = dap_take(b->dap, bytes, len);
	if (dap_wants_launch(b->dap))
		open_program(b);
	take_said(b);
	while (dap_busy(b->dap)) {
		dap_work(b->dap);
		take_said(b);
	}
	return ok;
}

static bool send_message(struct dap_bench *b, const char *json, size_t len)
{
	struct buf text = {0};
	buf_printf(&text, "Content-Length: %zu\r\n\r\n%.*s", len, (int)len, json);
	bool ok = send_bytes(b, text.data, text.len);
	buf_free(&text);
	return ok;
}

static bool ask(struct dap_bench *b, const char *json)
{
	buf_clear(&b->said);
	return send_message(b, json, strlen(json));
}

static bool is_said(const struct dap_bench *b, const char *text)
{
	return strstr(buf_str(&b->said), text) != NULL;
}

static struct dap_bench begin_client(void)
{
	return (struct dap_bench){.dap = dap_new()};
}

static void end_client(struct dap_bench *b)
{
	dap_free(b->dap);
	if (b->is_open)
		debug_close(&b->opened);
	buf_free(&b->said);
}

#define INITIALIZE "{\"seq\":1,\"type\":\"request\",\"command\":\"initialize\",\"arguments\":{\"adapterID\":\"x\"}}"
#define LAUNCH "{\"seq\":2,\"type\":\"request\",\"command\":\"launch\",\"arguments\":{\"program\":\"/a/scan.ptx\"}}"
#define REQUEST(command, arguments)                                                                                    \
	"{\"seq\":3,\"type\":\"request\",\"command\":\"" command "\",\"arguments\":{" arguments "}}"

static struct dap_bench stopped_client(void)
{
	struct dap_bench b = begin_client();
	assert_true(ask(&b, INITIALIZE));
	assert_true(ask(&b, LAUNCH));
	assert_true(is_said(&b, "\"event\":\"initialized\""));
	assert_true(ask(&b, REQUEST("configurationDone", "")));
	assert_true(is_said(&b, "\"reason\":\"entry\""));
	return b;
}

/* --- recorded sessions -------------------------------------------------------------------------------------------- */

static void replay_session(const char *name)
{
	struct buf path = {0}, text = {0}, all = {0};
	struct diag diag = {0};
	struct dap_bench b = begin_client();
	buf_printf(&path, "%s/tests/dap/%s.session", debug_top(), name);
	assert_true(file_read(buf_str(&path), 1 << 20, &text, &diag));
	for (const char *at = buf_str(&text); *at;) {
		size_t len = strcspn(at, "\n");
		if (*at == 'C') {
			buf_printf(&all, "%.*s\n", (int)len, at);
			assert_true(send_message(&b, at + 2, len - 2));
			buf_append(&all, b.said.data, b.said.len);
			buf_clear(&b.said);
		}
		at += len + (at[len] == '\n');
	}
	if (getenv("SIMTTUTOR_UPDATE_GOLDEN"))
		assert_true(file_write(buf_str(&path), all.data, all.len, &diag));
	else
		assert_string_equal(buf_str(&all), buf_str(&text));
	assert_true(dap_over(b.dap));
	end_client(&b);
	buf_free(&path);
	buf_free(&text);
	buf_free(&all);
	diag_free(&diag);
}

static void a_client_steps_forward_and_back(void **state)
{
	(void)state;
	replay_session("scan");
}

static void a_client_stops_at_a_defect(void **state)
{
	(void)state;
	replay_session("tile");
}

/* --- single requests ---------------------------------------------------------------------------------------------- */

static void requests_have_their_time(void **state)
{
	struct dap_bench b = begin_client();
	(void)state;
	assert_true(ask(&b, REQUEST("threads", "")));
	assert_true(is_said(&b, "\"success\":false"));
	assert_true(ask(&b, LAUNCH));
	assert_true(is_said(&b, "\"success\":false"));
	assert_true(ask(&b, INITIALIZE));
	assert_true(is_said(&b, "\"success\":true"));
	assert_true(ask(&b, INITIALIZE));
	assert_true(is_said(&b, "\"success\":false"));
	assert_true(ask(&b, REQUEST("launch", "\"program\":\"none\"")));
	assert_true(is_said(&b, "there is no such program") && is_said(&b, "terminated"));
	assert_true(ask(&b, LAUNCH));
	assert_true(is_said(&b, "\"success\":true"));
	end_client(&b);
}

/* Requests that came before there was an answer to `launch` are taken after it. */
static void requests_wait_for_the_launch(void **state)
{
	static const char more[] = REQUEST("configurationDone", "");
	struct dap_bench b = begin_client();
	struct buf text = {0};
	(void)state;
	assert_true(ask(&b, INITIALIZE));
	buf_printf(&text, "Content-Length: %zu\r\n\r\n%s", strlen(LAUNCH), LAUNCH);
	buf_printf(&text, "Content-Length: %zu\r\nContent-Type: x\r\n\r\n%s", strlen(more), more);
	buf_clear(&b.said);
	assert_true(send_bytes(&b, text.data, text.len));
	const char *answer = strstr(buf_str(&b.said), "\"command\":\"launch\"");
	const char *stop = strstr(buf_str(&b.said), "\"event\":\"stopped\"");
	assert_true(answer && stop && answer < stop);
	buf_free(&text);
	end_client(&b);
}

static void values_that_are_not_there_are_refused(void **state)
{
	static const char *const wrong[] = {REQUEST("stackTrace", "\"threadId\":0"),
		REQUEST("stackTrace", "\"threadId\":-1"), REQUEST("stackTrace", "\"threadId\":9007199254740993"),
		REQUEST("stackTrace", "\"threadId\":5"), REQUEST("scopes", "\"frameId\":99999999"),
		REQUEST("variables", "\"variablesReference\":100000"),
		REQUEST("variables", "\"variablesReference\":-9223372036854775808"), REQUEST("readMemory", ""),
		REQUEST("readMemory", "\"memoryReference\":\"0x10x\",\"count\":4"),
		REQUEST("readMemory", "\"memoryReference\":\"0x10\",\"count\":-4"),
		REQUEST("disassemble", "\"memoryReference\":\"0x10\",\"instructionCount\":100000"),
		REQUEST("source", "\"sourceReference\":7"), REQUEST("exceptionInfo", "\"threadId\":1"),
		REQUEST("evaluate", ""), REQUEST("evaluate", "\"expression\":\"%nothing\""),
		REQUEST("evaluate", "\"expression\":\"step\",\"context\":\"hover\""),
		REQUEST("next", "\"threadId\":77"), REQUEST("setVariable", "")};
	struct dap_bench b = stopped_client();
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_true(ask(&b, wrong[i]));
		assert_true(is_said(&b, "\"success\":false"));
	}
	end_client(&b);
}

static void memory_is_read_as_far_as_it_is(void **state)
{
	struct dap_bench b = stopped_client();
	(void)state;
	assert_true(ask(&b, REQUEST("readMemory", "\"memoryReference\":\"0x10\",\"count\":4")));
	assert_true(is_said(&b, "\"unreadableBytes\":4") && !is_said(&b, "\"data\""));
	assert_true(ask(&b, REQUEST("variables", "\"variablesReference\":3")));
	const char *reference = strstr(buf_str(&b.said), "\"memoryReference\":\"");
	assert_non_null(reference);
	char request[200];
	snprintf(request, sizeof request, REQUEST("readMemory", "%.*s,\"offset\":508,\"count\":100"),
		(int)strcspn(reference, ",}"), reference);
	assert_true(ask(&b, request));
	assert_true(is_said(&b, "\"data\":\"fwAAAA==\"") && is_said(&b, "\"unreadableBytes\":96")); /* 127, the last */
	end_client(&b);
}

/* A thread's array: thread 3 of local_array has in[3], in[4], ... in it, and the whole warp the same for its lane. */
static void local_memory_is_that_of_the_lane(void **state)
{
	static const char
		launch[] = "{\"seq\":2,\"type\":\"request\",\"command\":\"launch\",\"arguments\":{\"program\":"
			   "\"/a/traffic.ptx\"}}";
	struct dap_bench b = begin_client();
	(void)state;
	assert_true(ask(&b, INITIALIZE));
	assert_true(ask(&b, launch));
	assert_true(ask(&b, REQUEST("configurationDone", "")));
	assert_true(ask(&b, REQUEST("scopes", "\"frameId\":16")));
	assert_true(is_said(&b, "\"name\":\"Local memory of lane 0\"") && is_said(&b, "\"indexedVariables\":32"));
	assert_false(is_said(&b, "Shared memory"));
	/* at its first load, after all stores */
	assert_true(ask(&b, REQUEST("evaluate", "\"expression\":\"breakptx 360\",\"context\":\"repl\"")));
	assert_true(ask(&b, REQUEST("continue", "\"threadId\":1")));
	assert_true(is_said(&b, "\"reason\":\"breakpoint\""));
	assert_true(ask(&b, REQUEST("evaluate", "\"expression\":\"lane 3\",\"context\":\"repl\"")));
	assert_true(ask(&b, REQUEST("scopes", "\"frameId\":16")));
	assert_true(is_said(&b, "\"name\":\"Local memory of lane 3\""));
	assert_true(ask(&b, REQUEST("variables", "\"variablesReference\":268435456,\"start\":1,\"count\":1")));
	assert_true(is_said(&b, "\"variables\":[{\"name\":\"[4]\",\"value\":\"4  ") && !is_said(&b, "[8]"));
	assert_true(ask(&b, REQUEST("readMemory", "\"memoryReference\":\"local:0x7c\",\"count\":8")));
	assert_true(is_said(&b, "\"address\":\"local:0x7c\"") && is_said(&b, "\"data\":\"IgAAAA==\"") &&
		is_said(&b, "\"unreadableBytes\":4")); /* in[3 + 31] */
	end_client(&b);
}

static void a_register_is_evaluated_in_any_context(void **state)
{
	struct dap_bench b = stopped_client();
	(void)state;
	assert_true(ask(&b, REQUEST("evaluate", "\"expression\":\"step 2\",\"context\":\"repl\"")));
	assert_true(is_said(&b, "\"event\":\"stopped\"") && is_said(&b, "\"reason\":\"goto\""));
	assert_true(ask(&b, REQUEST("evaluate", "\"expression\":\"block 3\",\"context\":\"repl\"")));
	assert_true(is_said(&b, "\"success\":false"));
	assert_true(ask(&b, REQUEST("evaluate", "\"expression\":\"warp 3\",\"context\":\"repl\"")));
	assert_true(is_said(&b, "\"threadId\":4"));
	end_client(&b);
}

/* --- variables of the source -------------------------------------------------------------------------------------- */

/* Stopped in the loop of variables.cu where j is 2. */
static struct dap_bench stopped_in_loop(void)
{
	struct dap_bench b = begin_client();
	assert_true(ask(&b, REQUEST("initialize", "\"supportsInvalidatedEvent\":true")));
	assert_true(
		ask(&b, REQUEST("launch", "\"program\":\"/a/variables.ptx\",\"where\":\"launch 1 of its program\"")));
	assert_true(ask(&b,
		REQUEST("setBreakpoints",
			"\"source\":{\"path\":\"/a/variables.cu\"},\"breakpoints\":[{\"line\":37,\"condition\":\"j == 2\"}]")));
	assert_true(is_said(&b, "\"verified\":true"));
	assert_true(ask(&b, REQUEST("configurationDone", "")));
	assert_true(ask(&b, REQUEST("continue", "\"threadId\":1")));
	assert_true(is_said(&b, "\"reason\":\"breakpoint\""));
	return b;
}

#define VARIABLES "268435457" /* the scope's reference */

/* The reference of the variable of this name in what was said. */
static long long reference_in(const struct dap_bench *b, const char *name)
{
	char start[100];
	snprintf(start, sizeof start, "{\"name\":\"%s\",", name);
	const char *at = strstr(buf_str(&b->said), start);
	at = at ? strstr(at, "\"variablesReference\":") : NULL;
	assert_non_null(at);
	return strtoll(at + strlen("\"variablesReference\":"), NULL, 10);
}

static void ask_inside(struct dap_bench *b, long long reference, const char *more)
{
	char request[200];
	snprintf(request, sizeof request, REQUEST("variables", "\"variablesReference\":%lld%s"), reference, more);
	assert_true(ask(b, request));
	assert_true(is_said(b, "\"success\":true"));
}

static void variables_have_values_and_parts(void **state)
{
	struct dap_bench b = stopped_in_loop();
	(void)state;
	assert_true(ask(&b, REQUEST("scopes", "\"frameId\":16")));
	assert_true(is_said(&b, "{\"name\":\"Variables\",\"variablesReference\":" VARIABLES ","));
	assert_true(ask(&b, REQUEST("variables", "\"variablesReference\":" VARIABLES)));
	assert_true(is_said(&b, "{\"name\":\"j\",\"value\":\"2 in all lanes\",") && is_said(&b, "\"type\":\"int\""));
	assert_true(is_said(&b, "{\"name\":\"i\",\"value\":\"0, 1, 2, 3, 4, 5, 6, 7, ...\","));
	assert_true(is_said(&b, "\"type\":\"point\",\"evaluateName\":\"q\",\"namedVariables\":3"));
	long long q = reference_in(&b, "q"), last = reference_in(&b, "last"), i = reference_in(&b, "i");
	long long in = reference_in(&b, "in");
	ask_inside(&b, q, "");
	assert_true(is_said(&b, "{\"name\":\"x\",\"value\":\"1.5, 2.5,") && is_said(&b, "\"evaluateName\":\"q.x\""));
	ask_inside(&b, last, ",\"start\":1,\"count\":2");
	assert_true(is_said(&b, "{\"name\":\"[1]\",\"value\":\"2 in all lanes\"") && is_said(&b, "[2]") &&
		!is_said(&b, "[3]") && !is_said(&b, "[0]"));
	ask_inside(&b, i, "");
	assert_true(is_said(&b, "{\"name\":\"lane 31\",\"value\":\"31\""));
	ask_inside(&b, in, "");
	assert_true(is_said(&b, "{\"name\":\"[0]\",\"value\":\"0 in all lanes\""));
	/* of one lane, and no longer after the next step */
	assert_true(ask(&b, REQUEST("evaluate", "\"expression\":\":lane 5\",\"context\":\"repl\"")));
	ask_inside(&b, q, "");
	assert_true(is_said(&b, "{\"name\":\"x\",\"value\":\"6.5\""));
	assert_true(ask(&b, REQUEST("stepIn", "\"threadId\":1")));
	char request[200];
	snprintf(request, sizeof request, REQUEST("variables", "\"variablesReference\":%lld"), q);
	assert_true(ask(&b, request));
	assert_true(is_said(&b, "there is no such variable"));
	end_client(&b);
}

static void expressions_are_evaluated(void **state)
{
	static const struct {
		const char *expression, *context, *result;
	} cases[] = {{"j", "hover", "\"result\":\"2 in all lanes\""}, {"q.x", "watch", "\"result\":\"1.5, 2.5, "},
		{"last[j] + 1", "watch", "\"result\":\"3 in all lanes\""}, {"%r1", "hover", "\"type\":\"b32\""},
		{"n", "repl", "\"result\":\"5 in all lanes\""}, {":breaks", "repl", "line 37, if j == 2; 1 stop"},
		{"breaks", "repl", "line 37"}, {"q", "clipboard", "\"namedVariables\":3"},
		{"nothing", "watch", "no such variable"}, {"breaks", "watch", "\"success\":false"},
		{"threadIdx.x", "hover", "\"result\":\"0, 1, 2,"}};
	struct dap_bench b = stopped_in_loop();
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char request[300];
		snprintf(request, sizeof request, REQUEST("evaluate", "\"expression\":\"%s\",\"context\":\"%s\""),
			cases[i].expression, cases[i].context);
		assert_true(ask(&b, request));
		if (!is_said(&b, cases[i].result))
			fail_msg("%s: %s", cases[i].expression, buf_str(&b.said));
	}
	end_client(&b);
}

static void set_inside(struct dap_bench *b, long long reference, const char *name, const char *value)
{
	char request[300];
	snprintf(request, sizeof request,
		REQUEST("setVariable", "\"variablesReference\":%lld,\"name\":\"%s\",\"value\":\"%s\""), reference, name,
		value);
	assert_true(ask(b, request));
}

static void values_are_changed(void **state)
{
	struct dap_bench b = stopped_in_loop();
	(void)state;
	ask_inside(&b, atoll(VARIABLES), "");
	long long q = reference_in(&b, "q"), last = reference_in(&b, "last"), i = reference_in(&b, "i");
	set_inside(&b, atoll(VARIABLES), "j", "1 + 2");
	assert_true(is_said(&b, "\"value\":\"3 in all lanes\"") && is_said(&b, "\"event\":\"invalidated\""));
	set_inside(&b, q, "x", "i");
	assert_true(is_said(&b, "\"value\":\"0, 1, 2, 3,"));
	set_inside(&b, last, "[2]", "-7");
	assert_true(is_said(&b, "\"value\":\"-7 in all lanes\""));
	set_inside(&b, i, "lane 4", "40");
	assert_true(is_said(&b, "\"value\":\"40\""));
	set_inside(&b, 4, "[8] bank 2", "1.25"); /* of shared memory: tile[2] */
	assert_true(is_said(&b, "\"success\":true"));
	assert_true(ask(&b, REQUEST("evaluate", "\"expression\":\"tile[2] + i + last[2]\"")));
	assert_true(is_said(&b, "\"result\":\"-5.75, -4.75, -3.75, -2.75, 34.25, "));
	assert_true(ask(&b, REQUEST("setExpression", "\"expression\":\"q.y\",\"value\":\"0.5\"")));
	assert_true(is_said(&b, "\"value\":\"0.5 in all lanes\""));
	set_inside(&b, 1, "%r7", "9");
	assert_true(is_said(&b, "\"value\":\"9 in all lanes\""));
	/* it is the same after a step forward and back */
	assert_true(ask(&b, REQUEST("stepIn", "\"threadId\":1")));
	assert_true(ask(&b, REQUEST("stepBack", "\"threadId\":1,\"granularity\":\"instruction\"")));
	assert_true(ask(&b, REQUEST("evaluate", "\"expression\":\"tile[2] + j\"")));
	assert_true(is_said(&b, "\"result\":\"4.25 in all lanes\""));
	/* and not before */
	assert_true(ask(&b, REQUEST("stepBack", "\"threadId\":1,\"granularity\":\"instruction\"")));
	assert_true(ask(&b, REQUEST("evaluate", "\"expression\":\"tile[2] + j\"")));
	assert_true(is_said(&b, "\"result\":\"4 in all lanes\""));
	end_client(&b);
}

static void what_cannot_be_changed_is_refused(void **state)
{
	static const struct {
		const char *reference, *name, *value, *why;
	} cases[] = {{VARIABLES, "q", "1", "not one number"}, {VARIABLES, "nothing", "1", "no such variable"},
		{VARIABLES, "i", "", "a value is expected"}, {VARIABLES, "n", "1", "constants and parameters"},
		{"3", "param_0", "1", "cannot be changed"}, {"5", "step", "1", "cannot be changed"},
		{"4", "[4000]", "1", "no memory"}, {"4", "lane 1", "1", "no such word"},
		{"4", "[x]", "1", "no such word"}, {"6", "lane 99", "1", "cannot be changed"},
		{"999999999", "x", "1", "cannot be changed"}, {"-5", "x", "1", "cannot be changed"}};
	struct dap_bench b = stopped_in_loop();
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		set_inside(&b, atoll(cases[i].reference), cases[i].name, cases[i].value);
		if (!is_said(&b, "\"success\":false") || !is_said(&b, cases[i].why))
			fail_msg("%s %s: %s", cases[i].reference, cases[i].name, buf_str(&b.said));
	}
	end_client(&b);
}

static void breakpoints_say_what_they_cannot(void **state)
{
	static const struct {
		const char *breakpoint, *answer;
	} cases[] = {{"\"line\":37", "\"verified\":true"}, {"\"line\":36,\"hitCondition\":\"3\"", "\"verified\":true"},
		{"\"line\":20", "\\\"launch\\\": \\\"line=20\\\""}, {"\"line\":4000", "line=4000"},
		{"\"line\":24", "\"verified\":true,\"line\":2"},
		{"\"line\":37,\"condition\":\"lane 3 warp 0\"", "true"},
		{"\"line\":37,\"condition\":\"lane 33\"", "\"verified\":false"},
		{"\"line\":37,\"condition\":\"q.x >\"", "a value is expected"},
		{"\"line\":37,\"condition\":\"nothing == 1\"", "no such variable"},
		{"\"line\":37,\"condition\":\"\"", "\"verified\":true"},
		{"\"line\":37,\"hitCondition\":\"often\"", "a count is N"}};
	struct dap_bench b = stopped_in_loop();
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char request[300];
		snprintf(request, sizeof request,
			REQUEST("setBreakpoints", "\"source\":{\"path\":\"/a/variables.cu\"},\"breakpoints\":[{%s}]"),
			cases[i].breakpoint);
		assert_true(ask(&b, request));
		if (!is_said(&b, cases[i].answer))
			fail_msg("%s: %s", cases[i].breakpoint, buf_str(&b.said));
	}
	end_client(&b);
}

static void breakpoints_count_and_log(void **state)
{
	struct dap_bench b = begin_client();
	(void)state;
	assert_true(ask(&b, INITIALIZE));
	assert_true(ask(&b, REQUEST("launch", "\"program\":\"/a/variables.ptx\"")));
	assert_true(ask(&b,
		REQUEST("setBreakpoints",
			"\"source\":{\"name\":\"variables.cu\"},\"breakpoints\":[{\"line\":37,\"logMessage\":\"sum {sum} j "
			"{j}\",\"condition\":\"j >= 3\"},{\"line\":36,\"hitCondition\":\"== 3\"}]")));
	assert_true(ask(&b, REQUEST("configurationDone", "")));
	assert_true(ask(&b, REQUEST("continue", "\"threadId\":1")));
	assert_true(is_said(&b, "\"reason\":\"breakpoint\"") && !is_said(&b, "sum "));
	assert_true(ask(&b, REQUEST("evaluate", "\"expression\":\"j\"")));
	assert_true(is_said(&b, "\"result\":\"2 in all lanes\""));
	assert_true(ask(&b, REQUEST("continue", "\"threadId\":1")));
	assert_true(is_said(&b, "\"category\":\"console\",\"output\":\"sum 4.5, 7.5, 10.5,") &&
		is_said(&b, "j 3 in all lanes\\nsum 9,") && is_said(&b, "The kernel ran to its end"));
	end_client(&b);
}

/* --- bytes that are no messages ----------------------------------------------------------------------------------- */

static void bytes_that_are_no_messages_end_it(void **state)
{
	static const char *const broken[] = {"\r\n\r\n", "Content-Length: \r\n\r\n{}", "Content-Length: -1\r\n\r\n{}",
		"Content-Length: 99999999999999999999\r\n\r\n{}", "Content-Length: 1048577\r\n\r\n{}",
		"Content-Length: 2x\r\n\r\n{}", "GET / HTTP/1.1\r\n\r\n"};
	(void)state;
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		struct dap_bench b = begin_client();
		assert_false(send_bytes(&b, broken[i], strlen(broken[i])));
		assert_true(dap_over(b.dap));
		end_client(&b);
	}
	struct dap_bench b = begin_client();
	char *long_one = calloc(1, 5000);
	memset(long_one, 'x', 4999);
	assert_false(send_bytes(&b, long_one, 4999));
	free(long_one);
	end_client(&b);
}

static void messages_that_mean_nothing_are_passed_over(void **state)
{
	static const char *const nothing[] = {"", "{", "[]", "{}", "7", "null", "{\"type\":\"request\"}",
		"{\"type\":\"request\",\"command\":7}", "{\"type\":\"event\",\"command\":\"launch\"}", "\xff\xfe"};
	struct dap_bench b = begin_client();
	(void)state;
	for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
		assert_true(ask(&b, nothing[i]));
		assert_int_equal(b.said.len, 0);
	}
	assert_true(ask(&b, INITIALIZE));
	assert_true(is_said(&b, "\"success\":true"));
	end_client(&b);
}

/* A byte at a time, as a pipe may give them. */
static void messages_may_come_in_pieces(void **state)
{
	struct dap_bench b = begin_client();
	struct buf text = {0};
	(void)state;
	buf_printf(&text, "content-length:%zu\r\n\r\n%s", strlen(INITIALIZE), INITIALIZE);
	for (size_t i = 0; i < text.len; i++)
		assert_true(send_bytes(&b, text.data + i, 1));
	assert_true(is_said(&b, "\"command\":\"initialize\""));
	buf_free(&text);
	end_client(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_client_steps_forward_and_back),
		cmocka_unit_test(a_client_stops_at_a_defect),
		cmocka_unit_test(requests_have_their_time),
		cmocka_unit_test(requests_wait_for_the_launch),
		cmocka_unit_test(values_that_are_not_there_are_refused),
		cmocka_unit_test(memory_is_read_as_far_as_it_is),
		cmocka_unit_test(local_memory_is_that_of_the_lane),
		cmocka_unit_test(a_register_is_evaluated_in_any_context),
		cmocka_unit_test(variables_have_values_and_parts),
		cmocka_unit_test(expressions_are_evaluated),
		cmocka_unit_test(values_are_changed),
		cmocka_unit_test(what_cannot_be_changed_is_refused),
		cmocka_unit_test(breakpoints_say_what_they_cannot),
		cmocka_unit_test(breakpoints_count_and_log),
		cmocka_unit_test(bytes_that_are_no_messages_end_it),
		cmocka_unit_test(messages_that_mean_nothing_are_passed_over),
		cmocka_unit_test(messages_may_come_in_pieces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
