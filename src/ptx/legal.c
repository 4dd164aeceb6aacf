/* Which types and modifiers of a row go together: what the PTX ISA forbids that ops.def does not say. */
#include "ptx/form.h"
#include "ptx/instr.h"

static char kind_of(uint8_t type)
{
	return ptx_type_kind((enum ptx_type)type);
}

static uint32_t bytes_of(uint8_t type)
{
	return ptx_type_bytes((enum ptx_type)type);
}

static bool is_of_halves(const struct ptx_op_row *row)
{
	uint32_t halves = 1u << PTX_F16 | 1u << PTX_BF16 | 1u << PTX_F16X2 | 1u << PTX_BF16X2;
	return row->types && !(row->types & ~halves);
}

/* A conversion that can lose something says how it rounds. */
static const char *cvt_lacks(const struct ptx_form *form)
{
	bool to_float = kind_of(form->type) == 'F', from_float = kind_of(form->type2) == 'F';
	bool narrows = bytes_of(form->type) < bytes_of(form->type2) || form->type == PTX_TF32;
	bool half_to_half = form->type != form->type2 && bytes_of(form->type) == 2 && bytes_of(form->type2) == 2;
	if (from_float && !to_float && !form->mod[PTX_MOD_RNDI])
		return "it needs a rounding to integers, as .rzi";
	if (to_float && (!from_float || narrows || half_to_half) && !form->mod[PTX_MOD_RND])
		return "it needs a rounding, as .rn";
	if (form->mod[PTX_MOD_RND] == PTX_RND_RNA && form->type != PTX_TF32)
		return "only .tf32 is rounded with .rna";
	if (form->type == PTX_TF32 && form->type2 != PTX_F32)
		return ".tf32 comes from .f32";
	bool narrow = form->type == PTX_F16 || form->type == PTX_BF16 || form->type == PTX_TF32;
	if ((form->mod[PTX_MOD_RELU] || form->mod[PTX_MOD_FINITE]) && (!narrow || form->type2 != PTX_F32))
		return ".relu and .satfinite are for .f32 to a narrower float";
	return NULL;
}

static const char *float_lacks(const struct ptx_form *form)
{
	bool approximate = form->mod[PTX_MOD_APPROX] || form->mod[PTX_MOD_FULL];
	switch (form->op) {
	case PTX_OP_FMA:
	case PTX_OP_MAD_FLOAT:
	case PTX_OP_FMA_HALF:
	case PTX_OP_CVT_PAIR:
	case PTX_OP_CVT_FROM_FP8: return form->mod[PTX_MOD_RND] ? NULL : "it needs a rounding, as .rn";
	case PTX_OP_CVT_TO_FP8:
	case PTX_OP_CVT_PAIR_TO_FP8:
		return form->mod[PTX_MOD_RND] && form->mod[PTX_MOD_FINITE] ? NULL : "it needs .rn and .satfinite";
	case PTX_OP_DIV_FLOAT:
	case PTX_OP_RCP:
	case PTX_OP_SQRT:
		return form->mod[PTX_MOD_RND] || approximate ? NULL : "it needs a rounding, as .rn, or .approx";
	default: return NULL;
	}
}

/* Modifiers of single precision that double precision does not have; .approx.ftz.f64 is a form of rcp and rsqrt. */
static const char *f64_takes_not(const struct ptx_form *form)
{
	bool rough = form->op == PTX_OP_RCP || form->op == PTX_OP_RSQRT;
	if (form->type != PTX_F64 || form->op == PTX_OP_CVT || rough)
		return NULL;
	if (form->mod[PTX_MOD_FTZ] || form->mod[PTX_MOD_SAT])
		return "with .f64 it takes neither .ftz nor .sat";
	return form->mod[PTX_MOD_APPROX] || form->mod[PTX_MOD_FULL] ? "with .f64 it takes neither .approx nor .full"
								    : NULL;
}

static const char *order_lacks(const struct ptx_form *form)
{
	if ((form->mod[PTX_MOD_XORSIGN] != 0) != (form->mod[PTX_MOD_ABS] != 0))
		return ".xorsign and .abs go together";
	bool only_f32 = form->mod[PTX_MOD_NANS] || form->mod[PTX_MOD_XORSIGN];
	if (form->type == PTX_F64 && only_f32)
		return "with .f64 it takes neither .NaN nor .xorsign.abs";
	char kind = kind_of(form->type);
	if (form->mod[PTX_MOD_RELU] && (kind == 'U' || (kind == 'S' && bytes_of(form->type) != 4)))
		return "of integers only .s32 and .s16x2 take .relu";
	return NULL;
}

/* What halves do not have: roundings but .rn; .bf16 besides .ftz, .sat and, in ex2, subnormals. */
static const char *half_lacks(const struct ptx_form *form)
{
	uint8_t rnd = form->mod[PTX_MOD_RND];
	bool is_bf16 = form->type == PTX_BF16 || form->type == PTX_BF16X2;
	if (rnd && rnd != PTX_RND_RN)
		return "halves are rounded with .rn";
	if (form->op == PTX_OP_EX2_HALF && is_bf16 && !form->mod[PTX_MOD_FTZ])
		return "with .bf16 it needs .ftz";
	if (form->op != PTX_OP_EX2_HALF && is_bf16 && (form->mod[PTX_MOD_FTZ] || form->mod[PTX_MOD_SAT]))
		return "with .bf16 it takes neither .ftz nor .sat";
	return form->mod[PTX_MOD_SAT] && form->mod[PTX_MOD_RELU] ? "it takes .sat or .relu" : NULL;
}

/* Classes of which a row that takes them needs one. */
static const struct {
	enum ptx_mod_class class;
	const char *lacks;
} needed[] = {
	{PTX_MOD_CMP, "it needs a comparison, as .lt"},
	{PTX_MOD_ATOM, "it needs an operation, as .add"},
	{PTX_MOD_SHFL, "it needs a mode, as .down"},
	{PTX_MOD_TESTP, "it needs a property, as .finite"},
	{PTX_MOD_WRAP, "it needs .clamp or .wrap"},
	{PTX_MOD_COUNT, "it needs .x1, .x2 or .x4"},
};

const char *ptx_form_lacks(const struct ptx_form *form)
{
	const struct ptx_op_row *row = &ptx_op_rows[form->op];
	if (row->types && !form->type)
		return "it needs a type";
	if (row->types2 && !form->type2)
		return "it needs a second type";
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		if (row->mods & 1ull << needed[i].class && !form->mod[needed[i].class])
			return needed[i].lacks;
	}
	if (ptx_matrix_lacks(form))
		return ptx_matrix_lacks(form);
	if (order_lacks(form))
		return order_lacks(form);
	if (is_of_halves(row) && form->op != PTX_OP_CVT_PAIR && half_lacks(form))
		return half_lacks(form);
	if (form->op == PTX_OP_LOP3_BOOL && !form->mod[PTX_MOD_BOOL])
		return "it needs .and or .or";
	const char *lacks = form->op == PTX_OP_CVT ? cvt_lacks(form) : float_lacks(form);
	return lacks ? lacks : form->op == PTX_OP_SLCT ? NULL : f64_takes_not(form);
}
