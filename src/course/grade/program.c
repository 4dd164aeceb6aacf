/* An exercise that is a whole program: compiled, run in a sandbox, and judged by what it printed, its report and its
 * launches. */
#include "config.h"
#include "course/grade/grade.h"

#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/demangle.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "course/experiment/experiment.h"
#include "course/experiment/grade.h"
#include "course/experiment/recordings.h"
#include "machine/ptx/ptx.h"
#include "machine/snapshot/snapshot.h"
#include "model/hardware/hostlog.h"
#include "model/hardware/metrics.h"
#include "model/profile/profile.h"
#include "tools/compile/build.h"
#include "tools/sandbox/sandbox.h"

#define LOG_MAX ((size_t)64 << 10)
#define OUTPUT_MAX ((size_t)1 << 20)
#define REPORT_MAX ((size_t)16 << 20)
#define WORDS (16 + LESSON_ARGUMENTS_MAX)
#define LAUNCHES "launches"

/* A program that is graded. */
struct grading_program {
	const struct compile_ctx *ctx;
	struct arena *arena;
	const struct lesson *lesson;
	const struct step *step;
	const char *agreed;  /* see struct grade_request */
	struct build *build; /* in whose folder it runs */
	const char *program; /* its path */
	struct experiment_grade *grade;
	bool counts; /* a goal is about metrics: launches are kept */
	/* What the first run reported. */
	double launches, leaks;
	struct hostlog_sums sums; /* of what it asked for */
	bool reported;
};

/* --- what it printed, and what it was to print --- */

#define QUOTED_MAX 120 /* bytes of a line */

static const char *quoted(const struct grading_program *g, const char *line)
{
	struct buf out = {0};
	size_t len = strlen(line);
	if (len > QUOTED_MAX)
		line = arena_printf(g->arena, "%.*s...", QUOTED_MAX, line);
	buf_puts(&out, "\"");
	escape_puts(line, &out);
	buf_puts(&out, "\"");
	const char *text = arena_strdup(g->arena, buf_str(&out));
	buf_free(&out);
	return text;
}

/* The next line from `*at` on that has more than blanks, and its number; NULL: there is none. */
static const char *next_line(const struct grading_program *g, const struct buf *output, size_t *at, int *number)
{
	while (*at < output->len) {
		const char *first = output->data + *at, *end = memchr(first, '\n', output->len - *at);
		size_t len = end ? (size_t)(end - first) : output->len - *at;

		/* A line with single blanks, and none at its ends. */
		struct buf out = {0};
		for (size_t i = 0; i < len; i++) {
			bool blank = first[i] == ' ' || first[i] == '\t' || first[i] == '\r';
			if (!blank && i && strchr(" \t\r", first[i - 1]) && out.len)
				buf_putc(&out, ' ');
			if (!blank)
				buf_putc(&out, first[i] ? first[i] : '?');
		}
		const char *line = arena_strndup(g->arena, buf_str(&out), out.len);
		buf_free(&out);

		*at += len + (end != NULL);
		++*number;
		if (*line)
			return line;
	}
	return NULL;
}

/* What is wrong with what it printed, after `with`; NULL: nothing. */
static const char *output_fault(
	const struct grading_program *g, const struct exercise_run *run, const char *with, const struct buf *output)
{
	size_t at = 0;
	int number = 0;
	for (int i = 0; i < run->n_prints; i++) {
		const char *line = next_line(g, output, &at, &number);
		if (!line)
			return arena_printf(g->arena, "%sits output ends before %s", with, quoted(g, run->prints[i]));
		if (strcmp(line, run->prints[i]) != 0)
			return arena_printf(g->arena, "%sline %d of its output is %s, not %s", with, number,
				quoted(g, line), quoted(g, run->prints[i]));
	}
	const char *more = next_line(g, output, &at, &number);
	return more ? arena_printf(g->arena, "%sline %d of its output is %s, where there is to be none", with, number,
			      quoted(g, more))
		    : NULL;
}

/* --- its launches, counted: those that were kept are launched again with the models listening --- */

#define STEPS_MAX 20000000u /* warp instructions of a launch */

/* --- what the report has ------------------------------------------------------------------------------------------ */

/* How many launches a report has; NULL: none. */
static int launches_in(const json_t *report)
{
	size_t i;
	const json_t *row;
	json_int_t n = 0;
	json_array_foreach(json_object_get(report, "launches"), i, row)
		n += json_integer_value(json_object_get(row, "count"));
	return (int)n;
}

/* What goals can name beside metrics. */
static const char *const words[] = {LESSON_LAUNCHES, LESSON_LEAKS};

static bool is_goal_word(const char *name)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i], name) == 0)
			return true;
	return lesson_program_word(name);
}

/* Whether goals need more than the report: metrics. */
static bool goals_have_metrics(const struct exercise *exercise)
{
	for (int i = 0; i < exercise->n_goals; i++) {
		const struct judgment *holds = &exercise->goals[i].holds;
		for (int k = 0; k < holds->n_terms; k++)
			if (!is_goal_word(holds->terms[k].metric) || exercise->goals[i].kernel)
				return true;
	}
	return false;
}

/* Takes what the report of the first run says. */
static void take_report(struct grading_program *g, const json_t *report)
{
	size_t i;
	const json_t *problem;
	const char *why;
	struct hostlog *log = experiment_hostlog_read(g->arena, report, &why);
	if (log)
		g->sums = hostlog_sum(log);
	g->launches = launches_in(report);
	g->reported = true;
	json_array_foreach(json_object_get(report, "problems"), i, problem)
	{
		const char *kind = json_string_value(json_object_get(problem, "kind"));
		if (kind && strcmp(kind, "leak") == 0)
			g->leaks++;
	}
}

/* --- counters ----------------------------------------------------------------------------------------------------- */

/* The launches of a goal, added up. */
struct counting {
	struct grading_program *g;
	const char *kernel; /* NULL: all */
	struct counts counts;
	int n;
	const char *why; /* there is no number; NULL: there is */
};

/* --- goals -------------------------------------------------------------------------------------------------------- */

static bool term_value(void *ctx, const struct term *term, double *out, const char **why)
{
	struct counting *c = ctx;
	*why = "the program has left no report";
	if (strcmp(term->metric, LESSON_LEAKS) == 0) {
		*out = c->g->leaks;
		return c->g->reported;
	}
	if (strcmp(term->metric, LESSON_LAUNCHES) == 0) {
		*out = c->kernel ? c->n : c->g->launches;
		return c->g->reported;
	}
	if (experiment_program_word(&c->g->sums, term->metric, out))
		return c->g->reported;
	struct value value = metric_value(metric_find(term->metric), &c->counts);
	*why = c->why ? c->why : value_reason(value.state);
	*out = value.v;
	return !c->why && value.state == VALUE_OK;
}

/* Judges a goal by the launches of the first run. */
static void judge_goal(struct grading_program *g, const struct goal *goal, struct experiment_grade_goal *out)
{
	struct counting c = {.g = g, .kernel = goal->kernel};
	const struct lesson_terms terms = {term_value, &c};
	struct buf is = {0};
	const char *why = "";
	double v;
	if (g->counts) {
		const char *folder = path_join(c.g->arena, c.g->build->scratch.path, LAUNCHES);
		DIR *dir = opendir(folder);
		for (struct dirent *entry; dir && !c.why && (entry = readdir(dir)) != NULL;)
			if (snapshot_is_named(entry->d_name)) {
				const char *path = path_join(c.g->arena, folder, entry->d_name);
				struct arena *launch_arena = arena_new();
				struct diag quiet = {0};
				const struct snapshot *s = snapshot_read(launch_arena, path, &quiet);
				struct ptx_module *module = NULL;
				struct launch launch;
				if (s && (!c.kernel || demangle_is(launch_arena, s->kernel, c.kernel)))
					module = ptx_parse(launch_arena, path, s->ptx, s->ptx_len, &quiet);
				const struct profile *profile = NULL;
				if (module) {
					snapshot_launch(s, &launch);
					profile = profile_run(launch_arena, module, &launch,
						(struct profile_watch){.cc = s->cc, .steps = STEPS_MAX}, &quiet);
				}
				if (profile && profile->result.outcome != SIMT_LIMIT) {
					/* Sums add up; of what is none, as the registers of a thread, launches must
					 * agree. */
					const struct counts *more = &profile->counts;
					for (int i = 0; i < COUNTERS; i++) {
						struct value *sum = &c.counts.c[i];
						const char *hw = counter_table[i].hw;
						size_t len = strlen(hw);
						if (!c.n)
							*sum = more->c[i];
						else if (sum->state != VALUE_OK || more->c[i].state != VALUE_OK)
							*sum = sum->state == VALUE_OK ? more->c[i] : *sum;
						else if (len > 4 && strcmp(hw + len - 4, ".sum") == 0)
							sum->v += more->c[i].v;
						else if (sum->v < more->c[i].v || sum->v > more->c[i].v)
							*sum = value_missing(VALUE_NONE);
					}
					c.n++;
				} else if (module || !s) {
					c.why = "a launch is too long, or too large, to be counted";
				}
				diag_free(&quiet);
				arena_free(launch_arena);
			}
		if (dir)
			closedir(dir);
		if (!c.n && !c.why)
			c.why = c.kernel ? "it does not launch such a kernel" : "it launches nothing";
	}
	out->text = goal->text;
	out->holds = lesson_judge(g->lesson, &goal->holds, terms, &v, &why) && experiment_is_true(v);
	for (int i = 0; i < goal->holds.n_terms; i++) {
		const struct term *term = &goal->holds.terms[i];
		const char *label = is_goal_word(term->metric) ? term->metric
							       : metric_table[metric_find(term->metric)].label;
		buf_printf(&is, "%s%s: ", i ? ", " : "", label);
		if (term_value(&c, term, &v, &why))
			value_format(v, &is);
		else
			buf_puts(&is, why);
	}
	out->is = arena_strdup(g->arena, buf_str(&is));
	buf_free(&is);
}

/* --- one run ------------------------------------------------------------------------------------------------------ */

/* "with arguments 1000 fast: "; nothing where there is but one run. */
static const char *with_arguments(const struct grading_program *g, const struct exercise_run *run)
{
	struct buf text = {0};
	for (int i = 0; i < run->n_arguments; i++)
		buf_printf(&text, "%s%s", i ? " " : "with arguments ", run->arguments[i]);
	if (!run->n_arguments && g->step->exercise.n_runs > 1)
		buf_puts(&text, "without arguments");
	const char *out = arena_printf(g->arena, "%s%s", buf_str(&text), text.len ? ": " : "");
	buf_free(&text);
	return out;
}

/* A file that the run has left in the folder; false: there is none. */
static bool read_left(const struct grading_program *g, const char *name, size_t max, struct buf *out)
{
	struct diag quiet = {0};
	bool ok = file_read(path_join(g->arena, g->build->scratch.path, name), max, out, &quiet);
	diag_free(&quiet);
	return ok;
}

static void note_defect(const struct grading_program *g, const char *text, int line)
{
	if (g->grade->defect)
		return;
	g->grade->defect = text;
	g->grade->line = line;
}

static void judge_problems(const struct grading_program *g, const struct exercise_run *run, const json_t *report)
{
	size_t i;
	const json_t *problem;
	json_array_foreach(json_object_get(report, "problems"), i, problem)
	{
		const char *kind = json_string_value(json_object_get(problem, "kind")),
			   *message = json_string_value(json_object_get(problem, "message")),
			   *file = json_string_value(json_object_get(problem, "file"));
		int line = (int)json_integer_value(json_object_get(problem, "line")),
		    inner = (int)json_integer_value(json_object_get(problem, "kernel_line"));
		if (!kind || !message || !json_is_true(json_object_get(problem, "serious")))
			continue;
		note_defect(g,
			line && file
				? arena_printf(g->arena, "%s%s:%d: %s", with_arguments(g, run), file, line, message)
				: arena_printf(g->arena, "%s%s", with_arguments(g, run), message),
			inner ? inner : line);
	}
}

/* Whether a line is the program's own, and not what we say of it, with the source below. */
static bool is_its_own(const char *line, size_t len)
{
	static const char ours[] = "simttutor: ";
	return len && *line != '\t' && *line != ' ' &&
		(len < sizeof ours - 1 || memcmp(line, ours, sizeof ours - 1) != 0);
}

/* The last line of what it said on standard error. */
static const char *last_said(const struct grading_program *g, const struct buf *log)
{
	const char *said = "it says nothing";
	struct buf text = {0};
	for (size_t at = 0, len; at < log->len; at += len + 1) {
		len = strcspn(log->data + at, "\n");
		if (is_its_own(log->data + at, len))
			said = arena_strndup(g->arena, log->data + at, len);
	}
	escape_puts(said, &text);
	const char *out = arena_strdup(g->arena, buf_str(&text));
	buf_free(&text);
	return out;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

const struct experiment_grade *grade_program(
	const struct compile_ctx *ctx, struct arena *arena, const struct grade_request *request, int *status)
{
	struct build *build = arena_alloc(arena, sizeof *build);
	struct build_request *what = arena_alloc(arena, sizeof *what);
	struct grading_program g = {.ctx = ctx,
		.arena = arena,
		.lesson = request->lesson,
		.step = request->step,
		.agreed = request->agreed,
		.build = build,
		.grade = arena_alloc(arena, sizeof *g.grade),
		.counts = goals_have_metrics(&request->step->exercise)};
	*what = (struct build_request){.n_inputs = 1, .inputs[0] = {request->path, BUILD_CUDA}};
	what->compile.words[what->compile.n++] = "-g";
	*status = build_begin(build, ctx, what);
	g.program = *status == EXIT_OK ? build_program(build) : NULL;
	if (*status == EXIT_OK && !g.program)
		*status = EXIT_FAILED;
	for (int i = 0; g.program && i < g.step->exercise.n_runs; i++) {
		/* Runs the program once and adds what is wrong with that. */
		const struct exercise_run *run = &g.step->exercise.runs[i];
		struct buf log = {0}, output = {0}, text = {0};

		const struct paths *paths = g.ctx->paths;
		const char *argv[WORDS], *agreed = g.agreed;
		int n = 0;
		argv[n++] = paths->program;
		argv[n++] = "run";
		argv[n++] = "--report";
		argv[n++] = "none";
		argv[n++] = "--report-json";
		argv[n++] = arena_printf(g.arena, "report-%d.json", i);
		if (i == 0 && g.counts) {
			argv[n++] = "--record";
			argv[n++] = LAUNCHES;
		}
		argv[n++] = g.program;
		argv[n++] = "--";
		for (int k = 0; k < run->n_arguments; k++)
			argv[n++] = run->arguments[k];
		argv[n] = NULL;
		const struct sandbox_job job = {.argv = argv,
			.scratch = &g.build->scratch,
			.log_max = LOG_MAX,
			.reads = (const char *const[]){agreed, paths->runtime},
			.n_reads = 2,
			.output = arena_printf(g.arena, "output-%d", i),
			.executes = true};
		struct sandbox_end end = sandbox_run(&job, &log);

		bool said = read_left(&g, arena_printf(g.arena, "report-%d.json", i), REPORT_MAX, &text);
		json_t *report = said ? json_loadb(buf_str(&text), text.len, 0, NULL) : NULL;
		read_left(&g, arena_printf(g.arena, "output-%d", i), OUTPUT_MAX, &output);
		judge_problems(&g, run, report);

		bool reported = report;
		struct buf end_text = {0};
		buf_printf(&end_text, "%sthe program ", with_arguments(&g, run));
		sandbox_describe(&end, &end_text);
		if (!sandbox_succeeded(&end) && end.outcome == SANDBOX_ENDED)
			buf_printf(&end_text, ": %s", last_said(&g, &log));
		if (end.outcome != SANDBOX_ENDED)
			note_defect(&g, arena_strdup(g.arena, buf_str(&end_text)), 0);
		else if (!sandbox_succeeded(&end) && !g.grade->wrong)
			g.grade->wrong = arena_strdup(g.arena, buf_str(&end_text));
		else if (!reported)
			note_defect(&g,
				arena_printf(g.arena,
					"%sthe program ended without its report, which exit() and a return from main() leave",
					with_arguments(&g, run)),
				0);
		buf_free(&end_text);

		if (!g.grade->wrong)
			g.grade->wrong = output_fault(&g, run, with_arguments(&g, run), &output);
		if (i == 0 && report)
			take_report(&g, report);
		g.grade->launches += launches_in(report);
		json_decref(report);
		buf_free(&log);
		buf_free(&output);
		buf_free(&text);
	}
	if (g.program) {
		struct experiment_grade *grade = g.grade;
		bool reached = true;
		grade->n_goals = g.step->exercise.n_goals;
		for (int i = 0; i < grade->n_goals; i++) {
			judge_goal(&g, &g.step->exercise.goals[i], &grade->goals[i]);
			reached = reached && grade->goals[i].holds;
		}
		grade->right = !grade->wrong;
		grade->clean = !grade->defect;
		grade->solved = reached && grade->right && grade->clean;
	}
	build_end(build);
	return g.program ? g.grade : NULL;
}
