#include "config.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/confined.h"
#include "cmd/course.h"
#include "cmd/json.h"
#include "cmd/lesson.h"
#include "cmd/measure.h"
#include "cmd/picture.h"
#include "course/experiment/recordings.h"
#include "front/screen/screen.h"
#include "front/tutor/tutor.h"
#include "front/view/numbers.h"
#include "front/view/source.h"
#include "model/hardware/metrics.h"
#include "model/hardware/roofs.h"

/* --- JSON --------------------------------------------------------------------------------------------------------- */

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

/* A value of a parameter: its name where values have names. */
static json_t *parameter_json(const char *const *names, int64_t value)
{
	return names ? cmd_json_text(names[value]) : json_integer((json_int_t)value);
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

static json_t *parameters_json(const struct lesson *lesson, const int64_t *values)
{
	json_t *all = json_object();
	for (int i = 0; i < lesson->n_parameters; i++) {
		const struct parameter *p = &lesson->parameters[i];
		json_object_set_new(all, p->name, parameter_json(p->names, values[i]));
	}
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

/* Appends one object with every number of the step and its witness; a missing number is null, with the reason beside
 * it. */
static void show_json(struct tutor *tutor, struct buf *out)
{
	const struct step *step = &tutor->at.lesson->steps[tutor->at.step];
	const struct view_input *input = &tutor->shown.input;
	json_t *json = json_pack("{s:s, s:s, s:s, s:i, s:o, s:s?, s:o}", "lesson", tutor->at.lesson->id, "step",
		step->id, "title", step->title, "compute_capability", input->cc, "parameters",
		parameters_json(tutor->at.lesson, tutor->at.values), "measured_on", input->numbers->measured_on,
		"metrics", metrics_json(input->numbers->rows, input->numbers->n_rows));

	/* Adds to each metric what was recorded of it on other GPUs than it was measured on. */
	json_t *metrics = json_object_get(json, "metrics");
	const struct view_numbers *numbers = input->numbers;
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

	json_t *recorded = json_array();
	const struct experiment_provenance *from;
	for (int i = 0; (from = tutor_recorded_on(tutor, i)) != NULL; i++)
		json_array_append_new(recorded,
			json_pack("{s:o, s:i, s:i, s:o, s:o}", "gpu", cmd_json_text(from->gpu), "cc", from->cc, "sms",
				from->sms, "driver", cmd_json_text(from->driver), "date", cmd_json_text(from->date)));
	json_object_set_new(json, "recorded_on", recorded);
	if (tutor->measured.failure)
		json_object_set_new(json, "failure",
			json_pack("{s:s, s:o}", "code", tutor->measured.failure, "message",
				cmd_json_text(tutor->notice)));
	if (tutor_estimate(tutor))
		json_object_set_new(json, "estimate", cmd_json_estimate(tutor_estimate(tutor)));
	if (input->access)
		json_object_set_new(json, "access", access_json(input->access, input->cc, input->place));
	if (input->shuffle) {
		json_t *lanes = json_array();
		for (int lane = 0; lane < WARP_SIZE; lane++)
			json_array_append_new(lanes,
				input->shuffle->active >> lane & 1 ? json_integer(input->shuffle->from[lane])
								   : json_null());
		json_object_set_new(json, "shuffle", json_pack("{s:s, s:o}", "place", input->place, "from", lanes));
	}
	if (input->tiles) {
		json_t *fragments = cmd_json_tiles(input->tiles);
		json_object_set_new(fragments, "place", cmd_json_text(input->place));
		json_object_set_new(json, "fragments", fragments);
	}
	if (input->source->n_lines) {
		const struct view_source *source = input->source;
		json_t *lines = json_array();
		for (int i = 0; i < source->n_lines; i++) {
			const struct view_source_line *line = &source->lines[i];
			if (!line->executed)
				continue;
			json_t *one = json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "line", line->line, "text",
				cmd_json_text(line->text), "requests", json_integer((json_int_t)line->requests),
				"wavefronts_per_request", value_json(line->wavefronts, WITNESS_MODEL),
				"sectors_per_request", value_json(line->sectors, WITNESS_MODEL), "active_lanes",
				value_json(line->active_lanes, WITNESS_MODEL));
			if (source->measured) {
				/* What a GPU counted of the line; null: the compiler left no instruction of it. */
				const struct line_counts *counts = line_table_find(source->measured, line->line);
				enum witness by = source->measured_by;
				json_t *measured = json_null();
				if (counts) {
					measured = json_pack("{s:s, s:o, s:o}", "witness", witness_name(by),
						"wavefronts_per_request",
						value_json(line_counts_wavefronts(counts), by), "sectors_per_request",
						value_json(line_counts_sectors(counts), by));
					cmd_json_set_line_counts(measured, counts);
				}
				json_object_set_new(one, "measured", measured);
			}
			json_array_append_new(lines, one);
		}
		json_object_set_new(json, "source",
			json_pack("{s:o, s:i, s:o}", "file", cmd_json_text(source->file), "watched", source->watched,
				"lines", lines));
	}
	if (input->numbers->other) {
		/* The setting that stands beside the one whose numbers are `metrics`. */
		const struct lesson *lesson = tutor->at.lesson;
		struct arena *arena = arena_new();
		int64_t *values = arena_array(arena, int64_t, (size_t)lesson->n_parameters + 1);
		lesson_compare(lesson, step, tutor->at.values, values);
		json_object_set_new(json, "compare",
			json_pack("{s:o, s:o, s:o, s:o}", "name", cmd_json_text(numbers->names[numbers->shown]), "with",
				cmd_json_text(numbers->names[1 - numbers->shown]), "parameters",
				parameters_json(lesson, values), "metrics",
				metrics_json(numbers->other, numbers->n_rows)));
		arena_free(arena);
	}
	if (input->sweep->n) {
		json_t *points = json_array();
		for (int i = 0; i < input->sweep->n; i++)
			json_array_append_new(points,
				json_pack("{s:o, s:o, s:o, s:o}", "at",
					parameter_json(input->sweep->names, input->sweep->xs[i]), "predicted",
					value_json(input->sweep->predicted[i], WITNESS_MODEL), "range",
					range_json(input->sweep->metric, input->sweep->predicted[i]), "measured",
					value_json(input->sweep->measured[i], input->sweep->measured_by)));
		json_object_set_new(json, "sweep",
			json_pack("{s:s, s:o, s:o}", "metric", metric_table[input->sweep->metric].name, "parameter",
				cmd_json_text(input->sweep->parameter), "points", points));
	}
	if (input->roofline->n)
		json_object_set_new(json, "roofline", cmd_json_roofline(input->roofline));
	cmd_json_write(json, JSON_INDENT(2) | JSON_REAL_PRECISION(12), out);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

/* How long a step waits for the GPU that --gpu names. */
#define MEASURE_MS 30000

static int run_show(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const char view_help[] = "this view alone:"
#define VIEW(id, name, ...) " " name
#include "front/view/views.def"
#undef VIEW
	;

static const struct cmd_option options[] = {
	CMD_COURSE_OPTION,
	{"set", 0, "NAME=VALUE", N_("give a parameter another value; may be repeated")},
	{"recorded-on", 0, "GPU", N_("the numbers that were recorded on this one, where there are several")},
	{"view", 0, "NAME", view_help},
	{"point", 0, "THING:WHICH",
		N_("light something everywhere and say what it does: lane:5, bank:3, sector:2, warp:0:1 (block and warp), line:22, metric:NAME")},
	{"size", 0, "COLSxROWS",
		N_("size of the picture, a whole screen at least 60x16; by default the terminal's, or 80x24")},
	{"answered", 0, NULL, N_("as it is once the question is answered")},
	{"notes", 0, NULL, N_("the speaker's notes below the screen, as text")},
	{"format", 0, "FORMAT", PICTURE_FORMATS},
	{0},
};

static void needs_of_show(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	needs->gpu = needs->ctx->gpu;
	for (int i = 0; i < n; i++)
		needs->tools |= cmd_is(&args[i], "view") && view_is_of(view_find(args[i].value), VIEW_OF_CODE);
}

const struct cmd_entry cmd_show_entry = {
	.name = "show",
	.of_course = true,
	.usage =
		"[--course COURSE] LESSON[/STEP] [--set NAME=VALUE]... [--recorded-on GPU] [--view NAME] [--point THING:WHICH] [--size COLSxROWS] [--answered] [--notes] " PICTURE_USAGE,
	.summary = N_("print a step of a lesson as it looks on the screen"),
	.details = N_(
		"Prints the whole screen of the step, or one view of it. Numbers are the model's and the recorded "
		"ones; with --gpu they are measured first. What was recorded on several GPUs stands side by side from 100 columns on, in narrower "
		"pictures --recorded-on chooses. Nothing is covered: what answers the step's question is "
		"printed, too. What appears once it is answered needs --answered. The reader's progress "
		"changes nothing. The format is text, or ansi where standard output is a "
		"terminal with colors or CLICOLOR_FORCE is set."),
	.options = options,
	.run = run_show,
	.needs = needs_of_show,
};

struct show_request {
	const char *what, *set[32], *recorded_on;
	int n_set;
	bool answered, notes;
	view_id view;
	struct view_pick picked;
	int cols, rows;
	int format;
};

static bool parse_point(struct cmd_ctx *ctx, const char *text, struct view_pick *pick)
{
	static const struct {
		const char *name;
		enum view_thing thing;
		long end;
	} things[] = {{"lane:", THING_LANE, WARP_SIZE}, {"bank:", THING_BANK, MODEL_BANKS},
		{"sector:", THING_SECTOR, INT32_MAX}, {"line:", THING_LINE, INT32_MAX}};
	unsigned block, warp;
	int end = 0;
	for (size_t i = 0; i < sizeof things / sizeof *things; i++) {
		size_t len = strlen(things[i].name);
		char *rest;
		if (strncmp(text, things[i].name, len) != 0 || text[len] < '0' || text[len] > '9')
			continue;
		long index = strtol(text + len, &rest, 10);
		*pick = (struct view_pick){things[i].thing, index};
		if (!*rest && index < things[i].end)
			return true;
	}
	if (sscanf(text, "warp:%9u:%9u%n", &block, &warp, &end) == 2 && !text[end] && warp < BLOCK_WARPS_MAX) {
		*pick = (struct view_pick){THING_WARP, (int64_t)block * BLOCK_WARPS_MAX + warp};
		return true;
	}
	*pick = (struct view_pick){
		THING_METRIC, strncmp(text, "metric:", 7) == 0 ? metric_find(text + 7) : METRIC_NONE};
	return pick->index != METRIC_NONE ||
		cmd_bad_value(ctx, "--point", text,
			"lane:0 to lane:31, bank:0 to bank:31, sector:N, warp:BLOCK:WARP, line:N, or metric:NAME");
}

/* A value may be given by its name, as the screen shows it. */
static bool find_named_value(const struct lesson *lesson, const char *parameter, const char *name, int64_t *value)
{
	for (int i = 0; i < lesson->n_parameters; i++) {
		const struct parameter *p = &lesson->parameters[i];
		for (int v = 0; p->names && strcmp(p->name, parameter) == 0 && v < p->n_values; v++) {
			if (strcmp(p->names[v], name) == 0) {
				*value = p->values[v];
				return true;
			}
		}
	}
	return false;
}

static bool set_parameter(struct cmd_ctx *ctx, struct tutor *tutor, const char *set)
{
	const char *equals = strchr(set, '=');
	char *end = NULL;
	if (equals && equals != set) {
		char *name = arena_strndup(ctx->arena, set, (size_t)(equals - set));
		int64_t value = strtoll(equals + 1, &end, 0);
		if (find_named_value(tutor->at.lesson, name, equals + 1, &value) || (end != equals + 1 && !*end))
			return tutor_set(tutor, name, value, &ctx->diag);
	}
	return cmd_bad_value(
		ctx, "--set", set, "NAME=VALUE with a whole number, as in stride=2, or with the name of a value");
}

static int show_step(struct cmd_ctx *ctx, struct tutor *tutor, struct show_request *r)
{
	const struct lesson *lesson;
	int step = 0;
	if (!lesson_catalog_find(tutor->catalog, r->what, &lesson, &step, &ctx->diag))
		return EXIT_USAGE;
	tutor_open(tutor, lesson, step < 0 ? 0 : step);
	if (r->answered)
		tutor_answer_for_reader(tutor);
	for (int i = 0; i < r->n_set; i++)
		if (!set_parameter(ctx, tutor, r->set[i]))
			return EXIT_USAGE;
	if (r->recorded_on && !tutor_show_recorded_on(tutor, r->recorded_on, &ctx->diag))
		return EXIT_USAGE;
	if (r->view != VIEW_NONE)
		tutor_turn_to_view(tutor, r->view);

	/* Measures the step when --gpu is given. A GPU that counts but does not answer is a failure; without such a GPU
	 * something is missing. */
	int status = EXIT_OK;
	bool measures = ctx->gpu && strcmp(ctx->gpu, "none") != 0;
	if (measures && !tutor_measure_now(tutor, MEASURE_MS, &ctx->diag)) {
		const struct wire_gpu *gpu = gpu_info(tutor->gpu);
		status = gpu && gpu->counters ? EXIT_FAILED : EXIT_MISSING;
	}

	r->format = picture_choose(ctx, r->format);
	/* The terminal's size where standard output is one, else 80x24. */
	if (!r->cols && !picture_size(&r->cols, &r->rows)) {
		r->cols = 80;
		r->rows = 24;
	}
	bool whole = r->format != PICTURE_JSON && r->view == VIEW_NONE;
	if (whole && (r->cols < SCREEN_MIN_COLS || r->rows < SCREEN_MIN_ROWS)) {
		diag_error(&ctx->diag, (struct diag_pos){0},
			"the screen does not fit into %dx%d; it needs at least %dx%d", r->cols, r->rows,
			SCREEN_MIN_COLS, SCREEN_MIN_ROWS);
		return EXIT_USAGE;
	}
	struct buf out = {0};
	if (r->format == PICTURE_JSON) {
		show_json(tutor, &out);
	} else {
		struct canvas *canvas = canvas_new(r->rows, r->cols);
		struct screen_state screen = {.picked = r->picked, .seen = tutor->events};
		struct view_input input = tutor->shown.input;
		input.picked = r->picked;
		if (r->view == VIEW_NONE)
			screen_render(canvas, tutor, &screen, NULL);
		else
			view_draw(r->view, canvas, (struct rect){0, 0, r->rows, r->cols}, &input);
		picture_write(ctx, canvas, r->format, tutor->at.lesson->title, &out);
		canvas_free(canvas);
	}
	if (whole && (r->format == CANVAS_FORMAT_TEXT || r->format == CANVAS_FORMAT_ANSI) && tutor_estimate(tutor)) {
		/* Under the screen: how long the launch takes, and what bounds it. */
		const struct engine_estimate *estimate = tutor_estimate(tutor);
		picture_estimate(&(struct picture_page){.ctx = ctx, .cols = r->cols, .format = r->format, .out = &out},
			estimate);
	}
	if (r->notes && (r->format == CANVAS_FORMAT_TEXT || r->format == CANVAS_FORMAT_ANSI)) {
		const struct picture_page page = {.ctx = ctx, .cols = r->cols, .format = r->format, .out = &out};
		if (tutor_step(tutor) && *tutor_step(tutor)->notes)
			picture_printf(&page, "\nFor the speaker: %s\n", tutor_step(tutor)->notes);
	}
	if (!cmd_print_colored(ctx, &out))
		status = EXIT_FAILED;
	buf_free(&out);
	return status;
}

static int run_show(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct show_request r = {.view = VIEW_NONE, .format = PICTURE_DEFAULT};
	struct paths paths = ctx->paths;
	paths.state = paths.own = NULL;

	for (int i = 0; i < n; i++) {
		const char *value = args[i].value;
		bool ok = true;
		if (cmd_is(&args[i], "set")) {
			ok = r.n_set < (int)(sizeof r.set / sizeof *r.set);
			if (ok)
				r.set[r.n_set++] = value;
			else
				cmd_usage(ctx, &cmd_show_entry, "too many --set");
		} else if (cmd_is(&args[i], "recorded-on")) {
			r.recorded_on = value;
		} else if (cmd_is(&args[i], "view")) {
			r.view = view_find(value);
			ok = r.view != VIEW_NONE;
			if (!ok) {
				struct buf names = {0};
				for (int v = 0; v < view_count; v++)
					buf_printf(&names, "%s%s", v ? ", " : "", view_table[v].name);
				cmd_usage(ctx, &cmd_show_entry, "unknown view '%s'; there are %s", value,
					buf_str(&names));
				buf_free(&names);
			}
		} else if (cmd_is(&args[i], "point")) {
			ok = parse_point(ctx, value, &r.picked);
		} else if (cmd_is(&args[i], "size")) {
			ok = cmd_size(ctx, value, &r.cols, &r.rows);
		} else if (cmd_is(&args[i], "answered")) {
			r.answered = true;
		} else if (cmd_is(&args[i], "notes")) {
			r.notes = true;
		} else if (cmd_is(&args[i], "format")) {
			ok = picture_format(ctx, value, &r.format);
		} else if (r.what) {
			cmd_usage(ctx, &cmd_show_entry, "one lesson at a time");
			ok = false;
		} else {
			r.what = value;
		}
		if (!ok)
			return EXIT_USAGE;
	}
	if (!r.what)
		cmd_usage(ctx, &cmd_show_entry, "which lesson? `simttutor list` names them");
	if (r.what == NULL)
		return EXIT_USAGE;

	struct tutor *tutor = tutor_new(&paths, ctx->gpu ? ctx->gpu : "none", &ctx->diag);
	if (!tutor)
		return EXIT_MISSING;
	tutor->keeps_progress = false;
	tutor->covers = false;
	if (view_is_of(r.view, VIEW_OF_CODE)) {
		const struct experiment_assembler assembler = measure_assembler(ctx);
		tutor_set_assembler(tutor, &assembler);
	}
	int status = show_step(ctx, tutor, &r);
	tutor_free(tutor);
	return status;
}
