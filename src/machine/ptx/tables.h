/* machine/ptx/tables.h: the rows of types.def, mods.def, builtins.def, and specials.def as numbers, and an opcode with its suffixes,
 * which is made of them. The rows of ops.def have their numbers in machine/ptx/ops.h. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "machine/warp/warp.h"

enum ptx_type {
	PTX_NO_TYPE,
#define TYPE(id, spelling, bytes, kind) PTX_##id,
#include "machine/ptx/types.def"
#undef TYPE
	PTX_TYPES
};

/* Classes of opcode suffixes, as named in mods.def. */
enum ptx_mod_class {
	PTX_MOD_RND,
	PTX_MOD_RNDI,
	PTX_MOD_FTZ,
	PTX_MOD_SAT,
	PTX_MOD_CMP,
	PTX_MOD_BOOL,
	PTX_MOD_SPACE,
	PTX_MOD_VEC,
	PTX_MOD_SEM,
	PTX_MOD_SCOPE,
	PTX_MOD_CACHE,
	PTX_MOD_ATOM,
	PTX_MOD_NOFTZ,
	PTX_MOD_UNI,
	PTX_MOD_ALIGNED,
	PTX_MOD_APPROX,
	PTX_MOD_FULL,
	PTX_MOD_SHFL,
	PTX_MOD_WRAP,
	PTX_MOD_PRMT,
	PTX_MOD_SHIFTAMT,
	PTX_MOD_CC,
	PTX_MOD_TESTP,
	PTX_MOD_NANS,
	PTX_MOD_XORSIGN,
	PTX_MOD_ABS,
	PTX_MOD_RELU,
	PTX_MOD_OOB,
	PTX_MOD_FINITE,
	PTX_MOD_MMIO,
	PTX_MOD_HINT,
	PTX_MOD_MULTICAST,
	PTX_MOD_DIM,
	PTX_MOD_TILE,
	PTX_MOD_THIRD,
	PTX_MOD_VTYPE,
	PTX_MOD_SECOND,
	PTX_MOD_SCALE,
	PTX_MOD_PO,
	PTX_MOD_BYTES,
	PTX_MOD_MATB,
	PTX_MOD_MATC,
	PTX_MOD_LAYOUT,
	PTX_MOD_LAYOUTB,
	PTX_MOD_WSHAPE,
	PTX_MOD_NSHAPE,
	PTX_MOD_COUNT,
	PTX_MOD_TRANS,
	PTX_MOD_DEPTH,
	PTX_MOD_POPC,
	PTX_MOD_GEOM,
	PTX_MOD_OUTSIDE,
	PTX_MOD_QUERY,
	PTX_MOD_COMPONENT,
	PTX_MOD_CLASSES
};

enum ptx_mod {
	PTX_NO_MOD,
#define MOD(class, id, spelling) PTX_##class##_##id,
#include "machine/ptx/mods.def"
#undef MOD
	PTX_MODS
};

enum ptx_builtin {
	PTX_NO_BUILTIN,
#define BUILTIN(id, name, results, params, meaning) PTX_BUILTIN_##id,
#include "machine/ptx/builtins.def"
#undef BUILTIN
	PTX_BUILTINS
};

enum ptx_special {
#define SPECIAL(id, spelling, type, meaning) PTX_SPECIAL_##id,
#include "machine/ptx/specials.def"
#undef SPECIAL
	PTX_SPECIALS
};

/* An opcode with its suffixes, shared by the instructions that have the same. */
struct ptx_form {
	const char *spelling;         /* as written: "ld.volatile.shared.f32" */
	uint16_t op;                  /* the row: enum ptx_op, machine/ptx/ops.h */
	uint8_t type, type2;          /* enum ptx_type */
	uint16_t columns;             /* of a wgmma */
	uint8_t mod[PTX_MOD_CLASSES]; /* enum ptx_mod of each class, PTX_NO_MOD: not given */
	const char *why;              /* PTX_OP_UNSUPPORTED: what is not accepted, or NULL when the name is unknown */
};

uint32_t ptx_type_bytes(enum ptx_type type);
const char *ptx_type_name(enum ptx_type type); /* "u32" */
char ptx_type_kind(enum ptx_type type);        /* 'U' 'S' 'B' 'F' 'P', 0: no type */
const char *ptx_special_name(enum ptx_special special);
enum ptx_type ptx_special_type(enum ptx_special special);
const char *ptx_mod_name(enum ptx_mod mod); /* "rn" */
enum ptx_mod_class ptx_mod_class_of(enum ptx_mod mod);

/* The space a memory instruction names; SPACE_GENERIC when it names none. */
enum mem_space ptx_form_space(const struct ptx_form *form);

/* Bytes a register of the type takes in the machine: 2, 4 or 8; 0 for predicates. */
uint32_t ptx_slot_bytes(enum ptx_type type);
