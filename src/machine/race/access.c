/* One access of a warp: compared, word by word, with what the shadow memory of the block remembers; entered there;
 * reported.
 *
 * The usual access is of a word that is only read, or only used by its lane: everything up to check_word must stay
 * quick. */
#include <string.h>

#include "machine/race/detector.h"

/* The access being checked. */
struct checked_access {
	const struct warp_access *a;
	const struct race_site *site;
	const struct race_order *order;
	const struct race_store *store;
	struct shadow_access shadow; /* of the word being checked */
	bool observed;               /* it is a strong access that others may observe, or that observes */
	bool alike;                  /* all lanes know the same of other blocks: */
	const struct grid_clock *others;
};

/* --- findings ----------------------------------------------------------------------------------------------------- */

void race_add_finding(struct race_detector *d, const struct race_finding *finding)
{
	for (uint32_t i = 0; i < d->n_findings; i++) {
		const struct race_finding *f = &d->findings[i];
		if (f->here.instr != finding->here.instr || f->other.instr != finding->other.instr ||
			f->other.block != finding->other.block || f->other.warp != finding->other.warp ||
			f->missing != finding->missing)
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

static enum race_missing what_is_missing(
	struct race_detector *d, const struct shadow_access *fresh, const struct shadow_access *old, uint32_t other)
{
	uint32_t warp = (uint32_t)__builtin_ctz(fresh->warps);
	const struct thread_clocks *t = race_thread_clocks(d, warp, __builtin_ctz(fresh->lanes));
	bool strong = fresh->kind & SHADOW_STRONG, was_strong = old->kind & SHADOW_STRONG;

	if (strong && was_strong && fresh->size != old->size)
		return RACE_MISSING_SAME_SIZE;
	for (int scope = 0; scope < RACE_SCOPES; scope++)
		if (!race_block_clock_missing(
			    t->acquire_fence[scope].own, (uint32_t)__builtin_ctz(old->warps), old->lanes, old->epoch))
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

/* What the word holds after the lane's store, in the bytes stored; 0 where that is not to be had. */
static uint32_t stored_word(const struct checked_access *c, int lane, uint64_t word)
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

/* Whether the lane stores what is there already. */
static bool changes_nothing(const struct checked_access *c, int lane, uint64_t word)
{
	if (!c->store || c->shadow.kind & SHADOW_STRONG)
		return false;
	uint32_t fresh = stored_word(c, lane, word), old = 0;
	uint64_t start = c->a->address[lane];
	for (uint32_t i = 0; i < 4; i++)
		if (c->shadow.bytes >> i & 1)
			old |= (uint32_t)c->store->at[lane][word * 4 + i - start] << 8 * i;
	return fresh == old;
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

/* Whether a weak access comes after an earlier strong write because its thread observed that. */
static bool has_observed(struct race_detector *d, const struct checked_access *c, uint64_t word, int lane,
	const struct shadow_access *old)
{
	return d->grid->observes && !(c->shadow.kind & SHADOW_STRONG) && old->kind & SHADOW_STRONG &&
		old->kind & SHADOW_WRITES && race_observed(d, c->a->space, word, c->site->warp, lane, old);
}

static bool both_store(const struct checked_access *c, const struct shadow_access *old)
{
	return c->store && old->kind & SHADOW_WRITES && !(old->kind & SHADOW_READS);
}

/* Whether the lane stores what is there already, in the bytes of both. */
static bool stores_same(const struct checked_access *c, const struct shadow_access *old, uint64_t word, int lane)
{
	bool same = true;
	uint32_t bytes = c->shadow.bytes & old->bytes;
	uint8_t value[16] = {0};
	stored_bytes(c->store, lane, value);
	for (uint32_t i = 0; i < 4 && same; i++) {
		uint64_t offset = word * 4 + i - c->a->address[lane];
		same = !(bytes >> i & 1) || value[offset] == c->store->at[lane][offset];
	}
	return same;
}

static void compare_with(
	struct race_detector *d, const struct checked_access *c, uint64_t word, const struct shadow_access *old)
{
	struct shadow_access conflict = *old;

	/* The warps of `old` with which there can be a race. Strong accesses of one block race when they overlap in
	 * part. */
	const struct shadow_access *fresh = &c->shadow;
	if (old->epoch <= d->barrier_epoch || !(old->bytes & fresh->bytes) ||
		!((old->kind | fresh->kind) & SHADOW_WRITES)) {
		conflict.warps = 0;
	} else {
		bool both_strong = old->kind & fresh->kind & SHADOW_STRONG;
		if (both_strong && !are_one_thread(old, fresh))
			d->communicates = true;
		if (!both_strong || old->size != fresh->size)
			conflict.warps = old->warps;
		else
			conflict.warps = is_warp_synchronous(c, old) ? old->warps & fresh->warps : 0;
	}

	if (!conflict.warps)
		return;
	for (uint32_t left = c->shadow.lanes; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		struct unordered_lanes others = race_unordered(d, c->site->warp, lane, &conflict);
		if (!others.lanes || has_observed(d, c, word, lane, old))
			continue;
		if (c->site->unlocks >> lane & 1 && old->kind & SHADOW_STRONG)
			continue; /* its thread found the word unlocked when it took the lock */
		enum race_missing missing = what_is_missing(d, &c->shadow, old, others.warp);
		if (both_store(c, old) && stores_same(c, old, word, lane)) {
			if (!((c->shadow.kind | old->kind) & SHADOW_DATA))
				continue;
			if (missing == RACE_MISSING_SYNCWARP || missing == RACE_MISSING_BARRIER)
				missing = RACE_MISSING_SAME_VALUE;
		}
		add_race(d, c, &(struct racing_word){word, left & -left, old, others, missing});
	}
}

/* --- lanes of one instruction that store to one address ----------------------------------------------------------- */

/* --- words -------------------------------------------------------------------------------------------------------- */

/* A load of a word that no other lane has written. False when its last read has to be kept as well. */
static inline bool enter_read(
	const struct race_detector *d, struct shadow_access *read, const struct shadow_access *fresh)
{
	if (read->epoch <= d->barrier_epoch) {
		*read = *fresh;
		return true;
	}
	if (read->epoch != fresh->epoch || read->kind || read->bytes != fresh->bytes || read->packed != fresh->packed)
		return false;
	if (read->instr == fresh->instr && read->lanes == fresh->lanes) {
		read->warps |= fresh->warps;
		return true;
	}
	if (read->warps != fresh->warps || fresh->packed ||
		(read->instr != fresh->instr && read->lanes & ~fresh->lanes))
		return false;
	read->instr = fresh->instr;
	read->lanes |= fresh->lanes;
	return true;
}

/* Whether no other lane has written the word, whose page was changed. */
static inline bool is_own(
	const struct race_detector *d, const struct shadow_page *page, uint32_t word, const struct shadow_access *fresh)
{
	const struct shadow_access *write = &page->write[word];
	uint32_t lanes = write->lanes | fresh->lanes;
	if (page->chain[word].writes && page->chain[word].epoch > d->barrier_epoch)
		return false;
	return write->epoch <= d->barrier_epoch || (write->warps == fresh->warps && !(lanes & (lanes - 1)));
}

/* The usual: a load of a word that is only read, or that only this lane writes. True when that was all there is to
 * do. */
static inline bool enter_quickly(
	const struct race_detector *d, struct shadow_page *page, uint32_t word, const struct shadow_access *fresh)
{
	if (fresh->kind || (page->changed > d->barrier_epoch && !is_own(d, page, word, fresh)))
		return false;
	return enter_read(d, &page->read[word], fresh);
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

enum phase { COMPARE = 1, ENTER = 2 };

/* The usual store: no access to the word since the last full barrier is remembered, so there is nothing to compare
 * with. */
static inline bool is_first(const struct race_detector *d, const struct shadow_page *page, uint32_t word)
{
	return page->write[word].epoch <= d->barrier_epoch && page->read[word].epoch <= d->barrier_epoch &&
		page->chain[word].epoch <= d->barrier_epoch;
}

static __attribute__((noinline)) void check_closely(
	struct race_detector *d, const struct checked_access *c, uint64_t word, struct shadow_page *page, int phases)
{
	race_unpack(d, page, word % PAGE_WORDS);
	if (phases & COMPARE) {
		/* Compares with the accesses before it to the word, in its page. */
		uint32_t i = word % PAGE_WORDS;
		const struct shadow_chain *chain = &page->chain[i];
		compare_with(d, c, word, &page->write[i]);
		if (c->shadow.kind & SHADOW_WRITES)
			compare_with(d, c, word, &page->read[i]);
		for (uint32_t at = chain->epoch > d->barrier_epoch ? chain->first : 0; at; at = d->links.at[at].next)
			compare_with(d, c, word, &d->links.at[at].access);
	}
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
	if (c->observed && c->shadow.kind & SHADOW_WRITES)
		c->shadow.chain = race_observed_chain(d, c->a->space, number);
	if (d->copies.n && c->a->space == SPACE_SHARED && phases & COMPARE) {
		/* A copy to the word that a lane has begun and not waited for. */
		const struct pending_copy *copy = &d->copies.of_word[number];
		const struct shadow_access old = {.instr = copy->instr_plus_1 - 1, .bytes = 0xF, .kind = SHADOW_WRITES};
		if (copy->instr_plus_1)
			add_race(d, c,
				&(struct racing_word){
					number, lanes, &old, {copy->warp, 1u << copy->lane}, RACE_MISSING_WAIT});
	}
	if (!enter_quickly(d, page, word, &c->shadow)) {
		if (!is_first(d, page, word)) {
			check_closely(d, c, number, page, phases);
		} else if (phases & ENTER) {
			/* What race_shadow_enter comes to then. */
			page->changed = d->clock;
			page->chain[word] = (struct shadow_chain){0};
			*(c->shadow.kind & SHADOW_WRITES ? &page->write[word] : &page->read[word]) = c->shadow;
		}
	}
	if (c->a->space == SPACE_GLOBAL && phases & ENTER && !is_summarized(c, page, word) &&
		!(d->setup.tiles && changes_nothing(c, __builtin_ctz(lanes), number)))
		race_summarize(d, page, word, &c->shadow, c->store ? stored_word(c, __builtin_ctz(lanes), number) : 0);
}

static inline void check_lanes(
	struct race_detector *d, struct checked_access *c, uint64_t address, uint32_t lanes, int phases)
{
	uint32_t width = c->a->width;
	c->shadow.bytes = (uint8_t)(width < 4 ? ((1u << width) - 1) << (address & 3) : 0xF);
	for (uint32_t i = 0; i < width; i += 4)
		check_word(d, c, (address + i) / 4, lanes, phases);
}

/* --- lanes -------------------------------------------------------------------------------------------------------- */

#define PERIOD_MIN 4

static bool repeats_after(const struct warp_access *a, int period)
{
	uint64_t differs = 0;
	for (int i = 0; i + period < WARP_SIZE; i++)
		differs |= a->address[i] ^ a->address[i + period];
	return !differs;
}

static bool half_is_known(const struct warp_access *a, int half)
{
	return a->half[half] == HALF_SAME || a->half[half] == HALF_ADJACENT;
}

/* After how many lanes the addresses of a full warp come again, as far as it is worth knowing: rows of a block. */
static int period_of(const struct warp_access *a)
{
	int period = WARP_SIZE;
	if (a->active == WARP_FULL_MASK && half_is_known(a, 0) && half_is_known(a, 1)) {
		bool again = a->half[0] == a->half[1] && a->address[0] == a->address[WARP_HALF_SIZE];
		return !again ? WARP_SIZE : a->half[0] == HALF_SAME ? PERIOD_MIN : WARP_HALF_SIZE;
	}
	while (a->active == WARP_FULL_MASK && period > PERIOD_MIN && a->address[0] == a->address[period / 2] &&
		repeats_after(a, period / 2))
		period /= 2;
	return period;
}

/* Whether the first `n` lanes of a full warp are at neighboring elements, upwards. */
static bool are_neighbors(const struct warp_access *a, int n)
{
	if (half_is_known(a, 0) && (n <= WARP_HALF_SIZE || half_is_known(a, 1)))
		return a->half[0] == HALF_ADJACENT &&
			(n <= WARP_HALF_SIZE ||
				(a->half[1] == HALF_ADJACENT &&
					a->address[WARP_HALF_SIZE] == a->address[WARP_HALF_SIZE - 1] + a->width));
	uint64_t differs = 0;
	for (int i = 1; i < n; i++)
		differs |= (a->address[i] - a->address[i - 1]) ^ a->width;
	return !differs;
}

/* `lane`, which is the first of `left`, and those after it that are at its address. */
static uint32_t lanes_at(const struct warp_access *a, int lane, uint32_t left)
{
	uint32_t lanes = 0, half = ((1u << WARP_HALF_SIZE) - 1) << lane;
	if (lane % WARP_HALF_SIZE == 0 && !(half & ~left)) {
		/* Whether the half of a warp that begins at `lane` is at one address. */
		bool one_address;
		if (a->active == WARP_FULL_MASK && a->half[lane / WARP_HALF_SIZE] != HALF_UNKNOWN) {
			one_address = a->half[lane / WARP_HALF_SIZE] == HALF_SAME;
		} else {
			uint64_t differs = 0;
			for (int i = lane; i < lane + WARP_HALF_SIZE; i++)
				differs |= a->address[i] ^ a->address[lane];
			one_address = !differs;
		}
		if (one_address) {
			lanes = half;
			left &= ~half;
		}
	}
	while (left && a->address[__builtin_ctz(left)] == a->address[lane]) {
		lanes |= left & -left;
		left &= left - 1;
	}
	return lanes;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Words of a page that lanes of a full warp access, each the next element: `comb` are the lanes at the first. */
struct accessed_row {
	struct shadow_page *page;
	uint64_t number; /* of the first word */
	uint32_t word, n, comb;
	int shift; /* log2 of the words of a lane */
};

/* Enters loads; how many, up to one that has to be looked at closely. */
static uint32_t enter_row(const struct race_detector *d, const struct checked_access *c, const struct accessed_row *row)
{
	struct shadow_access fresh = c->shadow, *read = &row->page->read[row->word];
	bool changed = row->page->changed > d->barrier_epoch;
	for (uint32_t i = 0; i < row->n; i++) {
		fresh.lanes = row->comb << (i >> row->shift);
		if (changed && !is_own(d, row->page, row->word + i, &fresh))
			return i;
		if (!enter_read(d, &read[i], &fresh))
			return i;
	}
	return row->n;
}

/* Enters weak stores to words that no other lane has accessed since the last full barrier. False, and nothing was done:
 * some have to be looked at closely. */
static bool enter_stores(struct race_detector *d, const struct checked_access *c, const struct accessed_row *row)
{
	struct shadow_page *page = row->page;
	struct shadow_access *read = &page->read[row->word], *write = &page->write[row->word], fresh = c->shadow;
	struct shadow_chain *chain = &page->chain[row->word];
	uint32_t old = d->barrier_epoch;

	for (uint32_t i = 0; i < row->n; i++) {
		uint32_t lane = row->comb << (i >> row->shift);
		bool reads_first = read[i].epoch > old &&
			(read[i].warps != fresh.warps || read[i].lanes != lane || read[i].kind & SHADOW_STRONG);
		if (chain[i].epoch > old || write[i].epoch > old || reads_first)
			return false;
	}
	page->changed = d->clock;
	for (uint32_t i = 0; i < row->n; i++) {
		fresh.lanes = row->comb << (i >> row->shift);
		chain[i] = (struct shadow_chain){0};
		read[i].epoch = 0; /* the lane's own, of all of the word or a part */
		write[i] = fresh;
	}
	return true;
}

static void summarize_row(
	struct race_detector *d, const struct checked_access *c, const struct accessed_row *row, uint32_t n)
{
	struct shadow_access access = c->shadow;
	uint8_t all = access.bytes;
	for (uint32_t i = 0; i < n; i++)
		all &= access.kind ? row->page->data[row->word + i] : row->page->part[row->word + i];
	if (all == access.bytes && c->alike && row->page->others == c->others)
		return;
	uint32_t values[WARP_SIZE];
	bool stores_data = access.kind == (SHADOW_WRITES | SHADOW_DATA);
	for (uint32_t i = 0; stores_data && row->shift == 0 && i < n; i++)
		values[i] = stored_word(c, (int)i, row->number + i);
	if (row->shift == 0 && (!access.kind || stores_data) &&
		race_summarize_row(d, row->page, row->word, n, &access, row->comb, stores_data ? values : NULL))
		return;
	for (uint32_t i = 0; i < n; i++) {
		int lane = (int)(i >> row->shift);
		access.lanes = row->comb << lane;
		if (!is_summarized(c, row->page, row->word + i))
			race_summarize(d, row->page, row->word + i, &access,
				c->store ? stored_word(c, lane, row->number + i) : 0);
	}
}

/* False when the access is not such a row; then nothing was done. */
static bool check_row(struct race_detector *d, struct checked_access *c, int period, uint32_t comb)
{
	const struct warp_access *a = c->a;
	struct accessed_row row = {.number = a->address[0] / 4,
		.word = a->address[0] / 4 % PAGE_WORDS,
		.n = (uint32_t)period * a->width / 4,
		.comb = comb,
		.shift = __builtin_ctz(a->width | 32) - 2};

	if (c->shadow.kind || a->active != WARP_FULL_MASK || a->width < 4 || row.word + row.n > PAGE_WORDS ||
		(d->copies.n && a->space == SPACE_SHARED) || !are_neighbors(a, period))
		return false;
	row.page = page_of(d, a, row.number);
	c->shadow.bytes = 0xF;
	uint32_t entered = enter_row(d, c, &row);
	if (a->space == SPACE_GLOBAL)
		summarize_row(d, c, &row, entered);
	for (uint32_t i = entered; i < row.n; i++)
		check_word(d, c, row.number + i, comb << (i >> row.shift), COMPARE | ENTER);
	return true;
}

/* The same of loads of 1 or 2 bytes, from the beginning of a word on: its lanes are packed. */
static bool check_packed_row(struct race_detector *d, struct checked_access *c)
{
	const struct warp_access *a = c->a;
	uint64_t number = a->address[0] / 4;
	uint32_t word = number % PAGE_WORDS, n = (uint32_t)WARP_SIZE * a->width / 4, i = 0;
	uint8_t step = (uint8_t)(4 / a->width), missing = 0;

	if (c->shadow.kind || a->active != WARP_FULL_MASK || a->width > 2 || a->address[0] % 4 ||
		word + n > PAGE_WORDS || (d->copies.n && a->space == SPACE_SHARED) || !are_neighbors(a, WARP_SIZE))
		return false;
	struct shadow_page *page = page_of(d, a, number);
	if (page->changed > d->barrier_epoch)
		return false;
	struct shadow_access fresh = c->shadow;
	fresh.bytes = 0xF;
	fresh.size = a->width;
	fresh.packed = true;
	for (fresh.lanes = (1u << step) - 1; i < n && enter_read(d, &page->read[word + i], &fresh); i++)
		fresh.lanes <<= step;

	for (uint32_t j = 0; j < i; j++)
		missing |= page->part[word + j] ^ 0xF;
	bool summarized = a->space != SPACE_GLOBAL || (c->alike && page->others == c->others && !(missing & 0xF)) ||
		race_summarize_row(d, page, word, i, &fresh, (1u << step) - 1, NULL);
	for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
		if (lane >= i * step) {
			check_lanes(d, c, a->address[lane], 1u << lane, COMPARE | ENTER);
		} else if (!summarized) {
			struct shadow_access one = c->shadow;
			one.lanes = 1u << lane;
			one.bytes = (uint8_t)(((1u << a->width) - 1) << (a->address[lane] & 3));
			race_summarize(d, page, word + lane / step, &one, 0);
		}
	}
	return true;
}

/* The same of weak stores of a full warp, each lane to the next element. */
static bool check_stored_row(struct race_detector *d, struct checked_access *c)
{
	const struct warp_access *a = c->a;
	struct accessed_row row = {.number = a->address[0] / 4,
		.word = a->address[0] / 4 % PAGE_WORDS,
		.n = (uint32_t)WARP_SIZE * a->width / 4,
		.comb = 1,
		.shift = __builtin_ctz(a->width | 32) - 2};

	if (c->shadow.kind & SHADOW_STRONG || d->setup.tiles || a->active != WARP_FULL_MASK || a->width < 4 ||
		row.word + row.n > PAGE_WORDS || (d->copies.n && a->space == SPACE_SHARED) ||
		!are_neighbors(a, WARP_SIZE))
		return false;
	row.page = page_of(d, a, row.number);
	c->shadow.bytes = 0xF;
	if (!enter_stores(d, c, &row))
		return false;
	if (a->space == SPACE_GLOBAL)
		summarize_row(d, c, &row, row.n);
	return true;
}

/* --- all words ---------------------------------------------------------------------------------------------------- */

/* Neighboring lanes at one address go together, and so do those a period apart. */
static void check_all(struct race_detector *d, struct checked_access *c, int phases)
{
	static const uint32_t combs[] = {[4] = 0x11111111, [8] = 0x01010101, [16] = 0x00010001, [32] = 1};
	const struct warp_access *a = c->a;
	int period = period_of(a);
	uint32_t comb = combs[period];
	if (check_row(d, c, period, comb) || (period == WARP_SIZE && check_packed_row(d, c)))
		return;
	for (uint32_t left = period == WARP_SIZE ? a->active : (1u << period) - 1; left;) {
		int lane = __builtin_ctz(left);
		uint32_t lanes = lanes_at(a, lane, left);
		left &= ~lanes;
		check_lanes(d, c, a->address[lane], lanes * comb, phases);
	}
}

/* --- the access --------------------------------------------------------------------------------------------------- */

static uint8_t kind_of(const struct warp_access *a, const struct race_order *order)
{
	static const uint8_t by_op[] = {
		[ACCESS_LOAD] = 0, [ACCESS_STORE] = SHADOW_WRITES, [ACCESS_ATOMIC] = SHADOW_WRITES | SHADOW_READS};
	uint8_t kind = by_op[a->op];
	bool on_mbarrier = order->arrives ||
		order->waits; /* which blocks of a cluster share, each by the scope it needs */
	if (order->stores_data)
		kind |= SHADOW_DATA;
	if (order->strong)
		kind |= SHADOW_STRONG;
	if (order->strong && !on_mbarrier && order->scope == RACE_SCOPE_CTA)
		kind |= SHADOW_CTA;
	if (order->strong && !on_mbarrier && order->scope == RACE_SCOPE_CLUSTER)
		kind |= SHADOW_CLUSTER;
	if (order->is_volatile)
		kind |= SHADOW_VOLATILE;
	if (order->is_volatile && order->spins)
		kind |= SHADOW_SPINS;
	return kind;
}

static bool is_ascending(const struct warp_access *a)
{
	if (a->active != WARP_FULL_MASK)
		return false;
	for (int i = 1; i < WARP_SIZE; i++)
		if (a->address[i] < a->address[i - 1] + a->width)
			return false;
	return true;
}

/* Whether each lane is at bytes of its own, as can be seen from neighbors: upwards, or downwards. */
static bool are_apart(const struct warp_access *a)
{
	if (is_ascending(a))
		return true;
	bool up = true, down = true;
	uint32_t lane = (uint32_t)__builtin_ctz(a->active);
	for (uint32_t left = a->active & (a->active - 1); left && (up || down); left &= left - 1) {
		uint32_t next = (uint32_t)__builtin_ctz(left);
		up &= a->address[next] >= a->address[lane] + a->width;
		down &= a->address[lane] >= a->address[next] + a->width;
		lane = next;
	}
	return up || down;
}

/* Stores whose lanes may be at one address are compared before the first of them is entered. */
static void check_phases(struct race_detector *d, struct checked_access *c)
{
	if (c->store && check_stored_row(d, c))
		return;
	if (c->store && are_apart(c->a)) {
		/* Each lane is at bytes of its own: one after the other. */
		for (uint32_t left = c->a->active; left; left &= left - 1)
			check_lanes(d, c, c->a->address[__builtin_ctz(left)], left & -left, COMPARE | ENTER);
		return;
	}
	if (!c->store) {
		check_all(d, c, COMPARE | ENTER);
		return;
	}
	if (!(c->shadow.kind & SHADOW_STRONG) || (c->shadow.kind & SHADOW_VOLATILE && c->a->space == SPACE_SHARED)) {
		/* Accesses are aligned and of one width: they are at the same address or apart. */
		for (uint32_t left = c->a->active, before = 0; left; left &= left - 1) {
			int lane = __builtin_ctz(left);
			uint8_t value[16] = {0}, other[16] = {0};
			stored_bytes(c->store, lane, value);
			for (uint32_t others = before; others; others &= others - 1) {
				int i = __builtin_ctz(others);
				if (c->a->address[i] != c->a->address[lane])
					continue;
				stored_bytes(c->store, i, other);
				bool same = memcmp(value, other, c->a->width) == 0;
				if (!(c->shadow.kind & SHADOW_DATA) && same)
					continue;
				const struct shadow_access old = {
					.instr = c->shadow.instr, .bytes = 0xF, .kind = SHADOW_WRITES};
				c->shadow.bytes = (uint8_t)(0xF << (c->a->address[lane] & 3)) & 0xF;
				add_race(d, c,
					&(struct racing_word){c->a->address[lane] / 4, 1u << lane, &old,
						{c->site->warp, 1u << i},
						same ? RACE_MISSING_SAME_VALUE : RACE_MISSING_ONE_VALUE});
				break;
			}

			before |= left & -left;
		}
	}
	check_all(d, c, COMPARE);
	check_all(d, c, ENTER);
}

/* What an access means; a bulk copy's own bytes are weak. */
const struct race_order *race_order_of(
	const struct race_detector *d, const struct race_site *site, const struct warp_access *a)
{
	static const struct race_order weak;
	static const struct race_order signals[2] = {
		{.strong = true, .size = 8, .scope = RACE_SCOPE_CTA, .releases = true, .arrives = true},
		{.strong = true,
			.size = 8,
			.scope = RACE_SCOPE_CLUSTER,
			.releases = true,
			.arrives = true,
			.signals = true}};
	const struct race_order *order = &d->setup.order[site->instr];
	if (site->signals)
		return &signals[d->setup.clusters];
	return order->is_async && a->op != ACCESS_ATOMIC ? &weak : order;
}

static struct checked_access checked_access(const struct race_detector *d, const struct race_site *site,
	const struct warp_access *a, const struct race_store *store)
{
	const struct race_order *order = race_order_of(d, site, a);
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
			.size = order->size ? order->size : a->width}};
}

void race_check(struct race_detector *d, const struct race_site *site, const struct warp_access *a,
	const struct race_store *store, enum race_check check)
{
	bool orders = check == RACE_CHECK_ORDERS;
	const struct race_order *order = race_order_of(d, site, a);
	uint32_t lanes = a->active & ~(order->waits ? site->fails : 0); /* that are ordered by it */
	enum race_scope scope = (enum race_scope)order->scope;

	if (order->ends_copy && a->op == ACCESS_STORE)
		race_copy_end(d, site->warp, a);
	if (orders && order->releases)
		race_fence_scope(d, site->warp, a->active, scope);
	struct checked_access checked = checked_access(d, site, a, store);
	checked.observed = d->grid->observes && order->observable;
	if (checked.observed)
		race_observe(d, site, a, order);
	check_phases(d, &checked);
	for (uint32_t left = orders && order->strong && d->grid->synchronizes ? lanes : 0; left; left &= left - 1)
		race_synchronize(d, site->warp, __builtin_ctz(left), a, order);
	if (orders && order->acquires && lanes)
		race_fence_scope(d, site->warp, lanes, scope);
	if (orders && order->inits)
		race_inits(d, site->warp, lanes);
}

void race_access(struct race_detector *d, const struct race_site *site, const struct warp_access *a,
	const struct race_store *store)
{
	bool checked = d->setup.races && (a->space == SPACE_SHARED || a->space == SPACE_GLOBAL);
	if (checked && d->pending)
		race_pending_compare(d, d, site, a);
	if (checked)
		race_check(d, site, a, store, RACE_CHECK_ORDERS);
	if (d->async)
		race_async_write(d, site, a);
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
