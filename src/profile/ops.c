/* What an instruction's accesses are to the model. */
#include "profile/profile.h"
#include "ptx/program.h"

static bool adds_one(const struct ptx_instr *instr)
{
	const struct ptx_operand *value = &instr->operands[instr->form->op == PTX_OP_RED ? 1 : 2];
	return value->kind == PTX_IMM && value->value == 1;
}

/* What ptxas makes of it on shared memory. */
static enum access_op shared_atomic(const struct ptx_instr *instr, bool is_reduction)
{
	const struct ptx_form *form = instr->form;
	int what = form->mod[PTX_MOD_ATOM];
	if (what == PTX_ATOM_CAS)
		return ACCESS_CAS;
	if (what == PTX_ATOM_EXCH)
		return ACCESS_EXCHANGE;
	if (what == PTX_ATOM_ADD && ptx_type_kind((enum ptx_type)form->type) == 'F')
		return ACCESS_ADD_FLOAT;
	bool counts = what == PTX_ATOM_ADD && is_reduction && ptx_type_bytes((enum ptx_type)form->type) == 4 &&
		adds_one(instr);
	return counts ? ACCESS_COUNT : is_reduction ? ACCESS_REDUCE : ACCESS_ATOMIC;
}

static struct profile_ops atomic_ops(const struct ptx_kernel *kernel, int index, const struct ptx_instr *instr)
{
	bool is_reduction = ptx_instr_is_reduction(kernel, index);
	bool vector = instr->form->op == PTX_OP_ATOM_VEC || instr->form->op == PTX_OP_RED_VEC;
	return (struct profile_ops){
		.shared = (uint8_t)(vector ? ACCESS_ATOMIC : shared_atomic(instr, is_reduction)),
		.other = is_reduction ? ACCESS_REDUCE : ACCESS_ATOMIC,
	};
}

struct profile_ops profile_ops(const struct ptx_kernel *kernel, int index)
{
	const struct ptx_part *part = ptx_part_of(kernel, index);
	const struct ptx_instr *instr = &part->code->instrs[index - part->first];
	switch (instr->form->op) {
	case PTX_OP_ATOM:
	case PTX_OP_RED:
	case PTX_OP_ATOM_VEC:
	case PTX_OP_RED_VEC: return atomic_ops(kernel, index, instr);
	case PTX_OP_LDMATRIX: return (struct profile_ops){ACCESS_LOAD_MATRIX, PROFILE_PLAIN};
	case PTX_OP_STMATRIX: return (struct profile_ops){ACCESS_STORE_MATRIX, PROFILE_PLAIN};
	case PTX_OP_CP_ASYNC_CA: return (struct profile_ops){PROFILE_UNSEEN, ACCESS_COPY};
	case PTX_OP_CP_ASYNC_CG: return (struct profile_ops){PROFILE_UNSEEN, ACCESS_COPY_BYPASS};
	case PTX_OP_BULK_LOAD:
	case PTX_OP_BULK_STORE: return (struct profile_ops){PROFILE_UNSEEN, PROFILE_UNSEEN};
	default: return (struct profile_ops){PROFILE_PLAIN, PROFILE_PLAIN};
	}
}
