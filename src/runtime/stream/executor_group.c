/* Launches of independent streams that take their turns at the same time, each on a core of its own.
 *
 * They are those that leave cores free, as they have few blocks, and that others cannot disturb: their kernels neither synchronize through
 * memory nor have atomics. All others have turns one after the other, on one core or on all (machine/simt/team.c, which puts all memory back when
 * blocks depended on each other, and so must be alone). What comes of a launch is taken in the order in which that would be without: only
 * turns are taken here. So reports, output and times are the same. */
#include <pthread.h>
#include <unistd.h>

#include "runtime/report/report_keep.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

/* Cores of the host, 1 to EXECUTOR_GROUP_MAX. */
static int count_cores(void)
{
	static int cores;
	if (!cores) {
		long there = sysconf(_SC_NPROCESSORS_ONLN);
		cores = there < 1 ? 1 : there < EXECUTOR_GROUP_MAX ? (int)there : EXECUTOR_GROUP_MAX;
	}
	return cores;
}

static bool is_apart(struct cuda_kernel *kernel)
{
	if (kernel->apart == KERNEL_APART_UNKNOWN)
		kernel->apart = simt_is_apart(kernel->ptx) ? KERNEL_IS_APART : KERNEL_IS_NOT_APART;
	return kernel->apart == KERNEL_IS_APART;
}

static bool is_small(const struct cuda_config *c)
{
	uint64_t blocks = (uint64_t)c->grid.x * c->grid.y * c->grid.z;
	return blocks <= 2 || 2 * blocks <= (uint64_t)count_cores();
}

/* Whether it may be one of a group. */
static bool may_join(const struct runtime *r, const struct cuda_operation *o)
{
	const struct cuda_work *w = &o->work;
	return w->kind == WORK_LAUNCH && !o->run && queue_is_ready(r, o) && !w->launch.uses &&
		!w->launch.config.cooperative && w->launch.config.cluster.x <= 1 && is_small(&w->launch.config) &&
		is_apart(w->launch.kernel);
}

/* In the order of pick: those that come after the first, and could begin with it. */
static void find_others(const struct runtime *r, struct executor_group *g)
{
	const struct runtime_queue *q = r->queue;
	for (int i = 0; i < q->n && g->n < count_cores(); i++) {
		struct cuda_operation *o = q->streams[i]->first;
		if (o && o != g->of[0] && may_join(r, o))
			g->of[g->n++] = o;
	}
}

bool executor_group_find(struct runtime *r, struct cuda_operation *first, struct executor_group *out)
{
	*out = (struct executor_group){.of = {first}, .n = 1};
	if (count_cores() == 1 || r->failed || r->discards || report_keeps() || simt_memory_is_crowded(r->memory) ||
		!may_join(r, first))
		return false;
	find_others(r, out);
	return out->n > 1;
}

static void *take_one_turn(void *arg)
{
	struct executor_turn *t = arg;
	t->turn = running_continue(t->run);
	return NULL;
}

void executor_group_turn(struct executor_group *g)
{
	pthread_t threads[EXECUTOR_GROUP_MAX];
	bool started[EXECUTOR_GROUP_MAX] = {false};
	int mine = -1;
	for (int i = 0; i < g->n; i++) {
		if (g->turns[i].turn != SIMT_TURN_RAN)
			continue;
		if (mine >= 0)
			started[i] = pthread_create(&threads[i], NULL, take_one_turn, &g->turns[i]) == 0;
		mine = mine < 0 ? i : mine;
	}
	if (mine >= 0)
		take_one_turn(&g->turns[mine]);
	for (int i = 0; i < g->n; i++)
		if (started[i])
			pthread_join(threads[i], NULL);
}

bool executor_group_goes_on(const struct executor_group *g)
{
	bool runs = false;
	for (int i = 0; i < g->n; i++) {
		if (g->turns[i].turn == SIMT_TURN_WAITS)
			return false;
		runs |= g->turns[i].turn == SIMT_TURN_RAN;
	}
	return runs;
}
