/* What students hand in: found in a folder, and graded side by side. */
#include "config.h"
#include "course/grade/grade.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/portable.h"
#include "base/utf8.h"
#include "front/tutor/tutor.h"
#include "tools/compile/compile.h"
#include "tools/sandbox/sandbox.h"

#define PROGRESS "progress.json"
#define IS_LINK "it is a link, which is not followed"

struct class_search {
	const struct compile_ctx *ctx;
	const struct catalog *catalog;
	const struct lesson *lesson;
	const struct step *step;
	struct class_files *out;
};

bool class_is_folder(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int order_by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static bool has_end(const char *name, const char *end)
{
	size_t len = strlen(name), tail = strlen(end);
	return len > tail && strcmp(name + len - tail, end) == 0;
}

/* The exercise that a kernel's name says. */
static void find_exercise_of(const struct class_search *s, const char *name, struct class_submission *out)
{
	struct arena *arena = s->ctx->arena;
	const char *dot = strrchr(name, '.');
	const char *stem = arena_printf(arena, "%.*s.cu", (int)(dot - name), name);
	for (int i = 0; i < s->catalog->n_lessons; i++) {
		const struct lesson *lesson = s->catalog->lessons[i];
		for (int k = 0; k < lesson->n_steps; k++)
			if (lesson->steps[k].exercise.dir &&
				strcmp(path_last(tutor_exercise_path(arena, ".", lesson, &lesson->steps[k])), stem) ==
					0) {
				out->lesson = lesson;
				out->step = &lesson->steps[k];
				return;
			}
	}
	out->detail = "no exercise of the course is called so";
}

static void add_progress_of(struct class_search *s, const char *student, const char *path)
{
	struct class_files *out = s->out;
	struct progress *progress = lesson_progress_read(path, s->ctx->diag);
	for (size_t i = 0; i < out->n_students; i++)
		if (strcmp(out->students[i].name, student) == 0 && !out->students[i].progress) {
			out->students[i].progress = progress;
			return;
		}
	lesson_progress_free(progress);
}

/* What was not looked at, although something may have been handed in there: in the report and with a warning. */
static void leave_out(
	struct class_search *s, const char *student, const char *path, const char *name, const char *reason)
{
	struct class_files *out = s->out;
	diag_warn(s->ctx->diag, (struct diag_pos){.file = path}, "left out: %s", reason);
	*vec_push_in(
		s->ctx->arena, out->submissions, out->n_submissions, out->cap_submissions) = (struct class_submission){
		.student = student, .path = path, .name = name, .detail = reason, .unread = true};
}

/* A link that leads to a file is as good as that; any other may stand for a folder. */
static bool leads_to_file(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

static bool search_folder(
	struct class_search *s, const char *student, const char *folder, const char *below, int depth);

static bool look_at_entry(struct class_search *s, const char *student, const char *folder, const char *name, int depth)
{
	struct stat info;
	const char *path = path_join(s->ctx->arena, folder, path_last(name));
	if (lstat(path, &info) != 0)
		return true; /* gone meanwhile */
	bool is_kernel = has_end(name, ".cu") || has_end(name, ".ptx");
	bool is_progress = strcmp(path_last(name), PROGRESS) == 0;
	bool stands_for_folder = S_ISDIR(info.st_mode) || (S_ISLNK(info.st_mode) && !leads_to_file(path));
	if (stands_for_folder && depth == 0 && !s->step) {
		struct class_files *out = s->out;
		*vec_push_in(s->ctx->arena, out->students, out->n_students, out->cap_students) = (struct class_student){
			.name = name};
		student = name;
		name = "";
	}
	if (S_ISDIR(info.st_mode)) {
		size_t before = s->out->n_submissions;
		if (depth >= CLASS_DEPTH_MAX) {
			leave_out(s, student, path, name, "it lies too deep in other folders");
			return true;
		}
		bool ok = search_folder(s, student, path, name, depth + 1);
		if (ok && is_kernel && s->out->n_submissions == before)
			leave_out(s, student, path, name, "it is a folder, without a kernel in it");
		return ok;
	}
	if (S_ISLNK(info.st_mode) && (stands_for_folder || (is_progress && *student))) {
		leave_out(s, student, path, name, IS_LINK);
	} else if (is_kernel) {
		struct class_submission found = {.student = student, .path = path, .name = name, .detail = ""};
		if (s->step) {
			found.lesson = s->lesson;
			found.step = s->step;
		} else {
			find_exercise_of(s, path_last(name), &found);
		}
		if (!S_ISREG(info.st_mode)) {
			found.step = NULL;
			found.detail = S_ISLNK(info.st_mode) ? IS_LINK : "it is no plain file";
		}
		struct class_files *out = s->out;
		*vec_push_in(s->ctx->arena, out->submissions, out->n_submissions, out->cap_submissions) = found;
	} else if (S_ISREG(info.st_mode) && *student && is_progress) {
		add_progress_of(s, student, path);
	}
	return true;
}

/* False with an error when there is too much. */
static bool search_folder(struct class_search *s, const char *student, const char *folder, const char *below, int depth)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, is_shown, order_by_bytes);
	bool ok = true;
	if (n < 0 && errno == ENOMEM)
		base_out_of_memory();
	if (n < 0 && depth > 0) {
		leave_out(s, student, folder, below, arena_strdup(s->ctx->arena, strerror(errno)));
		return true;
	}
	if (n < 0) {
		diag_error(s->ctx->diag, (struct diag_pos){.file = folder}, "cannot be read: %s", strerror(errno));
		return false;
	}
	for (int i = 0; i < n; i++) {
		const char *name = *below ? path_join(s->ctx->arena, below, entries[i]->d_name)
					  : arena_strdup(s->ctx->arena, entries[i]->d_name);
		if (ok && ++s->out->seen > CLASS_FILES_MAX) {
			diag_error(s->ctx->diag, (struct diag_pos){.file = folder},
				"there are more than %d files and folders to look at", CLASS_FILES_MAX);
			ok = false;
		}
		ok = ok && look_at_entry(s, student, folder, name, depth);
		free(entries[i]);
	}
	free(entries);
	return ok;
}

bool class_find(const struct compile_ctx *ctx, const struct catalog *catalog, const char *folder,
	const struct lesson *lesson, const struct step *step, struct class_files *out)
{
	struct class_search s = {.ctx = ctx, .catalog = catalog, .lesson = lesson, .step = step, .out = out};
	*out = (struct class_files){0};
	return search_folder(&s, "", folder, "", 0);
}

void class_free(struct class_files *files)
{
	for (size_t i = 0; i < files->n_submissions; i++)
		json_decref(files->submissions[i].grade);
	for (size_t i = 0; i < files->n_students; i++)
		lesson_progress_free(files->students[i].progress);
}

/* --- graded side by side --- */

#define VERDICT_FILE "verdict.json"
#define VERDICT_MAX ((size_t)1 << 20)
#define LOG_MAX ((size_t)64 << 10)
#define JOBS_MAX 64

const char *const class_verdict_texts[CLASS_VERDICTS] = {
#define VERDICT(id, text) [CLASS_##id] = text,
#include "course/grade/class_verdicts.def"
#undef VERDICT
};

/* What the threads share. Each takes the next submission; what it finds goes to that submission alone. */
struct class_grading {
	const struct compile_ctx *ctx;
	struct class_files *files;
	const char *self; /* the program that grades one: ours */
	const char *agreed;
	bool compiler; /* there is one here */
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

/* The first line of what was said about it, without our own name before it. */
static const char *line_of_log(struct class_grading *g, const struct buf *log)
{
	static const char own[] = "simttutor: ";
	const char *text = buf_str(log);
	while (*text == '\n')
		text++;

	/* The message of an error may have been printed as JSON. */
	json_t *root = *text == '{' ? json_loads(text, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
	const char *message = json_string_value(
		json_object_get(json_array_get(json_object_get(root, "messages"), 0), "message"));
	const char *kept = message ? keep_detail(g, message, strlen(message)) : NULL;
	json_decref(root);
	if (kept)
		return kept;
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

static void read_end(struct class_grading *g, const struct sandbox_end *end, const struct scratch *scratch,
	const struct buf *log, struct class_submission *s)
{
	struct buf text = {0};
	int status = WIFEXITED(end->status) ? WEXITSTATUS(end->status) : -1;
	/* What is missing is the kernel, as something that can be read, unless it is the compiler. */
	bool of_kernel = status == EXIT_OK || status == EXIT_FAILED || (status == EXIT_MISSING && g->compiler);
	if (end->outcome == SANDBOX_ENDED && of_kernel) {
		/* Reads what the grader wrote into its folder; nothing there is its way to say that it could not grade.
		 * */
		struct buf path = {0}, verdict_text = {0};
		struct diag quiet = {0};
		buf_printf(&path, "%s/" VERDICT_FILE, scratch->path);
		if (file_read(buf_str(&path), VERDICT_MAX, &verdict_text, &quiet))
			s->grade = json_loadb(buf_str(&verdict_text), verdict_text.len, 0, NULL);
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
		buf_free(&verdict_text);

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
			const struct paths *paths = g->ctx->paths;
			struct arena *arena = arena_new();
			struct diag diag = {0};
			struct buf log = {0};
			struct scratch scratch;
			char real[PATH_MAX];
			const char *path = realpath(s->path, real) ? real : s->path;
			const char *const agreed = g->agreed;
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

void class_grade(const struct compile_ctx *ctx, struct class_files *files, int jobs, const char *agreed)
{
	pthread_t threads[JOBS_MAX];
	struct class_grading g = {.ctx = ctx,
		.files = files,
		.agreed = agreed,
		.arena = ctx->arena,
		.self = portable_program(ctx->arena)};
	int processors = (int)portable_processors(), n = 0;
	int most = jobs ? jobs : processors < JOBS_MAX ? processors : JOBS_MAX;
	g.compiler = compile_can_here(ctx);
	if (!g.self) {
		diag_error(ctx->diag, (struct diag_pos){0}, "cannot find the program itself");
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
