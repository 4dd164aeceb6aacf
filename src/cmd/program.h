/* cmd/program.h: whole programs that `simttutor run` runs: CUDA source, which is compiled first, or a program made before.
 *
 * The program is a process beside us, the runner, which was forked before we confined ourselves and is confined in a way of its own:
 * it reads and executes what is installed, reads the folder of its source and what its arguments name, writes in the
 * working folder, and has no network (SECURITY.md). It has our standard descriptors, environment and working folder. */
#pragma once
#include "cmd/confined.h"

/* Whether arguments of `run` ask for a program: its file is CUDA source or an executable, and nothing describes a launch. */
bool program_is_asked(const struct cmd_parsed *args, int n);

/* What it needs: of `run`, instead of what a launch does. */
void program_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n);

/* The same for program_stop. */
void program_needs_to_stop(struct cmd_needs *needs, const struct cmd_parsed *args, int n);

/* Compiles it where it is source, and runs it up to the launch that --launch chooses, or its first; it ends there, before the launch
 * begins. `*path`: the launch's file, in a private folder, until program_stopped. An exit status, with an error unless it is EXIT_OK. */
int program_stop(
	struct cmd_ctx *ctx, const struct cmd_entry *entry, const struct cmd_parsed *args, int n, const char **path);
void program_stopped(void);

/* What it printed until then, at most 1 MiB, where --dap leaves it no output of ours. */
void program_stop_printed(struct buf *out);

/* Whether program_stop is to keep what the program prints. */
extern bool program_output_is_kept;

/* Where it is kept that the reader lets programs run: of all courses together. */
const char *program_agreed_path(struct arena *arena);

/* Whether the reader has yet to agree, and can; that the reader does, false with an error. */
bool program_asks(struct arena *arena);
bool program_agree_now(struct cmd_ctx *ctx);

/* The file among its arguments. */
const char *program_file(const struct cmd_parsed *args, int n);

/* Compiles it where it is source, and runs it to its end. Its exit status; 128 and the signal's number where one ended it. */
int program_run(struct cmd_ctx *ctx, const struct cmd_entry *entry, const struct cmd_parsed *args, int n);
