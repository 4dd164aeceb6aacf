/* profile/pair.h: two listeners to one run. Inside profile/ only. */
#pragma once
#include "simt/simt.h"

struct pair {
	const struct simt_listener *first, *second;
};

/* Tells both, the first first, all but what is printed, which is for the first alone. On several cores when both can be forked.
 * Valid as long as the pair. */
struct simt_listener profile_pair_listener(struct pair *pair);
