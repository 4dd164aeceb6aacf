/* model/profile/private.h: what the files of this folder share, each file's part below its name. */
#pragma once
#include "base/arena.h"
#include "machine/launch/launch.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/simt.h"
#include "model/hardware/engine.h"
#include "model/hardware/schedule.h"
#include "model/profile/cubin.h"
#include "model/profile/profile.h"

struct ptx_instr;

/* --- machine.c, loops.c, pipes.c ---------------------------------------------------------------------------------- */

/* What machine instructions PTX becomes, as far as it can be told without the compiler for the GPU.
 *
 * Copies and most conversions become operands; a parameter is loaded by one instruction. Sums and products whose only
 * use is an address, a sum or a product become part of it; logic of three operands is one instruction; 64-bit integers
 * take two. Each kernel begins with what is in none of its PTX. Loads come as early in their basic block as their
 * addresses are known. An estimate: what a GPU counts beside it is in errors.def. */

/* Fills in `issues`, `basic_block` and `rank` of the instructions of one part. */
void profile_machine(const struct ptx_kernel *code, struct schedule_op *ops);

/* Machine instructions that warps executed of one part whose PTX instructions were executed so often, which may be a
 * fraction: of a loop that is unrolled what counts it is done once for several times. Instructions that are skipped by
 * a branch that becomes predicates are executed by every warp that comes to it. `latency` of the operations must be
 * there; `issues` and what says how loops are unrolled is filled in. */
double profile_machine_executed(const struct ptx_kernel *code, struct schedule_op *ops, const uint64_t *executed);

/* `divisor_stays`: it divides by what is the same each time around a loop. Fills in `pipe`, `cycles` and `interval`,
 * and `issues` of what becomes a sequence, after profile_machine. */
void profile_pipe_of(const struct ptx_instr *instr, struct schedule_op *op, bool divisor_stays);

/* Of a 64-bit sum that a product of 32 bits is part of: together they are an instruction of the FMA pipes,
 * IMAD.WIDE. */
void profile_sum_product(struct schedule_op *op);

/* Fills in `uniform` of the atomics of one part. */
void profile_find_uniform(const struct ptx_kernel *code, struct schedule_op *ops);

/* Whether it loads from L2, past the L1: .cg, volatile and other strong loads. */
bool profile_loads_past(const struct ptx_instr *instr);

/* Fills in `unrolled`, `mixes` and `once` of loops that ptxas unrolls. */
void profile_find_loops(const struct ptx_kernel *code, struct schedule_op *ops);

/* Whether no other instruction of its basic block is moved past it. */
bool profile_orders_all(const struct ptx_instr *instr);

/* --- cost.c ------------------------------------------------------------------------------------------------------- */

/* What the model of the schedule needs of a kernel's instructions. */

struct cost_program {
	struct schedule_op *ops; /* by instruction, as ptx_instr_count numbers them */
	int n_ops;
	uint32_t n_registers; /* of the kernel and its functions together */
};

/* Lines are those of `file`; NULL: of the PTX. All in `arena`. */
struct cost_program *profile_cost(struct arena *arena, const struct ptx_kernel *kernel, const char *file);

/* Machine instructions that the warps of a launch executed, by the rules of machine.c, from how often they executed
 * each instruction of the PTX. */
double profile_machine_instructions(const struct ptx_kernel *kernel, const uint64_t *executed);

/* --- trace.c ------------------------------------------------------------------------------------------------------ */

/* What the warps of one SM executed, in order, and how much every block did: recorded while a launch runs on the SIMT
 * machine. */

/* Whose warps to keep: those of the blocks that are resident on one SM together with `block`, when blocks are given out
 * in turns to `sms` SMs that hold `resident` of them each. */
struct trace_watch {
	uint32_t block, sms, resident;
	uint64_t steps; /* warp instructions after which the run ends with SIMT_LIMIT; 0: PROFILE_STEPS_MAX */
	unsigned cores; /* of the host; 0: all */
	int cc;         /* whose rules say what an access costs */
	bool caches;    /* keeps which lines are accessed, too */
};

#define TRACE_WAVES 3

struct trace {
	struct simt_result result;
	const struct cost_program *program;
	const struct schedule_warp *warps; /* kept, by block and warp; of each as many steps as there is room for */
	int n_warps;                       /* of the blocks that are resident together */
	int n_kept;            /* also of those that the SM gets after them: TRACE_WAVES times as many at most */
	struct cache_set *set; /* all accesses of the launch; NULL without trace_watch.caches */
	uint64_t blocks;       /* of the grid */
	uint32_t warps_per_block;
	const uint32_t *counts; /* warp instructions by block and warp, of the first n_counted blocks */
	size_t n_counted;       /* at most BLOCKS_MAX */
};

struct trace_recorder;

/* Records a trace of a launch run elsewhere, through profile_trace_listener's listener, which lives as long as `arena`.
 * NULL when a block is too large. */
struct trace_recorder *profile_trace_listen(
	struct arena *arena, const struct ptx_kernel *kernel, const struct launch *launch, struct trace_watch watch);
const struct simt_listener *profile_trace_listener(const struct trace_recorder *recorder);

/* What was kept, in the same arena, but for the set, which is the caller's. Once for each recorder, also when nothing
 * ran. */
struct trace *profile_trace_take(struct trace_recorder *recorder, const struct simt_result *result);

/* All at once. NULL with diagnostics when it cannot start, as profile_run. All in `arena`. */
struct trace *profile_trace_run(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	struct trace_watch watch, struct diag *diag);

/* --- machine_code.c ----------------------------------------------------------------------------------------------- */

/* Which machine instructions each PTX instruction of a launch became, and how often they were executed: the
 * compiler's own (cubin.h), weighed by what the warps of a trace executed.
 *
 * Basic blocks of machine code are matched with those of the PTX that most of their instructions were made from. A
 * block of PTX in a loop that was unrolled is in several, so many times in each; the times around the loop that a trace
 * has are given to the one with the most, as long as it has enough left, then to the next, as the compiler's own tests
 * do. What is in front of a loop is executed once for each time that the loop begins. Subroutines for what is rare (a
 * division of subnormals) are taken to be executed never. */

struct machine_code {
	double instructions; /* that the kept steps of the trace became */
	const float *of_op;  /* of them for each execution of a PTX instruction; cost_program.n_ops */
};

/* In `arena`; NULL where nothing was matched. */
const struct machine_code *profile_machine_code(
	struct arena *arena, const struct ptx_kernel *kernel, const struct cubin *cubin, const struct trace *trace);

/* --- estimate.c --------------------------------------------------------------------------------------------------- */

/* How long a launch takes, what its caches do, and what bounds it: what was traced, through engine_run for one SM
 * and blocks_place for all. */

struct estimate_input {
	const struct trace *trace; /* with a set; of the SM that has block 0 */
	const struct launch *launch;
	const struct trace_watch *watch;
	uint32_t max_warps;              /* of an SM */
	uint32_t shared;                 /* bytes of a block */
	double instructions;             /* machine instructions of all warps, as a GPU counted them; 0: it did not */
	const char *gpu;                 /* that it is for; NULL: not known */
	const struct machine_code *code; /* where they were not counted; NULL: the model's rules */
};

/* In `arena`; NULL where nothing was kept. */
const struct engine_estimate *profile_estimate(struct arena *arena, const struct estimate_input *input);

/* What a block does, in cycles at the least: its longest warp, one instruction a cycle, or all of them by four
 * schedulers. */
double profile_block_work(const struct trace *trace, size_t block);

/* --- inlined.c ---------------------------------------------------------------------------------------------------- */

/* What a launch counted, by where its instructions are written. */

/* Fills profile->parts and profile->written from the sums of the instructions; `fill` makes the numbers of a line
 * from its own sums. */
void profile_group_inlined(struct arena *arena, const struct ptx_kernel *kernel, const struct sums *sums,
	void (*fill)(struct profile_line *line), struct profile *profile);

/* --- pair.c ------------------------------------------------------------------------------------------------------- */

/* One run with two listeners. */

struct pair {
	const struct simt_listener *first, *second;
};

/* Calls both, the first one first; print only the first. Blocks run on several cores when both can be forked. Valid as
 * long as the pair. */
struct simt_listener profile_pair_listener(struct pair *pair);
