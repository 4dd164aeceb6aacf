/* model/hardware/engine.h: how long one SM takes for its blocks: the instructions that their warps executed, issued
 * cycle by cycle under all constraints at once.
 *
 *   - Each of four schedulers issues one machine instruction per cycle, of a warp whose registers are available and
 *     whose pipe takes it: of those of the oldest block that has such warps the next one in turn. Instructions that the
 *     compiler folds into others (schedule_op.issues) cost nothing; those it can hoist within a basic block
 *     (schedule_op.rank) come earlier.
 *   - Pipes take an instruction each interval (latencies.def). The memory pipe serves a wavefront of shared memory, or
 *     a line of global memory, per cycle.
 *   - A load is served by L1 (cache.h), L2 near or far, or DRAM, each a queue whose rate is the SM's own, or its share
 *     of what all SMs together get. A store passes through the same queues and is not waited for, but its warp ends
 *     after it.
 *   - Shared memory of other blocks of the cluster is reached sector by sector (engine_cluster_access).
 *   - Products of warp groups and bulk copies go on while their warps do. A wait for groups ends with their last
 *     product, one at an mbarrier when as many copies and arrivals have taken effect there as on the machine.
 *   - Blocks begin one after the other, the next one in the place of one that has ended.
 *
 * Times are in cycles. Parameters: timings.def. How far off it is: errors.def. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "model/hardware/cache.h"
#include "model/hardware/schedule.h"

enum engine_stall {
#define STALL(id, reason, label, what) ENGINE_STALL_##id,
#include "model/hardware/stalls.def"
#undef STALL
	ENGINE_STALLS
};

/* What can bound a launch: ENGINE_BOUND(id, name). */
#define ENGINE_BOUNDS(BOUND)                                                                                           \
	BOUND(ISSUE, "issue slots")                                                                                    \
	BOUND(ALU, "the integer pipe")                                                                                 \
	BOUND(FMA, "the 32-bit float pipe")                                                                            \
	BOUND(FP64, "the 64-bit float pipe")                                                                           \
	BOUND(XU, "the pipe of special functions")                                                                     \
	BOUND(TENSOR, "the tensor cores")                                                                              \
	BOUND(LSU, "the memory pipe of the SM (L1 and shared memory)")                                                 \
	BOUND(L2, "L2")                                                                                                \
	BOUND(FABRIC, "the link between the halves of L2")                                                             \
	BOUND(DRAM, "DRAM")                                                                                            \
	BOUND(TLB, "the translation of addresses")                                                                     \
	BOUND(CLUSTER, "the way between the SMs of a cluster")                                                         \
	BOUND(ATOMICS, "atomics in L2")                                                                                \
	BOUND(LATENCY, "latency")

enum engine_bound {
#define BOUND(id, name) ENGINE_##id,
	ENGINE_BOUNDS(BOUND)
#undef BOUND
		ENGINE_BOUNDS_N
};
const char *engine_bound_name(enum engine_bound bound);
bool engine_bound_is_plural(enum engine_bound bound); /* "issue slots bound it" */
const char *engine_bound_id(enum engine_bound bound); /* "issue", for JSON */

/* Where the number of machine instructions comes from: the model's rules, a count of the same launch by a GPU, the code
 * that ptxas made. */
enum engine_instructions { ENGINE_BY_RULES, ENGINE_BY_COUNT, ENGINE_BY_CODE };

struct engine_input {
	const struct schedule_op *ops;
	uint32_t n_registers;
	const struct schedule_warp *warps; /* of the SM's blocks in their order, of each warps_per_block in a row */
	int n_warps;
	uint32_t warps_per_block, resident;
	uint32_t active_sms; /* that share L2 and DRAM */
	uint32_t shared;     /* bytes of the SM's memory that are shared memory: cache_carveout */
	/* Of lines that the SM asks L2 for the first time, which share is in the far half, and which in DRAM; of those
	 * that it asks for again, which is in DRAM; sectors that DRAM brings for each that is missing. */
	double far, dram, dram_again, fill;
	/* Machine instructions of these steps, where a GPU counted them; 0: by the rules of the model */
	double instructions;
	const float *slots; /* by op: machine instructions for each time that it is executed; NULL: by the rules */
	double written;     /* of what is stored, which share goes to DRAM */
	double hot;         /* of what atomics do in L2, which share is in the slice that has most to do */
	bool many_pages;    /* more than the translations of addresses that an SM has: engine.c */
	bool few_pages;     /* too few for half of them to be near: what is not known is taken in the middle */
};

struct engine_result {
	double cycles;                /* of the SM, from the first warp's begin to the last one's end */
	double active;                /* those of them in which it had a warp */
	double first_wave;            /* when the first block that had to wait for a place began; 0: none had to */
	int schedulers;               /* that had a warp */
	uint64_t issued;              /* machine instructions */
	double stalls[ENGINE_STALLS]; /* cycles of all warps */
	double eligible;              /* cycles of warps that could be issued, those that were among them */
	double warps;                 /* cycles of all warps */
	double l1_sectors, l1_hits;   /* loads and stores */
	double l2_loads, l2_stores;   /* sectors asked of L2, written to it */
	double busy[ENGINE_BOUNDS_N]; /* cycles of service */
	double by_pipe[PIPES];        /* machine instructions that went to each */
	double changed;               /* when L2 is through with the atomics; 0: there were none */
	bool whole;                   /* no warp was cut */
};

/* Sectors that the SM's loads and atomics touch; those that L2 is asked for, of these those of lines that the SM had
 * not asked for before. By the L1 alone, warps in turns; to know the shares that engine_run wants. */
struct engine_requests {
	double touched, asked, first;
};
void engine_count_requests(const struct engine_input *input, struct engine_requests *out);

void engine_run(const struct engine_input *input, struct engine_result *out);

/* A launch, estimated from one SM. */
struct engine_estimate {
	double active_max, active_avg, elapsed; /* cycles */
	double ns;
	double eligible, issue_pct, warps;  /* per cycle and scheduler; %; per cycle of an SM */
	double stalls[ENGINE_STALLS];       /* warps per instruction issued */
	double mix[PIPES], pipe_pct[PIPES]; /* share of all instructions; %, how busy it is, of PIPE_NONE 0 */
	double l1_sectors, l1_hits, l2_sectors, l2_hits, dram_read, dram_written; /* bytes, of DRAM */
	double l2_asked, l2_found; /* by SMs, where they ask; l2_sectors: by the halves of L2 and others, too */
	bool l2_decided;           /* l2_found does not depend on where the buffers lie */
	enum engine_bound bound;
	double share;        /* of the cycles: engine_bound_of */
	double instructions; /* machine instructions of all warps */
	enum engine_instructions instructions_by;
	bool elsewhere; /* for another GPU than the one whose parameters the model has */
};

/* How busy instructions make a pipe of an SM in so many cycles, in percent, as the hardware counts it: by the cycles
 * for which each occupies a scheduler's pipe, or its share of the SM's. Verified: H200, CUPTI's
 * pct_of_peak_sustained_active of the pipes in kernels of one kind of instruction each; the tensor cores' by m16n8k16
 * alone, other shapes take other times. */
double engine_pipe_pct(enum pipe pipe, double instructions, double cycles);

/* What kept it longest, and its share of the cycles; LATENCY where nothing was busy for most of them. */
enum engine_bound engine_bound_of(const struct engine_result *result, double *share);

/* One sentence: the cycles, how far off they may be, the time, and what bounds the launch, with its share. */
void engine_explain(const struct engine_estimate *estimate, struct buf *out);
