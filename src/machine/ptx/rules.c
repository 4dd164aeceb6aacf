/* Rules for the operands of an instruction that the letters of ops.def cannot express. */
#include <string.h>

#include "machine/ptx/instr.h"
#include "machine/ptx/matrix.h"
#include "machine/ptx/ops.h"
#include "machine/ptx/parse.h"

/* What is wrong with an instruction's operands, or NULL. */
typedef const char *rule_fn(const struct ptx_parser *p, const struct ptx_instr *instr);

static const char *check_compare(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	(void)p;
	return (instr->form->mod[PTX_MOD_BOOL] != 0) != (instr->n == 4) ? "a predicate goes with .and, .or or .xor"
									: NULL;
}

static const char *check_compare_halves(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	bool is_pair = ptx_type_bytes((enum ptx_type)instr->form->type) == 4;
	const char *wrong = check_compare(p, instr);
	if (wrong)
		return wrong;
	return !is_pair && instr->operands[0].second >= 0 ? "only a pair of halves has two predicates" : NULL;
}

static const char *check_copy(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	const struct ptx_operand *size = &instr->operands[2];
	bool fits = size->value == 16 ||
		(instr->form->op == PTX_OP_CP_ASYNC_CA && (size->value == 4 || size->value == 8));
	(void)p;
	return size->kind == PTX_IMM && fits ? NULL : "it copies 16 bytes, with .ca also 4 or 8";
}

static const char *check_wait(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	(void)p;
	return instr->operands[0].kind == PTX_IMM ? NULL : "the number of groups is a constant";
}

static const char *check_atomic(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	bool swaps = instr->form->mod[PTX_MOD_ATOM] == PTX_ATOM_CAS;
	(void)p;
	return swaps == (instr->n == 4) ? NULL : "only .cas takes a value to compare with and one to store";
}

static const char *check_hint(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	(void)p;
	return instr->form->mod[PTX_MOD_ATOM] == PTX_ATOM_CAS ? ".cas takes no cache policy" : NULL;
}

static const char *check_alloca(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	const struct ptx_operand *align = &instr->operands[2];
	(void)p;
	if (instr->n < 3)
		return NULL;
	bool fits = align->kind == PTX_IMM && align->value > 0 && align->value <= 65536 &&
		!(align->value & (align->value - 1));
	return fits ? NULL : "an alignment is a power of two up to 65536";
}

static const char *check_pack(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	(void)p;
	return (instr->form->mod[PTX_MOD_THIRD] != 0) == (instr->n == 4)
		? NULL
		: "what is narrower than a half goes into a third .b32 operand, halves do not";
}

static const char *check_vector(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	const struct ptx_form *form = instr->form;
	(void)p;
	return instr_vector(form) * ptx_type_bytes((enum ptx_type)form->type) > 16 ? "a vector has at most 16 bytes"
										   : NULL;
}

static const char *check_store(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	enum mem_space space = ptx_form_space(instr->form);
	const struct ptx_operand *to = &instr->operands[0];
	/* .param memory of a call or a function can be written, that of an entry cannot. */
	bool in_frame = to->kind == PTX_MEM_VAR ? p->kernel->uses[to->index].var->in_frame : !p->kernel->entry;
	if (space == SPACE_CONST || (space == SPACE_PARAM && !in_frame))
		return "this memory is read only";
	return check_vector(p, instr);
}

static const char *check_cvta(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	(void)p;
	return instr->operands[1].kind == PTX_FUNC ? "the address of a function is generic already" : NULL;
}

static const char *check_mov(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	(void)p;
	bool two = instr->operands[0].kind == PTX_VECTOR && instr->operands[1].kind == PTX_VECTOR;
	return two ? "only one side can be a vector" : NULL;
}

static const char *check_video(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	bool selects = instr->operands[0].value != 0, combines = instr->form->mod[PTX_MOD_SECOND];
	(void)p;
	if (selects && combines)
		return "it combines with c, or goes into a part of it";
	return (selects || combines) && instr->n < 4 ? "c is missing" : NULL;
}

/* PTX ISA, vmad: a product or c is negated, and neither with .po. */
static const char *check_video_mad(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	const struct ptx_operand *o = instr->operands;
	(void)p;
	if (instr->form->mod[PTX_MOD_PO] && (o[1].negated || o[2].negated || o[3].negated))
		return "nothing is negated with .po";
	return o[1].negated != o[2].negated && o[3].negated ? "either the product or c is negated" : NULL;
}

/* PTX ISA, wgmma.mma_async: the signs of A and B, of all but integers; of .f16 and .bf16 whether A and B, or B alone
 * where A is in registers, are transposed. */
static const char *check_group_product(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	int scale = ptx_matrix_is_sparse(instr->form) ? 5 : 3;
	const struct ptx_operand *numbers = instr->n > scale + 1 ? &instr->operands[scale + 1] : NULL;
	uint8_t type = instr->form->type2;
	bool half = type == PTX_F16 || type == PTX_BF16, described = instr->operands[1].kind == PTX_REG;
	int signs = instr->form->type == PTX_S32 ? 0 : 2, transposed = !half ? 0 : described ? 2 : 1;
	(void)p;
	if ((numbers ? numbers->count : 0) != signs + transposed)
		return !signs        ? "products of integers take no signs"
			: transposed ? "it takes two signs, and whether A, unless in registers, and B are transposed"
				     : "it takes two signs";
	for (int i = 0; i < signs; i++)
		if (numbers->elements[i].value != 1 && numbers->elements[i].value != -1)
			return "a sign is 1 or -1";
	for (int i = signs; i < signs + transposed; i++)
		if (numbers->elements[i].value & ~1)
			return "transposed is 0 or 1";
	return NULL;
}

static const char *check_map_copy(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	const struct ptx_operand *bytes = &instr->operands[2];
	(void)p;
	return bytes->kind == PTX_IMM && bytes->value == 128 ? NULL : "a tensor map has 128 bytes";
}

/* PTX ISA, tensormap.replace: the ordinal, and what a mode becomes, are constants. */
static const char *check_map(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	bool ordinal = instr->n > 2, mode = !ordinal && instr_letter(instr->form, 1) == 'i';
	(void)p;
	return (ordinal || mode) && instr->operands[1].kind != PTX_IMM ? "its second operand is a constant" : NULL;
}

static const char *check_tensor(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	const struct ptx_form *form = instr->form;
	int offsets = form->op == PTX_OP_TENSOR_PREFETCH ? 1 : 3;
	bool named = instr->n > 4 && instr->operands[4].kind != PTX_NONE;
	(void)p;
	if (form->mod[PTX_MOD_TILE] == PTX_TILE_IM2COL && instr->n <= offsets)
		return "offsets go with .im2col";
	return form->mod[PTX_MOD_MULTICAST] && !named ? "a mask of blocks goes with .multicast::cluster" : NULL;
}

/* PTX ISA, mbarrier.arrive: of another block's mbarrier the state is not to be had. */
static const char *check_arrival(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	(void)p;
	return instr->form->mod[PTX_MOD_SPACE] == PTX_SPACE_SHARED_CLUSTER && instr->operands[0].kind != PTX_SINK
		? "with .shared::cluster it gives no state: its destination is _"
		: NULL;
}

static const char *check_bulk(const struct ptx_parser *p, const struct ptx_instr *instr)
{
	const struct ptx_operand *bytes = &instr->operands[2];
	(void)p;
	if (bytes->kind == PTX_IMM && bytes->value % 16)
		return "it copies a multiple of 16 bytes";
	bool named = instr->n > 4 && instr->operands[4].kind != PTX_NONE;
	return instr->form->mod[PTX_MOD_MULTICAST] && !named ? "a mask of blocks goes with .multicast::cluster" : NULL;
}

static rule_fn *const rules[PTX_OPS] = {
	[PTX_OP_MBARRIER_ARRIVE] = check_arrival,
	[PTX_OP_MBARRIER_ARRIVE_TX] = check_arrival,
	[PTX_OP_MBARRIER_DROP] = check_arrival,
	[PTX_OP_MBARRIER_DROP_TX] = check_arrival,
	[PTX_OP_BULK_LOAD] = check_bulk,
	[PTX_OP_BULK_LOAD_OWN] = check_bulk,
	[PTX_OP_MAP_ADDRESS] = check_map,
	[PTX_OP_MAP_RANK] = check_map,
	[PTX_OP_MAP_BOX] = check_map,
	[PTX_OP_MAP_SIZE] = check_map,
	[PTX_OP_MAP_STRIDE] = check_map,
	[PTX_OP_MAP_STEP] = check_map,
	[PTX_OP_MAP_TYPE] = check_map,
	[PTX_OP_MAP_INTERLEAVE] = check_map,
	[PTX_OP_MAP_SWIZZLE] = check_map,
	[PTX_OP_MAP_FILL] = check_map,
	[PTX_OP_MAP_COPY] = check_map_copy,
	[PTX_OP_TENSOR_LOAD] = check_tensor,
	[PTX_OP_TENSOR_LOAD_OWN] = check_tensor,
	[PTX_OP_TENSOR_PREFETCH] = check_tensor,
	[PTX_OP_BULK_STORE] = check_bulk,
	[PTX_OP_BULK_SHARED] = check_bulk,
	[PTX_OP_BULK_REDUCE] = check_bulk,
	[PTX_OP_BULK_REDUCE_SHARED] = check_bulk,
	[PTX_OP_ST_ASYNC] = check_vector,
	[PTX_OP_SETP] = check_compare,
	[PTX_OP_SET] = check_compare,
	[PTX_OP_SET_HALF] = check_compare,
	[PTX_OP_SET_TO_HALF] = check_compare,
	[PTX_OP_SETP_HALF] = check_compare_halves,
	[PTX_OP_CVT_PACK] = check_pack,
	[PTX_OP_VADD] = check_video,
	[PTX_OP_VSUB] = check_video,
	[PTX_OP_VABSDIFF] = check_video,
	[PTX_OP_VMIN] = check_video,
	[PTX_OP_VMAX] = check_video,
	[PTX_OP_VSHL] = check_video,
	[PTX_OP_VSHR] = check_video,
	[PTX_OP_VSET] = check_video,
	[PTX_OP_VMAD] = check_video_mad,
	[PTX_OP_MOV] = check_mov,
	[PTX_OP_MOV_VEC] = check_vector,
	[PTX_OP_CVTA] = check_cvta,
	[PTX_OP_CVTA_TO] = check_cvta,
	[PTX_OP_LD] = check_vector,
	[PTX_OP_LDU] = check_vector,
	[PTX_OP_ST] = check_store,
	[PTX_OP_SULD] = check_vector,
	[PTX_OP_SUST] = check_vector,
	[PTX_OP_ATOM] = check_atomic,
	[PTX_OP_ATOM_HINT] = check_hint,
	[PTX_OP_ALLOCA] = check_alloca,
	[PTX_OP_ATOM_PAIR] = check_atomic,
	[PTX_OP_ATOM_VEC] = check_vector,
	[PTX_OP_RED_VEC] = check_vector,
	[PTX_OP_CP_ASYNC_CA] = check_copy,
	[PTX_OP_CP_ASYNC_CG] = check_copy,
	[PTX_OP_CP_ASYNC_WAIT] = check_wait,
	[PTX_OP_WGMMA] = check_group_product,
	[PTX_OP_WGMMA_SPARSE] = check_group_product,
	[PTX_OP_WGMMA_WAIT] = check_wait,
	[PTX_OP_BULK_WAIT] = check_wait,
	[PTX_OP_BULK_WAIT_READ] = check_wait,
};

bool ptx_operands_fit(struct ptx_parser *p, const struct ptx_instr *instr)
{
	const struct ptx_form *form = instr->form;
	const char *wrong = rules[form->op] ? rules[form->op](p, instr) : NULL;
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
