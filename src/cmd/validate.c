#include "config.h"
#include "cmd/validate.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"
#include "base/text.h"
#include "cmd/confined.h"
#include "cmd/measure.h"
#include "machine/ptx/ops.h"

#define COUNT_DEFAULT 10000
#define COUNT_MAX 1000000
#define RECORDING_MAX ((size_t)64 << 20)
#define PROGRESS_MS 100

static int run_validate(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

const struct campaign campaign_table[] = {
	{"instructions",
		"random programs from the table of instructions: every result of every instruction in every lane, bit by bit; "
		"approximate ones within the bound that the PTX manual states",
		50, false, VALIDATE_CC_LEAST, cmd_validate_instructions},
	{"patterns",
		"random accesses of a warp to every space, by every kind of load, store, copy and atomic operation: requests, "
		"wavefronts, bank conflicts, sectors and replays against the counters",
		1, true, VALIDATE_CC_LEAST, cmd_validate_patterns},
	{"occupancy", "random launch shapes: how many blocks an SM holds at a time", 100, false, VALIDATE_CC_SHAPES,
		cmd_validate_occupancy},
	{"lessons",
		"every experiment of every lesson over the values of its parameters: the counters that are predicted exactly",
		0, true, 0, cmd_validate_lessons},
	{"addresses",
		"the watched lines of the lessons: the addresses that warps record on the GPU against the machine's", 0,
		false, 0, cmd_validate_addresses},
	{0},
};
#define CAMPAIGNS (int)(sizeof campaign_table / sizeof *campaign_table - 1)

static const struct cmd_option options[] = {
	{"count", 'n', "N", N_("number of random cases; 10000 by default. Several campaigns share them, see below")},
	{"seed", 's', "S",
		N_("seed of the first case; each further case has the next one. By default a new one, which is printed")},
	{"every", 0, NULL,
		N_("instructions: instead of random programs, some that have every form of every instruction once")},
	{"live", 0, NULL, N_("compare with the GPU. --gpu SPEC means the same")},
	{"only", 0, "ROW|GROUP",
		N_("instructions: only these, such as add, ADD_INT, cvt, float or atom; may be repeated")},
	{"record", 0, "FILE", N_("instructions, patterns; with --live: store the cases and the GPU's results")},
	{"report", 0, "FILE",
		N_("with --live: write what agreed and what differed on this GPU, as JSON, or to be read where FILE ends in .md")},
	{"expect", 0, "FILE", N_("compare with such a recording; needs no GPU")},
	{"keep", 0, "DIR",
		N_("instructions: write each program that differs or fails to DIR/SEED.ptx, with its launch")},
	{"force", 0, NULL, N_("let --record, --report and --keep overwrite files that the command did not write")},
	{"format", 0, "FORMAT", N_("text or json")},
	{0},
};

static void needs_of_validate(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	needs->gpu = needs->ctx->gpu;
	for (int i = 0; i < n; i++) {
		if (cmd_is(&args[i], "live") && !needs->gpu)
			needs->gpu = "local";
		else if (cmd_is(&args[i], "expect"))
			cmd_needs_reading(needs, args[i].value);
		else if (cmd_is(&args[i], "record") || cmd_is(&args[i], "report"))
			cmd_needs_output(needs, args[i].value);
		else if (cmd_is(&args[i], "keep"))
			cmd_needs_writing(needs, args[i].value, CMD_OUTPUT_MODE);
	}
}

const struct cmd_entry cmd_validate_entry = {
	.name = "validate",
	.usage =
		"[CAMPAIGN]... (--live [--count N | --every] [--seed S] [--only ROW|GROUP]... [--record FILE] [--report FILE] | --expect FILE) "
		"[--keep DIR] [--force] [--format text|json]",
	.summary = N_("compare machine and model with the hardware"),
	.details = N_(
		"Runs campaigns, all when none is named, and prints for each a table of what agrees. Exit status 1 "
		"when anything differs that must not.\n"
		"instructions: random programs from the table of instructions, with inputs that favor edge values. "
		"Every result of every instruction in every lane is compared bit for bit; approximate instructions "
		"within the bound in the PTX manual. An instance is one instruction executed on one set of operand "
		"values, a lane's or, where lanes act together, a warp's; repeated operand values are not counted "
		"again. Among several campaigns it has N/50 programs.\n"
		"patterns: random accesses of one warp, by each kind of load, store, copy and atomic operation: all "
		"widths, masks, strides, windows, permutations, swizzles, broadcasts, pairs. What the model predicts "
		"is compared with what the GPU counts, rule by rule; the first access of a rule that differs is "
		"printed as a command that explains it. Rules that the model does not call verified may differ.\n"
		"occupancy: random launch shapes, by threads, registers, static and dynamic shared memory and "
		"barriers: how many blocks an SM holds at a time, by the model and as the blocks count themselves. "
		"Among several campaigns it has N/100.\n"
		"lessons: every experiment of every lesson over the values of its parameters. Counters that the "
		"machine and the model predict exactly are compared with the GPU's.\n"
		"addresses: the same launches with probes that record the addresses of the watched line, in the first "
		"four blocks: every access of every lane must be the machine's.\n"
		"--report FILE makes one file of it that can be sent to the authors, or to whoever has the GPU's type: the GPU, its driver and "
		"CUPTI, versions and date, what came of each campaign with its counts, and each difference with both numbers. "
		"It has no names of files, users or hosts, and not the GPU's serial number or UUID. Campaigns that this GPU cannot run are "
		"named with the reason, and the rest goes on. FILE.md is tables, with the JSON at their end.\n"
		"Each case has its own seed: --seed S --count 1 makes case S alone. --expect replays a recording "
		"where there is no GPU. Ctrl-C ends with what was compared so far."),
	.options = options,
	.run = run_validate,
	.needs = needs_of_validate,
};

/* --- arguments ---------------------------------------------------------------------------------------------------- */

/* Whether `name` is the row's id, the beginning of its opcode, or its group. */
static bool row_matches(const struct forms *forms, int op, const char *name)
{
	const char *spelling = ptx_op_rows[op].spelling;
	size_t n = strlen(name);
	return strcasecmp(ptx_op_rows[op].id, name) == 0 || strcasecmp(validate_forms_group(forms, op), name) == 0 ||
		(strncmp(spelling, name, n) == 0 && (spelling[n] == '\0' || spelling[n] == '.'));
}

static bool read_only(struct validation *v, const char *name)
{
	bool found = false;
	for (int op = 0; op < PTX_OPS; op++)
		if (!validate_forms_left_out(op) && row_matches(v->forms, op, name))
			v->choice.enabled[op] = found = true;
	return found ||
		cmd_bad_value(v->ctx, "--only", name,
			"an instruction with a result, such as add or ADD_INT, or a group, such as "
			"int, bits, float, compare, cvt, mem or warp");
}

static bool read_campaign(struct validation *v, const char *name)
{
	struct buf names = {0};
	for (int i = 0; i < CAMPAIGNS; i++) {
		if (strcmp(campaign_table[i].name, name) == 0) {
			buf_free(&names);
			return v->chosen[i] = true;
		}
		buf_printf(&names, "%s%s", i == 0 ? "" : i == CAMPAIGNS - 1 ? " or " : ", ", campaign_table[i].name);
	}
	cmd_usage(v->ctx, &cmd_validate_entry, "there is no campaign '%s'; there is %s", name, buf_str(&names));
	buf_free(&names);
	return false;
}

static bool read_validate_option(struct validation *v, const struct cmd_parsed *arg)
{
	if (!arg->option)
		return read_campaign(v, arg->value);
	if (cmd_is(arg, "count"))
		return v->has_count = true, cmd_whole(v->ctx, arg, 0, COUNT_MAX, &v->count);
	if (cmd_is(arg, "seed"))
		return v->has_seed = true, cmd_whole(v->ctx, arg, 0, UINT64_MAX - COUNT_MAX, &v->seed);
	if (cmd_is(arg, "only"))
		return read_only(v, arg->value);
	if (cmd_is(arg, "format"))
		return picture_format(v->ctx, arg->value, &v->format) &&
			(v->format == CANVAS_FORMAT_TEXT || v->format == PICTURE_JSON ||
				cmd_bad_value(v->ctx, "--format", arg->value, "text or json"));
	if (cmd_is(arg, "force"))
		v->force = v->record.force = v->report.force = true;
	else if (cmd_is(arg, "live") || cmd_is(arg, "every"))
		*(cmd_is(arg, "live") ? &v->live : &v->every) = true;
	else if (cmd_is(arg, "report"))
		v->report.path = arg->value;
	else
		*(cmd_is(arg, "record") ? &v->record.path : cmd_is(arg, "expect") ? &v->expect : &v->keep) = arg->value;
	return true;
}

static bool any_row_enabled(const struct validation *v)
{
	for (int op = 0; op < PTX_OPS; op++)
		if (v->choice.enabled[op])
			return true;
	return false;
}

static int campaigns_chosen(const struct validation *v)
{
	int n = 0;
	for (int i = 0; i < CAMPAIGNS; i++)
		n += v->chosen[i];
	return n;
}

/* Without a name, the options of `instructions` select it; without those, all campaigns run. */
static void choose_campaigns(struct validation *v)
{
	bool only_instructions = v->every || v->keep || v->record.path || any_row_enabled(v);
	if (campaigns_chosen(v))
		return;
	for (int i = 0; i < CAMPAIGNS; i++)
		v->chosen[i] = !only_instructions || campaign_table[i].run == cmd_validate_instructions;
}

static const char *usage_problem(const struct validation *v)
{
	bool generates = v->has_seed || v->has_count || v->every || any_row_enabled(v);
	bool instructions = v->chosen[0];
	if (v->live && v->expect)
		return "--live or --expect, not both";
	if (!v->live && !v->expect)
		return "compare with what? --live (a GPU) or --expect FILE (a recording)";
	if (v->every && v->has_count)
		return "--every makes as many programs as it takes; --count is for random ones";
	if (v->report.path && v->expect)
		return "--report is about a GPU: it needs --live";
	if (v->report.path && v->format != PICTURE_DEFAULT)
		return "--report has JSON in its file, and prints a line for each campaign: it takes no --format";
	if (v->expect && (generates || v->record.path))
		return "--expect FILE replays what the file holds";
	if ((v->every || v->keep || any_row_enabled(v)) && !instructions)
		return "--every, --only and --keep are for the campaign instructions";
	if (v->record.path && campaigns_chosen(v) > 1)
		return "--record: of which campaign? Name one";
	if (v->record.path && !v->chosen[0] && !v->chosen[1])
		return "--record is for the campaigns instructions and patterns";
	return NULL;
}

static bool read_validate_args(struct validation *v, const struct cmd_parsed *args, int n)
{
	for (int i = 0; i < n; i++)
		if (!read_validate_option(v, &args[i]))
			return false;
	v->live = v->live || (v->ctx->gpu && strcmp(v->ctx->gpu, "none") != 0);
	choose_campaigns(v);
	const char *wrong = usage_problem(v);
	if (wrong)
		cmd_usage(v->ctx, &cmd_validate_entry, "%s", wrong);
	return !wrong;
}

/* --- what campaigns share ----------------------------------------------------------------------------------------- */

static volatile sig_atomic_t stopped;

static void request_stop(int signal)
{
	(void)signal;
	stopped = 1;
}

bool cmd_validate_stopped(void)
{
	return stopped;
}

void cmd_validate_progress(struct validation *v, const char *campaign, uint64_t done, uint64_t differ)
{
	static double last;
	double now = v->shows_progress ? clock_ms() : 0;
	if (!v->shows_progress || (now - last < PROGRESS_MS && done))
		return;
	last = now;
	struct buf text = {0};
	buf_printf(&text, "%s: %" PRIu64 " of %" PRIu64 ", %" PRIu64 " differ", campaign, done, v->cases, differ);
	cmd_print_progress(buf_str(&text));
	buf_free(&text);
}

static void end_progress(const struct validation *v)
{
	if (v->shows_progress)
		cmd_print_progress("");
}

void cmd_validate_begin_recording(struct validation *v, const char *kind, int format)
{
	char date[20];
	time_t now = time(NULL);
	const struct wire_gpu *info = &v->info;
	strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
	buf_clear(&v->recording);
	buf_printf(&v->recording,
		"simttutor %s %d\n# %s, CC %d.%d, driver %s, CUDA %d.%d, %s; simttutor %s, seed %" PRIu64 "\n", kind,
		format, info->name, info->cc / 10, info->cc % 10, info->driver, info->driver_cuda / 1000,
		info->driver_cuda % 1000 / 10, date, PACKAGE_VERSION, v->seed);
}

/* --- recordings --------------------------------------------------------------------------------------------------- */

static int replay_recording(struct validation *v)
{
	struct buf text = {0};
	if (!file_read_text(v->expect, RECORDING_MAX, &text, &v->ctx->diag))
		return EXIT_MISSING;
	bool patterns = strncmp(buf_str(&text), "simttutor patterns", 18) == 0;
	int status = (patterns ? cmd_validate_replay_patterns : cmd_validate_replay_instructions)(v, &text);
	buf_free(&text);
	return status;
}

/* --- live --------------------------------------------------------------------------------------------------------- */

static bool find_campaign_gpu(struct validation *v)
{
	struct cmd_ctx *ctx = v->ctx;
	const struct wire_gpu *info = measure_find(ctx, v->gpu);
	if (!info)
		return false;
	v->info = *info; /* its strings live until the next message of the worker */
	v->info.driver = arena_strdup(ctx->arena, info->driver);
	v->info.counters_message = arena_strdup(ctx->arena, info->counters_message);
	v->info.chip = arena_strdup(ctx->arena, info->chip);
	v->info.cupti_version = arena_strdup(ctx->arena, info->cupti_version);
	v->gpu_name = v->info.name = arena_strdup(ctx->arena, info->name);
	return true;
}

/* Why a campaign cannot be run on this GPU; NULL: it can. */
static const char *cannot_run(const struct validation *v, const struct campaign *c)
{
	if (c->counters && !v->info.counters)
		return v->info.counters_message;
	if (v->info.cc >= c->least_cc)
		return NULL;
	return arena_printf(v->ctx->arena, "%s has CC %d.%d; the kernels of %s need %d.%d", v->info.name,
		v->info.cc / 10, v->info.cc % 10, c->name, c->least_cc / 10, c->least_cc % 10);
}

static int run_campaign(struct validation *v, const struct campaign *c)
{
	bool alone = campaigns_chosen(v) == 1;
	const char *why = cannot_run(v, c);
	if (why && v->report.path) {
		cmd_validate_report_campaign(v, c, EXIT_MISSING, 0, why);
		return EXIT_OK;
	}
	if (c->counters && !v->info.counters) {
		measure_report(v->ctx, v->gpu, "cannot count",
			&(struct wire_error){v->info.counters_error, v->info.counters_message});
		return EXIT_MISSING;
	}
	if (why) {
		diag_error(&v->ctx->diag, (struct diag_pos){0}, "%s", why);
		return EXIT_MISSING;
	}
	v->cases = c->share == 0 ? 0 : alone && v->has_count ? v->count : (v->count + c->share - 1) / c->share;
	size_t begin = v->out.len;
	if (v->report.path)
		; /* each by itself */
	else if (!alone && v->format == PICTURE_JSON)
		buf_printf(&v->out, "%s\"%s\": ", v->out.len > 2 ? ",\n" : "", c->name);
	else if (v->out.len)
		buf_putc(&v->out, '\n');
	int status = c->run(v);
	end_progress(v);
	if (v->report.path)
		cmd_validate_report_campaign(v, c, status, begin, NULL);
	return status;
}

/* Several in JSON are members of one object. */
static int run_campaigns(struct validation *v)
{
	bool json = v->format == PICTURE_JSON && campaigns_chosen(v) > 1 && !v->report.path;
	int status = EXIT_OK;
	if (json)
		buf_puts(&v->out, "{\n");
	for (int i = 0; i < CAMPAIGNS && status != EXIT_MISSING && !stopped; i++) {
		int one = v->chosen[i] ? run_campaign(v, &campaign_table[i]) : EXIT_OK;
		status = one > status ? one : status;
	}
	if (json)
		buf_puts(&v->out, "}\n");
	if (v->report.path && status != EXIT_MISSING && !cmd_validate_report(v))
		status = EXIT_FAILED;
	if (v->record.path && status != EXIT_MISSING && !output_write(v->ctx, &v->record, &v->recording))
		status = EXIT_FAILED;
	return status;
}

static int run_live(struct validation *v)
{
	struct cmd_ctx *ctx = v->ctx;
	struct sigaction act = {.sa_handler = request_stop}, before;
	v->gpu = gpu_new(cmd_gpu(ctx), ctx->paths.worker, &ctx->diag);
	if (!v->gpu)
		return EXIT_USAGE;
	int status = EXIT_MISSING;
	if (find_campaign_gpu(v)) {
		sigaction(SIGINT, &act, &before); /* the worker has its own session, which Ctrl-C does not reach */
		status = run_campaigns(v);
		sigaction(SIGINT, &before, NULL);
	}
	gpu_free(v->gpu);
	return status;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static uint64_t fresh_seed(void)
{
	uint32_t seed = 0;
	if (!portable_random(&seed, sizeof seed))
		seed = (uint32_t)time(NULL);
	return seed;
}

static int run_validate(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct validation v = {.ctx = ctx,
		.count = COUNT_DEFAULT,
		.format = PICTURE_DEFAULT,
		.shows_progress = isatty(STDERR_FILENO),
		.record = {.option = "--record", .mark = "simttutor "},
		.report = {.option = "--report", .mark = CMD_VALIDATE_REPORT_MARK}};
	v.forms = validate_forms_new(ctx->arena);
	v.choice = validate_choice_new(ctx->arena, v.forms);
	if (!read_validate_args(&v, args, n))
		return EXIT_USAGE;
	if (cmd_validate_is_markdown(v.report.path))
		v.report.mark = CMD_VALIDATE_MARKDOWN_MARK;
	if ((v.record.path && !output_check(ctx, &v.record)) || (v.report.path && !output_check(ctx, &v.report)))
		return EXIT_USAGE;
	if (v.report.path)
		v.format = PICTURE_JSON;
	v.seed = v.has_seed ? v.seed : fresh_seed();
	v.tally = validate_tally_new(ctx->arena, v.forms);
	bool all = !any_row_enabled(&v);
	for (int op = 0; op < PTX_OPS; op++)
		v.choice.enabled[op] = v.choice.enabled[op] || (all && !validate_forms_left_out(op));
	int status = v.expect ? replay_recording(&v) : run_live(&v);
	if (v.out.len && !cmd_print(ctx, &v.out))
		status = EXIT_FAILED;
	buf_free(&v.out);
	buf_free(&v.recording);
	return status;
}
