/* Which types and modifiers of a row go together: what the PTX ISA forbids that ops.def does not say, for the checker
 * and for what `validate` generates. For rows whose operands are values, ptxas accepts the same forms:
 * tests/unit/test_validate. */
#include "machine/ptx/instr.h"
#include "machine/ptx/matrix.h"
#include "machine/ptx/ops.h"
#include "machine/ptx/parse.h"

/* --- clusters, mbarriers and bulk copies ---------------------------------------------------------------------- */

/* PTX ISA, as ptxas has them. */

/* Rows of which .sem is one of two, the second 0 for none. */
static bool orders_otherwise(const struct ptx_form *form, enum ptx_mod one, enum ptx_mod other)
{
	uint8_t sem = form->mod[PTX_MOD_SEM];
	return sem && sem != one && sem != other;
}

static bool synchronizes_otherwise(const struct ptx_form *form)
{
	switch (instr_kind(form)) {
	case PTX_KIND_CLUSTER_ARRIVE: return orders_otherwise(form, PTX_SEM_RELEASE, PTX_SEM_RELAXED);
	case PTX_KIND_CLUSTER_WAIT: return orders_otherwise(form, PTX_SEM_ACQUIRE, PTX_NO_MOD);
	case PTX_KIND_MBARRIER_WAIT: return orders_otherwise(form, PTX_SEM_ACQUIRE, PTX_SEM_RELAXED);
	case PTX_KIND_MBARRIER_ARRIVE:
		if (form->op == PTX_OP_MBARRIER_EXPECT_TX || form->op == PTX_OP_MBARRIER_COMPLETE_TX)
			return orders_otherwise(form, PTX_SEM_RELAXED, PTX_NO_MOD);
		return orders_otherwise(form, PTX_SEM_RELEASE, PTX_SEM_RELAXED);
	default: break;
	}
	if (form->op == PTX_OP_ST_ASYNC)
		return orders_otherwise(form, PTX_SEM_WEAK, PTX_NO_MOD);
	return form->op == PTX_OP_RED_ASYNC && form->mod[PTX_MOD_SEM] != PTX_SEM_RELAXED;
}

static bool is_of_mbarrier(const struct ptx_form *form)
{
	return instr_kind(form) == PTX_KIND_MBARRIER_ARRIVE || instr_kind(form) == PTX_KIND_MBARRIER_WAIT ||
		form->op == PTX_OP_RED_ASYNC;
}

static bool reaches_too_far(const struct ptx_form *form)
{
	uint8_t scope = form->mod[PTX_MOD_SCOPE];
	if (form->op == PTX_OP_RED_ASYNC)
		return scope != PTX_SCOPE_CLUSTER;
	return is_of_mbarrier(form) && scope && scope != PTX_SCOPE_CTA && scope != PTX_SCOPE_CLUSTER;
}

/* As of atomic operations, but for 64 bits in shared memory, which are added alone, and .noftz with .add alone. */
static bool reduces_otherwise(const struct ptx_form *form)
{
	uint8_t op = form->mod[PTX_MOD_ATOM];
	char kind = ptx_type_kind((enum ptx_type)form->type);
	bool in_global = form->op == PTX_OP_BULK_REDUCE;
	if (form->op == PTX_OP_TENSOR_REDUCE)
		return op < PTX_ATOM_ADD || op > PTX_ATOM_XOR;
	if (!in_global && form->op != PTX_OP_BULK_REDUCE_SHARED && form->op != PTX_OP_RED_ASYNC)
		return false;
	switch (op) {
	case PTX_ATOM_AND:
	case PTX_ATOM_OR:
	case PTX_ATOM_XOR: return kind != 'B';
	case PTX_ATOM_INC:
	case PTX_ATOM_DEC: return form->type != PTX_U32;
	case PTX_ATOM_ADD: return kind == 'B' || (form->type == PTX_S64 && form->op != PTX_OP_RED_ASYNC);
	case PTX_ATOM_MIN:
	case PTX_ATOM_MAX:
		return kind == 'B' || form->type == PTX_F32 || form->type == PTX_F64 ||
			(!in_global && ptx_type_bytes((enum ptx_type)form->type) == 8);
	default: return true;
	}
}

/* PTX ISA, "im2col mode": of tensors of 3 dimensions and more; loads take offsets, stores do not. */
static bool is_other_mode(const struct ptx_form *form)
{
	bool loads = instr_kind(form) == PTX_KIND_BULK_LOAD || form->op == PTX_OP_TENSOR_PREFETCH;
	uint8_t mode = form->mod[PTX_MOD_TILE];
	if (!mode || mode == PTX_TILE_TILE)
		return false;
	return form->mod[PTX_MOD_DIM] < PTX_DIM_D3 || loads != (mode == PTX_TILE_IM2COL);
}

/* --- all others ------------------------------------------------------------------------------------------ */

static char kind_of(uint8_t type)
{
	return ptx_type_kind((enum ptx_type)type);
}

static uint32_t bytes_of(uint8_t type)
{
	return ptx_type_bytes((enum ptx_type)type);
}

static bool is_float(uint8_t type)
{
	return kind_of(type) == 'F';
}

static bool is_bf16(uint8_t type)
{
	return type == PTX_BF16 || type == PTX_BF16X2;
}

/* binary16, bfloat16, bytes, and pairs of them. */
static bool is_half(uint8_t type)
{
	return is_float(type) && type != PTX_F32 && type != PTX_F64 && type != PTX_TF32;
}

static bool is_cvt(const struct ptx_form *form)
{
	return form->op == PTX_OP_CVT;
}

static bool is_video_set(const struct ptx_form *form)
{
	return form->op == PTX_OP_VSET || form->op == PTX_OP_VSET2 || form->op == PTX_OP_VSET4;
}

static bool is_set(const struct ptx_form *form)
{
	return instr_takes(form, PTX_MOD_CMP) && form->type2 && !is_video_set(form);
}

/* --- what is missing ---------------------------------------------------------------------------------------------- */

/* Classes of which a row that takes them needs one. */
static const struct {
	enum ptx_mod_class class;
	const char *lacks;
} needed[] = {
	{PTX_MOD_CMP, "it needs a comparison, such as .lt"},
	{PTX_MOD_ATOM, "it needs an operation, such as .add"},
	{PTX_MOD_SHFL, "it needs a mode, such as .down"},
	{PTX_MOD_TESTP, "it needs a property, such as .finite"},
	{PTX_MOD_WRAP, "it needs .clamp or .wrap"},
	{PTX_MOD_DIM, "it needs a number of dimensions, .1d to .5d"},
	{PTX_MOD_COUNT, "it needs .x1, .x2 or .x4"},
	{PTX_MOD_GEOM, "it needs a geometry, such as .2d"},
	{PTX_MOD_OUTSIDE, "it needs .trap, .clamp or .zero"},
	{PTX_MOD_QUERY, "it needs a question, such as .width"},
	{PTX_MOD_COMPONENT, "it needs a channel, such as .r"},
};

static const char *suffix_lacks(const struct ptx_form *form)
{
	const struct ptx_op_row *row = &ptx_op_rows[form->op];
	if (row->types && !form->type)
		return "it needs a type";
	if (row->types2 && !form->type2)
		return "it needs a second type";
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		if (instr_takes(form, needed[i].class) && !form->mod[needed[i].class])
			return needed[i].lacks;
	}
	if (instr_takes(form, PTX_MOD_VTYPE) && !form->mod[PTX_MOD_VTYPE])
		return "it needs a third type";
	if (form->op == PTX_OP_MOV_VEC && !form->mod[PTX_MOD_VEC])
		return "it needs .v2 or .v4";
	return form->op == PTX_OP_LOP3_BOOL && !form->mod[PTX_MOD_BOOL] ? "it needs .and or .or" : NULL;
}

/* Between binary16 and bfloat16, which is .rn where no rounding is said. */
static bool cvt_half_to_half(const struct ptx_form *form)
{
	return is_half(form->type) && is_half(form->type2) && form->type != form->type2 && bytes_of(form->type) == 2 &&
		bytes_of(form->type2) == 2;
}

/* Halves to halves of the other kind, to narrower floats, and integers to floats may lose something. */
static bool cvt_needs_rounding(const struct ptx_form *form)
{
	bool narrows = bytes_of(form->type) < bytes_of(form->type2) || form->type == PTX_TF32;
	return is_float(form->type) && (!is_float(form->type2) || narrows || cvt_half_to_half(form));
}

/* --- what is too much --------------------------------------------------------------------------------------------- */

/* Floats may be rounded to whole numbers of their own type; wider ones from .bf16 may say a rounding that does
 * nothing. */
static bool cvt_rounds_too_much(const struct ptx_form *form)
{
	bool may_round = cvt_needs_rounding(form) ||
		(form->type2 == PTX_BF16 && (form->type == PTX_F32 || form->type == PTX_F64));
	bool may_rint = is_float(form->type) ? form->type == form->type2 : is_float(form->type2);
	return is_cvt(form) && ((form->mod[PTX_MOD_RND] && !may_round) || (form->mod[PTX_MOD_RNDI] && !may_rint));
}

/* .ftz says what becomes of subnormals of single precision, and of binary16 where it is calculated with. */
static bool flushes_nothing(const struct ptx_form *form)
{
	if (!form->mod[PTX_MOD_FTZ])
		return false;
	switch (form->op) {
	case PTX_OP_CVT: return form->type != PTX_F32 && form->type2 != PTX_F32;
	case PTX_OP_SLCT: return form->type2 != PTX_F32;
	case PTX_OP_RCP:
	case PTX_OP_RSQRT: return false;
	case PTX_OP_EX2_HALF: return !is_bf16(form->type);
	default: break;
	}
	if (is_set(form) && (is_bf16(form->type) || is_bf16(form->type2)))
		return true;
	uint8_t type = is_set(form) ? form->type2 : form->type;
	return type == PTX_F64 || !is_float(type) || is_bf16(type);
}

static bool f64_is_not_exact(const struct ptx_form *form)
{
	bool approximate = form->mod[PTX_MOD_APPROX] || form->mod[PTX_MOD_FULL];
	if (form->op == PTX_OP_RCP)
		return form->type == PTX_F64 && form->mod[PTX_MOD_APPROX] && !form->mod[PTX_MOD_FTZ];
	return form->type == PTX_F64 && form->op != PTX_OP_SLCT && form->op != PTX_OP_RSQRT && approximate;
}

static bool compares_otherwise(const struct ptx_form *form)
{
	char kind = kind_of(is_set(form) ? form->type2 : form->type);
	uint8_t how = form->mod[PTX_MOD_CMP];
	if (how >= PTX_CMP_EQU)
		return kind != 'F';
	if (how >= PTX_CMP_LO)
		return kind != 'U';
	return how > PTX_CMP_NE && kind == 'B';
}

/* Halves to those of the same kind, and .f16 to .bf16; of pairs, something for both. */
static bool sets_otherwise(const struct ptx_form *form)
{
	bool to_bf16 = form->type == PTX_BF16 && form->type2 == PTX_F16;
	bool mixed = is_half(form->type) && form->type != form->type2 && !to_bf16;
	bool one_of_pair = bytes_of(form->type2) == 4 && bytes_of(form->type) != 4;
	return is_set(form) && is_half(form->type2) && (mixed || one_of_pair);
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

/* PTX ISA, cvt: pairs, .relu and .satfinite have .rn and .rz alone, without .ftz and .sat; .rna of .tf32 has
 * .satfinite, and the others .relu; .bf16 has no .sat. */
static bool cvt_clamps_otherwise(const struct ptx_form *form)
{
	uint8_t rnd = form->mod[PTX_MOD_RND];
	bool relu = form->mod[PTX_MOD_RELU], finite = form->mod[PTX_MOD_FINITE], pair = form->op == PTX_OP_CVT_PAIR;
	bool near_or_to_zero = rnd == PTX_RND_RN || rnd == PTX_RND_RZ;
	if (is_cvt(form) && form->type == PTX_TF32)
		return form->mod[PTX_MOD_FTZ] || form->mod[PTX_MOD_SAT] ||
			(rnd == PTX_RND_RNA ? relu : finite || !near_or_to_zero);
	if (!is_cvt(form) && !pair)
		return false;
	return ((relu || finite || pair) && !near_or_to_zero) ||
		((relu || finite) && (form->mod[PTX_MOD_FTZ] || form->mod[PTX_MOD_SAT])) ||
		(form->mod[PTX_MOD_SAT] && (is_bf16(form->type) || is_bf16(form->type2)));
}

/* Nothing to clamp: the destination holds whatever the source can be. */
static bool cvt_clamps_nothing(const struct ptx_form *form)
{
	if (!is_cvt(form) || !form->mod[PTX_MOD_SAT] || is_float(form->type) || is_float(form->type2))
		return false;
	bool to_signed = kind_of(form->type) == 'S', from_signed = kind_of(form->type2) == 'S';
	uint32_t to = bytes_of(form->type), from = bytes_of(form->type2);
	return to_signed == from_signed ? to >= from : to_signed && to > from;
}

/* --- atomics: PTX ISA, atom and red ------------------------------------------------------------------------------- */

static bool atomic_of_other_type(const struct ptx_form *form)
{
	bool is_reduction = instr_kind(form) == PTX_KIND_REDUCTION;
	char kind = kind_of(form->type);
	if (!instr_is_atomic(form))
		return false;
	if (form->type == PTX_B16) /* one operation alone works on 16 bits */
		return form->mod[PTX_MOD_ATOM] != PTX_ATOM_CAS || is_reduction;
	switch (form->mod[PTX_MOD_ATOM]) {
	case PTX_ATOM_AND:
	case PTX_ATOM_OR:
	case PTX_ATOM_XOR: return kind != 'B';
	case PTX_ATOM_EXCH:
	case PTX_ATOM_CAS: return kind != 'B' || is_reduction;
	case PTX_ATOM_INC:
	case PTX_ATOM_DEC: return form->type != PTX_U32;
	case PTX_ATOM_ADD: return kind == 'B' || form->type == PTX_S64;
	default: return kind == 'B' || (kind == 'F' && !(is_half(form->type) && form->mod[PTX_MOD_VEC]));
	}
}

/* --- all rules ---------------------------------------------------------------------------------------------------- */

/* The first rule that a form breaks, of those for rows whose operands are values, then of atomics, then of clusters,
 * mbarriers and bulk copies; NULL: none. */
static const char *broken_rule(const struct ptx_form *form)
{
	const uint8_t *mod = form->mod;
	uint8_t rnd = mod[PTX_MOD_RND], space_mod = mod[PTX_MOD_SPACE], atom = mod[PTX_MOD_ATOM];
	bool sat = mod[PTX_MOD_SAT], ftz = mod[PTX_MOD_FTZ], relu = mod[PTX_MOD_RELU];
	bool cvt = is_cvt(form), atomic = instr_is_atomic(form);
	char kind = kind_of(form->type);

	if ((mod[PTX_MOD_XORSIGN] != 0) != (mod[PTX_MOD_ABS] != 0))
		return ".xorsign and .abs go together";
	if (form->type == PTX_F64 && (mod[PTX_MOD_NANS] || mod[PTX_MOD_XORSIGN]))
		return "with .f64 it takes neither .NaN nor .xorsign.abs";
	if (relu && (kind == 'U' || (kind == 'S' && bytes_of(form->type) != 4)))
		return "of integers only .s32 and .s16x2 take .relu";
	if (is_half(form->type) && !cvt && form->op != PTX_OP_CVT_PAIR && rnd && rnd != PTX_RND_RN)
		return "halves are rounded with .rn";
	if (form->op == PTX_OP_EX2_HALF && is_bf16(form->type) && !ftz)
		return "with .bf16 it needs .ftz";
	if (is_bf16(form->type) && !cvt && (sat || (ftz && form->op != PTX_OP_EX2_HALF)))
		return "with .bf16 it takes neither .ftz nor .sat";
	if (!cvt && is_half(form->type) && sat && relu)
		return "it takes .sat or .relu";
	if (mod[PTX_MOD_OOB] && ftz)
		return "it takes .oob or .ftz";
	if (rnd == PTX_RND_RNA && form->type != PTX_TF32)
		return "only .tf32 is rounded with .rna";

	bool to_narrow = form->type == PTX_F16 || form->type == PTX_BF16 || form->type == PTX_TF32;
	if (cvt && form->type == PTX_TF32 && form->type2 != PTX_F32)
		return ".tf32 comes from .f32";
	if (cvt && (relu || mod[PTX_MOD_FINITE]) && (!to_narrow || form->type2 != PTX_F32))
		return ".relu and .satfinite are for .f32 to a narrower float";
	if (cvt_clamps_otherwise(form))
		return ".relu, .satfinite, .sat and this rounding do not go together";
	if (cvt && (is_bf16(form->type) || is_bf16(form->type2)) &&
		(bytes_of(form->type) == 1 || bytes_of(form->type2) == 1))
		return "there is no conversion between bytes and .bf16";
	if (cvt_clamps_nothing(form))
		return ".sat has nothing to clamp here";
	if (cvt_rounds_too_much(form))
		return "this conversion has no such rounding";

	/* .approx.ftz.f64 is a form of rcp and rsqrt; slct flushes what it compares. */
	bool flushes = ftz && form->op != PTX_OP_RCP && form->op != PTX_OP_RSQRT && form->op != PTX_OP_SLCT;
	if (form->type == PTX_F64 && !cvt && (flushes || sat))
		return "with .f64 it takes neither .ftz nor .sat";
	if (f64_is_not_exact(form))
		return "with .f64 it takes neither .approx nor .full";
	if ((rnd != 0) + (mod[PTX_MOD_RNDI] != 0) + (mod[PTX_MOD_APPROX] != 0) + (mod[PTX_MOD_FULL] != 0) > 1)
		return "it takes one rounding";
	if (sat && !cvt && !is_float(form->type) && form->type != PTX_S32 && !instr_takes(form, PTX_MOD_VTYPE))
		return "of integers only .s32 takes .sat";
	if (flushes_nothing(form))
		return "this type takes no .ftz";
	if (compares_otherwise(form))
		return "its type has no such comparison";
	if (sets_otherwise(form))
		return "these types do not go together";
	if (form->op == PTX_OP_LOP3_BOOL && mod[PTX_MOD_BOOL] == PTX_BOOL_XOR)
		return "it takes .and or .or";
	/* Bytes and less go above what c holds, halves fill the result. */
	if (form->op == PTX_OP_CVT_PACK && (bytes_of(form->type) <= 1) != (mod[PTX_MOD_THIRD] != 0))
		return "what is narrower than a half goes into a third .b32 operand, halves do not";

	/* Video instructions: PTX ISA, as ptxas has them. */
	if ((form->op == PTX_OP_VSHL || form->op == PTX_OP_VSHR) && mod[PTX_MOD_VTYPE] == PTX_VTYPE_S32)
		return "it shifts by a .u32";
	if (is_video_set(form) && mod[PTX_MOD_CMP] > PTX_CMP_GE)
		return "it takes .eq, .ne, .lt, .le, .gt or .ge";
	if (instr_takes(form, PTX_MOD_BYTES) && sat && mod[PTX_MOD_BYTES])
		return "it takes .sat or .add";

	/* Atomics: PTX ISA, atom and red. */
	enum mem_space space = ptx_form_space(form);
	if (atomic && space != SPACE_GENERIC && space != SPACE_GLOBAL && space != SPACE_SHARED)
		return "memory is atomic in .global and .shared only";
	if (atomic_of_other_type(form))
		return "its type has no such operation";
	if (atomic && (mod[PTX_MOD_NOFTZ] != 0) != is_half(form->type))
		return ".noftz goes with halves, always";
	/* Vectors of halves have up to 16 bytes, atomics alone eight elements. */
	if (mod[PTX_MOD_VEC] == PTX_VEC_V8 && !(atomic && bytes_of(form->type) == 2))
		return "it takes .v2 or .v4";
	if (form->op == PTX_OP_ATOM_PAIR &&
		(mod[PTX_MOD_VEC] != PTX_VEC_V2 || (atom != PTX_ATOM_EXCH && atom != PTX_ATOM_CAS)))
		return "of 128 bits there are .exch and .cas";
	if ((form->op == PTX_OP_ATOM_VEC || form->op == PTX_OP_RED_VEC) && (!mod[PTX_MOD_VEC] || space == SPACE_SHARED))
		return "vectors are in .global memory";
	if (atomic && mod[PTX_MOD_HINT] && space == SPACE_SHARED)
		return ".L2::cache_hint is for .global memory";

	enum ptx_kind what = instr_kind(form);
	if (synchronizes_otherwise(form))
		return "it has no such order of memory";
	if (is_of_mbarrier(form) && mod[PTX_MOD_SEM] && !mod[PTX_MOD_SCOPE])
		return "an order of memory needs a scope";
	if (reaches_too_far(form))
		return "its scope is .cta or .cluster";
	if (space_mod == PTX_SPACE_SHARED_CLUSTER &&
		(what == PTX_KIND_MBARRIER_INIT || what == PTX_KIND_MBARRIER_END || what == PTX_KIND_MBARRIER_WAIT ||
			form->op == PTX_OP_MBARRIER_ARRIVE_NOCOMPLETE || form->op == PTX_OP_MBARRIER_DROP_NOCOMPLETE))
		return "it is for mbarriers of the own block";
	if (form->op == PTX_OP_FENCE_PROXY_ASYNC && space_mod == PTX_SPACE_SHARED)
		return "it takes .global, .shared::cta or .shared::cluster";
	if ((form->op == PTX_OP_MAPA || form->op == PTX_OP_GETCTARANK) && space_mod &&
		space_mod != PTX_SPACE_SHARED_CLUSTER)
		return "it takes .shared::cluster, or generic addresses";
	if (reduces_otherwise(form))
		return "its type has no such operation";
	if (is_other_mode(form))
		return ".im2col is of loads, .im2col_no_offs of stores, and both of 3 dimensions and more";
	bool sums_halves = (form->type == PTX_F16 || form->type == PTX_BF16) && atom == PTX_ATOM_ADD;
	if (form->op == PTX_OP_BULK_REDUCE && (mod[PTX_MOD_NOFTZ] != 0) != sums_halves)
		return ".noftz goes with sums of halves, always";
	return NULL;
}

const char *ptx_form_lacks(const struct ptx_form *form)
{
	const char *lacks = suffix_lacks(form);
	if (!lacks)
		lacks = ptx_matrix_lacks(form);
	if (!lacks)
		lacks = ptx_texture_lacks(form);
	if (!lacks) {
		bool approximate = form->mod[PTX_MOD_APPROX] || form->mod[PTX_MOD_FULL],
		     rounded = form->mod[PTX_MOD_RND];
		switch (form->op) {
		case PTX_OP_CVT:
			if (is_float(form->type2) && !is_float(form->type) && !form->mod[PTX_MOD_RNDI])
				lacks = "it needs a rounding to integers, such as .rzi";
			else if (!rounded && cvt_needs_rounding(form) && !cvt_half_to_half(form))
				lacks = "it needs a rounding, such as .rn";
			break;
		case PTX_OP_FMA:
		case PTX_OP_MAD_FLOAT:
		case PTX_OP_FMA_HALF:
		case PTX_OP_CVT_PAIR:
		case PTX_OP_CVT_FROM_FP8: lacks = rounded ? NULL : "it needs a rounding, such as .rn"; break;
		case PTX_OP_CVT_TO_FP8:
		case PTX_OP_CVT_PAIR_TO_FP8:
			lacks = rounded && form->mod[PTX_MOD_FINITE] ? NULL : "it needs .rn and .satfinite";
			break;
		case PTX_OP_DIV_FLOAT:
		case PTX_OP_RCP:
		case PTX_OP_SQRT:
			lacks = rounded || approximate ? NULL : "it needs a rounding, such as .rn, or .approx";
			break;
		default: break;
		}
	}
	return lacks ? lacks : broken_rule(form);
}
