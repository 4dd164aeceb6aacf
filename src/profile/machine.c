#include "profile/machine.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/instr.h"

#define SHORT_BRANCH 7 /* a branch over so few instructions becomes predicates of them */

/* Where the value of a register comes from and goes to. */
struct machine_value {
	int32_t from; /* the only instruction that writes it; -1: none, or several */
	int32_t to;   /* the last one that reads it */
	uint32_t uses, in_addresses;
};

struct machine_part {
	const struct ptx_kernel *code;
	struct schedule_op *ops;
	struct machine_value *values;
	int at; /* instruction that is looked at */
};

static bool starts(const struct ptx_instr *instr, const char *with)
{
	return strncmp(ptx_op_rows[instr->form->op].spelling, with, strlen(with)) == 0;
}

static bool is_op(const struct ptx_instr *instr, const char *spelling)
{
	return strcmp(ptx_op_rows[instr->form->op].spelling, spelling) == 0;
}

static bool is_logic(const struct ptx_instr *instr)
{
	return is_op(instr, "and") || is_op(instr, "or") || is_op(instr, "xor") || is_op(instr, "not") ||
		starts(instr, "lop3");
}

static bool is_wide(const struct ptx_instr *instr)
{
	enum ptx_type type = instr->form->type;
	return type == PTX_U64 || type == PTX_S64 || type == PTX_B64;
}

static bool is_word(const struct ptx_instr *instr)
{
	enum ptx_type type = instr->form->type;
	return type == PTX_U32 || type == PTX_S32 || type == PTX_B32;
}

bool profile_loads_past(const struct ptx_instr *instr)
{
	if (instr_kind(instr->form) != PTX_KIND_LOAD)
		return false;
	bool past = instr_is_strong(instr->form);
	for (int c = 0; c < PTX_MOD_CLASSES; c++) {
		uint8_t mod = instr->form->mod[c];
		const char *name = mod == PTX_NO_MOD ? "" : ptx_mod_name((enum ptx_mod)mod);
		past |= strcmp(name, "cg") == 0 || strcmp(name, "cv") == 0;
	}
	return past;
}

/* --- definitions and uses ------------------------------------------------------------------------------------------ */
static void note_register(void *ctx, int32_t reg, enum instr_use use)
{
	struct machine_part *m = ctx;
	struct machine_value *v = &m->values[reg];
	if (use == INSTR_WRITES) {
		v->from = v->from == -2 ? m->at : -1;
	} else {
		v->uses++;
		v->to = m->at;
	}
}

static void note_address(struct machine_part *m, const struct ptx_instr *instr)
{
	for (int i = 0; i < instr->n; i++)
		if (instr->operands[i].kind == PTX_MEM_REG)
			m->values[instr->operands[i].index].in_addresses++;
}

static void find_values(struct machine_part *m)
{
	for (int i = 0; i < m->code->n_regs; i++)
		m->values[i] = (struct machine_value){.from = -2, .to = -1};
	for (int i = 0; i < m->code->n_instrs; i++) {
		m->at = i;
		instr_each_register(&m->code->instrs[i], note_register, m);
		note_address(m, &m->code->instrs[i]);
	}
}

/* What the instruction writes, if that is one register. */
static const struct machine_value *result_of(const struct machine_part *m, const struct ptx_instr *instr)
{
	return instr->n && instr->operands[0].kind == PTX_REG && instr->operands[0].second < 0
		? &m->values[instr->operands[0].index]
		: NULL;
}

/* The only instruction that uses the result; NULL: there are several, or none. */
static const struct ptx_instr *only_use(const struct machine_part *m, const struct machine_value *v)
{
	return v && v->uses == 1 && v->from >= 0 ? &m->code->instrs[v->to] : NULL;
}

/* --- how many machine instructions ---------------------------------------------------------------------------------- */
static bool is_operand(const struct ptx_instr *instr)
{
	const struct ptx_operand *from = instr->n > 1 ? &instr->operands[1] : NULL;
	if (is_op(instr, "mov"))
		return !from || from->kind != PTX_SPECIAL_REG;
	if (starts(instr, "cvta") || is_op(instr, "abs") || is_op(instr, "neg"))
		return true;
	if (is_op(instr, "ld") && ptx_form_space(instr->form) == SPACE_PARAM)
		return true;
	/* between integers of other widths: the same register, or a pair */
	return is_op(instr, "cvt") && ptx_type_kind(instr->form->type) != 'F' &&
		ptx_type_kind(instr->form->type2) != 'F';
}

static bool has_constant(const struct ptx_instr *instr)
{
	return instr->n > 2 && instr->operands[2].kind == PTX_IMM;
}

/* Whether the instruction disappears in the one that uses its result. */
static bool is_folded(const struct machine_part *m, const struct ptx_instr *instr)
{
	const struct machine_value *v = result_of(m, instr);
	const struct ptx_instr *use = only_use(m, v);
	if (v && v->uses && v->uses == v->in_addresses && is_op(instr, "add") && has_constant(instr))
		return true; /* an offset */
	if (!use)
		return false;
	if (starts(instr, "mul.wide") || (is_op(instr, "shl") && has_constant(instr)) || is_op(instr, "mul.lo"))
		return is_op(use, "add") || is_op(use, "sub");
	if (is_logic(instr) && is_word(instr))
		return is_logic(use) && is_word(use);
	if (starts(instr, "setp"))
		return use->form->type == PTX_PRED && is_logic(use);
	return is_op(instr, "add") && is_op(use, "add") && is_word(instr) && is_word(use) &&
		ptx_type_kind(instr->form->type) != 'F';
}

/* Of a 64-bit sum whether a product is part of it, which makes it one instruction. */
static bool sums_product(const struct machine_part *m, const struct ptx_instr *instr)
{
	for (int i = 1; i < instr->n; i++) {
		if (instr->operands[i].kind != PTX_REG)
			continue;
		const struct machine_value *v = &m->values[instr->operands[i].index];
		if (v->from >= 0 && v->uses == 1 && starts(&m->code->instrs[v->from], "mul.wide"))
			return true;
	}
	return false;
}

static bool skips_little(const struct machine_part *m, int at)
{
	const struct ptx_instr *instr = &m->code->instrs[at];
	const struct ptx_operand *labels[2];
	if (instr->guard < 0 || instr_targets(instr, labels) != 1)
		return false;
	int32_t to = labels[0]->index;
	if (to <= at || to > at + 1 + SHORT_BRANCH)
		return false;
	for (int i = at + 1; i < to; i++)
		if (instr_ends_block(m->code->instrs[i].form) || instr_is_barrier(m->code->instrs[i].form))
			return false;
	return true;
}

static uint8_t issues_of(const struct machine_part *m, int at)
{
	const struct ptx_instr *instr = &m->code->instrs[at];
	if (is_operand(instr) || is_folded(m, instr))
		return 0;
	if (instr_kind(instr->form) == PTX_KIND_BRANCH)
		return skips_little(m, at) ? 0 : 1;
	if (is_wide(instr) && m->ops[at].latency == LATENCY_ALU && !starts(instr, "mul.wide") &&
		!starts(instr, "mad.wide") && !sums_product(m, instr))
		return 2;
	return 1;
}

/* --- order ---------------------------------------------------------------------------------------------------------- */
/* How many loads, one needing the other, come before the instruction in its basic block. */
struct machine_depths {
	uint16_t *of_register;
	uint16_t here;
};

static void note_depth(void *ctx, int32_t reg, enum instr_use use)
{
	struct machine_depths *d = ctx;
	if (use == INSTR_READS && d->of_register[reg] > d->here)
		d->here = d->of_register[reg];
}

struct machine_writer {
	uint16_t *of_register;
	uint16_t depth;
};

static void set_depth(void *ctx, int32_t reg, enum instr_use use)
{
	struct machine_writer *w = ctx;
	if (use == INSTR_WRITES)
		w->of_register[reg] = w->depth;
}

static bool orders_all(const struct ptx_instr *instr)
{
	enum ptx_kind kind = instr_kind(instr->form);
	return instr_ends_block(instr->form) || instr_is_barrier(instr->form) || instr_is_atomic(instr->form) ||
		kind == PTX_KIND_FENCE || kind == PTX_KIND_EXCHANGE || kind == PTX_KIND_VOTE ||
		kind == PTX_KIND_WARP_BARRIER || kind == PTX_KIND_COPY_WAIT || kind == PTX_KIND_MMA;
}

/* Of one basic block. Ranks: what all else is ordered by, then depth, then place. */
static void rank_block(const struct machine_part *m, const struct ptx_block *block, uint16_t *depths)
{
	uint32_t section = 0;
	uint16_t stored[SPACE_PARAM + 1] = {0}, *of = base_calloc((size_t)(block->last - block->first) + 1, sizeof *of);
	uint32_t *sections = base_calloc((size_t)(block->last - block->first) + 1, sizeof *sections);
	for (int i = block->first; i <= block->last; i++) {
		const struct ptx_instr *instr = &m->code->instrs[i];
		struct machine_depths d = {depths, 0};
		enum ptx_kind kind = instr_kind(instr->form);
		enum mem_space space = instr_accesses_memory(instr->form) ? ptx_form_space(instr->form) : SPACE_GENERIC;
		instr_each_register(instr, note_depth, &d);
		if (kind == PTX_KIND_LOAD && stored[space] > d.here)
			d.here = stored[space];
		if (kind == PTX_KIND_STORE && d.here + 1 > stored[space])
			stored[space] = (uint16_t)(d.here + 1);
		section += orders_all(instr);
		sections[i - block->first] = section;
		of[i - block->first] = d.here;
		section += orders_all(instr);
		struct machine_writer w = {depths, (uint16_t)(d.here + (kind == PTX_KIND_LOAD && m->ops[i].issues))};
		instr_each_register(instr, set_depth, &w);
	}
	for (int i = block->first; i <= block->last; i++) {
		uint32_t rank = 0, at = (uint32_t)(i - block->first);
		for (int k = block->first; k <= block->last; k++) {
			uint32_t other = (uint32_t)(k - block->first);
			rank += sections[other] != sections[at] ? sections[other] < sections[at]
				: of[other] != of[at]           ? of[other] < of[at]
								: other < at;
		}
		m->ops[i].rank = rank;
	}
	for (int i = block->first; i <= block->last; i++) {
		struct machine_writer w = {depths, 0};
		instr_each_register(&m->code->instrs[i], set_depth, &w);
	}
	free(of);
	free(sections);
}

#define BLOCK_MAX 1024 /* instructions; larger basic blocks keep their order */

void profile_machine(const struct ptx_kernel *code, struct schedule_op *ops)
{
	struct machine_part m = {.code = code, .ops = ops};
	m.values = base_calloc((size_t)code->n_regs + 1, sizeof *m.values);
	uint16_t *depths = base_calloc((size_t)code->n_regs + 1, sizeof *depths);
	find_values(&m);
	for (int i = 0; i < code->n_instrs; i++)
		ops[i].issues = issues_of(&m, i);
	for (int b = 0; b < code->n_blocks; b++) {
		const struct ptx_block *block = &code->blocks[b];
		for (int i = block->first; i <= block->last; i++) {
			ops[i].basic_block = (uint32_t)b;
			ops[i].rank = (uint32_t)(i - block->first);
		}
		if (block->last - block->first < BLOCK_MAX)
			rank_block(&m, block, depths);
	}
	for (int i = 0; i < code->n_instrs; i++)
		profile_pipe_of(&code->instrs[i], &ops[i]);
	profile_find_uniform(code, ops);
	free(depths);
	free(m.values);
}
