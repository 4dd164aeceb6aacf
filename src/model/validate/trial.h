/* model/validate/trial.h: one generated program: a straight line of instructions on values of its own for each lane,
 * every result of which is stored, so that a difference names the instruction that made it.
 *
 * A trial is data: inputs (vectors of values.c), steps, results. It becomes PTX and a launch by validate_trial_write,
 * and lines of a recording by text.c. One block of `lanes` threads; lane t reads and writes elements t of every vector.
 * Atomics work on a word of the lane's own, so that their order does not matter. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "machine/launch/launch.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/program.h"

#define TRIAL_LANES_MAX 128
#define TRIAL_SOURCES_MAX 6
#define TRIAL_STEPS_MAX 64
#define TRIAL_INPUTS_MAX 256
#define TRIAL_RESULTS_MAX (3 * TRIAL_STEPS_MAX)

enum trial_source_kind { TRIAL_INPUT, TRIAL_RESULT, TRIAL_CONSTANT };

struct trial_source {
	enum trial_source_kind kind;
	bool negated; /* of a predicate */
	int index;    /* of the input or the result */
	uint64_t constant;
};

/* What a source operand has to be. */
struct trial_operand {
	char letter; /* of ops.def; '*': the memory of an atomic before it */
	enum ptx_type type;
	bool relaxed; /* the register may be wider */
};

struct trial_step {
	const struct ptx_form *form;
	int number;    /* of the form among its row's */
	bool second;   /* writes a predicate after `|`, too */
	uint8_t bytes; /* of the destination's register; 0: a predicate, or none */
	struct trial_source sources[TRIAL_SOURCES_MAX];
	int n_sources;
	int first_result,
		n_results; /* the destination, the second predicate, an atomic's memory, in this order as far as
	                              * there are */
	bool recorded;
	uint64_t hash; /* of the recorded results, all lanes of all */
};

struct trial_result {
	uint8_t bytes; /* 0: a predicate */
	int step;
};

struct trial {
	uint64_t seed;
	int lanes; /* a multiple of 32 */
	enum ptx_type inputs[TRIAL_INPUTS_MAX];
	int n_inputs;
	struct trial_step steps[TRIAL_STEPS_MAX];
	int n_steps;
	struct trial_result results[TRIAL_RESULTS_MAX];
	int n_results;
};

/* What a generated program is made of: `enabled[op]` says which rows of ops.def may occur; at least one has to. A new
 * one has none. */
struct trial_choice {
	struct forms *forms;
	bool *enabled;
};
struct trial_choice validate_choice_new(struct arena *arena, struct forms *forms);

/* The same trial for the same seed, choice and instruction table. In `arena`. */
struct trial *validate_trial_generate(struct arena *arena, const struct trial_choice *choice, uint64_t seed);

/* A trial of the forms of one row, from number `*next` on, which is advanced past them, so that a loop covers all. */
struct trial *validate_trial_cover(
	struct arena *arena, const struct trial_choice *choice, uint64_t seed, int op, int *next);

/* The source operands of the form, in order; `operands` has room for TRIAL_SOURCES_MAX. Returns how many; -1 for a row
 * with more, or with operands that are not values. */
int validate_trial_operands(const struct ptx_form *form, struct trial_operand *operands);

/* Whether two sources name the same register; constants never do. */
bool validate_trial_same_register(const struct trial_source *x, const struct trial_source *y);

/* Adds the results that the step has by its form and `second`. False when there are too many. */
bool validate_trial_add_results(struct trial *trial, struct trial_step *step);

/* Bytes of a register that holds the type (0: predicate), and of the destination of a form. */
uint32_t validate_trial_register_bytes(enum ptx_type type);
uint32_t validate_trial_destination_bytes(const struct ptx_form *form);

/* The PTX, its only kernel "trial", and the launch's arguments: 0 the inputs, 1 the results, 64 bits an element, vector
 * after vector. The argument's texts and values are in `arena`. */
void validate_trial_write(const struct trial *trial, struct buf *out);
void validate_trial_launch(struct arena *arena, const struct trial *trial, struct launch *launch);

/* One instruction as it stands in the PTX. */
void validate_trial_write_step(const struct trial *trial, int index, struct buf *out);

/* A source's value in a lane; `inputs` and `results` as the launch's buffers. */
uint64_t validate_trial_source_value(const struct trial *trial, const struct trial_source *source,
	const uint64_t *inputs, const uint64_t *results, int lane);

/* --- values.c ----------------------------------------------------------------------------------------------------- */

/* Inputs of generated programs: random, with many of the values at which arithmetic goes
 * wrong.
 *
 * A vector is known by seed, number and type alone, so that a recording need not hold it: after a change to what
 * validate_values_fill writes, raise TRIAL_FORMAT. */

/* SplitMix64 (Steele, Lea and Flood): the next number of a sequence that `*state` holds. */
uint64_t validate_values_random(uint64_t *state);
uint32_t validate_values_below(uint64_t *state, uint32_t n);

/* One value of the type `wanted`, its bits in the lower bytes, the rest 0. About a third are edges: zeros, ones, the
 * ends of the range, powers of two and their neighbors, subnormals, infinities, NaNs with payload, halfway cases, the
 * limits of conversions. A predicate is 0 or 1. */
uint64_t validate_values_one(uint64_t *state, enum ptx_type wanted);

/* Vector `number` of the program `seed`: one value for each of `lanes` lanes. */
void validate_values_fill(uint64_t seed, int number, enum ptx_type type, int lanes, uint64_t *out);

/* --- forms.c ------------------------------------------------------------------------------------------------------ */

/* Which instructions can be validated, and every legal way to write each, found from the rows of machine/ptx/ops.def: a
 * row with a destination and operands that are all values is taken with all its types and modifiers, those combinations
 * left out that machine/ptx/legal.c forbids. There is no second list of instructions: a row added to the table is
 * validated from then on. */

struct forms;

/* All forms of all rows. In `arena`. */
struct forms *validate_forms_new(struct arena *arena);

int validate_forms_count(const struct forms *forms, int op);
const struct ptx_form *validate_forms_at(const struct forms *forms, int op, int index);

/* The form of that spelling and its number among its row's; NULL when it is none of those here. */
const struct ptx_form *validate_forms_find(struct forms *forms, const char *spelling, size_t len, int *index);

/* Why a row is not validated, one sentence; NULL: it is. */
const char *validate_forms_left_out(int op);

/* The family of a row, as the folder simt/ divides the work: "int", "bits", "float", "compare", "cvt", "mem",
 * "warp". */
const char *validate_forms_group(const struct forms *forms, int op);

/* A form whose result the manual does not fix to the bit: compared within a bound (bounds.c). */
bool validate_forms_is_approximate(const struct ptx_form *form);

/* Rows whose lanes act together, and those of them whose last operand is a mask of lanes. */
bool validate_forms_is_warp(int op);
bool validate_forms_has_mask(int op);
bool validate_forms_is_atomic(int op);

/* A conversion whose registers are as wide as its types, though its row would take wider ones. */
bool validate_forms_is_exact(const struct ptx_form *form);

/* The carry flag lives between two instructions only. */
bool validate_forms_writes_carry(const struct ptx_form *form);
bool validate_forms_reads_carry(const struct ptx_form *form);

/* --- bounds.c ----------------------------------------------------------------------------------------------------- */

/* How far the result of an approximate instruction may be from the true value. */

enum bound_kind { BOUND_ULP, BOUND_ABSOLUTE, BOUND_RELATIVE };

struct bound;

/* The bound of the form for these operands (bits); NULL where the manual states none. */
const struct bound *validate_bound_find(const struct ptx_form *form, const uint64_t *operands);

/* Whether `result` is within the bound; `*error` is how far it is from the true value, in units of the bound's kind: 0
 * where both are NaN or the same infinity. */
bool validate_bound_holds(const struct bound *bound, const struct ptx_form *form, const uint64_t *operands,
	uint64_t result, double *error);

/* "2 ulp", "2^-20.5 absolute"; an error in the same unit. */
const char *validate_bound_text(const struct bound *bound);
const char *validate_bound_unit(const struct bound *bound);

/* --- text.c ------------------------------------------------------------------------------------------------------- */

/* Trials and the hardware's results as lines of text: a recording, made on a GPU and replayed where there is
 * none.
 *
 *   simttutor validate 1                      the format; what follows up to the first program says where it comes from
 *   # NVIDIA H200, ...
 *   program SEED LANES
 *   inputs s32 f32 pred ...                   their types; the values follow from the seed (values.c)
 *   FORM[|][>BYTES] SOURCE... [= HASH]        a step: | with a second predicate, > a wider destination; sources iN an
 *                                             input, rN a result, !rN a negated predicate, 0xN a constant; the hash
 *                                             (validate_tally_hash) of the hardware's results, missing for approximate
 *                                             ones
 *
 * A recording holds the programs themselves, so that a new row in the instruction table does not make it worthless. */

#define TRIAL_FORMAT 1

void validate_trial_record(const struct trial *trial, struct buf *out);

/* The text of a recording, and the name of its file. */
struct trial_recording {
	const char *name, *text;
	size_t len;
};

/* A trial is valid during the call only. Returns whether to read on. */
typedef bool trial_fn(void *ctx, const struct trial *trial);

/* Calls `each` with every trial in turn. False, with the line named, when the recording cannot be read or has an
 * instruction that the table does not have. */
bool validate_trial_read_all(
	struct forms *forms, const struct trial_recording *recording, trial_fn *each, void *ctx, struct diag *diag);

/* --- tally.c ------------------------------------------------------------------------------------------------------ */

/* The outcome of comparing: for each row of the instruction table how many instances agreed.
 *
 * An instance is one instruction of one program executed on one set of operand values: a lane's of an instruction that
 * works on lanes alone, a warp's of one whose lanes act together. Lanes (warps) with the same operand values as an
 * earlier one of the same instruction are not counted again, and instances whose operands differ already are not
 * compared. */

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
