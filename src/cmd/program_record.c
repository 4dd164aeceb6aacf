#include "config.h"
#include "cmd/program.h"

#include <string.h>
#include <time.h>

#include "base/file.h"
#include "course/experiment/recordings.h"
#include "course/lesson/lesson.h"
#include "tools/compile/build.h"
#include "tools/sandbox/sandbox.h"

#define LOG_MAX ((size_t)64 << 10)
#define REPORT_MAX ((size_t)16 << 20)
#define RUNS_KEPT 64
#define WORDS (16 + LESSON_ARGUMENTS_MAX)

struct program_record {
	struct cmd_ctx *ctx;
	struct arena *arena;
	struct build build;
	struct build_request request;
	const char *path, *program;
	int runs;
	const struct experiment_program *done[RUNS_KEPT]; /* steps may show the same */
	int n_done;
};

struct program_record *program_record_of(
	struct cmd_ctx *ctx, struct arena *arena, struct program_record **kept, const char *path)
{
	if (*kept && strcmp((*kept)->path, path) == 0)
		return *kept;
	program_record_close(*kept);

	struct program_record *p = arena_alloc(arena, sizeof *p);
	*p = (struct program_record){.ctx = ctx, .arena = arena, .path = path};
	p->request = (struct build_request){.n_inputs = 1, .inputs[0] = {path, BUILD_CUDA}};
	p->request.compile.words[p->request.compile.n++] = "-g";
	p->program = build_begin(&p->build, cmd_compile_ctx(ctx), &p->request) == EXIT_OK ? build_program(&p->build)
											  : NULL;
	if (!p->program)
		build_end(&p->build);
	*kept = p->program ? p : NULL;
	return *kept;
}

void program_record_close(struct program_record *p)
{
	if (p)
		build_end(&p->build);
}

/* What is seriously wrong with the program; NULL: nothing. */
static const char *problem_of(struct arena *arena, const json_t *report)
{
	size_t i;
	const json_t *problem;
	json_array_foreach(json_object_get(report, "problems"), i, problem)
	{
		const char *message = json_string_value(json_object_get(problem, "message"));
		if (json_is_true(json_object_get(problem, "serious")))
			return arena_strdup(arena, message ? message : "");
	}
	return NULL;
}

static const char *today(struct arena *arena)
{
	char date[20];
	time_t now = time(NULL);
	struct tm utc;
	gmtime_r(&now, &utc);
	strftime(date, sizeof date, "%Y-%m-%d", &utc);
	return arena_strdup(arena, date);
}

const struct experiment_program *program_record_run(struct program_record *p, const char *arguments, bool wrong)
{
	struct buf log = {0}, how = {0};
	for (int i = 0; i < p->n_done; i++)
		if (strcmp(p->done[i]->arguments, arguments) == 0)
			return p->done[i];
	const char *path = arena_printf(p->arena, "report-%d.json", p->runs++), *why = NULL;

	const struct paths *paths = &p->ctx->paths;
	const char *argv[WORDS] = {paths->program, "run", "--report", "none", "--report-json", path, p->program, "--"},
		   *agreed = program_agreed_path(p->arena);
	int n = 8;
	for (const char *at = arguments; *at && n < WORDS - 1; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");
		argv[n++] = arena_strndup(p->arena, at, len);
		at += len;
	}
	argv[n] = NULL;
	struct sandbox_end end = sandbox_run(&(struct sandbox_job){.argv = argv,
						     .scratch = &p->build.scratch,
						     .log_max = LOG_MAX,
						     .reads = (const char *const[]){agreed, paths->runtime},
						     .n_reads = 2,
						     .output = arena_printf(p->arena, "output-%d", p->runs),
						     .executes = true},
		&log);

	struct diag quiet = {0};
	struct buf text = {0};
	struct experiment_program *out = arena_alloc(p->arena, sizeof *out);
	bool said = file_read(path_join(p->arena, p->build.scratch.path, path), REPORT_MAX, &text, &quiet);
	json_t *report = said ? json_loadb(buf_str(&text), text.len, 0, NULL) : NULL;
	*out = (struct experiment_program){.arguments = arguments,
		.compiler = compile_here_is_clang(&p->build.here) ? "clang" : "nvcc",
		.date = today(p->arena),
		.cc = (int)json_integer_value(json_object_get(report, "cc"))};
	why = "it has left no report";
	if (report)
		out->log = experiment_hostlog_read(p->arena, report, &why);
	const char *problem = report ? problem_of(p->arena, report) : NULL;
	if (wrong && report)
		problem = problem ? NULL : "the lesson is that it is wrong, but nothing is found";
	why = problem ? problem : why;
	json_decref(report);
	buf_free(&text);
	diag_free(&quiet);
	const struct experiment_program *program = out->log && !problem ? out : NULL;

	if (!sandbox_succeeded(&end)) {
		sandbox_describe(&end, &how);
		why = arena_printf(p->arena, "the program %s", buf_str(&how));
		program = NULL;
	}
	if (!program)
		diag_error(
			&p->ctx->diag, (struct diag_pos){.file = p->path}, "with arguments '%s': %s", arguments, why);
	else if (p->n_done < RUNS_KEPT)
		p->done[p->n_done++] = program;
	buf_free(&how);
	buf_free(&log);
	return program;
}
