/* The tables of ptx/: instructions, types, modifiers, special registers. */
#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"

#define T(id) (1u << PTX_##id)
#define INTS (T(U16) | T(U32) | T(U64) | T(S16) | T(S32) | T(S64))
#define WORDS (T(U32) | T(S32) | T(U64) | T(S64))
#define WORD32 (T(U32) | T(S32))
#define NARROW (T(U16) | T(S16) | T(U32) | T(S32))
#define SIGNED (T(S16) | T(S32) | T(S64))
#define BITS (T(B16) | T(B32) | T(B64))
#define BITS32 T(B32)
#define BITS64 T(B64)
#define UINT32 T(U32)
#define TYPE_S32 T(S32)
#define BITS3264 (T(B32) | T(B64))
#define LOGIC (BITS | T(PRED))
#define SHIFTS (INTS | BITS)
#define F32 T(F32)
#define FLOATS (T(F32) | T(F64))
#define PAIRS_HALF (T(F16X2) | T(BF16X2))
#define HALVES (T(F16) | T(BF16) | PAIRS_HALF)
#define COMPARED (INTS | BITS | FLOATS)
#define PAIRS_INT (T(U16X2) | T(S16X2))
#define PACKED (T(U2) | T(S2) | T(U4) | T(S4) | T(U8) | T(S8) | T(U16) | T(S16))
#define PAIRS_FP8 (T(E4M3X2) | T(E5M2X2))
#define TYPE_F16X2 T(F16X2)
#define TO_HALF (T(F16) | T(BF16))
#define FROM_HALF (HALVES | T(U16) | T(S16) | T(U32) | T(S32))
#define RESULTS (T(U32) | T(S32) | T(F32))
#define SLCT_TYPES (T(S32) | T(F32))
#define CVT_FROM (INTS | T(U8) | T(S8) | T(F16) | T(BF16) | FLOATS)
#define CVT_TYPES (CVT_FROM | T(TF32))
#define MOVED (INTS | BITS | FLOATS | T(PRED))
#define STORED (INTS | BITS | FLOATS | T(U8) | T(S8) | T(B8))
#define ATOMIC_TYPES (WORDS | BITS | FLOATS | HALVES)
#define SUMMED (F32 | HALVES)
#define ASYNC_TYPES (WORDS | BITS3264 | FLOATS)
#define ASYNC_REDUCED (WORDS | BITS32)
#define BULK_REDUCED (WORDS | BITS3264 | FLOATS | TO_HALF)
#define ADDRESSES (T(U32) | T(U64))
#define BITS16 T(B16)
#define SUMS (T(F16) | T(F32) | T(F64) | T(S32))
#define FACTORS (T(F16) | T(BF16) | T(TF32) | T(F64) | T(S8) | T(U8))
#define NARROW_FACTORS (T(S4) | T(U4) | T(B1))
#define GROUP_FACTORS (T(F16) | T(BF16) | T(TF32) | T(E4M3) | T(E5M2) | T(S8) | T(U8) | T(B1))
#define MMA_FACTORS (FACTORS | T(E4M3) | T(E5M2) | T(S4) | T(U4) | T(B1))
#define PREDS T(PRED)
#define BYTE T(B8)
#define TEXELS (T(U32) | T(S32) | T(F32) | T(F16) | T(F16X2))
#define COORDINATES (T(S32) | T(F32))

#define C(class) (1ull << PTX_MOD_##class)
#define RND C(RND)
#define RNDI C(RNDI)
#define FTZ C(FTZ)
#define SAT C(SAT)
#define CMP C(CMP)
#define BOOL C(BOOL)
#define SPACE C(SPACE)
#define VEC C(VEC)
#define SEM C(SEM)
#define SCOPE C(SCOPE)
#define CACHE C(CACHE)
#define ATOM C(ATOM)
#define NOFTZ C(NOFTZ)
#define UNI C(UNI)
#define ALIGNED C(ALIGNED)
#define APPROX C(APPROX)
#define FULL C(FULL)
#define SHFL C(SHFL)
#define WRAP C(WRAP)
#define PRMT C(PRMT)
#define SHIFTAMT C(SHIFTAMT)
#define CC C(CC)
#define TESTP C(TESTP)
#define NANS C(NANS)
#define XORSIGN C(XORSIGN)
#define ABS C(ABS)
#define RELU C(RELU)
#define OOB C(OOB)
#define FINITE C(FINITE)
#define MMIO C(MMIO)
#define HINT C(HINT)
#define MULTICAST C(MULTICAST)
#define DIM C(DIM)
#define TILE C(TILE)
#define THIRD C(THIRD)
#define VTYPE C(VTYPE)
#define SECOND C(SECOND)
#define SCALE C(SCALE)
#define PO C(PO)
#define BYTES C(BYTES)
#define MATB C(MATB)
#define MATC C(MATC)
#define COUNT C(COUNT)
#define LAYOUT C(LAYOUT)
#define LAYOUTB C(LAYOUTB)
#define WSHAPE C(WSHAPE)
#define NSHAPE C(NSHAPE)
#define TRANS C(TRANS)
#define DEPTH C(DEPTH)
#define POPC C(POPC)
#define GEOM C(GEOM)
#define OUTSIDE C(OUTSIDE)
#define QUERY C(QUERY)
#define COMPONENT C(COMPONENT)

const struct ptx_op_row ptx_op_rows[PTX_OPS + 1] = {
#define OP(id, spelling, types, types2, operands, modifiers, kind, pick, meaning)                                      \
	[PTX_OP_##id] = {#id, spelling, operands, meaning, types, types2, modifiers, #pick, PTX_KIND_##kind},
#include "machine/ptx/ops.def"
#undef OP
	[PTX_OP_UNSUPPORTED] = {"", "", "", "", 0, 0, 0, "", PTX_KIND_UNKNOWN},
};

static const struct {
	const char *spelling;
	uint8_t bytes;
	char kind;
} types[PTX_TYPES] = {
#define TYPE(id, spelling, bytes, kind) [PTX_##id] = {spelling, bytes, #kind[0]},
#include "machine/ptx/types.def"
#undef TYPE
};

static const struct {
	const char *spelling;
	enum ptx_mod_class class;
} mods[PTX_MODS] = {
#define MOD(class, id, spelling) [PTX_##class##_##id] = {spelling, PTX_MOD_##class},
#include "machine/ptx/mods.def"
#undef MOD
};

static const struct {
	const char *spelling;
	enum ptx_type type;
} specials[PTX_SPECIALS] = {
#define SPECIAL(id, spelling, type, meaning) [PTX_SPECIAL_##id] = {spelling, PTX_##type},
#include "machine/ptx/specials.def"
#undef SPECIAL
};

uint32_t ptx_type_bytes(enum ptx_type type)
{
	return types[type].bytes;
}

const char *ptx_type_name(enum ptx_type type)
{
	return types[type].spelling;
}

char ptx_type_kind(enum ptx_type type)
{
	return types[type].kind;
}

uint32_t ptx_slot_bytes(enum ptx_type type)
{
	return types[type].bytes == 1 ? 2 : types[type].bytes;
}

const char *ptx_special_name(enum ptx_special special)
{
	return specials[special].spelling;
}

enum ptx_type ptx_special_type(enum ptx_special special)
{
	return specials[special].type;
}

const char *ptx_mod_name(enum ptx_mod mod)
{
	return mods[mod].spelling;
}

enum ptx_mod_class ptx_mod_class_of(enum ptx_mod mod)
{
	return mods[mod].class;
}

enum mem_space ptx_form_space(const struct ptx_form *form)
{
	switch (form->mod[PTX_MOD_SPACE]) {
	case PTX_SPACE_GLOBAL: return SPACE_GLOBAL;
	case PTX_SPACE_SHARED:
	case PTX_SPACE_SHARED_CLUSTER: /* the cluster is the block */
	case PTX_SPACE_SHARED_CTA: return SPACE_SHARED;
	case PTX_SPACE_LOCAL: return SPACE_LOCAL;
	case PTX_SPACE_CONST: return SPACE_CONST;
	case PTX_SPACE_PARAM:
	case PTX_SPACE_PARAM_ENTRY: return SPACE_PARAM;
	default: return SPACE_GENERIC;
	}
}
