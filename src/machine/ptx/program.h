/* machine/ptx/program.h: the inside of a parsed module, for ptx/ and simt/ and for what draws instructions.
 *
 * Everything lives in the arena given to ptx_parse and does not change after it, but for ptx_kernel.parts, which
 * ptx_find_kernel makes. Registers are numbered per kernel from 0, instructions in text order. A kernel is an entry or
 * a .func; only entries can be launched. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "machine/ptx/ptx.h"
#include "machine/warp/texture.h"
#include "machine/warp/warp.h"

/* --- types, suffixes, and what else stands in tables -------------------------------------------------------------- */

/* The rows of types.def, mods.def, builtins.def, and specials.def as numbers; those of ops.def are in
 * machine/ptx/ops.h. */
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

/* --- a module ----------------------------------------------------------------------------------------------------- */

/* One address in an initializer: the variable's address plus `addend` goes to byte `offset`; of a part, its byte at bit
 * `shift`. */
struct ptx_reloc {
	uint32_t offset;
	uint8_t bytes; /* 4 or 8; of a part 1 */
	bool is_part;
	uint8_t shift;
	bool generic;
	const struct ptx_var *target;
	const struct ptx_kernel *function; /* instead of a target: the function's address, without addend */
	int64_t addend;
	struct ptx_reloc *next;
};

struct ptx_var {
	const char *name;
	enum mem_space space;
	enum ptx_type type;
	bool is_extern, dynamic; /* dynamic: .extern .shared, as large as the launch says */
	uint32_t align;
	uint32_t element;    /* bytes of one element of an array */
	uint64_t size;       /* bytes */
	const uint8_t *init; /* `init_size` bytes, or NULL; the rest is zero */
	uint64_t init_size;
	struct ptx_reloc *relocs;
	int index;     /* global and const: position in module->vars */
	bool in_frame; /* .param of a function or a call: lies in the local frame, as ptx_kernel says */
	/* enum ptx_opaque: it has no bytes, and its address is the machine's handle of it; one that is a parameter
	 * holds a handle. */
	uint8_t opaque;
	struct warp_sampler *sampler; /* of a sampler: its initial value, or what it is without one */
	int mark, mark_index;         /* the kernel that last used it, and its index there (for the parser) */
	uint64_t place;               /* of a shared one, in the window that is laid out (for the linker) */
};

/* A variable as a kernel uses it. */
struct ptx_use {
	struct ptx_var *var;
	uint64_t offset; /* in the kernel's local frame, or an entry's parameters */
};

enum ptx_operand_kind {
	PTX_NONE,
	PTX_REG,         /* index: register */
	PTX_IMM,         /* value: the bits, as wide as the operand; predicates 0 or 1 */
	PTX_SPECIAL_REG, /* index: enum ptx_special */
	PTX_VAR,         /* address of uses[index] plus value */
	PTX_MEM_REG,     /* [register index + value] */
	PTX_MEM_VAR,     /* [uses[index] + value] */
	PTX_MEM_IMM,     /* [value] */
	PTX_LABEL,       /* index: instruction (instruction count: end of the kernel) */
	PTX_VECTOR,      /* elements, count of them */
	PTX_SINK,        /* _ */
	PTX_FUNC,        /* index: module->functions */
	PTX_LIST,        /* of a call, in parentheses: elements, index of them: REG, IMM, VAR (.param), SINK */
	PTX_PROTOTYPE,   /* index: module->prototypes */
	PTX_TEXTURE,     /* elements, count of them: texture or surface (REG, VAR), sampler (or NONE), coordinates */
};

/* NAME[REGISTER] is a register of the parser's own, which the instructions before compute; its elements, of which none
 * counts, say what was written: the variable, the register, and an immediate, the bytes of an element. */
enum { PTX_ELEMENT_OF, PTX_ELEMENT_INDEX, PTX_ELEMENT_BYTES, PTX_PARTS_OF_ELEMENT };

struct ptx_operand {
	uint8_t kind, count;
	bool negated; /* !p */
	int32_t index;
	int32_t second; /* register of the predicate in d|p and p|q, -1: none */
	int64_t value;
	struct ptx_operand *elements;
};

/* No instruction has more. */
#define PTX_OPERANDS_MAX 7

struct ptx_instr {
	const struct ptx_form *form;
	struct ptx_operand *operands;
	uint8_t n;
	bool guard_negated;
	bool keeps_loop;    /* the loop that begins with it is not to be unrolled */
	int32_t guard;      /* predicate register, -1: none */
	int32_t line, col;  /* in the PTX text */
	int32_t loc;        /* index into module->locs, -1: none */
	int32_t reconverge; /* of a branch: first instruction of its immediate post-dominator, -1: the end */
};

/* A parameter or a result of a function: a register, or memory of .param, which lies in the frame of the function. */
struct ptx_formal {
	const char *name;
	enum ptx_type type; /* of the register; PTX_NO_TYPE: memory */
	uint8_t lanes; /* a vector of registers is a formal for each, of which the first has them all; the others 1 */
	int32_t index; /* of a function with a body: its register or use */
	uint32_t size, align; /* bytes; a predicate has 0 */
};

struct ptx_signature {
	struct ptx_formal *results, *params;
	int n_results, n_params;
};

/* What an indirect call says of the functions it can reach. */
struct ptx_prototype {
	const char *name;
	struct ptx_signature signature;
	struct ptx_kernel **targets; /* of .calltargets; NULL: any function of that signature */
	int n_targets;
};

struct ptx_register {
	const char *name;
	enum ptx_type type;
};

/* Basic block: instructions [first, last]. */
struct ptx_block {
	int first, last;
	int *succ, n_succ; /* blocks */
	bool exits;        /* control can leave the kernel from here */
	int ipdom;         /* immediate post-dominator, -1: the end of the kernel */
};

/* The instructions [first, first + code->n_instrs) of a launch. */
struct ptx_part {
	struct ptx_kernel *code;
	int first;
	uint64_t *offsets; /* of the code's uses: in the block's shared window, or as in ptx_use */
};

/* What all alloca of one call of a function take together. */
#define PTX_STACK_BYTES 8192u

/* A label, by its name in the module's text, and the instruction that follows it: their count at the end. */
struct ptx_label {
	const char *name;
	size_t len;
	int instr;
};

/* A .section: what is between its braces, of the module's text. */
struct ptx_section_text {
	const char *name, *text; /* without the dot */
	size_t name_len, len;
};

struct ptx_kernel {
	struct ptx_module *module;
	const char *name;
	bool entry;
	bool defined;                   /* a .func without a body is only declared */
	bool address_taken;             /* somewhere in the module: it may be what an indirect call reaches */
	int index;                      /* of a .func: in module->functions */
	struct ptx_signature signature; /* of a .func */
	uint8_t builtin;                /* enum ptx_builtin that a .func without a body stands for */
	struct ptx_part *parts;         /* of an entry: itself, and the functions it may call */
	int n_parts, n_linked;          /* n_linked: instructions of all parts */
	int mark, part; /* the last linking that found it, and which part it is there (for the linker) */
	struct ptx_param *params;
	int n_params;
	uint32_t param_bytes;
	struct ptx_instr *instrs;
	int n_instrs;
	struct ptx_label *labels; /* in the order of the text */
	int n_labels;
	struct ptx_register *regs;
	int n_regs;
	struct ptx_var *stack; /* a .local variable for alloca, PTX_STACK_BYTES of it; NULL: it has none */
	int stack_use;
	struct ptx_use *uses;
	int n_uses;
	struct ptx_block *blocks;
	int n_blocks;
	/* Of an entry, all parts together: static shared memory of a block, at whose end dynamic shared memory
	 * starts. */
	uint64_t shared_bytes;
	/* The frame of a thread in local memory: .local variables, and the .param ones of calls and of functions. */
	uint64_t local_bytes;
	uint32_t max_threads; /* .maxntid or .reqntid, 0: not said */
	uint32_t cluster[3];  /* .reqnctapercluster: blocks of a cluster; 0: not said */
	uint32_t max_cluster; /* .maxclusterrank, 0: not said */
	bool explicit_cluster;
	uint32_t required[3]; /* .reqntid, 0: not said */
	int line, col;
};

/* A .loc. Code that was inlined has that of its caller, which comes before it; the outermost one is in the kernel or
 * function itself. */
struct ptx_loc {
	int file, line, column; /* where the code is written */
	int outermost_file;     /* of the kernel or function */
	int32_t caller;         /* index into module->locs, -1: not inlined */
	int32_t own;            /* the innermost of itself and its callers that is in the outermost file */
};

struct ptx_file {
	int number;
	const char *name;
};

/* The operands of a call; without a prototype, it is direct. */
enum { PTX_CALL_RESULTS, PTX_CALL_CALLEE, PTX_CALL_ARGS, PTX_CALL_PROTOTYPE };

struct ptx_module {
	struct arena *arena;
	const char *name; /* of the text, for diagnostics */
	const char *text;
	size_t text_len;
	struct ptx_target built_for; /* .target */
	struct ptx_kernel **kernels; /* with a body */
	int n_kernels;
	struct ptx_kernel **functions; /* .func, declared or defined; in the place of an alias, what it means */
	int n_functions;
	struct ptx_prototype *prototypes;
	int n_prototypes;
	int marks;             /* how many marks were given out */
	struct ptx_var **vars; /* global and const variables of the module */
	int n_vars;
	struct ptx_loc *locs;
	const struct ptx_frame **frames; /* of each of them */
	int n_locs;
	struct ptx_file *files; /* by number */
	int n_files;
	struct ptx_section_text *sections; /* of debug information: machine/ptx/section.h */
	int n_sections;
};

/* Whether results and parameters have the same sizes, so that a call of one fits the other. */
bool ptx_same_signature(const struct ptx_signature *a, const struct ptx_signature *b);

/* The part of an entry, as ptx_find_kernel returned it, that instruction `index` is in. */
const struct ptx_part *ptx_part_of(const struct ptx_kernel *entry, int index);

/* Like ptx_instr_location, for an instruction whose module is known. */
struct ptx_location ptx_location_of(const struct ptx_module *module, const struct ptx_instr *instr);
