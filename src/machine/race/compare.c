/* An access against those before it that are not out of date, and against itself: what is reported of it, and when. */
#include <string.h>

#include "machine/race/compare.h"
#include "machine/race/cluster.h"

/* --- findings ----------------------------------------------------------------------------------------------------- */

static bool same_pair(const struct race_finding *a, const struct race_finding *b)
{
	return a->here.instr == b->here.instr && a->other.instr == b->other.instr && a->other.block == b->other.block &&
		a->other.warp == b->other.warp && a->missing == b->missing;
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
	for (uint32_t i = 0; i < d->n_findings; i++) {
		race_cluster_name(&d->findings[i]);
		d->report(d->ctx, &d->findings[i]);
	}
	d->n_findings = 0;
}

static bool has_found(const struct thread_clocks *t, const struct shadow_access *old)
{
	for (int scope = 0; scope < RACE_SCOPES; scope++)
		if (!race_block_clock_missing(
			    t->acquire_fence[scope].own, (uint32_t)__builtin_ctz(old->warps), old->lanes, old->epoch))
			return true;
	return false;
}

static enum race_missing what_is_missing(
	struct race_detector *d, const struct shadow_access *fresh, const struct shadow_access *old, uint32_t other)
{
	uint32_t warp = (uint32_t)__builtin_ctz(fresh->warps);
	const struct thread_clocks *t = race_thread_clocks(d, warp, __builtin_ctz(fresh->lanes));
	bool strong = fresh->kind & SHADOW_STRONG, was_strong = old->kind & SHADOW_STRONG;

	if (strong && was_strong && fresh->size != old->size)
		return RACE_MISSING_SAME_SIZE;
	if (has_found(t, old))
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

uint32_t race_stored_word(const struct checked_access *c, int lane, uint64_t word)
{
	uint8_t value[16] = {0};
	uint32_t bits = 0;
	uint64_t start = c->a->address[lane];
	if (!c->store)
		return 0;
	if (c->store->n == 1 && c->store->bytes == 4 && c->shadow.bytes == 0xF) { /* as nearly always */
		memcpy(&bits, c->store->lanes[0] + (size_t)lane * c->store->stride, 4);
		return bits;
	}
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

/* One lane of one warp. */
static bool are_one_thread(const struct shadow_access *a, const struct shadow_access *b)
{
	uint32_t warps = a->warps | b->warps, lanes = a->lanes | b->lanes;
	return !(warps & (warps - 1)) && !(lanes & (lanes - 1));
}

/* The warps of `old` with which there can be a race. Strong accesses of one block race when they overlap in part. */
static uint32_t conflicting_warps(
	struct race_detector *d, const struct checked_access *c, const struct shadow_access *old)
{
	const struct shadow_access *fresh = &c->shadow;
	if (old->epoch <= d->barrier_epoch || !(old->bytes & fresh->bytes) ||
		!((old->kind | fresh->kind) & SHADOW_WRITES))
		return 0;
	bool both_strong = old->kind & fresh->kind & SHADOW_STRONG;
	if (both_strong && !are_one_thread(old, fresh))
		d->communicates = true;
	if (!both_strong || old->size != fresh->size)
		return old->warps;
	return is_warp_synchronous(c, old) ? old->warps & fresh->warps : 0;
}

/* Whether a weak access comes after an earlier strong write because its thread observed that. */
static bool has_observed(struct race_detector *d, const struct checked_access *c, uint64_t word, int lane,
	const struct shadow_access *old)
{
	return d->grid->observes && !(c->shadow.kind & SHADOW_STRONG) && old->kind & SHADOW_STRONG &&
		old->kind & SHADOW_WRITES && race_observed(d, c->a->space, word, c->site->warp, lane, old);
}

static bool both_store(const struct checked_access *c, const struct shadow_access *old)
{
	return c->store && old->kind & SHADOW_WRITES && !(old->kind & SHADOW_READS) &&
		!((c->shadow.kind | old->kind) & SHADOW_DATA);
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
		if (!others.lanes || has_observed(d, c, word, lane, old))
			continue;
		if (both_store(c, old) && stores_same(c, lane, word, c->shadow.bytes & old->bytes))
			continue;
		enum race_missing missing = what_is_missing(d, &c->shadow, old, others.warp);
		add_race(d, c, &(struct racing_word){word, left & -left, old, others, missing});
	}
}

void race_compare_word(
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

/* A copy to the word that a lane has begun and not waited for. */
void race_compare_copy(struct race_detector *d, const struct checked_access *c, uint64_t word, uint32_t lanes)
{
	const struct pending_copy *copy = &d->copies.of_word[word];
	const struct shadow_access old = {.instr = copy->instr_plus_1 - 1, .bytes = 0xF, .kind = SHADOW_WRITES};
	if (copy->instr_plus_1)
		add_race(d, c,
			&(struct racing_word){word, lanes, &old, {copy->warp, 1u << copy->lane}, RACE_MISSING_WAIT});
}

/* --- lanes of one instruction that store to one address ----------------------------------------------------------------- */

static void compare_lane(struct race_detector *d, struct checked_access *c, int lane, uint32_t before)
{
	uint8_t value[16] = {0}, other[16] = {0};
	stored_bytes(c->store, lane, value);
	for (uint32_t left = before; left; left &= left - 1) {
		int i = __builtin_ctz(left);
		if (c->a->address[i] != c->a->address[lane])
			continue;
		stored_bytes(c->store, i, other);
		if (!(c->shadow.kind & SHADOW_DATA) && memcmp(value, other, c->a->width) == 0)
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
void race_compare_lanes(struct race_detector *d, struct checked_access *c)
{
	for (uint32_t left = c->a->active, before = 0; left; left &= left - 1) {
		compare_lane(d, c, __builtin_ctz(left), before);
		before |= left & -left;
	}
}
