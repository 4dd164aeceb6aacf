/* front/view/numbers.h: subjects of the views `numbers`, `sweep` and `roofline`: metrics, predicted and measured. */
#pragma once
#include "model/hardware/counters.h"
#include "model/hardware/roofs.h"
#include "model/hardware/value.h"

struct view_number {
	int metric; /* METRIC_... of metrics.h */
	struct value predicted, measured;
	enum witness measured_by;     /* LIVE or RECORDED */
	const struct counts *counted; /* what `measured` was computed from; NULL: the counters of the catalog */
};

/* What was recorded on another GPU than the numbers beside it were measured on. */
struct view_elsewhere {
	const char *gpu, *name, *date; /* "NVIDIA H100 80GB HBM3", "H100", "2026-11-27" */
	const struct value *measured;  /* of each row */
};
#define VIEW_ELSEWHERE_MAX 2

struct view_numbers {
	const struct view_number *rows;
	int n_rows;
	const char *measured_on;                /* "NVIDIA H200", with date for a recording; NULL: nowhere */
	const struct view_number *other;        /* n_rows: the same metrics of the setting it is compared with; NULL */
	const char *names[2];                   /* of both settings, in the order of their columns */
	int shown;                              /* the column of `rows` */
	const struct view_elsewhere *elsewhere; /* not beside another setting */
	int n_elsewhere;
	const char *measured_name; /* with `elsewhere`, the name over the numbers measured: "H200" */
};

/* A metric against a parameter. xs ascending. */
struct view_sweep {
	int metric;
	const char *parameter, *unit; /* unit may be "" */
	const int64_t *xs;
	const char *const *names;                 /* of the parameter's values 0, 1, 2 ...; NULL: they are numbers */
	const struct value *predicted, *measured; /* n each */
	enum witness measured_by;
	int n;
	int64_t at; /* the parameter's present value, marked */
};

/* What a launch does under the roofs of a GPU; with a sweep, at each value of its parameter. */
struct view_roofline {
	const struct roof_work *predicted, *measured; /* n each */
	int n;                                        /* 0: there is nothing to draw */
	int at;                                       /* the launch that is shown; -1: it is not among them */
	bool counted;                                 /* `measured` has the GPU's operations; else the model's */
	const struct view_sweep *sweep;               /* whose values they are; NULL: there is one launch */
	const bool *covered;                          /* of n: it answers a question that is open; NULL: none does */
	enum witness measured_by;
	const char *gpu;           /* whose roofs these are, or would be */
	const struct roofs *roofs; /* NULL: none were measured on it */
};

/* Whether what was recorded elsewhere prints as what is measured. */
bool view_elsewhere_is_same(const struct view_number *number, struct value value);

/* How many settings the numbers are of, and those of one of them, in the order of their columns. */
int view_number_sides(const struct view_numbers *numbers);
const struct view_number *view_numbers_of(const struct view_numbers *numbers, int side);

/* The rows that the numbers want in so many columns, with the heads of these: a second one where settings are
 * compared. */
int view_number_rows(const struct view_numbers *numbers, int cols);

/* The rows that the ranges of estimates want, where they have no column. */
int view_number_ranges(const struct view_numbers *numbers);
