/* cmd/program_record.h: programs that lessons show: compiled, and run as those of exercises are (cmd/program_grade.h), for what they ask
 * CUDA for. program_grade_needs and program_grade_can are for these, too. */
#pragma once
#include "cmd/cmd.h"
#include "course/experiment/recordings.h"

struct program_record;

/* Compiles it. NULL with an error; to be closed. */
struct program_record *program_record_open(struct cmd_ctx *ctx, struct arena *arena, const char *path);
void program_record_close(struct program_record *p);

/* The same, kept where it is the one that was opened last. */
struct program_record *program_record_of(
	struct cmd_ctx *ctx, struct arena *arena, struct program_record **kept, const char *path);

/* Runs it with these arguments, blanks between; all but the log's times, name and source of what is recorded. NULL with an error. */
const struct experiment_program *program_record_run(struct program_record *p, const char *arguments);
