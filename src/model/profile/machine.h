/* model/profile/machine.h: what machine instructions PTX becomes, as far as it can be told without the compiler for the GPU.
 *
 * Copies and most conversions become operands; a parameter is loaded by one instruction. Sums and products whose only use is an address, a sum
 * or a product become part of it; logic of three operands is one instruction; 64-bit integers take two. Each kernel begins with what is in
 * none of its PTX. Loads come as early in their basic block as their addresses are known. An estimate: what a GPU counts beside it is in
 * errors.def. */
#pragma once
#include "machine/ptx/ptx.h"
#include "model/hardware/schedule.h"

/* Fills in `issues`, `basic_block` and `rank` of the instructions of one part. */
void profile_machine(const struct ptx_kernel *code, struct schedule_op *ops);

/* Machine instructions that warps executed of one part whose PTX instructions were executed so often, which may be a fraction: of a loop that
 * is unrolled what counts it is done once for several times. Instructions that are skipped by a branch that becomes predicates are executed
 * by every warp that comes to it. `latency` of the operations must be there; `issues` and what says how loops are unrolled is filled in. */
double profile_machine_executed(const struct ptx_kernel *code, struct schedule_op *ops, const uint64_t *executed);

/* `divisor_stays`: it divides by what is the same each time around a loop. Fills in `pipe`, `cycles` and `interval`, and `issues` of what becomes a sequence, after profile_machine. */
struct ptx_instr;
void profile_pipe_of(const struct ptx_instr *instr, struct schedule_op *op, bool divisor_stays);

/* Of a 64-bit sum that a product of 32 bits is part of: together they are an instruction of the FMA pipes, IMAD.WIDE. */
void profile_sum_product(struct schedule_op *op);

/* Fills in `uniform` of the atomics of one part. */
void profile_find_uniform(const struct ptx_kernel *code, struct schedule_op *ops);

/* Whether it loads from L2, past the L1: .cg, volatile and other strong loads. */
bool profile_loads_past(const struct ptx_instr *instr);

/* Fills in `unrolled`, `mixes` and `once` of loops that ptxas unrolls. */
void profile_find_loops(const struct ptx_kernel *code, struct schedule_op *ops);

/* Whether no other instruction of its basic block is moved past it. */
bool profile_orders_all(const struct ptx_instr *instr);
