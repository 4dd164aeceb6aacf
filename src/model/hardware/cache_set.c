/* The lines that a launch touches, as L2 sees them. */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "model/hardware/access.h"
#include "model/hardware/cache.h"
#include "model/hardware/schedule.h"

#define LINES_MAX ((size_t)1 << 23) /* a GiB: all that a launch may have */
#define LINES_FIRST 1024
#define PAGE_LINES 32 /* 4 KiB, which one half of L2 has */
#define ROWS 4096     /* of four pages: 64 MiB, among which single ones do not matter */
#define PARTLY 0.75   /* of its buffers, touched: with less it matters which part */
#define PAGE_SLICES 8 /* of L2 have a page: see rounds_of_slice */

/* Bits of `loads`: sector + 4 * half. */
struct set_line {
	uint64_t line; /* plus 1; 0: free */
	uint64_t when;
	uint32_t touches; /* by loads, of sectors */
	float rounds;     /* of atomics */
	float slow;       /* those of them that had to wait for a sum of floats in the same word */
	uint8_t loads, stores;
	uint8_t word; /* of the line that such a sum changed last, plus 1 */
};

struct cache_set {
	struct set_line *at;
	size_t n, cap;                  /* cap: a power of two */
	double loads, requests, stores; /* requests: lines that loads asked for */
	double changed, rounds;         /* of atomics: sectors; how often they went through one */
	uint64_t last;                  /* line found last */
	size_t last_at;
};

struct cache_set *cache_set_new(void)
{
	struct cache_set *set = base_calloc(1, sizeof *set);
	set->cap = LINES_FIRST;
	set->at = base_calloc(set->cap, sizeof *set->at);
	return set;
}

void cache_set_free(struct cache_set *set)
{
	if (set)
		free(set->at);
	free(set);
}

static size_t find_place(const struct set_line *at, size_t cap, uint64_t key)
{
	size_t i = (size_t)(key * 0x9E3779B97F4A7C15ull >> 20) & (cap - 1);
	while (at[i].line && at[i].line != key)
		i = (i + 1) & (cap - 1);
	return i;
}

/* NULL: there are too many. */
static struct set_line *find_line(struct cache_set *set, uint64_t key)
{
	if (set->last == key)
		return &set->at[set->last_at];
	if (2 * set->n >= set->cap) {
		size_t cap = 2 * set->cap;
		struct set_line *at = base_calloc(cap, sizeof *at);
		for (size_t i = 0; i < set->cap; i++)
			if (set->at[i].line)
				at[find_place(at, cap, set->at[i].line)] = set->at[i];
		free(set->at);
		set->at = at;
		set->cap = cap;
		set->last = 0;
	}
	size_t i = find_place(set->at, set->cap, key);
	if (!set->at[i].line) {
		if (set->n >= LINES_MAX)
			return NULL;
		set->at[i].line = key;
		set->n++;
	}
	set->last = key;
	set->last_at = i;
	return &set->at[i];
}

void cache_set_add(struct cache_set *set, enum cache_op op, const struct cache_line *line, int half, int when)
{
	int sectors = __builtin_popcount(line->sectors);
	bool stores = op == CACHE_STORE || op == CACHE_ATOMIC;
	*(stores ? &set->stores : &set->loads) += sectors;
	set->requests += !stores;
	set->changed += op == CACHE_ATOMIC ? sectors : 0;
	struct set_line *l = find_line(set, line->line + 1);
	if (!l)
		return;
	l->when |= 1ull << (when & 63);
	if (stores) {
		l->stores |= line->sectors;
	} else {
		l->loads |= (uint8_t)(line->sectors << (half ? CACHE_SECTORS : 0));
		l->touches += (uint32_t)sectors;
	}
}

void cache_set_change(struct cache_set *set, uint64_t line, int rounds, int word)
{
	struct set_line *l = find_line(set, line + 1);
	set->rounds += rounds;
	if (!l)
		return;
	l->rounds += (float)rounds;
	if (word < 0)
		return;
	if (l->word == word + 1 || !l->word)
		l->slow += (float)rounds;
	l->word = (uint8_t)(word + 1);
}

bool cache_set_has(const struct cache_set *set, uint64_t line)
{
	return set->at[find_place(set->at, set->cap, line + 1)].line != 0;
}

void cache_set_join(struct cache_set *set, const struct cache_set *more)
{
	set->loads += more->loads;
	set->requests += more->requests;
	set->stores += more->stores;
	set->changed += more->changed;
	set->rounds += more->rounds;
	for (size_t i = 0; i < more->cap; i++) {
		const struct set_line *from = &more->at[i];
		struct set_line *l = from->line ? find_line(set, from->line) : NULL;
		if (!l)
			continue;
		l->when |= from->when;
		l->touches += from->touches;
		l->rounds += from->rounds;
		l->slow += !l->word || !from->word || l->word == from->word ? from->slow : 0;
		l->word = from->word ? from->word : l->word;
		l->loads |= from->loads;
		l->stores |= from->stores;
	}
}

/* Of atomics, the rounds of the slice that has most of them: of its part of a page, and of the rest its share. */
static double rounds_of_slice(const struct cache_set *set)
{
	double *slices = base_calloc((size_t)ROWS * PAGE_SLICES, sizeof *slices), most = 0, page = 0,
	       slower = timing[TIMING_L2_SAME_FLOAT] - 1;
	for (size_t i = 0; i < set->cap; i++) {
		const struct set_line *l = &set->at[i];
		if (!l->line || l->rounds <= 0)
			continue;
		/* Which of the slices of L2 that share its page has a line. Verified: H100, tests/time/h100 (atomics,
		 * red_places of 1 to 1024 words: 64 of them, 256 bytes, are changed as slowly as one, 128 and 256 twice
		 * as fast, 512 four times, and 1024, a page, eight times). */
		uint64_t line = l->line - 1;
		size_t slice = (size_t)((line >> 1 & 1) | (line >> 2 & 6));
		slices[line / PAGE_LINES % ROWS * PAGE_SLICES + slice] += (double)l->rounds + slower * (double)l->slow;
	}
	for (size_t i = 0; i < ROWS; i++) {
		double all = 0, busiest = 0;
		for (size_t k = 0; k < PAGE_SLICES; k++) {
			double here = slices[i * PAGE_SLICES + k];
			all += here;
			busiest = here > busiest ? here : busiest;
		}
		if (busiest > most) {
			most = busiest;
			page = all;
		}
	}
	free(slices);
	return most + (set->rounds > page ? (set->rounds - page) / timing[TIMING_L2_SLICES] : 0);
}

struct measured {
	double mib;
	enum timing_id share;
};

/* Between two measured sizes a straight line; below the first one as much of it as the size is, above the last one
 * that. */
static double share_at(double mib, const struct measured *at, size_t n)
{
	if (mib <= at[0].mib)
		return timing[at[0].share] * mib / at[0].mib;
	for (size_t i = 0; i + 1 < n; i++) {
		double from = timing[at[i].share], to = timing[at[i + 1].share];
		if (mib <= at[i + 1].mib)
			return from + (to - from) * (mib - at[i].mib) / (at[i + 1].mib - at[i].mib);
	}
	return timing[at[n - 1].share];
}

static double share_gone(double bytes)
{
	static const struct measured gone[] = {{28, TIMING_GONE_28}, {32, TIMING_GONE_32}, {36, TIMING_GONE_36},
		{40, TIMING_GONE_40}, {44, TIMING_GONE_44}, {48, TIMING_GONE_48}, {52, TIMING_GONE_52},
		{56, TIMING_GONE_56}, {60, TIMING_GONE_60}};
	double mib = bytes / 1048576;
	return mib <= 28 ? 0 : mib >= 64 ? 1 : share_at(mib, gone, sizeof gone / sizeof *gone);
}

double cache_written(double stored, double loaded)
{
	static const struct measured alone[] = {{16, TIMING_WRITTEN_16}, {20, TIMING_WRITTEN_20},
		{24, TIMING_WRITTEN_24}, {28, TIMING_WRITTEN_28}, {32, TIMING_WRITTEN_32}, {40, TIMING_WRITTEN_40},
		{48, TIMING_WRITTEN_48}, {64, TIMING_WRITTEN_64}};
	static const struct measured copied[] = {{8, TIMING_COPIED_8}, {14, TIMING_COPIED_14}, {16, TIMING_COPIED_16},
		{18, TIMING_COPIED_18}, {20, TIMING_COPIED_20}, {22, TIMING_COPIED_22}, {24, TIMING_COPIED_24},
		{28, TIMING_COPIED_28}, {32, TIMING_COPIED_32}, {48, TIMING_COPIED_48}};
	double mib = stored / 1048576, beside = stored > 0 ? loaded / stored : 0;
	double a = share_at(mib, alone, sizeof alone / sizeof *alone),
	       b = share_at(mib, copied, sizeof copied / sizeof *copied);
	beside = beside > 1 ? 1 : beside;
	return stored * (a + (b - a) * beside);
}

struct cache_footprint cache_set_footprint(const struct cache_set *set, double buffers)
{
	struct cache_footprint f = {.loads = set->loads,
		.requests = set->requests,
		.stores = set->stores,
		.changed = set->changed,
		.rounds = set->rounds};
	uint64_t first = UINT64_MAX, last = 0, resident_from = 0;
	double l2 = timing[TIMING_L2_MIB] * 1048576, copied = l2 / 1.5;
	for (size_t i = 0; i < set->cap; i++)
		if (set->at[i].line && set->at[i].line < CACHE_LOCAL / MODEL_LINE_BYTES) {
			last = set->at[i].line > last ? set->at[i].line : last;
			first = set->at[i].line < first ? set->at[i].line : first;
		}
	if (last && (double)first + buffers / MODEL_LINE_BYTES > (double)last)
		last = first + (uint64_t)(buffers / MODEL_LINE_BYTES);
	/* buffers are copied in order: L2 has the last ones */
	if (buffers > copied && (double)last > copied / MODEL_LINE_BYTES)
		resident_from = last - (uint64_t)(copied / MODEL_LINE_BYTES);
	for (size_t i = 0; i < set->cap; i++)
		if (set->at[i].line) {
			const struct set_line *l = &set->at[i];
			unsigned loads = (l->loads | l->loads >> CACHE_SECTORS) & 15u;
			int pairs = ((loads & 3u) != 0) + ((loads & 12u) != 0), times = __builtin_popcountll(l->when);
			f.loaded += __builtin_popcount(loads);
			f.stored += __builtin_popcount(l->stores);
			f.touched += __builtin_popcount(loads | l->stores);
			f.halves += __builtin_popcount(l->loads);
			f.pairs += pairs;
			if (l->line <= resident_from && l->line < CACHE_LOCAL / MODEL_LINE_BYTES)
				f.missing += pairs;
			f.again += (double)l->touches * (times - 1) / (times ? times : 1);
		}
	/* a sector takes room at home, and a copy in the other half where that reads it: half of what each half
	 * reads */
	double room = MODEL_SECTOR_BYTES * (f.touched + f.halves / 2), used = MODEL_SECTOR_BYTES * f.touched;
	f.fits = room <= l2;
	f.rounds_most = set->rounds > 0 ? rounds_of_slice(set) : 0;

	/* How far the sectors that are found may be from half, since the model does not know where buffers lie: of each
	 * four pages in a row two are at home where they are asked for, by the parity of two bits of their number, and
	 * whether that is the outer or the inner ones is another matter in each such row. The standard deviation.
	 * Verified: H200, tests/time/h200 (caches, l2_pages). */
	double *rows = base_calloc(ROWS, sizeof *rows), variance = 0;
	for (size_t i = 0; i < set->cap; i++) {
		const struct set_line *l = &set->at[i];
		uint64_t page = (l->line - 1) / PAGE_LINES;
		unsigned loads = (l->loads | l->loads >> CACHE_SECTORS) & 15u;
		if (l->line)
			rows[page / 4 % ROWS] += __builtin_popcount(loads) *
				(__builtin_parityll(page & 3) ? -0.5 : 0.5);
	}
	for (size_t i = 0; i < ROWS; i++)
		variance += rows[i] * rows[i];
	free(rows);
	f.undecided = sqrt(variance);

	/* Whether lines are gone through in turns, all as often, rather than at random: then what does not fit is gone
	 * before it is needed. */
	double n = 0, sum = 0, squares = 0;
	for (size_t i = 0; i < set->cap; i++) {
		double touches = set->at[i].line ? set->at[i].touches : 0;
		n += touches > 0;
		sum += touches;
		squares += touches * touches;
	}
	double mean = n > 0 ? sum / n : 0;
	f.in_turns = n > 0 && squares / n - mean * mean < mean / 2;

	double gone = share_gone(used > buffers ? used : buffers);
	f.kept = f.in_turns ? 1 - share_gone(used) : f.fits ? 1 : l2 / room;
	if (f.in_turns && used > PARTLY * buffers)
		f.missing = gone * f.pairs;
	else if (!f.fits && buffers > copied)
		f.missing = f.pairs; /* what is read first evicts what would be read last */
	return f;
}
