/* machine/ptx/instr.h: what an instruction does, answered from the rows of ops.def, kinds.def, and letters.def. The
 * parser, the machine, the detector, probes, the models, the debugger, and validate ask here and keep no list of
 * instructions of their own.
 *
 * An instruction that the table does not have is of kind UNKNOWN and has no operands. */
#pragma once
#include "base/arena.h"
#include "base/hash.h"
#include "machine/ptx/program.h"

enum ptx_kind {
#define KIND(id, latency, memory, meaning) PTX_KIND_##id,
#include "machine/ptx/kinds.def"
#undef KIND
};

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* A row of ops.def. */
struct ptx_op_row {
	const char *id, *spelling, *operands, *meaning;
	uint32_t types, types2; /* bit t: enum ptx_type t */
	uint64_t mods;          /* bit c: enum ptx_mod_class c */
	const char *pick;       /* of the executor; what stands before its first `_` names a group of instructions */
	uint8_t kind;           /* enum ptx_kind */
};
extern const struct ptx_op_row ptx_op_rows[]; /* by enum ptx_op; the last: PTX_OP_UNSUPPORTED */

static inline enum ptx_kind instr_kind(const struct ptx_form *form)
{
	return (enum ptx_kind)ptx_op_rows[form->op].kind;
}

static inline bool instr_is_known(const struct ptx_form *form)
{
	return instr_kind(form) != PTX_KIND_UNKNOWN;
}

static inline bool instr_takes(const struct ptx_form *form, enum ptx_mod_class class)
{
	return ptx_op_rows[form->op].mods >> class & 1;
}

/* --- opcodes as written ------------------------------------------------------------------------------------------- */

struct ptx_forms {
	struct arena *arena;
	struct hash_table by_spelling;
};

void ptx_forms_init(struct ptx_forms *forms, struct arena *arena);

/* The form of the opcode `text`; the same pointer for the same text. Never NULL: an opcode that the table does not have
 * gets op PTX_OP_UNSUPPORTED. */
const struct ptx_form *ptx_forms_find(struct ptx_forms *forms, const char *text, size_t len);

/* What a form must have, or must not, beyond what its row says; NULL: it is one. */
const char *ptx_form_lacks(const struct ptx_form *form);

/* --- operands ----------------------------------------------------------------------------------------------------- */

/* The traits of letters.def, as bits. */
enum {
	LETTER_WRITES = 1,
	LETTER_VALUE = 2,
	LETTER_WIDER = 4,
	LETTER_PAIR = 8,
	LETTER_VECTOR = 16,
	LETTER_PACKS = 32,
	LETTER_NAMES = 64,
	LETTER_SKIPS = 128,
	LETTER_MEMORY = 256,
	LETTER_CONTROL = 512,
	LETTER_FRAGMENT = 1024,
	LETTER_SELECTS = 2048,
	LETTER_NEGATES = 4096,
	LETTER_UPDATES = 8192,
};

uint32_t ptx_letter_traits(char letter); /* 0: no row of letters.def */

/* The type that a letter gives an operand, and constants in its place. */
enum ptx_type ptx_letter_type(const struct ptx_form *form, char letter);

/* The letter of an operand, by its index in the instruction; 0: it has none. */
char instr_letter(const struct ptx_form *form, int operand);

/* The traits of all operands of the row together. */
uint32_t instr_traits(const struct ptx_form *form);

/* Whether all that it does to its second operand is to pass on the bits: a copy, a selection or a shuffle of untyped
 * bits. */
bool instr_passes_bits(const struct ptx_form *form);

/* The operand that names the lanes that take part in a *.sync; -1: there is none. */
int instr_members(const struct ptx_form *form);

/* Definitions and uses: calls `each` with every register that the instruction names, operands in their order, then the
 * guard. A register that is named twice is passed twice. */
enum instr_use { INSTR_READS, INSTR_WRITES };
typedef void instr_register_fn(void *ctx, int32_t reg, enum instr_use use);
void instr_each_register(const struct ptx_instr *instr, instr_register_fn *each, void *ctx);

bool instr_uses_register(const struct ptx_instr *instr, int32_t reg, enum instr_use use);

/* --- parts of words ----------------------------------------------------------------------------------------------- */

/* The parts of a word that an operand of a video instruction names, as %r1.b3, %r1.h10 or %r1.b7604, are in
 * ptx_operand.value of its register; 0: none are named. */
enum {
	PTX_SELECT_BYTE = 0x100, /* of a word: .b0 to .b3, the number in the lower bits; */
	PTX_SELECT_HALF = 0x200, /* .h0 and .h1 */
	PTX_SELECT_MASK = 0x400, /* of a vector that is written: a bit for each element */
	/* Of one that is read: four bits for each element, of 3 that say which, a and b side by side. */
	PTX_SELECT_LIST = 0x10000,
};

static inline int ptx_select_bits(int64_t select)
{
	return select & PTX_SELECT_BYTE ? 8 : select & PTX_SELECT_HALF ? 16 : 32;
}

static inline int ptx_select_shift(int64_t select)
{
	return select ? (int)(select & 3) * ptx_select_bits(select) : 0;
}

/* Which element of a and b is in place k; `other` without a list. */
static inline int ptx_select_element(int64_t select, int k, int other)
{
	return select ? (int)(select >> 4 * k & 7) : other;
}

static inline bool ptx_select_writes(int64_t select, int k)
{
	return !select || select >> k & 1;
}

/* Appends the parts as PTX writes them, ".b3". */
void ptx_print_select(const struct ptx_form *form, int64_t select, struct buf *out);

/* --- memory ------------------------------------------------------------------------------------------------------- */

struct instr_access {
	enum access_op op;    /* LOAD, STORE or ATOMIC */
	enum mem_space space; /* that the instruction names; GENERIC: none */
	uint8_t operand;      /* the address */
	uint8_t width;        /* bytes per lane, all elements of a vector together */
	uint32_t lanes;       /* that have an address; all, but of ldmatrix and stmatrix */
};
#define INSTR_ACCESSES_MAX 2

/* The accesses that each lane makes at the address in an operand, the load of a copy before its store; returns how
 * many. 0 also for instructions that access memory in other ways: see instr_accesses_memory. */
int instr_accesses(const struct ptx_instr *instr, struct instr_access out[INSTR_ACCESSES_MAX]);

/* Of an instruction on a texture or a surface: how many coordinates it has, those that do not count and the layer among
 * them; how many dimensions; and whether the first coordinate is a layer. */
uint32_t instr_coordinates(const struct ptx_form *form);
uint32_t instr_dimensions(const struct ptx_form *form); /* of a cube 3 */
bool instr_is_layered(const struct ptx_form *form);

bool instr_accesses_memory(const struct ptx_form *form);
bool instr_is_atomic(const struct ptx_form *form); /* ATOMIC or REDUCTION, of a vector as well */
bool instr_is_swap(const struct ptx_form *form);   /* a compare-and-swap */

/* Elements of a load or store: 1, 2 or 4. */
uint32_t instr_vector(const struct ptx_form *form);

/* What hardware counts an instruction's accesses as (enum access_op): those to shared memory, as ptxas compiles them,
 * and all others. PLAIN: as the load, store or atomic operation that it is. UNSEEN: not at all, as what a cp.async
 * writes. */
#define INSTR_PLAIN 254
#define INSTR_UNSEEN 255
struct instr_counted {
	uint8_t shared, other;
};
struct instr_counted instr_counted_as(const struct ptx_kernel *kernel, int index);

/* --- arithmetic --------------------------------------------------------------------------------------------------- */

/* Of those on floats that a GPU counts as operations; divisions, roots and functions are sequences of them, which only
 * its compiler knows. */
enum instr_arithmetic { INSTR_NO_ARITHMETIC, INSTR_SUM, INSTR_PRODUCT, INSTR_MULTIPLY_ADD };
enum instr_arithmetic instr_arithmetic(const struct ptx_form *form);

/* --- order of memory: PTX ISA, memory consistency model ----------------------------------------------------------- */

/* Strong operations are those with .volatile, .relaxed or a stronger qualifier, and atomic ones. */
bool instr_is_strong(const struct ptx_form *form);
bool instr_releases(const struct ptx_form *form);
bool instr_acquires(const struct ptx_form *form);

/* --- control flow ------------------------------------------------------------------------------------------------- */

bool instr_is_branch(const struct ptx_form *form);

/* The labels that a branch can go to; returns how many. */
int instr_targets(const struct ptx_instr *branch, const struct ptx_operand **labels);

/* Whether control may go elsewhere than to the next instruction. */
bool instr_ends_block(const struct ptx_form *form);

/* Whether lanes that execute it end: exit, and ret in an entry. */
bool instr_ends_thread(const struct ptx_kernel *code, const struct ptx_form *form);

/* A barrier of the block; not that of the cluster. */
bool instr_is_barrier(const struct ptx_form *form);
