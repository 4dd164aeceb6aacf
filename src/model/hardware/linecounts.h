/* model/hardware/linecounts.h: what the model and the hardware count per source line (linecounts.def), and tables of it by line. */
#pragma once
#include "base/arena.h"
#include "model/hardware/metrics.h"

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

/* Wavefronts of a shared request, sectors of a global one, active lanes of an instruction. VALUE_NONE where there was none
 * or a number is missing. */
struct value line_counts_wavefronts(const struct line_counts *counts);
struct value line_counts_sectors(const struct line_counts *counts);
struct value line_counts_lanes(const struct line_counts *counts);

/* Wavefronts beyond the fewest; VALUE_NONE where no request was made. Branches, and those that diverged; VALUE_NONE where
 * there was none. */
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

/* Of the rows that access shared memory, for counter_compare: those of `cp.async` alone have wavefronts, and no request. VALUE_NONE when
 * no row has any. Verified: H200, `mma_rows` of kernels/tensor.cu. */
struct value line_table_shared_wavefronts(const struct line_table *table);
