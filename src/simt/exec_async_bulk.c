/* cp.async.bulk between global and shared memory, in one dimension. Each lane copies by itself, 16 bytes at a time. */

#include "base/arena.h"
#include "simt/async.h"
#include "simt/code.h"
#include "simt/defect.h"
#include "simt/lanes.h"
#include "simt/machine.h"
#include "simt/mem.h"
#include "simt/warp_state.h"

#define PIECE 16u
#define STEP_BYTES 64u /* a copy counts as one step for each so many bytes */

/* A lane's access to `bytes` bytes from `address` on, to or from `data`. */
static bool move_pieces(struct warp *w, const struct code *c, int lane, enum access_op op, struct operation *o)
{
	uint64_t address = w->m->access.address[lane];
	for (uint32_t at = 0; at < o->bulk_bytes; at += PIECE) {
		w->m->access.address[lane] = address + at;
		if (!simt_mem_access_at(w, c, lane_bit[lane], op, PIECE))
			return false;
		if (op == ACCESS_LOAD)
			simt_mem_read_bytes(o->bulk + at, w->m->host.at[lane], PIECE);
		else
			simt_mem_write_bytes(w->m->host.at[lane], o->bulk + at, PIECE);
	}
	return true;
}

static void write_all(struct warp *w, struct operation *o, uint32_t lanes)
{
	move_pieces(w, o->c, __builtin_ctz(lanes), ACCESS_STORE, o);
}

/* The mbarrier's address was computed when the copy began: it is where the operation's host is. */
static void write_and_signal(struct warp *w, struct operation *o, uint32_t lanes)
{
	int lane = __builtin_ctz(lanes);
	if (!move_pieces(w, o->c, lane, ACCESS_STORE, o))
		return;
	w->m->access.address[lane] = (uint64_t)(o->host[lane] - w->m->shared.bytes);
	if (simt_mem_access_at(w, o->c, lanes, ACCESS_ATOMIC, 8))
		simt_mbarrier_complete(w, lane, o->bulk_bytes);
}

static void charge_steps(struct machine *m, uint32_t bytes)
{
	uint64_t steps = bytes / STEP_BYTES;
	m->steps.left -= steps < m->steps.left ? steps : m->steps.left;
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

static bool find_mbarriers(struct warp *w, const struct code *c, uint32_t mask, uint8_t **host)
{
	if (!c)
		return true;
	simt_mem_addresses(w, c, mask);
	if (!simt_mem_access_at(w, c, mask, ACCESS_ATOMIC, 8))
		return false;
	memcpy(host, w->m->host.at, sizeof w->m->host.at);
	return true;
}

EXEC(bulk)
{
	bool signals = c->from->from != NULL;
	uint32_t bytes[WARP_SIZE];
	uint8_t *host[WARP_SIZE] = {0};

	memcpy(bytes, R(2), sizeof bytes);
	if (!size_fits(w, c, mask, bytes) || !find_mbarriers(w, c->from->from, mask, host))
		return;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		charge_steps(w->m, bytes[lane]);
		simt_async_room(w, bytes[lane]);
		struct operation *o = simt_async_push(w, c, rest & -rest, signals ? write_and_signal : write_all,
			signals ? ASYNC_UNGROUPED : ASYNC_BULK);
		o->host[lane] = host[lane];
		o->bulk_bytes = bytes[lane];
		o->bulk = base_calloc(1, bytes[lane] + PIECE);
		simt_mem_addresses(w, c->from, rest & -rest);
		if (!move_pieces(w, c->from, lane, ACCESS_LOAD, o))
			return;
	}
}

exec_fn *simt_pick_async_bulk(const struct code *c)
{
	return c->from ? bulk : NULL;
}
