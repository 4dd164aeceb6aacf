/* front/view/source.h: subject of the views `source` and `compare`: the lines of a kernel with what they cost. */
#pragma once
#include "model/hardware/counters.h"
#include "model/hardware/value.h"

/* One line of a kernel's source with what the model counted there. */
struct view_source_line {
	int line;
	const char *text; /* tabs as in the file */
	bool executed;
	uint64_t requests;                /* memory requests of the line, both spaces */
	struct value wavefronts, sectors; /* per request; VALUE_NONE when the line makes none of that kind */
	struct value active_lanes;        /* per warp instruction */

	/* How it differs from the source it is compared with: '~' in its text, '#' in its numbers, '+' where it is here
	 * alone; 0: not. */
	uint32_t mark;
};

struct view_source {
	const char *file;
	const struct view_source_line *lines;
	int n_lines;
	int watched;                       /* line number, 0: none */
	const struct line_table *measured; /* NULL: it was not measured */
	enum witness measured_by;          /* LIVE or RECORDED */
};

/* Two versions of a kernel side by side. */
struct view_compared_row {
	int lines[2];  /* indices of the sources' lines; -1: there is none beside the other */
	uint32_t mark; /* as of the lines */
};

struct view_compare {
	const char *names[2];              /* NULL: nothing is compared */
	int shown;                         /* which of them the other pictures are of */
	const struct view_source *sources; /* two */
	const struct view_compared_row *rows;
	int n_rows;
	const int *metrics;
	const struct value *values[2]; /* of the metrics, predicted */
	int n_metrics;
};
