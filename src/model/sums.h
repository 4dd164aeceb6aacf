/* model/sums.h: counting what a kernel does, as cheaply as it can be done, for each instruction or line.
 *
 * Plain sums, so those of several lines, or of several parts of a launch, add up in any order. */
#pragma once
#include "model/access.h"
#include "model/metrics.h"

/* Of one space and kind: as in struct access_cost; `bytes` are the widths of all active lanes together. */
struct traffic {
	uint64_t requests, wavefronts, conflicts, sectors, bytes;
};

/* What an access is to the hardware's counters: its operation, where atomics on global memory whose old value nobody wants
 * are a kind of their own. */
enum traffic_space { TRAFFIC_SHARED, TRAFFIC_GLOBAL, TRAFFIC_LOCAL, TRAFFIC_SPACES };
enum traffic_kind { TRAFFIC_LOAD, TRAFFIC_STORE, TRAFFIC_ATOMIC, TRAFFIC_REDUCTION, TRAFFIC_KINDS };

struct sums {
	uint64_t instructions, threads;    /* warp instructions executed, and the lanes active in them */
	uint64_t branches, uniform;        /* conditional branches, and those of one mind */
	struct traffic traffic[TRAFFIC_SPACES][TRAFFIC_KINDS];
};

static inline void sums_instruction(struct sums *sums, uint32_t active)
{
	sums->instructions++;
	sums->threads += active == 0xFFFFFFFF ? MODEL_LANES : (uint64_t)__builtin_popcount(active);
}

/* `taken` is a subset of `active`; a branch that no lane meets is none. */
void sums_branch(struct sums *sums, uint32_t active, uint32_t taken);

/* An access to shared memory, by the rules of compute capability `cc`. */
void sums_shared(struct sums *sums, const struct warp_access *access, int cc);

/* An access to local memory, of `width` bytes a lane, by offsets into the lane's own. The same word of all 32 lanes lies in one
 * line: word w of lane l is bytes 4 * l of line w. (The programming guide, "Local Memory".) */
void sums_local(struct sums *sums, enum traffic_kind kind, int width, uint32_t active, const uint64_t offset[MODEL_LANES]);

/* An access to global memory, of `width` bytes a lane. */
void sums_global(struct sums *sums, enum traffic_kind kind, int width, uint32_t active, const uint64_t address[MODEL_LANES]);

void sums_add(struct sums *sums, const struct sums *more);

/* Adds to the model's counts, which must be started by counts_start_model. */
void counts_add_sums(struct counts *counts, const struct sums *sums);
