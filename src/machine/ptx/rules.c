/* Rules for the operands of an instruction that the letters of ops.def cannot express. */
#include <string.h>

#include "machine/ptx/instr.h"
#include "machine/ptx/matrix.h"
#include "machine/ptx/ops.h"
#include "machine/ptx/parse.h"

static const char *check_vector(const struct ptx_form *form)
{
	return instr_vector(form) * ptx_type_bytes((enum ptx_type)form->type) > 16 ? "a vector has at most 16 bytes"
										   : NULL;
}

/* What is wrong with the operands of an instruction, or NULL. */
static const char *check_operands(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	const struct ptx_form *form = instr->form;
	const struct ptx_operand *o = instr->operands;
	uint8_t atom = form->mod[PTX_MOD_ATOM];
	bool multicast = form->mod[PTX_MOD_MULTICAST] && !(instr->n > 4 && o[4].kind != PTX_NONE);
	switch (form->op) {
	case PTX_OP_SETP:
	case PTX_OP_SET:
	case PTX_OP_SET_HALF:
	case PTX_OP_SET_TO_HALF:
	case PTX_OP_SETP_HALF:
		if ((form->mod[PTX_MOD_BOOL] != 0) != (instr->n == 4))
			return "a predicate goes with .and, .or or .xor";
		if (form->op == PTX_OP_SETP_HALF && ptx_type_bytes((enum ptx_type)form->type) != 4 && o[0].second >= 0)
			return "only a pair of halves has two predicates";
		return NULL;
	case PTX_OP_CVT_PACK:
		return (form->mod[PTX_MOD_THIRD] != 0) == (instr->n == 4)
			? NULL
			: "what is narrower than a half goes into a third .b32 operand, halves do not";
	case PTX_OP_MOV:
		return o[0].kind == PTX_VECTOR && o[1].kind == PTX_VECTOR ? "only one side can be a vector" : NULL;
	case PTX_OP_CVTA:
	case PTX_OP_CVTA_TO: return o[1].kind == PTX_FUNC ? "the address of a function is generic already" : NULL;
	case PTX_OP_ALLOCA: {
		if (instr->n < 3)
			return NULL;
		bool fits = o[2].kind == PTX_IMM && o[2].value > 0 && o[2].value <= 65536 &&
			!(o[2].value & (o[2].value - 1));
		return fits ? NULL : "an alignment is a power of two up to 65536";
	}

	case PTX_OP_VADD:
	case PTX_OP_VSUB:
	case PTX_OP_VABSDIFF:
	case PTX_OP_VMIN:
	case PTX_OP_VMAX:
	case PTX_OP_VSHL:
	case PTX_OP_VSHR:
	case PTX_OP_VSET: {
		bool selects = o[0].value != 0, combines = form->mod[PTX_MOD_SECOND];
		if (selects && combines)
			return "it combines with c, or goes into a part of it";
		return (selects || combines) && instr->n < 4 ? "c is missing" : NULL;
	}
	case PTX_OP_VMAD: /* PTX ISA, vmad: a product or c is negated, and neither with .po */
		if (form->mod[PTX_MOD_PO] && (o[1].negated || o[2].negated || o[3].negated))
			return "nothing is negated with .po";
		return o[1].negated != o[2].negated && o[3].negated ? "either the product or c is negated" : NULL;

	case PTX_OP_ST: {
		/* .param memory of a call or a function can be written, that of an entry cannot. */
		enum mem_space space = ptx_form_space(form);
		bool in_frame = o[0].kind == PTX_MEM_VAR ? p->kernel->uses[o[0].index].var->in_frame
							 : !p->kernel->entry;
		if (space == SPACE_CONST || (space == SPACE_PARAM && !in_frame))
			return "this memory is read only";
		return check_vector(form);
	}
	case PTX_OP_LD:
	case PTX_OP_LDU:
	case PTX_OP_MOV_VEC:
	case PTX_OP_ST_ASYNC:
	case PTX_OP_SULD:
	case PTX_OP_SUST:
	case PTX_OP_ATOM_VEC:
	case PTX_OP_RED_VEC: return check_vector(form);
	case PTX_OP_ATOM:
	case PTX_OP_ATOM_PAIR:
		return (atom == PTX_ATOM_CAS) == (instr->n == 4)
			? NULL
			: "only .cas takes a value to compare with and one to store";
	case PTX_OP_ATOM_HINT: return atom == PTX_ATOM_CAS ? ".cas takes no cache policy" : NULL;

	case PTX_OP_CP_ASYNC_CA:
	case PTX_OP_CP_ASYNC_CG: {
		bool fits = o[2].value == 16 ||
			(form->op == PTX_OP_CP_ASYNC_CA && (o[2].value == 4 || o[2].value == 8));
		return o[2].kind == PTX_IMM && fits ? NULL : "it copies 16 bytes, with .ca also 4 or 8";
	}
	case PTX_OP_CP_ASYNC_WAIT:
	case PTX_OP_WGMMA_WAIT:
	case PTX_OP_BULK_WAIT:
	case PTX_OP_BULK_WAIT_READ: return o[0].kind == PTX_IMM ? NULL : "the number of groups is a constant";
	case PTX_OP_BULK_LOAD:
	case PTX_OP_BULK_LOAD_OWN:
	case PTX_OP_BULK_STORE:
	case PTX_OP_BULK_SHARED:
	case PTX_OP_BULK_REDUCE:
	case PTX_OP_BULK_REDUCE_SHARED:
		if (o[2].kind == PTX_IMM && o[2].value % 16)
			return "it copies a multiple of 16 bytes";
		return multicast ? "a mask of blocks goes with .multicast::cluster" : NULL;
	case PTX_OP_TENSOR_LOAD:
	case PTX_OP_TENSOR_LOAD_OWN:
	case PTX_OP_TENSOR_PREFETCH:
		if (form->mod[PTX_MOD_TILE] == PTX_TILE_IM2COL &&
			instr->n <= (form->op == PTX_OP_TENSOR_PREFETCH ? 1 : 3))
			return "offsets go with .im2col";
		return multicast ? "a mask of blocks goes with .multicast::cluster" : NULL;
	case PTX_OP_MBARRIER_ARRIVE:
	case PTX_OP_MBARRIER_ARRIVE_TX:
	case PTX_OP_MBARRIER_DROP:
	case PTX_OP_MBARRIER_DROP_TX:
		/* PTX ISA, mbarrier.arrive: of another block's mbarrier the state is not to be had. */
		return form->mod[PTX_MOD_SPACE] == PTX_SPACE_SHARED_CLUSTER && o[0].kind != PTX_SINK
			? "with .shared::cluster it gives no state: its destination is _"
			: NULL;

	case PTX_OP_MAP_ADDRESS:
	case PTX_OP_MAP_RANK:
	case PTX_OP_MAP_BOX:
	case PTX_OP_MAP_SIZE:
	case PTX_OP_MAP_STRIDE:
	case PTX_OP_MAP_STEP:
	case PTX_OP_MAP_TYPE:
	case PTX_OP_MAP_INTERLEAVE:
	case PTX_OP_MAP_SWIZZLE:
	case PTX_OP_MAP_FILL: {
		/* PTX ISA, tensormap.replace: the ordinal, and what a mode becomes, are constants. */
		bool ordinal = instr->n > 2, mode = !ordinal && instr_letter(form, 1) == 'i';
		return (ordinal || mode) && o[1].kind != PTX_IMM ? "its second operand is a constant" : NULL;
	}
	case PTX_OP_MAP_COPY: return o[2].kind == PTX_IMM && o[2].value == 128 ? NULL : "a tensor map has 128 bytes";

	case PTX_OP_WGMMA:
	case PTX_OP_WGMMA_SPARSE: {
		/* PTX ISA, wgmma.mma_async: the signs of A and B, of all but integers; of .f16 and .bf16 whether A and
		 * B, or B alone where A is in registers, are transposed. */
		int scale = ptx_matrix_is_sparse(form) ? 5 : 3;
		const struct ptx_operand *numbers = instr->n > scale + 1 ? &o[scale + 1] : NULL;
		bool half = form->type2 == PTX_F16 || form->type2 == PTX_BF16, described = o[1].kind == PTX_REG;
		int signs = form->type == PTX_S32 ? 0 : 2, transposed = !half ? 0 : described ? 2 : 1;
		if ((numbers ? numbers->count : 0) != signs + transposed)
			return !signs ? "products of integers take no signs"
				: transposed
				? "it takes two signs, and whether A, unless in registers, and B are transposed"
				: "it takes two signs";
		for (int i = 0; i < signs; i++)
			if (numbers->elements[i].value != 1 && numbers->elements[i].value != -1)
				return "a sign is 1 or -1";
		for (int i = signs; i < signs + transposed; i++)
			if (numbers->elements[i].value & ~1)
				return "transposed is 0 or 1";
		return NULL;
	}
	default: return NULL;
	}
}

bool ptx_operands_fit(struct ptx_parser *p, const struct ptx_instr *instr)
{
	const struct ptx_form *form = instr->form;
	const char *wrong = check_operands(p, instr);
	if (!wrong && ptx_matrix_is_sparse(form)) {
		/* Which lanes of four have the metadata: one, two or all. PTX ISA, "Matrix fragments for sparse
		 * mma". */
		const struct ptx_operand *selector = &instr->operands[instr_takes(instr->form, PTX_MOD_DEPTH) ? 4 : 5];
		int choices = 4 / ptx_matrix_metadata_lanes(instr->form);
		wrong = selector->kind == PTX_IMM && selector->value >= 0 && selector->value < choices
			? NULL
			: "the last operand is a constant: which lanes of four have the metadata";
	}
	if (!wrong) {
		/* A row whose last letter is h has an operand for it if, and only if, the form has .L2::cache_hint. */
		const char *letters = ptx_op_rows[form->op].operands;
		bool has_last = instr->n + 1u == strlen(letters);
		if (strchr(letters, 'h') && (form->mod[PTX_MOD_HINT] != 0) != has_last)
			wrong = "a cache policy goes with .L2::cache_hint";
	}
	if (wrong)
		ptx_fault_at(p, instr->line, instr->col, "%s: %s", form->spelling, wrong);
	return !wrong && (instr_kind(form) != PTX_KIND_CALL || ptx_call_fits(p, instr));
}
