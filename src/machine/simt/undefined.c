/* Which bits of registers and of memory are undefined, and what is reported of them. */
#include <stdlib.h>

#include "base/arena.h"
#include "machine/ptx/ops.h"
#include "machine/race/race.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/undefined.h"

/* --- registers ---------------------------------------------------------------------------------------------------- */

static struct undefined_registers *make_registers(struct frame *frame)
{
	const struct code_unit *unit = frame->unit;
	struct undefined_registers *u = frame->undefined;
	if (u)
		return u;
	u = frame->undefined = base_calloc(1, sizeof *u);
	u->bits = base_calloc(unit->regs_bytes, 1);
	u->first_predicate = unit->regs_bytes;
	for (int i = 0; i < unit->code->n_regs; i++)
		if (unit->code->regs[i].type == PTX_PRED && unit->reg_offset[i] < u->first_predicate)
			u->first_predicate = unit->reg_offset[i];
	u->of = base_calloc(u->first_predicate / 64 + 1, sizeof *u->of);
	u->of_predicates = base_calloc((unit->regs_bytes - u->first_predicate) / 4 + 1, sizeof *u->of_predicates);
	return u;
}

void simt_undefined_drop(struct frame *frame)
{
	struct undefined_registers *u = frame->undefined;
	if (!u)
		return;
	free(u->bits);
	free(u->of);
	free(u->of_predicates);
	free(u);
	frame->undefined = NULL;
}

static u32 *predicate_bits(const struct undefined_registers *u, struct undefined_ref r)
{
	return (u32 *)(u->bits + r.offset);
}

uint64_t simt_undefined_bits(const struct undefined_registers *u, struct undefined_ref r, int lane)
{
	uint64_t bits = 0;
	if (!r.bytes)
		return *predicate_bits(u, r) >> lane & 1;
	memcpy(&bits, u->bits + r.offset + (size_t)lane * r.bytes, r.bytes);
	return bits;
}

void simt_undefined_set(struct undefined_registers *u, struct undefined_ref r, int lane, uint64_t bits)
{
	uint32_t bit = 1u << lane;
	struct undefined_register *info = undefined_info(u, r);
	if (!r.bytes)
		set_pred(predicate_bits(u, r), bit, bits ? bit : 0);
	else
		memcpy(u->bits + r.offset + (size_t)lane * r.bytes, &bits, r.bytes);
	info->lanes = (info->lanes & ~bit) | (bits ? bit : 0);
	info->computed &= ~bit;
}

void simt_undefined_define(struct undefined_registers *u, struct undefined_ref r, uint32_t lanes)
{
	for (uint32_t left = undefined_lanes(u, r) & lanes; left; left &= left - 1)
		simt_undefined_set(u, r, __builtin_ctz(left), 0);
}

/* The bytes of `bits` that are undefined as a whole, as a bit each. */
static uint32_t whole_bytes(uint64_t bits, uint32_t n)
{
	uint32_t whole = 0;
	for (uint32_t i = 0; i < n; i++)
		whole |= (uint32_t)((bits >> 8 * i & 0xFF) == 0xFF) << i;
	return whole;
}

/* --- copies in memory --------------------------------------------------------------------------------------------- */

static struct undefined_origins *begin(struct warp *w)
{
	if (!w->undefined) {
		w->undefined = base_calloc(1, sizeof *w->undefined);
		w->bank[BANK_SCRATCH] = w->undefined->scratch[0];
	}
	if (!w->m->origins)
		w->m->origins = base_calloc(1, sizeof *w->m->origins);
	return w->m->origins;
}

void simt_undefined_forget(struct machine *m)
{
	if (m->origins)
		free(m->origins->at);
	free(m->origins);
	m->origins = NULL;
}

void simt_undefined_clear(struct warp *w)
{
	free(w->local.undefined);
	w->local.undefined = NULL;
	simt_undefined_drop(&w->frames.at[0]);
	free(w->undefined);
	w->undefined = NULL;
	w->bank[BANK_SCRATCH] = NULL;
}

/* By the address of the first undefined byte of a lane; local addresses are the same in all lanes, and parameters are
 * local. */
static struct undefined_copy *copy_at(const struct warp *w, enum mem_space space, uint64_t address, uint64_t *key)
{
	*key = address * (2 * WARP_SIZE) + (space == SPACE_SHARED ? WARP_SIZE : w->index);
	return &w->m->origins->copies[(*key * 0x9E3779B97F4A7C15u >> 32) % UNDEFINED_COPIES];
}

/* NULL: it is not known. */
static const struct undefined_past *find_copy(const struct warp *w, enum mem_space space, uint64_t address)
{
	uint64_t key;
	const struct undefined_copy *copy = copy_at(w, space, address, &key);
	return copy->known && copy->key == key ? &copy->past : NULL;
}

/* A byte in memory is a copy of something that comes from there. */
static void note_copy(struct warp *w, enum mem_space space, uint64_t address, struct undefined_past past)
{
	uint64_t key;
	struct undefined_copy *copy = copy_at(w, space, address, &key);
	*copy = (struct undefined_copy){key, true, past};
}

/* Where a lane's value in a register comes from. */
static struct undefined_past past_of_lane(const struct undefined_register *info, int lane)
{
	return (struct undefined_past){info->past.origin, info->computed >> lane & 1 ? info->past.by_plus_1 : 0};
}

/* What the instruction was noted as, or a new one. */
static struct undefined_origin *origin_by(struct warp *w, const struct code *c, uint32_t *at)
{
	struct undefined_origins *all = begin(w);
	for (*at = 0; *at < all->n && (all->at[*at].ptx_instr != c->index || all->at[*at].warp != w->index);)
		++*at;
	struct undefined_origin *o = *at < all->n ? &all->at[*at] : vec_push(all->at, all->n, all->cap);
	*o = (struct undefined_origin){.instr = simt_reported_instr(w, c), .ptx_instr = c->index, .warp = w->index};
	return o;
}

/* Of what the lanes are about to load, of which `bytes` are undefined; the load itself where it is no copy. */
static struct undefined_past find_past(
	struct warp *w, const struct code *c, uint32_t lanes, const uint16_t bytes[WARP_SIZE])
{
	const struct warp_access *a = &w->m->access;
	int lane = __builtin_ctz(lanes);
	begin(w);
	const struct undefined_past *copied = find_copy(
		w, a->space, a->address[lane] + (uint32_t)__builtin_ctz(bytes[lane]));
	uint32_t at;
	if (copied)
		return *copied;
	struct undefined_origin *o = origin_by(w, c, &at);
	o->space = a->space;
	memcpy(o->address, a->address, sizeof o->address);
	return (struct undefined_past){.origin = at};
}

/* --- shuffles
 * ------------------------------------------------------------------------------------------------------- */

void simt_undefined_shuffle(struct warp *w, const struct code *c, uint32_t lanes)
{
	const struct ptx_operand *to = &c->instr->operands[0];
	struct frame *frame = &w->frames.at[w->frame];
	if (to->kind != PTX_REG || w->bank[BANK_REGS] != frame->regs)
		return;
	const struct code_unit *unit = frame->unit;
	struct undefined_ref r = {unit->reg_offset[to->index], ptx_slot_bytes(unit->code->regs[to->index].type)};
	struct undefined_registers *u = make_registers(frame);
	uint32_t at;
	origin_by(w, c, &at)->is_shuffle = true;
	for (uint32_t left = lanes; left; left &= left - 1)
		simt_undefined_set(u, r, __builtin_ctz(left), UINT32_MAX);
	undefined_info(u, r)->past = (struct undefined_past){.origin = at};
}

/* --- local memory outside the kernel's variables
 * --------------------------------------------------------------------- */

static uint8_t *frame_bits(const struct warp *w, int lane)
{
	return w->local.undefined + (size_t)lane * (w->local.size / 8);
}

static uint32_t frame_undefined(const struct warp *w, int lane, uint64_t at, uint32_t width)
{
	uint32_t bytes = 0;
	for (uint32_t i = 0; w->local.undefined && i < width; i++)
		bytes |= (uint32_t)(frame_bits(w, lane)[(at + i) / 8] >> (at + i) % 8 & 1) << i;
	return bytes;
}

static void set_frame(struct warp *w, int lane, uint64_t at, uint32_t width, uint32_t undefined)
{
	if (!w->local.undefined && !undefined)
		return;
	if (!w->local.undefined)
		w->local.undefined = base_calloc(WARP_SIZE, (size_t)(w->local.size / 8));
	for (uint32_t i = 0; i < width; i++) {
		uint8_t *byte = &frame_bits(w, lane)[(at + i) / 8], bit = (uint8_t)(1u << (at + i) % 8);
		*byte = (uint8_t)(undefined >> i & 1 ? *byte | bit : *byte & ~bit);
	}
}

void simt_undefined_frame(struct warp *w, uint32_t lanes, const struct frame *frame)
{
	uint64_t first = frame->local_base / 8, end = (frame->local_end + 7) / 8;
	for (uint32_t left = w->local.undefined ? lanes : 0; left; left &= left - 1)
		memset(frame_bits(w, __builtin_ctz(left)) + first, 0, (size_t)(end - first));
}

void simt_undefined_widen(struct warp *w, uint64_t wider)
{
	uint8_t *old = w->local.undefined;
	if (!old)
		return;
	w->local.undefined = base_calloc(WARP_SIZE, (size_t)(wider / 8));
	for (size_t lane = 0; lane < WARP_SIZE; lane++)
		memcpy(w->local.undefined + lane * (wider / 8), old + lane * (w->local.size / 8),
			(size_t)(w->local.size / 8));
	free(old);
}

/* Whether a lane's access is to what the detector does not follow: parameters of calls, and the frames of functions. */
static bool is_in_frame(const struct warp *w, const struct code *c, int lane)
{
	const struct warp_access *a = &w->m->access;
	if (a->space == SPACE_PARAM)
		return c->flags & CODE_PASSES;
	return a->space == SPACE_LOCAL && a->address[lane] + a->width > w->m->local_bytes;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static struct undefined_ref slot_ref(const struct call_slot *slot)
{
	return (struct undefined_ref){slot->ref.offset, slot->kind == SLOT_MASK ? 0 : slot->bytes};
}

static bool has_undefined(struct frame_slot s)
{
	return s.slot->kind != SLOT_FRAME && s.slot->ref.bank == BANK_REGS && s.frame->undefined;
}

static uint64_t slot_address(struct frame_slot s)
{
	return s.frame->local_base + s.slot->offset;
}

/* Of up to 8 bytes from byte `at` on, which are undefined as a whole, as a bit each. */
static uint32_t passed_bytes(const struct warp *w, struct frame_slot from, int lane, uint32_t at, uint32_t width)
{
	if (from.slot->kind == SLOT_FRAME)
		return frame_undefined(w, lane, slot_address(from) + at, width);
	return has_undefined(from)
		? whole_bytes(simt_undefined_bits(from.frame->undefined, slot_ref(from.slot), lane), width)
		: 0;
}

static uint64_t bits_of_bytes(uint32_t bytes)
{
	uint64_t bits = 0;
	for (; bytes; bytes &= bytes - 1)
		bits |= (uint64_t)0xFF << 8 * __builtin_ctz(bytes);
	return bits;
}

/* Where byte `at` of what is passed comes from; false: it is not known. */
static bool find_passed(
	const struct warp *w, struct frame_slot from, int lane, uint64_t at, struct undefined_past *past)
{
	const struct undefined_past *copied = NULL;
	if (from.slot->kind == SLOT_FRAME)
		copied = find_copy(w, SPACE_LOCAL, slot_address(from) + at);
	else if (has_undefined(from))
		*past = past_of_lane(undefined_info(from.frame->undefined, slot_ref(from.slot)), lane);
	if (copied)
		*past = *copied;
	return copied || (from.slot->kind != SLOT_FRAME && has_undefined(from));
}

void simt_undefined_pass(struct warp *w, uint32_t lanes, struct frame_slot from, struct frame_slot to)
{
	for (; lanes; lanes &= lanes - 1) {
		if (to.slot->kind == SLOT_FRAME) {
			int lane = __builtin_ctz(lanes);
			for (uint32_t at = 0; at < to.slot->bytes; at += 8) {
				uint32_t width = to.slot->bytes - at < 8 ? to.slot->bytes - at : 8;
				uint32_t there = from.slot->bytes <= at ? 0
					: from.slot->bytes - at < width ? from.slot->bytes - at
									: width;
				uint32_t bytes = passed_bytes(w, from, lane, at, there);
				struct undefined_past past;
				set_frame(w, lane, slot_address(to) + at, width, bytes);
				for (; bytes; bytes &= bytes - 1) {
					uint64_t byte = at + (uint32_t)__builtin_ctz(bytes);
					if (find_passed(w, from, lane, byte, &past))
						note_copy(w, SPACE_LOCAL, slot_address(to) + byte, past);
				}
			}
		} else if (to.slot->kind != SLOT_NONE) {
			int lane = __builtin_ctz(lanes);
			uint32_t width = from.slot->bytes < to.slot->bytes ? from.slot->bytes : to.slot->bytes;
			uint64_t bits = to.slot->kind == SLOT_MASK
				? (has_undefined(from) ? simt_undefined_bits(
								 from.frame->undefined, slot_ref(from.slot), lane)
						       : 0)
				: bits_of_bytes(passed_bytes(w, from, lane, 0, width));
			if (!bits && !to.frame->undefined)
				continue;
			struct undefined_registers *u = make_registers(to.frame);
			struct undefined_register *info = undefined_info(u, slot_ref(to.slot));
			simt_undefined_set(u, slot_ref(to.slot), lane, bits);
			if (!bits || !find_passed(w, from, lane, (uint32_t)__builtin_ctzll(bits) / 8, &info->past))
				continue;
			info->computed |= info->past.by_plus_1 ? 1u << lane : 0;
		}
	}
}

/* --- reports
 * ------------------------------------------------------------------------------------------------------- */

static void report_used(struct warp *w, const struct code *c, uint32_t lanes, const struct undefined_used *used)
{
	const struct undefined_origin *o = used->origin;
	struct simt_defect d = {
		.kind = o->is_shuffle ? SIMT_BAD_MASK : SIMT_UNINITIALIZED, .other.instr = -1, .space = o->space};
	struct simt_side leaves = simt_side_at(w, c, lanes);
	d.here = leaves;
	d.here.instr = simt_reported_instr(w, c);
	if (used->computed) {
		d.here.instr = (int)used->computed->index;
		d.here.place = ptx_reported_location(w->m->program.kernel, d.here.instr);
	}
	d.address = o->address[d.here.lane];
	d.other = d.here;
	d.other.instr = o->instr;
	d.other.warp = o->warp;
	d.other.place = ptx_reported_location(w->m->program.kernel, o->instr);
	d.other.accesses = !o->is_shuffle;
	d.other.op = ACCESS_LOAD;
	if (simt_same_location(&d.here, &d.other)) {
		d.here.accesses = !o->is_shuffle;
		d.here.op = used->use == UNDEFINED_LOADED ? w->m->access.op : ACCESS_LOAD;
		d.other = (struct simt_side){.instr = -1};
	}
	simt_describe_undefined(&d, used->use, used->computed ? &leaves : NULL);
	simt_report_defect(w->m, &d);
}

void simt_undefined_use(
	struct warp *w, const struct code *c, uint32_t mask, struct undefined_ref r, enum undefined_use use)
{
	struct undefined_registers *u = undefined_of(w);
	const struct undefined_register *info = undefined_info(u, r);
	uint32_t lanes = info->lanes & mask;
	if (!lanes)
		return;
	struct undefined_used used = {.use = use, .origin = &w->m->origins->at[info->past.origin]};
	if (info->computed & lanes && info->past.by_plus_1)
		used.computed = &w->m->program.code[info->past.by_plus_1 - 1];
	report_used(w, c, lanes, &used);
	simt_undefined_define(u, r, lanes);
}

/* --- stores ------------------------------------------------------------------------------------------------------- */

/* The register with element `e` of a load or a store; false: it is none. */
static bool element_ref(const struct code *c, int e, int operand, struct undefined_ref *out)
{
	struct ref ref = c->elements ? c->elements[e] : c->r[operand];
	*out = (struct undefined_ref){ref.offset, c->slot[0]};
	return ref.bank == BANK_REGS && ref.offset >= UNDEFINED_SCRATCH; /* what lies before is not kept */
}

/* What a store writes of undefined bytes, by lane; returns the lanes where some of them are of a result. */
static uint32_t stored_bytes(struct warp *w, const struct code *c, uint16_t bytes[WARP_SIZE])
{
	const struct warp_access *a = &w->m->access;
	struct undefined_registers *u = undefined_of(w);
	struct undefined_ref r;
	uint32_t computed = 0;
	for (int e = 0; u && e < c->lanes; e++) {
		if (!element_ref(c, e, 1, &r))
			continue;
		computed |= undefined_info(u, r)->computed & undefined_lanes(u, r);
		for (uint32_t left = a->active & undefined_lanes(u, r); left; left &= left - 1) {
			int lane = __builtin_ctz(left);
			uint32_t whole = whole_bytes(simt_undefined_bits(u, r, lane), c->bytes);
			bytes[lane] |= (uint16_t)(whole << e * c->bytes);
			if (whole && a->space != SPACE_GLOBAL)
				note_copy(w, a->space,
					a->address[lane] + (uint32_t)__builtin_ctz(whole << e * c->bytes),
					past_of_lane(undefined_info(u, r), lane));
		}
	}
	return computed & a->active;
}

#define COPY_REACH 16 /* instructions between the words of a structure that is copied, */
#define COPY_BYTES 16 /* and how far apart they are */

/* The address of a store as a register and an offset, as far as sums of a few instructions before it tell. */
struct store_address {
	int32_t reg;
	int64_t offset;
};

static struct store_address find_address(const struct code *c, const struct code *first)
{
	struct store_address at = {
		c->instr->operands[0].kind == PTX_MEM_REG ? c->instr->operands[0].index : -1, c->offset};
	const struct code *last = c - first > 2 * COPY_REACH ? c - 2 * COPY_REACH : first;
	while (at.reg >= 0 && c-- > last) {
		const struct ptx_operand *o = c->instr->operands;
		if (!instr_uses_register(c->instr, at.reg, INSTR_WRITES))
			continue;
		if (c->instr->form->op != PTX_OP_ADD_INT || o[1].kind != PTX_REG || o[2].kind != PTX_IMM)
			break;
		at.reg = o[1].index;
		at.offset += o[2].value;
	}
	return at;
}

/* Whether two stores of one line write elements of a structure. */
static bool are_neighbors(const struct machine *m, const struct code *a, const struct code *b, const struct code *first)
{
	if (a == b || instr_kind(b->instr->form) != PTX_KIND_STORE || b->elements ||
		ptx_reported_location(m->program.kernel, (int)a->index).line !=
			ptx_reported_location(m->program.kernel, (int)b->index).line)
		return false;
	struct store_address x = find_address(a, first), y = find_address(b, first);
	int64_t apart = x.offset < y.offset ? y.offset - x.offset : x.offset - y.offset;
	return x.reg >= 0 && x.reg == y.reg && apart < COPY_BYTES && apart;
}

/* The lanes that store something known beside it: a structure, word by word, with padding or a member that nobody has
 * set. */
static uint32_t lanes_of_copy(const struct warp *w, const struct code *c)
{
	const struct code_unit *unit = w->frames.at[w->frame].unit;
	uint32_t lanes = 0, first = unit->first, end = first + (uint32_t)unit->code->n_instrs;
	struct undefined_ref r;
	if (c->elements)
		return 0;
	first = c->index > first + COPY_REACH ? c->index - COPY_REACH : first;
	end = c->index + COPY_REACH < end ? c->index + COPY_REACH : end;
	for (uint32_t i = first; i < end; i++) {
		const struct code *other = &w->m->program.code[i];
		if (are_neighbors(w->m, c, other, &w->m->program.code[unit->first]))
			lanes |= element_ref(other, 0, 1, &r) ? ~undefined_lanes(undefined_of(w), r) : WARP_FULL_MASK;
	}
	return lanes;
}

/* --- loads -------------------------------------------------------------------------------------------------------- */

/* The bits that a load leaves in its register, of an element whose bytes `undefined` are. */
static uint64_t loaded_bits(const struct code *c, uint32_t undefined)
{
	uint64_t bits = bits_of_bytes(undefined & ((1u << c->bytes) - 1));
	bool extends = ptx_type_kind(form_type(c->instr)) == 'S' && undefined >> (c->bytes - 1) & 1;
	return c->bytes < 8 && extends ? bits | ~(uint64_t)0 << 8 * c->bytes : bits;
}

/* That of the block whose memory it is. */
static struct race_detector *detector_of(const struct machine *m)
{
	return m->access.space == SPACE_SHARED ? m->owner->detector : m->detector;
}

static uint32_t find_undefined(const struct warp *w, const struct code *c, uint16_t bytes[WARP_SIZE])
{
	const struct warp_access *a = &w->m->access;
	uint32_t lanes = race_unwritten(detector_of(w->m), w->index, a, bytes);
	for (uint32_t left = w->local.undefined ? a->active : 0; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		uint32_t found = is_in_frame(w, c, lane) ? frame_undefined(w, lane, a->address[lane], a->width) : 0;
		if (!found)
			continue;
		bytes[lane] = (uint16_t)found;
		lanes |= left & -left;
	}
	return lanes;
}

/* An exchange is a load and a store. */
static bool only_copies(const struct ptx_form *form)
{
	return instr_kind(form) == PTX_KIND_LOAD ||
		(instr_kind(form) == PTX_KIND_ATOMIC && form->mod[PTX_MOD_ATOM] == PTX_ATOM_EXCH);
}

/* A store of a warp that has w->undefined is about to be made. */
static void follow_store(struct warp *w, const struct code *c)
{
	const struct warp_access *a = &w->m->access;
	uint16_t bytes[WARP_SIZE] = {0}; /* undefined ones, of each lane */
	bool stores = instr_kind(c->instr->form) == PTX_KIND_STORE;
	uint32_t computed = stores ? stored_bytes(w, c, bytes) : 0;

	/* Where others see it, it uses results, and what is undefined as a whole: there may be padding in the rest. */
	if (stores && a->space == SPACE_GLOBAL) {
		struct undefined_registers *u = undefined_of(w);
		struct undefined_ref r;
		uint32_t used = 0;
		for (uint32_t left = a->active; left; left &= left - 1)
			used |= bytes[__builtin_ctz(left)] == (1u << a->width) - 1 ? left & -left : 0;
		used = computed | (used & ~computed ? used & ~lanes_of_copy(w, c) : 0);
		for (int e = 0; u && used && e < c->lanes; e++)
			if (element_ref(c, e, 1, &r))
				simt_undefined_use(w, c, used, r, UNDEFINED_STORED);
	}
	race_written(detector_of(w->m), w->index, a, bytes);
	for (uint32_t left = a->active; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		if (is_in_frame(w, c, lane))
			set_frame(w, lane, a->address[lane], a->width, bytes[lane]);
	}
}

void simt_undefined_access(struct warp *w, const struct code *c)
{
	const struct warp_access *a = &w->m->access;
	uint16_t bytes[WARP_SIZE];
	uint32_t lanes = a->op == ACCESS_STORE ? 0 : find_undefined(w, c, bytes);
	if (a->op == ACCESS_STORE && w->undefined) {
		follow_store(w, c);
		return;
	}
	if (lanes && only_copies(c->instr->form)) {
		struct undefined_past past = find_past(w, c, lanes, bytes);
		struct undefined_registers *u = make_registers(&w->frames.at[w->frame]);
		struct undefined_ref r;
		for (int e = 0; e < c->lanes; e++) {
			if (!element_ref(c, e, 0, &r))
				continue;
			for (uint32_t left = lanes; left; left &= left - 1) {
				int lane = __builtin_ctz(left);
				simt_undefined_set(u, r, lane, loaded_bits(c, (uint32_t)bytes[lane] >> e * c->bytes));
			}
			undefined_info(u, r)->past = past;
			undefined_info(u, r)->computed |= past.by_plus_1 ? lanes & undefined_lanes(u, r) : 0;
		}
	} else if (lanes) {
		/* It is used where it is loaded: of an atomic operation all bytes count, of others one that was written
		 * is enough. */
		struct undefined_origin here = {
			.instr = simt_reported_instr(w, c), .warp = w->index, .space = a->space};
		memcpy(here.address, a->address, sizeof here.address);
		for (uint32_t left = a->op == ACCESS_ATOMIC ? 0 : lanes; left; left &= left - 1)
			if (bytes[__builtin_ctz(left)] != (1u << a->width) - 1)
				lanes &= ~(left & -left);
		if (lanes)
			report_used(w, c, lanes, &(struct undefined_used){UNDEFINED_LOADED, &here, NULL});
	}
	if (a->op != ACCESS_LOAD)
		race_written(detector_of(w->m), w->index, a, NULL);
}

void simt_undefined_written(struct warp *w, uint32_t lane, enum mem_space space, uint64_t at)
{
	struct warp_access a = {.op = ACCESS_STORE, .space = space, .active = 1u << lane, .width = 1};
	a.address[lane] = at;
	if (w->m->detector)
		race_written(w->m->detector, w->index, &a, NULL);
	if (space == SPACE_LOCAL && at >= w->m->local_bytes && at < w->local.size)
		set_frame(w, (int)lane, at, 1, 0);
}

void simt_undefined_print(struct warp *w, const struct code *c, int lane, uint64_t address, uint32_t bytes)
{
	struct warp_access a = {.op = ACCESS_LOAD, .space = SPACE_LOCAL, .active = 1u << lane, .width = (uint8_t)bytes};
	struct undefined_origin here = {.instr = simt_reported_instr(w, c), .warp = w->index, .space = SPACE_LOCAL};
	uint16_t found[WARP_SIZE] = {0};
	if (address - LOCAL_WINDOW >= WINDOW_SIZE || !bytes || bytes > 8)
		return;
	here.address[lane] = a.address[lane] = address - LOCAL_WINDOW;
	race_unwritten(w->m->detector, w->index, &a, found);
	if (a.address[lane] + bytes > w->m->local_bytes && a.address[lane] + bytes <= w->local.size)
		found[lane] = (uint16_t)frame_undefined(w, lane, a.address[lane], bytes);
	if (found[lane] != (1u << bytes) - 1)
		return;
	const struct undefined_past *copied = find_copy(w, SPACE_LOCAL, a.address[lane]);
	struct undefined_used used = {.use = UNDEFINED_PRINTED, .origin = &here};
	if (copied)
		used.origin = &w->m->origins->at[copied->origin];
	report_used(w, c, 1u << lane, &used);
}
