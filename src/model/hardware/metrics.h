/* model/hardware/metrics.h: the catalog of counters and metrics, one table each (counters.def, metrics.def), and values that know
 * when they are missing. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/hardware/access.h"

enum value_state {
	VALUE_NONE, /* not requested, or not available from this witness */
	VALUE_OK,
	VALUE_PENDING,     /* requested, not yet answered */
	VALUE_UNDEFINED,   /* 0 / 0: nothing of the kind happened (no branch, no shared load) */
	VALUE_UNSUPPORTED, /* not collected on this compute capability */
	VALUE_NO_GPU,
	VALUE_NO_PERMISSION,
	VALUE_FAILED,       /* the measurement failed; the session knows why */
	VALUE_NOT_LAUNCHED, /* a defect would end the launch on a GPU, or hang it; or only the machine can launch it */
	VALUE_OTHER_GPU,    /* the kernel needs another GPU than the one at hand */
	VALUE_STALE,        /* recorded from another version of the kernel or launch */
	VALUE_NOT_MODELED,  /* the model would have to know what is not documented and was not measured */
	VALUE_MODEL_ONLY,   /* no GPU counts it */
	VALUE_COVERED,      /* it answers a question that is open */
};

struct value {
	double v; /* of VALUE_UNSUPPORTED: the compute capability, of VALUE_OTHER_GPU the one that is needed; 0 when it is not known */
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

static inline struct value value_unsupported(int cc)
{
	return (struct value){cc, VALUE_UNSUPPORTED};
}

/* A few words for a missing value ("no GPU", "needs permission"); "" when it is there. */
const char *value_reason(enum value_state state);

/* The same for one value, with more detail where there is: "not collected on CC 9.0". */
void value_explain(struct value value, struct buf *out);

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

/* Sets the named counters; unknown names are ignored, and so is a number per machine instruction where the counter itself has one. */
void counts_set_named(struct counts *counts, const struct named_counts *named);

/* Sets all counters that the model counts to 0, all others to VALUE_NONE: also the rough ones, which no instruction
 * changes. */
void counts_start_model(struct counts *counts);

/* How the hardware's value of a counter compares with the model's. COUNTER_WAITED: a shared wavefront or conflict counter,
 * which counts an access again that had to wait for others (arriving global data, an SM's other blocks): on an H200 up to
 * 4 % more, a different number in each run, where many blocks run. Counted per instruction (WAVEFRONTS of linecounts.def),
 * the same launches have the model's number. */
enum counter_relation { COUNTER_SAME, COUNTER_WAITED, COUNTER_DIFFERS };

/* Whether this is such a counter: one that counts an access again when it waited. */
bool counter_counts_waits(enum counter_id id);

/* Whether both have the counter, and the model predicts it exactly. */
bool counter_is_comparable(enum counter_id id, const struct counts *model, const struct counts *hardware);

/* Both have the counter. `wavefronts`: of all shared accesses of the hardware's launch, counted per instruction; where they
 * are missing, the result is never COUNTER_WAITED. */
enum counter_relation counter_compare(
	enum counter_id id, const struct counts *model, const struct counts *hardware, struct value wavefronts);

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

/* Whether the hardware's number may be higher than the model's only because accesses waited: see counter_counts_waits. Where
 * wavefronts were not counted per instruction, this is the most that is taken for waiting; the most seen is 1.036. */
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

/* Between which numbers a GPU counts it, by that error, where the model says v: 9 of 10 launches do, where it has a median. False: it is no
 * estimate, was nowhere compared, or never differed. */
bool metric_range(enum metric_id metric, double v, double *least, double *most);

/* "±18%" of an estimate that has such a range: the error of 9 of 10, but not more than the range, in percent of the number; of one in
 * percent "±4.4", in its points. Where it is more than 100 %, or there is no range, nothing, and false. */
bool metric_write_off(enum metric_id metric, double v, struct buf *out);

/* Whether they are so far apart that the estimate is an order of magnitude at best. */
bool metric_range_is_rough(double least, double most);

/* "≈8091–12785" of an estimate that has such a range, or "rough"; else nothing, and false. */
bool metric_write_range(enum metric_id metric, double v, struct buf *out);

/* "0.91 to 1.3 times the model's in 212 launches on an H200"; nothing for what is not an estimate. */
void metric_explain_error(enum metric_id metric, struct buf *out);

/* The metrics as metrics.def names them. */
extern const char *const metric_ids[METRICS];

/* "exact", "estimate", "not modeled"; and its explanation. */
const char *counter_trust_name(enum counter_trust trust);
const char *counter_trust_meaning(enum counter_trust trust);

/* The hardware formula as text: "A", "A / B" or, scaled, "100 * A / B"; sums of several in parentheses. With what was counted
 * per machine instruction under the name of that; NULL: nothing was. */
void metric_formula(enum metric_id metric, const struct counts *counted, struct buf *out);

/* A number for people, at most 4 significant decimals, thousands separated by nothing: "2", "1.5", "67584", "3.214". */
void value_format(double v, struct buf *out);
