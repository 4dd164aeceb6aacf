#include "config.h"
#include "tools/sandbox/starter.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/portable.h"
#include "tools/sandbox/process.h"

#define POLL_MS 30 /* at the editor, while it runs */
#define GRACE_MS 3000
#define NOT_EXECUTED 127

enum { READ_SIDE, WRITE_SIDE };
enum foreground_wish { WISH_OPEN, WISH_GO_ON, WISH_STOP, WISH_END };

struct foreground_request {
	uint32_t wish;
	int32_t line; /* of OPEN, as the path */
	char path[PATH_MAX];
};

struct foreground_report {
	uint32_t event;
	uint32_t went_on; /* wishes to go on that were carried out before it */
	int32_t status, error;
};

static struct {
	pid_t pid, began; /* pid 0: there is none */
	int requests, reports;
	uint32_t went_on; /* wishes that it goes on */
	const char *lacks;
} foreground;

/* --- which editor ------------------------------------------------------------------------------------------------- */

/* Takes a word from `text`, cut as sh does without expanding anything. NULL: there is none left, or `why` says what is
 * wrong. */
static const char *take_word(struct arena *arena, const char **text, const char **why)
{
	struct buf word = {0};
	char quote = 0;
	const char *at = *text + strspn(*text, " \t\n");
	bool any = *at != '\0';
	for (; *at && (quote || !strchr(" \t\n", *at)); at++) {
		if (*at == quote)
			quote = 0;
		else if (!quote && (*at == '\'' || *at == '"'))
			quote = *at;
		else if (*at == '\\' && at[1] && (!quote || (quote == '"' && strchr("\"\\$`", at[1]))))
			buf_putc(&word, *++at);
		else
			buf_putc(&word, *at);
	}
	*text = at;
	if (quote)
		*why = "a quotation mark in it has no second one";
	const char *taken = any && !quote ? arena_strdup(arena, buf_str(&word)) : NULL;
	buf_free(&word);
	return taken;
}

/* NULL: there is none, and `why` says so. */
static const char *const *find_editor(struct arena *arena, const char **why)
{
	static const char *const variables[] = {"VISUAL", "EDITOR"}, *const usual[] = {"editor", "nano", "vi", NULL};
	*why = NULL;
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const char *text = getenv(variables[i]), *wrong = NULL, *word, **words = NULL;
		size_t n = 0, cap = 0;
		if (!text || !*text)
			continue;
		while ((word = take_word(arena, &text, &wrong)) != NULL)
			*vec_push(words, n, cap) = word;
		if (!wrong && n == 0)
			wrong = "it names no program";
		if (wrong)
			*why = arena_printf(arena, "%s cannot be used: %s", variables[i], wrong);
		const char **kept = wrong ? NULL : arena_array(arena, const char *, n + 1);
		if (kept)
			memcpy(kept, words, n * sizeof *words);
		free(words);
		return kept;
	}
	const char **words = arena_array(arena, const char *, 2);
	words[0] = process_find(arena, "EDITOR", usual);
	words[1] = NULL;
	if (words[0])
		return words;
	*why = "VISUAL and EDITOR name no editor, and PATH has no usual one";
	return NULL;
}

/* --- in the copy -------------------------------------------------------------------------------------------------- */

enum foreground_style { STYLE_NONE, STYLE_PLUS, STYLE_COLON, STYLE_GOTO, STYLE_DASH };

struct attendant {
	const char *const *words;
	struct arena *arena;
	const char **folders; /* without links, as they were; ends in NULL */
	int requests, reports;
	int parent;     /* a descriptor that is readable when who began has ended; -1: it is looked at */
	pid_t began;    /* its process */
	pid_t editor;   /* 0: none runs */
	double kill_at; /* clock_ms; 0: it was not asked to end */
	uint32_t went_on;
};

static enum foreground_style style_of(const char *program)
{
	static const struct {
		const char *name;
		enum foreground_style style;
	} editors[] = {
#define EDITOR(name, style) {name, STYLE_##style},
#include "tools/sandbox/editors.def"
#undef EDITOR
	};
	const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
	for (size_t i = 0; i < sizeof editors / sizeof *editors; i++)
		if (strcmp(editors[i].name, name) == 0)
			return editors[i].style;
	return STYLE_NONE;
}

/* The editor's words, and the file at the line. A path never looks like an option, or like vi's +COMMAND. */
static char **command_of(const struct attendant *a, const struct foreground_request *r)
{
	size_t n = 0;
	while (a->words[n])
		n++;
	const char **argv = arena_array(a->arena, const char *, n + 4);
	const char *path = arena_printf(a->arena, "%s%s", strchr("-+", r->path[0]) ? "./" : "", r->path);
	memcpy(argv, a->words, n * sizeof *argv);
	switch (r->line > 0 ? style_of(argv[0]) : STYLE_NONE) {
	case STYLE_NONE: break;
	case STYLE_PLUS: argv[n++] = arena_printf(a->arena, "+%d", r->line); break;
	case STYLE_GOTO: argv[n++] = "-g"; /* fall through */
	case STYLE_COLON: path = arena_printf(a->arena, "%s:%d", path, r->line); break;
	case STYLE_DASH:
		argv[n++] = "-l";
		argv[n++] = arena_printf(a->arena, "%d", r->line);
		break;
	}
	argv[n++] = path;
	argv[n] = NULL;
	return (char **)argv;
}

static _Noreturn void become_editor(char *const *argv, int failed)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t none;
	sigemptyset(&none);
	for (int i = 1; i < NSIG; i++)
		sigaction(i, &plain, NULL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(argv[0], argv);
	int error = errno;
	(void)file_put(failed, &error, sizeof error);
	_exit(NOT_EXECUTED);
}

static int open_editor(struct attendant *a, const struct foreground_request *r)
{
	int failed[2], error = 0;
	if (a->editor)
		return EBUSY;

	/* A regular file in one of the folders that were agreed on. */
	struct stat info;
	const char *slash = strrchr(r->path, '/');
	char *real = stat(r->path, &info) == 0 && S_ISREG(info.st_mode)
		? realpath(slash ? arena_strndup(a->arena, r->path, (size_t)(slash - r->path) + 1) : ".", NULL)
		: NULL;
	bool agreed = false;
	for (const char **folder = a->folders; real && *folder && !agreed; folder++) {
		size_t len = strlen(*folder);
		agreed = strncmp(real, *folder, len) == 0 && (!real[len] || real[len] == '/' || len == 1);
	}
	free(real);
	if (!agreed)
		return EPERM;

	if (!process_pipe(failed))
		return errno;
	a->kill_at = 0;
	a->editor = fork();
	if (a->editor == 0)
		become_editor(command_of(a, r), failed[WRITE_SIDE]);
	error = a->editor < 0 ? errno : 0;
	close(failed[WRITE_SIDE]);
	if (a->editor > 0 && file_get_all(failed[READ_SIDE], &error, sizeof error))
		waitpid(a->editor, NULL, 0);
	else if (a->editor > 0)
		error = 0; /* it was closed by becoming the editor */
	close(failed[READ_SIDE]);
	a->editor = error ? 0 : a->editor;
	return error;
}

static void report(const struct attendant *a, enum foreground_event event, int status, int error)
{
	struct foreground_report r = {event, a->went_on, status, error};
	(void)file_put(a->reports, &r, sizeof r);
}

static void request_end(struct attendant *a)
{
	if (!a->editor || a->kill_at > 0)
		return;
	a->kill_at = clock_ms() + GRACE_MS;
	kill(a->editor, SIGTERM);
	kill(a->editor, SIGCONT);
}

/* False when nobody is left who could ask. */
static bool serve_request(struct attendant *a)
{
	struct foreground_request r;
	if (!file_get_all(a->requests, &r, sizeof r))
		return false;
	r.path[sizeof r.path - 1] = '\0';
	switch (r.wish) {
	case WISH_OPEN: {
		int error = open_editor(a, &r);
		if (error)
			report(a, FOREGROUND_ENDED, 0, error);
		break;
	}
	case WISH_GO_ON:
		a->went_on++;
		if (a->editor)
			kill(a->editor, SIGCONT);
		break;
	case WISH_STOP: request_end(a); break;
	default: return false;
	}
	return true;
}

/* The terminal's signals are the editor's and ours, not its. */
static _Noreturn void attend(struct attendant *a)
{
	bool asked = true;
	portable_name_process("simttutor-edit");
	while (asked || a->editor) {
		struct pollfd fds[] = {{asked ? a->requests : -1, POLLIN, 0}, {asked ? a->parent : -1, POLLIN, 0}};
		poll(fds, 2, a->editor ? POLL_MS : a->parent < 0 ? PORTABLE_POLL_MS : -1);
		bool alone = a->parent < 0 ? getppid() != a->began : fds[1].revents != 0;
		if (alone || (fds[0].revents && !serve_request(a)))
			asked = false;
		if (!asked)
			request_end(a);
		if (a->editor) {
			int status;
			if (a->kill_at > 0 && clock_ms() >= a->kill_at)
				kill(a->editor, SIGKILL);
			pid_t got = waitpid(a->editor, &status, WNOHANG | WUNTRACED);
			if (got > 0 && WIFSTOPPED(status)) {
				report(a, FOREGROUND_STOPPED, 0, 0);
			} else if (got != 0) {
				a->editor = 0;
				report(a, FOREGROUND_ENDED, got > 0 ? status : 0, got > 0 ? 0 : errno);
			}
		}
	}
	_exit(EXIT_SUCCESS);
}

/* --- who asks ----------------------------------------------------------------------------------------------------- */

void foreground_begin(const char *const *folders, struct arena *arena)
{
	int requests[2], reports[2];
	struct attendant a = {.arena = arena, .parent = -1};
	if (foreground.pid > 0)
		return;
	a.words = find_editor(arena, &foreground.lacks);
	if (!a.words)
		return;
	foreground.lacks = "the system has no room for another process";
	if (!process_pipe(requests) || !process_pipe(reports))
		return;

	size_t n = 0, kept = 0;
	while (folders[n])
		n++;
	const char **real = arena_array(arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++) {
		char *path = realpath(folders[i], NULL);
		if (path)
			real[kept++] = arena_strdup(arena, path);
		free(path);
	}
	real[kept] = NULL;
	a.folders = real;

	a.requests = requests[READ_SIDE];
	a.reports = reports[WRITE_SIDE];
	a.parent = portable_watch_end(getpid());
	a.began = foreground.began = getpid();

	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	if (pid == 0) {
		close(requests[WRITE_SIDE]);
		close(reports[READ_SIDE]);
		attend(&a);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(requests[READ_SIDE]);
	close(reports[WRITE_SIDE]);
	if (a.parent >= 0)
		close(a.parent);
	foreground.pid = pid;

	foreground.requests = requests[WRITE_SIDE];
	foreground.reports = reports[READ_SIDE];
	if (foreground.pid > 0)
		foreground.lacks = NULL;
}

const char *foreground_lacks(void)
{
	return foreground.pid > 0 ? NULL : foreground.lacks ? foreground.lacks : "no editor can be started here";
}

static bool wish(enum foreground_wish what, const char *path, int line)
{
	static struct foreground_request r;
	r = (struct foreground_request){.wish = what, .line = line};
	size_t len = strlen(path);
	if (foreground.pid <= 0 || len >= sizeof r.path)
		return false;
	memcpy(r.path, path, len + 1);
	return file_put(foreground.requests, &r, sizeof r);
}

bool foreground_start(const char *path, int line)
{
	return wish(WISH_OPEN, path, line);
}

int foreground_fd(void)
{
	return foreground.pid > 0 ? foreground.reports : -1;
}

/* Waits for a report. */
static enum foreground_event take(struct sandbox_end *end)
{
	struct foreground_report r;
	*end = (struct sandbox_end){.outcome = SANDBOX_INTERRUPTED};
	if (!file_get_all(foreground.reports, &r, sizeof r))
		return FOREGROUND_ENDED;
	end->outcome = r.error ? SANDBOX_NOT_STARTED : SANDBOX_ENDED;
	end->status = r.status;
	end->error = r.error;
	if (r.event == FOREGROUND_STOPPED && r.went_on != foreground.went_on)
		return FOREGROUND_RUNS; /* it went on with us since */
	return (enum foreground_event)r.event;
}

enum foreground_event foreground_take(struct sandbox_end *end)
{
	struct pollfd fd = {.fd = foreground.reports, .events = POLLIN};
	if (foreground.pid <= 0)
		return FOREGROUND_ENDED;
	return poll(&fd, 1, 0) > 0 ? take(end) : FOREGROUND_RUNS;
}

void foreground_go_on(void)
{
	foreground.went_on += wish(WISH_GO_ON, "", 0);
}

void foreground_stop(void)
{
	struct sandbox_end end;
	if (wish(WISH_STOP, "", 0))
		while (take(&end) != FOREGROUND_ENDED)
			continue;
}

void foreground_end(void)
{
	if (foreground.pid <= 0 || foreground.began != getpid())
		return;
	wish(WISH_END, "", 0); /* other copies of us still hold our end of the pipe */
	close(foreground.requests);
	close(foreground.reports);
	while (waitpid(foreground.pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	foreground.pid = 0;
}
