#include "config.h"
#include "cmd/program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/portable.h"
#include "base/utf8.h"
#include "cmd/headers.h"
#include "cmd/picture.h"
#include "cmd/run.h"
#include "course/experiment/recordings.h"
#include "front/view/program.h"
#include "machine/snapshot/snapshot.h"
#include "tools/compile/build.h"
#include "tools/sandbox/sandbox.h"

/* --- whether programs may run ------------------------------------------------------------------------------------- */

#define VARIABLE "SIMTTUTOR_PROGRAMS"
#define AGREED "programs"
#define MARK "agreed\n"

/* From the terminal, and not from standard input, which is the program's. */
static bool ask(const char *question)
{
	char answer[16] = "";
	int terminal = isatty(STDERR_FILENO) ? open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) : -1;
	ssize_t n = terminal >= 0 && file_put(terminal, question, strlen(question))
		? file_get(terminal, answer, sizeof answer - 1)
		: 0;
	if (terminal >= 0)
		close(terminal);
	return n > 0 && (*answer == 'y' || *answer == 'Y');
}

#define SAYS_CONFINED                                                                                                  \
	"its host code runs on this machine, confined: it reads what is installed, its own\n"                          \
	"folder and files that its arguments name, writes in the working folder, and has no network. "

const char *program_agreed_path(struct arena *arena)
{
	struct paths own;
	paths_find(arena, &own);
	return path_join(arena, own.state, AGREED);
}

static bool has_agreed(const char *path)
{
	struct buf text = {0};
	struct diag quiet = {0};
	bool agreed = file_exists(path) && file_read_private(path, sizeof MARK, &text, &quiet) &&
		strcmp(buf_str(&text), MARK) == 0;
	buf_free(&text);
	diag_free(&quiet);
	return agreed;
}

bool program_asks(struct arena *arena)
{
	return !getenv(VARIABLE) && !has_agreed(program_agreed_path(arena));
}

bool program_has_agreed(struct arena *arena)
{
	const char *said = getenv(VARIABLE);
	return said ? strcmp(said, "yes") == 0 : has_agreed(program_agreed_path(arena));
}

bool program_agree_now(struct cmd_ctx *ctx)
{
	return file_write_private(program_agreed_path(ctx->arena), MARK, strlen(MARK), &ctx->diag);
}

bool program_ask_headers(struct cmd_ctx *ctx, const char *file, const char *folders)
{
	struct buf question = {0};
	buf_puts(&question, "simttutor: ");
	escape_puts(file, &question);
	buf_printf(&question,
		" is of a whole program that includes headers from %s. A program is compiled with\n"
		"the headers that it names so, and when it runs, " SAYS_CONFINED
		"Build and run programs so, from now on? [y/N] ",
		folders);
	bool agreed = ask(buf_str(&question)) && program_agree_now(ctx);
	buf_free(&question);
	return agreed;
}

bool program_agree(struct cmd_ctx *ctx, const char *file, const char *instead)
{
	static const char question[] = "simttutor: this is a whole program: " SAYS_CONFINED
				       "Run programs so, from now on? [y/N] ";
	struct diag_pos pos = {.file = file};
	if (program_has_agreed(ctx->arena))
		return true;
	if (!getenv(VARIABLE) && !program_headers_declined() && ask(question))
		return program_agree_now(ctx);
	program_headers_explain(ctx, "--source");
	diag_error(&ctx->diag, pos, "a whole program is run only after you agreed to that once");
	diag_note(&ctx->diag, (struct diag_pos){0}, "a terminal asks; " VARIABLE "=yes agrees, too%s%s",
		instead ? "; " : "", instead ? instead : "");
	return false;
}

/* --- exercises that are programs --- */

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

const struct experiment_grade *program_grade(struct cmd_ctx *ctx, struct arena *arena, const struct lesson *lesson,
	const struct step *step, const char *path, int *status)
{
	const struct grade_request request = {lesson, step, path, program_agreed_path(arena)};
	return grade_program(cmd_compile_ctx(ctx), arena, &request, status);
}

/* --- --view ------------------------------------------------------------------------------------------------------- */

/* Pictures of a program: of what it asked for, by the report that it leaves as JSON in a file without a name. */

#define REPORT_MAX ((size_t)16 << 20)
#define SOURCE_MAX ((size_t)1 << 20)
#define COLS 100 /* where standard output is no terminal */
#define ROWS 40

static struct {
	int fd; /* of the report; 0: there is none */
	char path[32];
} report;

/* Whether a program has such a view; false with an error. */
static bool program_view_is(struct cmd_ctx *ctx, const char *name)
{
	return view_is_of(view_find(name), VIEW_OF_PROGRAM) ||
		cmd_bad_value(ctx, "--view", name, "streams, host or map");
}

/* Where the program is to leave its report as JSON; NULL with errno. */
static const char *program_view_report(void)
{
	if (!report.fd)
		report.fd = portable_temporary_file();
	snprintf(report.path, sizeof report.path, "/dev/fd/%d", report.fd);
	return report.fd > 0 ? report.path : NULL;
}

/* The lines of the program's source, where it is one. */
static void take_source(struct cmd_ctx *ctx, const char *file, struct view_program *program)
{
	struct buf text = {0};
	struct diag quiet = {0};
	size_t n = strlen(file);
	if (n < 4 || strcmp(file + n - 3, ".cu") != 0 || !file_read_text(file, SOURCE_MAX, &text, &quiet)) {
		diag_free(&quiet);
		buf_free(&text);
		return;
	}
	const char *slash = strrchr(file, '/'), *at = buf_str(&text);
	const char **lines = arena_array(ctx->arena, const char *, text.len + 1);
	while (*at) {
		size_t len = strcspn(at, "\n");
		lines[program->n_lines++] = arena_strndup(ctx->arena, at, len);
		at += len + (at[len] == '\n');
	}
	program->lines = lines;
	program->file = slash ? slash + 1 : file;
	buf_free(&text);
	diag_free(&quiet);
}

/* Prints the views that --view names, of the program that has ended. False with an error. */
static bool program_view_print(struct cmd_ctx *ctx, const char *file, const struct cmd_parsed *args, int n)
{
	struct buf out = {0};
	struct picture_page page = {ctx, COLS, picture_choose(ctx, PICTURE_DEFAULT), &out};
	struct view_input input = view_input_none;
	struct view_program shown = {0}, *program = &shown;
	int rows = ROWS;

	input.program = program;
	struct buf text = {0};
	const char *why = NULL;
	program->why = "The program left no report: it was ended, or called _exit().";
	char read_bytes[4096];
	ssize_t read_n = 0;
	for (off_t at = 0; report.fd > 0 && text.len < REPORT_MAX; at += read_n) {
		read_n = pread(report.fd, read_bytes, sizeof read_bytes, at);
		if (read_n <= 0)
			break;
		buf_append(&text, read_bytes, (size_t)read_n);
	}
	if (text.len > 0) {
		json_t *json = json_loadb(text.data, text.len, 0, NULL);
		program->log = experiment_hostlog_read(ctx->arena, json, &why);
		json_decref(json);
	}
	buf_free(&text);
	program->to_scale = hostlog_costs_are_measured();
	take_source(ctx, file, program);

	picture_size(&page.cols, &rows);
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], "view"))
			picture_view(&page, view_find(args[i].value), &input, rows < ROWS ? rows : ROWS);
	bool printed = cmd_print_colored(ctx, &out);
	buf_free(&out);
	return printed;
}

/* --- --live ------------------------------------------------------------------------------------------------------- */

/* The launches of a program that were kept, on the machine and on the GPU. */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Standard output is the program's. */
static int program_live(struct cmd_ctx *ctx, const char *folder)
{
	/* The files of the folder in the order of their names, which begin with the launches' numbers. */
	const char **files = NULL;
	size_t n = 0, cap = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
		if (snapshot_is_named(entry->d_name))
			*vec_push_in(ctx->arena, files, n, cap) = path_join(ctx->arena, folder, entry->d_name);
	if (dir)
		closedir(dir);
	if (n)
		qsort(files, n, sizeof *files, by_name);

	struct gpu *gpu = gpu_new(cmd_gpu(ctx), ctx->paths.worker, &ctx->diag);
	int worst = gpu ? EXIT_OK : EXIT_USAGE;
	for (size_t i = 0; i < n && gpu; i++) {
		struct buf text = {0};
		int status = run_live_kept(ctx, files[i], gpu, &text);
		worst = worst == EXIT_OK ? status : worst;
		cmd_print_messages(ctx);
		cmd_print_log(&text);
		buf_free(&text);
		if (status == EXIT_MISSING)
			break; /* no GPU for this one is none for the others */
	}
	gpu_free(gpu);
	return worst;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

#define PROGRAM_MAX ((size_t)256 << 20)
#define PROGRAMS (CONFINE_READ | CONFINE_EXECUTE)
#define STATUS_SIGNALED 128
#define ONE_KERNEL "to run one of its kernels alone, give its launch with --grid and --block"

static const struct confine_rule installed[] = {
#define INSTALLED(path, allowed) {path, allowed},
#include "tools/sandbox/installed.def"
#undef INSTALLED
	{"/proc/self", CONFINE_READ},
	{"/dev/tty", CONFINE_READ | CONFINE_WRITE},
};

/* --- what is asked for -------------------------------------------------------------------------------------------- */

static bool is_executable(const char *path)
{
	char mark[4];
	struct diag quiet = {0};
	int fd = file_open(path, &quiet);
	bool is = fd >= 0 && file_get_all(fd, mark, sizeof mark) && memcmp(mark, "\177ELF", sizeof mark) == 0;
	if (fd >= 0)
		close(fd);
	diag_free(&quiet);
	return is;
}

/* Those that say what is reported of it are variables of its runtime. */
static const struct {
	const char *option, *variable;
} of_report[] = {
	{"report", "SIMTTUTOR_REPORT"},
	{"report-json", "SIMTTUTOR_REPORT_JSON"},
	{"launches", "SIMTTUTOR_LAUNCHES"},
	{"error-exitcode", "SIMTTUTOR_ERROR_EXITCODE"},
	{"on-error", "SIMTTUTOR_ON_ERROR"},
	{"record", "SIMTTUTOR_RECORD"},
	{"timeout", "SIMTTUTOR_TIMEOUT"},
};
#define OF_REPORT (sizeof of_report / sizeof *of_report)

static const char *variable_of(const struct cmd_parsed *arg)
{
	for (size_t i = 0; arg->option && i < OF_REPORT; i++)
		if (cmd_is(arg, of_report[i].option))
			return of_report[i].variable;
	return NULL;
}

static const char *value_of(const struct cmd_parsed *args, int n, const char *option)
{
	const char *value = NULL;
	for (int i = 0; i < n; i++)
		if (args[i].option && cmd_is(&args[i], option))
			value = args[i].value;
	return value;
}

/* Whether an option of `run`, `explore` or `debug` is for a whole program: how it is run, or how a launch of it is
 * looked at; every other describes a launch. */
static bool is_of_program(const struct cmd_entry *entry, const struct cmd_parsed *arg)
{
	static const char *const of_run[] = {"cc", "check", "define", "source", "strict", "live", "view", NULL},
				 *const of_explore[] = {"launch", "cc", "define", "source", "warp", "line", "steps",
					 "registers", "linear", "view", "size", "format", NULL},
				 *const of_debug[] = {"launch", "cc", "check", "define", "source", "warp", "steps",
					 "commands", "size", "debug-info", NULL};
	bool debugs = strcmp(entry->name, "debug") == 0, explores = strcmp(entry->name, "explore") == 0;
	for (const char *const *option = debugs ? of_debug : explores ? of_explore : of_run; *option; option++)
		if (cmd_is(arg, *option))
			return true;
	return !debugs && !explores && variable_of(arg);
}

const char *program_file(const struct cmd_parsed *args, int n)
{
	for (int i = 0; i < n; i++)
		if (!args[i].option)
			return args[i].value;
	return NULL;
}

/* The folder for launches that are kept. */
static const char *record_of(const struct cmd_parsed *args, int n)
{
	return value_of(args, n, "record");
}

static void make_record_folder(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	if (record_of(args, n))
		file_make_parents(path_join(ctx->arena, record_of(args, n), ""), CMD_OUTPUT_MODE);
}

bool program_is_asked(const struct cmd_parsed *args, int n)
{
	const char *file = program_file(args, n);
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], "grid") || cmd_is(&args[i], "block") || cmd_is(&args[i], "kernel") ||
			cmd_is(&args[i], "then"))
			return false;
	return file && strcmp(file, "-") != 0 && (program_kind(file) != PROGRAM_EXECUTABLE || is_executable(file));
}

/* --- what it may do ----------------------------------------------------------------------------------------------- */

static void allow_folder(struct cmd_needs *needs, struct confine_profile *profile, const char *folder, unsigned access)
{
	char real[PATH_MAX];
	if (realpath(folder, real) && !paths_hold_home(real))
		confine_allow(needs->ctx->arena, profile, arena_strdup(needs->ctx->arena, real), access);
}

static void fill_profile(
	struct cmd_needs *needs, const struct cmd_parsed *args, int n, const char *file, struct confine_profile *out)
{
	struct arena *arena = needs->ctx->arena;
	for (size_t i = 0; i < sizeof installed / sizeof *installed; i++)
		confine_allow(arena, out, installed[i].path, installed[i].access);
	confine_allow(arena, out, needs->ctx->paths.runtime, PROGRAMS);
	const char *slash = strrchr(file, '/');
	allow_folder(needs, out, slash ? arena_strndup(arena, file, (size_t)(slash - file) + 1) : ".", PROGRAMS);
	confine_allow(arena, out, file, PROGRAMS);
	if (program_kind(file) == PROGRAM_SCRIPT)
		program_allow_script(needs, out);
	program_allow_shared(needs, out);
	allow_folder(needs, out, ".", PROGRAMS | CONFINE_WRITE);
	if (record_of(args, n))
		allow_folder(needs, out, record_of(args, n), CONFINE_READ | CONFINE_WRITE);
	for (int i = 0; i < n; i++)
		if ((args[i].option && cmd_is(&args[i], "source")) || (!args[i].option && args[i].value != file))
			confine_allow(arena, out, args[i].value, CONFINE_READ);
	struct build_request used = {.n_inputs = 0}; /* for the lines in its report */
	program_headers_use(&used);
	for (int i = 0; i < used.headers.n; i++)
		confine_allow(arena, out, used.headers.words[i], CONFINE_READ);
	if (needs->scratch)
		confine_allow(arena, out, needs->scratch, PROGRAMS);
	out->liberties = CONFINE_MAY_EXECUTE | CONFINE_MAY_FORK;
}

/* --- how it is called --------------------------------------------------------------------------------------------- */

static const char *const *argv_of(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, const char *file)
{
	const char **argv = arena_array(ctx->arena, const char *, (size_t)n + 2);
	int m = 0;
	enum program_kind kind = program_kind(file);
	if (kind == PROGRAM_SCRIPT)
		argv[m++] = program_interpreter(ctx);
	argv[m++] = kind == PROGRAM_SOURCE ? arena_strndup(ctx->arena, file, strlen(file) - 3) : file;
	for (int i = 0; i < n; i++)
		if (!args[i].option && args[i].value != file)
			argv[m++] = args[i].value;
	argv[m] = NULL;
	return argv;
}

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);
	return value && *value;
}

/* The variable of the checks: all of them, unless someone says otherwise. */
static const char *checks_of(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	const char *list = NULL;
	bool strict = false;
	for (int i = 0; i < n; i++) {
		if (args[i].option && cmd_is(&args[i], "check"))
			list = args[i].value;
		strict = strict || (args[i].option && cmd_is(&args[i], "strict"));
	}
	if (!list && !strict)
		return is_set("SIMTTUTOR_CHECK") ? NULL : "all";
	if (!strict)
		return list;
	return list ? arena_printf(ctx->arena, "%s,strict", list) : "strict";
}

static const char *device_of(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	const char *device = NULL;
	struct diag messages = ctx->diag;
	int cc;
	ctx->diag = (struct diag){0}; /* a wrong one is reported when it is read */
	for (int i = 0; i < n; i++)
		if (args[i].option && cmd_is(&args[i], "cc") && cmd_cc(ctx, args[i].value, &cc))
			device = arena_printf(ctx->arena, "%d", cc);
	diag_free(&ctx->diag);
	ctx->diag = messages;
	return device;
}

static bool is_given(const struct cmd_parsed *args, int n, const char *option)
{
	for (int i = 0; i < n; i++)
		if (args[i].option && cmd_is(&args[i], option))
			return true;
	return false;
}

/* Whether its launches are to run on the GPU, too. */
static bool is_live(const struct cmd_parsed *args, int n)
{
	return is_given(args, n, "live");
}

static const char *const *variables_of(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	const char **variables = arena_array(ctx->arena, const char *, PROGRAM_LINKING + 13 + 2 * (size_t)n),
		   *checks = checks_of(ctx, args, n), *device = device_of(ctx, args, n);
	int m = program_linking(ctx, program_file(args, n), variables);
	if (!is_set("SIMTTUTOR_REPORT")) {
		variables[m++] = "SIMTTUTOR_REPORT";
		variables[m++] = "-";
	}
	if (isatty(STDERR_FILENO) && !is_set("SIMTTUTOR_PROGRESS")) {
		variables[m++] = "SIMTTUTOR_PROGRESS";
		variables[m++] = "line";
	}
	for (int i = 0; i < n; i++)
		if (variable_of(&args[i])) {
			variables[m++] = variable_of(&args[i]);
			variables[m++] = args[i].value;
		}
	if (is_given(args, n, "view") && program_view_report()) {
		variables[m++] = "SIMTTUTOR_REPORT_JSON";
		variables[m++] = program_view_report();
	}
	if (is_live(args, n) && !record_of(args, n)) {
		variables[m++] = "SIMTTUTOR_RECORD";
		variables[m++] = program_stop_folder();
	}
	if (checks) {
		variables[m++] = "SIMTTUTOR_CHECK";
		variables[m++] = checks;
	}
	if (device) {
		variables[m++] = "SIMTTUTOR_CC";
		variables[m++] = device;
	}
	variables[m] = NULL;
	return variables;
}

static void fill_launch(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, struct program_launch *out)
{
	const char *file = program_file(args, n);
	*out = (struct program_launch){.argv = argv_of(ctx, args, n, file), .variables = variables_of(ctx, args, n)};
}

bool program_output_is_kept;

static void fill_stopping(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, struct program_launch *out)
{
	const char *file = program_file(args, n);
	*out = (struct program_launch){.argv = argv_of(ctx, args, n, file),
		.variables = program_stop_variables(ctx, file, value_of(args, n, "launch"), device_of(ctx, args, n)),
		.output = program_stop_output(program_output_is_kept)};
}

/* Forks the runner when the folder for scratch folders is known, before we are confined. */
static bool begin_runner(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	struct program_launch *launch = arena_alloc(needs->ctx->arena, sizeof *launch);
	struct confine_profile profile = {0};
	fill_profile(needs, args, n, program_file(args, n), &profile);
	if (is_live(args, n) && !program_stop_prepare(needs, &profile))
		return false;
	fill_launch(needs->ctx, args, n, launch);
	launch->profile = profile;
	return program_runner_begin(launch);
}

/* Its arguments, where a client said them and not the command line. */
static struct {
	const struct cmd_parsed *args;
	int n;
} stopping;

/* The same for a program that is stopped. */
static bool begin_stopping_runner(struct cmd_needs *needs, const struct cmd_parsed *given, int n_given)
{
	const struct cmd_parsed *args = stopping.args;
	const int n = stopping.n;
	(void)given, (void)n_given;
	struct program_launch *launch = arena_alloc(needs->ctx->arena, sizeof *launch);
	struct confine_profile profile = {0};
	fill_profile(needs, args, n, program_file(args, n), &profile);
	if (!program_stop_prepare(needs, &profile))
		return false;
	fill_stopping(needs->ctx, args, n, launch);
	launch->profile = profile;
	return program_runner_begin(launch);
}

static void fill_request(const struct cmd_parsed *args, int n, const char *file, struct build_request *out)
{
	*out = (struct build_request){.n_inputs = 1, .inputs[0] = {file, BUILD_CUDA}};
	out->compile.words[out->compile.n++] = "-g"; /* for the host's lines in what is said of the program */
	/* What a command line of nvcc would have said for the program; clang needs no word for it. */
	out->nvcc.words[out->nvcc.n++] = "--extended-lambda";
	out->nvcc.words[out->nvcc.n++] = "--expt-relaxed-constexpr";
	out->as_needed = true;
	out->debug_info = is_given(args, n, "debug-info");
	for (int i = 0; i < n; i++)
		if (args[i].option && cmd_is(&args[i], "define") && out->n_macros < BUILD_WORDS_MAX) {
			out->macros[out->n_macros].kind = BUILD_DEFINE;
			out->macros[out->n_macros++].text = args[i].value;
		} else if (args[i].option && cmd_is(&args[i], "source") && out->folders.n < BUILD_WORDS_MAX) {
			out->folders.words[out->folders.n++] = args[i].value;
		}
}

void program_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	struct build_request *request = arena_alloc(needs->ctx->arena, sizeof *request);
	const char *file = program_file(args, n);
	fill_request(args, n, file, request);
	enum program_kind kind = program_kind(file);
	if (kind == PROGRAM_SCRIPT)
		(void)program_interpreter(needs->ctx); /* asked while we can still start anything */
	make_record_folder(needs->ctx, args, n);
	cmd_needs_build(needs, request);
	if (kind == PROGRAM_SOURCE)
		program_headers_find(needs, request);
	needs->tools = true;
	needs->gpu = is_live(args, n) ? cmd_gpu(needs->ctx) : NULL;
	needs->before = begin_runner;
}

void program_needs_to_stop(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	program_needs(needs, args, n);
	stopping.args = args;
	stopping.n = n;
	needs->before = begin_stopping_runner;
}

/* --- running it --------------------------------------------------------------------------------------------------- */

static bool check_value(struct cmd_ctx *ctx, const struct cmd_parsed *arg, int *cc)
{
	uint64_t status;
	uint32_t checks;
	if (cmd_is(arg, "cc"))
		return cmd_cc(ctx, arg->value, cc);
	if (cmd_is(arg, "error-exitcode"))
		return cmd_whole(ctx, arg, 1, 255, &status);
	bool goes_on;
	if (cmd_is(arg, "on-error"))
		return run_read_on_error(ctx, arg->value, &goes_on);
	if (cmd_is(arg, "check") && !simt_checks_read(arg->value, &checks))
		return cmd_bad_value(ctx, "--check", arg->value, RUN_CHECKS);
	if (cmd_is(arg, "timeout") && environment_duration(arg->value) <= 0)
		return cmd_bad_value(ctx, "--timeout", arg->value, RUN_TIMES);
	return !cmd_is(arg, "launch") || program_launch_is(ctx, arg->value);
}

static bool check_options(
	struct cmd_ctx *ctx, const struct cmd_entry *entry, const struct cmd_parsed *args, int n, int *cc)
{
	for (int i = 0; i < n; i++) {
		if (args[i].option && !is_of_program(entry, &args[i])) {
			cmd_usage(ctx, entry,
				"--%s is for a launch, which --grid and --block describe, and not for a whole program",
				args[i].option->name);
			return false;
		}
		if (args[i].option && !check_value(ctx, &args[i], cc))
			return false;
	}
	return true;
}

/* A program made elsewhere has to ask the system for the runtime, which it gets from us. */
static bool check_program(struct cmd_ctx *ctx, const char *file)
{
	struct buf bytes = {0};
	bool ok = file_read(file, PROGRAM_MAX, &bytes, &ctx->diag);
	bool asks = ok &&
		(program_linked_version(file) || memmem(bytes.data, bytes.len, "libcudart.so.12", 15) ||
			memmem(bytes.data, bytes.len, "libcudart.so.13", 15) ||
			memmem(bytes.data, bytes.len, "libcuda.so", 10));
	buf_free(&bytes);
	if (ok && !asks) {
		diag_error(&ctx->diag, (struct diag_pos){.file = file},
			"it does not use libcudart.so.12, libcudart.so.13 or libcuda.so.1, in whose place the machine's stand");
		diag_note(&ctx->diag, (struct diag_pos){0}, "compile it with simttutor cc, or nvcc");
		diag_note(&ctx->diag, (struct diag_pos){0},
			"one that loads them as it runs finds them by LD_LIBRARY_PATH=%s", ctx->paths.runtime);
	}
	return asks;
}

static int run_path(
	struct cmd_ctx *ctx, const struct program_launch *launch, const char *file, const char *path, int *by_signal)
{
	char real[PATH_MAX];
	cmd_print_messages(ctx); /* before what the program prints */
	/* An interpreter knows its packages by the path that it is called by. */
	bool as_it_is = program_kind(file) == PROGRAM_SCRIPT || !realpath(path, real);
	int status = program_runner_wait(launch, as_it_is ? path : real, by_signal);
	if (!*by_signal) {
		if (status == -1) {
			diag_error(&ctx->diag, (struct diag_pos){.file = file}, "cannot be run: %s", strerror(errno));
			return EXIT_FAILED;
		}
		if (WIFEXITED(status))
			return WEXITSTATUS(status);
		diag_note(&ctx->diag, (struct diag_pos){.file = file}, "the program was ended by signal %d (%s)",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
		return STATUS_SIGNALED + WTERMSIG(status);
	}
	diag_note(&ctx->diag, (struct diag_pos){.file = file},
		"signal %d (%s) came while the program ran, and ended it", *by_signal, strsignal(*by_signal));
	return STATUS_SIGNALED + *by_signal;
}

static bool check_program_file(struct cmd_ctx *ctx, const char *file)
{
	if (file_exists(file))
		return true;
	diag_error(&ctx->diag, (struct diag_pos){.file = file}, "cannot be read: %s", strerror(errno));
	return false;
}

/* Its exit status; false: it was not run, which the status says. */
static bool run_any(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, const struct program_launch *launch,
	int cc, int *status)
{
	const char *file = program_file(args, n);
	struct build_request *request = arena_alloc(ctx->arena, sizeof *request);
	size_t errors = ctx->diag.errors;
	int by_signal = 0;
	fill_request(args, n, file, request);
	program_headers_use(request);
	request->arch = cc;
	switch (program_kind(file)) {
	case PROGRAM_SOURCE: {
		struct build *build = arena_alloc(ctx->arena, sizeof *build);
		sandbox_allow_seconds(SANDBOX_BUILD_SECONDS);
		*status = build_begin(build, cmd_compile_ctx(ctx), request);
		const char *path = *status == EXIT_OK ? build_program(build) : NULL;
		if (path)
			*status = run_path(ctx, launch, file, path, &by_signal);
		else if (*status == EXIT_OK)
			*status = EXIT_FAILED;
		build_end(build);
		break;
	}
	case PROGRAM_SCRIPT: {
		const char *interpreter = program_interpreter(ctx);
		*status = interpreter ? run_path(ctx, launch, file, interpreter, &by_signal)
				      : program_report_no_interpreter(ctx, file) + EXIT_MISSING;
		break;
	}
	case PROGRAM_EXECUTABLE:
		*status = check_program(ctx, file) ? run_path(ctx, launch, file, file, &by_signal) : EXIT_FAILED;
		break;
	}
	if (by_signal)
		*status = STATUS_SIGNALED + by_signal;
	if (ctx->diag.errors != errors)
		program_headers_explain(ctx, "--source");
	return ctx->diag.errors == errors;
}

int program_run(struct cmd_ctx *ctx, const struct cmd_entry *entry, const struct cmd_parsed *args, int n)
{
	const char *file = program_file(args, n);
	struct program_launch launch;
	int cc = 0, status;

	if (!check_options(ctx, entry, args, n, &cc))
		return EXIT_USAGE;
	/* A report as JSON is what pictures are made of, and is written once. */
	bool drawn = is_given(args, n, "view");
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], "view") && !program_view_is(ctx, args[i].value))
			return EXIT_USAGE;
	if (drawn && is_given(args, n, "report-json"))
		cmd_usage(ctx, entry, "--view and --report-json exclude each other");
	if (drawn && is_given(args, n, "report-json"))
		return EXIT_USAGE;

	if (!check_program_file(ctx, file) || !program_agree(ctx, file, ONE_KERNEL))
		return EXIT_MISSING;
	make_record_folder(ctx, args, n);
	if (is_live(args, n) && !program_stop_begin(ctx))
		return EXIT_MISSING;
	fill_launch(ctx, args, n, &launch);
	bool ran = run_any(ctx, args, n, &launch, cc, &status);
	int live = ran && is_live(args, n)
		? program_live(ctx, record_of(args, n) ? record_of(args, n) : program_stop_folder())
		: EXIT_OK;
	program_stop_end();
	if (ran && is_given(args, n, "view") && !program_view_print(ctx, file, args, n))
		return EXIT_FAILED;
	return status ? status : live;
}

/* --- up to a launch ----------------------------------------------------------------------------------------------- */

int program_stop(struct cmd_ctx *ctx, const struct cmd_entry *entry, const struct cmd_parsed **args, int *n,
	const char **program)
{
	const char *file = program_file(*args, *n);
	struct program_launch launch;
	int cc = 0, status, m = 0;
	if (!check_options(ctx, entry, *args, *n, &cc))
		return EXIT_USAGE;
	if (!check_program_file(ctx, file) || !program_agree(ctx, file, ONE_KERNEL) || !program_stop_begin(ctx))
		return EXIT_MISSING;
	fill_stopping(ctx, *args, *n, &launch);
	if (!run_any(ctx, *args, *n, &launch, cc, &status))
		return status ? status : EXIT_FAILED;

	const char *path = program_stop_find(ctx), *choice = value_of(*args, *n, "launch");
	if (!path) {
		diag_error(&ctx->diag, (struct diag_pos){.file = file},
			"the program ended, with status %d, and has made no such launch: %s; simttutor run lists those it makes",
			status, choice ? choice : "its first");
		return EXIT_FAILED;
	}

	struct cmd_parsed *left = arena_array(ctx->arena, struct cmd_parsed, (size_t)*n + 1);
	left[m++] = (struct cmd_parsed){.value = path};
	for (int i = 0; i < *n; i++)
		if ((*args)[i].option && !cmd_is(&(*args)[i], "launch") && !cmd_is(&(*args)[i], "define") &&
			!cmd_is(&(*args)[i], "debug-info"))
			left[m++] = (*args)[i];
	*program = file;
	*args = left;
	*n = m;
	return EXIT_OK;
}
