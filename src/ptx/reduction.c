#include "ptx/program.h"

/* How often an operand names the register. */
static int mentions(const struct ptx_operand *o, int reg)
{
	int n = 0, elements = o->kind == PTX_VECTOR ? o->count : o->kind == PTX_LIST ? o->index : 0;
	for (int i = 0; i < elements; i++)
		n += mentions(&o->elements[i], reg);
	if ((o->kind == PTX_REG || o->kind == PTX_MEM_REG) && o->index == reg)
		n++;
	return n + ((o->kind == PTX_REG || o->kind == PTX_SINK) && o->second == reg && reg >= 0);
}

/* Whether the register that the instruction writes is named by it alone. */
static bool is_unread(const struct ptx_kernel *code, const struct ptx_instr *instr)
{
	int reg = instr->operands[0].index, n = 0;
	for (int i = 0; i < code->n_instrs; i++)
		for (int k = 0; k < code->instrs[i].n; k++)
			n += mentions(&code->instrs[i].operands[k], reg);
	return n == 1;
}

bool ptx_instr_is_reduction(const struct ptx_kernel *kernel, int index)
{
	const struct ptx_part *part = ptx_part_of(kernel, index);
	const struct ptx_instr *instr = &part->code->instrs[index - part->first];
	const struct ptx_form *form = instr->form;
	if (form->op == PTX_OP_RED || form->op == PTX_OP_RED_VEC)
		return true;
	if (form->op != PTX_OP_ATOM)
		return false;
	int what = form->mod[PTX_MOD_ATOM];
	if (what == PTX_ATOM_EXCH || what == PTX_ATOM_CAS)
		return false;
	return instr->operands[0].kind == PTX_SINK ||
		(instr->operands[0].kind == PTX_REG && is_unread(part->code, instr));
}
