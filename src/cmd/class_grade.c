#include "config.h"
#include "cmd/program.h"
#include "cmd/class.h"

#include <limits.h>
#include <pthread.h>
#include <sys/wait.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/paths.h"
#include "base/portable.h"
#include "base/utf8.h"
#include "tools/compile/compile.h"
#include "tools/sandbox/sandbox.h"

#define VERDICT_FILE "verdict.json"
#define VERDICT_MAX ((size_t)1 << 20)
#define LOG_MAX ((size_t)64 << 10)
#define JOBS_MAX 64

const char *const class_verdict_texts[CLASS_VERDICTS] = {
#define VERDICT(id, text) [CLASS_##id] = text,
#include "cmd/class_verdicts.def"
#undef VERDICT
};

/* What the threads share. Each takes the next submission; what it finds goes to that submission alone. */
struct class_grading {
	const struct cmd_ctx *ctx;
	struct class_files *files;
	const char *self; /* the program that grades one: ours */
	bool compiler;    /* there is one here */
	pthread_mutex_t lock;
	size_t next;
	struct arena *arena; /* of details, under the lock */
};

static const char *keep_detail(struct class_grading *g, const char *text, size_t len)
{
	pthread_mutex_lock(&g->lock);
	const char *kept = arena_strndup(g->arena, text, len);
	pthread_mutex_unlock(&g->lock);
	return kept;
}

/* The message of an error that was printed as JSON; NULL: it was not. */
static const char *message_in_json(struct class_grading *g, const char *text)
{
	json_t *root = *text == '{' ? json_loads(text, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
	const char *message = json_string_value(
		json_object_get(json_array_get(json_object_get(root, "messages"), 0), "message"));
	const char *kept = message ? keep_detail(g, message, strlen(message)) : NULL;
	json_decref(root);
	return kept;
}

/* The first line of what was said about it, without our own name before it. */
static const char *line_of_log(struct class_grading *g, const struct buf *log)
{
	static const char own[] = "simttutor: ";
	const char *text = buf_str(log), *message;
	while (*text == '\n')
		text++;
	if ((message = message_in_json(g, text)) != NULL)
		return message;
	if (strncmp(text, own, sizeof own - 1) == 0)
		text += sizeof own - 1;
	return keep_detail(g, text, strcspn(text, "\n"));
}

/* The first condition of a grade that does not hold. */
static const char *find_fault(struct class_grading *g, json_t *grade)
{
	size_t i;
	json_t *goal;
	struct buf text = {0};
	json_array_foreach(json_object_get(grade, "goals"), i,
		goal) if (!text.len && json_is_false(json_object_get(goal, "holds")))
	{
		const char *what = json_string_value(json_object_get(goal, "goal"));
		const char *is = json_string_value(json_object_get(goal, "is"));
		buf_printf(&text, "%s: %s", what ? what : "", is ? is : "");
	}
	const char *const others[] = {json_string_value(json_object_get(grade, "defect")),
		json_string_value(json_object_get(grade, "wrong"))};
	for (size_t k = 0; k < sizeof others / sizeof *others; k++)
		if (!text.len && others[k])
			buf_puts(&text, others[k]);
	const char *kept = keep_detail(g, buf_str(&text), text.len);
	buf_free(&text);
	return kept;
}

/* Reads what the grader wrote into its folder; nothing there is its way to say that it could not grade. */
static void read_verdict(
	struct class_grading *g, const struct scratch *scratch, const struct buf *log, struct class_submission *s)
{
	struct buf path = {0}, text = {0};
	struct diag quiet = {0};
	buf_printf(&path, "%s/" VERDICT_FILE, scratch->path);
	if (file_read(buf_str(&path), VERDICT_MAX, &text, &quiet))
		s->grade = json_loadb(buf_str(&text), text.len, 0, NULL);
	if (json_is_object(s->grade)) {
		bool solved = json_is_true(json_object_get(s->grade, "solved"));
		s->verdict = solved ? CLASS_SOLVED : CLASS_UNSOLVED;
		s->detail = solved ? "" : find_fault(g, s->grade);
	} else {
		s->verdict = CLASS_REFUSED;
		s->detail = line_of_log(g, log);
	}
	diag_free(&quiet);
	buf_free(&path);
	buf_free(&text);
}

static void read_end(struct class_grading *g, const struct sandbox_end *end, const struct scratch *scratch,
	const struct buf *log, struct class_submission *s)
{
	struct buf text = {0};
	int status = WIFEXITED(end->status) ? WEXITSTATUS(end->status) : -1;
	/* What is missing is the kernel, as something that can be read, unless it is the compiler. */
	bool of_kernel = status == EXIT_OK || status == EXIT_FAILED || (status == EXIT_MISSING && g->compiler);
	if (end->outcome == SANDBOX_ENDED && of_kernel) {
		read_verdict(g, scratch, log, s);
		return;
	}
	bool limit = end->outcome == SANDBOX_OUT_OF_TIME || end->outcome == SANDBOX_OUT_OF_SPACE ||
		end->outcome == SANDBOX_FLOODED || status == BASE_EXIT_OUT_OF_MEMORY;
	s->verdict = limit ? CLASS_LIMIT : CLASS_FAILED;
	sandbox_describe(end, &text);
	s->detail = end->outcome == SANDBOX_ENDED && log->len ? line_of_log(g, log)
							      : keep_detail(g, buf_str(&text), text.len);
	buf_free(&text);
}

static void *grade_some(void *arg)
{
	struct class_grading *g = arg;
	for (;;) {
		pthread_mutex_lock(&g->lock);
		size_t i = g->next++;
		pthread_mutex_unlock(&g->lock);
		if (i >= g->files->n_submissions)
			return NULL;
		if (g->files->submissions[i].step) {
			struct class_submission *s = &g->files->submissions[i];
			const struct paths *paths = &g->ctx->paths;
			struct arena *arena = arena_new();
			struct diag diag = {0};
			struct buf log = {0};
			struct scratch scratch;
			char real[PATH_MAX];
			const char *path = realpath(s->path, real) ? real : s->path;
			const char *const agreed = program_agreed_path(arena); /* that whole programs may be run */
			const char *const reads[] = {path, paths->data, paths->course, agreed};
			const char *const argv[] = {g->self, "exercise", "--course", paths->course, "--check", path,
				"--format", "json", "--output", VERDICT_FILE,
				arena_printf(arena, "%s/%s", s->lesson->id, s->step->id), NULL};
			s->verdict = CLASS_FAILED;
			if (scratch_make(&scratch, arena, &diag)) {
				const struct sandbox_job job = {.argv = argv,
					.scratch = &scratch,
					.log_max = LOG_MAX,
					.reads = reads,
					.n_reads = sizeof reads / sizeof *reads,
					.executes = true}; /* a whole program is run in there */
				struct sandbox_end end = sandbox_run(&job, &log);
				read_end(g, &end, &scratch, &log, s);
				scratch_remove(&scratch);
			} else {
				s->detail = keep_detail(g, diag.entries[0].message, strlen(diag.entries[0].message));
			}
			buf_free(&log);
			diag_free(&diag);
			arena_free(arena);
		}
	}
}

void class_grade(struct cmd_ctx *ctx, struct class_files *files, int jobs)
{
	pthread_t threads[JOBS_MAX];
	struct class_grading g = {
		.ctx = ctx, .files = files, .arena = ctx->arena, .self = portable_program(ctx->arena)};
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	int n = 0, most = jobs ? jobs : processors > 0 && processors < JOBS_MAX ? (int)processors : JOBS_MAX;
	g.compiler = compile_can_here(cmd_compile_ctx(ctx));
	if (!g.self) {
		diag_error(&ctx->diag, (struct diag_pos){0}, "cannot find the program itself");
		return;
	}
	pthread_mutex_init(&g.lock, NULL);
	while (n < most && n < JOBS_MAX - 1 && pthread_create(&threads[n], NULL, grade_some, &g) == 0)
		n++;
	if (!n)
		grade_some(&g);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	pthread_mutex_destroy(&g.lock);
}
