#include "machine/race/location.h"

#include <stdlib.h>

#include "base/arena.h"
#include "machine/race/detector.h"

#define BLOCKS_MANY UINT32_MAX

/* Words of which observation is followed; of others it orders nothing. */
#define WORDS_MAX (1u << 20)

/* --- the words ---------------------------------------------------------------------------------------------------- */

void race_observed_clear(struct race_table *words)
{
	for (uint32_t i = 0; words->n && i < words->cap; i++)
		free(words->slots[i]);
	race_table_clear(words);
}

void race_observed_free(struct race_table *words)
{
	race_observed_clear(words);
	race_table_free(words);
}

static struct race_table *table_of(struct race_detector *d, enum mem_space space)
{
	return space == SPACE_SHARED ? &d->observed : &d->grid->observed;
}

/* Those of global memory are of all blocks. */
static void lock_words(struct race_detector *d, enum mem_space space)
{
	if (space == SPACE_GLOBAL)
		pthread_mutex_lock(&d->grid->lock);
}

static void unlock_words(struct race_detector *d, enum mem_space space)
{
	if (space == SPACE_GLOBAL)
		pthread_mutex_unlock(&d->grid->lock);
}

/* Accesses of 8 bytes are found at both of their words. */
static struct observed_word *find_word(const struct race_table *words, uint64_t number)
{
	struct observed_word *found = race_table_find(words, number);
	if (found || !(number & 1))
		return found;
	found = race_table_find(words, number - 1);
	return found && found->size == 8 ? found : NULL;
}

static struct observed_word *find_or_add(struct race_table *words, uint64_t number)
{
	struct observed_word *word = race_table_find(words, number);
	if (word || words->n == WORDS_MAX)
		return word;
	word = base_calloc(1, sizeof *word);
	word->number = number;
	race_table_add(words, word);
	return word;
}

/* --- who has observed what ---------------------------------------------------------------------------------------- */

static bool is_before(struct race_detector *d, const struct observer *o, uint32_t warp, int lane)
{
	if (!o->lanes)
		return false;
	const struct shadow_access then = {.epoch = o->epoch, .warps = 1u << o->warp, .lanes = o->lanes};
	if (o->block == d->block) /* one of them will do */
		return race_unordered(d, warp, lane, &then).lanes != then.lanes;
	const struct grid_clock *others = race_thread_clocks(d, warp, lane)->now.more.others;
	return race_block_clock_missing(race_grid_clock_block(others, o->block), o->warp, o->lanes, o->epoch) !=
		o->lanes;
}

/* One that had observed the chain of the word and comes before the next access of the lane; NULL: there is none. */
static const struct observer *find_observer(
	struct race_detector *d, const struct observed_word *w, uint32_t warp, int lane)
{
	if (is_before(d, &w->writer, warp, lane))
		return &w->writer;
	for (uint32_t i = 0; i < w->n_readers; i++)
		if (is_before(d, &w->reader[i], warp, lane))
			return &w->reader[i];
	return NULL;
}

/* --- strong accesses ---------------------------------------------------------------------------------------------- */

struct strong_access {
	const struct race_site *site;
	const struct race_order *order;
	enum access_op op;
	enum mem_space space;
	uint64_t address;
	int lane;
};

static struct observer observer_of(const struct race_detector *d, const struct strong_access *a)
{
	return (struct observer){d->block, a->site->warp, 1u << a->lane, d->warps[a->site->warp].epoch};
}

/* Whether it is morally strong with all writes of the chain, and so observes them. */
static bool is_morally_strong(
	const struct race_detector *d, const struct observed_word *w, const struct strong_access *a)
{
	bool global = a->space == SPACE_GLOBAL, cta = w->cta || (a->order->scope == RACE_SCOPE_CTA && global);
	bool cluster = w->cluster || (a->order->scope == RACE_SCOPE_CLUSTER && global);
	return w->size == a->order->size && w->offset == (a->address & 3) && (!cta || w->one_block == d->block) &&
		(!cluster || w->one_cluster == d->cluster);
}

static void add_reader(const struct race_detector *d, struct observed_word *w, const struct strong_access *a)
{
	struct observer fresh = observer_of(d, a);
	for (uint32_t i = 0; i < w->n_readers; i++) {
		struct observer *old = &w->reader[i];
		if (old->block != fresh.block || old->warp != fresh.warp)
			continue;
		if (old->epoch == fresh.epoch || old->lanes == fresh.lanes) {
			old->lanes |= fresh.lanes;
			return; /* whoever knows of the earlier look is after the chain, too */
		}
	}
	w->reader[w->n_readers % OBSERVERS_MAX] = fresh;
	w->n_readers += w->n_readers < OBSERVERS_MAX;
}

void race_observe(struct race_detector *d, const struct race_site *site, const struct warp_access *access,
	const struct race_order *order)
{
	struct race_table *words = table_of(d, access->space);
	lock_words(d, access->space);
	for (uint32_t left = access->active; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		enum access_op op = site->fails >> lane & 1 ? ACCESS_LOAD : access->op;
		struct strong_access a = {site, order, op, access->space, access->address[lane], lane};

		struct observed_word *w = race_table_find(words, a.address / 4);
		if (!w && a.op == ACCESS_LOAD)
			continue;
		w = w ? w : find_or_add(words, a.address / 4);
		if (!w)
			continue;
		bool observes = a.op != ACCESS_STORE && w->writes && is_morally_strong(d, w, &a);
		if (a.op != ACCESS_LOAD && !observes) {
			const struct observer *found = find_observer(d, w, a.site->warp, a.lane);
			if (w->writes > w->from && is_before(d, &w->before, a.site->warp, a.lane)) {
				w->before = found ? observer_of(d, &a) : (struct observer){0};
			} else if (w->writes > w->from) {
				w->before = found ? *found : (struct observer){0};
				w->before_from = w->from;
				w->before_chain = w->chain;
			}
			w->from = w->writes;
			w->chain++;
			w->size = a.order->size;
			w->offset = a.address & 3;
			w->one_block = d->block;
			w->one_cluster = d->cluster;
			w->cta = w->cluster = false;
			w->n_readers = 0;
			w->writer = (struct observer){0};
		}
		if (a.op != ACCESS_LOAD) {
			bool knows = a.order->observes || w->writes == w->from ||
				find_observer(d, w, a.site->warp, a.lane);
			w->writes++;
			w->writer = knows ? observer_of(d, &a) : (struct observer){0};
			w->n_readers = 0;
			w->cta |= a.order->scope == RACE_SCOPE_CTA && a.space == SPACE_GLOBAL;
			w->cluster |= a.order->scope == RACE_SCOPE_CLUSTER && a.space == SPACE_GLOBAL;
			if (w->one_block != d->block)
				w->one_block = BLOCKS_MANY;
			if (w->one_cluster != d->cluster)
				w->one_cluster = BLOCKS_MANY;
		} else if (observes) {
			add_reader(d, w, &a);
		}
	}
	if (access->space == SPACE_GLOBAL && words->n && !d->grid->observed_any)
		d->grid->observed_any = true;
	unlock_words(d, access->space);
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

uint8_t race_observed_chain(struct race_detector *d, enum mem_space space, uint64_t word)
{
	lock_words(d, space);
	const struct observed_word *w = find_word(table_of(d, space), word);
	uint8_t chain = w ? (uint8_t)w->chain : 0;
	unlock_words(d, space);
	return chain;
}

bool race_observed(struct race_detector *d, enum mem_space space, uint64_t word, uint32_t warp, int lane,
	const struct shadow_access *old)
{
	lock_words(d, space);
	const struct observed_word *w = find_word(table_of(d, space), word);
	bool observed = false;
	if (w) {
		uint32_t age = (uint8_t)(w->chain - old->chain);
		observed = age ? age <= w->chain - w->before_chain && is_before(d, &w->before, warp, lane)
			       : find_observer(d, w, warp, lane) != NULL;
	}
	unlock_words(d, space);
	return observed;
}

struct write_range race_observed_writes(struct race_detector *d, uint64_t word, uint32_t warp, int lane)
{
	struct write_range range = {0};
	pthread_mutex_lock(&d->grid->lock);
	struct observed_word *w = find_word(&d->grid->observed, word);
	if (w) {
		bool older = is_before(d, &w->before, warp, lane), chain = find_observer(d, w, warp, lane);
		range = (struct write_range){older ? w->before_from : w->from, chain ? w->writes : w->from};
		w->relied = range.to > w->relied ? range.to : w->relied;
		if (range.to > range.from)
			d->grid->relies = true;
	}
	pthread_mutex_unlock(&d->grid->lock);
	return range;
}

struct write_range race_last_write(struct race_detector *d, uint64_t word)
{
	pthread_mutex_lock(&d->grid->lock);
	const struct observed_word *w = find_word(&d->grid->observed, word);
	struct write_range range = {0, w ? w->writes : 0};
	pthread_mutex_unlock(&d->grid->lock);
	return range;
}

bool race_observed_anew(struct race_detector *d, uint64_t word)
{
	pthread_mutex_lock(&d->grid->lock);
	struct observed_word *w = find_word(&d->grid->observed, word);
	bool anew = w && w->relied && w->writes > w->relied && (w->again != w->relied || w->again_block != d->block);
	if (anew) {
		w->again = w->relied;
		w->again_block = d->block;
	}
	pthread_mutex_unlock(&d->grid->lock);
	return anew;
}
