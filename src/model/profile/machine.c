#include "model/profile/private.h"

#include <stdlib.h>
#include <string.h>

#include "machine/ptx/instr.h"
#include "model/hardware/schedule.h"

#define SHORT_BRANCH 7 /* a branch over so few instructions becomes predicates of them */

/* Where the value of a register comes from and goes to. */
struct machine_value {
	int32_t from; /* the only instruction that writes it; -1: none, or several */
	int32_t to;   /* the last one that reads it */
	uint32_t uses, in_addresses;
	uint32_t in_sums; /* of 64 bits */
};

struct machine_part {
	const struct ptx_kernel *code;
	struct schedule_op *ops;
	struct machine_value *values;
	bool *entered; /* by instruction: a branch goes to it that stays one */
	int at;        /* instruction that is looked at */
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

/* --- definitions and uses ----------------------------------------------------------------------------------------- */

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

static void find_values(struct machine_part *m)
{
	for (int i = 0; i < m->code->n_regs; i++)
		m->values[i] = (struct machine_value){.from = -2, .to = -1};
	for (int i = 0; i < m->code->n_instrs; i++) {
		m->at = i;
		instr_each_register(&m->code->instrs[i], note_register, m);
		const struct ptx_instr *instr = &m->code->instrs[i];
		for (int k = 0; k < instr->n; k++)
			if (instr->operands[k].kind == PTX_MEM_REG)
				m->values[instr->operands[k].index].in_addresses++;
		for (int j = 1; is_wide(instr) && is_op(instr, "add") && j < instr->n; j++)
			if (instr->operands[j].kind == PTX_REG)
				m->values[instr->operands[j].index].in_sums++;
	}
}

/* What the instruction writes, if that is one register. */
static const struct machine_value *result_of(const struct machine_part *m, const struct ptx_instr *instr)
{
	return instr->n && instr->operands[0].kind == PTX_REG && instr->operands[0].second < 0
		? &m->values[instr->operands[0].index]
		: NULL;
}

/* --- how many machine instructions -------------------------------------------------------------------------------- */

static bool has_constant(const struct ptx_instr *instr)
{
	return instr->n > 2 && instr->operands[2].kind == PTX_IMM;
}

/* Of a 64-bit product: every sum that it is part of makes it anew. */
static bool is_in_sums(const struct machine_value *v)
{
	return v->uses && v->uses == v->in_sums;
}

/* Whether the instruction disappears in the one that uses its result. */
static bool is_folded(const struct machine_part *m, const struct ptx_instr *instr)
{
	const struct machine_value *v = result_of(m, instr);
	/* the only instruction that uses the result; NULL: there are several, or none */
	const struct ptx_instr *use = v && v->uses == 1 && v->from >= 0 ? &m->code->instrs[v->to] : NULL;
	if (v && v->uses && v->uses == v->in_addresses && is_op(instr, "add") && has_constant(instr))
		return true; /* an offset */
	if (v && is_in_sums(v) && starts(instr, "mul.wide"))
		return true;
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
		if (v->from >= 0 && is_in_sums(v) && starts(&m->code->instrs[v->from], "mul.wide"))
			return true;
	}
	return false;
}

/* Where a branch to one place goes; -1: it is none. */
static int32_t goes_to(const struct ptx_instr *instr)
{
	return instr_kind(instr->form) == PTX_KIND_BRANCH ? instr->operands[0].index : -1;
}

static bool skips_little(const struct machine_part *m, int at)
{
	const struct ptx_instr *instr = &m->code->instrs[at];
	int32_t to = goes_to(instr);
	if (instr->guard < 0 || to <= at || to > at + 1 + SHORT_BRANCH)
		return false;
	for (int i = at + 1; i < to; i++)
		if (instr_ends_block(m->code->instrs[i].form) || instr_is_barrier(m->code->instrs[i].form))
			return false;
	return true;
}

/* Whether threads end there. A label may stand after the last instruction. */
static bool is_end(const struct machine_part *m, int at)
{
	return at >= m->code->n_instrs || instr_ends_thread(m->code, m->code->instrs[at].form);
}

/* Whether what a branch skips becomes predicates, so that what follows is of the same basic block. */
static bool joins(const struct machine_part *m, int at)
{
	return skips_little(m, at) && !is_end(m, goes_to(&m->code->instrs[at]));
}

/* Whether an instruction divides by what no instruction of the innermost loop around it changes: then the compiler
 * takes the reciprocal before the loop. */
static bool divisor_stays(const struct machine_part *m, int at)
{
	const struct ptx_instr *instr = &m->code->instrs[at];
	int32_t from = -1, to = m->code->n_instrs;
	if (!(starts(instr, "rem") || starts(instr, "div")) || instr->n < 3 || instr->operands[2].kind != PTX_REG)
		return false;
	for (int i = at; i < m->code->n_instrs; i++) {
		int back = goes_to(&m->code->instrs[i]);
		if (back >= 0 && back <= at && i - back < to - from) {
			from = back;
			to = i;
		}
	}
	int32_t writer = m->values[instr->operands[2].index].from;
	return from >= 0 && writer >= 0 && (writer < from || writer > to);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

/* Of a register in a basic block: how many loads, one needing the other, its value needs; and which instruction of it
 * wrote it, plus 1. */
struct machine_origin {
	uint16_t depth;
	uint32_t writer;
};

#define NEEDS_MAX 6

/* An instruction of a basic block that is being ordered. */
struct machine_place {
	uint32_t section; /* what all else is ordered by */
	uint16_t depth;
	uint8_t n_needs;
	bool done;
	uint32_t needs[NEEDS_MAX]; /* others of the block, whose values it needs */
	uint32_t ready;            /* in cycles, when its result is */
	uint32_t cycles, issues;
};

struct machine_reader {
	struct machine_origin *of_register;
	struct machine_place *place;
};

static void note_need(void *ctx, int32_t reg, enum instr_use use)
{
	struct machine_reader *r = ctx;
	struct machine_origin from = r->of_register[reg];
	if (use == INSTR_WRITES)
		return;
	if (from.depth > r->place->depth)
		r->place->depth = from.depth;
	if (from.writer && r->place->n_needs < NEEDS_MAX)
		r->place->needs[r->place->n_needs++] = from.writer - 1;
}

struct machine_writer {
	struct machine_origin *of_register, result;
};

static void set_origin(void *ctx, int32_t reg, enum instr_use use)
{
	struct machine_writer *w = ctx;
	if (use == INSTR_WRITES)
		w->of_register[reg] = w->result;
}

bool profile_orders_all(const struct ptx_instr *instr)
{
	enum ptx_kind kind = instr_kind(instr->form);
	return instr_ends_block(instr->form) || instr_is_barrier(instr->form) || instr_is_atomic(instr->form) ||
		kind == PTX_KIND_FENCE || kind == PTX_KIND_EXCHANGE || kind == PTX_KIND_VOTE ||
		kind == PTX_KIND_WARP_BARRIER || kind == PTX_KIND_COPY_WAIT || kind == PTX_KIND_BULK_LOAD ||
		kind == PTX_KIND_MBARRIER_WAIT || kind == PTX_KIND_MBARRIER_ARRIVE || kind == PTX_KIND_CLUSTER_ARRIVE ||
		kind == PTX_KIND_CLUSTER_WAIT || kind == PTX_KIND_GROUP_MMA || kind == PTX_KIND_GROUP_MMA_COMMIT ||
		kind == PTX_KIND_GROUP_MMA_WAIT || kind == PTX_KIND_MMA;
}

/* Instructions among which the compiler looks for one that need not wait: the cycles that it then puts into loops are
 * ptxas 13.0's within a fifth. */
#define WINDOW 8

/* The next one of `n` in order: of the first that are left one that need not wait, else the first. */
static uint32_t choose(
	const struct machine_place *places, const uint32_t *order, uint32_t from, uint32_t n, uint32_t now)
{
	uint32_t first = n, seen = 0;
	for (uint32_t k = from; k < n && seen < WINDOW; k++) {
		const struct machine_place *place = &places[order[k]];
		if (place->done)
			continue;
		if (first < n &&
			(place->section != places[order[first]].section || place->depth != places[order[first]].depth))
			break;
		first = first < n ? first : k;
		seen++;
		bool is_due = true;
		for (int i = 0; i < place->n_needs; i++)
			is_due &= places[place->needs[i]].done && places[place->needs[i]].ready <= now;
		if (is_due)
			return k;
	}
	return first;
}

/* Ranks the instructions of one basic block: by what all else is ordered by, then depth, then as a scheduler that looks
 * a little ahead would issue them. */
static void rank_block(const struct machine_part *m, const struct ptx_block *block, struct machine_origin *origins)
{
	uint32_t n = (uint32_t)(block->last - block->first) + 1, now = 0, from = 0;
	struct machine_place *places = base_calloc(n, sizeof *places);
	uint32_t *order = base_calloc(n, sizeof *order);

	uint32_t section = 0;
	uint16_t stored[SPACE_PARAM + 1] = {0};
	for (int i = block->first; i <= block->last; i++) {
		const struct ptx_instr *instr = &m->code->instrs[i];
		struct machine_place *place = &places[i - block->first];
		enum ptx_kind kind = instr_kind(instr->form);
		enum mem_space space = instr_accesses_memory(instr->form) ? ptx_form_space(instr->form) : SPACE_GENERIC;
		instr_each_register(instr, note_need, &(struct machine_reader){origins, place});
		if (kind == PTX_KIND_LOAD && stored[space] > place->depth)
			place->depth = stored[space];
		if (kind == PTX_KIND_STORE && place->depth + 1 > stored[space])
			stored[space] = (uint16_t)(place->depth + 1);
		bool orders = profile_orders_all(instr) && kind != PTX_KIND_EXCHANGE && kind != PTX_KIND_VOTE &&
			!joins(m, i);
		section += orders;
		place->section = section;
		section += orders;

		/* until an instruction that needs the result can be issued; what loads bring is waited for where it is
		 * needed */
		const struct schedule_op *op = &m->ops[i];
		if (op->issues && strncmp(ptx_op_rows[instr->form->op].spelling, "setp", 4) == 0)
			place->cycles = (uint32_t)timing[TIMING_GUARD];
		else if (op->issues && !instr_accesses_memory(instr->form))
			place->cycles = op->cycles ? op->cycles : latency_table[op->latency].cycles;
		place->issues = m->ops[i].issues;
		m->ops[i].depth = place->depth;
		bool loads = kind == PTX_KIND_LOAD && m->ops[i].issues;
		struct machine_writer w = {
			origins, {(uint16_t)(place->depth + loads), (uint32_t)(i - block->first) + 1}};
		instr_each_register(instr, set_origin, &w);
	}
	for (int i = block->first; i <= block->last; i++)
		instr_each_register(&m->code->instrs[i], set_origin, &(struct machine_writer){origins, {0, 0}});

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i;
		for (; at > 0 &&
			(places[order[at - 1]].section != places[i].section
					? places[order[at - 1]].section > places[i].section
					: places[order[at - 1]].depth > places[i].depth);
			at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (uint32_t rank = 0; rank < n; rank++) {
		while (places[order[from]].done)
			from++;
		struct machine_place *place = &places[order[choose(places, order, from, n, now)]];
		for (int i = 0; i < place->n_needs; i++)
			if (places[place->needs[i]].done && places[place->needs[i]].ready > now)
				now = places[place->needs[i]].ready;
		place->done = true;
		place->ready = now + place->cycles;
		now += place->issues;
		m->ops[block->first + (place - places)].rank = rank;
	}
	free(places);
	free(order);
}

#define BLOCK_MAX 1024 /* instructions; larger basic blocks keep their order */

static void count_issues(const struct machine_part *m)
{
	for (int i = 0; i < m->code->n_instrs; i++) {
		const struct ptx_instr *instr = &m->code->instrs[i];
		bool is_pair = is_wide(instr) && m->ops[i].latency == LATENCY_ALU && !starts(instr, "mul.wide") &&
			!starts(instr, "mad.wide") && !sums_product(m, instr);

		bool operand;
		const struct ptx_operand *from = instr->n > 1 ? &instr->operands[1] : NULL;
		if (is_op(instr, "mov")) {
			operand = !from || from->kind != PTX_SPECIAL_REG;
		} else if (starts(instr, "cvta") || is_op(instr, "abs") || is_op(instr, "neg")) {
			operand = true;
		} else if (is_op(instr, "ld") && ptx_form_space(instr->form) == SPACE_PARAM) {
			/* of a kernel, one that is used is loaded: LDC or ULDC; of a function it is in a register */
			operand = !m->code->entry || !result_of(m, instr) || !result_of(m, instr)->uses;
		} else {
			/* between integers of other widths: the same register, or a pair */
			operand = is_op(instr, "cvt") && ptx_type_kind(instr->form->type) != 'F' &&
				ptx_type_kind(instr->form->type2) != 'F';
		}
		if (operand || is_folded(m, instr))
			m->ops[i].issues = 0;
		else if (instr_kind(instr->form) == PTX_KIND_BRANCH)
			m->ops[i].issues = skips_little(m, i) ? 0 : 1;
		else
			m->ops[i].issues = is_pair ? 2 : 1;
	}
	for (int i = 0; i < m->code->n_instrs; i++) {
		profile_pipe_of(&m->code->instrs[i], &m->ops[i], divisor_stays(m, i));
		if (m->ops[i].issues && is_wide(&m->code->instrs[i]) && sums_product(m, &m->code->instrs[i]))
			profile_sum_product(&m->ops[i]);
	}

	/* What ptxas 13.0 puts into each kernel for CC 9.0 beside its PTX: it loads where the stack is, and, where the
	 * kernel has accesses to global memory, what they need to know of it. Read in the machine code that recordings
	 * of lessons have. */
	bool global = false;
	for (int i = 0; i < m->code->n_instrs; i++) {
		const struct ptx_form *form = m->code->instrs[i].form;
		enum mem_space space = ptx_form_space(form);
		global |= instr_accesses_memory(form) &&
			(space == SPACE_GLOBAL || space == SPACE_GENERIC || space == SPACE_LOCAL);
	}
	if (m->code->entry && m->code->n_instrs)
		m->ops[0].issues = (uint8_t)(m->ops[0].issues + 1 + global);
}

void profile_machine(const struct ptx_kernel *code, struct schedule_op *ops)
{
	struct machine_part m = {.code = code, .ops = ops};
	m.values = base_calloc((size_t)code->n_regs + 1, sizeof *m.values);
	struct machine_origin *origins = base_calloc((size_t)code->n_regs + 1, sizeof *origins);
	m.entered = base_calloc((size_t)code->n_instrs + 1, sizeof *m.entered);
	find_values(&m);

	/* which instructions branches go to that stay branches */
	for (int i = 0; i < code->n_instrs; i++) {
		const struct ptx_operand *labels;
		int n = instr_is_branch(code->instrs[i].form) ? instr_targets(&code->instrs[i], &labels) : 0;
		for (int k = 0; k < n && !joins(&m, i); k++)
			if (labels[k].index >= 0 && labels[k].index < code->n_instrs)
				m.entered[labels[k].index] = true;
	}

	count_issues(&m);
	for (int b = 0; b < code->n_blocks; b++) {
		/* the block with those after it that are one with it in machine code; b becomes the last of them */
		struct ptx_block block = code->blocks[b];
		int until = -1, at = block.first; /* until: where the arms that have become predicates end */
		while (true) {
			for (; at <= block.last; at++)
				if (joins(&m, at) && goes_to(&code->instrs[at]) > until)
					until = goes_to(&code->instrs[at]);
			if (b + 1 == code->n_blocks || at > until || m.entered[at])
				break;
			block.last = code->blocks[++b].last;
		}

		for (int i = block.first; i <= block.last; i++) {
			ops[i].basic_block = (uint32_t)b;
			ops[i].rank = (uint32_t)(i - block.first);
		}
		if (block.last - block.first < BLOCK_MAX)
			rank_block(&m, &block, origins);
	}
	profile_find_uniform(code, ops);
	profile_find_loops(code, ops);
	free(origins);
	free(m.entered);
	free(m.values);
}

double profile_machine_executed(const struct ptx_kernel *code, struct schedule_op *ops, const uint64_t *executed)
{
	struct machine_part m = {.code = code, .ops = ops};
	m.values = base_calloc((size_t)code->n_regs + 1, sizeof *m.values);
	find_values(&m);
	count_issues(&m);
	profile_find_loops(code, ops);
	double all = 0;
	int end = 0, branch = 0; /* of the arm that has become predicates */
	for (int i = 0; i < code->n_instrs; i++) {
		uint64_t times = executed[i < end ? branch : i];
		all += (double)times * ops[i].issues / (ops[i].once ? ops[i].unrolled : 1);
		if (i < end || !skips_little(&m, i))
			continue;
		branch = i;
		end = goes_to(&code->instrs[i]);
		if (is_end(&m, end)) {
			/* an exit of its own: those that take it do not come to the other one */
			all += (double)executed[i];
			if (end < code->n_instrs && executed[end] > executed[end - 1])
				all -= (double)(executed[end] - executed[end - 1]);
			end = 0;
		}
	}
	free(m.values);
	return all;
}
