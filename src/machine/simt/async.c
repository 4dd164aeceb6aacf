#include "machine/simt/async.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"

#define IN_FLIGHT_MAX 512u  /* operations of a warp; the oldest is completed when there are more */
#define BULK_MAX (1u << 20) /* bytes of bulk copies of a warp; all are completed when there are more */

struct async {
	struct operation **queue; /* the oldest first */
	uint32_t n, cap;
	uint32_t committed[ASYNC_STREAMS][WARP_SIZE]; /* groups of each lane */
};

static struct async *async_of(struct warp *w)
{
	if (!w->async)
		w->async = base_calloc(1, sizeof *w->async);
	return w->async;
}

static void free_operation(struct operation *o)
{
	free(o->bulk);
	free(o);
}

void simt_async_free(struct warp *w)
{
	if (!w->async)
		return;
	for (uint32_t i = 0; i < w->async->n; i++)
		free_operation(w->async->queue[i]);
	free(w->async->queue);
	free(w->async);
	w->async = NULL;
}

void simt_async_start(struct warp *w)
{
	simt_async_free(w);
}

/* Completes operation i for lanes[i], the oldest first; frees those that are complete for all lanes. */
static void complete_lanes(struct warp *w, const uint32_t *lanes)
{
	struct async *a = w->async;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < a->n; i++) {
		struct operation *o = a->queue[i];
		uint32_t due = lanes[i] & o->lanes;
		if (due && !w->m->stop) {
			if (w->m->detector)
				simt_watch_operation_end(w, o, due);
			memcpy(w->m->access.address, o->address, sizeof o->address);
			o->finish(w, o, due);
		}
		o->lanes &= ~due;
		if (o->lanes)
			a->queue[kept++] = o;
		else
			free_operation(o);
	}
	a->n = kept;
}

struct operation *simt_async_push(
	struct warp *w, const struct code *c, uint32_t lanes, async_fn *finish, enum async_stream stream)
{
	struct async *a = async_of(w);
	if (a->n == IN_FLIGHT_MAX) {
		uint32_t oldest[IN_FLIGHT_MAX] = {WARP_FULL_MASK};
		complete_lanes(w, oldest);
	}
	struct operation *o = base_calloc(1, sizeof *o);
	*vec_push(a->queue, a->n, a->cap) = o;
	o->c = c;
	o->finish = finish;
	o->stream = stream;
	o->lanes = lanes;
	memcpy(o->group, a->committed[stream], sizeof o->group);
	simt_mem_addresses(w, c, lanes);
	memcpy(o->address, w->m->access.address, sizeof o->address);
	return o;
}

void simt_async_room(struct warp *w, uint32_t bytes)
{
	struct async *a = async_of(w);
	uint64_t sum = bytes;
	for (uint32_t i = 0; i < a->n; i++)
		sum += a->queue[i]->bulk_bytes;
	if (sum > BULK_MAX)
		simt_async_end(w, WARP_FULL_MASK);
}

void simt_async_commit(struct warp *w, uint32_t lanes, enum async_stream stream)
{
	uint32_t *committed = async_of(w)->committed[stream];
	FOR_LANES(lanes, committed[i]++);
}

/* Of `lanes`, those that wait for the operation. */
static uint32_t lanes_due(const struct async *a, const struct operation *o, uint32_t lanes, const uint32_t *kept)
{
	uint32_t due = 0;
	for (uint32_t rest = lanes & o->lanes; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		if (!kept || (uint64_t)o->group[lane] + kept[lane] < a->committed[o->stream][lane])
			due |= rest & -rest;
	}
	return due;
}

void simt_async_drain(struct warp *w, uint32_t lanes, enum async_stream stream, const uint32_t *kept)
{
	struct async *a = w->async;
	if (!a || !a->n)
		return;
	uint32_t *due = base_calloc(a->n, sizeof *due);
	for (uint32_t i = 0; i < a->n; i++)
		due[i] = a->queue[i]->stream == stream ? lanes_due(a, a->queue[i], lanes, kept) : 0;
	complete_lanes(w, due);
	free(due);
}

void simt_async_have_read(struct warp *w, uint32_t lanes, enum async_stream stream, const uint32_t *kept)
{
	const struct async *a = w->async;
	for (uint32_t i = 0; a && w->m->detector && i < a->n; i++)
		if (a->queue[i]->stream == stream)
			simt_watch_operation_read(w, a->queue[i], lanes_due(a, a->queue[i], lanes, kept));
}

void simt_async_end(struct warp *w, uint32_t lanes)
{
	struct async *a = w->async;
	if (!a || !a->n)
		return;
	uint32_t *due = base_calloc(a->n, sizeof *due);
	for (uint32_t i = 0; i < a->n; i++)
		due[i] = lanes;
	complete_lanes(w, due);
	free(due);
}

static uint32_t lanes_at(const struct operation *o, const uint8_t *host)
{
	uint32_t lanes = 0;
	for (uint32_t rest = o->lanes; rest; rest &= rest - 1)
		lanes |= o->host[__builtin_ctz(rest)] == host ? rest & -rest : 0;
	return lanes;
}

void simt_async_reach(struct machine *m, const uint8_t *host)
{
	for (uint32_t i = 0; i < m->cluster->n; i++)
		if (m->cluster->block[i]) {
			struct machine *block = m->cluster->block[i];
			for (uint32_t k = 0; k < block->n_warps; k++) {
				struct async *a = block->warps[k].async;
				uint32_t n = a ? a->n : 0, lanes = 0;
				uint32_t *due = n ? base_calloc(n, sizeof *due) : NULL;
				for (uint32_t j = n;
					j-- > 0;) { /* the copies that are older than an arrival go before it */
					lanes |= lanes_at(a->queue[j], host);
					due[j] = a->queue[j]->stream == ASYNC_COPIES ? lanes
										     : lanes_at(a->queue[j], host);
				}
				if (lanes)
					complete_lanes(&block->warps[k], due);
				free(due);
			}
		}
}
