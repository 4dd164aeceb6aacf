/* machine/simt/resident.h: the blocks of a launch on one core. Inside simt/ only.
 *
 * One block after the other, each to its end; a block whose turn is over (block.c) is put aside while others run, so that
 * blocks that set each other flags or synchronize at a barrier of the whole grid all make progress, as they do on a GPU that
 * holds them at the same time. No more begin than the launch says are resident. The order is the same in every run. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct machine;

struct residents {
	const struct machine *model; /* the launch, decoded; without warps */
	struct machine **blocks;     /* that have begun and not ended */
	uint32_t n, cap;
	uint32_t current;
	struct machine *spare; /* of a block that has ended */
	uint64_t next, end;    /* the block that begins next; blocks of the grid */
	uint64_t left;         /* steps until the limit */
	uint64_t cleared;      /* bytes, for the blocks so far */
	uint64_t steps;        /* of the blocks that have ended */
	uint64_t chance;       /* state of simt_schedule_pick */
	bool failed;
	bool reached;       /* the block simt_limits.through has ended */
	double quiet_since; /* a block ended, or found another value where it waits, by clock_thread_ms */
};

/* Bytes that blocks that have begun and not ended may take in all, and that one takes. */
#define RESIDENT_BYTES ((uint64_t)1 << 30)
uint64_t simt_resident_bytes(const struct machine *model);

/* Whether all blocks that have not begun may clear their memory before the limit of that is reached. */
bool simt_residents_may_clear_all(const struct residents *r);

/* Whether another block, or cluster, that has not begun may begin. */
bool simt_residents_have_room(const struct residents *r);

/* Blocks [first, end) of the launch that `model` was made for. */
void simt_residents_init(struct residents *r, const struct machine *model, uint64_t first);
void simt_residents_free(struct residents *r);

/* The block that runs now, after beginning one if need be; NULL when all have ended or one has failed. */
struct machine *simt_residents_current(struct residents *r);

/* The current block is no longer BLOCK_RUNS, or has stopped with a fault: decides what runs next. */
void simt_residents_update(struct residents *r);

/* Whether the block after which the launch ends, and the others of its cluster, have ended, and more would follow. */
bool simt_residents_are_through(const struct residents *r);

/* Steps of all blocks so far. */
uint64_t simt_residents_steps(const struct residents *r);

/* The machine of a block that has begun and not ended, or NULL. */
struct machine *simt_residents_find(const struct residents *r, uint32_t block);
