/* Asynchronous copies and stores: cp.async and its groups, cp.async.bulk, st.async and red.async. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/ops.h"
#include "machine/simt/async.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"
#include "machine/warp/texture.h"

/* --- copies ------------------------------------------------------------------------------------------------------- */

/* How many bytes lane i reads from global memory; the rest is zero. */
static uint32_t source_bytes(struct warp *w, const struct code *c, int i)
{
	const struct ptx_operand *o = &c->instr->operands[3];
	if (c->instr->n < 4 || o->kind == PTX_NONE)
		return c->bytes;
	if (o->kind == PTX_REG && w->m->program.kernel->regs[o->index].type == PTX_PRED)
		return get_pred(w, c, 3) >> i & 1 ? 0 : c->bytes;
	uint32_t bytes = ((const u32 *)R(3))[i];
	return bytes < c->bytes ? bytes : c->bytes;
}

/* Reads `width` bytes at `offset` for `lanes`. */
static bool read_part(struct warp *w, struct operation *o, uint32_t lanes, uint32_t offset, uint32_t width)
{
	const struct code *c = o->c;
	simt_mem_addresses(w, c->from, lanes);
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		w->m->access.address[__builtin_ctz(rest)] += offset;
	if (!simt_mem_access_at(w, c->from, lanes, ACCESS_LOAD, width))
		return false;
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		simt_mem_read_bytes(o->data[__builtin_ctz(rest)] + offset, w->m->host.at[__builtin_ctz(rest)], width);
	if (w->m->detector)
		simt_watch_reads(w, c->from, &o->pending);
	return true;
}

static void write_data(struct warp *w, struct operation *o, uint32_t lanes)
{
	if (!simt_mem_access_at(w, o->c, lanes, ACCESS_STORE, o->c->bytes))
		return;
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		memcpy(w->m->host.at[__builtin_ctz(rest)], o->data[__builtin_ctz(rest)], o->c->bytes);
}

EXEC(copy)
{
	struct operation *o = simt_async_push(w, c, mask, write_data, ASYNC_COPIES);
	if (w->m->detector)
		simt_watch_copy_begin(w, c, mask);

	/* Lanes that read all do so at once, the others their bytes in parts of 8, 4, 2 and 1. */
	uint32_t whole = 0, bytes[WARP_SIZE];
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		bytes[i] = source_bytes(w, c, i);
		whole |= bytes[i] == c->bytes ? rest & -rest : 0;
	}
	if (whole && !read_part(w, o, whole, 0, c->bytes))
		return;
	for (uint32_t rest = mask & ~whole; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		for (uint32_t width = 8, offset = 0; width; width /= 2) {
			if (!(bytes[i] & width))
				continue;
			if (!read_part(w, o, rest & -rest, offset, width))
				return;
			offset += width;
		}
	}
}

PICK_IF(async_copy, copy, c->from)

void simt_async_decode(struct code *c)
{
	enum ptx_kind kind = instr_kind(c->instr->form);
	uint16_t op = c->instr->form->op;
	bool to_global = kind == PTX_KIND_BULK_STORE || kind == PTX_KIND_BULK_REDUCE || kind == PTX_KIND_TENSOR_MAP;
	bool in_shared = to_global || op == PTX_OP_BULK_SHARED || op == PTX_OP_BULK_REDUCE_SHARED;
	if (!c->from)
		return;
	if (kind == PTX_KIND_BULK_LOAD || kind == PTX_KIND_ASYNC_STORE)
		for (struct code *at = c; at; at = at->from)
			at->flags |= CODE_CLUSTER;
	if (kind == PTX_KIND_ASYNC_STORE) {
		c->slot[0] = c->elements ? c->slot[0] : c->slot[1];
		c->from->space = c->space;
		c->from->flags |= CODE_SIGNALS;
		return;
	}
	if (instr_kind(c->instr->form) == PTX_KIND_COPY)
		c->bytes = c->from->bytes = (uint8_t)c->instr->operands[2].value;
	c->space = to_global ? SPACE_GLOBAL : SPACE_SHARED;
	c->from->space = in_shared ? SPACE_SHARED : SPACE_GLOBAL;
	c->from->flags &= ~CODE_CLUSTER;
	if (c->from->from) {
		c->from->from->space = SPACE_SHARED;
		c->from->from->flags |= CODE_SIGNALS;
	}
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

static enum async_stream stream_of(const struct code *c)
{
	enum ptx_kind kind = instr_kind(c->instr->form);
	return kind == PTX_KIND_BULK_COMMIT || kind == PTX_KIND_BULK_WAIT ? ASYNC_BULK : ASYNC_COPIES;
}

EXEC(commit)
{
	simt_async_commit(w, mask, stream_of(c));
}
PICK_ALWAYS(async_commit, commit)

EXEC(wait_group)
{
	simt_async_drain(w, mask, stream_of(c), R(0));
}

EXEC(wait_group_read)
{
	simt_async_have_read(w, mask, stream_of(c), R(0));
}

exec_fn *simt_pick_async_wait_group(const struct code *c)
{
	return c->instr->form->op == PTX_OP_BULK_WAIT_READ ? wait_group_read : wait_group;
}

EXEC(wait_all)
{
	(void)c;
	simt_async_drain(w, mask, ASYNC_COPIES, NULL);
}
PICK_ALWAYS(async_wait_all, wait_all)

/* --- arrival after copies ----------------------------------------------------------------------------------------- */

static void signal_mbarriers(struct warp *w, struct operation *o, uint32_t lanes)
{
	uint64_t state;
	if (!simt_mem_access_at(w, o->c, lanes, ACCESS_ATOMIC, 8))
		return;
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		if (!simt_mbarrier_arrive(w, o->c, __builtin_ctz(rest), 1, &state))
			return;
}

/* PTX ISA, cp.async.mbarrier.arrive: without .noinc the arrival is expected besides those that the mbarrier counts. */
EXEC(arrive_after)
{
	if (!simt_mem_access(w, c, mask, ACCESS_ATOMIC))
		return;
	uint8_t *at[WARP_SIZE];
	memcpy(at, w->m->host.at, sizeof at);
	struct operation *o = simt_async_push(w, c, mask, signal_mbarriers, ASYNC_COPIES);
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		o->host[i] = w->m->host.at[i] = at[i];
		if (c->instr->form->op == PTX_OP_CP_ASYNC_MBARRIER_ARRIVE)
			simt_mbarrier_expect(w, i);
	}
}
PICK_ALWAYS(async_arrive, arrive_after)

/* --- bulk copies -------------------------------------------------------------------------------------------------- */

/* cp.async.bulk and cp.reduce.async.bulk between global and shared memory, in one dimension. Each lane copies by
 * itself, 16 bytes at a time. */

#define PIECE SIMT_BULK_PIECE
#define STEP_BYTES 64u /* a copy counts as one step for each so many bytes */

/* `bytes` of the operation have come: the lane's mbarrier counts them. False with a defect. */
static bool signal_bytes(struct warp *w, const struct operation *o, int lane, uint32_t bytes)
{
	w->m->access.address[lane] = o->signal[lane];
	return simt_mem_access_at(w, o->signals, lane_bit[lane], ACCESS_ATOMIC, 8) &&
		simt_mbarrier_complete(w, o->signals, lane, bytes);
}

static void bulk_arrives(struct warp *w, struct operation *o, uint32_t lanes)
{
	int lane = __builtin_ctz(lanes);
	bool reduces = instr_takes(o->c->instr->form, PTX_MOD_ATOM);
	uint32_t step = reduces ? o->c->bytes : PIECE;

	for (uint32_t at = 0; at < o->bulk_bytes; at += step) {
		uint64_t address = o->address[lane] + at;
		w->m->access.address[lane] = reduces ? address : warp_tensor_swizzled(o->swizzle, address);
		if (reduces ? !simt_atomic_element(w, o->c, lane, o->c->instr->form, o->bulk + at)
			    : !simt_mem_access_at(w, o->c, lane_bit[lane], ACCESS_STORE, PIECE))
			return;
		if (!reduces)
			simt_mem_write_bytes(w->m->host.at[lane], o->bulk + at, PIECE);
	}
	if (o->signals)
		signal_bytes(w, o, lane, o->bulk_bytes);
}

void simt_async_charge(struct machine *m, uint32_t bytes)
{
	uint64_t steps = bytes / STEP_BYTES;
	m->steps.end -= steps < simt_steps_left(m) ? steps : simt_steps_left(m);
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

static struct operation *push(struct warp *w, const struct code *c, int lane, const struct async_target *targets,
	const struct bulk_data *data)
{
	simt_async_room(w, data->bytes);
	struct operation *o = simt_async_push(
		w, c, lane_bit[lane], bulk_arrives, targets->mbarrier ? ASYNC_UNGROUPED : ASYNC_BULK);
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
	for (; ranks; ranks &= ranks - 1) {
		uint32_t rank = (uint32_t)__builtin_ctz(ranks);
		const struct machine *other = w->m->cluster->block[rank];
		uint64_t signal = targets->signal[lane] & CLUSTER_OFFSET;
		struct operation *o = push(w, c, lane, targets, data);
		o->address[lane] = in_block(o->address[lane], rank);
		o->signal[lane] = in_block(signal, rank);
		o->host[lane] = other && signal < other->shared.size ? other->shared.bytes + signal : NULL;
		watch_writes(w, o, lane);
	}
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
	uint32_t odd = mask & LANES_WHERE(bytes[i] % PIECE != 0);
	uint32_t large = mask & LANES_WHERE(bytes[i] > w->m->shared.size);
	if (odd)
		simt_fault(w, c, (struct fault){.kind = SIMT_MISALIGNED, .lanes = odd},
			"a bulk copy takes a multiple of %u bytes, not %u", PIECE, bytes[__builtin_ctz(odd)]);
	else if (large)
		simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = large},
			"a bulk copy of %u bytes, more than the block has of shared memory",
			bytes[__builtin_ctz(large)]);
	if (odd || large || !simt_async_find_mbarriers(w, c, mask, &targets))
		return;

	for (uint32_t rest = mask; rest && !w->m->stop; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		struct bulk_data data = {.at = base_calloc(1, bytes[lane] + PIECE), .bytes = bytes[lane]};
		simt_async_charge(w->m, bytes[lane]);

		bool good = true;
		simt_mem_addresses(w, c->from, lane_bit[lane]);
		uint64_t address = w->m->access.address[lane];
		for (uint32_t at = 0; at < data.bytes && good; at += PIECE) {
			w->m->access.address[lane] = address + at;
			good = simt_mem_access_at(w, c->from, lane_bit[lane], ACCESS_LOAD, PIECE);
			if (good)
				simt_mem_read_bytes(data.at + at, w->m->host.at[lane], PIECE);
			if (good && w->m->detector)
				simt_watch_reads(w, c->from, &data.pending);
		}
		if (good)
			simt_async_push_bulk(w, c, lane, &targets, &data);
		free(data.at);
	}
}

PICK_IF(async_bulk, bulk, c->from)

/* --- stores and atomic operations on shared memory of the cluster that an mbarrier there counts ------------------- */

static void store_arrives(struct warp *w, struct operation *o, uint32_t lanes)
{
	uint32_t width = (uint32_t)o->c->bytes * o->c->lanes;
	bool reduces = instr_takes(o->c->instr->form, PTX_MOD_ATOM);

	if (!reduces && !simt_mem_access_at(w, o->c, lanes, ACCESS_STORE, width))
		return;
	for (uint32_t left = lanes; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		if (!reduces) {
			simt_mem_write_bytes(w->m->host.at[lane], o->data[lane], width);
			continue;
		}
		w->m->access.address[lane] = o->address[lane];
		if (!simt_atomic_element(w, o->c, lane, o->c->instr->form, o->data[lane]))
			return;
	}
	for (uint32_t left = lanes; left && !w->m->stop; left &= left - 1)
		signal_bytes(w, o, __builtin_ctz(left), width);
}

EXEC(store)
{
	struct async_target targets = {.mbarrier = c->from};
	if (!simt_async_find_mbarriers(w, c, mask, &targets))
		return;
	struct operation *o = simt_async_push(w, c, mask, store_arrives, ASYNC_UNGROUPED);
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
		simt_watch_writes(
			w, o, __builtin_ctz(left), o->address[__builtin_ctz(left)], (uint32_t)c->bytes * c->lanes);
}

PICK_IF(async_store, store, c->from)
PICK_IF(async_reduce, store, c->from)
