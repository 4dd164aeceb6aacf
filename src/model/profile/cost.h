/* model/profile/cost.h: what the model of the schedule needs of a kernel's instructions. */
#pragma once
#include "base/arena.h"
#include "machine/ptx/ptx.h"
#include "model/hardware/schedule.h"

struct cost_program {
	struct schedule_op *ops; /* by instruction, as ptx_instr_count numbers them */
	int n_ops;
	uint32_t n_registers; /* of the kernel and its functions together */
};

/* Lines are those of `file`; NULL: of the PTX. All in `arena`. */
struct cost_program *profile_cost(struct arena *arena, const struct ptx_kernel *kernel, const char *file);

/* Machine instructions that the warps of a launch executed, by the rules of model/profile/machine.h, from how often they executed each
 * instruction of the PTX. */
double profile_machine_instructions(const struct ptx_kernel *kernel, const uint64_t *executed);
