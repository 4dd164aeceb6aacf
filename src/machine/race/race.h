/* machine/race/race.h: the detector of data races, and which bytes of memory were written.
 *
 * It knows nothing of the machine that runs the kernel: it receives what the warps of a block do, in the order in which
 * it happens, and reports what it finds. README.md says how it works; this is by which rules it judges.
 *
 * They are those of the PTX ISA, "Memory Consistency Model". Two accesses race when they touch a common byte, one of
 * them writes, neither happens before the other, and they are not both strong (volatile, relaxed, acquire, release,
 * atom, red), of one size, with scopes that include each other. What orders accesses (happens-before):
 *  - program order;
 *  - bar.warp.sync among its lanes, and barriers of the block among the warps that arrive; shfl and vote order nothing;
 *  - a fence, then a strong write, which synchronizes with a strong read that sees it, then a fence: each of sufficient
 *    scope. Read-modify-writes pass on what they find; other writes end the chain. .acquire and .release are a fence at
 *    the access.
 * Scope .cta does not reach other blocks, and .cluster does not reach those of other clusters.
 *
 * It is more lenient than the manual, so that no program that works is accused, in these points:
 *  - Threads that store the same value to a byte do not race (`*found = 1`), where no data can change it: a constant, a
 *    parameter, an index; one that reads it does. One whose race_order.stores_data is set is no such store.
 *  - A fence of another thread will do, where a barrier or bar.warp.sync is between: "each thread fences, barrier, one
 *    thread sets the flag" and "one thread sees the flag, barrier, each thread fences". The barrier itself is not a
 *    fence that reaches other blocks.
 *  - But after a read-modify-write it is one for the reader's side: the last-block sum, as it is published, draws its
 *    ticket by an atomic operation and has a barrier of the block after it, not a fence.
 *  - A thread that has ended counts as having arrived at every later barrier and bar.warp.sync.
 *  - A compare-and-swap that fails releases as one that succeeds.
 *  - Where race_setup.tiles says that each block waits for those before it by decoupled look-back, as in CUB's kernels
 *    that work in place, a block may write what earlier ones have read, though nothing is released: their values have
 *    come, for a barrier is between. And a store between blocks that changes nothing does not count: the next tile may
 *    read the last element of the one before, which is written where it was.
 * And stricter in one: volatile accesses of lanes of one warp to shared memory, without bar.warp.sync between them, are
 * reported, for the lanes need not run in step; unless one is a loop that waits for the other, or a store releases
 * a lock that its lane has taken.
 *
 * Of uninitialized memory it says which bytes an access finds; what is wrong with that is for the machine to judge,
 * which sees what becomes of them. Shared and local memory begin uninitialized; global memory does where it is said to
 * be so.
 *
 * A detector watches one block at a time; the blocks of a launch have a grid in common. What is reported does not
 * depend on the order in which blocks run as long as race_block_end is called in the order of their numbers; the sides
 * of a race between blocks are then the later block and an earlier one. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "machine/race/missing.h"
#include "machine/warp/warp.h"

enum race_scope { RACE_SCOPE_CTA, RACE_SCOPE_CLUSTER, RACE_SCOPE_GPU, RACE_SCOPES };

/* What an instruction means to the order of memory. */
struct race_order {
	bool strong, is_volatile;
	uint8_t scope;           /* enum race_scope, of a strong access and of a fence */
	bool releases, acquires; /* an access: a fence before it, a fence after it */
	bool is_fence;
	bool inits_alone; /* a fence that orders nothing but mbarriers that its thread has made */
	bool inits;       /* makes an mbarrier */
	bool stores;      /* writes by the generic proxy */
	bool is_async;    /* a bulk copy or the like: all this is of its atomic accesses; others are weak */
	bool async_proxy; /* it accesses memory by the asynchronous proxy: all but st.async and red.async */
	uint8_t size;     /* bytes of an element; 0: those of the access */
	bool ends_copy;   /* its stores end an asynchronous copy that began before */
	bool arrives;     /* at an mbarrier: acquires nothing */
	bool waits;       /* for a phase of one: acquires what was released to it up to its end, and releases nothing */
	bool signals;     /* an mbarrier's hearing of bytes that have come: released to its block */
	bool observes;    /* a strong load or read-modify-write whose value is used */
	bool observable;  /* a strong access, not to an mbarrier */
	bool stores_data; /* a store of a value that may come from memory */
	bool spins;       /* a load in a loop that does nothing but wait for what it loads */
};

/* An instruction that a warp executes. */
struct race_site {
	int instr;    /* by which race_setup.order is found */
	int reported; /* the instruction that findings name for it: in a function of a library, the call */
	uint32_t warp;
	uint32_t fails;   /* lanes whose compare-and-swap finds another value, or whose wait an incomplete phase */
	uint32_t unlocks; /* lanes that so release a lock that they have taken */
	bool signals;     /* the access is not what the instruction does, but an mbarrier's hearing of it */
};

/* --- findings ----------------------------------------------------------------------------------------------------- */

struct race_side {
	int instr;
	enum access_op op; /* LOAD, STORE or ATOMIC */
	uint32_t block, warp, lanes;
	int lane; /* one of them: of both sides, two that race */
};

struct race_finding {
	enum mem_space space;
	uint64_t address;             /* of the first lane's common byte; shared: offset */
	struct race_side here, other; /* `other` came first */
	bool far;                     /* in shared memory of `owner`, a block of a cluster */
	uint32_t owner;
	enum race_missing missing;
};

typedef void race_report_fn(void *ctx, const struct race_finding *finding);

/* --- set-up ------------------------------------------------------------------------------------------------------- */

struct race_setup {
	uint64_t blocks;  /* of the launch */
	uint32_t threads; /* of a block */
	uint64_t shared_bytes, local_bytes;
	uint64_t shared_reserved;       /* from here on shared memory counts as written; 0: nowhere */
	bool races, uninitialized;      /* what to look for */
	bool async_reads;               /* of shared memory: race_async_read */
	const struct race_order *order; /* by instruction */
	uint32_t n_instrs;
	bool clusters; /* of several blocks */
	bool tiles;    /* the kernel's blocks wait for the blocks before them: see above */
	uint32_t grid[2],
		cluster[3]; /* blocks of the launch by x and y, of a cluster by x, y and z; where there are clusters */
};

/* `setup` is copied, its `order` is not. */
struct race_grid *race_grid_new(const struct race_setup *setup);
void race_grid_free(struct race_grid *grid);

/* Whether threads may have communicated so that in another order they would have found other values: two of them made
 * strong accesses to a byte, one wrote, and no barrier of the whole block was between. Where none did and there was no
 * race, every thread does the same in any order. Asked when all blocks have ended; in doubt (clusters, mbarriers,
 * barriers of some warps, memory that is full) true. */
bool race_grid_communicates(const struct race_grid *grid);

/* Global memory that is uninitialized but for bytes whose bit in `written` is set (bit 0 of byte 0 first). Stores set
 * them. */
void race_grid_uninitialized(struct race_grid *grid, uint64_t address, uint64_t bytes, uint8_t *written);

struct race_detector *race_detector_new(struct race_grid *grid, race_report_fn *report, void *ctx);
void race_detector_free(struct race_detector *d);

/* Memory that it holds, about. */
uint64_t race_detector_bytes(const struct race_detector *d);

/* --- events, in the order in which they happen -------------------------------------------------------------------- */

void race_block_start(struct race_detector *d, uint32_t block);

/* Compares with the blocks before it. Has to be called in the order of block numbers, by one thread at a time. */
void race_block_end(struct race_detector *d);

/* Blocks on several cores: each leaves what it did, in any order, instead of race_block_end, and it is compared in
 * the order of their numbers, by whoever has time. Blocks from `first` on do so, from now to the end of the launch.
 * Findings are not reported then, only that there are some, so that one core can do it again. */
void race_grid_gather(struct race_grid *grid, uint64_t first);

/* False: there is no room until blocks long before have left theirs, and have been compared. */
bool race_block_leave(struct race_detector *d);

/* Compares what can be, for every part of the grid's memory that no other thread is busy with, from a part on that
 * differs from thread to thread. True: some blocks race. To be called once more when all blocks have left. */
bool race_grid_compare(struct race_grid *grid, uint32_t thread);

/* Whether atomic operations teach it nothing that depends on their order: no thread of this kernel can know of
 * another one by them. */
bool race_grid_is_blind(const struct race_grid *grid);

/* What a store writes, from `n` registers of 32 values, `stride` bytes apart, of which `bytes` are stored; and
 * where. */
struct race_store {
	const uint8_t *lanes[4];
	uint32_t n, stride, bytes;
	const uint8_t *at[WARP_SIZE];
};

/* An access whose addresses are valid, before it is made. `store` is NULL but for stores, and where values are not to
 * be had: then two stores of the same value are reported, too. */
void race_access(struct race_detector *d, const struct race_site *site, const struct warp_access *access,
	const struct race_store *store);

/* Which bytes of a load or an atomic access were never written, or last by a store that said so: a bit for each, of the
 * lanes that it returns. Constants and parameters are written; so is everything without race_setup.uninitialized. */
uint32_t race_unwritten(
	const struct race_detector *d, uint32_t warp, const struct warp_access *access, uint16_t bytes[WARP_SIZE]);

/* A store or an atomic access has written its bytes; but those in `but`, where it is not NULL, of shared and local
 * memory, count as unwritten from now on. */
void race_written(struct race_detector *d, uint32_t warp, const struct warp_access *access, const uint16_t *but);

/* A copy to shared memory begins, which a later race_access ends; addresses need not be valid. Until then no thread may
 * touch what it writes, whatever barriers are between. */
void race_copy_begin(struct race_detector *d, const struct race_site *site, const struct warp_access *access);

/* Like race_access, for shared memory where blocks form clusters: that of `owner`, the block whose threads they are or
 * another one of the cluster. */
void race_access_cluster(struct race_detector *d, struct race_detector *owner, const struct race_site *site,
	const struct warp_access *access, const struct race_store *store);

/* An asynchronous operation accesses memory, of `owner` as for race_access_cluster, until race_pending_end: what it
 * reads no thread may write until then, and what it writes none may touch. A source, which was just accessed, is read
 * once more at the end. `operation` is 0 at first, and then what this returned, for more of the same operation.
 * Addresses are in memory. */
uint32_t race_pending_begin(struct race_detector *d, struct race_detector *owner, const struct race_site *site,
	const struct warp_access *access, uint32_t operation);

/* It has read what it reads for `lanes`; it is complete for them, before what it writes is accessed. */
void race_pending_read(struct race_detector *d, uint32_t operation, uint32_t lanes);
void race_pending_end(struct race_detector *d, struct race_detector *owner, uint32_t operation, uint32_t lanes);

/* A load that was just accessed is one of the asynchronous proxy, and goes on until the warp's `group` is done: until
 * then no thread may write what it reads. What the generic proxy has stored to shared memory since the last proxy fence
 * of any thread of the block it may not read, nor what it has stored to global memory. Only where
 * race_setup.async_reads says that there are such. */
void race_async_read(
	struct race_detector *d, const struct race_site *site, const struct warp_access *access, uint32_t group);
void race_async_done(struct race_detector *d, uint32_t warp, uint32_t group);
void race_proxy_fence(struct race_detector *d);

/* `lanes` of the site's warp execute its fence. */
void race_fence(struct race_detector *d, const struct race_site *site, uint32_t lanes);

/* A phase of the mbarrier at `address` of the shared memory of `owner`, as for race_access_cluster, is complete, by the
 * access that was the last: from now on those that wait for it acquire what has been released to it so far. */
void race_phase_complete(struct race_detector *d, struct race_detector *owner, uint64_t address);

/* `lanes` have arrived at bar.warp.sync; `live` are those of the warp that have not ended. */
void race_warp_sync(struct race_detector *d, uint32_t warp, uint32_t lanes, uint32_t live);

#define RACE_BARRIERS 16

/* `lanes` arrive at barrier `id`, by whatever instruction. */
void race_barrier_arrive(struct race_detector *d, uint32_t id, uint32_t warp, uint32_t lanes);

/* Barrier `id` is complete: `released[w]` are the lanes of warp w that waited at it, `live[w]` those that have not
 * ended. */
void race_barrier_complete(struct race_detector *d, uint32_t id, const uint32_t *released, const uint32_t *live);

/* --- the barrier of a cluster ------------------------------------------------------------------------------------- */

/* One for the blocks of a cluster, which run on one core. */
struct race_cluster *race_cluster_new(void);
void race_cluster_free(struct race_cluster *cluster);

/* `lanes` arrive, and release; or release what they did before their last fence that reaches the cluster; all have
 * arrived; `lanes` have waited for that, and acquire. */
void race_cluster_arrive(struct race_detector *d, struct race_cluster *cluster, uint32_t warp, uint32_t lanes);
void race_cluster_arrive_relaxed(struct race_detector *d, struct race_cluster *cluster, uint32_t warp, uint32_t lanes);
void race_cluster_complete(struct race_cluster *cluster);
void race_cluster_wait(struct race_detector *d, const struct race_cluster *cluster, uint32_t warp, uint32_t lanes);
