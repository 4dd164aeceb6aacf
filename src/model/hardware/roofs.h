/* model/hardware/roofs.h: what a GPU can do at most, by kernels that do one thing alone (roofs.def), and what of it a
 * launch does: operations on floats per byte of each memory, and per nanosecond. */
#pragma once
#include "model/hardware/counters.h"

enum roof_id {
#define ROOF_KIND(id, name, unit, meaning) ROOF_##id,
#include "model/hardware/roof_kinds.def"
#undef ROOF_KIND
	ROOF_KINDS
};

struct roof_kind {
	const char *name, *unit, *meaning;
};
extern const struct roof_kind roof_kind_table[ROOF_KINDS];

/* ROOF_KINDS: there is none of this name. */
enum roof_id roof_find(const char *name);

struct roof {
	double rate;         /* per nanosecond; 0: it was not measured */
	const char *fastest; /* the launch */
};

struct roofs {
	const char *gpu;
	const char *measured; /* driver, CUPTI, date */
	struct roof of[ROOF_KINDS];
};

/* The GPU of the model of time. */
#define ROOFS_MODEL_GPU "NVIDIA H200"

/* NULL: none were measured on it. */
const struct roofs *roofs_of(const char *gpu);

/* The memories that a byte comes from, near ones first. L1 is also shared memory: both are served by the same data
 * stage. */
enum roof_level { ROOF_LEVEL_L1, ROOF_LEVEL_L2, ROOF_LEVEL_DRAM, ROOF_LEVELS };
const char *roof_level_name(enum roof_level level);
double roof_level_rate(const struct roofs *roofs, enum roof_level level);

/* What a launch does, by one witness; each is missing for the reason of its counter. */
struct roof_work {
	struct value operations, time; /* of floats of single precision; nanoseconds */
	struct value bytes[ROOF_LEVELS];
};
struct roof_work roof_work_of(const struct counts *counts);

/* The counters that this is made of; returns how many. */
int roof_counters(const enum counter_id **out);

/* Operations per byte of a memory, and per nanosecond; false where there is no such number. */
bool roof_intensity(const struct roof_work *work, enum roof_level level, double *out);
bool roof_rate(const struct roof_work *work, double *out);

/* The memory whose bytes alone would take longest; without roofs the farthest that has any. ROOF_LEVELS: none has. */
enum roof_level roof_tightest(const struct roofs *roofs, const struct roof_work *work);

/* The most operations per nanosecond at so many operations per byte. */
double roof_above(const struct roofs *roofs, enum roof_level level, double intensity);
