/* model/sums.h: counting what a kernel does, as cheaply as it can be done, for each instruction or line.
 *
 * Plain sums, so those of several lines, or of several parts of a launch, add up in any order. */
#pragma once
#include "model/access.h"
#include "model/metrics.h"

/* Of one space and operation: as in struct access_cost. */
struct traffic {
	uint64_t requests, wavefronts, conflicts, sectors;
};

struct sums {
	uint64_t instructions, threads;    /* warp instructions executed, and the lanes active in them */
	uint64_t branches, uniform;        /* conditional branches, and those of one mind */
	struct traffic traffic[2][3];      /* by enum access_space and enum access_op */
};

static inline void sums_instruction(struct sums *sums, uint32_t active)
{
	sums->instructions++;
	sums->threads += active == 0xFFFFFFFF ? MODEL_LANES : (uint64_t)__builtin_popcount(active);
}

/* `taken` is a subset of `active`; a branch that no lane meets is none. */
void sums_branch(struct sums *sums, uint32_t active, uint32_t taken);

/* An access, by the rules of compute capability `cc`; one to global memory needs no more than its addresses. */
void sums_access(struct sums *sums, const struct warp_access *access, int cc);
void sums_global(struct sums *sums, enum access_op op, uint32_t active, const uint64_t address[MODEL_LANES]);

void sums_add(struct sums *sums, const struct sums *more);

/* Adds to the model's counts, which must be started by counts_start_model. */
void counts_add_sums(struct counts *counts, const struct sums *sums);
