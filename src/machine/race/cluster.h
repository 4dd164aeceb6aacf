/* machine/race/cluster.h: what machine/race/cluster.c is told and asks. Inside race/ only; race.h has the events. */
#pragma once
#include "machine/race/race.h"

/* Whether a check is for all that an access means, or compares it with others alone. */
enum race_check { RACE_CHECK_ORDERS, RACE_CHECK_COMPARES };

/* access.c: an access to shared or global memory. */
void race_check(struct race_detector *d, const struct race_site *site, const struct warp_access *a,
	const struct race_store *store, enum race_check check);

/* A finding in shared memory is in that of `owner`, by its place there. */
void race_cluster_place(struct race_finding *f, const struct race_detector *owner);

/* The block whose shared memory has the address, which is one of those that other blocks know it by. */
uint32_t race_cluster_place_block(uint64_t address);

/* Says of a finding whose shared memory it is in, if it is that of a block of a cluster. */
void race_cluster_name(struct race_finding *f);
