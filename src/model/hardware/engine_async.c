/* What goes on while its warp does something else: products of warp groups, bulk copies, and mbarriers, by which copies and warps tell
 * others of it.
 *
 * An mbarrier is heard of as on the machine: a wait ends when as many copies and arrivals have taken effect as had been made there
 * before it. Of the phase after, which others may have begun by then, there is seldom one among them. */
#include "model/hardware/engine_state.h"

static double later(double a, double b)
{
	return a > b ? a : b;
}

/* Products of a warp follow each other on its scheduler's tensor cores; what they take to come to an end passes once. */
static void begin_product(struct engine *e, struct engine_warp *w, const struct schedule_op *op, int scheduler)
{
	double busy = 0;
	double at = engine_serve(&e->products[scheduler], (double)e->now, op->interval, &busy);
	w->products.last = later(w->products.last, at + op->interval + timing[TIMING_PRODUCT_WAIT]);
	e->out->busy[ENGINE_TENSOR] += busy / TIMELINE_SCHEDULERS;
}

static void commit(struct engine_groups *g)
{
	g->ends[g->n++ % ENGINE_GROUPS] = g->last;
}

static double groups_end(const struct engine_groups *g, uint32_t keeps)
{
	if (keeps >= g->n || keeps >= ENGINE_GROUPS)
		return 0;
	return g->ends[(g->n - 1 - keeps) % ENGINE_GROUPS];
}

static struct engine_mbarrier *mbarrier_of(
	const struct engine *e, const struct engine_warp *w, const struct schedule_step *step)
{
	return step->mbarrier ? &e->blocks[w->block].mbarriers[step->mbarrier - 1] : NULL;
}

bool engine_async_holds(const struct engine *e, const struct engine_warp *w, const struct schedule_step *step)
{
	const struct engine_mbarrier *b = mbarrier_of(e, w, step);
	return b && e->in->ops[step->op].async == SCHEDULE_PHASE_WAIT && b->heard < step->after;
}

/* The mbarrier hears of something that takes effect then. */
static void mbarrier_hears(struct engine *e, struct engine_warp *teller, const struct schedule_step *step, double when)
{
	struct engine_mbarrier *b = mbarrier_of(e, teller, step);
	if (!b)
		return;
	b->heard++;
	b->ready = later(b->ready, when);
	for (uint32_t i = 0; i < e->in->warps_per_block; i++) {
		struct engine_warp *w = &e->warps[teller->block * e->in->warps_per_block + i];
		if (w->state != ENGINE_AT_PHASE || engine_async_holds(e, w, &w->trace->steps[w->order[w->next]]))
			continue;
		w->state = ENGINE_GOES;
		if (e->now > w->ready) {
			w->ready = e->now;
			w->stall = ENGINE_STALL_SHORT_SCOREBOARD;
		}
	}
}

uint64_t engine_async(
	struct engine *e, struct engine_warp *w, const struct schedule_step *step, int scheduler, uint64_t done)
{
	const struct schedule_op *op = &e->in->ops[step->op];
	const struct engine_mbarrier *b = mbarrier_of(e, w, step);
	switch ((enum schedule_async)op->async) {
	case SCHEDULE_PLAIN: break;
	case SCHEDULE_PRODUCT: begin_product(e, w, op, scheduler); break;
	case SCHEDULE_PRODUCT_COMMIT: commit(&w->products); break;
	case SCHEDULE_PRODUCT_WAIT: return engine_whole(later((double)done, groups_end(&w->products, op->keeps)));
	case SCHEDULE_FETCH: w->fetches.last = later(w->fetches.last, (double)done); break;
	case SCHEDULE_FETCH_COMMIT: commit(&w->fetches); break;
	case SCHEDULE_FETCH_WAIT:
		return engine_whole(
			later((double)done, op->keeps ? groups_end(&w->fetches, op->keeps) : w->fetches.last));
	case SCHEDULE_COPY: mbarrier_hears(e, w, step, engine_copy(e, w, step)); break;
	case SCHEDULE_ARRIVE: mbarrier_hears(e, w, step, (double)done); break;
	case SCHEDULE_CLUSTER_WAIT: break; /* engine.c */
	case SCHEDULE_PHASE_WAIT: return b && b->ready > (double)done ? engine_whole(b->ready) : done;
	}
	return done;
}

bool engine_async_let_go(struct engine *e)
{
	bool any = false;
	for (int i = 0; i < e->in->n_warps; i++) {
		if (e->warps[i].state != ENGINE_AT_PHASE)
			continue;
		e->warps[i].state = ENGINE_GOES;
		any = true;
	}
	return any;
}
