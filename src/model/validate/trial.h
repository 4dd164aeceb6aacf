/* model/validate/trial.h: one generated program: a straight line of instructions on values of its own for each lane, every result
 * of which is stored, so that a difference names the instruction that made it.
 *
 * A trial is data: inputs (vectors of values.h), steps, results. It becomes PTX and a launch by validate_trial_write, and lines of a
 * recording by text.h. One block of `lanes` threads; lane t reads and writes elements t of every vector. Atomics work on a
 * word of the lane's own, so that their order does not matter. */
#pragma once
#include "machine/launch/launch.h"
#include "model/validate/forms.h"

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

/* What a generated program is made of: `enabled[op]` says which rows of ops.def may occur; at least one has to. A new one has none. */
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

/* The source operands of the form, in order; `operands` has room for TRIAL_SOURCES_MAX. Returns how many; -1 for a row with
 * more, or with operands that are not values. */
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
