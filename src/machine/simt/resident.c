#include "machine/simt/resident.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/vec.h"
#include "machine/simt/block.h"
#include "machine/simt/cluster.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/schedule.h"
#include "machine/simt/watch.h"

/* Starting a block means clearing its memory; a launch may clear so many bytes for every warp instruction it may
 * execute. */
#define CLEARED_PER_STEP ((uint64_t)1 << 10)
#define CLEARED_MAX ((uint64_t)64 << 30)

/* Blocks that can be put aside at once, where the launch does not say how many are resident: more than any GPU holds;
 * RESIDENT_BYTES bounds them too. */
#define RESIDENT_MAX 8192u

#define RANDOM_RESIDENTS 8u /* of a random order: further blocks begin seldom while so many have not ended */

uint64_t simt_resident_bytes(const struct machine *m)
{
	return m->shared.size +
		m->n_warps * (m->program.units->regs_bytes + m->program.specials_bytes + m->local_room * WARP_SIZE);
}

void simt_residents_init(struct residents *r, const struct machine *model, uint64_t first)
{
	const uint32_t *grid = model->launch->grid;
	*r = (struct residents){.model = model, .next = first, .left = simt_steps_left(model)};
	r->end = warp_dim_volume(grid);
	r->quiet_since = clock_thread_ms();
	r->chance = simt_schedule_seed(model->launch->order, r->end);
}

static void machine_free(struct machine *m)
{
	if (!m)
		return;
	simt_block_free(m);
	arena_free(m->arena);
	free(m);
}

void simt_residents_free(struct residents *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		machine_free(r->blocks[i]);
	machine_free(r->spare);
	free(r->blocks);
}

/* --- beginning ----------------------------------------------------------------------------------------------------- */

static uint64_t most_cleared(const struct residents *r)
{
	uint64_t max = r->model->steps.max;
	return max < CLEARED_MAX / CLEARED_PER_STEP ? max * CLEARED_PER_STEP : CLEARED_MAX;
}

bool simt_residents_may_clear_all(const struct residents *r)
{
	uint64_t most = most_cleared(r);
	return r->cleared <= most && r->end - r->next <= (most - r->cleared) / simt_resident_bytes(r->model);
}

/* Each block clears its memory, which takes time that no step counts. */
static bool may_clear(struct residents *r)
{
	uint64_t most = most_cleared(r);

	r->cleared += simt_resident_bytes(r->model) * r->model->cluster_shape.n;
	if (!r->next || r->cleared <= most)
		return true;
	r->failed = true;
	simt_limit((struct machine *)r->model,
		"the launch was stopped in block %" PRIu64 " of %" PRIu64
		": clearing the memory of so many blocks takes too long",
		r->next, r->end);
	return false;
}

static struct machine *take_machine(struct residents *r)
{
	struct machine *m = r->spare;
	r->spare = NULL;
	if (m)
		return m;
	m = base_calloc(1, sizeof *m);
	*m = *r->model;
	m->arena = arena_new();
	simt_block_prepare(m);
	return m;
}

bool simt_residents_have_room(const struct residents *r)
{
	uint64_t bytes = (r->n + r->model->cluster_shape.n) * simt_resident_bytes(r->model);
	for (uint32_t i = 0; i < r->n; i++)
		bytes += r->blocks[i]->stack_bytes + simt_watch_bytes(r->blocks[i]);
	uint32_t most = r->model->launch->resident.blocks;
	return r->next < r->end &&
		(!r->n ||
			(r->n + r->model->cluster_shape.n <= (most ? most : RESIDENT_MAX) && bytes <= RESIDENT_BYTES));
}

/* A block, or the blocks of a cluster. */
static bool begin_block(struct residents *r)
{
	uint32_t n = r->model->cluster_shape.n, order = r->model->launch->order;
	struct machine *blocks[CLUSTER_BLOCKS_MAX];

	if (!simt_residents_have_room(r) || !may_clear(r))
		return false;
	r->current = r->n;
	for (uint32_t i = 0; i < n; i++)
		blocks[order == SIMT_ORDER_REVERSED ? n - 1 - i : i] = *vec_push(
			r->blocks, r->n, r->cap) = take_machine(r);
	if (n > 1)
		simt_cluster_new(blocks, n);
	uint64_t cluster = simt_schedule_block(order, r->next / n, r->end / n);
	for (uint32_t i = 0; i < n; i++)
		simt_block_start(blocks[i], simt_cluster_block(r->model, cluster, i));
	r->next += n;
	return true;
}

/* --- going on ------------------------------------------------------------------------------------------------------ */

struct machine *simt_residents_current(struct residents *r)
{
	if (r->failed || (!r->n && !begin_block(r)))
		return NULL;
	struct machine *m = r->blocks[r->current];
	if (m->state == BLOCK_STUCK)
		simt_block_resume(m);
	simt_steps_allow(m, r->left);
	m->quiet.since = r->quiet_since;
	return m;
}

static void end_block(struct residents *r)
{
	struct machine *m = r->blocks[r->current];

	r->steps += m->steps.taken;
	r->reached = r->reached || m->launch->limits.through == (uint64_t)m->block + 1;
	simt_block_count(m);
	for (uint32_t i = r->current + 1; i < r->n; i++)
		r->blocks[i - 1] = r->blocks[i];
	r->n--;
	r->current = 0; /* the first of those put aside may have waited for it */
	machine_free(r->spare);
	r->spare = m;
	r->quiet_since = clock_thread_ms();
}

/* A block that has begun, or the next one. */
static void pick_block(struct residents *r)
{
	uint32_t few = r->n < RANDOM_RESIDENTS ? 1 : RANDOM_RESIDENTS;
	if (simt_schedule_pick(&r->chance, (r->n + 1) * few) || !begin_block(r))
		r->current = simt_schedule_pick(&r->chance, r->n);
}

static bool is_next_to(const struct residents *r, uint32_t i)
{
	return i < r->n && r->blocks[i]->cluster == r->blocks[r->current]->cluster;
}

/* The next block of the cluster has its turn, unless all of them wait for something else. */
static bool stay_in_cluster(struct residents *r)
{
	struct machine *m = r->blocks[r->current];
	struct cluster *c = m->cluster;
	if (m->turns.changes != m->turns.stuck_changes && !m->turn.in_vain)
		c->idle = 0;
	m->turns.stuck_changes = m->turns.changes;
	if (c->n == 1 || ++c->idle > 2 * c->n) {
		c->idle = 0;
		return false;
	}
	uint32_t next = r->current;
	if (is_next_to(r, next + 1))
		next++;
	else
		while (next && is_next_to(r, next - 1))
			next--;
	r->current = next;
	return true;
}

/* The block waits for another one. */
static void leave_block(struct residents *r)
{
	if (stay_in_cluster(r))
		return;
	while (is_next_to(r, r->current + 1))
		r->current++;
	if (++r->current == r->n && !begin_block(r))
		r->current = 0;
}

void simt_residents_update(struct residents *r)
{
	struct machine *m = r->blocks[r->current];

	r->left = simt_steps_left(m);
	simt_block_hears(m);
	r->quiet_since = m->quiet.since;
	if (m->stop)
		r->failed = true;
	else if (m->state == BLOCK_ENDED)
		end_block(r);
	if (!r->failed && r->n && r->model->launch->order >= SIMT_ORDER_RANDOM)
		pick_block(r);
	else if (!r->failed && r->n && m->state == BLOCK_STUCK)
		leave_block(r);
}

bool simt_residents_are_through(const struct residents *r)
{
	if (!r->reached || (!r->n && r->next == r->end))
		return false;
	uint32_t last = (uint32_t)(r->model->launch->limits.through - 1);
	for (uint32_t i = 0; i < r->n; i++)
		if (simt_cluster_of(r->model, r->blocks[i]->block) == simt_cluster_of(r->model, last))
			return false;
	return true;
}

uint64_t simt_residents_steps(const struct residents *r)
{
	uint64_t steps = r->steps;
	for (uint32_t i = 0; i < r->n; i++)
		steps += r->blocks[i]->steps.taken;
	return steps;
}

struct machine *simt_residents_find(const struct residents *r, uint32_t block)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->blocks[i]->block == block)
			return r->blocks[i];
	return NULL;
}
