#include "config.h"
#include "cmd/explore.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/text.h"
#include "cmd/confined.h"
#include "cmd/linear.h"
#include "cmd/measure.h"
#include "cmd/picture.h"
#include "cmd/program.h"
#include "course/lesson/lesson.h"
#include "front/screen/screen.h"
#include "front/tui/tui.h"
#include "model/hardware/metrics.h"
#include "tools/sandbox/starter.h"

/* --- --sweep ------------------------------------------------------------------------------------------------------ */

#define STEPPED_MOST 64 /* a longer range doubles where it does not say how it goes */

static const char expected[] =
	"NAME=VALUES with 1,2,4 or 1..64 or 0..64+4 or 32..1024*2, ascending, at most 1000 of them, and perhaps @VALUE to begin with";

struct knob_reader {
	struct explore *x;
	struct explore_knob *knob;
	int cap;
};

static bool read_knob_number(const char **at, int64_t *out)
{
	char *end;
	errno = 0;
	*out = strtoll(*at, &end, 10);
	bool ok = end > *at && !errno && (**at == '-' || (**at >= '0' && **at <= '9')) && llabs(*out) <= INT32_MAX;
	*at = end;
	return ok;
}

static bool add_value(struct knob_reader *r, int64_t value)
{
	struct explore_knob *k = r->knob;
	if (k->n == LESSON_VALUES_MAX || (k->n && value <= k->values[k->n - 1]))
		return false;
	*vec_push_in(r->x->ctx->arena, k->values, k->n, r->cap) = value;
	return true;
}

/* What stands after "A..": the end, and how to get there. */
static bool read_range(struct knob_reader *r, int64_t from, const char **at)
{
	int64_t to, by = 1, factor = 1;
	if (!read_knob_number(at, &to) || to < from)
		return false;
	char how = **at;
	if (how == '+' || how == '*') {
		++*at;
		if (!read_knob_number(at, how == '+' ? &by : &factor) || by < 1 || factor < 1)
			return false;
	} else if (to - from >= STEPPED_MOST && from > 0) {
		how = '*';
		factor = 2;
	}
	if (how == '*' && (factor < 2 || from < 1))
		return false;
	int64_t value = from;
	for (; value <= to; value = how == '*' ? value * factor : value + by)
		if (!add_value(r, value))
			return false;
	return r->knob->values[r->knob->n - 1] == to || add_value(r, to);
}

static bool read_values(struct knob_reader *r, const char **at)
{
	for (;; ++*at) {
		int64_t value;
		if (!read_knob_number(at, &value))
			return false;
		bool range = strncmp(*at, "..", 2) == 0;
		*at += range ? 2 : 0;
		if (range ? !read_range(r, value, at) : !add_value(r, value))
			return false;
		if (**at != ',')
			return true;
	}
}

static bool read_initial(struct explore_knob *knob, const char **at)
{
	knob->initial = knob->values[0];
	if (**at != '@')
		return true;
	++*at;
	if (!read_knob_number(at, &knob->initial))
		return false;
	for (int i = 0; i < knob->n; i++)
		if (knob->values[i] == knob->initial)
			return true;
	return false;
}

/* A name for an expression, which is none of what is watched. */
static bool name_is_good(const struct explore *x, const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	static const char *const taken[] = {"line", "block", "warp", "access", "version", "i"};
	bool good = *name && strspn(name, letters) == strlen(name) && !strchr("0123456789", *name) && strlen(name) < 32;
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		good = good && strcmp(name, taken[i]) != 0;
	for (int i = 0; i < x->n_knobs; i++)
		good = good && strcmp(name, x->knobs[i].name) != 0;
	return good && metric_find(name) == METRIC_NONE;
}

bool explore_read_knob(struct explore *x, const char *text)
{
	const char *equals = strchr(text, '='), *at = equals ? equals + 1 : "";
	if (x->n_knobs == EXPLORE_KNOBS_MAX)
		return cmd_bad_value(x->ctx, "--sweep", text, "at most 8 of them");
	struct explore_knob *knob = &x->knobs[x->n_knobs];
	struct knob_reader r = {x, knob, 0};
	*knob = (struct explore_knob){0};
	knob->name = equals ? arena_strndup(x->ctx->arena, text, (size_t)(equals - text)) : "";
	if (equals && !name_is_good(x, knob->name))
		return cmd_bad_value(x->ctx, "--sweep", text,
			"a name of letters, digits and _ that is not given twice, and is none of line, block, warp, access, version and i, nor a metric");
	if (!equals || !read_values(&r, &at) || !read_initial(knob, &at) || *at)
		return cmd_bad_value(x->ctx, "--sweep", text, expected);
	x->n_knobs++;
	return true;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int run_explore(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	RUN_LAUNCH_OPTIONS{"launch", 0, "WHICH",
		N_("of a whole program: the launch to look at, its number, kernel=NAME or line=N; the first by default")},
	{"sweep", 0, "NAME=VALUES",
		N_("a parameter: {NAME}, or {NAME*4}, in --grid, --block, --shared, --arg and --set is its value, which can be turned; VALUES "
		   "as 1,2,4 or 1..64 or 0..64+4 or 32..1024*2, perhaps with @VALUE to begin with; may be repeated")},
	{"metric", 0, "NAME", N_("what is drawn against the parameter; by default wavefronts or sectors per request")},
	{"compare", 0, "OTHER", N_("side by side with OTHER: another file's kernel, or another kernel of the file")},
	{"warp", 'w', "B:W", N_("watch block B's warp W first")},
	{"line", 'l', "N", N_("watch line N first; by default the one with most wavefronts and sectors")},
	{"steps", 0, "N", N_("stop a run after N warp instructions; 200000000 by default")},
	{"cc", 0, "CC", N_("the rules and limits of this compute capability, as in 9.0, the default")},
	{"registers", 0, "N", N_("registers per thread, for the occupancy")},
	{"watch-only", 0, NULL, N_("e opens no editor: it says where the source is")},
	{"linear", 0, NULL, N_("line by line, in words: for screen readers, and by itself on dumb terminals")},
	{"view", 0, "NAME", N_("show this view first")},
	{"size", 0, "COLSxROWS", N_("of the printed screen, at least 60x16; by default the terminal's, or 80x24")},
	{"format", 0, "FORMAT", N_("print the screen and end: text, ansi, svg or html")},
	{0},
};

/* The reader's editor, for the files that are explored and what lies beside them: begun before we are confined. */
static void begin_editor(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	const char **folders = arena_array(ctx->arena, const char *, (size_t)n + 2);
	int used = 0;
	for (int i = 0; i < n; i++) {
		const char *slash = strrchr(args[i].value ? args[i].value : "", '/');
		if (cmd_is(&args[i], "source"))
			folders[used++] = args[i].value;
		else if (slash && (!args[i].option || cmd_is(&args[i], "compare")))
			folders[used++] = arena_strndup(ctx->arena, args[i].value, (size_t)(slash - args[i].value) + 1);
	}
	folders[used++] = ".";
	folders[used] = NULL;
	if (cmd_has_terminal())
		foreground_begin(folders, ctx->arena);
}

static void needs_of_explore(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	if (program_is_asked(args, n)) {
		program_needs_to_stop(needs, args, n);
		cmd_needs_reading(needs, ".");
		for (int i = 0; i < n; i++)
			if (cmd_is(&args[i], "source"))
				cmd_needs_reading(needs, args[i].value);
	} else {
		cmd_needs_launch(needs, args, n);
	}
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], "compare"))
			cmd_needs_file(needs, args[i].value);
	needs->tools = true; /* ptxas, and the compiler, when the file changes */
	needs->forks = true;
	needs->gpu = cmd_gpu(needs->ctx);
	cmd_needs_writing(needs, needs->ctx->paths.config, 0700);
}

const struct cmd_entry cmd_explore_entry = {
	.name = "explore",
	.usage =
		"FILE.ptx|FILE.cu|FILE.launch [--kernel NAME] --grid X[,Y[,Z]] --block X[,Y[,Z]] [--cluster X[,Y[,Z]]] "
		"[--shared BYTES] [--cooperative] [--arg ARG]... [--set NAME=ARG]... [--then KERNEL ...]... [--source "
		"DIR]... [--define NAME[=VALUE]]... "
		"[--launch WHICH] [--sweep NAME=VALUES]... [--metric NAME] [--compare OTHER] [--warp B:W] [--line N] "
		"[--steps N] [--cc CC] [--registers N] [--watch-only] [--linear] [--view NAME] [--size COLSxROWS] "
		"[--format text|ansi|svg|html]",
	.summary = N_("look at a kernel of yours on the screen of the lessons"),
	.details = N_(
		"Runs the kernel on the SIMT machine as `simttutor run` does, with the same file, launch and arguments, and shows it as "
		"lessons show theirs: the source with the numbers of each line, all pictures of the line that is watched, the "
		"predicted numbers. Up and down choose the line, tab and the arrows a block, a warp, one of the accesses that it makes in "
		"the line, and what --sweep made a parameter: --sweep n=32..1024 --grid '{n/32}' --arg 'f32[{n}]'. A range goes up one by "
		"one, or doubles where that would be more than 64 values; +4 and *2 after it say how. The keys are listed by ? and under "
		"KEYS.\n"
		"When a file changes it is compiled and shown anew, at the same line, view and values; what the compiler says of a faulty "
		"one is shown above the version before it, which stays. m measures on the GPU, and from then on what is turned to; nothing "
		"is measured before, unless --gpu is given. e opens the source at the watched line in the editor that "
		"VISUAL or else EDITOR "
		"names, with its arguments; --watch-only says on one line where it is.\n"
		"With --compare two versions are launched alike, another file's kernel or another one of the same file: a picture has the "
		"numbers of both and their lines side by side, with what differs marked, ~ the text, + lines of one alone, # the numbers; "
		"n and p show the other one.\n"
		"A whole program, as `simttutor run` takes one, runs up to the launch that --launch chooses, and that "
		"is looked at with the "
		"memory it really had; so is a FILE.launch that run --record kept. `simttutor run` lists a program's "
		"launches. Neither follows a "
		"file that changes, and no GPU measures them.\n"
		"Where standard output is not a terminal, and with --linear, the screen is described in words; with "
		"--format it is printed. Exit status 0: it was shown; 1: the compiler refuses it; 2: it cannot be "
		"launched like that; 3: a file or a compiler is missing."),
	.options = options,
	.examples = (const struct cmd_example
			[]){{"explore twice.cu -g 4 -b 128 -a 'u32[512]:iota' -a 'u32[512]' --linear",
				    "Line 4, which is watched: 32 memory requests, each 4 sectors; on average 32 of 32 lanes are active."},
		{"explore homework.cu --launch 1 --format text -- 1024",
			"sum  launch 1 of its program, at homework.cu:28"},
		{"explore transpose.cu -k transpose -g 1 -b 32,32 -a 'f32[1024]' -a 'f32[1024]' --line 6 --format text",
			"32 wavefronts, ideal 1: 31 conflicts"},
		{"explore transpose.cu -k transpose -g 1 -b 32,32 -a 'f32[1024]' -a 'f32[1024]' --compare padded --format text",
			"992        0 ×0"},
		{"explore twice.cu --sweep n=1..64 -g '{n}' -b 128 -a 'u32[{n*128}]:iota' -a 'u32[{n*128}]' --format text",
			"n ◂ 1 ▸   block ◂ 0 ▸   warp ◂ 0 ▸"},
		{0}},
	.groups = (const struct cmd_group[]){{N_("the launch"), "kernel grid block shared arg launch"},
		{N_("what is compared"), "sweep metric compare"}, {N_("what is watched first"), "warp line view"},
		{N_("how it is shown"), "linear format size"}, {N_("the compiler and the GPU"), "define source cc"},
		{0}},
	.run = run_explore,
	.needs = needs_of_explore,
	.begin = begin_editor,
};

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n > m && strcmp(text + n - m, end) == 0;
}

static bool read_own_option(struct explore *x, const struct cmd_parsed *arg, bool *is)
{
	*is = true;
	if (cmd_is(arg, "sweep"))
		return explore_read_knob(x, arg->value);
	if (cmd_is(arg, "metric")) {
		const char *name = arg->value;
		x->metric = name;
		return metric_find(name) != METRIC_NONE ||
			cmd_bad_value(x->ctx, "--metric", name, "a metric; `simttutor metrics` lists them");
	}
	if (cmd_is(arg, "view")) {
		const char *name = arg->value;
		x->show.view = view_find(name);
		if (x->show.view != VIEW_NONE)
			return true;
		struct buf names = {0};
		for (int v = 0; v < view_count; v++)
			buf_printf(&names, "%s%s", v ? ", " : "", view_table[v].name);
		cmd_bad_value(x->ctx, "--view", name, buf_str(&names));
		buf_free(&names);
		return false;
	}
	if (cmd_is(arg, "size"))
		return cmd_size(x->ctx, arg->value, &x->show.cols, &x->show.rows);
	if (cmd_is(arg, "format")) {
		const char *name = arg->value;
		x->show.format_given = true;
		if (!picture_format(x->ctx, name, &x->show.format))
			return false;
		return x->show.format < CANVAS_FORMATS ||
			cmd_bad_value(x->ctx, "--format", name, "text, ansi, svg or html");
	}
	if (cmd_is(arg, "compare"))
		x->other = arg->value;
	else if (cmd_is(arg, "linear"))
		x->show.linear = true;
	else
		*is = false;
	return true;
}

static bool read_arguments(struct explore *x, const struct cmd_parsed *args, int n)
{
	x->args = arena_array(x->ctx->arena, struct cmd_parsed, (size_t)n + 1);
	for (int i = 0; i < n; i++) {
		bool own = false;
		if (args[i].option && !read_own_option(x, &args[i], &own))
			return false;
		if (args[i].option && !own)
			x->args[x->n_args++] = args[i];
		if (!args[i].option && x->file)
			return cmd_usage(x->ctx, &cmd_explore_entry,
				       "give only one file: '%s' is a second one; --compare takes another",
				       args[i].value) == EXIT_OK;
		if (!args[i].option)
			x->file = args[i].value;
	}
	if (!x->file)
		return cmd_usage(x->ctx, &cmd_explore_entry, "which file? PTX, or CUDA source") == EXIT_OK;
	x->other_is_file = x->other && (ends_in(x->other, ".cu") || ends_in(x->other, ".ptx") || file_exists(x->other));
	return true;
}

/* --- compiling ---------------------------------------------------------------------------------------------------- */

/* The PTX of a file, which is made where it is source. An exit status. */
static int load_ptx(struct explore *x, const char *path, struct buf *ptx)
{
	struct run *run = arena_array(x->ctx->arena, struct run, 1);
	run->ctx = x->ctx;
	run->entry = &cmd_explore_entry;
	run->file = path;
	run->cc = MODEL_CC_DEFAULT;
	run->live = x->ctx->gpu && strcmp(x->ctx->gpu, "none") != 0; /* its NVRTC may compile */
	run->launch.args = run->args;
	bool read = true;
	for (int i = 0; i < x->n_args && read; i++)
		if (cmd_is(&x->args[i], "define") || cmd_is(&x->args[i], "source") || cmd_is(&x->args[i], "cc"))
			read = run_read_option(run, &x->args[i]);

	int status = EXIT_USAGE;
	if (read && run_is_kept(run))
		status = run_open_kept(run) ? EXIT_OK : run->missing ? EXIT_MISSING : EXIT_FAILED;
	else if (!x->ctx->diag.errors)
		status = run_load_ptx(run);
	if (status == EXIT_OK)
		buf_append(ptx, buf_str(&run->ptx), run->ptx.len);
	run_free(run);
	return status;
}

/* In a process of its own, when a file has changed. */
int explore_compile(void *of, const char *path, const char *ptx_path)
{
	struct explore *x = of;
	struct buf ptx = {0};
	diag_free(&x->ctx->diag);
	x->ctx->diag = (struct diag){0};
	int status = load_ptx(x, path, &ptx);
	if (status == EXIT_OK && !file_write(ptx_path, buf_str(&ptx), ptx.len, &x->ctx->diag))
		status = EXIT_FAILED;
	cmd_print_messages(x->ctx);
	buf_free(&ptx);
	return status;
}

/* --- showing ------------------------------------------------------------------------------------------------------ */

#define MEASURE_MS 30000

static int show_session(struct explore *x, struct tutor *tutor)
{
	struct cmd_ctx *ctx = x->ctx;
	bool measured = ctx->gpu && strcmp(ctx->gpu, "none") != 0, terminal = cmd_has_terminal();
	bool asked = x->show.linear || tutor_setting_is(&ctx->settings, SETTING_LINEAR, "on");
	bool words = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && (!terminal || asked);
	tutor->settings = &ctx->settings;
	cmd_set_rest(ctx, tutor->gpu);
	if (x->show.view != VIEW_NONE)
		tutor_turn_to_view(tutor, x->show.view);
	if (!x->show.format_given && (x->show.linear || words))
		return cmd_linear_run(ctx, tutor);
	if (!x->show.format_given && terminal) {
		if (measured)
			tutor_gpu_start(tutor);
		return tui_run(tutor, ctx->theme, &ctx->diag);
	}
	if (measured && !tutor_measure_now(tutor, MEASURE_MS, &ctx->diag))
		return EXIT_MISSING;
	if (!x->show.format_given)
		return cmd_linear_print(ctx, tutor);

	struct explore_view *show = &x->show;
	if (!show->cols && !picture_size(&show->cols, &show->rows)) {
		show->cols = 80;
		show->rows = 24;
	}
	if (show->cols < SCREEN_MIN_COLS || show->rows < SCREEN_MIN_ROWS) {
		diag_error(&ctx->diag, (struct diag_pos){0},
			"the screen does not fit into %dx%d; it needs at least %dx%d", show->cols, show->rows,
			SCREEN_MIN_COLS, SCREEN_MIN_ROWS);
		return EXIT_USAGE;
	}
	struct canvas *canvas = canvas_new(show->rows, show->cols);
	struct screen_state screen = {.seen = tutor->events};
	struct buf out = {0};
	screen_render(canvas, tutor, &screen, NULL);
	picture_write(ctx, canvas, picture_choose(ctx, show->format), tutor->at.lesson->title, &out);
	bool ok = cmd_print_colored(ctx, &out);
	buf_free(&out);
	canvas_free(canvas);
	return ok ? EXIT_OK : EXIT_FAILED;
}

static int run_explore(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct explore *x = arena_array(ctx->arena, struct explore, 1);
	x->ctx = ctx;
	x->show = (struct explore_view){.view = VIEW_NONE, .format = PICTURE_DEFAULT};
	int status = program_is_asked(args, n) ? program_stop(ctx, &cmd_explore_entry, &args, &n, &x->kept_as)
					       : EXIT_OK;
	if (status == EXIT_OK && !read_arguments(x, args, n))
		status = EXIT_USAGE;

	struct buf ptx[EXPLORE_FILES_MAX] = {{0}};
	for (int i = 0; i < (x->other_is_file ? 2 : 1) && status == EXIT_OK; i++)
		status = load_ptx(x, explore_path(x, i), &ptx[i]);

	/* The options of the session; those of the launch are read with each of its values. */
	struct run *run = arena_array(ctx->arena, struct run, 1);
	run->ctx = ctx;
	run->entry = &cmd_explore_entry;
	run->cc = MODEL_CC_DEFAULT;
	run->watch.steps = PROFILE_STEPS_PATIENT;
	run->launch.args = run->args;
	for (int i = 0; i < x->n_args && status == EXIT_OK; i++)
		if ((cmd_is(&x->args[i], "cc") || cmd_is(&x->args[i], "steps")) && !run_read_option(run, &x->args[i]))
			status = EXIT_USAGE;

	if (status == EXIT_OK) {
		struct tutor_explorer explorer = {.ctx = x,
			.n_paths = x->other_is_file ? 2 : 1,
			.compiler = {x, explore_compile},
			.make = explore_make,
			.steps = run->watch.steps,
			.cc = run->cc,
			.assembler = measure_assembler(ctx)};
		for (int i = 0; i < explorer.n_paths; i++)
			explorer.paths[i] = strcmp(explore_path(x, i), "-") != 0 && !x->kept_as ? explore_path(x, i)
												: NULL;
		struct tutor *tutor = tutor_explore(&explorer, ptx, cmd_gpu(ctx), ctx->paths.worker, &ctx->diag);
		if (tutor)
			cmd_print_messages(ctx); /* warnings, before the screen is there */
		status = tutor ? show_session(x, tutor) : EXIT_USAGE;
		tutor_free(tutor);
	}

	for (int i = 0; i < EXPLORE_FILES_MAX; i++)
		buf_free(&ptx[i]);
	program_stop_end();
	return status;
}
