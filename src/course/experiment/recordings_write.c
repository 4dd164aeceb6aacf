#include "course/experiment/recordings_parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/portable.h"
#include "course/experiment/recordings.h"

static void put_text(struct buf *out, const char *text)
{
	json_t *json = json_string(text);
	char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
	buf_puts(out, quoted ? quoted : "\"\"");
	free(quoted);
	json_decref(json);
}

/* The shortest decimal that reads back as the same number. A zero has no sign: as JSON -0 is an integer. */
static void put_number(struct buf *out, double v)
{
	char text[40];
	v = v == 0 ? 0 : v;
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

static void put_lines(struct buf *out, const struct wire_line_counts *counts, const char *metrics, const char *lines)
{
	buf_printf(out, ",\n\t\t \"%s\": [", metrics);
	for (int i = 0; i < counts->n; i++) {
		buf_puts(out, i ? ",\n\t\t\t" : "\n\t\t\t");
		put_text(out, counts->metrics[i]);
	}
	buf_printf(out, "],\n\t\t \"%s\": {", lines);
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

static void put_value(struct buf *out, struct value value, bool first)
{
	buf_puts(out, first ? "" : ", ");
	if (value.state == VALUE_OK)
		put_number(out, value.v);
	else
		buf_puts(out, "null");
}

/* The metrics that the model has of any launch: named once, since what it has of each is as long as what a GPU has. */
struct model_metrics {
	const char **names;
	int n, cap;
};

static int find_metric(const struct model_metrics *m, const char *name)
{
	int i = 0;
	while (i < m->n && strcmp(m->names[i], name) != 0)
		i++;
	return i;
}

static void put_launch(struct buf *out, const struct launch *launch)
{
	buf_puts(out, "\"kernel\": ");
	put_text(out, launch->kernel);
	put_dims(out, "grid", launch->grid);
	put_dims(out, "block", launch->block);
	if (launch->cluster[0])
		put_dims(out, "cluster", launch->cluster);
	buf_printf(out, ", \"shared\": %u,%s\n\t\t \"args\": [", launch->shared,
		launch->cooperative ? " \"cooperative\": true," : "");
	for (int i = 0; i < launch->n_args; i++) {
		buf_puts(out, i ? ", " : "");
		put_text(out, launch->args[i].text);
	}
	buf_putc(out, ']');
}

/* The launches before it, the first one first. */
static void put_before(struct buf *out, const struct launch *launch)
{
	if (launch->before)
		put_before(out, launch->before);
	buf_puts(out, launch->before ? ",\n\t\t\t{" : "\n\t\t\t{");
	put_launch(out, launch);
	buf_putc(out, '}');
}

static void put_entry(struct buf *out, const struct recorded_launch *e, const struct model_metrics *model, int machine)
{
	buf_puts(out, "\t\t{");
	put_launch(out, &e->launch);
	if (e->launch.before) {
		buf_puts(out, ",\n\t\t \"before\": [");
		put_before(out, e->launch.before);
		buf_putc(out, ']');
	}
	buf_puts(out, ",\n\t\t \"ptx\": ");
	put_text(out, e->ptx);
	buf_printf(out, ", \"machine\": %d,\n\t\t \"metrics\": ", machine);

	buf_putc(out, '{');
	for (int i = 0; i < e->n; i++) {
		buf_puts(out, i ? ",\n\t\t\t" : "\n\t\t\t");
		put_text(out, e->metrics[i]);
		buf_puts(out, ": ");
		put_number(out, e->values[i]);
	}
	buf_putc(out, '}');

	if (e->n_model) {
		/* A number for each of the metrics; null: the model has none. */
		struct value *values = base_calloc((size_t)model->n, sizeof *values);
		for (int k = 0; k < e->n_model; k++)
			values[find_metric(model, e->model_metrics[k])] = value_ok(e->model_values[k]);
		buf_puts(out, ",\n\t\t \"model\": [");
		for (int i = 0; i < model->n; i++)
			put_value(out, values[i], i == 0);
		buf_putc(out, ']');
		free(values);
	}
	if (e->modeled.steps) {
		/* Lines: requests, and of each request or instruction the wavefronts, sectors and active lanes. */
		const struct experiment_modeled *m = &e->modeled;
		buf_printf(out, ",\n\t\t \"model_steps\": %" PRIu64 ",\n\t\t \"model_lines\": {", m->steps);
		for (int i = 0; i < m->n_lines; i++) {
			const struct experiment_line *line = &m->lines[i];
			buf_printf(out, "%s\"%d\": [%" PRIu64, i ? ", " : "", line->line, line->requests);
			put_value(out, line->wavefronts, false);
			put_value(out, line->sectors, false);
			put_value(out, line->active_lanes, false);
			buf_putc(out, ']');
		}
		buf_puts(out, "},\n\t\t \"model_executed\": [");
		for (int i = 0; i < m->n_executed; i++)
			buf_printf(out, "%s%" PRIu64, i ? ", " : "", m->executed[i]);
		buf_putc(out, ']');
	}
	if (e->lines.n_lines)
		put_lines(out, &e->lines, "line_metrics", "lines");
	for (int i = 0; i < e->n_executed; i++) {
		buf_printf(out, "%s\"%d\": ", i ? ", " : ",\n\t\t \"executed\": {", e->executed[i].ptx_line);
		put_number(out, e->executed[i].n);
	}
	buf_puts(out, e->n_executed ? "}" : "");
	if (e->instrs.n_lines) {
		buf_printf(out, ",\n\t\t \"instr_code\": \"%s\"", e->instrs.code);
		put_lines(out, &e->instrs, "instr_metrics", "instrs");
	}
	buf_puts(out, "}");
}

static int compare_codes(const void *a, const void *b)
{
	return experiment_recordings_compare_codes(a, b);
}

static int compare_entries(const void *a, const void *b)
{
	const struct recorded_launch *x = a, *y = b;
	int order = experiment_recordings_compare(&x->launch, &y->launch);
	order = order ? order : x->rank - y->rank;
	return order ? order : x->at - y->at;
}

static int compare_programs(const void *a, const void *b)
{
	const struct experiment_program *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : portable_compare_versions(x->arguments, y->arguments);
}

void experiment_recordings_format(const struct experiment_recordings *recorded, struct buf *out)
{
	size_t n = (size_t)recorded->n;
	struct recorded_launch *sorted = base_calloc(n + 1, sizeof *sorted);
	const struct experiment_provenance **machines = base_calloc(n + 1, sizeof *machines);
	int *of = base_calloc(n + 1, sizeof *of);
	if (n)
		memcpy(sorted, recorded->entries, n * sizeof *sorted);
	for (size_t i = 0; i < n; i++) {
		sorted[i].at = (int)i;

		const struct experiment_provenance *of_from = sorted[i].from;
		int rank = 0;
		while (rank < recorded->n_gpus && !experiment_same_gpu(recorded->gpus[rank], of_from))
			rank++;
		sorted[i].rank = rank;
	}
	qsort(sorted, n, sizeof *sorted, compare_entries);

	/* The distinct machines, GPU by GPU in their order, each in the order of its results; `of` gets the index for
	 * each entry. */
	int count = 0;
	for (int gpu = 0; gpu < recorded->n_gpus; gpu++)
		for (int i = 0; i < recorded->n; i++) {
			if (!experiment_same_gpu(sorted[i].from, recorded->gpus[gpu]))
				continue;
			for (of[i] = 0; of[i] < count &&
				!experiment_recordings_same_provenance(machines[of[i]], sorted[i].from);)
				of[i]++;
			if (of[i] == count)
				machines[count++] = sorted[i].from;
		}

	buf_printf(out, "{\n\t\"format\": %d,\n\t\"machines\": [", RECORDED_FORMAT);
	for (int i = 0; i < count; i++) {
		buf_puts(out, i ? ",\n" : "\n");

		const struct experiment_provenance *from = machines[i];
		buf_puts(out, "\t\t{\"gpu\": ");
		put_text(out, from->gpu);
		buf_printf(out, ", \"cc\": %d, \"sms\": %d", from->cc, from->sms);
		const char *const named[][2] = {
			{"driver", from->driver}, {"cuda", from->cuda}, {"cupti", from->cupti}, {"date", from->date}};
		for (int j = 0; j < 4; j++) {
			buf_printf(out, ", \"%s\": ", named[j][0]);
			put_text(out, named[j][1]);
		}
		buf_puts(out, "}");
	}
	buf_puts(out, "\n\t]");

	struct model_metrics model = {.n = 0};
	for (int i = 0; i < recorded->n; i++)
		for (int k = 0; k < sorted[i].n_model; k++) {
			const char *name = sorted[i].model_metrics[k];
			/* most launches have them in the same order */
			if ((k >= model.n || strcmp(model.names[k], name) != 0) && find_metric(&model, name) == model.n)
				*vec_push(model.names, model.n, model.cap) = name;
		}

	for (int i = 0; i < model.n; i++) {
		buf_puts(out, i ? ",\n\t\t" : ",\n\t\"model_metrics\": [\n\t\t");
		put_text(out, model.names[i]);
	}
	buf_puts(out, model.n ? "\n\t]" : "");
	buf_puts(out, ",\n\t\"results\": [");
	for (int i = 0; i < recorded->n; i++) {
		buf_puts(out, i ? ",\n" : "\n");
		put_entry(out, &sorted[i], &model, of[i]);
	}
	free(model.names);
	buf_puts(out, "\n\t]");

	size_t n_codes = (size_t)recorded->n_codes;
	if (n_codes) {
		struct recorded_code *codes = base_calloc(n_codes, sizeof *codes);
		memcpy(codes, recorded->codes, n_codes * sizeof *codes);
		qsort(codes, n_codes, sizeof *codes, compare_codes);
		buf_puts(out, ",\n\t\"code\": [");
		for (size_t i = 0; i < n_codes; i++) {
			buf_puts(out, i ? ",\n" : "\n");

			const struct code_listing *l = &codes[i].listing;
			buf_puts(out, "\t\t{\"kernel\": ");
			put_text(out, codes[i].kernel);
			const char *const named[][2] = {
				{"ptx", codes[i].ptx}, {"target", l->target}, {"compiler", l->compiler}};
			for (int j = 0; j < 3; j++) {
				buf_printf(out, ", \"%s\": ", named[j][0]);
				put_text(out, named[j][1]);
			}
			if (l->code)
				buf_printf(out, ", \"code\": \"%s\"", l->code);
			buf_printf(out,
				",\n\t\t \"registers\": %d, \"stack\": %d, \"spill_stores\": %d, \"spill_loads\": %d, "
				"\"first_line\": %d,\n\t\t \"instrs\": [",
				l->registers, l->stack, l->spill_stores, l->spill_loads, l->first_line);
			for (int k = 0; k < l->n; k++) {
				buf_printf(out, "%s[%u, %u, ", k ? ",\n\t\t\t" : "\n\t\t\t", l->instrs[k].address,
					l->instrs[k].ptx_line);
				put_text(out, l->instrs[k].text);
				buf_putc(out, ']');
			}
			buf_puts(out, "]}");
		}
		buf_puts(out, "\n\t]");
		free(codes);
	}

	size_t n_programs = (size_t)recorded->n_programs;
	if (n_programs) {
		struct experiment_program *programs = base_calloc(n_programs, sizeof *programs);
		memcpy(programs, recorded->programs, n_programs * sizeof *programs);
		qsort(programs, n_programs, sizeof *programs, compare_programs);
		buf_puts(out, ",\n\t\"programs\": [");
		for (size_t i = 0; i < n_programs; i++) {
			buf_puts(out, i ? ",\n" : "\n");

			const struct experiment_program *p = &programs[i];
			const char *const named[][2] = {{"arguments", p->arguments}, {"source", p->source},
				{"compiler", p->compiler}, {"date", p->date}};
			buf_puts(out, "\t\t{\"program\": ");
			put_text(out, p->name);
			for (size_t j = 0; j < sizeof named / sizeof *named; j++) {
				buf_printf(out, ", \"%s\": ", named[j][0]);
				put_text(out, named[j][1]);
			}
			buf_printf(out, ", \"cc\": %d,\n", p->cc);
			experiment_hostlog_format(p->log, "\t\t ", out);
			buf_puts(out, "}");
		}
		buf_puts(out, "\n\t]");
		free(programs);
	}

	buf_puts(out, "\n}\n");
	free(sorted);
	free(machines);
	free(of);
}

bool experiment_recordings_write(const struct experiment_recordings *recorded, const char *path, struct diag *diag)
{
	struct buf out = {0};
	experiment_recordings_format(recorded, &out);
	bool written = file_write(path, out.data, out.len, diag);
	buf_free(&out);
	return written;
}
