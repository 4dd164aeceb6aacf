/* model/profile/machine_code.h: which machine instructions each PTX instruction of a launch became, and how often they were executed: the
 * compiler's own (cubin.h), weighed by what the warps of a trace executed.
 *
 * Basic blocks of machine code are matched with those of the PTX that most of their instructions were made from. A block of PTX in a
 * loop that was unrolled is in several, so many times in each; the times around the loop that a trace has are given to the one with
 * the most, as long as it has enough left, then to the next, as the compiler's own tests do. What is in front of a loop is executed once for
 * each time that the loop begins. Subroutines for what is rare (a division of subnormals) are taken to be executed never. */
#pragma once
#include "model/profile/cubin.h"
#include "model/profile/trace.h"

struct machine_code {
	double instructions; /* that the kept steps of the trace became */
	const float *of_op;  /* of them for each execution of a PTX instruction; cost_program.n_ops */
};

/* In `arena`; NULL where nothing was matched. */
const struct machine_code *profile_machine_code(
	struct arena *arena, const struct ptx_kernel *kernel, const struct cubin *cubin, const struct trace *trace);
