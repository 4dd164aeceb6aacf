#include "config.h"
#include "experiment/recorded.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/vec.h"
#include "experiment/json_place.h"

#define RECORDED_FORMAT 1
#define FILE_MAX ((size_t)64 << 20)

struct entry {
	const struct provenance *from;
	const char *ptx;
	struct launch launch; /* of the arguments only the texts */
	const char **metrics;
	double *values;
	int n;
	struct wire_line_counts lines; /* n_lines 0: none */
};

struct recorded {
	struct arena *arena;
	struct entry *entries;
	int n, cap;
};

struct recorded *recorded_new(struct arena *arena)
{
	struct recorded *r = arena_alloc(arena, sizeof *r);
	r->arena = arena;
	return r;
}

int recorded_count(const struct recorded *recorded)
{
	return recorded->n;
}

/* --- the fingerprint ---------------------------------------------------------------------------------------------- */

static const char *skip_comment(const char *p, const char *end)
{
	const char *body = p + 2;
	if (p[1] == '/')
		while (p < end && *p != '\n')
			p++;
	else
		for (p = body; p < end && !(p - body >= 2 && p[-1] == '/' && p[-2] == '*'); p++)
			continue;
	return p;
}

/* FNV-1a, 64 bits. */
static uint64_t mix(uint64_t hash, char c)
{
	return (hash ^ (unsigned char)c) * 0x100000001B3u;
}

void recorded_fingerprint(const char *ptx, size_t len, char out[17])
{
	uint64_t hash = 0xCBF29CE484222325u;
	const char *end = ptx + len;
	char last = ' ';
	bool quoted = false;
	for (const char *p = ptx; p < end;) {
		if (!quoted && *p == '/' && p + 1 < end && (p[1] == '/' || p[1] == '*')) {
			p = skip_comment(p, end);
			continue;
		}
		char c = *p++;
		quoted ^= c == '"';
		/* any run of blanks and newlines counts as one blank */
		if (!quoted && strchr(" \t\r\n", c)) {
			if (last == ' ')
				continue;
			c = ' ';
		}
		hash = mix(hash, c);
		last = c;
	}
	if (last != ' ')
		hash = mix(hash, ' ');
	for (int i = 15; i >= 0; i--, hash >>= 4)
		out[i] = "0123456789abcdef"[hash & 15];
	out[16] = '\0';
}

/* --- looking up --------------------------------------------------------------------------------------------------- */

static int compare_numbers(const uint32_t *a, const uint32_t *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* The order in the file. Texts compare with their numbers by value, so that a parameter's results stand in its order. */
static int compare_launches(const struct launch *a, const struct launch *b)
{
	int order = strcmp(a->kernel, b->kernel);
	order = order ? order : compare_numbers(a->grid, b->grid, 3);
	order = order ? order : compare_numbers(a->block, b->block, 3);
	order = order ? order : compare_numbers(&a->shared, &b->shared, 1);
	for (int i = 0; !order && i < a->n_args && i < b->n_args; i++)
		order = strverscmp(a->args[i].text, b->args[i].text);
	return order ? order : a->n_args - b->n_args;
}

bool recorded_same_launch(const struct launch *a, const struct launch *b)
{
	return compare_launches(a, b) == 0;
}

static int compare_entries(const void *a, const void *b)
{
	return compare_launches(&((const struct entry *)a)->launch, &((const struct entry *)b)->launch);
}

static struct entry *find(const struct recorded *r, const char *fingerprint, const struct launch *launch)
{
	for (int i = 0; i < r->n; i++)
		if (recorded_same_launch(&r->entries[i].launch, launch) && !strcmp(r->entries[i].ptx, fingerprint))
			return &r->entries[i];
	return NULL;
}

static bool has_launch(const struct recorded *r, const struct launch *launch)
{
	for (int i = 0; i < r->n; i++)
		if (recorded_same_launch(&r->entries[i].launch, launch))
			return true;
	return false;
}

enum recorded_found recorded_find(const struct recorded *recorded, const char *fingerprint, const struct launch *launch,
	struct recorded_result *out)
{
	const struct entry *e = find(recorded, fingerprint, launch);
	*out = (struct recorded_result){0};
	if (!e)
		return has_launch(recorded, launch) ? RECORDED_STALE : RECORDED_NONE;
	*out = (struct recorded_result){e->from, e->metrics, e->values, e->n, &e->lines};
	return RECORDED_OK;
}

/* --- adding ------------------------------------------------------------------------------------------------------- */

/* An entry of nothing else for this launch, in the place of an old one of it. */
static struct entry *make_entry(struct recorded *r, const char *fingerprint, const struct launch *launch)
{
	struct entry *e = find(r, fingerprint, launch);
	if (!e) {
		e = vec_push_in(r->arena, r->entries, r->n, r->cap);
	}
	*e = (struct entry){.launch = *launch, .ptx = arena_strdup(r->arena, fingerprint)};
	e->launch.kernel = arena_strdup(r->arena, launch->kernel);
	e->launch.args = arena_array(r->arena, struct launch_arg, (size_t)launch->n_args + 1);
	for (int i = 0; i < launch->n_args; i++)
		e->launch.args[i].text = arena_strdup(r->arena, launch->args[i].text);
	return e;
}

static bool same_provenance(const struct provenance *a, const struct provenance *b)
{
	return a->cc == b->cc && a->sms == b->sms && !strcmp(a->gpu, b->gpu) && !strcmp(a->driver, b->driver) &&
		!strcmp(a->cuda, b->cuda) && !strcmp(a->cupti, b->cupti) && !strcmp(a->date, b->date);
}

static const struct provenance *keep_provenance(struct recorded *r, const struct provenance *from)
{
	for (int i = 0; i < r->n; i++)
		if (r->entries[i].from && same_provenance(r->entries[i].from, from))
			return r->entries[i].from;
	struct provenance *copy = arena_alloc(r->arena, sizeof *copy);
	*copy = (struct provenance){arena_strdup(r->arena, from->gpu), arena_strdup(r->arena, from->driver),
		arena_strdup(r->arena, from->cuda), arena_strdup(r->arena, from->cupti),
		arena_strdup(r->arena, from->date), from->cc, from->sms};
	return copy;
}

void recorded_put(struct recorded *recorded, const struct provenance *provenance, const char *fingerprint,
	const struct launch *launch, const struct wire_measurement *measurement)
{
	struct arena *arena = recorded->arena;
	struct entry *e = make_entry(recorded, fingerprint, launch);
	e->from = keep_provenance(recorded, provenance);
	e->metrics = arena_array(arena, const char *, (size_t)measurement->n + 1);
	e->values = arena_array(arena, double, (size_t)measurement->n + 1);
	for (int i = 0; i < measurement->n; i++) {
		if (!measurement->available[i] || !isfinite(measurement->values[i]))
			continue;
		e->metrics[e->n] = arena_strdup(arena, measurement->metrics[i]);
		e->values[e->n++] = measurement->values[i];
	}
}

/* Room for `n_lines` rows of `n` metrics. */
static struct wire_line *make_lines(struct arena *arena, struct wire_line_counts *out, int n, int n_lines)
{
	struct wire_line *lines = arena_array(arena, struct wire_line, (size_t)n_lines + 1);
	bool *available = arena_array(arena, bool, (size_t)n + 1);
	for (int i = 0; i < n; i++)
		available[i] = true;
	for (int i = 0; i < n_lines; i++)
		lines[i].values = arena_array(arena, double, (size_t)n + 1);
	out->available = available;
	out->lines = lines;
	out->n_lines = n_lines;
	return lines;
}

void recorded_put_lines(struct recorded *recorded, const char *fingerprint, const struct launch *launch,
	const struct wire_line_counts *counts)
{
	struct entry *e = find(recorded, fingerprint, launch);
	if (!e)
		return;
	const char **names = arena_array(recorded->arena, const char *, (size_t)counts->n + 1);
	struct wire_line *lines = make_lines(recorded->arena, &e->lines, counts->n, counts->n_lines);
	e->lines.metrics = names;
	e->lines.n = 0;
	for (int i = 0; i < counts->n; i++) {
		if (!counts->available[i])
			continue;
		names[e->lines.n] = arena_strdup(recorded->arena, counts->metrics[i]);
		for (int k = 0; k < counts->n_lines; k++)
			((double *)lines[k].values)[e->lines.n] = counts->lines[k].values[i];
		e->lines.n++;
	}
	for (int k = 0; k < counts->n_lines; k++)
		lines[k].line = counts->lines[k].line;
}

bool recorded_take(
	struct recorded *recorded, const struct recorded *from, const char *fingerprint, const struct launch *launch)
{
	const struct entry *e = find(from, fingerprint, launch);
	if (e)
		*make_entry(recorded, fingerprint, launch) = *e;
	return e;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct reader {
	struct arena *arena;
	const char *file, *text;
	size_t len;
	struct diag *diag;
};

#define FAULT(r, at, ...) diag_error((r)->diag, json_place_pos((r)->file, (r)->text, (r)->len, at), __VA_ARGS__)

static const char *get_text(struct reader *r, const json_t *json, const char *at, const char *name)
{
	const char *value = json_string_value(json_object_get(json, name));
	if (!value)
		FAULT(r, json_place_member(at, name), "\"%s\" must be a string", name);
	return arena_strdup(r->arena, value ? value : "");
}

static int64_t get_int(struct reader *r, const json_t *json, const char *at, const char *name)
{
	const json_t *value = json_object_get(json, name);
	int64_t v = json_is_integer(value) ? json_integer_value(value) : -1;
	if (v < 0 || v > INT32_MAX)
		FAULT(r, json_place_member(at, name), "\"%s\" must be an integer, 0 or more", name);
	return v < 0 || v > INT32_MAX ? 0 : v;
}

static const json_t *get_array(struct reader *r, const json_t *json, const char *at, const char *name)
{
	const json_t *value = json_object_get(json, name);
	if (!json_is_array(value))
		FAULT(r, json_place_member(at, name), "\"%s\" must be an array", name);
	return json_is_array(value) ? value : NULL;
}

static void get_dims(struct reader *r, const json_t *json, const char *at, const char *name, uint32_t out[3])
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
		FAULT(r, json_place_member(at, name), "\"%s\" must be three positive integers", name);
}

static void get_args(struct reader *r, const json_t *json, const char *at, struct launch *out)
{
	const json_t *array = get_array(r, json, at, "args");
	const char *args_at = json_place_member(at, "args");
	out->n_args = (int)json_array_size(array);
	if (out->n_args > LAUNCH_ARGS_MAX) {
		FAULT(r, args_at, "\"%s\" holds too many arguments", "args");
		out->n_args = 0;
	}
	out->args = arena_array(r->arena, struct launch_arg, (size_t)out->n_args + 1);
	for (int i = 0; i < out->n_args; i++) {
		const char *text = json_string_value(json_array_get(array, (size_t)i));
		if (!text)
			FAULT(r, json_place_item(args_at, (size_t)i), "a member of \"%s\" must be a string", "args");
		out->args[i].text = arena_strdup(r->arena, text ? text : "");
	}
}

static void get_metrics(struct reader *r, json_t *json, const char *at, struct entry *e)
{
	json_t *metrics = json_object_get(json, "metrics"), *value;
	const char *name, *metrics_at = json_place_member(at, "metrics");
	if (!json_is_object(metrics)) {
		FAULT(r, metrics_at, "\"%s\" must be an object", "metrics");
		return;
	}
	e->metrics = arena_array(r->arena, const char *, json_object_size(metrics) + 1);
	e->values = arena_array(r->arena, double, json_object_size(metrics) + 1);
	json_object_foreach(metrics, name, value)
	{
		if (!json_is_number(value))
			FAULT(r, json_place_member(metrics_at, name), "\"%s\" must be a number", name);
		e->metrics[e->n] = arena_strdup(r->arena, name);
		e->values[e->n++] = json_number_value(value);
	}
}

static void get_line(
	struct reader *r, const json_t *values, const char *at, const struct wire_line_counts *lines, double *out)
{
	bool good = json_is_array(values) && json_array_size(values) == (size_t)lines->n;
	for (int i = 0; good && i < lines->n; i++) {
		good = json_is_number(json_array_get(values, (size_t)i));
		out[i] = json_number_value(json_array_get(values, (size_t)i));
	}
	if (!good)
		FAULT(r, at, "a line of \"%s\" must be a number for each of \"line_metrics\"", "lines");
}

/* Both members, or none of them. */
static void get_lines(struct reader *r, json_t *json, const char *at, struct wire_line_counts *out)
{
	json_t *lines = json_object_get(json, "lines"), *values;
	const char *line, *lines_at = json_place_member(at, "lines");
	if (!lines && !json_object_get(json, "line_metrics"))
		return;
	const json_t *names = get_array(r, json, at, "line_metrics");
	const char **metrics = arena_array(r->arena, const char *, json_array_size(names) + 1);
	if (!json_is_object(lines) || !names || json_object_size(lines) > WIRE_LINES_MAX) {
		FAULT(r, lines_at, "\"%s\" must be an object of lines", "lines");
		return;
	}
	for (out->n = 0; out->n < (int)json_array_size(names); out->n++) {
		const char *name = json_string_value(json_array_get(names, (size_t)out->n));
		metrics[out->n] = arena_strdup(r->arena, name ? name : "");
		if (!name)
			FAULT(r, json_place_member(at, "line_metrics"), "a member of \"%s\" must be a string",
				"line_metrics");
	}
	out->metrics = metrics;
	struct wire_line *row = make_lines(r->arena, out, out->n, (int)json_object_size(lines));
	json_object_foreach(lines, line, values)
	{
		char *end;
		long number = strtol(line, &end, 10);
		if (*end || end == line || number < 0 || number > INT32_MAX)
			FAULT(r, json_place_member(lines_at, line), "\"%s\" is no number of a line", line);
		row->line = (int)number;
		if (row > out->lines && row->line <= row[-1].line)
			FAULT(r, json_place_member(lines_at, line), "\"%s\" must ascend", "lines");
		get_line(r, values, json_place_member(lines_at, line), out, (double *)(row++)->values);
	}
}

static const struct provenance *get_machine(struct reader *r, const json_t *json, const char *at)
{
	struct provenance *from = arena_alloc(r->arena, sizeof *from);
	from->gpu = get_text(r, json, at, "gpu");
	from->cc = (int)get_int(r, json, at, "cc");
	from->sms = (int)get_int(r, json, at, "sms");
	from->driver = get_text(r, json, at, "driver");
	from->cuda = get_text(r, json, at, "cuda");
	from->cupti = get_text(r, json, at, "cupti");
	from->date = get_text(r, json, at, "date");
	return from;
}

static void get_result(struct reader *r, struct recorded *recorded, json_t *json, const char *at,
	const struct provenance *const *machines, size_t n_machines)
{
	struct launch launch = {0};
	launch.kernel = get_text(r, json, at, "kernel");
	get_dims(r, json, at, "grid", launch.grid);
	get_dims(r, json, at, "block", launch.block);
	launch.shared = (uint32_t)get_int(r, json, at, "shared");
	get_args(r, json, at, &launch);
	struct entry *e = make_entry(recorded, get_text(r, json, at, "ptx"), &launch);
	size_t machine = (size_t)get_int(r, json, at, "machine");
	if (machine < n_machines)
		e->from = machines[machine];
	else
		FAULT(r, json_place_member(at, "machine"), "\"%s\" is no index into \"machines\"", "machine");
	get_metrics(r, json, at, e);
	get_lines(r, json, at, &e->lines);
}

static void get_all(struct reader *r, struct recorded *recorded, const json_t *json)
{
	if (get_int(r, json, r->text, "format") != RECORDED_FORMAT) {
		FAULT(r, json_place_member(r->text, "format"), "this \"%s\" is not known; record the lesson again",
			"format");
		return;
	}
	const json_t *machines = get_array(r, json, r->text, "machines");
	const json_t *results = get_array(r, json, r->text, "results");
	const char *machines_at = json_place_member(r->text, "machines");
	size_t n = json_array_size(machines);
	const struct provenance **from = arena_array(r->arena, const struct provenance *, n + 1);
	for (size_t i = 0; i < n; i++)
		from[i] = get_machine(r, json_array_get(machines, i), json_place_item(machines_at, i));
	const char *at = json_place_item(json_place_member(r->text, "results"), 0);
	for (size_t i = 0; i < json_array_size(results); i++, at = json_place_next(at))
		get_result(r, recorded, json_array_get(results, i), at, from, n);
}

struct recorded *recorded_load(struct arena *arena, const char *path, struct diag *diag)
{
	struct recorded *recorded = recorded_new(arena);
	struct buf text = {0};
	size_t before = diag->errors;
	if (!file_exists(path))
		return recorded;
	if (!file_read(path, FILE_MAX, &text, diag)) {
		buf_free(&text);
		return NULL;
	}
	json_error_t error;
	json_t *json = json_loadb(buf_str(&text), text.len, JSON_REJECT_DUPLICATES, &error);
	struct reader r = {arena, path, buf_str(&text), text.len, diag};
	if (json)
		get_all(&r, recorded, json);
	else
		diag_error(diag,
			(struct diag_pos){path, error.line > 0 ? error.line : 1, error.column > 0 ? error.column : 1,
				buf_str(&text), text.len},
			"not JSON: %s", error.text);
	json_decref(json);
	buf_free(&text);
	return diag->errors == before ? recorded : NULL;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void put_text(struct buf *out, const char *text)
{
	json_t *json = json_string(text);
	char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
	buf_puts(out, quoted ? quoted : "\"\"");
	free(quoted);
	json_decref(json);
}

/* The shortest decimal that reads back as the same number. */
static void put_number(struct buf *out, double v)
{
	char text[40];
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	buf_puts(out, text);
}

static void put_dims(struct buf *out, const char *name, const uint32_t d[3])
{
	buf_printf(out, ", \"%s\": [%u, %u, %u]", name, d[0], d[1], d[2]);
}

static void put_machine(struct buf *out, const struct provenance *from)
{
	buf_puts(out, "\t\t{\"gpu\": ");
	put_text(out, from->gpu);
	buf_printf(out, ", \"cc\": %d, \"sms\": %d", from->cc, from->sms);
	const char *const named[][2] = {
		{"driver", from->driver}, {"cuda", from->cuda}, {"cupti", from->cupti}, {"date", from->date}};
	for (int i = 0; i < 4; i++) {
		buf_printf(out, ", \"%s\": ", named[i][0]);
		put_text(out, named[i][1]);
	}
	buf_puts(out, "}");
}

static void put_lines(struct buf *out, const struct wire_line_counts *counts)
{
	buf_puts(out, ",\n\t\t \"line_metrics\": [");
	for (int i = 0; i < counts->n; i++) {
		buf_puts(out, i ? ",\n\t\t\t" : "\n\t\t\t");
		put_text(out, counts->metrics[i]);
	}
	buf_puts(out, "],\n\t\t \"lines\": {");
	for (int i = 0; i < counts->n_lines; i++) {
		buf_printf(out, "%s\"%d\": [", i ? ",\n\t\t\t" : "\n\t\t\t", counts->lines[i].line);
		for (int k = 0; k < counts->n; k++) {
			buf_puts(out, k ? ", " : "");
			put_number(out, counts->lines[i].values[k]);
		}
		buf_puts(out, "]");
	}
	buf_puts(out, "}");
}

static void put_entry(struct buf *out, const struct entry *e, int machine)
{
	buf_puts(out, "\t\t{\"kernel\": ");
	put_text(out, e->launch.kernel);
	put_dims(out, "grid", e->launch.grid);
	put_dims(out, "block", e->launch.block);
	buf_printf(out, ", \"shared\": %u,\n\t\t \"args\": [", e->launch.shared);
	for (int i = 0; i < e->launch.n_args; i++) {
		buf_puts(out, i ? ", " : "");
		put_text(out, e->launch.args[i].text);
	}
	buf_puts(out, "],\n\t\t \"ptx\": ");
	put_text(out, e->ptx);
	buf_printf(out, ", \"machine\": %d,\n\t\t \"metrics\": {", machine);
	for (int i = 0; i < e->n; i++) {
		buf_puts(out, i ? ",\n\t\t\t" : "\n\t\t\t");
		put_text(out, e->metrics[i]);
		buf_puts(out, ": ");
		put_number(out, e->values[i]);
	}
	buf_puts(out, "}");
	if (e->lines.n_lines)
		put_lines(out, &e->lines);
	buf_puts(out, "}");
}

/* The distinct machines in the order of their first result; `of` gets the index for each entry. */
static int number_machines(const struct entry *entries, int n, const struct provenance **machines, int *of)
{
	int count = 0;
	for (int i = 0; i < n; i++) {
		for (of[i] = 0; of[i] < count && !same_provenance(machines[of[i]], entries[i].from);)
			of[i]++;
		if (of[i] == count)
			machines[count++] = entries[i].from;
	}
	return count;
}

bool recorded_write(const struct recorded *recorded, const char *path, struct diag *diag)
{
	size_t n = (size_t)recorded->n;
	struct entry *sorted = base_calloc(n + 1, sizeof *sorted);
	const struct provenance **machines = base_calloc(n + 1, sizeof *machines);
	int *of = base_calloc(n + 1, sizeof *of);
	struct buf out = {0};
	if (n)
		memcpy(sorted, recorded->entries, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_entries);
	int count = number_machines(sorted, recorded->n, machines, of);
	buf_printf(&out, "{\n\t\"format\": %d,\n\t\"machines\": [", RECORDED_FORMAT);
	for (int i = 0; i < count; i++) {
		buf_puts(&out, i ? ",\n" : "\n");
		put_machine(&out, machines[i]);
	}
	buf_puts(&out, "\n\t],\n\t\"results\": [");
	for (int i = 0; i < recorded->n; i++) {
		buf_puts(&out, i ? ",\n" : "\n");
		put_entry(&out, &sorted[i], of[i]);
	}
	buf_puts(&out, "\n\t]\n}\n");
	bool written = file_write(path, out.data, out.len, diag);
	buf_free(&out);
	free(sorted);
	free(machines);
	free(of);
	return written;
}
