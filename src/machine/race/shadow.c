/* The shadow memory of a block: the pages of memory that it accesses, and what is remembered of each word. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/race/detector.h"

/* --- pages of global memory --------------------------------------------------------------------------------------- */

/* 8 MiB of global memory: when a block accesses more between two barriers, what was remembered of it before is
 * forgotten. Races may be missed then, none is invented. */
#define PAGES_MAX (8u << 10)

void race_pages_start(struct race_detector *d)
{
	race_table_clear(&d->global.by_number);
	memset(d->global.recent, 0, sizeof d->global.recent);
}

struct shadow_page *race_page_find(struct race_detector *d, uint64_t number)
{
	struct shadow_page *page = race_table_find(&d->global.by_number, number);
	if (!page) {
		/* A page that this block has not used, as far as there is one. What it holds of blocks before is out of
		 * date. */
		if (d->global.by_number.n == PAGES_MAX) {
			d->communicates = true;
			race_pages_start(d);
		}
		if (d->global.by_number.n == d->global.made)
			*vec_push(d->global.pages, d->global.made, d->global.cap) = base_calloc(
				1, sizeof(struct shadow_page));
		page = d->global.pages[d->global.by_number.n];
		if (page->block_start == d->block_start)
			memset(page, 0, sizeof *page);
		page->block_start = d->block_start;
		page->fences = 0;

		page->number = number;
		race_table_add(&d->global.by_number, page);
	}
	if (page->fences != d->fences)
		race_summary_reset(d, page, NULL);
	d->global.recent[number % RECENT_PAGES] = page;
	return page;
}

void race_pages_free(struct race_detector *d)
{
	for (uint32_t i = 0; i < d->global.made; i++)
		free(d->global.pages[i]);
	free(d->global.pages);
	race_table_free(&d->global.by_number);
	d->global = (struct page_table){0};
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* What is remembered of a word: every access that something still to come may race with.
 *
 * FastTrack keeps the last write and the last reads of a variable, as epochs. Here accesses are strong or weak, of
 * bytes of a word, and of many lanes at once, so a word has its last read, its last write, and a chain of earlier ones.
 * An access can be forgotten when a later one that it happens before touches all its bytes and would race with all that
 * it would race with: whatever is ordered after the later one is ordered after both. */

/* Links of one block between two barriers. When there are no more, the oldest accesses are forgotten: races may be
 * missed. */
#define LINKS_MAX (1u << 20)

/* Whether all that races with `old` races with `fresh`, if that is not ordered either. */
static bool stands_for(const struct shadow_access *fresh, const struct shadow_access *old)
{
	bool strong = fresh->kind & SHADOW_STRONG, writes = fresh->kind & SHADOW_WRITES;
	bool alike = !((fresh->kind ^ old->kind) & (SHADOW_CTA | SHADOW_CLUSTER | SHADOW_VOLATILE)) &&
		fresh->size == old->size;
	if (strong && (!(old->kind & SHADOW_STRONG) || !alike))
		return false;
	return writes || !(old->kind & SHADOW_WRITES);
}

static bool happens_before(
	const struct race_detector *d, const struct shadow_access *old, const struct shadow_access *fresh)
{
	return !race_unordered(d, (uint32_t)__builtin_ctz(fresh->warps), __builtin_ctz(fresh->lanes), old).lanes;
}

static bool is_current(const struct race_detector *d, const struct shadow_access *access)
{
	return access->epoch > d->barrier_epoch;
}

/* Takes from `old` what `fresh` stands for. What is not ordered before a weak write has been reported, or never will
 * be. */
static void forget_covered(const struct race_detector *d, struct shadow_access *old, const struct shadow_access *fresh)
{
	if (!(old->bytes & fresh->bytes) || !stands_for(fresh, old))
		return;
	bool is_weak_write = fresh->kind & SHADOW_WRITES && !(fresh->kind & SHADOW_STRONG);
	if (is_weak_write || happens_before(d, old, fresh)) {
		old->bytes &= (uint8_t)~fresh->bytes;
	} else if (!(old->bytes & ~fresh->bytes)) {
		/* What the same lanes did before. */
		if (!(old->lanes & ~fresh->lanes))
			old->warps &= ~fresh->warps;
		else if (old->warps == fresh->warps)
			old->lanes &= ~fresh->lanes;
	}
	if (!old->bytes || !old->lanes || !old->warps)
		old->epoch = 0;
}

/* Whether `fresh` became part of `old`. */
static bool merge_access(struct shadow_access *old, const struct shadow_access *fresh)
{
	if (old->instr != fresh->instr || old->epoch != fresh->epoch || old->kind != fresh->kind ||
		old->bytes != fresh->bytes || old->size != fresh->size || old->chain != fresh->chain)
		return false;
	if (old->warps != fresh->warps && old->lanes != fresh->lanes)
		return false;
	old->warps |= fresh->warps;
	old->lanes |= fresh->lanes;
	return true;
}

/* Adds to the chain of a word. */
static void add_link(
	struct race_detector *d, struct shadow_page *page, uint32_t word, const struct shadow_access *access)
{
	struct shadow_chain *chain = &page->chain[word];
	if (d->links.n + 1 >= LINKS_MAX) {
		d->communicates = true;
		return;
	}
	vec_reserve(d->links.at, d->links.n, d->links.cap, 2);
	uint32_t link = ++d->links.n;
	d->links.at[link] = (struct shadow_link){*access, chain->first};
	chain->first = link;
	chain->epoch = d->clock;
	chain->writes |= access->kind & SHADOW_WRITES;
}

void race_unpack(struct race_detector *d, struct shadow_page *page, uint32_t word)
{
	struct shadow_access *read = &page->read[word], one = *read;
	if (!is_current(d, read) || read->kind || !read->packed)
		return;
	if (page->chain[word].epoch <= d->barrier_epoch)
		page->chain[word] = (struct shadow_chain){0};
	one.packed = false;
	one.bytes = (uint8_t)((1u << read->size) - 1);
	for (uint32_t left = read->lanes; left; left &= left - 1) {
		one.lanes = left & -left;
		if (left & (left - 1))
			add_link(d, page, word, &one);
		else
			*read = one;
		one.bytes = (uint8_t)(one.bytes << one.size);
	}
}

void race_shadow_enter(
	struct race_detector *d, struct shadow_page *page, uint32_t word, const struct shadow_access *fresh)
{
	bool writes = fresh->kind & SHADOW_WRITES;
	struct shadow_access *slot = writes ? &page->write[word] : &page->read[word];
	struct shadow_access *other = writes ? &page->read[word] : &page->write[word];
	struct shadow_chain *chain = &page->chain[word];

	page->changed = d->clock;
	if (chain->epoch <= d->barrier_epoch)
		*chain = (struct shadow_chain){0};
	if (is_current(d, other))
		forget_covered(d, other, fresh);
	if (is_current(d, slot) && merge_access(slot, fresh))
		return;
	if (is_current(d, slot))
		forget_covered(d, slot, fresh);

	if (chain->first) {
		/* What can be forgotten of the chain is; `fresh` may become part of one of its accesses. */
		uint32_t *from = &chain->first;
		bool merged = false;
		while (*from) {
			struct shadow_link *link = &d->links.at[*from];
			if (!merged && merge_access(&link->access, fresh))
				merged = true;
			else if (is_current(d, &link->access))
				forget_covered(d, &link->access, fresh);
			if (is_current(d, &link->access))
				from = &link->next;
			else
				*from = link->next;
		}
		if (merged)
			return;
	}

	/* What was in the slot goes to the chain. */
	if (is_current(d, slot))
		add_link(d, page, word, slot);
	*slot = *fresh;
}
