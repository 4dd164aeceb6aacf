/* cmd/program.h: whole programs that `simttutor run` runs: CUDA source, which is compiled first, or a program made
 * before.
 *
 * The program is a process beside us, the runner, which was forked before we confined ourselves and is confined in a
 * way of its own: it reads and executes what is installed, reads the folder of its source and what its arguments name,
 * writes in the working folder, and has no network (SECURITY.md). It has our standard descriptors, environment and
 * working folder. */
#pragma once
#include <sys/types.h>

#include "cmd/cmd.h"
#include "cmd/confined.h"
#include "course/experiment/recordings.h"
#include "course/grade/grade.h"

/* Whether arguments of `run` ask for a program: its file is CUDA source, an executable or a script, and nothing
 * describes a launch. */
bool program_is_asked(const struct cmd_parsed *args, int n);

/* What it needs: of `run`, instead of what a launch does. */
void program_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n);

/* What it needs for program_stop: the options of explore and debug. */
void program_needs_to_stop(struct cmd_needs *needs, const struct cmd_parsed *args, int n);

/* Compiles it where it is source, and runs it up to the launch that --launch chooses, or its first; it ends there,
 * before the launch begins. The launch's file, in a private folder until program_stop_end, takes the program's place
 * among the arguments, and `*program` is its name; the program's other arguments and options are left out. An exit
 * status, with an error unless it is EXIT_OK. */
int program_stop(struct cmd_ctx *ctx, const struct cmd_entry *entry, const struct cmd_parsed **args, int *n,
	const char **program);

/* What it printed until then, at most 1 MiB, where --dap leaves it no output of ours. */
void program_stop_printed(struct buf *out);

/* Whether program_stop is to keep what the program prints. */
extern bool program_output_is_kept;

/* Where it is kept that the reader lets programs run: of all courses together. */
const char *program_agreed_path(struct arena *arena);

/* Whether the reader has yet to agree, and can; that the reader does, false with an error. */
bool program_asks(struct arena *arena);
bool program_has_agreed(struct arena *arena);

/* Asks that on the terminal for a program, `file`, that includes headers from these folders, a list as it is shown;
 * keeps the answer yes. */
bool program_ask_headers(struct cmd_ctx *ctx, const char *file, const char *folders);
bool program_agree_now(struct cmd_ctx *ctx);

/* The file among its arguments. */
const char *program_file(const struct cmd_parsed *args, int n);

/* Compiles it where it is source, and runs it to its end. Its exit status; 128 and the signal's number where one ended
 * it. */
int program_run(struct cmd_ctx *ctx, const struct cmd_entry *entry, const struct cmd_parsed *args, int n);

/* --- what program.c is made of. Inside program*.c only. --- */

/* What the runner executes; all but `path` is known before we are confined. */
struct program_launch {
	const char *path; /* NULL: it is sent */
	const char *const *argv;
	const char *const *variables; /* NAME=VALUE, in pairs of setenv's arguments, ends in NULL */
	struct confine_profile profile;
	int output; /* in place of standard output, and it has no standard input; 0: it has ours */
};

/* False with an error; `instead`: what can be done without, NULL: nothing. */
bool program_agree(struct cmd_ctx *ctx, const char *file, const char *instead);

/* Whether a value of --launch is one; false with an error. */
bool program_launch_is(struct cmd_ctx *ctx, const char *value);

/* The folder for the launch at which the program stops: made before we and the runner are confined; or later, where
 * neither is. False with errno; with an error. */
bool program_stop_prepare(struct cmd_needs *needs, struct confine_profile *profile);
bool program_stop_begin(struct cmd_ctx *ctx);
void program_stop_end(void);
const char *program_stop_folder(void);

/* A descriptor for what it prints, where that is kept; 0: it prints where we do. What it has printed, at most 1 MiB. */
int program_stop_output(bool keeps);

/* The environment variables that the program is started with, name and value in turn. `choice` NULL: its first launch;
 * `cc` NULL: the default. */
const char *const *program_stop_variables(struct cmd_ctx *ctx, const char *file, const char *choice, const char *cc);

/* The file of the launch; NULL: the program has made none. */
const char *program_stop_find(struct cmd_ctx *ctx);

/* program_start.c: what a file is, by its ending: .cu, .py, or another. */
enum program_kind { PROGRAM_EXECUTABLE, PROGRAM_SOURCE, PROGRAM_SCRIPT };
enum program_kind program_kind(const char *path);

/* The interpreter of scripts, which SIMTTUTOR_PYTHON names, else the first that PATH has, with its links (by which one
 * of a virtual environment knows it); NULL: there is none, which the next one says. */
const char *program_interpreter(struct cmd_ctx *ctx);
bool program_report_no_interpreter(struct cmd_ctx *ctx, const char *file);

/* Lets a script read and execute where its interpreter and its packages are, and keep what it makes in a private folder
 * that is removed at the end. */
void program_allow_script(struct cmd_needs *needs, struct confine_profile *profile);

/* Lets it, and all that it starts, have memory in common, in a private folder or in that of SIMTTUTOR_SHARED. */
void program_allow_shared(struct cmd_needs *needs, struct confine_profile *profile);

/* The version of NVIDIA's runtime that is linked into an executable and can be replaced (runtime/linked.h); 0: none. */
int program_linked_version(const char *path);

/* The variables by which the dynamic linker takes simttutor's libraries in place of NVIDIA's, at most PROGRAM_LINKING
 * words, name and value in turn. Returns how many there are. */
#define PROGRAM_LINKING 16
int program_linking(struct cmd_ctx *ctx, const char *file, const char **variables);

/* program_runner.c: forks the runner, which waits for the path. False with errno. */
bool program_runner_begin(const struct program_launch *launch);

/* Lets it execute `path`, now, and waits for its end: a wait status, or -1 with errno. Without program_runner_begin it
 * is forked now, and not confined. `*by_signal`: the signal that ended the program and is to end us; 0: none. */
int program_runner_wait(const struct program_launch *launch, const char *path, int *by_signal);

/* --- programs that lessons show: compiled, and run as those of exercises are (course/grade/grade.h), for what they ask
 * CUDA for. program_grade_needs and program_grade_can are for these, too. --- */

struct program_record;

/* Compiles it. NULL with an error; to be closed. */
void program_record_close(struct program_record *p);

/* Like program_record_open, or the one that is kept in `*kept`, where that is of this path. */
struct program_record *program_record_of(
	struct cmd_ctx *ctx, struct arena *arena, struct program_record **kept, const char *path);

/* Runs it with these arguments, blanks between; something is to be `wrong` with it, or nothing. All but the log's
 * times, name and source of what is recorded. NULL with an error. */
const struct experiment_program *program_record_run(struct program_record *p, const char *arguments, bool wrong);

/* --- exercises that are whole programs (course/grade/grade.h) --- */

/* What running programs so needs: adds to those of a command with tools. */
void program_grade_needs(struct cmd_needs *needs);

/* Whether it can be: a compiler is there, and the reader has agreed, or does so now. An exit status, with an error. */
int program_grade_can(struct cmd_ctx *ctx, const char *path);

/* Grades the program at `path`. NULL with an exit status, with errors; the compiler's messages are printed. All in
 * `arena`. */
const struct experiment_grade *program_grade(struct cmd_ctx *ctx, struct arena *arena, const struct lesson *lesson,
	const struct step *step, const char *path, int *status);
