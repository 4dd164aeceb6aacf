/* course/experiment/lines.h: counters of source lines and machine instructions, from the worker or a recording, by the lines that the model counts by. */
#pragma once
#include "gpu/wire/wire.h"
#include "machine/ptx/ptx.h"
#include "model/hardware/counters.h"

/* The hardware's names of all line counts, by id. */
extern const char *const experiment_line_metrics[LINE_COUNTS];

/* The PTX to ask the worker with for `kernel`: its instructions say the lines that profile_run counts by. NULL with a
 * diagnostic. In `arena`. */
const char *experiment_ptx_for_lines(
	struct arena *arena, struct ptx_module *module, const char *kernel, struct diag *diag);

/* Another, whose instructions say the lines of the PTX that they are in: for what each of them became. */
const char *experiment_ptx_for_code(
	struct arena *arena, struct ptx_module *module, const char *kernel, struct diag *diag);

/* The request to count all of them of a launch of such PTX. Points to both. */
struct wire_message experiment_lines_message(const char *ptx, const struct launch *launch);

/* The same of PTX that experiment_ptx_for_code made, instruction by instruction, too: how often each was executed, by how many threads, and
 * what it asked of memory. */
struct wire_message experiment_code_message(const char *ptx, const struct launch *launch);

/* The rows of machine instructions in the place of lines. */
struct wire_line_counts experiment_lines_of_instrs(const struct wire_line_counts *counts);

/* Of all shared accesses; VALUE_NONE when no line was counted. */
struct value experiment_lines_wavefronts(const struct wire_line_counts *counts);

/* The counters of each line in the worker's answer, or in a recording. In `arena`. */
struct line_table experiment_lines_read(struct arena *arena, const struct wire_line_counts *counts);
