#include "tutor/attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/paths.h"
#include "lesson/limits.h"
#include "tutor/exercises.h"
#include "tutor/private.h"

#define LOOK_MS 250      /* how often a file is looked at */
#define MESSAGE_MAX 4000 /* bytes of what a compiler says */

static struct attempt *attempt_of(const struct tutor *tutor)
{
	return tutor->private->attempt;
}

/* --- compiling -------------------------------------------------------------------------------------------------------- */

static void remove_folder(struct attempt *a)
{
	static const char *const names[] = {"kernel.ptx", "log"};
	if (!a->folder)
		return;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct buf path = {0};
		buf_printf(&path, "%s/%s", a->folder, names[i]);
		unlink(buf_str(&path));
		buf_free(&path);
	}
	rmdir(a->folder);
	free(a->folder);
	a->folder = NULL;
}

static void stop_child(struct attempt *a)
{
	if (a->child > 0) {
		kill(a->child, SIGKILL);
		waitpid(a->child, NULL, 0);
	}
	a->child = 0;
	remove_folder(a);
}

static bool make_folder(struct attempt *a)
{
	const char *tmp = getenv("TMPDIR");
	struct buf path = {0};
	buf_printf(&path, "%s/simttutor-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	a->folder = buf_steal(&path);
	if (mkdtemp(a->folder))
		return true;
	free(a->folder);
	a->folder = NULL;
	return false;
}

/* What the compiler says goes to a file, not over the screen. */
static void become_compiler(const struct tutor *tutor, const struct attempt *a)
{
	struct buf ptx = {0}, log = {0};
	buf_printf(&ptx, "%s/kernel.ptx", a->folder);
	buf_printf(&log, "%s/log", a->folder);
	int out = open(buf_str(&log), O_WRONLY | O_CREAT | O_TRUNC, 0600), in = open("/dev/null", O_RDONLY);
	if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		_exit(EXIT_FAILURE);
	_exit(tutor->compiler.run(tutor->compiler.ctx, a->shown.path, buf_str(&ptx)));
}

static void start_compiler(struct tutor *tutor, struct attempt *a)
{
	stop_child(a);
	a->shown.state = ATTEMPT_REFUSED;
	a->shown.message = "There is nothing to compile it with.";
	if (!tutor->compiler.run)
		return;
	a->shown.message = "No folder for what the compiler writes can be made.";
	if (!make_folder(a))
		return;
	a->child = fork();
	if (a->child == 0)
		become_compiler(tutor, a);
	a->shown.message = strerror(errno);
	if (a->child < 0)
		stop_child(a);
	else
		a->shown.state = ATTEMPT_COMPILING;
}

/* --- what came of it -------------------------------------------------------------------------------------------------- */

static void forget_version(struct tutor *tutor, struct attempt *a)
{
	struct tutor_private *p = tutor->private;
	if (a->mine && p->live.experiment && p->live.experiment->step == a->mine)
		live_detach(tutor);
	if (a->mine && p->shown && p->shown->step == a->mine)
		p->shown = NULL;
	if (a->mine)
		workbench_forget(p->bench, a->mine);
	arena_free(a->version);
	a->version = NULL;
	a->mine = NULL;
	a->shown.grade = NULL;
}

static bool read_part(struct attempt *a, const char *name, struct buf *out, struct diag *diag)
{
	struct buf path = {0};
	buf_printf(&path, "%s/%s", a->folder, name);
	bool ok = file_read(buf_str(&path), LESSON_PTX_MAX, out, diag);
	buf_free(&path);
	return ok;
}

/* The reader knows where the file is: its name will do. */
static void refuse(struct attempt *a, const char *message)
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

/* Of a compiler that has spoken it need not be told that it makes no PTX of it. */
static void refuse_with_log(struct attempt *a, const char *log)
{
	const char *own = strncmp(log, "simttutor: ", 11) ? strstr(log, "\nsimttutor: ") : NULL;
	const char *said = arena_strndup(a->version, log, own ? (size_t)(own - log) : strlen(log));
	refuse(a, *said ? said : "The compiler refuses it and says nothing.");
}

/* A version that runs: from now on it is what the views show. */
static void show_version(
	struct tutor *tutor, struct attempt *a, const struct kernel_file *file, const struct grade *grade)
{
	struct step *mine = arena_alloc(a->version, sizeof *mine);
	*mine = *a->of;
	mine->file = file;
	a->mine = mine;
	a->shown.grade = grade;
	a->shown.state = ATTEMPT_GRADED;
	if (!grade->solved)
		return;
	if (!progress_answered(tutor->progress, tutor->lesson->id, a->of->id)) {
		progress_try(tutor->progress, tutor->lesson->id, a->of->id, tutor->hints_shown);
		tutor->show_question = true;
	}
	progress_answer(tutor->progress, tutor->lesson->id, a->of->id);
}

static void grade_version(struct tutor *tutor, struct attempt *a, const struct buf *source, const struct buf *ptx)
{
	struct diag faults = {0};
	const struct kernel_file *file = exercises_file(a->version, a->shown.path, source, ptx);
	struct grade *grade = arena_alloc(a->version, sizeof *grade);
	if (grade_kernel(a->version, tutor->lesson, a->of, file, grade, &faults))
		show_version(tutor, a, file, grade);
	else
		refuse(a, faults.count ? faults.entries[0].message : "it cannot be launched");
	diag_free(&faults);
}

static void take_version(struct tutor *tutor, struct attempt *a, bool compiled)
{
	struct buf source = {0}, ptx = {0}, log = {0};
	struct diag faults = {0};
	forget_version(tutor, a);
	a->version = arena_new();
	if (!read_part(a, "log", &log, &faults) || !compiled)
		refuse_with_log(a, buf_str(&log));
	else if (!read_part(a, "kernel.ptx", &ptx, &faults))
		refuse(a, "The compiler has nothing against it, but leaves no PTX that can be read.");
	else if (!file_read(a->shown.path, LESSON_FILE_MAX, &source, &faults))
		refuse(a, faults.count ? faults.entries[0].message : "it cannot be read");
	else
		grade_version(tutor, a, &source, &ptx);
	diag_free(&faults);
	buf_free(&source);
	buf_free(&ptx);
	buf_free(&log);
	remove_folder(a);
	tutor_refresh(tutor);
	answer_settle(tutor);
}

static bool take_child(struct tutor *tutor, struct attempt *a)
{
	int status;
	if (waitpid(a->child, &status, WNOHANG) == 0)
		return false;
	a->child = 0;
	take_version(tutor, a, WIFEXITED(status) && WEXITSTATUS(status) == 0);
	return true;
}

/* --- the file --------------------------------------------------------------------------------------------------------- */

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Starts the compiler when the file is another than the one compiled last. */
static bool look(struct tutor *tutor, struct attempt *a)
{
	struct stat now;
	a->looked = clock_ms();
	if (stat(a->shown.path, &now) != 0) {
		bool changed = a->shown.state != ATTEMPT_NEW;
		stop_child(a);
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
	struct attempt *a = attempt_of(tutor);
	if (!a || !a->of)
		return false;
	if (a->child)
		return take_child(tutor, a);
	return clock_ms() - a->looked >= LOOK_MS && look(tutor, a);
}

int tutor_attempt_timeout_ms(const struct tutor *tutor)
{
	const struct attempt *a = attempt_of(tutor);
	return a && a->of ? LOOK_MS / (a->child ? 5 : 1) : -1;
}

void attempt_edit(struct tutor *tutor)
{
	struct attempt *a = attempt_of(tutor);
	struct diag faults = {0};
	if (!a || !a->of)
		return;
	if (!exercises_begin(a->of, a->shown.path, &faults))
		snprintf(tutor->notice, sizeof tutor->notice, "%s: %s", a->shown.path,
			faults.count ? faults.entries[0].message : "cannot be written");
	diag_free(&faults);
	a->size = -1;
	look(tutor, a);
	tutor->show_question = true;
}

/* --- life ------------------------------------------------------------------------------------------------------------- */

void attempt_close(struct tutor *tutor)
{
	struct attempt *a = attempt_of(tutor);
	tutor->attempt = NULL;
	if (!a)
		return;
	stop_child(a);
	if (tutor->private->bench)
		forget_version(tutor, a);
	arena_free(a->arena);
	free(a);
	tutor->private->attempt = NULL;
}

void attempt_open(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	struct attempt *a = attempt_of(tutor);
	if (a && a->of == step)
		return;
	attempt_close(tutor);
	if (!step || !step->exercise.dir)
		return;
	a = tutor->private->attempt = base_calloc(1, sizeof *a);
	a->arena = arena_new();
	a->of = step;
	a->size = -1;
	a->shown.path = exercises_path(a->arena, tutor->own_dir, tutor->lesson, step);
	a->shown.state = ATTEMPT_NEW;
	tutor->attempt = &a->shown;
}

const struct step *attempt_step(const struct tutor *tutor)
{
	const struct attempt *a = attempt_of(tutor);
	return a && a->mine ? a->mine : tutor_step(tutor);
}
