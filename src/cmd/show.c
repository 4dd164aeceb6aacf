#include "cmd/cmd.h"
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/confined.h"
#include "cmd/lessons.h"
#include "cmd/measure.h"
#include "cmd/picture.h"
#include "cmd/show_json.h"
#include "cmd/which_course.h"
#include "front/screen/screen.h"
#include "front/tutor/tutor.h"
#include "model/hardware/metrics.h"

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

static bool parse_view(struct cmd_ctx *ctx, const char *name, view_id *view)
{
	*view = view_find(name);
	if (*view != VIEW_NONE)
		return true;
	struct buf names = {0};
	for (int v = 0; v < view_count; v++)
		buf_printf(&names, "%s%s", v ? ", " : "", view_table[v].name);
	cmd_usage(ctx, &cmd_show_entry, "unknown view '%s'; there are %s", name, buf_str(&names));
	buf_free(&names);
	return false;
}

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

static bool parse_request(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, struct show_request *r)
{
	for (int i = 0; i < n; i++) {
		const char *value = args[i].value;
		bool ok = true;
		if (cmd_is(&args[i], "set")) {
			ok = r->n_set < (int)(sizeof r->set / sizeof *r->set);
			if (ok)
				r->set[r->n_set++] = value;
			else
				cmd_usage(ctx, &cmd_show_entry, "too many --set");
		} else if (cmd_is(&args[i], "recorded-on")) {
			r->recorded_on = value;
		} else if (cmd_is(&args[i], "view")) {
			ok = parse_view(ctx, value, &r->view);
		} else if (cmd_is(&args[i], "point")) {
			ok = parse_point(ctx, value, &r->picked);
		} else if (cmd_is(&args[i], "size")) {
			ok = cmd_size(ctx, value, &r->cols, &r->rows);
		} else if (cmd_is(&args[i], "answered")) {
			r->answered = true;
		} else if (cmd_is(&args[i], "notes")) {
			r->notes = true;
		} else if (cmd_is(&args[i], "format")) {
			ok = picture_format(ctx, value, &r->format);
		} else if (r->what) {
			cmd_usage(ctx, &cmd_show_entry, "one lesson at a time");
			ok = false;
		} else {
			r->what = value;
		}
		if (!ok)
			return false;
	}
	if (!r->what)
		cmd_usage(ctx, &cmd_show_entry, "which lesson? `simttutor list` names them");
	return r->what != NULL;
}

/* The terminal's size where standard output is one, else 80x24. */
static void default_size(struct show_request *r)
{
	if (!r->cols && !picture_size(&r->cols, &r->rows)) {
		r->cols = 80;
		r->rows = 24;
	}
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

static bool set_parameters(struct cmd_ctx *ctx, struct tutor *tutor, const struct show_request *r)
{
	for (int i = 0; i < r->n_set; i++)
		if (!set_parameter(ctx, tutor, r->set[i]))
			return false;
	return true;
}

static void draw_step(const struct tutor *tutor, const struct show_request *r, struct cmd_ctx *ctx, struct buf *out)
{
	struct canvas *canvas = canvas_new(r->rows, r->cols);
	struct screen_state screen = {.picked = r->picked, .seen = tutor->events};
	struct view_input input = tutor->shown.input;
	input.picked = r->picked;
	if (r->view == VIEW_NONE)
		screen_render(canvas, tutor, &screen, NULL);
	else
		view_draw(r->view, canvas, (struct rect){0, 0, r->rows, r->cols}, &input);
	picture_write(ctx, canvas, r->format, tutor->at.lesson->title, out);
	canvas_free(canvas);
}

/* Under the screen: how long the launch takes, and what bounds it. */
static void write_estimate(
	struct cmd_ctx *ctx, const struct show_request *r, const struct engine_estimate *estimate, struct buf *out)
{
	picture_estimate(
		&(struct picture_page){.ctx = ctx, .cols = r->cols, .format = r->format, .out = out}, estimate);
}

static void write_notes(struct cmd_ctx *ctx, const struct show_request *r, const struct step *step, struct buf *out)
{
	const struct picture_page page = {.ctx = ctx, .cols = r->cols, .format = r->format, .out = out};
	if (step && *step->notes)
		picture_printf(&page, "\nFor the speaker: %s\n", step->notes);
}

/* Measures the step when --gpu is given. A GPU that counts but does not answer is a failure; without such a GPU something is
 * missing. */
static int measure_step(struct cmd_ctx *ctx, struct tutor *tutor)
{
	if (!ctx->gpu || strcmp(ctx->gpu, "none") == 0 || tutor_measure_now(tutor, MEASURE_MS, &ctx->diag))
		return EXIT_OK;
	const struct wire_gpu *gpu = gpu_info(tutor->gpu);
	return gpu && gpu->counters ? EXIT_FAILED : EXIT_MISSING;
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
	if (!set_parameters(ctx, tutor, r))
		return EXIT_USAGE;
	if (r->recorded_on && !tutor_show_recorded_on(tutor, r->recorded_on, &ctx->diag))
		return EXIT_USAGE;
	if (r->view != VIEW_NONE)
		tutor_look(tutor, r->view);
	int status = measure_step(ctx, tutor);
	r->format = picture_choose(ctx, r->format);
	default_size(r);
	bool whole = r->format != PICTURE_JSON && r->view == VIEW_NONE;
	if (whole && (r->cols < SCREEN_MIN_COLS || r->rows < SCREEN_MIN_ROWS)) {
		diag_error(&ctx->diag, (struct diag_pos){0},
			"the screen does not fit into %dx%d; it needs at least %dx%d", r->cols, r->rows,
			SCREEN_MIN_COLS, SCREEN_MIN_ROWS);
		return EXIT_USAGE;
	}
	struct buf out = {0};
	if (r->format == PICTURE_JSON)
		show_json(tutor, &out);
	else
		draw_step(tutor, r, ctx, &out);
	if (whole && (r->format == CANVAS_FORMAT_TEXT || r->format == CANVAS_FORMAT_ANSI) && tutor_estimate(tutor))
		write_estimate(ctx, r, tutor_estimate(tutor), &out);
	if (r->notes && (r->format == CANVAS_FORMAT_TEXT || r->format == CANVAS_FORMAT_ANSI))
		write_notes(ctx, r, tutor_step(tutor), &out);
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
	if (!parse_request(ctx, args, n, &r))
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
