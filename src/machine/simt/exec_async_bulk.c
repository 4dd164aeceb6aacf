/* cp.async.bulk and cp.reduce.async.bulk between global and shared memory, in one dimension. Each lane copies by itself, 16 bytes
 * at a time. */

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/simt/async.h"
#include "machine/simt/cluster.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"
#include "machine/warp/tensor.h"

#define PIECE SIMT_BULK_PIECE
#define STEP_BYTES 64u /* a copy counts as one step for each so many bytes */

/* --- what is done when a copy arrives ----------------------------------------------------------------------------- */

static bool write_all(struct warp *w, struct operation *o, int lane)
{
	uint64_t *address = &w->m->access.address[lane];
	for (uint32_t at = 0; at < o->bulk_bytes; at += PIECE) {
		*address = warp_tensor_swizzled(o->swizzle, o->address[lane] + at);
		if (!simt_mem_access_at(w, o->c, lane_bit[lane], ACCESS_STORE, PIECE))
			return false;
		simt_mem_write_bytes(w->m->host.at[lane], o->bulk + at, PIECE);
	}
	return true;
}

static bool reduce_all(struct warp *w, struct operation *o, int lane)
{
	uint32_t bytes = o->c->bytes;
	bool good = true;
	for (uint32_t at = 0; at < o->bulk_bytes && good; at += bytes) {
		w->m->access.address[lane] = o->address[lane] + at;
		good = simt_atomic_at(w, o->c, lane, o->bulk + at);
	}
	return good;
}

static void arrive(struct warp *w, struct operation *o, uint32_t lanes)
{
	int lane = __builtin_ctz(lanes);
	bool reduces = instr_takes(o->c->instr->form, PTX_MOD_ATOM);
	if ((reduces ? reduce_all : write_all)(w, o, lane) && o->signals)
		simt_async_signal(w, o, lane, o->bulk_bytes);
}

bool simt_async_signal(struct warp *w, const struct operation *o, int lane, uint32_t bytes)
{
	w->m->access.address[lane] = o->signal[lane];
	return simt_mem_access_at(w, o->signals, lane_bit[lane], ACCESS_ATOMIC, 8) &&
		simt_mbarrier_complete(w, o->signals, lane, bytes);
}

/* --- beginning ---------------------------------------------------------------------------------------------------- */

void simt_async_charge(struct machine *m, uint32_t bytes)
{
	uint64_t steps = bytes / STEP_BYTES;
	m->steps.end -= steps < simt_steps_left(m) ? steps : simt_steps_left(m);
}

static bool size_fits(struct warp *w, const struct code *c, uint32_t mask, const uint32_t *bytes)
{
	uint32_t odd = mask & LANES_WHERE(bytes[i] % PIECE != 0),
		 large = mask & LANES_WHERE(bytes[i] > w->m->shared.size);
	if (odd)
		simt_fault(w, c, (struct fault){.kind = SIMT_MISALIGNED, .lanes = odd},
			"a bulk copy takes a multiple of %u bytes, not %u", PIECE, bytes[__builtin_ctz(odd)]);
	else if (large)
		simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = large},
			"a bulk copy of %u bytes, more than the block has of shared memory",
			bytes[__builtin_ctz(large)]);
	return !odd && !large;
}

bool simt_async_find_mbarriers(struct warp *w, const struct code *c, uint32_t mask, struct async_target *targets)
{
	const struct code *at = targets->mbarrier;
	if (!at)
		return true;
	simt_mem_addresses(w, at, mask);
	memcpy(targets->signal, w->m->access.address, sizeof targets->signal);
	if (!simt_mem_access_at(w, at, mask, ACCESS_ATOMIC, 8))
		return false;
	memcpy(targets->host, w->m->host.at, sizeof targets->host);
	simt_mem_addresses(w, c, mask);
	for (uint32_t left = mask; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		uint32_t to, of;
		simt_cluster_owner(w->m, (uint32_t)w->m->access.address[lane], &to);
		simt_cluster_owner(w->m, (uint32_t)targets->signal[lane], &of);
		if (to == of)
			continue;
		simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = left & -left},
			"the mbarrier is in shared memory of the block of rank %u in the cluster, what is written in that of rank %u",
			of, to);
		return false;
	}
	return true;
}

bool simt_async_read_bulk(struct warp *w, const struct code *from, int lane, struct bulk_data *data)
{
	simt_mem_addresses(w, from, lane_bit[lane]);
	uint64_t address = w->m->access.address[lane];
	for (uint32_t at = 0; at < data->bytes; at += PIECE) {
		w->m->access.address[lane] = address + at;
		if (!simt_mem_access_at(w, from, lane_bit[lane], ACCESS_LOAD, PIECE))
			return false;
		simt_mem_read_bytes(data->at + at, w->m->host.at[lane], PIECE);
		if (w->m->detector)
			simt_watch_reads(w, from, &data->pending);
	}
	return true;
}

static struct operation *push(struct warp *w, const struct code *c, int lane, const struct async_target *targets,
	const struct bulk_data *data)
{
	simt_async_room(w, data->bytes);
	struct operation *o = simt_async_push(
		w, c, lane_bit[lane], arrive, targets->mbarrier ? ASYNC_UNGROUPED : ASYNC_BULK);
	o->host[lane] = targets->host[lane];
	o->signals = targets->mbarrier;
	o->signal[lane] = targets->signal[lane];
	o->bulk_bytes = data->bytes;
	o->swizzle = data->swizzle;
	o->pending = data->pending;
	o->bulk = base_calloc(1, data->bytes + PIECE);
	memcpy(o->bulk, data->at, data->bytes);
	return o;
}

/* What an operation, complete as it is, is going to write. */
static void watch_writes(struct warp *w, struct operation *o, int lane)
{
	for (uint32_t at = 0; w->m->detector && at < o->bulk_bytes; at += PIECE)
		simt_watch_writes(w, o, lane, warp_tensor_swizzled(o->swizzle, o->address[lane] + at), PIECE);
}

/* The same place in shared memory of the block of that rank. */
static uint64_t in_block(uint64_t address, uint32_t rank)
{
	return (uint64_t)(rank + 1) << CLUSTER_SHIFT | (address & CLUSTER_OFFSET);
}

static void push_to(struct warp *w, const struct code *c, int lane, const struct async_target *targets,
	const struct bulk_data *data, uint32_t rank)
{
	const struct machine *other = w->m->cluster->block[rank];
	uint64_t signal = targets->signal[lane] & CLUSTER_OFFSET;
	struct operation *o = push(w, c, lane, targets, data);
	o->address[lane] = in_block(o->address[lane], rank);
	o->signal[lane] = in_block(signal, rank);
	o->host[lane] = other && signal < other->shared.size ? other->shared.bytes + signal : NULL;
	watch_writes(w, o, lane);
}

void simt_async_push_bulk(struct warp *w, const struct code *c, int lane, const struct async_target *targets,
	const struct bulk_data *data)
{
	if (!targets->multicast) {
		watch_writes(w, push(w, c, lane, targets, data), lane);
		return;
	}
	uint32_t ranks = targets->multicast[lane];
	if (!ranks || ranks >> w->m->cluster->n) {
		simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = lane_bit[lane]},
			"the mask 0x%X does not name blocks of a cluster of %u", ranks, w->m->cluster->n);
		return;
	}
	for (; ranks; ranks &= ranks - 1)
		push_to(w, c, lane, targets, data, (uint32_t)__builtin_ctz(ranks));
}

const uint16_t *simt_async_multicast(struct warp *w, const struct code *c, int operand)
{
	return c->instr->form->mod[PTX_MOD_MULTICAST] ? R(operand) : NULL;
}

EXEC(bulk)
{
	struct async_target targets = {.mbarrier = c->from->from, .multicast = simt_async_multicast(w, c, 4)};
	uint32_t bytes[WARP_SIZE];

	memcpy(bytes, R(2), sizeof bytes);
	if (!size_fits(w, c, mask, bytes) || !simt_async_find_mbarriers(w, c, mask, &targets))
		return;
	for (uint32_t rest = mask; rest && !w->m->stop; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		struct bulk_data data = {.at = base_calloc(1, bytes[lane] + PIECE), .bytes = bytes[lane]};
		simt_async_charge(w->m, bytes[lane]);
		if (simt_async_read_bulk(w, c->from, lane, &data))
			simt_async_push_bulk(w, c, lane, &targets, &data);
		free(data.at);
	}
}

exec_fn *simt_pick_async_bulk(const struct code *c)
{
	return c->from ? bulk : NULL;
}
