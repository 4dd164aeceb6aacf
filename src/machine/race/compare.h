/* machine/race/compare.h: an access being checked, and its comparison with what was done to its words before. Inside race/ only. */
#pragma once
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

/* Compares with the accesses before it to the word, in its page; with copies to the word that have begun; and its lanes with
 * each other, where they store to one address. */
void race_compare_word(
	struct race_detector *d, const struct checked_access *c, uint64_t word, const struct shadow_page *page);
void race_compare_copy(struct race_detector *d, const struct checked_access *c, uint64_t word, uint32_t lanes);
void race_compare_lanes(struct race_detector *d, struct checked_access *c);

/* What the word holds after the lane's store, in the bytes stored; 0 where that is not to be had. */
uint32_t race_stored_word(const struct checked_access *c, int lane, uint64_t word);
