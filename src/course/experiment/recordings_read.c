#include "course/experiment/recordings_parts.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "course/experiment/recordings.h"
#include "course/lesson/lesson.h"

static const char *skip_json_blanks(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

/* Past the string that starts at `p`. */
static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/* Past the value that starts at `p`. */
static const char *skip_value(const char *p)
{
	int depth = 0;
	do {
		if (*p == '"') {
			p = skip_string(p);
		} else if (*p == '{' || *p == '[') {
			depth++;
			p++;
		} else if (*p == '}' || *p == ']') {
			depth--;
			p++;
		} else if (depth) {
			p++;
		} else {
			p += strcspn(p, ",]} \t\r\n");
		}
	} while (*p && depth > 0);
	return p;
}

/* From the end of a value to the next one; NULL at the container's end. */
static const char *next_value(const char *p)
{
	p = skip_json_blanks(p);
	return *p == ',' ? skip_json_blanks(p + 1) : NULL;
}

static const char *place_member(const char *at, const char *name)
{
	size_t len = strlen(name);
	at = skip_json_blanks(at);
	const char *p = *at == '{' ? skip_json_blanks(at + 1) : NULL;
	while (p && *p == '"') {
		const char *after = skip_string(p), *value = skip_json_blanks(after);
		value = *value == ':' ? skip_json_blanks(value + 1) : value;
		if ((size_t)(after - p) == len + 2 && !memcmp(p + 1, name, len))
			return value;
		p = next_value(skip_value(value));
	}
	return at;
}

/* The value of member `name` of the object at `at`, item `index` of the array at `at`: pointers into the text, or `at`
 * itself when there is no such thing (the container is then the nearest place). */
static const char *place_item(const char *at, size_t index)
{
	at = skip_json_blanks(at);
	const char *p = *at == '[' ? skip_json_blanks(at + 1) : NULL;
	for (size_t i = 0; p && *p && *p != ']'; i++) {
		if (i == index)
			return p;
		p = next_value(skip_value(p));
	}
	return at;
}

/* The item after the one at `at` in its array; `at` itself when it is the last. */
static const char *place_next(const char *at)
{
	const char *p = next_value(skip_value(at));
	return p ? p : at;
}

/* The position of `at` in `text`. */
static struct diag_pos place_pos(const char *file, const char *text, size_t len, const char *at)
{
	struct diag_pos pos = {file, 1, 1, text, len};
	for (const char *p = text; p < at; p++) {
		pos.col = *p == '\n' ? 1 : pos.col + 1;
		pos.line += *p == '\n';
	}
	return pos;
}

#define FILE_MAX ((size_t)16 << 20) /* far above any real one; 64 MiB of JSON can become 7 GiB of memory */
#define ITEMS_MAX 10000             /* results, machines: each is compared with those before */

struct recordings_reader {
	struct arena *arena;
	const char *file, *text;
	size_t len;
	struct diag *diag;
	size_t errors_before;
	const struct experiment_provenance **machines; /* once read */
	size_t n_machines;
	const char **model_metrics; /* by whose place in the file the model's numbers stand */
	size_t n_model_metrics;
};

/* The place of each is looked for from the beginning of the file: no more of them than are reported. */
#define FAULT(r, at, ...)                                                                                              \
	do {                                                                                                           \
		if ((r)->diag->errors - (r)->errors_before < DIAG_MAX)                                                 \
			diag_error((r)->diag, place_pos((r)->file, (r)->text, (r)->len, at), __VA_ARGS__);             \
	} while (0)

static const char *get_text(struct recordings_reader *r, const json_t *json, const char *at, const char *name)
{
	const char *value = json_string_value(json_object_get(json, name));
	if (!value)
		FAULT(r, place_member(at, name), "\"%s\" must be a string", name);
	return arena_strdup(r->arena, value ? value : "");
}

static int64_t get_int(struct recordings_reader *r, const json_t *json, const char *at, const char *name)
{
	const json_t *value = json_object_get(json, name);
	int64_t v = json_is_integer(value) ? json_integer_value(value) : -1;
	if (v < 0 || v > INT32_MAX)
		FAULT(r, place_member(at, name), "\"%s\" must be an integer, 0 or more", name);
	return v < 0 || v > INT32_MAX ? 0 : v;
}

static const json_t *get_array(struct recordings_reader *r, const json_t *json, const char *at, const char *name)
{
	const json_t *value = json_object_get(json, name);
	if (!json_is_array(value))
		FAULT(r, place_member(at, name), "\"%s\" must be an array", name);
	return json_is_array(value) ? value : NULL;
}

/* One of the file's own, which are read item by item. */
static const json_t *get_list(struct recordings_reader *r, const json_t *json, const char *name)
{
	const json_t *array = get_array(r, json, r->text, name);
	if (json_array_size(array) <= ITEMS_MAX)
		return array;
	FAULT(r, place_member(r->text, name), "\"%s\" holds more than %d items", name, ITEMS_MAX);
	return NULL;
}

static void get_result_dims(
	struct recordings_reader *r, const json_t *json, const char *at, const char *name, uint32_t out[3])
{
	const json_t *array = get_array(r, json, at, name);
	bool good = array && json_array_size(array) == 3;
	for (size_t i = 0; good && i < 3; i++) {
		int64_t v = json_is_integer(json_array_get(array, i)) ? json_integer_value(json_array_get(array, i))
								      : 0;
		good = v >= 1 && v <= INT32_MAX;
		out[i] = (uint32_t)v;
	}
	if (array && !good)
		FAULT(r, place_member(at, name), "\"%s\" must be three positive integers", name);
}

struct counted {
	const char **metrics;
	double *values;
	int n;
};

static struct counted get_counted(struct recordings_reader *r, json_t *json, const char *at, const char *member)
{
	struct counted out = {.n = 0};
	json_t *metrics = json_object_get(json, member), *value;
	const char *name, *metrics_at = place_member(at, member);
	if (!json_is_object(metrics)) {
		FAULT(r, metrics_at, "\"%s\" must be an object", member);
		return out;
	}
	out.metrics = arena_array(r->arena, const char *, json_object_size(metrics) + 1);
	out.values = arena_array(r->arena, double, json_object_size(metrics) + 1);
	json_object_foreach(metrics, name, value)
	{
		if (!json_is_number(value))
			FAULT(r, place_member(metrics_at, name), "\"%s\" must be a number", name);
		out.metrics[out.n] = arena_strdup(r->arena, name);
		out.values[out.n++] = json_number_value(value);
	}
	return out;
}

/* A number that is missing is null. */
static struct value get_value(const json_t *json, bool *good)
{
	double v = json_is_null(json) ? 0 : json_number_value(json);
	*good = *good && (json_is_null(json) || json_is_number(json)) && v >= 0;
	return json_is_null(json) ? value_missing(VALUE_NONE) : value_ok(v);
}

static void get_modeled_lines(struct recordings_reader *r, json_t *json, const char *at, struct experiment_modeled *out)
{
	json_t *lines = json_object_get(json, "model_lines"), *value;
	const char *name, *lines_at = place_member(at, "model_lines");
	if (!json_is_object(lines) || json_object_size(lines) > WIRE_LINES_MAX) {
		FAULT(r, lines_at, "\"%s\" must be an object of lines", "model_lines");
		return;
	}
	struct experiment_line *all = arena_array(r->arena, struct experiment_line, json_object_size(lines) + 1);
	out->lines = all;
	json_object_foreach(lines, name, value)
	{
		struct experiment_line *line = &all[out->n_lines++];

		char *end;
		long number = strtol(name, &end, 10);
		int64_t requests = json_integer_value(json_array_get(value, 0));
		bool ok = !*end && end != name && number > 0 && number <= INT32_MAX && json_array_size(value) == 4 &&
			json_is_integer(json_array_get(value, 0)) && requests >= 0;
		*line = (struct experiment_line){.line = (int)number, .requests = (uint64_t)requests};
		line->wavefronts = get_value(json_array_get(value, 1), &ok);
		line->sectors = get_value(json_array_get(value, 2), &ok);
		line->active_lanes = get_value(json_array_get(value, 3), &ok);
		line->executed = line->active_lanes.state == VALUE_OK;
		if (!ok || (line > all && line->line <= line[-1].line))
			FAULT(r, place_member(lines_at, name),
				"\"%s\" must be lines that ascend, with a number and three that may be null",
				"model_lines");
	}
}

/* What the model has of a launch but its counters, where it is stored. */
static void get_modeled(struct recordings_reader *r, json_t *json, const char *at, struct experiment_modeled *out)
{
	json_t *steps = json_object_get(json, "model_steps");
	if (!steps)
		return;
	if (!json_is_integer(steps) || json_integer_value(steps) < 1)
		FAULT(r, place_member(at, "model_steps"), "\"%s\" must be a positive integer", "model_steps");
	out->steps = (uint64_t)json_integer_value(steps);
	get_modeled_lines(r, json, at, out);
	const json_t *executed = get_array(r, json, at, "model_executed");
	uint64_t *all = arena_array(r->arena, uint64_t, json_array_size(executed) + 1);
	for (size_t i = 0; i < json_array_size(executed); i++) {
		const json_t *value = json_array_get(executed, i);
		if (!json_is_integer(value) || json_integer_value(value) < 0)
			FAULT(r, place_item(place_member(at, "model_executed"), i),
				"a member of \"%s\" must be an integer, 0 or more", "model_executed");
		all[i] = (uint64_t)json_integer_value(value);
	}
	out->executed = all;
	out->n_executed = (int)json_array_size(executed);
}

/* A number for each of the file's "model_metrics", null where there is none. In files of before, an object as a
 * GPU's. */
static struct counted get_model(struct recordings_reader *r, json_t *json, const char *at)
{
	const json_t *values = json_object_get(json, "model");
	struct counted out = {.n = 0};
	if (!values || json_is_object(values))
		return values ? get_counted(r, json, at, "model") : out;
	out.metrics = arena_array(r->arena, const char *, r->n_model_metrics + 1);
	out.values = arena_array(r->arena, double, r->n_model_metrics + 1);
	bool good = json_is_array(values) && json_array_size(values) == r->n_model_metrics;
	for (size_t i = 0; good && i < r->n_model_metrics; i++) {
		const json_t *value = json_array_get(values, i);
		good = json_is_number(value) || json_is_null(value);
		if (!json_is_number(value))
			continue;
		out.metrics[out.n] = r->model_metrics[i];
		out.values[out.n++] = json_number_value(value);
	}
	if (!good)
		FAULT(r, place_member(at, "model"), "\"%s\" must be a number or null for each of \"%s\"", "model",
			"model_metrics");
	return out;
}

/* Rows by a number, and what is in them. */
struct rows_kind {
	const char *metrics, *rows; /* the members: both, or none of them */
	int step, most;
	bool is_line; /* else an address */
};

/* The numbers of a row are by then as many as there are metrics. */
static bool is_counted(const struct wire_line_counts *rows, const struct wire_line *row)
{
	bool good = true;
	for (int i = 0; i < rows->n; i++)
		good &= row->values[i] >= 0;
	return good;
}

static void get_rows(struct recordings_reader *r, json_t *json, const char *at, const struct rows_kind *kind,
	struct wire_line_counts *out)
{
	json_t *lines = json_object_get(json, kind->rows), *values;
	const char *line, *lines_at = place_member(at, kind->rows);
	if (!lines && !json_object_get(json, kind->metrics))
		return;
	const json_t *names = get_array(r, json, at, kind->metrics);
	const char **metrics = arena_array(r->arena, const char *, json_array_size(names) + 1);
	if (json_array_size(names) > WIRE_METRICS_MAX) { /* each line would have room for as many */
		FAULT(r, place_member(at, kind->metrics), "\"%s\" holds too many metrics", kind->metrics);
		return;
	}
	/* a number takes a byte at least, so that the file cannot have more of them: room is made for all */
	if (!json_is_object(lines) || !names || json_object_size(lines) > (size_t)kind->most ||
		json_object_size(lines) * json_array_size(names) > r->len) {
		FAULT(r, lines_at, "\"%s\" must be an object of lines", kind->rows);
		return;
	}
	for (out->n = 0; out->n < (int)json_array_size(names); out->n++) {
		const char *name = json_string_value(json_array_get(names, (size_t)out->n));
		metrics[out->n] = arena_strdup(r->arena, name ? name : "");
		if (!name)
			FAULT(r, place_member(at, kind->metrics), "a member of \"%s\" must be a string", kind->metrics);
	}
	out->metrics = metrics;
	struct wire_line *row = experiment_recordings_make_lines(r->arena, out, out->n, (int)json_object_size(lines));
	json_object_foreach(lines, line, values)
	{
		char *end;
		long number = strtol(line, &end, 10);
		if (*end || end == line || number < 0 || number > INT32_MAX || number % kind->step != 0)
			FAULT(r, place_member(lines_at, line),
				kind->is_line ? "\"%s\" is not a line number" : "\"%s\" is not an address", line);
		row->line = (int)number;
		if (row > out->lines && row->line <= row[-1].line)
			FAULT(r, place_member(lines_at, line), "\"%s\" must ascend", kind->rows);

		bool ok = json_is_array(values) && json_array_size(values) == (size_t)out->n;
		for (int i = 0; ok && i < out->n; i++) {
			ok = json_is_number(json_array_get(values, (size_t)i));
			((double *)row->values)[i] = json_number_value(json_array_get(values, (size_t)i));
		}
		if (!ok || (!kind->is_line && !is_counted(out, row)))
			FAULT(r, place_member(lines_at, line), "a line of \"%s\" must be a number for each of \"%s\"",
				kind->rows, kind->metrics);
		row++;
	}
}

static void get_lines(struct recordings_reader *r, json_t *json, const char *at, struct wire_line_counts *out)
{
	static const struct rows_kind lines = {"line_metrics", "lines", 1, WIRE_LINES_MAX, true};
	get_rows(r, json, at, &lines, out);
}

/* A member that is the fingerprint of machine code; NULL: it is not there. */
static const char *get_fingerprint(struct recordings_reader *r, const json_t *json, const char *at, const char *member)
{
	if (!json_object_get(json, member))
		return NULL;
	const char *text = json_string_value(json_object_get(json, member));
	if (!experiment_recordings_is_code(text))
		FAULT(r, place_member(at, member), "\"%s\" is not a fingerprint of machine code", member);
	return arena_strdup(r->arena, text ? text : "");
}

/* By machine instruction, where that is there. */
static void get_instrs(struct recordings_reader *r, json_t *json, const char *at, struct wire_line_counts *out)
{
	static const struct rows_kind instrs = {
		"instr_metrics", "instrs", LISTING_INSTR_BYTES, LISTING_INSTRS_MAX, false};
	get_rows(r, json, at, &instrs, out);
	out->code = get_fingerprint(r, json, at, "instr_code");
	if (out->n_lines && !out->code)
		FAULT(r, place_member(at, "instrs"), "\"%s\" says not of which code it is", "instrs");
}

static struct launch get_launch(struct recordings_reader *r, const json_t *json, const char *at)
{
	struct launch launch = {.kernel = get_text(r, json, at, "kernel")};
	get_result_dims(r, json, at, "grid", launch.grid);
	get_result_dims(r, json, at, "block", launch.block);
	if (json_object_get(json, "cluster"))
		get_result_dims(r, json, at, "cluster", launch.cluster);
	launch.shared = (uint32_t)get_int(r, json, at, "shared");
	launch.cooperative = json_is_true(json_object_get(json, "cooperative"));

	const json_t *array = get_array(r, json, at, "args");
	const char *args_at = place_member(at, "args");
	launch.n_args = (int)json_array_size(array);
	if (launch.n_args > LAUNCH_ARGS_MAX) {
		FAULT(r, args_at, "\"%s\" holds too many arguments", "args");
		launch.n_args = 0;
	}
	launch.args = arena_array(r->arena, struct launch_arg, (size_t)launch.n_args + 1);
	for (int i = 0; i < launch.n_args; i++) {
		const char *text = json_string_value(json_array_get(array, (size_t)i));
		if (!text)
			FAULT(r, place_item(args_at, (size_t)i), "a member of \"%s\" must be a string", "args");
		launch.args[i].text = arena_strdup(r->arena, text ? text : "");
	}

	return launch;
}

/* The launches before a result, each before the next: the last of them. NULL: there are none. */
static const struct launch *get_before(struct recordings_reader *r, const json_t *json, const char *at)
{
	if (!json_object_get(json, "before"))
		return NULL;
	const json_t *array = get_array(r, json, at, "before");
	const char *before_at = place_member(at, "before");
	size_t n = json_array_size(array);
	if (n >= LESSON_LAUNCHES_MAX) {
		FAULT(r, before_at, "\"%s\" holds too many launches", "before");
		return NULL;
	}
	struct launch *all = arena_array(r->arena, struct launch, n + 1);
	before_at = place_item(before_at, 0);
	for (size_t i = 0; i < n; i++, before_at = place_next(before_at)) {
		all[i] = get_launch(r, json_array_get(array, i), before_at);
		all[i].before = i ? &all[i - 1] : NULL;
	}
	return n ? &all[n - 1] : NULL;
}

static bool get_code_instr(struct recordings_reader *r, const json_t *json, struct listing_instr *out)
{
	const json_t *address = json_array_get(json, 0), *line = json_array_get(json, 1);
	const char *text = json_string_value(json_array_get(json, 2));
	if (json_array_size(json) != 3 || !json_is_integer(address) || !json_is_integer(line) || !text)
		return false;
	json_int_t at = json_integer_value(address), number = json_integer_value(line);
	if (at < 0 || at > INT32_MAX || at % LISTING_INSTR_BYTES || number < 0 || number > INT32_MAX ||
		!listing_text_is_good(text))
		return false;
	*out = (struct listing_instr){(uint32_t)number, (uint32_t)at, arena_strdup(r->arena, text)};
	return true;
}

static void get_code(struct recordings_reader *r, struct experiment_recordings *recorded, json_t *json, const char *at)
{
	const char *kernel = get_text(r, json, at, "kernel"), *ptx = get_text(r, json, at, "ptx");
	struct recorded_code *code = experiment_recordings_add_code(
		recorded, ptx, kernel, get_text(r, json, at, "target"));
	struct code_listing *l = &code->listing;
	const json_t *array = get_array(r, json, at, "instrs");
	size_t n = json_array_size(array);
	l->compiler = get_text(r, json, at, "compiler");
	l->code = get_fingerprint(r, json, at, "code");
	l->first_line = (int)get_int(r, json, at, "first_line");
	l->registers = (int)get_int(r, json, at, "registers");
	l->stack = (int)get_int(r, json, at, "stack");
	l->spill_stores = (int)get_int(r, json, at, "spill_stores");
	l->spill_loads = (int)get_int(r, json, at, "spill_loads");
	if (n > LISTING_INSTRS_MAX) {
		FAULT(r, place_member(at, "instrs"), "\"%s\" holds more than %d items", "instrs", LISTING_INSTRS_MAX);
		return;
	}
	struct listing_instr *instrs = arena_array(r->arena, struct listing_instr, n + 1);
	l->instrs = instrs;
	for (size_t i = 0; i < n; i++) {
		if (get_code_instr(r, json_array_get(array, i), &instrs[i]))
			l->n++;
		else
			FAULT(r, place_item(place_member(at, "instrs"), i),
				"an instruction must be its address, a line of the PTX and its text");
	}
}

static void get_programs(struct recordings_reader *r, struct experiment_recordings *recorded, const json_t *json)
{
	if (!json_object_get(json, "programs"))
		return;
	const json_t *programs = get_list(r, json, "programs");
	const char *at = place_item(place_member(r->text, "programs"), 0);
	for (size_t i = 0; i < json_array_size(programs); i++, at = place_next(at)) {
		const json_t *program_json = json_array_get(programs, i);
		const char *why;
		struct experiment_program program = {.name = get_text(r, program_json, at, "program"),
			.arguments = get_text(r, program_json, at, "arguments"),
			.source = get_text(r, program_json, at, "source"),
			.compiler = get_text(r, program_json, at, "compiler"),
			.date = get_text(r, program_json, at, "date"),
			.cc = (int)get_int(r, program_json, at, "cc"),
			.log = experiment_hostlog_read(r->arena, program_json, &why)};
		if (program.log)
			experiment_recordings_put_program(recorded, &program);
		else
			FAULT(r, at, "%s", why);
	}
}

static void get_model_metrics(struct recordings_reader *r, const json_t *json)
{
	if (!json_object_get(json, "model_metrics"))
		return;
	const json_t *names = get_array(r, json, r->text, "model_metrics");
	const char *at = place_member(r->text, "model_metrics");
	if (json_array_size(names) > WIRE_METRICS_MAX) { /* each launch would have room for as many */
		FAULT(r, at, "\"%s\" holds too many metrics", "model_metrics");
		return;
	}
	r->n_model_metrics = json_array_size(names);
	r->model_metrics = arena_array(r->arena, const char *, r->n_model_metrics + 1);
	for (size_t i = 0; i < r->n_model_metrics; i++) {
		const char *name = json_string_value(json_array_get(names, i));
		r->model_metrics[i] = arena_strdup(r->arena, name ? name : "");
		if (!name)
			FAULT(r, place_item(at, i), "a member of \"%s\" must be a string", "model_metrics");
	}
}

static void get_all(struct recordings_reader *r, struct experiment_recordings *recorded, const json_t *json)
{
	if (get_int(r, json, r->text, "format") != RECORDED_FORMAT) {
		FAULT(r, place_member(r->text, "format"), "this \"%s\" is not known; record the lesson again",
			"format");
		return;
	}
	const json_t *machines = get_list(r, json, "machines"), *results = get_list(r, json, "results");
	size_t n = json_array_size(machines);
	r->n_machines = n;
	r->machines = arena_array(r->arena, const struct experiment_provenance *, n + 1);
	const char *at = place_item(place_member(r->text, "machines"), 0);
	for (size_t i = 0; i < n; i++, at = place_next(at)) {
		const json_t *machine_json = json_array_get(machines, i);
		struct experiment_provenance *from = arena_alloc(r->arena, sizeof *from);
		from->gpu = get_text(r, machine_json, at, "gpu");
		from->cc = (int)get_int(r, machine_json, at, "cc");
		from->sms = (int)get_int(r, machine_json, at, "sms");
		from->driver = get_text(r, machine_json, at, "driver");
		from->cuda = get_text(r, machine_json, at, "cuda");
		from->cupti = get_text(r, machine_json, at, "cupti");
		from->date = get_text(r, machine_json, at, "date");
		r->machines[i] = from;

		experiment_recordings_rank(recorded, r->machines[i]);
	}
	get_model_metrics(r, json);
	at = place_item(place_member(r->text, "results"), 0);
	for (size_t i = 0; i < json_array_size(results); i++, at = place_next(at)) {
		json_t *result_json = json_array_get(results, i);
		struct launch launch = get_launch(r, result_json, at);
		launch.before = get_before(r, result_json, at);
		size_t machine = (size_t)get_int(r, result_json, at, "machine");
		struct recorded_launch *e = experiment_recordings_add(recorded, get_text(r, result_json, at, "ptx"),
			&launch, machine < r->n_machines ? r->machines[machine] : NULL);
		if (machine >= r->n_machines)
			FAULT(r, place_member(at, "machine"), "\"%s\" is not an index into \"machines\"", "machine");

		/* Those of the GPU, and those of the model where they are stored with them. */
		struct counted gpu = get_counted(r, result_json, at, "metrics"), model = get_model(r, result_json, at);
		e->metrics = gpu.metrics;
		e->values = gpu.values;
		e->n = gpu.n;
		e->model_metrics = model.metrics;
		e->model_values = model.values;
		e->n_model = model.n;
		if (e->n_model)
			get_modeled(r, result_json, at, &e->modeled);

		get_lines(r, result_json, at, &e->lines);

		/* By lines of the PTX, where it is there. */
		json_t *executed = json_object_get(result_json, "executed"), *value;
		const char *line, *executed_at = place_member(at, "executed");
		if (executed) {
			if (!json_is_object(executed) || json_object_size(executed) > WIRE_LINES_MAX) {
				FAULT(r, executed_at, "\"%s\" must be an object of lines", "executed");
			} else {
				e->executed = arena_array(
					r->arena, struct experiment_executed, json_object_size(executed) + 1);
				json_object_foreach(executed, line, value)
				{
					char *end;
					long number = strtol(line, &end, 10);
					struct experiment_executed *one = &e->executed[e->n_executed++];
					if (*end || end == line || number < 1 || number > INT32_MAX ||
						!json_is_number(value))
						FAULT(r, place_member(executed_at, line),
							"\"%s\" is not a line with a number", line);
					*one = (struct experiment_executed){(int)number, json_number_value(value)};
					if (one > e->executed && one->ptx_line <= one[-1].ptx_line)
						FAULT(r, place_member(executed_at, line), "\"%s\" must ascend",
							"executed");
				}
			}
		}

		get_instrs(r, result_json, at, &e->instrs);
	}

	if (json_object_get(json, "code")) {
		const json_t *codes = get_list(r, json, "code");
		const char *codes_at = place_item(place_member(r->text, "code"), 0);
		for (size_t i = 0; i < json_array_size(codes); i++, codes_at = place_next(codes_at))
			get_code(r, recorded, json_array_get(codes, i), codes_at);
	}

	get_programs(r, recorded, json);
}

struct experiment_recordings *experiment_recordings_read(
	struct arena *arena, const char *path, const char *text, size_t len, struct diag *diag)
{
	struct experiment_recordings *recorded = experiment_recordings_new(arena);
	size_t before = diag->errors;
	json_error_t error;
	json_t *json = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	struct recordings_reader r = {
		.arena = arena, .file = path, .text = text, .len = len, .diag = diag, .errors_before = diag->errors};
	if (json)
		get_all(&r, recorded, json);
	else
		diag_error(diag,
			(struct diag_pos){
				path, error.line > 0 ? error.line : 1, error.column > 0 ? error.column : 1, text, len},
			"not JSON: %s", error.text);
	json_decref(json);
	return diag->errors == before ? recorded : NULL;
}

struct experiment_recordings *experiment_recordings_load(struct arena *arena, const char *path, struct diag *diag)
{
	struct experiment_recordings *recorded = NULL;
	struct buf text = {0};
	if (!file_exists(path))
		return experiment_recordings_new(arena);
	if (file_read_text(path, FILE_MAX, &text, diag))
		recorded = experiment_recordings_read(arena, path, buf_str(&text), text.len, diag);
	buf_free(&text);
	return recorded;
}
