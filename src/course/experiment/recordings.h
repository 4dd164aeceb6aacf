/* course/experiment/recordings.h: live results stored with a lesson (lessons/X/recorded.json) and read back.
 *
 * A recording belongs to one PTX text, one launch and one GPU, by its name and compute capability; a look-up with
 * another text gives RECORDED_STALE. The first GPU of the file is the one whose numbers are shown, until another is
 * preferred. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "gpu/wire/wire.h"
#include "machine/launch/launch.h"
#include "model/hardware/counters.h"
#include "model/hardware/hostlog.h"

struct experiment_recordings;
struct json_t;
struct ptx_module;

struct experiment_provenance {
	const char *gpu, *driver, *cuda, *cupti, *date; /* date: YYYY-MM-DD, UTC */
	int cc, sms;
};

/* What a program of the lesson asked for, with these arguments, as the machine saw it. */
struct experiment_program {
	const char *name, *arguments; /* "parts"; "2 1" */
	const char *source;           /* experiment_fingerprint_source of its text */
	const char *compiler, *date;  /* "nvcc" or "clang", with which it was made; YYYY-MM-DD, UTC */
	int cc;                       /* of the machine */
	const struct hostlog *log;
};

/* An empty collection, to be filled and written. */
struct experiment_recordings *experiment_recordings_new(struct arena *arena);

/* Reads `path`. NULL with diagnostics (file:line:col) when damaged; a missing file is an empty collection. */
struct experiment_recordings *experiment_recordings_load(struct arena *arena, const char *path, struct diag *diag);

/* The same from text in memory, which is followed by a NUL; `path` is for diagnostics. */
struct experiment_recordings *experiment_recordings_read(
	struct arena *arena, const char *path, const char *text, size_t len, struct diag *diag);

/* A short fingerprint (hex) of PTX text without its comments and blank lines, stored with each result. */
void experiment_fingerprint(const char *ptx, size_t len, char out[17]);

/* The GPUs that results are from, in the order of the file; NULL past the last. */
const struct experiment_provenance *experiment_recordings_gpu(const struct experiment_recordings *recorded, int index);

/* Results of this GPU are found first; one that has none of a launch is stood in for by the others in their order. */
void experiment_recordings_prefer(struct experiment_recordings *recorded, int index);

/* The GPUs of another collection come first, in its order, though it has results of them no more. */
void experiment_recordings_order_as(struct experiment_recordings *recorded, const struct experiment_recordings *other);

/* The same of a source, with its comments: lines are counted. */
void experiment_fingerprint_source(const char *text, size_t len, char out[17]);

/* Adds or replaces a program's, which must live as long. */
void experiment_recordings_put_program(
	struct experiment_recordings *recorded, const struct experiment_program *program);

/* Adds or replaces the result of this launch of this PTX on this GPU. */
void experiment_recordings_put(struct experiment_recordings *recorded, const struct experiment_provenance *provenance,
	const char *fingerprint, const struct launch *launch, const struct wire_measurement *measurement);

/* Adds the counters of the lines to the result of this launch, which was put before. */
void experiment_recordings_put_lines(struct experiment_recordings *recorded, const char *fingerprint,
	const struct launch *launch, const struct wire_line_counts *counts);

/* How often the machine instructions that a line of the PTX became were executed, all of them together. */
struct experiment_executed {
	int ptx_line;
	double n; /* warp instructions */
};

/* Adds this to the result of this launch, which was put before: of counters by lines of the PTX, those that are
 * available; and those of each machine instruction, where they are there. */
void experiment_recordings_put_executed(struct experiment_recordings *recorded, const char *fingerprint,
	const struct launch *launch, const struct wire_line_counts *counts);

/* Room for those of machine instructions by lines of the PTX; how many there are is the value. */
int experiment_executed_of(const struct wire_line_counts *counts, struct experiment_executed *out);

/* A source line of the kernel, as the model counted it. */
struct experiment_line {
	int line;
	bool executed;
	uint64_t requests;                              /* to memory, both spaces */
	struct value wavefronts, sectors, active_lanes; /* per shared request, global request, warp instruction */
};

/* What the model has of a launch but its counters. */
struct experiment_modeled {
	uint64_t steps;                      /* warp instructions of PTX */
	const struct experiment_line *lines; /* ascending */
	int n_lines;
	const uint64_t *executed; /* warp instructions, by instruction of the kernel */
	int n_executed;
};

/* Adds what the model counts of this launch to the results of all GPUs, which were put before: for launches that a
 * reader would wait for. Numbers that it does not have are left out. */
void experiment_recordings_put_model(struct experiment_recordings *recorded, const char *fingerprint,
	const struct launch *launch, const struct counts *model, const struct experiment_modeled *modeled);

/* Takes this away, and has none of it put again: it is no stand-in for a run. */
void experiment_recordings_leave_model(
	struct experiment_recordings *recorded, const char *fingerprint, const struct launch *launch);

/* Adds the machine code that was made of a kernel, which it copies; for one target there is one. */
struct code_listing;
void experiment_recordings_put_code(struct experiment_recordings *recorded, const char *fingerprint, const char *kernel,
	const struct code_listing *listing);

/* The machine code of a kernel of this PTX: for compute capability `cc`, else any. NULL: none is recorded. */
const struct code_listing *experiment_recordings_find_code(
	const struct experiment_recordings *recorded, const char *fingerprint, const char *kernel, int cc);

/* Takes the results of this launch of this PTX over from another collection, which must live as long: of all GPUs, or
 * where `but` is one, of the others. False: there was none. */
bool experiment_recordings_take(struct experiment_recordings *recorded, const struct experiment_recordings *from,
	const char *fingerprint, const struct launch *launch, const struct experiment_provenance *but);

/* Whether it has the result of this GPU. */
bool experiment_recordings_has(const struct experiment_recordings *recorded, const char *fingerprint,
	const struct launch *launch, const struct experiment_provenance *gpu);
bool experiment_same_gpu(const struct experiment_provenance *a, const struct experiment_provenance *b);

/* Appends the text of the file; writes the file. */
void experiment_recordings_format(const struct experiment_recordings *recorded, struct buf *out);
bool experiment_recordings_write(const struct experiment_recordings *recorded, const char *path, struct diag *diag);

/* Whether two launches are one and the same for a recording. */
bool experiment_same_launch(const struct launch *a, const struct launch *b);

/* Looks a launch of this PTX up by kernel, grid, block, shared bytes and argument texts. Returns how it went:
 * RECORDED_STALE when only another PTX was launched so. */
enum experiment_recorded { RECORDED_NONE, RECORDED_STALE, RECORDED_OK };
struct experiment_recorded_result {
	const struct experiment_provenance *provenance;
	const char *const *metrics; /* hardware names */
	const double *values;
	int n;
	const char *const *model_metrics; /* by their hardware names, too */
	const double *model_values;
	int n_model;                                /* 0: the model is asked when a reader gets there */
	struct experiment_modeled modeled;          /* what of it is stored; steps 0: nothing */
	const struct wire_line_counts *lines;       /* n_lines 0: none recorded; all of its metrics are available */
	const struct experiment_executed *executed; /* ascending by line */
	int n_executed;                             /* 0: not recorded */
	const struct wire_line_counts *instrs;      /* by address in the code `code`; n_lines 0: not recorded */
};
enum experiment_recorded experiment_recordings_find(const struct experiment_recordings *recorded,
	const char *fingerprint, const struct launch *launch, struct experiment_recorded_result *out);
int experiment_recordings_count(const struct experiment_recordings *recorded);

/* Looks a program up by its name, arguments and source; RECORDED_STALE when only another source was recorded. */
enum experiment_recorded experiment_recordings_find_program(const struct experiment_recordings *recorded,
	const struct experiment_program *wanted, const struct experiment_program **out);

/* --- hostlog.c: what a program asked for, as JSON of a report of the runtime, or stored with a lesson ------------- */

/* From the members "streams", "operations" and "operations_left_out" of an object, whoever wrote it, with its times.
 * NULL, and `*why` is a constant text: it is none. */
struct hostlog *experiment_hostlog_read(struct arena *arena, const struct json_t *json, const char **why);

/* Appends these members, without the times, an operation a line. */
void experiment_hostlog_format(const struct hostlog *log, const char *indent, struct buf *out);

/* --- lines.c: counters of lines and machine instructions, by the lines that the model counts by ------------------- */

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

/* The same of PTX that experiment_ptx_for_code made, instruction by instruction, too: how often each was executed, by
 * how many threads, and what it asked of memory. */
struct wire_message experiment_code_message(const char *ptx, const struct launch *launch);

/* The rows of machine instructions in the place of lines. */
struct wire_line_counts experiment_lines_of_instrs(const struct wire_line_counts *counts);

/* Of all shared accesses; VALUE_NONE when no line was counted. */
struct value experiment_lines_wavefronts(const struct wire_line_counts *counts);

/* The counters of each line in the worker's answer, or in a recording. In `arena`. */
struct line_table experiment_lines_read(struct arena *arena, const struct wire_line_counts *counts);
