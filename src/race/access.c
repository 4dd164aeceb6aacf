/* One access of a warp, word by word against what was done to the words before. */
#include <string.h>

#include "race/detector.h"

#define FULL UINT32_MAX

/* The access being looked at. */
struct site {
	const struct simt_access *a;
	const struct check_how *how;
	const struct check_stored *stored;
	struct record record; /* of the word being looked at */
	bool alike;           /* all lanes know the same of other blocks: */
	const struct world *others;
};

/* --- findings ----------------------------------------------------------------------------------------------------- */

static bool same_pair(const struct check_finding *a, const struct check_finding *b)
{
	return a->kind == b->kind && a->here.instr == b->here.instr && a->other.instr == b->other.instr &&
		a->other.block == b->other.block && a->other.warp == b->other.warp && a->missing == b->missing;
}

void check_tell(struct check *k, const struct check_finding *finding)
{
	for (uint32_t i = 0; i < k->n_findings; i++) {
		if (!same_pair(&k->findings[i], finding))
			continue;
		k->findings[i].here.lanes |= finding->here.lanes;
		if (k->findings[i].address == finding->address)
			k->findings[i].other.lanes |= finding->other.lanes;
		return;
	}
	if (k->n_findings == FINDINGS_AT_ONCE)
		check_flush(k);
	k->findings[k->n_findings++] = *finding;
}

void check_flush(struct check *k)
{
	for (uint32_t i = 0; i < k->n_findings; i++)
		k->report(k->ctx, &k->findings[i]);
	k->n_findings = 0;
}

static enum access_op op_of(uint8_t kind)
{
	return kind & RECORD_READS ? ACCESS_ATOMIC : kind & RECORD_WRITES ? ACCESS_STORE : ACCESS_LOAD;
}

static bool knows_of(const struct known *known, const struct record *old)
{
	return !past_misses(known->own, (uint32_t)__builtin_ctz(old->warps), old->lanes, old->time);
}

static enum simt_missing what_is_missing(
	struct check *k, const struct record *fresh, const struct record *old, uint32_t other)
{
	uint32_t warp = (uint32_t)__builtin_ctz(fresh->warps);
	const struct lane_state *s = check_lane(k, warp, __builtin_ctz(fresh->lanes));
	bool strong = fresh->kind & RECORD_STRONG, was_strong = old->kind & RECORD_STRONG;

	if (strong && was_strong && fresh->size != old->size)
		return SIMT_MISSING_SAME_SIZE;
	if (knows_of(&s->heard[CHECK_CTA], old) || knows_of(&s->heard[CHECK_GPU], old))
		return SIMT_MISSING_FENCE;
	if (strong != was_strong && (fresh->kind | old->kind) & RECORD_READS)
		return SIMT_MISSING_ATOMIC;
	return warp == other ? SIMT_MISSING_SYNCWARP : SIMT_MISSING_BARRIER;
}

static void tell_race(struct check *k, const struct site *s, uint64_t word, uint32_t lanes, const struct record *old,
	struct strangers others, enum simt_missing missing)
{
	struct check_finding finding = {
		.kind = SIMT_RACE,
		.space = s->a->space,
		.address = word * 4 + (uint32_t)__builtin_ctz(s->record.bytes & old->bytes),
		.here = {(int)s->record.instr, s->a->op, k->block, s->a->warp, lanes, __builtin_ctz(lanes)},
		.other = {(int)old->instr, op_of(old->kind), k->block, others.warp, others.lanes,
			__builtin_ctz(others.lanes)},
		.missing = missing,
	};
	check_tell(k, &finding);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static void stored_bytes(const struct check_stored *stored, int lane, uint8_t out[16])
{
	for (uint32_t e = 0; e < stored->n; e++)
		memcpy(out + e * stored->bytes, stored->lanes[e] + (size_t)lane * stored->stride, stored->bytes);
}

/* Whether the lane stores what is there already, in `bytes` of the word. */
static bool stores_same(const struct site *s, int lane, uint64_t word, uint32_t bytes)
{
	uint8_t value[16] = {0};
	uint64_t start = s->a->address[lane];
	stored_bytes(s->stored, lane, value);
	for (uint32_t i = 0; i < 4; i++) {
		uint64_t offset = word * 4 + i - start;
		if (bytes >> i & 1 && value[offset] != s->stored->at[lane][offset])
			return false;
	}
	return true;
}

/* What the word holds after the lane's store, in the bytes stored. */
static uint32_t stored_word(const struct site *s, int lane, uint64_t word)
{
	uint8_t value[16] = {0};
	uint32_t bits = 0;
	uint64_t start = s->a->address[lane];
	if (!s->stored)
		return 0;
	stored_bytes(s->stored, lane, value);
	for (uint32_t i = 0; i < 4; i++)
		if (s->record.bytes >> i & 1)
			bits |= (uint32_t)value[word * 4 + i - start] << 8 * i;
	return bits;
}

/* --- conflicts ---------------------------------------------------------------------------------------------------- */

/* Volatile accesses of a warp that counts on running in step. */
static bool is_warp_synchronous(const struct site *s, const struct record *old)
{
	uint8_t both = s->record.kind & old->kind;
	return both & RECORD_VOLATILE && s->a->space == SPACE_SHARED && !((s->record.kind | old->kind) & RECORD_WAITS);
}

/* The warps of `old` with which there can be a race. Strong accesses of one block race when they overlap in part. */
static uint32_t rivals(const struct check *k, const struct site *s, const struct record *old)
{
	const struct record *fresh = &s->record;
	if (old->time <= k->floor || !(old->bytes & fresh->bytes) || !((old->kind | fresh->kind) & RECORD_WRITES))
		return 0;
	if (!(old->kind & fresh->kind & RECORD_STRONG) || old->size != fresh->size)
		return old->warps;
	return is_warp_synchronous(s, old) ? old->warps & fresh->warps : 0;
}

static bool both_store(const struct site *s, const struct record *old)
{
	return s->stored && old->kind & RECORD_WRITES && !(old->kind & RECORD_READS);
}

static void compare(struct check *k, const struct site *s, uint64_t word, const struct record *old)
{
	struct record rival = *old;
	rival.warps = rivals(k, s, old);
	if (!rival.warps)
		return;
	for (uint32_t left = s->record.lanes; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		struct strangers others = check_unordered(k, s->a->warp, lane, &rival);
		if (others.lanes && !(both_store(s, old) && stores_same(s, lane, word, s->record.bytes & old->bytes)))
			tell_race(k, s, word, left & -left, old, others,
				what_is_missing(k, &s->record, old, others.warp));
	}
}

static void compare_all(struct check *k, const struct site *s, uint64_t number, const struct page *page, uint32_t word)
{
	const struct chain *chain = &page->chain[word];
	compare(k, s, number, &page->write[word]);
	if (s->record.kind & RECORD_WRITES)
		compare(k, s, number, &page->read[word]);
	for (uint32_t i = chain->time > k->floor ? chain->first : 0; i; i = k->links[i].next)
		compare(k, s, number, &k->links[i].record);
}

/* --- lanes of one instruction that store to one place ----------------------------------------------------------------- */

static bool in_order(const struct simt_access *a)
{
	if (a->active != FULL)
		return false;
	for (int i = 1; i < WARP_SIZE; i++)
		if (a->address[i] < a->address[i - 1] + a->width)
			return false;
	return true;
}

static void compare_lanes(struct check *k, struct site *s, int lane, uint32_t before)
{
	uint8_t value[16] = {0}, other[16] = {0};
	stored_bytes(s->stored, lane, value);
	for (uint32_t left = before; left; left &= left - 1) {
		int i = __builtin_ctz(left);
		if (s->a->address[i] != s->a->address[lane])
			continue;
		stored_bytes(s->stored, i, other);
		if (memcmp(value, other, s->a->width) == 0)
			continue;
		struct record old = {.instr = s->record.instr, .bytes = 0xF, .kind = RECORD_WRITES};
		s->record.bytes = (uint8_t)(0xF << (s->a->address[lane] & 3)) & 0xF;
		tell_race(k, s, s->a->address[lane] / 4, 1u << lane, &old, (struct strangers){s->a->warp, 1u << i},
			SIMT_MISSING_ONE_VALUE);
		return;
	}
}

/* Accesses are aligned and of one width: they are at the same address or apart. */
static void compare_with_each_other(struct check *k, struct site *s)
{
	for (uint32_t left = s->a->active, before = 0; left; left &= left - 1) {
		compare_lanes(k, s, __builtin_ctz(left), before);
		before |= left & -left;
	}
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* Nobody else has written the word. */
static inline bool is_unshared(
	const struct check *k, const struct page *page, uint32_t word, const struct record *fresh)
{
	const struct record *write = &page->write[word];
	uint32_t lanes = write->lanes | fresh->lanes;
	if (page->changed <= k->floor)
		return true;
	if (page->chain[word].writes && page->chain[word].time > k->floor)
		return false;
	return write->time <= k->floor || (write->warps == fresh->warps && !(lanes & (lanes - 1)));
}

/* The usual: a load of a word that is only read, or that only this lane writes. True when that was all there is to do. */
static inline bool enter_quietly(const struct check *k, struct page *page, uint32_t word, const struct record *fresh)
{
	struct record *read = &page->read[word];
	if (fresh->kind || !is_unshared(k, page, word, fresh))
		return false;
	if (read->time <= k->floor) {
		*read = *fresh;
		return true;
	}
	if (read->time != fresh->time || read->kind || read->bytes != fresh->bytes)
		return false;
	if (read->instr == fresh->instr && read->lanes == fresh->lanes) {
		read->warps |= fresh->warps;
		return true;
	}
	if (read->warps != fresh->warps || (read->instr != fresh->instr && read->lanes & ~fresh->lanes))
		return false;
	read->instr = fresh->instr;
	read->lanes |= fresh->lanes;
	return true;
}

static inline struct page *page_of(struct check *k, const struct simt_access *a, uint64_t word)
{
	return a->space == SPACE_SHARED ? &k->shared[word / PAGE_WORDS] : check_page(k, word);
}

/* Most loads are of words that the grid was told of. */
static inline bool is_old_news(const struct site *s, const struct page *page, uint32_t word)
{
	return !s->record.kind && s->alike && page->others == s->others && !(s->record.bytes & ~page->part[word]);
}

/* A copy to the word that somebody has begun and not waited for. */
static void compare_copy(struct check *k, const struct site *s, uint64_t word, uint32_t lanes)
{
	const struct copying *c = &k->copies[word];
	struct record old = {.instr = c->told - 1, .bytes = 0xF, .kind = RECORD_WRITES};
	if (c->told)
		tell_race(k, s, word, lanes, &old, (struct strangers){c->warp, 1u << c->lane}, SIMT_MISSING_WAIT);
}

enum phase { COMPARE = 1, ENTER = 2 };

static __attribute__((noinline)) void look_closer(
	struct check *k, const struct site *s, uint64_t number, struct page *page, int phases)
{
	uint32_t word = number % PAGE_WORDS;
	if (phases & COMPARE)
		compare_all(k, s, number, page, word);
	if (phases & ENTER)
		cell_enter(k, page, word, &s->record);
}

/* `lanes` are those at this word; all alike. */
static inline __attribute__((always_inline)) void look_at(
	struct check *k, struct site *s, uint64_t number, uint32_t lanes, int phases)
{
	struct page *page = page_of(k, s->a, number);
	uint32_t word = number % PAGE_WORDS;

	s->record.lanes = lanes;
	if (k->n_copies && s->a->space == SPACE_SHARED && phases & COMPARE)
		compare_copy(k, s, number, lanes);
	if (!enter_quietly(k, page, word, &s->record))
		look_closer(k, s, number, page, phases);
	if (s->a->space == SPACE_GLOBAL && phases & ENTER && !is_old_news(s, page, word))
		check_touch(k, page, word, &s->record, stored_word(s, __builtin_ctz(lanes), number));
}

static inline void look_at_lanes(struct check *k, struct site *s, uint64_t address, uint32_t lanes, int phases)
{
	uint32_t width = s->a->width;
	s->record.bytes = (uint8_t)(width < 4 ? ((1u << width) - 1) << (address & 3) : 0xF);
	for (uint32_t i = 0; i < width; i += 4)
		look_at(k, s, (address + i) / 4, lanes, phases);
}

static bool repeats_after(const struct simt_access *a, int period)
{
	uint64_t differs = 0;
	if (a->address[0] != a->address[period])
		return false;
	for (int i = 1; i + period < WARP_SIZE; i++)
		differs |= a->address[i] ^ a->address[i + period];
	return !differs;
}

/* After how many lanes the addresses of a full warp come again, as far as it is worth to know: rows of a block. */
static int period_of(const struct simt_access *a)
{
	int period = WARP_SIZE;
	while (a->active == FULL && period > 4 && repeats_after(a, period / 2))
		period /= 2;
	return period;
}

/* Neighbouring lanes at one address go together, and so do those a period apart. */
static void look_at_all(struct check *k, struct site *s, int phases)
{
	static const uint32_t combs[] = {[4] = 0x11111111, [8] = 0x01010101, [16] = 0x00010001, [32] = 1};
	const struct simt_access *a = s->a;
	int period = period_of(a);
	uint32_t comb = combs[period];
	for (uint32_t left = period == WARP_SIZE ? a->active : (1u << period) - 1; left;) {
		int lane = __builtin_ctz(left);
		uint32_t lanes = comb << lane;
		uint64_t address = a->address[lane];
		left &= left - 1;
		while (left && a->address[__builtin_ctz(left)] == address) {
			lanes |= comb << __builtin_ctz(left);
			left &= left - 1;
		}
		look_at_lanes(k, s, address, lanes, phases);
	}
}

/* --- the access --------------------------------------------------------------------------------------------------- */

static uint8_t kind_of(const struct simt_access *a, const struct check_how *how)
{
	static const uint8_t by_op[] = {
		[ACCESS_LOAD] = 0, [ACCESS_STORE] = RECORD_WRITES, [ACCESS_ATOMIC] = RECORD_WRITES | RECORD_READS};
	uint8_t kind = by_op[a->op];
	if (how->strong)
		kind |= RECORD_STRONG;
	if (how->strong && how->scope == CHECK_CTA)
		kind |= RECORD_CTA;
	if (how->is_volatile)
		kind |= RECORD_VOLATILE;
	if (how->is_volatile && how->waits)
		kind |= RECORD_WAITS;
	return kind;
}

/* Stores whose lanes may meet are compared before the first of them is entered. */
static void look(struct check *k, struct site *s)
{
	bool may_meet = s->stored && !in_order(s->a);
	if (!may_meet) {
		look_at_all(k, s, COMPARE | ENTER);
		return;
	}
	if (!(s->record.kind & RECORD_STRONG) || (s->record.kind & RECORD_VOLATILE && s->a->space == SPACE_SHARED))
		compare_with_each_other(k, s);
	look_at_all(k, s, COMPARE);
	look_at_all(k, s, ENTER);
}

/* What an access means; a bulk copy's own bytes are weak. */
static const struct check_how *how_of(const struct check *k, const struct simt_access *a)
{
	static const struct check_how weak;
	const struct check_how *how = &k->setup.how[a->instr];
	return how->tells && a->op != ACCESS_ATOMIC ? &weak : how;
}

static struct site site_of(
	const struct check *k, const struct simt_access *a, int told, const struct check_stored *stored)
{
	const struct check_how *how = how_of(k, a);
	const struct warp_state *w = &k->warps[a->warp];
	return (struct site){.a = a,
		.how = how,
		.stored = stored,
		.alike = !w->split,
		.others = w->all.live.more.others,
		.record = {.time = w->stamp,
			.instr = (uint32_t)told,
			.warps = 1u << a->warp,
			.kind = kind_of(a, how),
			.size = how->size}};
}

static void check_race(struct check *k, const struct simt_access *a, int told, const struct check_stored *stored)
{
	const struct check_how *how = how_of(k, a);
	enum check_scope scope = (enum check_scope)how->scope;

	if (how->copies && a->op == ACCESS_STORE)
		check_copy_ends(k, a);
	if (how->releases)
		check_fence(k, a->warp, a->active, scope);
	struct site site = site_of(k, a, told, stored);
	look(k, &site);
	for (uint32_t left = how->strong && k->grid->ordering ? a->active : 0; left; left &= left - 1)
		check_pass_on(k, a->warp, __builtin_ctz(left), a, how);
	if (how->acquires)
		check_fence(k, a->warp, a->active, scope);
}

void check_access(struct check *k, const struct simt_access *a, int told, const struct check_stored *stored)
{
	if (k->setup.uninitialised)
		check_written(k, a, told);
	if (k->setup.races && (a->space == SPACE_SHARED || a->space == SPACE_GLOBAL))
		check_race(k, a, told, stored);
	if (k->n_findings)
		check_flush(k);
}

void check_compare(struct check *k, const struct simt_access *a, int told)
{
	struct site site = site_of(k, a, told, NULL);
	look_at_all(k, &site, COMPARE);
	if (k->n_findings)
		check_flush(k);
}
