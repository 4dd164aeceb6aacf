/* model/validate/pattern.h: one random access of a warp, as PTX that makes it once, with what the model predicts for
 * the counters that it changes.
 *
 * What kinds of access there are is a table, patterns.def. Pattern `seed` is always the same: its kind is seed modulo
 * the number of kinds, all else comes out of the seed: the lanes that take part, and addresses made by strides,
 * windows, permutations, swizzles, broadcasts, pairs and what breaks them, from starts that are multiples of the width
 * only.
 *
 * One warp makes the access. Everything else that the kernel does is left out of the predictions' counters, or `own` of
 * the counter: it loads its offset from a list, 32 lanes side by side. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/launch/launch.h"
#include "model/hardware/access.h"
#include "model/hardware/occupancy.h"

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

/* Whether the set is counted for this pattern: what says little about the rule, as requests beside sectors, is for one
 * in four. */
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

/* --- shape.c ------------------------------------------------------------------------------------------------------ */

/* One random launch shape for occupancy, as PTX in which every SM counts how many blocks it holds at a
 * time, and what the model predicts.
 *
 * Shape `seed` is always the same: threads of a block, registers of a thread (values that are alive at a time, and
 * sometimes .maxnreg), static and dynamic shared memory, named barriers. A block counts itself in on its SM, stays long
 * enough for all that fit to come in, keeps the most it saw, and counts itself out. */

struct shape {
	uint64_t seed;
	uint32_t threads, fixed, dynamic; /* bytes of static and dynamic shared memory */
	uint32_t values;                  /* alive at a time: about as many registers */
	uint32_t limit;                   /* .maxnreg, 0: none */
	uint32_t barriers;
};

struct shape validate_shape_generate(uint64_t seed);

/* Takes of a shape's dynamic shared memory what a block of this compute capability cannot have. */
void validate_shape_fit(struct shape *shape, int cc);

/* Its kernel, in the arena; and a launch that fills a GPU of `sms` SMs twice over with as many blocks as would fit by
 * all but registers. Argument 1 of the launch comes back with the most blocks that each SM saw. */
const char *validate_shape_ptx(struct arena *arena, const struct shape *shape);
struct launch *validate_shape_launch(struct arena *arena, const struct shape *shape, int cc, int sms);
#define SHAPE_RESULT 1

/* What the model predicts when it is compiled to so many registers. */
struct occupancy validate_shape_occupancy(const struct shape *shape, int cc, int registers);

/* "256 threads, 40 registers, 1000 + 2048 bytes of shared memory, 3 barriers" */
void validate_shape_describe(const struct shape *shape, int registers, struct buf *out);

/* --- agreement.c -------------------------------------------------------------------------------------------------- */

/* How often predicted and measured values agreed, rule by rule, and the first case of each rule in which
 * they did not. */

struct agreement_row {
	const char *rule;
	bool exact; /* any difference is a failure */
	uint64_t cases, agree;
	const char *difference; /* of the first that differs: what was predicted and measured; NULL: none */
	const char *reproduce;  /* the command that shows it again */
};

struct agreement {
	struct arena *arena;
	const char *campaign, *one, *what; /* "patterns"; what a case is, in the singular and the plural */
	struct agreement_row *rows;
	int n;
	uint64_t seed;
	bool seeded;       /* its cases are made from a seed */
	const char *model; /* what is compared: "the model", if not set otherwise */
	const char *other; /* with what */
	uint64_t left_out; /* launches that need another GPU */
	uint64_t failed;   /* cases without anything to compare */
	bool stopped;      /* by the user, before the end */
};

/* An agreement without rows. The texts must outlive it. */
struct agreement validate_agreement_new(struct arena *arena, const char *campaign, const char *one, const char *what);

/* A row, once for each rule; its index. */
int validate_agreement_rule(struct agreement *agreement, const char *rule, bool exact);

/* One case of a rule. `difference` NULL: they agree; else both texts are copied when it is the rule's first. */
void validate_agreement_add(struct agreement *agreement, int row, const char *difference, const char *reproduce);

uint64_t validate_agreement_cases(const struct agreement *agreement);

/* Cases of exact rules that differ. */
uint64_t validate_agreement_violations(const struct agreement *agreement);

/* Differs, or nothing could be compared. */
bool validate_agreement_failed(const struct agreement *agreement);
