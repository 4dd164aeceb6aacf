#include "tutor/attempt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/paths.h"
#include "lesson/limits.h"
#include "tutor/exercise.h"
#include "tutor/private.h"

#define LOOK_MS 250      /* how often a file is looked at */
#define MESSAGE_MAX 4000 /* bytes of what a compiler says that are shown */
#define SAID_MAX 65536   /* and that are kept */
#define READS_MAX 64     /* at a time: a compiler that says things without end must not hold us */

static struct tutor_attempt_work *attempt_of(const struct tutor *tutor)
{
	return tutor->private->attempt;
}

/* --- compiling -------------------------------------------------------------------------------------------------------- */

static const char *ptx_path(const struct tutor_attempt_work *a)
{
	return path_join(a->arena, a->scratch.path, "kernel.ptx");
}

static void stop_compiler(struct tutor_attempt_work *a)
{
	process_end(&a->compiler);
	buf_clear(&a->said);
	scratch_remove(&a->scratch);
}

struct compilation {
	const struct tutor_compiler *compiler;
	const char *source_path, *ptx_path;
};

static int run_compiler(void *ctx)
{
	const struct compilation *c = ctx;
	return c->compiler->run(c->compiler->ctx, c->source_path, c->ptx_path);
}

/* Keeps the first SAID_MAX bytes of what the compiler says. */
static void read_messages(struct tutor_attempt_work *a)
{
	for (int i = 0; i < READS_MAX && process_read(&a->compiler, &a->said, 4096) > 0; i++)
		if (a->said.len > SAID_MAX)
			a->said.data[a->said.len = SAID_MAX] = '\0';
}

static void start_compiler(struct tutor *tutor, struct tutor_attempt_work *a)
{
	struct diag quiet = {0};
	struct buf why = {0};
	stop_compiler(a);
	a->shown.state = ATTEMPT_REFUSED;
	a->shown.message = "There is nothing to compile it with.";
	if (!tutor->exercise.compiler.run)
		return;
	a->shown.message = "No folder for what the compiler writes can be made.";
	bool made = scratch_make(&a->scratch, a->arena, &quiet);
	diag_free(&quiet);
	if (!made)
		return;
	struct compilation compilation = {&tutor->exercise.compiler, a->shown.path, ptx_path(a)};
	if (process_fork(&a->compiler, run_compiler, &compilation, &why)) {
		a->shown.state = ATTEMPT_COMPILING;
	} else {
		a->shown.message = arena_strdup(a->arena, buf_str(&why));
		scratch_remove(&a->scratch);
	}
	buf_free(&why);
}

/* --- what came of it -------------------------------------------------------------------------------------------------- */

static void forget_version(struct tutor *tutor, struct tutor_attempt_work *a)
{
	struct tutor_private *p = tutor->private;
	if (a->mine && p->live.experiment && p->live.experiment->step == a->mine)
		tutor_live_detach(tutor);
	if (a->mine && p->shown && p->shown->step == a->mine)
		p->shown = NULL;
	if (a->mine)
		experiments_forget(p->experiments, a->mine);
	arena_free(a->version);
	a->version = NULL;
	a->mine = NULL;
	a->shown.grade = NULL;
}

/* The reader knows where the file is: its name will do. */
static void refuse_version(struct tutor_attempt_work *a, const char *message)
{
	const char *slash = strrchr(a->shown.path, '/');
	size_t folder = slash ? (size_t)(slash + 1 - a->shown.path) : 0;
	struct buf text = {0};
	for (const char *at = message; *at && text.len < MESSAGE_MAX;) {
		if (folder && strncmp(at, a->shown.path, folder) == 0)
			at += folder;
		else
			buf_putc(&text, *at++);
	}
	a->shown.state = ATTEMPT_REFUSED;
	a->shown.message = arena_strdup(a->version, buf_str(&text));
	buf_free(&text);
}

/* Our own line that the compiler's messages are above is left out. */
static void refuse_with_log(struct tutor_attempt_work *a, const char *log)
{
	const char *above = strstr(log, "; its messages are above\n");
	size_t len = above ? (size_t)(above - log) : strlen(log);
	while (above && len && log[len - 1] != '\n')
		len--;
	const char *said = arena_strndup(a->version, log, len);
	refuse_version(a, *said ? said : "The compiler refuses it and says nothing.");
}

/* A version that runs: from now on it is what the views show. */
static void show_version(struct tutor *tutor, struct tutor_attempt_work *a, const struct kernel_file *file,
	const struct experiment_grade *grade)
{
	struct step *mine = arena_alloc(a->version, sizeof *mine);
	*mine = *a->of;
	mine->file = file;
	a->mine = mine;
	a->shown.grade = grade;
	a->shown.state = ATTEMPT_GRADED;
	if (!grade->solved)
		return;
	if (!lesson_progress_answered(tutor->progress, tutor->at.lesson->id, a->of->id)) {
		lesson_progress_try(tutor->progress, tutor->at.lesson->id, a->of->id, tutor->answer.hints_shown);
		tutor_call_attention(tutor, ATTENTION_QUESTION);
	}
	lesson_progress_answer(tutor->progress, tutor->at.lesson->id, a->of->id);
}

static void grade_version(
	struct tutor *tutor, struct tutor_attempt_work *a, const struct buf *source, const struct buf *ptx)
{
	struct diag faults = {0};
	const struct kernel_file *file = tutor_exercise_file(a->version, a->shown.path, source, ptx);
	const struct experiment_grade *grade = experiment_grade_kernel(
		a->version, tutor->at.lesson, a->of, file, &faults);
	if (grade)
		show_version(tutor, a, file, grade);
	else
		refuse_version(a, faults.count ? faults.entries[0].message : "it cannot be launched");
	diag_free(&faults);
}

static void take_version(struct tutor *tutor, struct tutor_attempt_work *a, bool compiled)
{
	struct buf source = {0}, ptx = {0};
	struct diag faults = {0};
	forget_version(tutor, a);
	a->version = arena_new();
	if (!compiled)
		refuse_with_log(a, buf_str(&a->said));
	else if (!file_read(ptx_path(a), LESSON_PTX_MAX, &ptx, &faults))
		refuse_version(a, "The compiler has nothing against it, but leaves no PTX that can be read.");
	else if (!file_read_text(a->shown.path, LESSON_FILE_MAX, &source, &faults))
		refuse_version(a, faults.count ? faults.entries[0].message : "it cannot be read");
	else
		grade_version(tutor, a, &source, &ptx);
	diag_free(&faults);
	buf_free(&source);
	buf_free(&ptx);
	scratch_remove(&a->scratch);
	tutor_refresh(tutor);
	tutor_answer_settle(tutor);
}

/* False while the compiler still runs. */
static bool take_compiled(struct tutor *tutor, struct tutor_attempt_work *a)
{
	read_messages(a);
	if (!process_ended(&a->compiler))
		return false;
	bool compiled = process_succeeded(a->compiler.status);
	read_messages(a);
	process_kill(&a->compiler);
	take_version(tutor, a, compiled);
	return true;
}

/* --- the file --------------------------------------------------------------------------------------------------------- */

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Starts the compiler when the file is another than the one compiled last. */
static bool look(struct tutor *tutor, struct tutor_attempt_work *a)
{
	struct stat now;
	a->looked = clock_ms();
	if (stat(a->shown.path, &now) != 0) {
		bool changed = a->shown.state != ATTEMPT_NEW;
		stop_compiler(a);
		forget_version(tutor, a);
		a->shown.state = ATTEMPT_NEW;
		a->size = -1;
		if (changed)
			tutor_refresh(tutor);
		return changed;
	}
	if (now.st_size == a->size && same_time(&now.st_mtim, &a->changed))
		return false;
	a->size = now.st_size;
	a->changed = now.st_mtim;
	start_compiler(tutor, a);
	return true;
}

bool tutor_attempt_step(struct tutor *tutor)
{
	struct tutor_attempt_work *a = attempt_of(tutor);
	if (!a || !a->of)
		return false;
	if (a->compiler.pid)
		return take_compiled(tutor, a);
	return clock_ms() - a->looked >= LOOK_MS && look(tutor, a);
}

int tutor_attempt_timeout_ms(const struct tutor *tutor)
{
	const struct tutor_attempt_work *a = attempt_of(tutor);
	return a && a->of ? LOOK_MS / (a->compiler.pid ? 5 : 1) : -1;
}

void tutor_attempt_edit(struct tutor *tutor)
{
	struct tutor_attempt_work *a = attempt_of(tutor);
	struct diag faults = {0};
	if (!a || !a->of)
		return;
	if (!tutor_exercise_begin(a->of, a->shown.path, &faults))
		snprintf(tutor->notice, sizeof tutor->notice, "%s: %s", a->shown.path,
			faults.count ? faults.entries[0].message : "cannot be written");
	diag_free(&faults);
	a->size = -1;
	look(tutor, a);
	tutor_call_attention(tutor, ATTENTION_QUESTION);
}

/* --- life ------------------------------------------------------------------------------------------------------------- */

void tutor_attempt_close(struct tutor *tutor)
{
	struct tutor_attempt_work *a = attempt_of(tutor);
	tutor->exercise.attempt = NULL;
	if (!a)
		return;
	stop_compiler(a);
	buf_free(&a->said);
	if (tutor->private->experiments)
		forget_version(tutor, a);
	arena_free(a->arena);
	free(a);
	tutor->private->attempt = NULL;
}

void tutor_attempt_open(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	struct tutor_attempt_work *a = attempt_of(tutor);
	if (a && a->of == step)
		return;
	tutor_attempt_close(tutor);
	if (!step || !step->exercise.dir)
		return;
	a = tutor->private->attempt = base_calloc(1, sizeof *a);
	a->compiler = PROCESS_NONE;
	a->scratch = SCRATCH_NONE;
	a->arena = arena_new();
	a->of = step;
	a->size = -1;
	a->shown.path = tutor_exercise_path(a->arena, tutor->exercise.dir, tutor->at.lesson, step);
	a->shown.state = ATTEMPT_NEW;
	tutor->exercise.attempt = &a->shown;
}

const struct step *tutor_step_to_run(const struct tutor *tutor)
{
	const struct tutor_attempt_work *a = attempt_of(tutor);
	return a && a->mine ? a->mine : tutor_step(tutor);
}
