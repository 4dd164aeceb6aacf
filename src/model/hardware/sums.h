/* model/hardware/sums.h: counts of what a kernel does, for each instruction or line, as cheap as possible.
 *
 * Plain sums, so those of several lines, or of several parts of a launch, add up in any order. A kernel may have
 * 400,000 instructions, so that what only an access needs is made, in an arena, with the first one. */
#pragma once
#include "base/arena.h"
#include "model/hardware/access.h"
#include "model/hardware/counters.h"

/* Of one space and kind: as in struct access_cost; the conflicts of constant memory are its replays; `bytes` are the
 * distinct bytes that loads and stores of global memory touch, per request; `touched` are the distinct sectors of
 * atomics, of which `sectors` has each as often as lanes take turns at it. */
struct traffic {
	uint64_t requests, wavefronts, conflicts, sectors, bytes, touched;
};

/* The kind of an access for the hardware's counters: loads and stores of matrices, and atomics on global memory whose
 * old value is unused, count separately; cp.async is a load. */
enum traffic_kind {
	TRAFFIC_LOAD,
	TRAFFIC_STORE,
	TRAFFIC_ATOMIC,
	TRAFFIC_REDUCTION,
	TRAFFIC_LOAD_MATRIX,
	TRAFFIC_STORE_MATRIX,
	TRAFFIC_KINDS
};

/* What an instruction of single precision does for each thread. */
enum float_work { FLOAT_ADD, FLOAT_PRODUCT, FLOAT_MULTIPLY_ADD, FLOAT_WORKS, FLOAT_NONE = FLOAT_WORKS };

struct sums {
	uint64_t instructions, threads;           /* warp instructions executed, and the lanes active in them */
	uint64_t branches, uniform;               /* conditional branches, and the uniform ones among them */
	uint64_t floats[FLOAT_WORKS];             /* by threads whose guard is on */
	struct traffic *traffic[SPACE_CONST + 1]; /* of each kind; NULL: there was no access to this space */
};

static inline void sums_instruction(struct sums *sums, uint32_t active)
{
	sums->instructions++;
	sums->threads += active == 0xFFFFFFFF ? WARP_SIZE : (uint64_t)__builtin_popcount(active);
}

static inline void sums_floats(struct sums *sums, enum float_work work, uint32_t executing)
{
	sums->floats[work] += (uint64_t)__builtin_popcount(executing);
}

/* `taken` is a subset of `active`; a branch without an active lane does not count. */
void sums_branch(struct sums *sums, uint32_t active, uint32_t taken);

/* An access to any space, by the rules of compute capability `cc`. */
void sums_access(struct arena *arena, struct sums *sums, const struct warp_access *access, int cc);

/* The same for global memory, counted as `op` whatever the access says. */
void sums_global(struct arena *arena, struct sums *sums, const struct warp_access *access, enum access_op op);

/* A part of an access by an instruction with .shared::cluster, also to the own block: it is no request, its bytes count
 * as those of global memory, and an atomic operation has a wavefront, with its first part. Verified: CC 9.0, the
 * recordings of the lesson on clusters. */
void sums_cluster(struct arena *arena, struct sums *sums, const struct warp_access *access, bool is_first);

void sums_add(struct arena *arena, struct sums *sums, const struct sums *more);

/* Adds to the model's counts, which must be started by counts_start_model. */
void counts_add_sums(struct counts *counts, const struct sums *sums);
