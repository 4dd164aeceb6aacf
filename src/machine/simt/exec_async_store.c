/* st.async and red.async: stores and atomic operations on shared memory of the cluster that an mbarrier there hears of. */

#include <string.h>

#include "machine/simt/async.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"

static uint32_t width_of(const struct code *c)
{
	return (uint32_t)c->bytes * c->lanes;
}

static void signal_all(struct warp *w, struct operation *o, uint32_t lanes)
{
	for (uint32_t left = lanes; left && !w->m->stop; left &= left - 1)
		simt_async_signal(w, o, __builtin_ctz(left), width_of(o->c));
}

static void store_arrives(struct warp *w, struct operation *o, uint32_t lanes)
{
	uint32_t width = width_of(o->c);
	if (!simt_mem_access_at(w, o->c, lanes, ACCESS_STORE, width))
		return;
	for (uint32_t left = lanes; left; left &= left - 1)
		simt_mem_write_bytes(w->m->host.at[__builtin_ctz(left)], o->data[__builtin_ctz(left)], width);
	signal_all(w, o, lanes);
}

static void reduction_arrives(struct warp *w, struct operation *o, uint32_t lanes)
{
	for (uint32_t left = lanes; left; left &= left - 1) {
		w->m->access.address[__builtin_ctz(left)] = o->address[__builtin_ctz(left)];
		if (!simt_atomic_at(w, o->c, __builtin_ctz(left), o->data[__builtin_ctz(left)]))
			return;
	}
	signal_all(w, o, lanes);
}

static void begin(struct warp *w, const struct code *c, uint32_t mask, async_fn *arrives)
{
	struct async_target targets = {.mbarrier = c->from};
	if (!simt_async_find_mbarriers(w, c, mask, &targets))
		return;
	struct operation *o = simt_async_push(w, c, mask, arrives, ASYNC_UNGROUPED);
	o->signals = targets.mbarrier;
	memcpy(o->host, targets.host, sizeof o->host);
	memcpy(o->signal, targets.signal, sizeof o->signal);
	for (int e = 0; e < c->lanes; e++) {
		const uint8_t *from = c->elements ? lanes_of(w, c->elements[e]) : R(1);
		for (uint32_t left = mask; left; left &= left - 1) {
			int lane = __builtin_ctz(left);
			memcpy(o->data[lane] + (size_t)e * c->bytes, from + (size_t)lane * c->slot[0], c->bytes);
		}
	}
	for (uint32_t left = w->m->detector ? mask : 0; left; left &= left - 1)
		simt_watch_writes(w, o, __builtin_ctz(left), o->address[__builtin_ctz(left)], width_of(c));
}

EXEC(store)
{
	begin(w, c, mask, store_arrives);
}

EXEC(reduce)
{
	begin(w, c, mask, reduction_arrives);
}

exec_fn *simt_pick_async_store(const struct code *c)
{
	return c->from ? store : NULL;
}

exec_fn *simt_pick_async_reduce(const struct code *c)
{
	return c->from ? reduce : NULL;
}
