/* cp.async and its groups. */
#include "simt/async.h"

#include <stdlib.h>

#include "base/arena.h"
#include "simt/mem.h"

#define UNDER_WAY_MAX 4096u /* operations of a warp; the oldest arrives when there are more */

/* One instruction under way, for the lanes for which it has not arrived. */
struct operation {
	const struct code *c;
	uint32_t lanes;
	bool arrives;                  /* at an mbarrier; otherwise it copies */
	uint32_t group[WARP];          /* how many groups the lane had committed before it */
	uint64_t address[WARP];        /* as given: of shared memory */
	uint8_t *host[WARP];           /* of an mbarrier */
	uint8_t data[WARP][16];
};

struct async {
	struct operation **queue;      /* the oldest first */
	uint32_t n, cap;
	uint32_t committed[WARP];      /* groups of each lane */
};

/* --- the queue ---------------------------------------------------------------------------------------------------- */

static struct async *async_of(struct warp *w)
{
	if (!w->async)
		w->async = base_calloc(1, sizeof *w->async);
	return w->async;
}

void async_free(struct warp *w)
{
	if (!w->async)
		return;
	for (uint32_t i = 0; i < w->async->n; i++)
		free(w->async->queue[i]);
	free(w->async->queue);
	free(w->async);
	w->async = NULL;
}

void async_start(struct warp *w)
{
	async_free(w);
}

static void write_data(struct warp *w, const struct operation *o, uint32_t lanes)
{
	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		memcpy(w->m->at[i], o->data[i], o->c->bytes);
	}
}

/* The operation comes to its end for `lanes`. */
static void arrive(struct warp *w, struct operation *o, uint32_t lanes)
{
	uint64_t state;
	o->lanes &= ~lanes;
	memcpy(w->m->access.address, o->address, sizeof o->address);
	if (w->m->stop || !mem_access_at(w, o->c, lanes, o->arrives ? SIMT_ATOMIC : SIMT_STORE, o->arrives ? 8 : o->c->bytes))
		return;
	if (!o->arrives)
		write_data(w, o, lanes);
	for (uint32_t rest = o->arrives ? lanes : 0; rest; rest &= rest - 1)
		if (!mbarrier_arrive(w, o->c, __builtin_ctz(rest), 1, &state))
			return;
}

/* Operation i comes to its end for lanes[i], the oldest first; those of which nothing is left are forgotten. */
static void arrive_all(struct warp *w, const uint32_t *lanes)
{
	struct async *a = w->async;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < a->n; i++) {
		if (lanes[i] & a->queue[i]->lanes)
			arrive(w, a->queue[i], lanes[i] & a->queue[i]->lanes);
		if (a->queue[i]->lanes)
			a->queue[kept++] = a->queue[i];
		else
			free(a->queue[i]);
	}
	a->n = kept;
}

static struct operation *push(struct warp *w, const struct code *c, uint32_t lanes)
{
	struct async *a = async_of(w);
	if (a->n == UNDER_WAY_MAX) {
		uint32_t oldest[UNDER_WAY_MAX] = {FULL_MASK};
		arrive_all(w, oldest);
	}
	if (a->n == a->cap) {
		a->cap = a->cap ? a->cap * 2 : 8;
		a->queue = base_realloc(a->queue, a->cap * sizeof *a->queue);
	}
	struct operation *o = a->queue[a->n++] = base_calloc(1, sizeof *o);
	o->c = c;
	o->lanes = lanes;
	memcpy(o->group, a->committed, sizeof o->group);
	return o;
}

/* What `lanes` have under way arrives, but for their `kept[i]` youngest groups and what is in no group yet; with
 * `kept` NULL, all of it. */
static void drain(struct warp *w, uint32_t lanes, const uint32_t *kept)
{
	struct async *a = w->async;
	if (!a || !a->n)
		return;
	uint32_t *due = base_calloc(a->n, sizeof *due);
	for (uint32_t i = 0; i < a->n; i++) {
		for (uint32_t rest = lanes & a->queue[i]->lanes; rest; rest &= rest - 1) {
			int lane = __builtin_ctz(rest);
			if (!kept || (uint64_t)a->queue[i]->group[lane] + kept[lane] < a->committed[lane])
				due[i] |= rest & -rest;
		}
	}
	arrive_all(w, due);
	free(due);
}

void async_end(struct warp *w, uint32_t lanes)
{
	drain(w, lanes, NULL);
}

static uint32_t lanes_at(const struct operation *o, const uint8_t *host)
{
	uint32_t lanes = 0;
	for (uint32_t rest = o->arrives ? o->lanes : 0; rest; rest &= rest - 1)
		lanes |= o->host[__builtin_ctz(rest)] == host ? rest & -rest : 0;
	return lanes;
}

void async_reach(struct machine *m, const uint8_t *host)
{
	for (uint32_t k = 0; k < m->n_warps; k++) {
		struct async *a = m->warps[k].async;
		uint32_t n = a ? a->n : 0, lanes = 0;
		uint32_t *due = n ? base_calloc(n, sizeof *due) : NULL;
		for (uint32_t i = n; i-- > 0;) { /* all that is older than an arrival goes before it */
			lanes |= lanes_at(a->queue[i], host);
			due[i] = lanes;
		}
		if (lanes)
			arrive_all(&m->warps[k], due);
		free(due);
	}
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

/* How many bytes lane i takes from global memory; the rest is zero. */
static uint32_t taken(struct warp *w, const struct code *c, int i)
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
	mem_addresses(w, c->from, lanes);
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		w->m->access.address[__builtin_ctz(rest)] += offset;
	if (!mem_access_at(w, c->from, lanes, SIMT_LOAD, width))
		return false;
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		memcpy(o->data[__builtin_ctz(rest)] + offset, w->m->at[__builtin_ctz(rest)], width);
	return true;
}

/* Lanes that take all do so at once, the others their bytes in parts of 8, 4, 2 and 1. */
static void read_source(struct warp *w, const struct code *c, uint32_t mask, struct operation *o)
{
	uint32_t whole = 0, bytes[WARP];
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		bytes[i] = taken(w, c, i);
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

EXEC(copy)
{
	struct operation *o = push(w, c, mask);
	mem_addresses(w, c, mask);
	memcpy(o->address, w->m->access.address, sizeof o->address);
	read_source(w, c, mask, o);
}

exec_fn *pick_async_copy(const struct code *c)
{
	return c->from ? copy : NULL;
}

void async_decode(struct code *c)
{
	uint16_t op = c->instr->form->op;
	if (op != PTX_OP_CP_ASYNC_CA && op != PTX_OP_CP_ASYNC_CG)
		return;
	c->bytes = c->from->bytes = (uint8_t)c->instr->operands[2].value;
	c->space = PTX_SHARED;
	c->from->space = PTX_GLOBAL;
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

EXEC(commit)
{
	(void)c;
	struct async *a = async_of(w);
	FOR_LANES(mask, a->committed[i]++);
}

exec_fn *pick_async_commit(const struct code *c)
{
	(void)c;
	return commit;
}

EXEC(wait_group)
{
	drain(w, mask, R(0));
}

exec_fn *pick_async_wait_group(const struct code *c)
{
	(void)c;
	return wait_group;
}

EXEC(wait_all)
{
	(void)c;
	drain(w, mask, NULL);
}

exec_fn *pick_async_wait_all(const struct code *c)
{
	(void)c;
	return wait_all;
}

/* --- arrival after copies ----------------------------------------------------------------------------------------- */

/* PTX ISA, cp.async.mbarrier.arrive: without .noinc the arrival is expected besides those that the mbarrier counts. */
EXEC(arrive_after)
{
	if (!mem_access(w, c, mask, SIMT_ATOMIC))
		return;
	struct operation *o = push(w, c, mask);
	o->arrives = true;
	mem_addresses(w, c, mask);
	memcpy(o->address, w->m->access.address, sizeof o->address);
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		o->host[i] = w->m->at[i];
		if (c->instr->form->op == PTX_OP_CP_ASYNC_MBARRIER_ARRIVE)
			mbarrier_expect(w, i);
	}
}

exec_fn *pick_async_arrive(const struct code *c)
{
	(void)c;
	return arrive_after;
}
