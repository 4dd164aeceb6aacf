#include "machine/ptx/instr.h"

#include <string.h>

#include "machine/ptx/matrix.h"
#include "machine/ptx/ops.h"

/* --- operands ----------------------------------------------------------------------------------------------------- */

/* Where the type of an operand comes from: a type of its own, or one of the instruction's. */
enum {
	OF_TYPE = PTX_TYPES,
	OF_TYPE2,
	OF_WIDE,
	OF_U16 = PTX_U16,
	OF_U32 = PTX_U32,
	OF_S32 = PTX_S32,
	OF_U64 = PTX_U64,
	OF_F32 = PTX_F32,
	OF_PRED = PTX_PRED
};

#define WRITES LETTER_WRITES
#define VALUE LETTER_VALUE
#define WIDER LETTER_WIDER
#define PAIR LETTER_PAIR
#define VECTOR LETTER_VECTOR
#define PACKS LETTER_PACKS
#define NAMES LETTER_NAMES
#define SKIPS LETTER_SKIPS
#define MEMORY LETTER_MEMORY
#define CONTROL LETTER_CONTROL
#define FRAGMENT LETTER_FRAGMENT
#define SELECTS LETTER_SELECTS
#define NEGATES LETTER_NEGATES
#define UPDATES LETTER_UPDATES

static const struct letter {
	uint8_t type;
	uint16_t traits;
} letters[128] = {
#define LETTER(letter, type, traits, meaning) [letter] = {OF_##type, traits},
#include "machine/ptx/letters.def"
#undef LETTER
};

uint32_t ptx_letter_traits(char letter)
{
	return letters[letter & 127].traits;
}

enum ptx_type ptx_letter_type(const struct ptx_form *form, char letter)
{
	uint8_t type = letters[letter & 127].type;
	switch (type) {
	case OF_TYPE: return (enum ptx_type)form->type;
	case OF_TYPE2: return (enum ptx_type)form->type2;
	case OF_WIDE: {
		enum ptx_type narrow = (enum ptx_type)form->type;
		switch (narrow) {
		case PTX_U16: return PTX_U32;
		case PTX_S16: return PTX_S32;
		case PTX_U32: return PTX_U64;
		case PTX_S32: return PTX_S64;
		default: return narrow;
		}
	}
	default: return (enum ptx_type)type;
	}
}

char instr_letter(const struct ptx_form *form, int operand)
{
	const char *at = ptx_op_rows[form->op].operands;
	for (; *at; at++)
		if (*at != '?' && operand-- == 0)
			return *at;
	return 0;
}

uint32_t instr_traits(const struct ptx_form *form)
{
	uint32_t traits = 0;
	for (const char *at = ptx_op_rows[form->op].operands; *at; at++)
		traits |= ptx_letter_traits(*at);
	return traits;
}

bool instr_passes_bits(const struct ptx_form *form)
{
	switch (form->op) {
	case PTX_OP_SHFL_SYNC: return true;
	case PTX_OP_MOV:
	case PTX_OP_SELP: return ptx_type_kind((enum ptx_type)form->type) == 'B';
	default: return false;
	}
}

int instr_members(const struct ptx_form *form)
{
	const char *operands = ptx_op_rows[form->op].operands, *at = strchr(operands, 'e');
	return at ? (int)(at - operands) : -1;
}

static void each_of_operand(const struct ptx_operand *o, instr_register_fn *each, void *ctx, enum instr_use use)
{
	if (o->kind == PTX_REG || o->kind == PTX_MEM_REG)
		each(ctx, o->index, use);
	if (o->second >= 0)
		each(ctx, o->second, use);
	int n = o->kind == PTX_VECTOR || o->kind == PTX_TEXTURE || o->kind == PTX_MEM_REG || o->kind == PTX_MEM_VAR
		? o->count
		: o->kind == PTX_LIST ? o->index
				      : 0;
	for (int i = 0; i < n; i++)
		each_of_operand(&o->elements[i], each, ctx, use);
}

void instr_each_register(const struct ptx_instr *instr, instr_register_fn *each, void *ctx)
{
	const char *at = ptx_op_rows[instr->form->op].operands;
	for (int i = 0; i < instr->n; i++) {
		at += *at == '?';
		uint32_t traits = ptx_letter_traits(*at++);
		bool writes = traits & LETTER_WRITES;
		if (traits & LETTER_UPDATES)
			each_of_operand(&instr->operands[i], each, ctx, INSTR_READS);
		each_of_operand(&instr->operands[i], each, ctx, writes ? INSTR_WRITES : INSTR_READS);
	}
	if (instr->guard >= 0)
		each(ctx, instr->guard, INSTR_READS);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

enum memory { NONE, LOAD, STORE, ATOMIC, COPY, ELSEWHERE };

static const uint8_t memory_of[] = {
#define KIND(id, latency, memory, meaning) [PTX_KIND_##id] = memory,
#include "machine/ptx/kinds.def"
#undef KIND
};

#define MATRIX_ROW 16 /* bytes */

uint32_t instr_vector(const struct ptx_form *form)
{
	uint8_t vector = form->mod[PTX_MOD_VEC];
	return vector == PTX_VEC_V8 ? 8 : vector == PTX_VEC_V4 ? 4 : vector == PTX_VEC_V2 ? 2 : 1;
}

static uint8_t width_of(const struct ptx_instr *instr)
{
	switch (instr_kind(instr->form)) {
	case PTX_KIND_MATRIX_LOAD:
	case PTX_KIND_MATRIX_STORE: return MATRIX_ROW;
	case PTX_KIND_COPY: return (uint8_t)instr->operands[2].value;
	default: return (uint8_t)(ptx_type_bytes((enum ptx_type)instr->form->type) * instr_vector(instr->form));
	}
}

/* Of ldmatrix and stmatrix, eight lanes for each matrix have the address of a row; those of the others do not count. */
static uint32_t lanes_of(const struct ptx_form *form)
{
	switch (form->mod[PTX_MOD_COUNT]) {
	case PTX_COUNT_X1: return 0xFF;
	case PTX_COUNT_X2: return 0xFFFF;
	default: return WARP_FULL_MASK;
	}
}

int instr_accesses(const struct ptx_instr *instr, struct instr_access out[INSTR_ACCESSES_MAX])
{
	static const enum access_op ops[] = {[LOAD] = ACCESS_LOAD, [STORE] = ACCESS_STORE, [ATOMIC] = ACCESS_ATOMIC};
	const struct ptx_form *form = instr->form;
	enum memory memory = memory_of[instr_kind(form)];
	const char *operands = ptx_op_rows[form->op].operands, *address = strchr(operands, 'm');
	if (memory == NONE || memory == ELSEWHERE || !address)
		return 0;
	if (memory == COPY) {
		out[0] = (struct instr_access){ACCESS_LOAD, SPACE_GLOBAL, 1, width_of(instr), WARP_FULL_MASK};
		out[1] = (struct instr_access){ACCESS_STORE, SPACE_SHARED, 0, width_of(instr), WARP_FULL_MASK};
		return 2;
	}
	out[0] = (struct instr_access){
		ops[memory], ptx_form_space(form), (uint8_t)(address - operands), width_of(instr), lanes_of(form)};
	return 1;
}

uint32_t instr_coordinates(const struct ptx_form *form)
{
	switch (form->mod[PTX_MOD_GEOM]) {
	case PTX_NO_MOD: return 0;
	case PTX_GEOM_1D: return 1;
	case PTX_GEOM_A1D:
	case PTX_GEOM_2D: return 2;
	default: return 4;
	}
}

uint32_t instr_dimensions(const struct ptx_form *form)
{
	switch (form->mod[PTX_MOD_GEOM]) {
	case PTX_NO_MOD: return 0;
	case PTX_GEOM_1D:
	case PTX_GEOM_A1D: return 1;
	case PTX_GEOM_2D:
	case PTX_GEOM_A2D: return 2;
	default: return 3;
	}
}

bool instr_is_layered(const struct ptx_form *form)
{
	uint8_t geometry = form->mod[PTX_MOD_GEOM];
	return geometry == PTX_GEOM_A1D || geometry == PTX_GEOM_A2D || geometry == PTX_GEOM_ACUBE;
}

bool instr_accesses_memory(const struct ptx_form *form)
{
	return memory_of[instr_kind(form)] != NONE;
}

bool instr_is_atomic(const struct ptx_form *form)
{
	enum ptx_kind kind = instr_kind(form);
	return kind == PTX_KIND_ATOMIC || kind == PTX_KIND_REDUCTION;
}

bool instr_is_swap(const struct ptx_form *form)
{
	return instr_kind(form) == PTX_KIND_ATOMIC && form->mod[PTX_MOD_ATOM] == PTX_ATOM_CAS;
}

/* --- what hardware counts it as ----------------------------------------------------------------------------------- */

struct search {
	int32_t reg;
	int reads, writes;
};

static void count_uses(void *ctx, int32_t reg, enum instr_use use)
{
	struct search *s = ctx;
	if (reg == s->reg)
		*(use == INSTR_WRITES ? &s->writes : &s->reads) += 1;
}

bool instr_uses_register(const struct ptx_instr *instr, int32_t reg, enum instr_use use)
{
	struct search s = {.reg = reg};
	instr_each_register(instr, count_uses, &s);
	return (use == INSTR_WRITES ? s.writes : s.reads) != 0;
}

enum instr_arithmetic instr_arithmetic(const struct ptx_form *form)
{
	switch (form->op) {
	case PTX_OP_ADD_FLOAT:
	case PTX_OP_SUB_FLOAT: return INSTR_SUM;
	case PTX_OP_MUL_FLOAT: return INSTR_PRODUCT;
	case PTX_OP_FMA:
	case PTX_OP_MAD_FLOAT: return INSTR_MULTIPLY_ADD;
	default: return INSTR_NO_ARITHMETIC;
	}
}

struct instr_counted instr_counted_as(const struct ptx_kernel *kernel, int index)
{
	const struct ptx_part *part = ptx_part_of(kernel, index);
	const struct ptx_instr *instr = &part->code->instrs[index - part->first];
	const struct ptx_form *form = instr->form;
	switch (instr_kind(form)) {
	case PTX_KIND_ATOMIC:
	case PTX_KIND_REDUCTION: {
		if (form->mod[PTX_MOD_SPACE] == PTX_SPACE_SHARED_CLUSTER)
			return (struct instr_counted){INSTR_UNSEEN, INSTR_UNSEEN};

		/* A reduction does not use the old value: a red, or an atom whose destination is named nowhere else,
		 * which ptxas compiles to one; never an exchange or a compare-and-swap. */
		int what = form->mod[PTX_MOD_ATOM];
		bool is_red = instr_kind(form) == PTX_KIND_REDUCTION,
		     swaps = what == PTX_ATOM_EXCH || what == PTX_ATOM_CAS;
		bool reduces = is_red || (!swaps && instr->operands[0].kind == PTX_SINK);
		if (!is_red && !swaps && instr->operands[0].kind == PTX_REG) {
			struct search s = {.reg = instr->operands[0].index};
			for (int i = 0; i < part->code->n_instrs; i++)
				instr_each_register(&part->code->instrs[i], count_uses, &s);
			reduces = s.reads + s.writes == 1;
		}

		/* What ptxas makes of it on shared memory. */
		const struct ptx_operand *value = &instr->operands[is_red ? 1 : 2];
		enum access_op other = reduces ? ACCESS_REDUCE : ACCESS_ATOMIC, shared = other;
		if (instr_vector(form) > 1)
			shared = ACCESS_ATOMIC;
		else if (what == PTX_ATOM_CAS)
			shared = ACCESS_CAS;
		else if (what == PTX_ATOM_EXCH)
			shared = ACCESS_EXCHANGE;
		else if (what == PTX_ATOM_ADD && ptx_type_kind((enum ptx_type)form->type) == 'F')
			shared = ACCESS_ADD_FLOAT;
		else if (what == PTX_ATOM_ADD && reduces && ptx_type_bytes((enum ptx_type)form->type) == 4 &&
			value->kind == PTX_IMM && value->value == 1)
			shared = ACCESS_COUNT;
		return (struct instr_counted){(uint8_t)shared, (uint8_t)other};
	}
	case PTX_KIND_LOAD:
	case PTX_KIND_STORE:
		if (form->mod[PTX_MOD_SPACE] == PTX_SPACE_SHARED_CLUSTER)
			return (struct instr_counted){INSTR_UNSEEN, INSTR_UNSEEN};
		return (struct instr_counted){INSTR_PLAIN, INSTR_PLAIN};
	case PTX_KIND_MATRIX_LOAD: return (struct instr_counted){ACCESS_LOAD_MATRIX, INSTR_PLAIN};
	case PTX_KIND_MATRIX_STORE: return (struct instr_counted){ACCESS_STORE_MATRIX, INSTR_PLAIN};
	case PTX_KIND_COPY:
		return (struct instr_counted){
			INSTR_UNSEEN, form->op == PTX_OP_CP_ASYNC_CG ? ACCESS_COPY_BYPASS : ACCESS_COPY};
	case PTX_KIND_TILE_LOAD: {
		if (instr_takes(form, PTX_MOD_NSHAPE))
			return (struct instr_counted){INSTR_UNSEEN, INSTR_UNSEEN};
		struct ptx_fragment f = ptx_fragment_of(form, ptx_fragment_matrix(form));
		bool blocks = ptx_fragment_moves(form, &f).blocks > 0;
		return (struct instr_counted){blocks ? ACCESS_LOAD_MATRIX : INSTR_PLAIN, INSTR_PLAIN};
	}
	case PTX_KIND_COPY_ARRIVE:
	case PTX_KIND_MBARRIER_INIT:
	case PTX_KIND_MBARRIER_END:
	case PTX_KIND_MBARRIER_ARRIVE:
	case PTX_KIND_MBARRIER_WAIT:
	case PTX_KIND_GROUP_MMA:
	case PTX_KIND_TENSOR_MAP:
	case PTX_KIND_ASYNC_STORE:
	case PTX_KIND_BULK_REDUCE:
	case PTX_KIND_BULK_LOAD:
	case PTX_KIND_BULK_STORE: return (struct instr_counted){INSTR_UNSEEN, INSTR_UNSEEN};
	default: return (struct instr_counted){INSTR_PLAIN, INSTR_PLAIN};
	}
}

/* --- order of memory ---------------------------------------------------------------------------------------------- */

bool instr_is_strong(const struct ptx_form *form)
{
	enum ptx_kind kind = instr_kind(form);
	uint8_t sem = form->mod[PTX_MOD_SEM];
	return instr_is_atomic(form) ||
		((kind == PTX_KIND_LOAD || kind == PTX_KIND_STORE) && sem && sem != PTX_SEM_WEAK);
}

bool instr_releases(const struct ptx_form *form)
{
	return form->mod[PTX_MOD_SEM] == PTX_SEM_RELEASE || form->mod[PTX_MOD_SEM] == PTX_SEM_ACQ_REL;
}

bool instr_acquires(const struct ptx_form *form)
{
	return form->mod[PTX_MOD_SEM] == PTX_SEM_ACQUIRE || form->mod[PTX_MOD_SEM] == PTX_SEM_ACQ_REL;
}

/* --- control flow ------------------------------------------------------------------------------------------------- */

bool instr_is_branch(const struct ptx_form *form)
{
	return instr_kind(form) == PTX_KIND_BRANCH || instr_kind(form) == PTX_KIND_BRANCH_TABLE;
}

int instr_targets(const struct ptx_instr *branch, const struct ptx_operand **labels)
{
	bool listed = instr_kind(branch->form) == PTX_KIND_BRANCH_TABLE;
	*labels = listed ? branch->operands[1].elements : branch->operands;
	return listed ? branch->operands[1].index : 1;
}

bool instr_ends_block(const struct ptx_form *form)
{
	switch (instr_kind(form)) {
	case PTX_KIND_BRANCH:
	case PTX_KIND_BRANCH_TABLE:
	case PTX_KIND_RETURN:
	case PTX_KIND_EXIT:
	case PTX_KIND_TRAP: return true;
	default: return false;
	}
}

bool instr_ends_thread(const struct ptx_kernel *code, const struct ptx_form *form)
{
	enum ptx_kind kind = instr_kind(form);
	return kind == PTX_KIND_EXIT || (kind == PTX_KIND_RETURN && code->entry);
}

bool instr_is_barrier(const struct ptx_form *form)
{
	return instr_kind(form) == PTX_KIND_BARRIER || instr_kind(form) == PTX_KIND_BARRIER_ARRIVE;
}
