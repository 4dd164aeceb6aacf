/* cp.async and its groups. */

#include "machine/ptx/ops.h"
#include "machine/simt/async.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"

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

/* Lanes that read all do so at once, the others their bytes in parts of 8, 4, 2 and 1. */
static void read_source(struct warp *w, const struct code *c, uint32_t mask, struct operation *o)
{
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
	read_source(w, c, mask, o);
}

exec_fn *simt_pick_async_copy(const struct code *c)
{
	return c->from ? copy : NULL;
}

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

exec_fn *simt_pick_async_commit(const struct code *c)
{
	(void)c;
	return commit;
}

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

exec_fn *simt_pick_async_wait_all(const struct code *c)
{
	(void)c;
	return wait_all;
}

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

exec_fn *simt_pick_async_arrive(const struct code *c)
{
	(void)c;
	return arrive_after;
}
