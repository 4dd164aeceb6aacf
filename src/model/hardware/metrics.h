/* model/hardware/metrics.h: the catalog of metrics (metrics.def), each made of counters. For code that shows or sums
 * metrics; what only passes counts on includes counters.h, and has a metric as the number `int metric`. */
#pragma once
#include "model/hardware/counters.h"

enum metric_group {
#define GROUP(id, name, title, meaning) METRIC_GROUP_##id,
#include "model/hardware/groups.def"
#undef GROUP
	METRIC_GROUPS
};

struct metric_group_row {
	const char *name, *title, *meaning; /* name: "mix", as on the command line */
};
extern const struct metric_group_row metric_group_table[METRIC_GROUPS];

enum metric_id {
#define METRIC(id, group, name, label, unit, scale, num, den, meaning) METRIC_##id,
#include "model/hardware/metrics.def"
#undef METRIC
	METRICS,
	METRIC_NONE = METRICS
};

#define METRIC_TERMS_MAX 4

/* A sum of counters. */
struct metric_sum {
	enum counter_id of[METRIC_TERMS_MAX];
	int n;
};

struct metric {
	enum metric_group group;
	const char *name, *label, *unit;
	double scale;
	struct metric_sum num, den; /* den of no counters: num itself */
	const char *meaning;
};
extern const struct metric metric_table[METRICS];

enum metric_id metric_find(const char *name);

/* Whether it is a rate, that is, divided by something. */
bool metric_is_rate(enum metric_id metric);

/* The counters it is made of, each once: writes at most METRIC_COUNTERS_MAX to `out` and returns how many. None for
 * METRIC_NONE. */
#define METRIC_COUNTERS_MAX (2 * METRIC_TERMS_MAX)
int metric_counters(enum metric_id metric, enum counter_id out[METRIC_COUNTERS_MAX]);

/* Whether a GPU of compute capability `cc` has all of its counters. */
bool metric_is_collected(enum metric_id metric, int cc);

/* The metric's value from a witness's counts; a missing counter's reason becomes the metric's. */
struct value metric_value(enum metric_id metric, const struct counts *counts);

/* The least trusted counter it is made of. */
enum counter_trust metric_trust(enum metric_id metric);

/* Whether the hardware's number may be higher than the model's only because accesses waited: see counter_counts_waits.
 * Where wavefronts were not counted per instruction, this is the most that is taken for waiting; the most seen is
 * 1.036. */
#define WAITED_MOST 1.05
bool metric_counts_waits(enum metric_id metric);

/* Whether it has a counter that only the model counts. */
bool metric_is_of_model(enum metric_id metric);

/* CLOSE or ROUGH. */
bool metric_is_estimate(enum metric_id metric);

/* How good an estimate is: what a GPU counted as a multiple of the model's number, in recorded launches. */
struct metric_error {
	enum metric_id metric;
	int launches;
	double least, most;
	double median; /* 0: least and most are of all launches; else of the 90 of 100 in the middle */
	double off;    /* with a median: 90 of 100 were off by less, in percent of what was counted */
};

/* NULL: it was nowhere compared. */
const struct metric_error *metric_error(enum metric_id metric);

/* Between which numbers a GPU counts it, by that error, where the model says v: 9 of 10 launches do, where it has a
 * median. False: it is no estimate, was nowhere compared, or never differed. */
bool metric_range(enum metric_id metric, double v, double *least, double *most);

/* "±18%" of an estimate that has such a range: the error of 9 of 10, but not more than the range, in percent of the
 * number; of one in percent "±4.4", in its points. Where it is more than 100 %, or there is no range, nothing, and
 * false. */
bool metric_write_off(enum metric_id metric, double v, struct buf *out);

/* Whether they are so far apart that the estimate is an order of magnitude at best. */
bool metric_range_is_rough(double least, double most);

/* "≈8091–12785" of an estimate that has such a range, or "rough"; else nothing, and false. */
bool metric_write_range(enum metric_id metric, double v, struct buf *out);

/* "0.91 to 1.3 times the model's in 212 launches on an H200"; nothing for what is not an estimate. */
void metric_explain_error(enum metric_id metric, struct buf *out);

/* The metrics as metrics.def names them. */
extern const char *const metric_ids[METRICS];

/* The hardware formula as text: "A", "A / B" or, scaled, "100 * A / B"; sums of several in parentheses. With what was
 * counted per machine instruction under the name of that; NULL: nothing was. */
void metric_formula(enum metric_id metric, const struct counts *counted, struct buf *out);
