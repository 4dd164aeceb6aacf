/* One access of a warp: where its addresses point, whether they are valid, and to whom it is reported: listener and
 * race detector. */
#include "machine/simt/mem.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clones.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/memory.h"
#include "machine/simt/run.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"

static const char *const space_names[] = {
	[SPACE_GLOBAL] = "global",
	[SPACE_SHARED] = "shared",
	[SPACE_LOCAL] = "local",
	[SPACE_CONST] = "constant",
	[SPACE_PARAM] = "parameter",
};

/* --- addresses ---------------------------------------------------------------------------------------------------- */

void simt_mem_addresses(struct warp *w, const struct code *c, uint32_t mask)
{
	uint64_t offset = (uint64_t)c->offset, *address = w->m->access.address;
	int n = c->address;
	if (c->address_bytes == 8) {
		const u64 *base = R(n);
		FOR_LANES(mask, address[i] = base[i] + offset);
	} else if (c->address_bytes == 4) {
		const u32 *base = R(n);
		FOR_LANES(mask, address[i] = (uint32_t)(base[i] + (uint32_t)offset));
	} else {
		offset += c->flags & CODE_FRAME ? w->local_base : 0;
		FOR_LANES(mask, address[i] = offset);
	}
}

/* Where the faulty address is, in words. */
static void describe_address(const struct warp *w, const struct code *c, char *out, size_t size)
{
	const struct machine *m = w->m;
	const struct warp_access *a = &m->access;
	uint32_t lanes = a->active;
	uint64_t address = a->address[__builtin_ctz(lanes)];
	const struct region *r = simt_memory_find(m->memory, address);
	bool local = a->space == SPACE_LOCAL || c->flags & CODE_PASSES;
	uint64_t window = a->space == SPACE_SHARED ? m->shared_own
		: local                            ? w->local_end
		: a->space == SPACE_PARAM          ? m->program.kernel->param_bytes
						   : m->variables.constants.size;

	if (a->space != SPACE_GLOBAL)
		snprintf(out, size, "; there are %" PRIu64 " bytes", window);
	else if (address < 4096)
		snprintf(out, size, ", a null pointer");
	else if (r && r->freed && address - r->base < (1u << 20))
		snprintf(out, size, ", in or after memory that was freed");
	else if (r && r->read_only && address - r->base < r->size)
		snprintf(out, size, ", which may only be read");
	else if (r && address - r->base < r->size)
		snprintf(out, size, ", across the end of a buffer of %zu byte%s", r->size, r->size == 1 ? "" : "s");
	else if (r && address - r->base - r->size < (1u << 20))
		snprintf(out, size, ", %" PRIu64 " byte%s past the end of a buffer of %zu byte%s",
			address - r->base - r->size, address - r->base - r->size == 1 ? "" : "s", r->size,
			r->size == 1 ? "" : "s");
	else
		snprintf(out, size, ", where no buffer is");
}

/* --- spaces: each sets m->host.at and returns the lanes whose address is wrong
 * --------------------------------------------- */

/* Whether all 32 addresses are in [base, base + last]; both are far below 2^63, so a sign bit shows it. */
static bool all_within(const uint64_t *address, uint64_t base, uint64_t last)
{
	uint64_t outside = 0;
	for (int i = 0; i < WARP_SIZE; i++) {
		uint64_t offset = address[i] - base;
		outside |= offset | (last - offset);
	}
	return !(outside >> 63);
}

/* The lanes of `mask` inside bytes [0, size) of one array that starts at `base`. */
static uint32_t within(struct machine *m, uint32_t mask, uint64_t base, uint64_t size, uint8_t *bytes)
{
	const struct warp_access *a = &m->access;
	uint32_t width = a->width, good = 0;

	if (size < width)
		return 0;
	uint64_t last = size - width;
	if (mask == WARP_FULL_MASK && all_within(a->address, base, last)) {
		m->host.together = true;
		m->host.bias = (uint64_t)(uintptr_t)bytes - base;
		return WARP_FULL_MASK;
	}
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint64_t offset = a->address[i] - base;
		if (offset > last)
			continue;
		good |= 1u << i;
		m->host.at[i] = bytes + offset;
	}
	return good;
}

static uint32_t find_global(struct machine *m, uint32_t mask, const struct region **last)
{
	uint32_t left = mask, bad = 0;
	while (left) {
		uint64_t address = m->access.address[__builtin_ctz(left)];
		const struct region *r = *last;
		if (!r || address - r->base >= r->size) {
			r = simt_memory_find(m->memory, address);
			if (address - m->variables.globals.base < m->variables.globals.size)
				r = &m->variables.globals;
			if (!r || address - r->base >= r->size || (r->read_only && m->access.op != ACCESS_LOAD)) {
				bad |= left & -left;
				left &= left - 1;
				continue;
			}
			*last = r;
		}
		uint32_t good = within(m, left, r->base, r->size, r->bytes);
		bad |= left & -left & ~good; /* it begins inside and ends outside */
		left &= ~(good | bad);
	}
	return bad;
}

static uint32_t find_local(struct warp *w, uint32_t mask)
{
	struct machine *m = w->m;
	uint32_t bad = 0;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint64_t address = m->access.address[i];
		if (w->local_end < m->access.width || address > w->local_end - m->access.width)
			bad |= 1u << i;
		else
			m->host.at[i] = w->local.bytes + (uint64_t)i * w->local.size + address;
	}
	return bad;
}

static uint32_t find_shared(struct machine *m, uint32_t mask)
{
	const struct machine *owner = m->owner;
	const struct warp_access *a = &m->access;
	uint32_t bad = mask & ~within(m, mask, 0, owner->shared.size, owner->shared.bytes);
	for (uint32_t rest = owner->shared_reserved ? mask & ~bad : 0; rest; rest &= rest - 1) {
		uint64_t address = a->address[__builtin_ctz(rest)];
		if (address < owner->shared_reserved && address + a->width > owner->shared_own)
			bad |= rest & -rest;
	}
	return bad;
}

static uint32_t find_in(struct warp *w, const struct code *c, uint32_t mask)
{
	struct machine *m = w->m;
	m->host.together = false;
	switch (m->access.space) {
	case SPACE_GLOBAL: return find_global(m, mask, &m->host.last_region[c->index]);
	case SPACE_SHARED: return find_shared(m, mask);
	case SPACE_LOCAL: return find_local(w, mask);
	case SPACE_CONST: return mask & ~within(m, mask, 0, m->variables.constants.size, m->variables.constants.bytes);
	case SPACE_PARAM:
		if (c->flags & CODE_PASSES)
			return find_local(w, mask);
		return mask & ~within(m, mask, 0, m->program.kernel->param_bytes, m->params);
	case SPACE_GENERIC: break; /* resolved before */
	}
	return mask;
}

/* --- one access --------------------------------------------------------------------------------------------------- */

static void report_access(struct warp *w, const struct code *c)
{
	struct machine *m = w->m;
	if (!m->listener->access || c->flags & CODE_TEXTURE)
		return;
	m->listener->access(m->listener->ctx, simt_warp_site(w, c), &m->access);
}

void simt_mem_report_empty(struct warp *w, const struct code *c)
{
	struct warp_access *a = &w->m->access;
	struct instr_access access[INSTR_ACCESSES_MAX];
	instr_accesses(c->instr, access);
	a->op = access->op;
	a->width = access->width;
	a->space = SPACE_SHARED;
	a->active = 0;
	report_access(w, c);
}

/* What follows a valid access. False: the block does not go on. */
static bool complete_access(struct warp *w, const struct code *c)
{
	struct machine *m = w->m;
	if (c->flags & CODE_ORDERED && m->access.space == SPACE_GLOBAL && !simt_team_wait(m))
		return false;
	m->turns.changes += m->access.op == ACCESS_STORE &&
		(m->access.space == SPACE_GLOBAL || m->access.space == SPACE_SHARED);
	if (c->flags & CODE_STRONG && m->access.op == ACCESS_LOAD)
		simt_block_poll(w, c);
	if (c->array && m->checks & SIMT_CHECK_BOUNDS)
		simt_arrays_check(w, c);
	if (m->detector)
		simt_watch_access(w, c);
	if (m->owner == m)
		report_access(w, c);
	if (c->flags & CODE_CLUSTER && m->access.space == SPACE_SHARED && m->listener->cluster) {
		const struct simt_cluster_part part = {.from = m->rank,
			.to = m->owner->rank,
			.is_first = m->cluster_parts == 0,
			.is_named = c->instr->form->mod[PTX_MOD_SPACE] == PTX_SPACE_SHARED_CLUSTER};
		m->listener->cluster(m->listener->ctx, simt_warp_site(w, c), &m->access, &part);
	}
	return true;
}

/* Whether more follows a valid access than that a store changes memory. */
static inline bool needs_more(const struct machine *m, const struct code *c)
{
	return c->flags & (CODE_ORDERED | CODE_STRONG) || c->array || m->detector || m->listener->access;
}

static uint64_t low_bits(const uint64_t *address, uint32_t mask)
{
	uint64_t low = 0;
	FOR_LANES(mask, low |= address[i]);
	return low;
}

static enum mem_space window_space(uint64_t address, uint64_t *base)
{
	static const struct {
		uint64_t window;
		enum mem_space space;
	} windows[] = {
		{SHARED_WINDOW, SPACE_SHARED},
		{LOCAL_WINDOW, SPACE_LOCAL},
		{CONST_WINDOW, SPACE_CONST},
		{PARAM_WINDOW, SPACE_PARAM},
	};
	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
		*base = windows[i].window;
		if (address - *base < WINDOW_SIZE)
			return windows[i].space;
	}
	*base = 0;
	return SPACE_GLOBAL;
}

uint64_t simt_mem_offset(uint64_t address, enum mem_space space)
{
	uint64_t base;
	bool windowed = window_space(address, &base) == space;
	uint64_t offset = windowed ? address - base : address;
	return space == SPACE_SHARED ? offset & CLUSTER_OFFSET : offset;
}

void *simt_mem_at(const struct warp *w, uint32_t lane, uint64_t address, size_t bytes, enum mem_space *in)
{
	struct machine *m = w->m;
	uint64_t base;
	enum mem_space space = *in = window_space(address, &base);
	uint64_t offset = address - base;
	uint32_t rank;

	if (space == SPACE_GLOBAL && address - m->variables.globals.base < m->variables.globals.size) {
		offset = address - m->variables.globals.base;
		return bytes <= m->variables.globals.size - offset ? m->variables.globals.bytes + offset : NULL;
	}
	if (space == SPACE_GLOBAL)
		return simt_memory_at(m->memory, address, bytes);
	if (space == SPACE_SHARED && simt_cluster_owner(m, offset, &rank) == m)
		offset &= CLUSTER_OFFSET;
	const struct region spaces[] = {
		[SPACE_SHARED] = m->shared,
		[SPACE_LOCAL] = {.size = w->local.bytes ? (size_t)w->local_end : 0,
			.bytes = w->local.bytes + (uint64_t)lane * w->local.size},
		[SPACE_CONST] = m->variables.constants,
		[SPACE_PARAM] = {.size = m->program.kernel->param_bytes, .bytes = m->params},
	};
	const struct region *r = &spaces[space];
	return offset <= r->size && bytes <= r->size - offset ? r->bytes + offset : NULL;
}

const void *simt_mem_read(struct warp *w, int lane, uint64_t address, size_t bytes)
{
	struct warp_access *a = &w->m->access;
	a->op = ACCESS_LOAD;
	return simt_mem_at(w, (uint32_t)lane, address, bytes, &a->space);
}

/* Finds the bytes of the lanes; those whose address is wrong are reported and returned. */
static uint32_t find_wrong(struct warp *w, const struct code *c, uint32_t mask)
{
	struct warp_access *a = &w->m->access;
	const char *article = a->width == 8 ? "an" : "a";
	uint32_t wrong = 0;

	if (a->width > 1 && low_bits(a->address, mask) & (a->width - 1u)) {
		for (uint32_t rest = mask; rest; rest &= rest - 1)
			wrong |= a->address[__builtin_ctz(rest)] % a->width ? rest & -rest : 0;
		uint64_t address = a->address[__builtin_ctz(wrong)];
		simt_fault(w, c, (struct fault){.kind = SIMT_MISALIGNED, .lanes = wrong, .address = address},
			"%s %u-byte %s %s memory at 0x%" PRIx64 ", which is not a multiple of %u", article, a->width,
			warp_op_phrase(a->op), space_names[a->space], address, a->width);
	}
	if (wrong == mask)
		return wrong;

	if (a->op != ACCESS_LOAD && (a->space == SPACE_CONST || a->space == SPACE_PARAM) && !(c->flags & CODE_PASSES)) {
		uint32_t lanes = mask & ~wrong;
		simt_fault(w, c,
			(struct fault){.kind = SIMT_OUT_OF_BOUNDS,
				.lanes = lanes,
				.address = a->address[__builtin_ctz(lanes)]},
			"%s %u-byte %s %s memory, which is read-only", article, a->width, warp_op_phrase(a->op),
			space_names[a->space]);
		return mask;
	}

	uint32_t bad = find_in(w, c, mask & ~wrong);
	if (bad) {
		uint64_t address = a->address[__builtin_ctz(bad)];
		char where[96];
		a->active = bad;
		describe_address(w, c, where, sizeof where);
		simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = bad, .address = address},
			"%s %u-byte %s %s memory at 0x%" PRIx64 "%s", article, a->width, warp_op_phrase(a->op),
			space_names[a->space], address, where);
	}
	return wrong | bad;
}

/* Lanes of a run that goes on load zeros, and what they store is lost. */
static void divert(struct machine *m, uint32_t lanes)
{
	m->host.together = false;
	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		memset(m->host.sink[i], 0, sizeof m->host.sink[i]);
		m->host.at[i] = (uint8_t *)m->host.sink[i];
	}
}

/* Checks and reports an access whose lanes have one space, at m->access.address; lanes of a run that goes on find
 * zeros. */
static bool access_in_space(struct warp *w, const struct code *c, uint32_t mask, enum mem_space space)
{
	struct machine *m = w->m;

	m->access.space = space;
	m->access.active = mask;
	uint32_t wrong = find_wrong(w, c, mask);
	if (wrong && m->stop)
		return false;
	if (wrong)
		divert(m, wrong);
	m->access.active = mask & ~wrong;
	return wrong == mask || complete_access(w, c);
}

/* --- shared memory of the cluster --------------------------------------------------------------------------------- */

static bool access_block(struct warp *w, const struct code *c, uint32_t lanes, uint32_t rank)
{
	struct machine *m = w->m, *owner = rank < m->cluster->n ? m->cluster->block[rank] : NULL;
	if (!owner || (owner != m && !(c->flags & CODE_CLUSTER))) {
		/* Lanes whose address is in no memory. */
		struct fault fault = {
			.kind = SIMT_OUT_OF_BOUNDS, .lanes = lanes, .address = m->access.address[__builtin_ctz(lanes)]};
		m->access.active = lanes;
		m->access.space = SPACE_SHARED;
		/* Verified: CC 9.0, driver 580.159.04, by hand: of a rank that there is not, and of a block that has
		 * ended. */
		if (c->flags & CODE_CLUSTER && m->cluster_shape.n > 1 && !owner)
			fault.ending = SIMT_ENDING_FAILURE;
		if (rank >= m->cluster->n)
			simt_fault(w, c, fault, "the address 0x%" PRIx64 " is in no shared memory of the cluster",
				fault.address);
		else if (!m->cluster->block[rank])
			simt_fault(w, c, fault,
				"shared memory of the block of rank %u in the cluster: the block has ended", rank);
		else
			simt_fault(w, c, fault,
				"the address is in shared memory of the block of rank %u in the cluster, which only instructions with .shared::cluster or a generic address reach",
				rank);
		divert(m, lanes);
		return !m->stop;
	}
	for (uint32_t left = lanes; left; left &= left - 1)
		m->access.address[__builtin_ctz(left)] &= CLUSTER_OFFSET;
	m->owner = owner;
	bool good = access_in_space(w, c, lanes, SPACE_SHARED);
	m->owner = m;
	if (m->host.together)
		FOR_LANES(lanes, m->host.at[i] = simt_mem_lane(m, i));
	return good;
}

/* --- any address -------------------------------------------------------------------------------------------------- */

static bool make_access(struct warp *w, const struct code *c, uint32_t mask, enum mem_space space)
{
	uint64_t all = 0;
	if (space == SPACE_SHARED)
		FOR_LANES(mask, all |= w->m->access.address[i]);
	if (all <= CLUSTER_OFFSET)
		return access_in_space(w, c, mask, space);

	/* To addresses of the shared window, some of them beyond 1 << CLUSTER_SHIFT: the lanes of each block together,
	 * as one access each. */
	const uint64_t *address = w->m->access.address;
	bool good = true;
	for (w->m->cluster_parts = 0; mask && good; w->m->cluster_parts++) {
		uint32_t lanes = 0, rank, other;
		simt_cluster_owner(w->m, address[__builtin_ctz(mask)], &rank);
		for (uint32_t left = mask; left; left &= left - 1) {
			simt_cluster_owner(w->m, address[__builtin_ctz(left)], &other);
			lanes |= other == rank ? left & -left : 0;
		}
		good = access_block(w, c, lanes, rank);
		mask &= ~lanes;
	}
	w->m->cluster_parts = 0;
	w->m->host.together = w->m->host.together && !good;
	return good;
}

/* --- the common case: all lanes, in one buffer
 * ------------------------------------------------------------------------- */

/* Whether all are in [base, base + last]: the first and the last of each half, where no other can be beyond them. */
static bool scanned_within(const struct warp_access *a, uint64_t base, uint64_t last)
{
	for (int half = 0; half < WARP_HALVES; half++) {
		const uint64_t *address = a->address + half * WARP_HALF_SIZE;
		if (a->half[half] == HALF_SPREAD)
			return all_within(a->address, base, last);
		if (address[0] - base > last || address[WARP_HALF_SIZE - 1] - base > last)
			return false;
	}
	return true;
}

/* Whether one is not a multiple of the width; adjacent lanes are all, or none is. */
static bool scanned_misaligned(const struct warp_access *a)
{
	const uint64_t *address = a->address;
	uint64_t low = a->half[0] == HALF_SPREAD || a->half[1] == HALF_SPREAD ? low_bits(address, WARP_FULL_MASK)
									      : address[0] | address[WARP_HALF_SIZE];
	return low & (a->width - 1u);
}

/* The array that a full warp's access probably is in; NULL when it is not known. */
static const struct region *likely_region(struct machine *m, const struct code *c)
{
	if (c->space == SPACE_GLOBAL)
		return m->host.last_region[c->index];
	return c->space == SPACE_SHARED ? &m->shared : NULL;
}

static inline __attribute__((always_inline)) bool quick_access(struct warp *w, const struct code *c, enum access_op op)
{
	struct machine *m = w->m;
	struct warp_access *a = &m->access;
	const struct region *r = likely_region(m, c);
	uint32_t width = (uint32_t)(c->bytes * c->lanes);

	if (!r || r->size < width || !c->address_bytes)
		return false;
	a->op = op;
	a->width = (uint8_t)width;
	(c->address_bytes == 8 ? simt_scan_u64 : simt_scan_u32)(
		R(c->address), (uint64_t)c->offset, width, a->address, a->half);
	if (scanned_misaligned(a) || !scanned_within(a, r->base, r->size - width))
		return false;
	a->space = (enum mem_space)c->space;
	a->active = WARP_FULL_MASK;
	m->host.together = true;
	m->host.bias = (uint64_t)(uintptr_t)r->bytes - r->base;
	if (needs_more(m, c))
		return complete_access(w, c);
	m->turns.changes += op == ACCESS_STORE;
	return true;
}

/* Of addresses in registers of type T, which is all that differs. */
#define FIND_HALVES(name, T, follows)                                                                                  \
	static inline bool name(                                                                                       \
		const struct warp *w, const struct code *c, const struct region *r, struct mem_half *out)              \
	{                                                                                                              \
		const T *base = R(c->address);                                                                         \
		uint32_t width = c->bytes, step[WARP_HALVES];                                                          \
		uint64_t room = r->size - width;                                                                       \
		UNROLL for (int h = 0; h < WARP_HALVES; h++, base += WARP_HALF_SIZE)                                   \
		{                                                                                                      \
			T apart = (T)(base[1] - base[0]), address = (T)(base[0] + (T)c->offset);                       \
			uint64_t at = address - r->base;                                                               \
			if ((apart && apart != width) || at > room || at + (WARP_HALF_SIZE - 1) * apart > room ||      \
				address & (width - 1))                                                                 \
				return false;                                                                          \
			step[h] = (uint32_t)apart;                                                                     \
			out[h] = (struct mem_half){r->bytes + at, apart != 0};                                         \
		}                                                                                                      \
		return follows(base - WARP_SIZE, step);                                                                \
	}
FIND_HALVES(find_halves_u64, u64, simt_follows_u64)
FIND_HALVES(find_halves_u32, u32, simt_follows_u32)

bool simt_mem_find_halves(struct warp *w, const struct code *c, struct mem_half out[WARP_HALVES])
{
	struct machine *m = w->m;
	const struct region *r = likely_region(m, c);
	if (!r || r->size < c->bytes || c->elements || needs_more(m, c))
		return false;
	return c->address_bytes == 8 ? find_halves_u64(w, c, r, out)
		: c->address_bytes   ? find_halves_u32(w, c, r, out)
				     : false;
}

static bool reach_at(struct warp *w, const struct code *c, uint32_t mask, enum access_op op, uint32_t width)
{
	struct warp_access *a = &w->m->access;

	a->op = op;
	a->width = (uint8_t)width;
	a->half[0] = a->half[1] = HALF_UNKNOWN;
	if (c->space != SPACE_GENERIC)
		return make_access(w, c, mask, (enum mem_space)c->space);

	/* Generic addresses: the lanes of each space together, as one access each. */
	if (mask == WARP_FULL_MASK && all_within(a->address, 0, GLOBAL_END - 1))
		return make_access(w, c, mask, SPACE_GLOBAL);
	while (mask) {
		uint64_t base, other;
		enum mem_space space = window_space(a->address[__builtin_ctz(mask)], &base);
		uint32_t lanes = 0;
		for (uint32_t rest = mask; rest; rest &= rest - 1)
			lanes |= window_space(a->address[__builtin_ctz(rest)], &other) == space ? rest & -rest : 0;
		for (uint32_t rest = lanes; rest; rest &= rest - 1)
			a->address[__builtin_ctz(rest)] -= base;
		if (!make_access(w, c, lanes, space))
			return false;
		if (w->m->host.together)
			FOR_LANES(lanes, w->m->host.at[i] = simt_mem_lane(w->m, i));
		mask &= ~lanes;
	}
	w->m->host.together = false;
	return true;
}

/* What simt_mem_lane returns, in m->host.at. */
static bool spread(struct machine *m, uint32_t mask, bool right)
{
	if (right && m->host.together)
		FOR_LANES(mask, m->host.at[i] = simt_mem_lane(m, i));
	return right;
}

static __attribute__((noinline)) bool reach(struct warp *w, const struct code *c, uint32_t mask, enum access_op op)
{
	simt_mem_addresses(w, c, mask);
	return reach_at(w, c, mask, op, (uint32_t)(c->bytes * c->lanes));
}

bool simt_mem_reach(struct warp *w, const struct code *c, uint32_t mask, enum access_op op)
{
	return (mask == WARP_FULL_MASK && quick_access(w, c, op)) || reach(w, c, mask, op);
}

bool simt_mem_access(struct warp *w, const struct code *c, uint32_t mask, enum access_op op)
{
	return spread(w->m, mask, simt_mem_reach(w, c, mask, op));
}

bool simt_mem_access_at(struct warp *w, const struct code *c, uint32_t mask, enum access_op op, uint32_t width)
{
	return spread(w->m, mask, reach_at(w, c, mask, op, width));
}
