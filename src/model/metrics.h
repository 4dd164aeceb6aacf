/* model/metrics.h: the catalogue of counters and metrics, one table each (counters.def, metrics.def), and values that know
 * when they are missing. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/access.h"

enum value_state {
	VALUE_NONE,           /* not asked for, or the witness does not give it */
	VALUE_OK,
	VALUE_PENDING,        /* asked, not yet answered */
	VALUE_UNDEFINED,      /* 0 / 0: nothing of the kind happened (no branch, no shared load) */
	VALUE_UNSUPPORTED,    /* not collected on this compute capability */
	VALUE_NO_GPU,
	VALUE_NO_PERMISSION,
	VALUE_FAILED,         /* the measurement failed; the session knows why */
	VALUE_STALE,          /* recorded from another version of the kernel or launch */
};

struct value {
	double v;
	enum value_state state;
};

static inline struct value value_ok(double v)
{
	return (struct value){v, VALUE_OK};
}

static inline struct value value_missing(enum value_state why)
{
	return (struct value){0, why};
}

/* A few words for a missing value ("no GPU", "needs permission"); "" when it is there. */
const char *value_reason(enum value_state state);

enum counter_id {
#define COUNTER(id, hw, unit, trust, meaning) COUNTER_##id,
#include "model/counters.def"
#undef COUNTER
	COUNTERS,
	COUNTER_NONE = COUNTERS
};

enum counter_trust { COUNTER_EXACT, COUNTER_CLOSE, COUNTER_HARDWARE };

struct counter {
	const char *hw;       /* CUPTI's name */
	const char *unit;
	enum counter_trust trust;
	const char *meaning;
};
extern const struct counter counter_table[COUNTERS];

/* The id of a hardware name, or COUNTER_NONE. */
enum counter_id counter_find(const char *hw);

/* All raw numbers of one witness. Zeroed: nothing known. */
struct counts {
	struct value c[COUNTERS];
};

/* Adds `more` to `counts`, counter by counter; where one of the two is missing, its reason stays. */
void counts_add(struct counts *counts, const struct counts *more);

/* All counters that the model gives 0, all others VALUE_NONE. */
void counts_start_model(struct counts *counts);

enum metric_id {
#define METRIC(id, name, label, unit, num, den, scale, min_cc, meaning) METRIC_##id,
#include "model/metrics.def"
#undef METRIC
	METRICS,
	METRIC_NONE = METRICS
};

struct metric {
	const char *name, *label, *unit;
	enum counter_id num, den; /* den COUNTER_NONE: num itself */
	double scale;
	int min_cc;
	const char *meaning;
};
extern const struct metric metric_table[METRICS];

enum metric_id metric_find(const char *name);

/* The metric's value from a witness's counts; a missing counter's reason becomes the metric's. */
struct value metric_value(enum metric_id metric, const struct counts *counts);

/* The least trusted counter it is made of. */
enum counter_trust metric_trust(enum metric_id metric);

/* The hardware formula as text: "A", "A / B" or, scaled, "100 * A / B". */
void metric_formula(enum metric_id metric, struct buf *out);

/* A number for people, at most 4 significant decimals, thousands separated by nothing: "2", "1.5", "67584", "3.214". */
void value_format(double v, struct buf *out);
