/* model/validate/pattern.h: one random access of a warp, as PTX that makes it once, with what the model predicts for the counters
 * that it changes.
 *
 * What kinds of access there are is a table, patterns.def. Pattern `seed` is always the same: its kind is seed modulo the
 * number of kinds, all else comes out of the seed: the lanes that take part, and addresses made by strides, windows,
 * permutations, swizzles, broadcasts, pairs and what breaks them, from starts that are multiples of the width only.
 *
 * One warp makes the access. Everything else that the kernel does is left out of the predictions' counters, or `own` of the
 * counter: it loads its offset from a list, 32 lanes side by side. */
#pragma once
#include "base/buf.h"
#include "base/diag.h"
#include "machine/launch/launch.h"
#include "model/hardware/access.h"

/* Raised whenever what a seed gives, or the line of a recording, changes. */
#define PATTERN_FORMAT 1

struct pattern_counter {
	const char *hw;   /* CUPTI's name */
	const char *name; /* as access_cost's: "wavefronts" */
	int (*predict)(const struct access_cost *cost);
	int own; /* what the kernel counts besides the access */
};

/* Counters that one pass collects. */
#define PATTERN_SET_MAX 5
struct pattern_set {
	const struct pattern_counter *counters;
	int n;
};

#define PATTERN_SETS_MAX 2
struct pattern_kind {
	const char *name; /* the instruction, and what sets it apart: "ld.shared.u8" */
	enum mem_space space;
	enum access_op op;
	uint8_t width;
	uint32_t lanes; /* that always take part, and no others; 0: any */
	struct pattern_set sets[PATTERN_SETS_MAX];
	int n_sets;
	const char *declares, *does; /* PTX */
};

int validate_pattern_kinds(void);
const struct pattern_kind *validate_pattern_kind(int index);

/* The index, or -1. */
int validate_pattern_kind_find(const char *name);

/* Whether the kind's rule is one that holds to the last unit on this compute capability. */
bool validate_pattern_is_exact(const struct pattern_kind *kind, int cc);

struct pattern {
	const struct pattern_kind *kind;
	uint64_t seed;
	struct warp_access access; /* addresses are offsets into the space */
};
struct pattern validate_pattern_generate(uint64_t seed);

/* Whether the set is counted for this pattern: what says little about the rule, as requests beside sectors, is for one in
 * four. */
bool validate_pattern_measures(const struct pattern *pattern, int set);

/* The kernel of all patterns of a kind, in the arena, and the launch that makes this one. */
const char *validate_pattern_ptx(struct arena *arena, const struct pattern_kind *kind);
struct launch *validate_pattern_launch(struct arena *arena, const struct pattern *pattern);

/* What counter `index` of set `set` counts in that launch. */
double validate_pattern_predict(const struct pattern *pattern, int set, int index, int cc);

/* The arguments of `simttutor access` that show this access. */
void validate_pattern_command(const struct pattern *pattern, struct buf *out);

/* One line of a recording: kind, offsets, and the counts of all its sets in turn, NAN as "-". */
void validate_pattern_record(const struct pattern *pattern, const double *counts, struct buf *out);

/* Reads such a line (without its newline). `counts`: room for PATTERN_COUNTS_MAX. False with an error at `pos`. */
#define PATTERN_COUNTS_MAX (PATTERN_SETS_MAX * PATTERN_SET_MAX)
bool validate_pattern_read(
	const char *line, struct diag_pos pos, struct pattern *out, double *counts, struct diag *diag);
