/* model/validate/tally.h: the outcome of comparing: for each row of the instruction table how many instances agreed.
 *
 * An instance is one instruction of one program executed on one set of operand values: a lane's of an instruction that works
 * on lanes alone, a warp's of one whose lanes act together. Lanes (warps) with the same operand values as an earlier one of
 * the same instruction are not counted again, and instances whose operands differ already are not compared. */
#pragma once
#include "model/validate/bounds.h"
#include "model/validate/trial.h"

#define TALLY_DIFFERENCES_MAX 50 /* kept; all are counted */

struct tally_row {
	bool *seen;         /* per form of the row */
	int forms;          /* how many of them were seen */
	uint64_t instances; /* the sum of the four that follow */
	uint64_t equal;     /* bit for bit */
	uint64_t within;    /* not equal, but both within the bound of an approximate instruction */
	uint64_t different;
	uint64_t unbounded;        /* not equal, where the manual states no bound */
	double error;              /* the largest of the other side (the machine's own when replayed) */
	const struct bound *bound; /* of that error, NULL: none */
};

struct tally_difference {
	uint64_t seed;           /* of the program */
	const char *instruction; /* as written */
	int op, lane;
	uint64_t operands[TRIAL_SOURCES_MAX];
	int n_operands;
	int result; /* register; see trial.h */
	uint64_t machine, other;
	bool whole; /* replayed: `other` is the recorded hash of all lanes, `machine` the machine's */
};

struct tally {
	struct arena *arena;
	struct forms *forms;
	struct tally_row *rows; /* by row of ops.def */
	struct tally_difference differences[TALLY_DIFFERENCES_MAX];
	int n_differences;               /* kept */
	bool disagrees[TRIAL_STEPS_MAX]; /* steps of the trial being replayed */
	uint64_t programs, instructions, different, instances;
};

struct tally *validate_tally_new(struct arena *arena, struct forms *forms);

/* A trial's buffers, 64 bits an element, as the launch lays them out. */
struct tally_run {
	const uint64_t *inputs, *machine;
	const uint64_t *other; /* the hardware's; NULL: compare with the steps' recorded hashes */
};

/* Compares. Returns how many instances differ. */
uint64_t validate_tally_add(struct tally *tally, const struct trial *trial, const struct tally_run *run);

/* The hash of the results of a step in all lanes. */
uint64_t validate_tally_hash(const struct trial *trial, int index, const uint64_t *results);
