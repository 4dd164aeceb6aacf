/* Whether a kernel can be launched: the shape of the grid, and what it needs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/memory.h"
#include "machine/simt/run.h"

#define CALLS_ROOM 4096u

static uint64_t volume(const uint32_t dims[3])
{
	unsigned __int128 v = (unsigned __int128)dims[0] * dims[1] * dims[2];
	return v > UINT64_MAX ? UINT64_MAX : (uint64_t)v;
}

static bool check_shape(struct machine *m)
{
	static const uint32_t grid_max[3] = {0x7FFFFFFF, 65535, 65535},
			      block_max[3] = {BLOCK_THREADS_MAX, BLOCK_THREADS_MAX, 64};
	const struct simt_launch *l = m->launch;
	const struct ptx_kernel *k = l->kernel;
	const uint32_t *g = l->grid, *b = l->block;

	for (int i = 0; i < 3; i++) {
		if (!g[i] || !b[i] || g[i] > grid_max[i] || b[i] > block_max[i]) {
			simt_refuse(m,
				"a grid of %u,%u,%u blocks of %u,%u,%u threads cannot be launched: at most %u,%u,%u and %u,%u,%u, at least 1",
				g[0], g[1], g[2], b[0], b[1], b[2], grid_max[0], grid_max[1], grid_max[2], block_max[0],
				block_max[1], block_max[2]);
			return false;
		}
	}
	uint64_t threads = volume(b);
	if (threads > BLOCK_THREADS_MAX)
		simt_refuse(m, "a block has at most %u threads, not %" PRIu64, BLOCK_THREADS_MAX, threads);
	else if (k->max_threads && threads > k->max_threads)
		simt_refuse(m, "this kernel was compiled for at most %u threads per block, not %" PRIu64,
			k->max_threads, threads);
	else if (k->required[0] && memcmp(k->required, b, sizeof k->required) != 0)
		simt_refuse(m, "this kernel was compiled for blocks of %u,%u,%u threads", k->required[0],
			k->required[1], k->required[2]);
	return !m->stop;
}

/* Local memory for a thread: the kernel's own, and room for a call of every function, which is enough for most; with many
 * functions, or recursion, it grows. */
static uint64_t local_room(const struct ptx_kernel *k)
{
	uint64_t calls = 0;
	for (int i = 1; i < k->n_parts; i++)
		calls += k->parts[i].code->local_bytes + 16;
	return (k->local_bytes + (calls < CALLS_ROOM ? calls : CALLS_ROOM) + 15) / 16 * 16;
}

static bool check_memory(struct machine *m)
{
	const struct simt_launch *l = m->launch;
	uint32_t limit = l->limits.shared ? l->limits.shared : SIMT_SHARED_DEFAULT;

	m->shared.size = l->kernel->shared_bytes + l->dynamic_shared;
	m->local_bytes = l->kernel->local_bytes;
	m->local_room = local_room(l->kernel);
	if (m->shared.size > limit)
		simt_refuse(m, "a block needs %zu bytes of shared memory; there are %u", m->shared.size, limit);
	else if (m->local_bytes > LOCAL_MAX)
		simt_refuse(m, "a thread needs %" PRIu64 " bytes of local memory; there are %" PRIu64, m->local_bytes,
			LOCAL_MAX);
	else if (l->kernel->param_bytes && !l->params)
		simt_refuse(m, "the kernel has parameters, and none are given");
	return !m->stop;
}

static bool check_threads(struct machine *m)
{
	const struct simt_launch *l = m->launch;
	uint64_t limit = l->limits.threads ? l->limits.threads : SIMT_THREADS_DEFAULT;
	uint64_t blocks = volume(l->grid), threads;

	if (!__builtin_mul_overflow(blocks, volume(l->block), &threads) && threads <= limit)
		return true;
	m->result->outcome = SIMT_LIMIT;
	snprintf(m->result->message, sizeof m->result->message, "the launch has more than %" PRIu64 " threads", limit);
	return false;
}

/* CUDA Programming Guide, Thread Block Clusters; what the driver refuses as an invalid cluster size. */
static bool check_cluster(struct machine *m)
{
	const struct simt_launch *l = m->launch;
	const struct ptx_kernel *k = l->kernel;
	struct cluster_shape *s = &m->cluster_shape;
	const uint32_t *asked = l->cluster[0] ? l->cluster : k->cluster;

	s->is_explicit = asked[0] != 0;
	for (int i = 0; i < 3; i++)
		s->dims[i] = asked[i] ? asked[i] : 1;
	uint64_t n = volume(s->dims);
	if (l->cluster[0] && k->cluster[0] && memcmp(l->cluster, k->cluster, sizeof l->cluster) != 0)
		simt_refuse(m, "this kernel was compiled for clusters of %u,%u,%u blocks", k->cluster[0], k->cluster[1],
			k->cluster[2]);
	else if (k->explicit_cluster && !s->is_explicit)
		simt_refuse(m, "this kernel needs clusters, and the launch says none: --cluster");
	else if (n > CLUSTER_BLOCKS_MAX)
		simt_refuse(m, "a cluster has at most %u blocks, not %" PRIu64, CLUSTER_BLOCKS_MAX, n);
	else if (k->max_cluster && n > k->max_cluster)
		simt_refuse(m, "this kernel was compiled for clusters of at most %u blocks, not %" PRIu64,
			k->max_cluster, n);
	for (int i = 0; !m->stop && i < 3; i++)
		if (l->grid[i] % s->dims[i])
			simt_refuse(m, "a grid of %u,%u,%u blocks cannot be divided into clusters of %u,%u,%u",
				l->grid[0], l->grid[1], l->grid[2], s->dims[0], s->dims[1], s->dims[2]);
	s->n = (uint32_t)n;
	return !m->stop;
}

/* The driver refuses what could only deadlock. */
static bool check_resident(struct machine *m)
{
	const struct simt_launch *l = m->launch;
	const struct simt_resident *r = &l->resident;
	if (l->cooperative && r->blocks && volume(l->grid) > r->blocks)
		simt_refuse(m,
			"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: a cooperative launch of %" PRIu64
			" blocks; at most %u are resident together: %s",
			volume(l->grid), r->blocks, r->why ? r->why : "so the launch says");
	return !m->stop;
}

bool simt_launch_check(struct machine *m)
{
	return check_shape(m) && check_cluster(m) && check_memory(m) && check_threads(m) && check_resident(m);
}
