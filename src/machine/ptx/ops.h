/* machine/ptx/ops.h: the rows of ops.def as numbers, for sources that name single instructions. No public header
 * includes it: who asks what an instruction does asks machine/ptx/instr.h, and need not be compiled again when the
 * table gets a row. */
#pragma once

enum ptx_op {
#define OP(id, spelling, types, types2, operands, modifiers, kind, pick, meaning) PTX_OP_##id,
#include "machine/ptx/ops.def"
#undef OP
	PTX_OPS,
	PTX_OP_UNSUPPORTED = PTX_OPS
};
