/* model/profile/pair.h: one run with two listeners. Inside profile/ only. */
#pragma once
#include "machine/simt/simt.h"

struct pair {
	const struct simt_listener *first, *second;
};

/* Calls both, the first one first; print only the first. Blocks run on several cores when both can be forked. Valid as long as
 * the pair. */
struct simt_listener profile_pair_listener(struct pair *pair);
