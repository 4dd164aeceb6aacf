/* machine/warp/cluster.h: what the blocks of a cluster access in each other's shared memory. */
#pragma once
#include <stdint.h>

#define CLUSTER_RANKS_MAX 16

struct cluster_traffic {
	uint64_t requests; /* warp instructions, or their parts: lanes whose addresses are in the same block */
	uint64_t atomics;  /* of those */
	uint64_t bytes;    /* distinct ones of a request */
};

struct warp_cluster {
	uint32_t n;                        /* blocks; 1: there are no clusters, 0: it is not known */
	uint32_t watched;                  /* rank of the watched block */
	uint32_t block[CLUSTER_RANKS_MAX]; /* linear index, by rank */
	struct cluster_traffic at[CLUSTER_RANKS_MAX]
				 [CLUSTER_RANKS_MAX]; /* from, to; to itself: all requests of shared memory */
};
