/* model/validate/text.h: trials and the hardware's results as lines of text: a recording, made on a GPU and replayed where there is
 * none.
 *
 *   simttutor validate 1                      the format; what follows up to the first program says where it comes from
 *   # NVIDIA H200, ...
 *   program SEED LANES
 *   inputs s32 f32 pred ...                   their types; the values follow from the seed (values.h)
 *   FORM[|][>BYTES] SOURCE... [= HASH]        a step: | with a second predicate, > a wider destination; sources iN an
 *                                             input, rN a result, !rN a negated predicate, 0xN a constant; the hash
 *                                             (validate_tally_hash) of the hardware's results, missing for approximate ones
 *
 * A recording holds the programs themselves, so that a new row in the instruction table does not make it worthless. */
#pragma once
#include "model/validate/trial.h"

#define TRIAL_FORMAT 1

void validate_trial_record(const struct trial *trial, struct buf *out);

/* The text of a recording, and the name of its file. */
struct trial_recording {
	const char *name, *text;
	size_t len;
};

/* A trial is valid during the call only. Returns whether to read on. */
typedef bool trial_fn(void *ctx, const struct trial *trial);

/* Calls `each` with every trial in turn. False, with the line named, when the recording cannot be read or has an instruction
 * that the table does not have. */
bool validate_trial_read_all(
	struct forms *forms, const struct trial_recording *recording, trial_fn *each, void *ctx, struct diag *diag);
