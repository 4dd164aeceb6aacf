/* What is remembered of a word: every access that something still to come may race with.
 *
 * An access can be forgotten when a later one, that knows it to be over, touches all its bytes and would race with all that
 * it would race with: whoever is ordered after the later one is ordered after both. */
#include <string.h>

#include "base/arena.h"
#include "race/detector.h"

/* Links of one block between two barriers. When there are no more, the oldest accesses are forgotten: races may be missed. */
#define LINKS_MAX (1u << 20)

static uint32_t new_link(struct check *k)
{
	if (k->n_links + 1 >= k->cap_links) {
		if (k->cap_links >= LINKS_MAX)
			return 0;
		k->cap_links = k->cap_links ? k->cap_links * 2 : 1024;
		k->links = base_realloc(k->links, k->cap_links * sizeof *k->links);
	}
	return ++k->n_links;
}

/* Whether all that races with `old` races with `fresh`, if that is not ordered either. */
static bool stands_for(const struct record *fresh, const struct record *old)
{
	bool strong = fresh->kind & RECORD_STRONG, writes = fresh->kind & RECORD_WRITES;
	bool alike = !((fresh->kind ^ old->kind) & (RECORD_CTA | RECORD_VOLATILE)) && fresh->size == old->size;
	if (strong && (!(old->kind & RECORD_STRONG) || !alike))
		return false;
	return writes || !(old->kind & RECORD_WRITES);
}

static bool knows(const struct check *k, const struct record *fresh, const struct record *old)
{
	return !check_unordered(k, (uint32_t)__builtin_ctz(fresh->warps), __builtin_ctz(fresh->lanes), old).lanes;
}

static bool is_current(const struct check *k, const struct record *r)
{
	return r->time > k->floor;
}

/* What the same lanes did before. */
static void forget_own(struct record *old, const struct record *fresh)
{
	if (!(old->lanes & ~fresh->lanes))
		old->warps &= ~fresh->warps;
	else if (old->warps == fresh->warps)
		old->lanes &= ~fresh->lanes;
}

/* Takes from `old` what `fresh` stands for. What is not ordered before a weak write has been reported, or never will be. */
static void forget(const struct check *k, struct record *old, const struct record *fresh)
{
	if (!(old->bytes & fresh->bytes) || !stands_for(fresh, old))
		return;
	bool is_weak_write = fresh->kind & RECORD_WRITES && !(fresh->kind & RECORD_STRONG);
	if (is_weak_write || knows(k, fresh, old))
		old->bytes &= (uint8_t)~fresh->bytes;
	else if (!(old->bytes & ~fresh->bytes))
		forget_own(old, fresh);
	if (!old->bytes || !old->lanes || !old->warps)
		old->time = 0;
}

static bool merge(struct record *old, const struct record *fresh)
{
	if (old->instr != fresh->instr || old->time != fresh->time || old->kind != fresh->kind ||
		old->bytes != fresh->bytes || old->size != fresh->size)
		return false;
	if (old->warps != fresh->warps && old->lanes != fresh->lanes)
		return false;
	old->warps |= fresh->warps;
	old->lanes |= fresh->lanes;
	return true;
}

/* Forgets what can be of the chain; true when `fresh` became part of one of its records. */
static bool merge_into_chain(const struct check *k, struct chain *chain, const struct record *fresh)
{
	uint32_t *from = &chain->first;
	bool merged = false;
	while (*from) {
		struct link *link = &k->links[*from];
		if (!merged && merge(&link->record, fresh))
			merged = true;
		else if (is_current(k, &link->record))
			forget(k, &link->record, fresh);
		if (is_current(k, &link->record))
			from = &link->next;
		else
			*from = link->next;
	}
	return merged;
}

static void push(struct check *k, struct chain *chain, const struct record *old)
{
	uint32_t link = new_link(k);
	if (!link)
		return;
	k->links[link] = (struct link){*old, chain->first};
	chain->first = link;
	chain->time = k->now;
	chain->writes |= old->kind & RECORD_WRITES;
}

void cell_enter(struct check *k, struct page *page, uint32_t word, const struct record *fresh)
{
	bool writes = fresh->kind & RECORD_WRITES;
	struct record *slot = writes ? &page->write[word] : &page->read[word];
	struct record *other = writes ? &page->read[word] : &page->write[word];
	struct chain *chain = &page->chain[word];

	page->changed = k->now;
	if (chain->time <= k->floor)
		*chain = (struct chain){0};
	if (is_current(k, other))
		forget(k, other, fresh);
	if (is_current(k, slot) && merge(slot, fresh))
		return;
	if (is_current(k, slot))
		forget(k, slot, fresh);
	if (chain->first && merge_into_chain(k, chain, fresh))
		return;
	if (is_current(k, slot))
		push(k, chain, slot);
	*slot = *fresh;
}
