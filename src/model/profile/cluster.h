/* model/profile/cluster.h: what is counted of the cluster of the watched block. Inside profile/ only. */
#pragma once
#include "model/profile/profile.h"

#define PROFILE_CLUSTER_OWN CLUSTER_RANKS_MAX /* in the place of a rank: the block's own memory */

/* The blocks of the cluster that `block` is in. */
void profile_cluster_find(
	const struct ptx_kernel *kernel, const struct launch *launch, uint32_t block, struct warp_cluster *c);

/* An access of `block`, if it is in the cluster, to shared memory of the block of that rank. */
void profile_cluster_note(struct warp_cluster *c, uint32_t block, uint32_t to, const struct warp_access *access);

/* Adds what another core counted. */
void profile_cluster_join(struct warp_cluster *to, const struct warp_cluster *more);
