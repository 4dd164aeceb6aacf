/* machine/simt/cluster.h: the blocks of a cluster, their barrier, and the addresses of their shared memory. Inside simt/ only.
 *
 * The blocks of a cluster begin together and are resident together. In the shared window an address below 1 << CLUSTER_SHIFT is in
 * the own block; others have the block's rank plus 1 above these bits, as `mapa` makes them. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct code;
struct machine;
struct race_cluster;
struct warp;

#define CLUSTER_BLOCKS_MAX 16u /* CC 9.0, a size that is not portable */
#define CLUSTER_SHIFT 24u
#define CLUSTER_OFFSET (((uint64_t)1 << CLUSTER_SHIFT) - 1)

/* How the launch's blocks form clusters. */
struct cluster_shape {
	uint32_t dims[3], n; /* blocks of a cluster; 1: there are no clusters, each block is one by itself */
	bool is_explicit;    /* the kernel or the launch says so */
};

struct cluster {
	uint32_t n;
	struct machine *block[CLUSTER_BLOCKS_MAX]; /* by rank; NULL: it has ended */
	struct race_cluster *race;                 /* or NULL */
	bool has_arrivals;                         /* at the barrier, in this phase */
	uint32_t idle;                             /* turns of its blocks since one of them did something */
};

/* What lanes of a warp did at the cluster's barrier. */
struct cluster_lanes {
	uint32_t arrived; /* in the phase that is not complete */
	uint32_t passed;  /* their phase is complete, and they have not waited for it */
};

/* The linear index of the block of that rank, of cluster number `cluster`. */
uint32_t simt_cluster_block(const struct machine *model, uint64_t cluster, uint32_t rank);

/* The number of the cluster that the block of that linear index is in. */
uint64_t simt_cluster_of(const struct machine *model, uint32_t block);

/* A cluster of the blocks `block`, ready to begin; `race`: one that detectors watch. */
struct cluster *simt_cluster_new(struct machine **block, uint32_t n);

/* The block has ended; with its last block the cluster is freed. */
void simt_cluster_leave(struct machine *m);

/* Lanes have ended: completes the barrier if it waited for them alone. */
void simt_cluster_update(struct machine *m);

/* Whether a warp of the block waits at the cluster's barrier; whether the cluster's blocks all do nothing but wait. */
bool simt_cluster_waits(const struct machine *m);
bool simt_cluster_is_stuck(const struct machine *m);

/* No warp of the cluster can go on, and one waits at its barrier: reports that. False: none waits there. */
bool simt_cluster_deadlock(struct machine *m);

/* The block that an address of the shared window is in, NULL when it has ended or there is none; `*rank` of which, the own
 * block's for an address below 1 << CLUSTER_SHIFT. */
struct machine *simt_cluster_owner(const struct machine *m, uint64_t address, uint32_t *rank);

/* The block of the cluster whose shared memory has the byte at `host`, NULL: none. */
struct machine *simt_cluster_of_host(const struct machine *m, const uint8_t *host);

/* An access to addresses of the shared window, some of them beyond 1 << CLUSTER_SHIFT: mem_cluster.c. */
bool simt_cluster_access(struct warp *w, const struct code *c, uint32_t mask);
