#include "cmd/show_json.h"
#include "config.h"

#include <jansson.h>
#include <stdlib.h>

#include "cmd/json.h"
#include "course/experiment/recordings.h"
#include "model/hardware/metrics.h"

static json_t *value_json(struct value value, enum witness witness)
{
	if (value.state == VALUE_OK)
		return json_pack("{s:f, s:s}", "value", value.v, "witness", witness_name(witness));
	struct buf why = {0};
	value_explain(value, &why);
	json_t *json = json_pack("{s:n, s:s}", "value", "missing", buf_str(&why));
	buf_free(&why);
	return json;
}

/* Between which numbers a GPU counts an estimate; null: it is none, or that is not known. */
static json_t *range_json(enum metric_id metric, struct value predicted)
{
	double least, most;
	if (predicted.state != VALUE_OK || !metric_range(metric, predicted.v, &least, &most))
		return json_null();
	return json_pack("[f, f]", least, most);
}

static json_t *metrics_json(const struct view_number *rows, int n)
{
	json_t *all = json_array();
	for (int i = 0; i < n; i++) {
		const struct view_number *row = &rows[i];
		const struct metric *metric = &metric_table[row->metric];
		struct buf formula = {0};
		metric_formula(row->metric, row->counted, &formula);
		json_array_append_new(all,
			json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "name", metric->name, "label",
				metric->label, "unit", metric->unit, "hardware", buf_str(&formula), "trust",
				counter_trust_name(row->predicted.state == VALUE_NOT_MODELED
						? COUNTER_HARDWARE
						: metric_trust(row->metric)),
				"predicted", value_json(row->predicted, WITNESS_MODEL), "range",
				range_json(row->metric, row->predicted), "measured",
				value_json(row->measured, row->measured_by)));
		buf_free(&formula);
	}
	return all;
}

/* Adds to each metric what was recorded of it on other GPUs than it was measured on. */
static void set_elsewhere(json_t *metrics, const struct view_numbers *numbers)
{
	for (int i = 0; i < numbers->n_rows && numbers->n_elsewhere; i++) {
		json_t *all = json_array();
		for (int k = 0; k < numbers->n_elsewhere; k++) {
			const struct view_elsewhere *elsewhere = &numbers->elsewhere[k];
			json_array_append_new(all,
				json_pack("{s:o, s:o, s:o}", "gpu", cmd_json_text(elsewhere->gpu), "date",
					cmd_json_text(elsewhere->date), "measured",
					value_json(elsewhere->measured[i], WITNESS_RECORDED)));
		}
		json_object_set_new(json_array_get(metrics, (size_t)i), "elsewhere", all);
	}
}

/* A value of a parameter: its name where values have names. */
static json_t *parameter_json(const char *const *names, int64_t value)
{
	return names ? cmd_json_text(names[value]) : json_integer((json_int_t)value);
}

static json_t *sweep_json(const struct view_sweep *sweep)
{
	json_t *points = json_array();
	for (int i = 0; i < sweep->n; i++)
		json_array_append_new(points,
			json_pack("{s:o, s:o, s:o, s:o}", "at", parameter_json(sweep->names, sweep->xs[i]), "predicted",
				value_json(sweep->predicted[i], WITNESS_MODEL), "range",
				range_json(sweep->metric, sweep->predicted[i]), "measured",
				value_json(sweep->measured[i], sweep->measured_by)));
	return json_pack("{s:s, s:o, s:o}", "metric", metric_table[sweep->metric].name, "parameter",
		cmd_json_text(sweep->parameter), "points", points);
}

static json_t *access_json(const struct warp_access *access, int cc, const char *place)
{
	json_t *addresses = json_array();
	for (int lane = 0; lane < WARP_SIZE; lane++)
		json_array_append_new(addresses,
			access->active >> lane & 1 ? json_integer((json_int_t)access->address[lane]) : json_null());
	struct access_cost cost = access_cost(access, cc);
	json_t *json = json_pack("{s:s, s:s, s:s, s:i, s:o, s:i}", "place", place, "space",
		warp_space_name(access->space), "op", warp_op_name(access->op), "width", access->width, "addresses",
		addresses, "requests", cost.requests);
	json_t *costs = access->space == SPACE_SHARED
		? json_pack("{s:i, s:i, s:i}", "wavefronts", cost.wavefronts, "ideal_wavefronts", cost.ideal_wavefronts,
			  "bank_conflicts", cost.bank_conflicts)
		: json_pack("{s:i, s:i, s:i}", "sectors", cost.sectors, "bytes_used", cost.bytes_used, "bytes_moved",
			  cost.bytes_moved);
	json_object_update(json, costs);
	json_decref(costs);
	return json;
}

static json_t *shuffle_json(const struct warp_shuffle *shuffle, const char *place)
{
	json_t *from = json_array();
	for (int lane = 0; lane < WARP_SIZE; lane++)
		json_array_append_new(
			from, shuffle->active >> lane & 1 ? json_integer(shuffle->from[lane]) : json_null());
	return json_pack("{s:s, s:o}", "place", place, "from", from);
}

static json_t *fragments_json(const struct warp_tiles *tiles, const char *place)
{
	json_t *json = cmd_json_tiles(tiles);
	json_object_set_new(json, "place", cmd_json_text(place));
	return json;
}

/* What a GPU counted of the line. A line of which the compiler left no instruction has null. */
static json_t *measured_json(const struct view_source *source, int line)
{
	const struct line_counts *counts = line_table_find(source->measured, line);
	if (!counts)
		return json_null();
	json_t *json = json_pack("{s:s, s:o, s:o}", "witness", witness_name(source->measured_by),
		"wavefronts_per_request", value_json(line_counts_wavefronts(counts), source->measured_by),
		"sectors_per_request", value_json(line_counts_sectors(counts), source->measured_by));
	cmd_json_set_line_counts(json, counts);
	return json;
}

static json_t *source_json(const struct view_source *source)
{
	json_t *lines = json_array();
	for (int i = 0; i < source->n_lines; i++) {
		const struct view_source_line *line = &source->lines[i];
		if (!line->executed)
			continue;
		json_t *json = json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "line", line->line, "text",
			cmd_json_text(line->text), "requests", json_integer((json_int_t)line->requests),
			"wavefronts_per_request", value_json(line->wavefronts, WITNESS_MODEL), "sectors_per_request",
			value_json(line->sectors, WITNESS_MODEL), "active_lanes",
			value_json(line->active_lanes, WITNESS_MODEL));
		if (source->measured)
			json_object_set_new(json, "measured", measured_json(source, line->line));
		json_array_append_new(lines, json);
	}
	return json_pack(
		"{s:o, s:i, s:o}", "file", cmd_json_text(source->file), "watched", source->watched, "lines", lines);
}

static json_t *parameters_json(const struct lesson *lesson, const int64_t *values)
{
	json_t *all = json_object();
	for (int i = 0; i < lesson->n_parameters; i++) {
		const struct parameter *p = &lesson->parameters[i];
		json_object_set_new(all, p->name, parameter_json(p->names, values[i]));
	}
	return all;
}

/* The setting that stands beside the one whose numbers are `metrics`. */
static json_t *compare_json(const struct tutor *tutor, const struct step *step)
{
	const struct lesson *lesson = tutor->at.lesson;
	const struct view_numbers *numbers = &tutor->shown.input.numbers;
	struct arena *arena = arena_new();
	int64_t *values = arena_array(arena, int64_t, (size_t)lesson->n_parameters + 1);
	lesson_compare(lesson, step, tutor->at.values, values);
	json_t *json = json_pack("{s:o, s:o, s:o, s:o}", "name", cmd_json_text(numbers->names[numbers->shown]), "with",
		cmd_json_text(numbers->names[1 - numbers->shown]), "parameters", parameters_json(lesson, values),
		"metrics", metrics_json(numbers->other, numbers->n_rows));
	arena_free(arena);
	return json;
}

/* The GPUs that the lesson was recorded on, the first one the one whose numbers are shown unless another is asked for. */
static json_t *recorded_on_json(const struct tutor *tutor)
{
	json_t *all = json_array();
	const struct experiment_provenance *from;
	for (int i = 0; (from = tutor_recorded_on(tutor, i)) != NULL; i++)
		json_array_append_new(all,
			json_pack("{s:o, s:i, s:i, s:o, s:o}", "gpu", cmd_json_text(from->gpu), "cc", from->cc, "sms",
				from->sms, "driver", cmd_json_text(from->driver), "date", cmd_json_text(from->date)));
	return all;
}

static json_t *roof_work_json(const struct roof_work *work, enum witness witness)
{
	json_t *bytes = json_object();
	for (int level = 0; level < ROOF_LEVELS; level++)
		json_object_set_new(
			bytes, roof_level_name((enum roof_level)level), value_json(work->bytes[level], witness));
	return json_pack("{s:o, s:o, s:o}", "operations", value_json(work->operations, witness), "ns",
		value_json(work->time, witness), "bytes", bytes);
}

json_t *cmd_json_roofline(const struct view_roofline *r)
{
	json_t *launches = json_array(), *roofs = json_object();
	for (int kind = 0; r->roofs && kind < ROOF_KINDS; kind++)
		if (r->roofs->of[kind].rate > 0)
			json_object_set_new(roofs, roof_kind_table[kind].name,
				json_pack("{s:f, s:s}", "value", r->roofs->of[kind].rate, "unit",
					roof_kind_table[kind].unit));
	for (int i = 0; i < r->n; i++) {
		struct roof_work predicted = r->predicted[i];
		if (r->covered && r->covered[i])
			predicted.time = value_missing(VALUE_COVERED);
		json_array_append_new(launches,
			json_pack("{s:o, s:o, s:o}", "at",
				r->sweep ? parameter_json(r->sweep->names, r->sweep->xs[i]) : json_null(), "predicted",
				roof_work_json(&predicted, WITNESS_MODEL), "measured",
				roof_work_json(&r->measured[i], r->measured_by)));
	}
	return json_pack("{s:o, s:s?, s:o, s:o, s:b}", "gpu", cmd_json_text(r->gpu), "roofs_measured",
		r->roofs ? r->roofs->measured : NULL, "roofs", roofs, "launches", launches, "operations_counted",
		(int)r->counted);
}

void show_json(struct tutor *tutor, struct buf *out)
{
	const struct step *step = &tutor->at.lesson->steps[tutor->at.step];
	const struct view_input *input = &tutor->shown.input;
	json_t *json = json_pack("{s:s, s:s, s:s, s:i, s:o, s:s?, s:o}", "lesson", tutor->at.lesson->id, "step",
		step->id, "title", step->title, "compute_capability", input->cc, "parameters",
		parameters_json(tutor->at.lesson, tutor->at.values), "measured_on", input->numbers.measured_on,
		"metrics", metrics_json(input->numbers.rows, input->numbers.n_rows));
	set_elsewhere(json_object_get(json, "metrics"), &input->numbers);
	json_object_set_new(json, "recorded_on", recorded_on_json(tutor));
	if (tutor->measured.failure)
		json_object_set_new(json, "failure",
			json_pack("{s:s, s:o}", "code", tutor->measured.failure, "message",
				cmd_json_text(tutor->notice)));
	if (tutor_estimate(tutor))
		json_object_set_new(json, "estimate", cmd_json_estimate(tutor_estimate(tutor)));
	if (input->access)
		json_object_set_new(json, "access", access_json(input->access, input->cc, input->place));
	if (input->shuffle)
		json_object_set_new(json, "shuffle", shuffle_json(input->shuffle, input->place));
	if (input->tiles)
		json_object_set_new(json, "fragments", fragments_json(input->tiles, input->place));
	if (input->source.n_lines)
		json_object_set_new(json, "source", source_json(&input->source));
	if (input->numbers.other)
		json_object_set_new(json, "compare", compare_json(tutor, step));
	if (input->sweep.n)
		json_object_set_new(json, "sweep", sweep_json(&input->sweep));
	if (input->roofline.n)
		json_object_set_new(json, "roofline", cmd_json_roofline(&input->roofline));
	cmd_json_write(json, JSON_INDENT(2) | JSON_REAL_PRECISION(12), out);
}
