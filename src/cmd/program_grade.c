#include "config.h"
#include "cmd/program_grade.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/utf8.h"
#include "cmd/program.h"
#include "cmd/program_grade_parts.h"
#include "tools/compile/build.h"
#include "tools/sandbox/sandbox.h"

#define LOG_MAX ((size_t)64 << 10)
#define OUTPUT_MAX ((size_t)1 << 20)
#define REPORT_MAX ((size_t)16 << 20)
#define WORDS (16 + LESSON_ARGUMENTS_MAX)
#define LAUNCHES "launches"

/* --- before ----------------------------------------------------------------------------------------------------------- */

void program_grade_needs(struct cmd_needs *needs)
{
	needs->tools = true;
	needs->self = true;
	cmd_needs_reading(needs, needs->ctx->paths.runtime);
	struct paths own;
	paths_find(needs->ctx->arena, &own);
	cmd_needs_writing(needs, own.state, 0700);
}

int program_grade_can(struct cmd_ctx *ctx, const char *path)
{
	if (!compile_can_here(cmd_compile_ctx(ctx)))
		return compile_report_none(cmd_compile_ctx(ctx), path);
	return program_agree(ctx, path, NULL) ? EXIT_OK : EXIT_MISSING;
}

/* --- one run ---------------------------------------------------------------------------------------------------------- */

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

static void judge_end(const struct grading_program *g, const struct exercise_run *run, const struct sandbox_end *end,
	const struct buf *log, bool reported)
{
	struct buf text = {0};
	buf_printf(&text, "%sthe program ", with_arguments(g, run));
	sandbox_describe(end, &text);
	if (!sandbox_succeeded(end) && end->outcome == SANDBOX_ENDED)
		buf_printf(&text, ": %s", last_said(g, log));
	if (end->outcome != SANDBOX_ENDED)
		note_defect(g, arena_strdup(g->arena, buf_str(&text)), 0);
	else if (!sandbox_succeeded(end) && !g->grade->wrong)
		g->grade->wrong = arena_strdup(g->arena, buf_str(&text));
	else if (!reported)
		note_defect(g,
			arena_printf(g->arena,
				"%sthe program ended without its report, which exit() and a return from main() leave",
				with_arguments(g, run)),
			0);
	buf_free(&text);
}

/* --- the whole -------------------------------------------------------------------------------------------------------- */

const struct experiment_grade *program_grade(struct cmd_ctx *ctx, struct arena *arena, const struct lesson *lesson,
	const struct step *step, const char *path, int *status)
{
	struct build *build = arena_alloc(arena, sizeof *build);
	struct build_request *request = arena_alloc(arena, sizeof *request);
	struct grading_program g = {.ctx = ctx,
		.arena = arena,
		.lesson = lesson,
		.step = step,
		.build = build,
		.grade = arena_alloc(arena, sizeof *g.grade),
		.counts = program_grade_has_metrics(&step->exercise)};
	*request = (struct build_request){.n_inputs = 1, .inputs[0] = {path, BUILD_CUDA}};
	request->compile.words[request->compile.n++] = "-g";
	*status = build_begin(build, cmd_compile_ctx(ctx), request);
	g.program = *status == EXIT_OK ? build_program(build) : NULL;
	if (*status == EXIT_OK && !g.program)
		*status = EXIT_FAILED;
	for (int i = 0; g.program && i < step->exercise.n_runs; i++) {
		/* Runs the program once and adds what is wrong with that. */
		const struct exercise_run *run = &g.step->exercise.runs[i];
		struct buf log = {0}, output = {0}, text = {0};

		const struct paths *paths = &g.ctx->paths;
		const char *argv[WORDS], *agreed = program_agreed_path(g.arena);
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
		judge_end(&g, run, &end, &log, report);
		if (!g.grade->wrong)
			g.grade->wrong = program_grade_output(&g, run, with_arguments(&g, run), &output);
		if (i == 0 && report)
			program_grade_count(&g, report);
		g.grade->launches += program_grade_launches(report);
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
			program_grade_goal(&g, &g.step->exercise.goals[i], &grade->goals[i]);
			reached = reached && grade->goals[i].holds;
		}
		grade->right = !grade->wrong;
		grade->clean = !grade->defect;
		grade->solved = reached && grade->right && grade->clean;
	}
	build_end(build);
	return g.program ? g.grade : NULL;
}
