/* What instructions make of undefined bits: uses, or values that are undefined themselves. */
#include "machine/simt/undefined.h"

#include "machine/ptx/ops.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"

/* How the undefined bits of a result follow from those of the sources. */
enum flow_rule_kind {
	RULE_ALL,    /* one makes all of it undefined; of packed values, all of its part */
	RULE_BITS,   /* a bit depends on one bit of each of some operands: tried with both values */
	RULE_UPWARDS /* on the bits up to its own: a sum */
};

struct flow_rule {
	uint8_t rule;
	uint8_t tried; /* BITS: the operands, as bits */
	/* A field, which is a result where its lowest bit is undefined; if it is not, there may be padding above. */
	bool takes_out;
};

static const struct flow_rule rules[PTX_OPS] = {
	[PTX_OP_MOV] = {.rule = RULE_BITS, .tried = 1 << 1},
	[PTX_OP_MOV_VEC] = {.rule = RULE_BITS, .tried = 1 << 1},
	[PTX_OP_CVT] = {.rule = RULE_BITS, .tried = 1 << 1},
	[PTX_OP_AND] = {.rule = RULE_BITS, .tried = 1 << 1 | 1 << 2},
	[PTX_OP_OR] = {.rule = RULE_BITS, .tried = 1 << 1 | 1 << 2},
	[PTX_OP_XOR] = {.rule = RULE_BITS, .tried = 1 << 1 | 1 << 2},
	[PTX_OP_NOT] = {.rule = RULE_BITS, .tried = 1 << 1},
	[PTX_OP_LOP3] = {.rule = RULE_BITS, .tried = 1 << 1 | 1 << 2 | 1 << 3},
	[PTX_OP_SHL] = {.rule = RULE_BITS, .tried = 1 << 1},
	[PTX_OP_SHR] = {.rule = RULE_BITS, .tried = 1 << 1, .takes_out = true},
	[PTX_OP_SHF_L] = {.rule = RULE_BITS, .tried = 1 << 1 | 1 << 2},
	[PTX_OP_SHF_R] = {.rule = RULE_BITS, .tried = 1 << 1 | 1 << 2},
	[PTX_OP_BFE] = {.rule = RULE_BITS, .tried = 1 << 1, .takes_out = true},
	[PTX_OP_BFI] = {.rule = RULE_BITS, .tried = 1 << 1 | 1 << 2},
	[PTX_OP_BREV] = {.rule = RULE_BITS, .tried = 1 << 1},
	[PTX_OP_PRMT] = {.rule = RULE_BITS, .tried = 1 << 1 | 1 << 2},
	[PTX_OP_SELP] = {.rule = RULE_BITS, .tried = 1 << 1 | 1 << 2 | 1 << 3},
	[PTX_OP_ADD_INT] = {.rule = RULE_UPWARDS},
	[PTX_OP_SUB_INT] = {.rule = RULE_UPWARDS},
	[PTX_OP_MUL_LO] = {.rule = RULE_UPWARDS},
	[PTX_OP_MUL_WIDE] = {.rule = RULE_UPWARDS},
	[PTX_OP_MAD_LO] = {.rule = RULE_UPWARDS},
	[PTX_OP_MAD_WIDE] = {.rule = RULE_UPWARDS},
};

/* An instruction of values, some of which are undefined. */
struct flow {
	struct warp *w;
	const struct code *c;
	const struct code_unit *unit;
	struct undefined_registers *u;
	uint32_t mask;
	uint32_t lanes, computed; /* of all sources */
	struct undefined_past past;
	uint64_t bits[WARP_SIZE]; /* undefined in any of them; then of the result */
};

static struct undefined_ref ref_of(const struct code_unit *unit, int32_t reg)
{
	return (struct undefined_ref){unit->reg_offset[reg], ptx_slot_bytes(unit->code->regs[reg].type)};
}

/* --- sources and results
 * ------------------------------------------------------------------------------------------- */

static void gather(void *ctx, int32_t reg, enum instr_use use)
{
	struct flow *f = ctx;
	struct undefined_ref r = ref_of(f->unit, reg);
	uint32_t lanes = use == INSTR_READS ? undefined_lanes(f->u, r) & f->mask : 0;
	if (!lanes)
		return;
	const struct undefined_register *info = undefined_info(f->u, r);
	f->lanes |= lanes;
	f->computed |= lanes & info->computed;
	if (!f->past.by_plus_1)
		f->past = info->past;
	for (; lanes; lanes &= lanes - 1)
		f->bits[__builtin_ctz(lanes)] |= simt_undefined_bits(f->u, r, __builtin_ctz(lanes));
}

static void define_result(void *ctx, int32_t reg, enum instr_use use)
{
	struct flow *f = ctx;
	if (use == INSTR_WRITES)
		simt_undefined_define(f->u, ref_of(f->unit, reg), f->mask);
}

static void define_results(struct flow *f)
{
	instr_each_register(f->c->instr, define_result, f);
}

static uint64_t all_bits(struct undefined_ref r)
{
	return !r.bytes ? 1 : r.bytes < 8 ? ((uint64_t)1 << 8 * r.bytes) - 1 : ~(uint64_t)0;
}

static void set_result(void *ctx, int32_t reg, enum instr_use use)
{
	struct flow *f = ctx;
	struct undefined_ref r = ref_of(f->unit, reg);
	if (use == INSTR_READS)
		return;
	for (uint32_t left = f->mask; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		simt_undefined_set(f->u, r, lane, r.bytes ? f->bits[lane] & all_bits(r) : f->bits[lane] != 0);
	}
	struct undefined_register *info = undefined_info(f->u, r);
	info->past = f->past;
	info->computed |= info->lanes & f->mask & f->computed;
}

/* --- a result of values
 * -------------------------------------------------------------------------------------------- */

static uint64_t each_half(uint64_t bits)
{
	uint64_t halves = 0;
	for (int at = 0; at < 64; at += 16)
		halves |= bits >> at & 0xFFFF ? (uint64_t)0xFFFF << at : 0;
	return halves;
}

static void compute(struct flow *f, enum flow_rule_kind rule)
{
	enum ptx_type type = (enum ptx_type)f->c->instr->form->type;
	bool packed = type == PTX_F16X2 || type == PTX_BF16X2 || type == PTX_U16X2 || type == PTX_S16X2;
	for (uint32_t left = f->mask; left; left &= left - 1) {
		uint64_t *bits = &f->bits[__builtin_ctz(left)];
		*bits = !*bits ? 0 : rule == RULE_UPWARDS ? *bits | -*bits : packed ? each_half(*bits) : ~(uint64_t)0;
	}
	f->computed = f->lanes;
	if (!f->past.by_plus_1)
		f->past.by_plus_1 = f->c->index + 1;
	instr_each_register(f->c->instr, set_result, f);
}

/* --- a result bit by bit: the instruction, tried with both values of what is undefined
 * ----------------------------------- */

/* A register in an operand. */
struct tried_register {
	struct ref *at; /* in the copy of the instruction */
	struct undefined_ref r;
	int operand;
};

struct flow_trial {
	struct code code; /* a copy, whose operands are elsewhere */
	struct ref elements[UNDEFINED_OPERANDS];
	struct tried_register source[UNDEFINED_OPERANDS], result[UNDEFINED_OPERANDS];
	int n_sources, n_results;
	uint32_t operands; /* with undefined bits */
	uint8_t any[UNDEFINED_OPERANDS][UNDEFINED_SCRATCH], all[UNDEFINED_OPERANDS][UNDEFINED_SCRATCH];
};

static struct ref scratch_ref(int which, int n)
{
	return (struct ref){BANK_SCRATCH, (uint32_t)(which * UNDEFINED_OPERANDS + n) * UNDEFINED_SCRATCH};
}

static uint32_t size_of(struct undefined_ref r)
{
	return r.bytes ? r.bytes * WARP_SIZE : 4;
}

/* A copy of a source with its undefined bits as `ones` says. */
static void fill_source(const struct flow *f, const struct tried_register *s, int n, bool ones)
{
	const uint8_t *value = f->w->bank[BANK_REGS] + s->r.offset, *bits = f->u->bits + s->r.offset;
	uint8_t *to = f->w->undefined->scratch[ones * UNDEFINED_OPERANDS + n];
	for (uint32_t i = 0; i < size_of(s->r); i++)
		to[i] = (uint8_t)(ones ? value[i] | bits[i] : value[i] & ~bits[i]);
}

static void add_register(struct flow *f, struct flow_trial *t, int operand, const struct ptx_operand *o, struct ref *at)
{
	if (o->kind != PTX_REG)
		return;
	struct tried_register reg = {at, ref_of(f->unit, o->index), operand};
	if (operand == 0) {
		t->result[t->n_results] = reg;
		*at = scratch_ref(2, t->n_results++);
	} else if (undefined_lanes(f->u, reg.r) & f->mask) {
		fill_source(f, &reg, t->n_sources, false);
		fill_source(f, &reg, t->n_sources, true);
		t->source[t->n_sources++] = reg;
		t->operands |= 1u << operand;
	}
}

/* False: the instruction has more registers than are tried, or an undefined one that is none of those. */
static bool try_bits(struct flow *f, uint32_t tried)
{
	struct flow_trial t __attribute__((aligned(8)));
	memset(&t, 0, sizeof t);
	memset(t.all, 0xFF, sizeof t.all);

	const struct ptx_instr *instr = f->c->instr;
	struct ref *element = t.elements;
	t.code = *f->c;
	t.code.second = -1;
	if (f->c->n_elements > UNDEFINED_OPERANDS)
		return false;
	if (f->c->n_elements)
		memcpy(t.elements, f->c->elements, f->c->n_elements * sizeof *t.elements);
	t.code.elements = t.elements;
	for (int n = 0; n < instr->n; n++) {
		const struct ptx_operand *o = &instr->operands[n];
		if (o->kind != PTX_VECTOR)
			add_register(f, &t, n, o, &t.code.r[n]);
		for (int i = 0; o->kind == PTX_VECTOR && i < o->count; i++)
			add_register(f, &t, n, &o->elements[i], element++);
	}
	if (t.operands & ~tried)
		return false;

	/* With all subsets of the operands, those whose undefined bits are 1. */
	uint32_t ones = 0;
	do {
		for (int i = 0; i < t.n_sources; i++)
			*t.source[i].at = scratch_ref(ones >> t.source[i].operand & 1, i);
		t.code.run(f->w, &t.code, f->mask);
		for (int k = 0; k < t.n_results; k++) {
			const uint8_t *got = f->w->undefined->scratch[2 * UNDEFINED_OPERANDS + k];
			for (uint32_t i = 0; i < size_of(t.result[k].r); i++) {
				t.any[k][i] |= got[i];
				t.all[k][i] &= got[i];
			}
		}
		ones = (ones - t.operands) & t.operands;
	} while (ones);

	/* The bits of a result that came out in both ways are undefined. */
	for (int k = 0; k < t.n_results; k++) {
		struct undefined_ref r = t.result[k].r;
		struct undefined_register *info = undefined_info(f->u, r);
		uint32_t computed = f->computed;
		for (uint32_t left = f->mask; left; left &= left - 1) {
			int lane = __builtin_ctz(left);
			uint64_t any = 0, all = 0;
			if (r.bytes) {
				memcpy(&any, t.any[k] + (size_t)lane * r.bytes, r.bytes);
				memcpy(&all, t.all[k] + (size_t)lane * r.bytes, r.bytes);
			} else {
				any = ((const u32 *)t.any[k])[0] >> lane & 1;
				all = ((const u32 *)t.all[k])[0] >> lane & 1;
			}
			simt_undefined_set(f->u, r, lane, any & ~all);
			if (rules[f->c->instr->form->op].takes_out && any & ~all & 1)
				computed |= left & -left;
		}
		info->past = f->past;
		info->computed |= info->lanes & f->mask & computed;
		if (computed && !info->past.by_plus_1)
			info->past.by_plus_1 = f->c->index + 1;
	}
	return true;
}

/* Of integers, which keep their bits or lose some. */
static bool keeps_integers(const struct ptx_form *form)
{
	bool converts = form->op == PTX_OP_CVT;
	if (instr_takes(form, PTX_MOD_SAT) && form->mod[PTX_MOD_SAT])
		return false;
	return !converts ||
		(ptx_type_kind((enum ptx_type)form->type) != 'F' && ptx_type_kind((enum ptx_type)form->type2) != 'F');
}

static void follow_values(struct flow *f)
{
	const struct ptx_form *form = f->c->instr->form;
	struct flow_rule rule = keeps_integers(form) ? rules[form->op] : (struct flow_rule){.rule = RULE_ALL};
	instr_each_register(f->c->instr, gather, f);
	if (!f->lanes) {
		define_results(f);
		return;
	}
	if (rule.rule == RULE_BITS && try_bits(f, rule.tried))
		return;

	/* PTX ISA, setp: a second predicate that decides alone. */
	const struct ptx_instr *instr = f->c->instr;
	uint16_t combine = instr_takes(instr->form, PTX_MOD_BOOL) ? instr->form->mod[PTX_MOD_BOOL] : PTX_BOOL_XOR;
	if (instr->n >= 4 && instr->operands[3].kind == PTX_REG && combine != PTX_BOOL_XOR) {
		struct undefined_ref q = ref_of(f->unit, instr->operands[3].index);
		uint32_t held = get_pred(f->w, f->c, 3);
		uint32_t decided = (combine == PTX_BOOL_AND ? ~held : held) & ~undefined_lanes(f->u, q);
		for (uint32_t left = decided & f->lanes; left; left &= left - 1)
			f->bits[__builtin_ctz(left)] = 0;
		f->lanes &= ~decided;
	}

	compute(f, rule.rule == RULE_UPWARDS ? RULE_UPWARDS : RULE_ALL);
}

/* --- values of other lanes
 * ------------------------------------------------------------------------------------------ */

/* Votes and the like: what one lane brings, all get. */
static void follow_vote(struct flow *f)
{
	instr_each_register(f->c->instr, gather, f);
	for (uint32_t left = f->lanes ? f->mask : 0; left; left &= left - 1)
		f->bits[__builtin_ctz(left)] = ~(uint64_t)0;
	f->lanes = f->lanes ? f->mask : 0;
	compute(f, RULE_ALL);
}

/* A shuffle of the undefined bits. */
static void follow_shuffle(struct flow *f)
{
	static const struct simt_listener no_listener;
	const struct simt_listener *listener = f->w->m->listener;
	const struct ptx_operand *from = &f->c->instr->operands[1], *to = &f->c->instr->operands[0];
	struct exchange x = {.lanes = f->mask};
	struct code code = *f->c;

	if (from->kind != PTX_REG || to->kind != PTX_REG) {
		define_results(f);
		return;
	}
	struct undefined_ref r = ref_of(f->unit, from->index);
	for (uint32_t left = undefined_lanes(f->u, r) & f->mask; left; left &= left - 1)
		x.value[__builtin_ctz(left)] = simt_undefined_bits(f->u, r, __builtin_ctz(left));
	f->past = undefined_info(f->u, r)->past;
	f->computed = undefined_info(f->u, r)->computed ? f->mask : 0;
	code.r[0] = scratch_ref(2, 0);
	code.second = -1;
	f->w->m->listener = &no_listener;
	code.converge(f->w, &code, f->mask, &x);
	f->w->m->listener = listener;
	const u32 *bits = (const u32 *)f->w->undefined->scratch[2 * UNDEFINED_OPERANDS];
	for (uint32_t left = f->mask; left; left &= left - 1)
		f->bits[__builtin_ctz(left)] = bits[__builtin_ctz(left)];
	define_results(f);
	set_result(f, to->index, INSTR_WRITES);
}

/* --- uses --------------------------------------------------------------------------------------------------------- */

static void use_register(void *ctx, int32_t reg, enum instr_use use)
{
	const struct flow *f = ctx;
	if (use == INSTR_READS)
		simt_undefined_use(f->w, f->c, f->mask, ref_of(f->unit, reg), UNDEFINED_OPERAND);
}

static void use_addresses(struct flow *f)
{
	for (const struct code *c = f->c; c; c = c->from)
		if (c->address_bytes)
			simt_undefined_use(f->w, f->c, f->mask,
				(struct undefined_ref){c->r[c->address].offset, c->address_bytes}, UNDEFINED_ADDRESS);
}

static void use_operands(struct flow *f)
{
	use_addresses(f);
	instr_each_register(f->c->instr, use_register, f);
	define_results(f);
}

/* --- instructions
 * --------------------------------------------------------------------------------------------------- */

void simt_undefined_follow(struct warp *w, const struct code *c, uint32_t mask)
{
	const struct frame *frame = &w->frames.at[w->frame];
	struct flow f = (struct flow){.w = w, .c = c, .unit = frame->unit, .u = frame->undefined, .mask = mask};
	if (!f.u)
		return;
	if (c->guard >= 0)
		simt_undefined_use(w, c, w->active, (struct undefined_ref){(uint32_t)c->guard, 0}, UNDEFINED_BRANCH);
	if (!mask)
		return;

	const struct ptx_form *form = c->instr->form;
	switch (instr_kind(form)) {
	case PTX_KIND_ALU:
	case PTX_KIND_FLOAT:
	case PTX_KIND_SPECIAL:
	case PTX_KIND_LONG: follow_values(&f); break;
	case PTX_KIND_LOAD:
		use_addresses(&f);
		define_results(&f);
		break;
	case PTX_KIND_STORE: use_addresses(&f); break;
	case PTX_KIND_VOTE: follow_vote(&f); break;
	case PTX_KIND_EXCHANGE:
		if (form->op == PTX_OP_MOVMATRIX) {
			use_operands(&f);
		} else if (form->op == PTX_OP_SHFL || form->op == PTX_OP_SHFL_SYNC) {
			/* Which lane a shuffle reads, and which lanes take part. */
			for (int n = 2; n < c->instr->n; n++)
				if (c->instr->operands[n].kind == PTX_REG)
					use_register(&f, c->instr->operands[n].index, INSTR_READS);
			follow_shuffle(&f);
		} else {
			follow_vote(&f);
		}
		break;
	case PTX_KIND_CALL: {
		/* Functions of CUDA's runtime take what is passed; those of the kernel get it as it is. */
		const struct ptx_operand *callee = &c->instr->operands[PTX_CALL_CALLEE];
		if (callee->kind == PTX_REG)
			simt_undefined_use(w, c, mask, ref_of(f.unit, callee->index), UNDEFINED_ADDRESS);
		if (c->call->builtin)
			use_operands(&f);
		break;
	}
	case PTX_KIND_NO_EFFECT: break;
	default: use_operands(&f); break;
	}
}
