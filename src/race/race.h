/* race/race.h: the detector of data races and of reads of memory that nobody wrote.
 *
 * Its rules are those of the PTX ISA, "Memory Consistency Model". Two accesses race when they touch a common byte, one of
 * them writes, nothing orders them, and they are not both strong (volatile, relaxed, acquire, release, atom, red), of one
 * size, with scopes that include each other. What orders accesses:
 *  - program order;
 *  - bar.warp.sync among its lanes, and barriers of the block among the warps that come; shfl and vote order nothing;
 *  - a fence, then a strong write; a strong read that sees it, then a fence: each of sufficient scope. Read-modify-writes
 *    pass on what they find; other writes end the chain. .acquire and .release are a fence at the access.
 * Scope .cta, and .cluster where there are no clusters, does not reach other blocks.
 *
 * It is more lenient than the manual, so that no program that works is accused, in these points:
 *  - Threads that store the same value to a byte do not race (`*found = 1`); one that reads it does.
 *  - A fence of another thread will do, where a barrier or bar.warp.sync is between: "each thread fences, barrier, one thread
 *    sets the flag" and "one thread sees the flag, barrier, each thread fences". The barrier itself is no fence that reaches
 *    other blocks.
 *  - But after a read-modify-write it is one for the reader's side: the last-block sum, as it is published, draws its ticket
 *    by an atomic operation and has a barrier of the block behind it, not a fence.
 *  - A thread that has ended counts as having come to every later barrier and bar.warp.sync.
 *  - A compare-and-swap that fails passes on knowledge as one that succeeds.
 * And stricter in one: volatile accesses of lanes of one warp to shared memory, without bar.warp.sync between them, are
 * reported, for the lanes need not run in step; unless one is a loop that waits for the other.
 *
 * A load of which no byte was ever written is an uninitialised read; where some were, it is not, for structures with padding
 * are copied whole. Shared and local memory begin unwritten; global memory does where it is said to be so.
 *
 * A detector watches one block at a time; the blocks of a launch have a grid in common. What is reported does not depend on
 * the order in which blocks run as long as check_block_end is called in the order of their numbers; the sides of a race
 * between blocks are then the later block and an earlier one. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "simt/simt.h"

enum check_scope { CHECK_CTA, CHECK_GPU, CHECK_SCOPES };

/* What an instruction means to the order of memory. */
struct check_how {
	bool strong, is_volatile;
	uint8_t scope;           /* enum check_scope, of a strong access and of a fence */
	bool releases, acquires; /* an access: a fence before it, a fence after it */
	bool fences;             /* is a fence itself */
	bool tells;              /* all this is of its atomic access, to an mbarrier; the others are weak */
	uint8_t size;            /* bytes of an element */
	bool copies;             /* its stores end an asynchronous copy that began before */
	bool waits;              /* a load in a loop that does nothing but wait for what it loads */
};

struct ptx_kernel;
struct arena;

/* One for each instruction of the kernel and of its functions, by their index in the launch; in the arena. */
struct check_how *check_code(struct arena *arena, const struct ptx_kernel *kernel);

/* --- findings ----------------------------------------------------------------------------------------------------- */

struct check_side {
	int instr;
	enum access_op op;
	uint32_t block, warp, lanes;
	int lane; /* one of them: of both sides, two that meet */
};

struct check_finding {
	enum simt_defect_kind kind; /* SIMT_RACE or SIMT_UNINITIALISED */
	enum mem_space space;
	uint64_t address;              /* of the first lane's common byte; shared: offset */
	struct check_side here, other; /* SIMT_RACE: `other` came first */
	enum simt_missing missing;
};

typedef void check_report_fn(void *ctx, const struct check_finding *finding);

/* --- set-up ------------------------------------------------------------------------------------------------------- */

struct check_setup {
	uint64_t blocks;  /* of the launch */
	uint32_t threads; /* of a block */
	uint64_t shared_bytes, local_bytes;
	bool races, uninitialised;   /* what to look for */
	const struct check_how *how; /* by instruction */
	uint32_t n_instrs;
};

/* `setup` is copied, its `how` is not. */
struct check_grid *check_grid_new(const struct check_setup *setup);
void check_grid_free(struct check_grid *grid);

/* Global memory that nobody has written yet but for bytes whose bit in `written` is set (bit 0 of byte 0 first). Stores
 * set them. */
void check_grid_unwritten(struct check_grid *grid, uint64_t address, uint64_t bytes, uint8_t *written);

struct check *check_new(struct check_grid *grid, check_report_fn *report, void *ctx);
void check_free(struct check *check);

/* Memory that it holds, about. */
uint64_t check_bytes(const struct check *check);

/* --- what the machine tells, in the order in which it happens ------------------------------------------------------------ */

void check_block_start(struct check *check, uint32_t block);

/* Compares with the blocks before it. Has to be called in the order of block numbers, by one thread at a time. */
void check_block_end(struct check *check);

/* What a store writes, from `n` registers of 32 values, `stride` bytes apart, of which `bytes` are stored; and where. */
struct check_stored {
	const uint8_t *lanes[4];
	uint32_t n, stride, bytes;
	const uint8_t *at[WARP_SIZE];
};

/* An access whose addresses are good, before it is made; findings name `told` for its instruction. `stored` is NULL but for
 * stores, and where values are not to be had: then two stores of the same value are told of, too. */
void check_access(struct check *check, const struct simt_access *access, int told, const struct check_stored *stored);

/* A copy to shared memory begins, which a later check_access ends; addresses need not be good. Until then nobody may touch
 * what it writes, whatever barriers are between. */
void check_copy_begins(struct check *check, const struct simt_access *access, int told);

/* `lanes` of the warp execute a fence; of a scope, or as the instruction says. */
void check_fence(struct check *check, uint32_t warp, uint32_t lanes, enum check_scope scope);
void check_fence_by(struct check *check, int instr, uint32_t warp, uint32_t lanes);

/* `lanes` have met at bar.warp.sync; `live` are those of the warp that have not ended. */
void check_warp_sync(struct check *check, uint32_t warp, uint32_t lanes, uint32_t live);

#define CHECK_BARRIERS 17 /* and that of the cluster */

/* `lanes` come to barrier `id`, by whatever instruction. */
void check_barrier_come(struct check *check, uint32_t id, uint32_t warp, uint32_t lanes);

/* Barrier `id` is complete: `released[w]` are the lanes of warp w that waited at it, `live[w]` those that have not ended. */
void check_barrier_done(struct check *check, uint32_t id, const uint32_t *released, const uint32_t *live);
