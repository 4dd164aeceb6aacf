/* One access of a warp, word by word against the shadow memory of the block.
 *
 * The usual access is of a word that is only read, or only used by its lane: everything up to check_word must stay quick. */
#include <string.h>

#include "race/detector.h"

/* The access being checked. */
struct checked_access {
	const struct warp_access *a;
	const struct race_site *site;
	const struct race_order *order;
	const struct race_store *store;
	struct shadow_access shadow; /* of the word being checked */
	bool alike;                  /* all lanes know the same of other blocks: */
	const struct grid_clock *others;
};

/* --- findings ----------------------------------------------------------------------------------------------------- */

static bool same_pair(const struct race_finding *a, const struct race_finding *b)
{
	return a->kind == b->kind && a->here.instr == b->here.instr && a->other.instr == b->other.instr &&
		a->other.block == b->other.block && a->other.warp == b->other.warp && a->missing == b->missing;
}

void race_add_finding(struct race_detector *d, const struct race_finding *finding)
{
	for (uint32_t i = 0; i < d->n_findings; i++) {
		if (!same_pair(&d->findings[i], finding))
			continue;
		d->findings[i].here.lanes |= finding->here.lanes;
		if (d->findings[i].address == finding->address)
			d->findings[i].other.lanes |= finding->other.lanes;
		return;
	}
	if (d->n_findings == FINDINGS_AT_ONCE)
		race_flush_findings(d);
	d->findings[d->n_findings++] = *finding;
}

void race_flush_findings(struct race_detector *d)
{
	for (uint32_t i = 0; i < d->n_findings; i++)
		d->report(d->ctx, &d->findings[i]);
	d->n_findings = 0;
}

static bool has_found(const struct shared_clock *clock, const struct shadow_access *old)
{
	return !race_block_clock_missing(clock->own, (uint32_t)__builtin_ctz(old->warps), old->lanes, old->epoch);
}

static enum race_missing what_is_missing(
	struct race_detector *d, const struct shadow_access *fresh, const struct shadow_access *old, uint32_t other)
{
	uint32_t warp = (uint32_t)__builtin_ctz(fresh->warps);
	const struct thread_clocks *t = race_thread_clocks(d, warp, __builtin_ctz(fresh->lanes));
	bool strong = fresh->kind & SHADOW_STRONG, was_strong = old->kind & SHADOW_STRONG;

	if (strong && was_strong && fresh->size != old->size)
		return RACE_MISSING_SAME_SIZE;
	if (has_found(&t->acquire_fence[RACE_SCOPE_CTA], old) || has_found(&t->acquire_fence[RACE_SCOPE_GPU], old))
		return RACE_MISSING_FENCE;
	if (strong != was_strong && (fresh->kind | old->kind) & SHADOW_READS)
		return RACE_MISSING_ATOMIC;
	return warp == other ? RACE_MISSING_SYNCWARP : RACE_MISSING_BARRIER;
}

/* Both sides of a race with `old` in a word; `lanes` of the access with `others`. */
struct racing_word {
	uint64_t word;
	uint32_t lanes;
	const struct shadow_access *old;
	struct unordered_lanes others;
	enum race_missing missing;
};

static void add_race(struct race_detector *d, const struct checked_access *c, const struct racing_word *r)
{
	struct race_finding finding = {
		.kind = RACE_DATA_RACE,
		.space = c->a->space,
		.address = r->word * 4 + (uint32_t)__builtin_ctz(c->shadow.bytes & r->old->bytes),
		.here = {(int)c->shadow.instr, c->a->op, d->block, c->site->warp, r->lanes, __builtin_ctz(r->lanes)},
		.other = {(int)r->old->instr, shadow_op(r->old->kind), d->block, r->others.warp, r->others.lanes,
			__builtin_ctz(r->others.lanes)},
		.missing = r->missing,
	};
	race_add_finding(d, &finding);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static void stored_bytes(const struct race_store *store, int lane, uint8_t out[16])
{
	for (uint32_t e = 0; e < store->n; e++)
		memcpy(out + e * store->bytes, store->lanes[e] + (size_t)lane * store->stride, store->bytes);
}

/* Whether the lane stores what is there already, in `bytes` of the word. */
static bool stores_same(const struct checked_access *c, int lane, uint64_t word, uint32_t bytes)
{
	uint8_t value[16] = {0};
	uint64_t start = c->a->address[lane];
	stored_bytes(c->store, lane, value);
	for (uint32_t i = 0; i < 4; i++) {
		uint64_t offset = word * 4 + i - start;
		if (bytes >> i & 1 && value[offset] != c->store->at[lane][offset])
			return false;
	}
	return true;
}

/* What the word holds after the lane's store, in the bytes stored. */
static uint32_t stored_word(const struct checked_access *c, int lane, uint64_t word)
{
	uint8_t value[16] = {0};
	uint32_t bits = 0;
	uint64_t start = c->a->address[lane];
	if (!c->store)
		return 0;
	stored_bytes(c->store, lane, value);
	for (uint32_t i = 0; i < 4; i++)
		if (c->shadow.bytes >> i & 1)
			bits |= (uint32_t)value[word * 4 + i - start] << 8 * i;
	return bits;
}

/* --- conflicts ---------------------------------------------------------------------------------------------------- */

/* Volatile accesses of a warp that counts on running in step. */
static bool is_warp_synchronous(const struct checked_access *c, const struct shadow_access *old)
{
	uint8_t both = c->shadow.kind & old->kind;
	return both & SHADOW_VOLATILE && c->a->space == SPACE_SHARED && !((c->shadow.kind | old->kind) & SHADOW_SPINS);
}

/* The warps of `old` with which there can be a race. Strong accesses of one block race when they overlap in part. */
static uint32_t conflicting_warps(
	const struct race_detector *d, const struct checked_access *c, const struct shadow_access *old)
{
	const struct shadow_access *fresh = &c->shadow;
	if (old->epoch <= d->barrier_epoch || !(old->bytes & fresh->bytes) ||
		!((old->kind | fresh->kind) & SHADOW_WRITES))
		return 0;
	if (!(old->kind & fresh->kind & SHADOW_STRONG) || old->size != fresh->size)
		return old->warps;
	return is_warp_synchronous(c, old) ? old->warps & fresh->warps : 0;
}

static bool both_store(const struct checked_access *c, const struct shadow_access *old)
{
	return c->store && old->kind & SHADOW_WRITES && !(old->kind & SHADOW_READS);
}

static void compare_with(
	struct race_detector *d, const struct checked_access *c, uint64_t word, const struct shadow_access *old)
{
	struct shadow_access conflict = *old;
	conflict.warps = conflicting_warps(d, c, old);
	if (!conflict.warps)
		return;
	for (uint32_t left = c->shadow.lanes; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		struct unordered_lanes others = race_unordered(d, c->site->warp, lane, &conflict);
		if (!others.lanes)
			continue;
		if (both_store(c, old) && stores_same(c, lane, word, c->shadow.bytes & old->bytes))
			continue;
		enum race_missing missing = what_is_missing(d, &c->shadow, old, others.warp);
		add_race(d, c, &(struct racing_word){word, left & -left, old, others, missing});
	}
}

static void compare_word(
	struct race_detector *d, const struct checked_access *c, uint64_t word, const struct shadow_page *page)
{
	uint32_t i = word % PAGE_WORDS;
	const struct shadow_chain *chain = &page->chain[i];
	compare_with(d, c, word, &page->write[i]);
	if (c->shadow.kind & SHADOW_WRITES)
		compare_with(d, c, word, &page->read[i]);
	for (uint32_t at = chain->epoch > d->barrier_epoch ? chain->first : 0; at; at = d->links.at[at].next)
		compare_with(d, c, word, &d->links.at[at].access);
}

/* --- lanes of one instruction that store to one address ----------------------------------------------------------------- */

static bool are_apart(const struct warp_access *a)
{
	if (a->active != WARP_FULL_MASK)
		return false;
	for (int i = 1; i < WARP_SIZE; i++)
		if (a->address[i] < a->address[i - 1] + a->width)
			return false;
	return true;
}

static void compare_lane(struct race_detector *d, struct checked_access *c, int lane, uint32_t before)
{
	uint8_t value[16] = {0}, other[16] = {0};
	stored_bytes(c->store, lane, value);
	for (uint32_t left = before; left; left &= left - 1) {
		int i = __builtin_ctz(left);
		if (c->a->address[i] != c->a->address[lane])
			continue;
		stored_bytes(c->store, i, other);
		if (memcmp(value, other, c->a->width) == 0)
			continue;
		const struct shadow_access old = {.instr = c->shadow.instr, .bytes = 0xF, .kind = SHADOW_WRITES};
		c->shadow.bytes = (uint8_t)(0xF << (c->a->address[lane] & 3)) & 0xF;
		add_race(d, c,
			&(struct racing_word){c->a->address[lane] / 4, 1u << lane, &old, {c->site->warp, 1u << i},
				RACE_MISSING_ONE_VALUE});
		return;
	}
}

/* Accesses are aligned and of one width: they are at the same address or apart. */
static void compare_lanes(struct race_detector *d, struct checked_access *c)
{
	for (uint32_t left = c->a->active, before = 0; left; left &= left - 1) {
		compare_lane(d, c, __builtin_ctz(left), before);
		before |= left & -left;
	}
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* No other lane has written the word. */
static inline bool is_unshared(
	const struct race_detector *d, const struct shadow_page *page, uint32_t word, const struct shadow_access *fresh)
{
	const struct shadow_access *write = &page->write[word];
	uint32_t lanes = write->lanes | fresh->lanes;
	if (page->changed <= d->barrier_epoch)
		return true;
	if (page->chain[word].writes && page->chain[word].epoch > d->barrier_epoch)
		return false;
	return write->epoch <= d->barrier_epoch || (write->warps == fresh->warps && !(lanes & (lanes - 1)));
}

/* The usual: a load of a word that is only read, or that only this lane writes. True when that was all there is to do. */
static inline bool enter_quickly(
	const struct race_detector *d, struct shadow_page *page, uint32_t word, const struct shadow_access *fresh)
{
	struct shadow_access *read = &page->read[word];
	if (fresh->kind || !is_unshared(d, page, word, fresh))
		return false;
	if (read->epoch <= d->barrier_epoch) {
		*read = *fresh;
		return true;
	}
	if (read->epoch != fresh->epoch || read->kind || read->bytes != fresh->bytes)
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

static inline struct shadow_page *page_of(struct race_detector *d, const struct warp_access *a, uint64_t word)
{
	return a->space == SPACE_SHARED ? &d->shared[word / PAGE_WORDS] : race_page(d, word);
}

/* Most loads are of words that have been summarized. */
static inline bool is_summarized(const struct checked_access *c, const struct shadow_page *page, uint32_t word)
{
	return !c->shadow.kind && c->alike && page->others == c->others && !(c->shadow.bytes & ~page->part[word]);
}

/* A copy to the word that a lane has begun and not waited for. */
static void compare_copy(struct race_detector *d, const struct checked_access *c, uint64_t word, uint32_t lanes)
{
	const struct pending_copy *copy = &d->copies.of_word[word];
	const struct shadow_access old = {.instr = copy->instr_plus_1 - 1, .bytes = 0xF, .kind = SHADOW_WRITES};
	if (copy->instr_plus_1)
		add_race(d, c,
			&(struct racing_word){word, lanes, &old, {copy->warp, 1u << copy->lane}, RACE_MISSING_WAIT});
}

enum phase { COMPARE = 1, ENTER = 2 };

static __attribute__((noinline)) void check_closely(
	struct race_detector *d, const struct checked_access *c, uint64_t word, struct shadow_page *page, int phases)
{
	if (phases & COMPARE)
		compare_word(d, c, word, page);
	if (phases & ENTER)
		race_shadow_enter(d, page, word % PAGE_WORDS, &c->shadow);
}

/* `lanes` are those at this word; all alike. */
static inline __attribute__((always_inline)) void check_word(
	struct race_detector *d, struct checked_access *c, uint64_t number, uint32_t lanes, int phases)
{
	struct shadow_page *page = page_of(d, c->a, number);
	uint32_t word = number % PAGE_WORDS;

	c->shadow.lanes = lanes;
	if (d->copies.n && c->a->space == SPACE_SHARED && phases & COMPARE)
		compare_copy(d, c, number, lanes);
	if (!enter_quickly(d, page, word, &c->shadow))
		check_closely(d, c, number, page, phases);
	if (c->a->space == SPACE_GLOBAL && phases & ENTER && !is_summarized(c, page, word))
		race_summarize(d, page, word, &c->shadow, stored_word(c, __builtin_ctz(lanes), number));
}

static inline void check_lanes(
	struct race_detector *d, struct checked_access *c, uint64_t address, uint32_t lanes, int phases)
{
	uint32_t width = c->a->width;
	c->shadow.bytes = (uint8_t)(width < 4 ? ((1u << width) - 1) << (address & 3) : 0xF);
	for (uint32_t i = 0; i < width; i += 4)
		check_word(d, c, (address + i) / 4, lanes, phases);
}

static bool repeats_after(const struct warp_access *a, int period)
{
	uint64_t differs = 0;
	if (a->address[0] != a->address[period])
		return false;
	for (int i = 1; i + period < WARP_SIZE; i++)
		differs |= a->address[i] ^ a->address[i + period];
	return !differs;
}

/* After how many lanes the addresses of a full warp come again, as far as it is worth knowing: rows of a block. */
static int period_of(const struct warp_access *a)
{
	int period = WARP_SIZE;
	while (a->active == WARP_FULL_MASK && period > 4 && repeats_after(a, period / 2))
		period /= 2;
	return period;
}

/* Neighboring lanes at one address go together, and so do those a period apart. */
static void check_all(struct race_detector *d, struct checked_access *c, int phases)
{
	static const uint32_t combs[] = {[4] = 0x11111111, [8] = 0x01010101, [16] = 0x00010001, [32] = 1};
	const struct warp_access *a = c->a;
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
		check_lanes(d, c, address, lanes, phases);
	}
}

/* --- the access --------------------------------------------------------------------------------------------------- */

static uint8_t kind_of(const struct warp_access *a, const struct race_order *order)
{
	static const uint8_t by_op[] = {
		[ACCESS_LOAD] = 0, [ACCESS_STORE] = SHADOW_WRITES, [ACCESS_ATOMIC] = SHADOW_WRITES | SHADOW_READS};
	uint8_t kind = by_op[a->op];
	if (order->strong)
		kind |= SHADOW_STRONG;
	if (order->strong && order->scope == RACE_SCOPE_CTA)
		kind |= SHADOW_CTA;
	if (order->is_volatile)
		kind |= SHADOW_VOLATILE;
	if (order->is_volatile && order->spins)
		kind |= SHADOW_SPINS;
	return kind;
}

/* Stores whose lanes may be at one address are compared before the first of them is entered. */
static void check_phases(struct race_detector *d, struct checked_access *c)
{
	if (!c->store || are_apart(c->a)) {
		check_all(d, c, COMPARE | ENTER);
		return;
	}
	if (!(c->shadow.kind & SHADOW_STRONG) || (c->shadow.kind & SHADOW_VOLATILE && c->a->space == SPACE_SHARED))
		compare_lanes(d, c);
	check_all(d, c, COMPARE);
	check_all(d, c, ENTER);
}

/* What an access means; a bulk copy's own bytes are weak. */
static const struct race_order *order_of(
	const struct race_detector *d, const struct race_site *site, const struct warp_access *a)
{
	static const struct race_order weak;
	const struct race_order *order = &d->setup.order[site->instr];
	return order->atomic_only && a->op != ACCESS_ATOMIC ? &weak : order;
}

static struct checked_access checked_access(const struct race_detector *d, const struct race_site *site,
	const struct warp_access *a, const struct race_store *store)
{
	const struct race_order *order = order_of(d, site, a);
	const struct warp_clocks *w = &d->warps[site->warp];
	return (struct checked_access){.a = a,
		.site = site,
		.order = order,
		.store = store,
		.alike = !w->split,
		.others = w->common.now.more.others,
		.shadow = {.epoch = w->epoch,
			.instr = (uint32_t)site->reported,
			.warps = 1u << site->warp,
			.kind = kind_of(a, order),
			.size = order->size}};
}

static void check_race(struct race_detector *d, const struct race_site *site, const struct warp_access *a,
	const struct race_store *store)
{
	const struct race_order *order = order_of(d, site, a);
	enum race_scope scope = (enum race_scope)order->scope;

	if (order->ends_copy && a->op == ACCESS_STORE)
		race_copy_end(d, site->warp, a);
	if (order->releases)
		race_fence_scope(d, site->warp, a->active, scope);
	struct checked_access checked = checked_access(d, site, a, store);
	check_phases(d, &checked);
	for (uint32_t left = order->strong && d->grid->synchronizes ? a->active : 0; left; left &= left - 1)
		race_synchronize(d, site->warp, __builtin_ctz(left), a, order);
	if (order->acquires)
		race_fence_scope(d, site->warp, a->active, scope);
}

void race_access(struct race_detector *d, const struct race_site *site, const struct warp_access *a,
	const struct race_store *store)
{
	if (d->setup.uninitialized)
		race_check_written(d, site, a);
	if (d->setup.races && (a->space == SPACE_SHARED || a->space == SPACE_GLOBAL))
		check_race(d, site, a, store);
	if (d->n_findings)
		race_flush_findings(d);
}

void race_compare(struct race_detector *d, const struct race_site *site, const struct warp_access *a)
{
	struct checked_access checked = checked_access(d, site, a, NULL);
	check_all(d, &checked, COMPARE);
	if (d->n_findings)
		race_flush_findings(d);
}
