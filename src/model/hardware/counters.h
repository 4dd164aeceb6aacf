/* model/hardware/counters.h: what the model and the hardware count of a launch (counters.def) and of a line of its
 * source (linecounts.def). What is made of them for people is metrics.h. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/hardware/value.h"

/* --- of a launch -------------------------------------------------------------------------------------------------- */

enum counter_id {
#define COUNTER(id, hw, unit, trust, verified, meaning) COUNTER_##id,
#include "model/hardware/counters.def"
#undef COUNTER
	COUNTERS,
	COUNTER_NONE = COUNTERS
};

enum counter_trust { COUNTER_EXACT, COUNTER_CLOSE, COUNTER_ROUGH, COUNTER_HARDWARE };

struct counter {
	const char *hw; /* CUPTI's name; one without a dot comes from the driver */
	const char *unit;
	enum counter_trust trust;
	const char *verified; /* where the number was verified, "" */
	const char *meaning;
};
extern const struct counter counter_table[COUNTERS];

/* "exact", "estimate", "not modeled"; and its explanation. */
const char *counter_trust_name(enum counter_trust trust);
const char *counter_trust_meaning(enum counter_trust trust);

/* The id of a hardware name, or COUNTER_NONE. */
enum counter_id counter_find(const char *hw);

/* The hardware's metric that counts the same per machine instruction and is quick (instructions.def), or NULL. */
const char *counter_per_instruction(enum counter_id id);

/* The counter whose metric per machine instruction this is, or COUNTER_NONE. */
enum counter_id counter_find_per_instruction(const char *hw);

/* Whether on a GPU of compute capability `cc` that metric is as good for a kernel that only loads and stores, which
 * counter_only_loads says of its PTX: the counter itself then need not be collected. */
bool counter_is_replaced(enum counter_id id, int cc);
bool counter_only_loads(const char *ptx, size_t len);

/* Whether only the model counts it, since no GPU executes PTX: its name begins with ptx__. */
bool counter_is_of_model(enum counter_id id);

/* The names of all others; returns how many. */
int counter_hardware_names(const char *names[COUNTERS]);

/* Whether a GPU of compute capability `cc` (90) can count it; one newer than the table is assumed to. */
bool counter_is_collected(enum counter_id id, int cc);

/* The chips that absent.def was made for, as CUPTI calls them. */
struct chip {
	const char *name;
	int cc;
};
extern const struct chip chip_table[];
extern const int chip_count;

/* All raw numbers of one witness. Zeroed: nothing known. */
struct counts {
	struct value c[COUNTERS];
	bool per_instruction[COUNTERS]; /* of one that is there: it is what counter_per_instruction names */
};

/* A GPU's numbers by the hardware's names, as they come from a worker or a recording. */
struct named_counts {
	const char *const *names;
	const double *values;
	const bool *available; /* NULL: all are */
	int n;
	int cc; /* of the GPU that lacks those not available */
};

/* Sets the named counters; unknown names are ignored, and so is a number per machine instruction where the counter
 * itself has one. */
void counts_set_named(struct counts *counts, const struct named_counts *named);

/* Sets all counters that the model counts to 0, all others to VALUE_NONE: also the rough ones, which no instruction
 * changes. */
void counts_start_model(struct counts *counts);

/* How the hardware's value of a counter compares with the model's. COUNTER_WAITED: a shared wavefront or conflict
 * counter, which counts an access again that had to wait for others (arriving global data, an SM's other blocks): on an
 * H200 up to 4 % more, a different number in each run, where many blocks run. Counted per instruction (WAVEFRONTS of
 * linecounts.def), the same launches have the model's number. */
enum counter_relation { COUNTER_SAME, COUNTER_WAITED, COUNTER_DIFFERS };

/* Whether this is such a counter: one that counts an access again when it waited. */
bool counter_counts_waits(enum counter_id id);

/* Whether both have the counter, and the model predicts it exactly. */
bool counter_is_comparable(enum counter_id id, const struct counts *model, const struct counts *hardware);

/* Both have the counter. `wavefronts`: of all shared accesses of the hardware's launch, counted per instruction; where
 * they are missing, the result is never COUNTER_WAITED. */
enum counter_relation counter_compare(
	enum counter_id id, const struct counts *model, const struct counts *hardware, struct value wavefronts);

/* --- of a source line --------------------------------------------------------------------------------------------- */

enum line_count_id {
#define LINE_COUNT(id, name, hw, trust, meaning) LINE_COUNT_##id,
#include "model/hardware/linecounts.def"
#undef LINE_COUNT
	LINE_COUNTS
};

struct line_count {
	const char *name; /* "shared_requests" */
	const char *hw;   /* CUPTI's name */
	enum counter_trust trust;
	const char *meaning;
};
extern const struct line_count line_count_table[LINE_COUNTS];

/* LINE_COUNTS for an unknown name. */
enum line_count_id line_count_find(const char *hw);

/* All numbers of one witness about a line. Zeroed: nothing known. */
struct line_counts {
	struct value c[LINE_COUNTS];
};

/* Requests of both spaces; VALUE_NONE when there are none or they are not known. */
struct value line_counts_requests(const struct line_counts *counts);

/* Wavefronts of a shared request, sectors of a global one, active lanes of an instruction. VALUE_NONE where there was
 * none or a number is missing. */
struct value line_counts_wavefronts(const struct line_counts *counts);
struct value line_counts_sectors(const struct line_counts *counts);
struct value line_counts_lanes(const struct line_counts *counts);

/* Wavefronts beyond the fewest; VALUE_NONE where no request was made. Branches, and those that diverged; VALUE_NONE
 * where there was none. */
struct value line_counts_conflicts(const struct line_counts *counts);
struct value line_counts_branches(const struct line_counts *counts);
struct value line_counts_divergent(const struct line_counts *counts);

struct line_row {
	int line; /* 0: of no line of the kernel's file */
	struct line_counts counts;
};

struct line_table {
	struct line_row *rows; /* ascending by line */
	int n, cap;
};

/* The row of a line, added when there is none; the pointer is valid until another row is added. */
struct line_row *line_table_row(struct arena *arena, struct line_table *table, int line);

/* NULL: the line has none. */
const struct line_counts *line_table_find(const struct line_table *table, int line);

/* The sum of all rows; every number is VALUE_NONE when there is no row. */
struct line_counts line_table_total(const struct line_table *table);

/* Of the rows that access shared memory, for counter_compare: those of `cp.async` alone have wavefronts, and no
 * request. VALUE_NONE when no row has any. Verified: H200, `mma_rows` of kernels/tensor.cu. */
struct value line_table_shared_wavefronts(const struct line_table *table);
