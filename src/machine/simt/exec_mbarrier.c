/* mbarrier: barriers that are objects of 64 bits in shared memory. PTX leaves their bits to the implementation; here:
 *
 *   0..19 arrivals still pending   20..39 arrivals of a phase
 *   40..60 bytes still to come, signed   63 parity of the phase
 *
 * and the state that an arrival returns is the object as it was before. */

#include <inttypes.h>

#include "machine/ptx/ops.h"
#include "machine/simt/async.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/memory.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"

#define COUNT_MAX ((1u << 20) - 1)

struct mbarrier {
	uint32_t pending, expected;
	int32_t bytes;
	bool parity;
};

static struct mbarrier unpack(uint64_t bits)
{
	return (struct mbarrier){
		bits & COUNT_MAX, bits >> 20 & COUNT_MAX, (int32_t)(bits >> 40 << 11) >> 11, bits >> 63};
}

static uint64_t pack(struct mbarrier b)
{
	uint64_t bytes = (uint32_t)b.bytes & 0x1FFFFF;
	return b.pending | (uint64_t)b.expected << 20 | bytes << 40 | (uint64_t)b.parity << 63;
}

static uint64_t read_bits(const struct warp *w, int lane)
{
	uint64_t bits;
	memcpy(&bits, w->m->host.at[lane], sizeof bits);
	return bits;
}

static void write_bits(struct warp *w, int lane, uint64_t bits)
{
	w->m->turns.changes += bits != read_bits(w, lane);
	memcpy(w->m->host.at[lane], &bits, sizeof bits);
}

/* A phase with nothing left to wait for is complete, and the next one begins. */
static void write_or_advance(struct warp *w, int lane, struct mbarrier b)
{
	bool completes = !b.pending && !b.bytes;
	if (completes) {
		b.pending = b.expected;
		b.parity = !b.parity;
	}
	write_bits(w, lane, pack(b));
	if (completes && w->m->detector)
		simt_watch_phase_complete(w, lane);
}

static void report_too_many(struct warp *w, const struct code *c, int lane, uint64_t count, uint32_t pending)
{
	simt_fault(w, c,
		(struct fault){
			.kind = SIMT_BARRIER_MISSING, .lanes = lane_bit[lane], .address = w->m->access.address[lane]},
		"%" PRIu64 " arrival%s at an mbarrier that waits for %u: it is not initialized, or expects fewer",
		count, plural(count), pending);
}

bool simt_mbarrier_arrive(struct warp *w, const struct code *c, int lane, uint32_t count, uint64_t *state)
{
	struct mbarrier b = unpack(*state = read_bits(w, lane));
	if (count > b.pending) {
		report_too_many(w, c, lane, count, b.pending);
		return false;
	}
	b.pending -= count;
	uint16_t op = c->instr->form->op;
	bool is_no_complete = op == PTX_OP_MBARRIER_ARRIVE_NOCOMPLETE || op == PTX_OP_MBARRIER_DROP_NOCOMPLETE;
	if (!b.pending && !b.bytes && is_no_complete) {
		simt_fault(w, c, (struct fault){.kind = SIMT_BARRIER_MISSING, .lanes = lane_bit[lane]},
			"the phase ends with this arrival, which .noComplete says it does not");
		return false;
	}
	write_or_advance(w, lane, b);
	return true;
}

void simt_mbarrier_expect(struct warp *w, int lane)
{
	struct mbarrier b = unpack(read_bits(w, lane));
	b.pending++;
	write_bits(w, lane, pack(b));
}

/* --- init, inval
 * --------------------------------------------------------------------------------------------------- */

EXEC(init)
{
	const u32 *count = R(1);
	uint32_t wrong = mask & LANES_WHERE(count[i] - 1 > COUNT_MAX - 1);
	if (wrong) { /* 0 passes. Verified: CC 9.0, driver 580.159.04; fixture async-mbarrier-count */
		bool passes = !(wrong & LANES_WHERE(count[i] != 0));
		simt_fault(w, c, (struct fault){.kind = SIMT_BARRIER_MISSING, .lanes = wrong, .passes = passes},
			"an mbarrier is for 1 to %u arrivals, not for %u", COUNT_MAX, count[__builtin_ctz(wrong)]);
		if (!passes)
			return;
	}
	if (!simt_mem_access(w, c, mask, ACCESS_STORE))
		return;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		write_bits(w, i, pack((struct mbarrier){.pending = count[i], .expected = count[i]}));
	}
}
PICK_ALWAYS(mbarrier_init, init)

EXEC(inval)
{
	if (!simt_mem_access(w, c, mask, ACCESS_STORE))
		return;
	for (uint32_t rest = mask; rest; rest &= rest - 1)
		write_bits(w, __builtin_ctz(rest), 0);
}
PICK_ALWAYS(mbarrier_inval, inval)

/* --- arrivals: the lanes one after the other
 * ------------------------------------------------------------------------ */

/* PTX ISA, mbarrier: the range of the count of bytes. */
static bool expect_bytes(struct warp *w, const struct code *c, int lane, int64_t bytes)
{
	struct mbarrier b = unpack(read_bits(w, lane));
	int64_t sum = b.bytes + bytes;
	if (sum > (int64_t)COUNT_MAX || sum < -(int64_t)COUNT_MAX) {
		simt_fault(w, c,
			(struct fault){.kind = SIMT_BARRIER_MISSING,
				.lanes = lane_bit[lane],
				.address = w->m->access.address[lane]},
			"an mbarrier counts up to %u bytes still to come, or too many, not %" PRId64, COUNT_MAX, sum);
		return false;
	}
	b.bytes = (int32_t)sum;
	write_bits(w, lane, pack(b));
	return true;
}

bool simt_mbarrier_complete(struct warp *w, const struct code *c, int lane, uint32_t bytes)
{
	if (!expect_bytes(w, c, lane, -(int64_t)bytes))
		return false;
	write_or_advance(w, lane, unpack(read_bits(w, lane)));
	return true;
}

static bool arrives_with_bytes(const struct code *c)
{
	uint16_t op = c->instr->form->op;
	return op == PTX_OP_MBARRIER_ARRIVE_TX || op == PTX_OP_MBARRIER_DROP_TX;
}

/* Lanes of one instruction are one arrival at an mbarrier of the block, not several phases of it one after the other.
 * Verified: CC 9.0, driver 580.159.04: 32 lanes at one for 3 end the launch; fixture mbarrier-lanes. */
static bool fit_together(struct warp *w, const struct code *c, uint32_t mask)
{
	const struct region *shared = &w->m->shared;
	for (uint32_t rest = mask; rest;) {
		int first = __builtin_ctz(rest);
		uint8_t *host = w->m->host.at[first];
		uint32_t same = rest & LANES_WHERE(w->m->host.at[i] == host);
		rest &= ~same;
		if ((uintptr_t)host - (uintptr_t)shared->bytes >= shared->size)
			continue;
		uint32_t pending = unpack(read_bits(w, first)).pending;
		uint64_t count = 0;
		for (uint32_t left = same; left; left &= left - 1)
			count += arrives_with_bytes(c) || c->instr->n <= 2 ? 1
									   : ((const u32 *)R(2))[__builtin_ctz(left)];
		if (count > pending) {
			report_too_many(w, c, first, count, pending);
			return false;
		}
	}
	return true;
}

EXEC(arrive)
{
	u64 *d = R(0);
	uint64_t state;
	if (!simt_mem_access(w, c, mask, ACCESS_ATOMIC) || !fit_together(w, c, mask))
		return;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);

		uint16_t op = c->instr->form->op;
		uint32_t given = c->instr->n > 2 ? ((const u32 *)R(2))[i] : 1;
		bool expects = arrives_with_bytes(c);
		uint32_t count = expects ? 1 : given;
		if (expects && !expect_bytes(w, c, i, given))
			return;
		if (op == PTX_OP_MBARRIER_DROP || op == PTX_OP_MBARRIER_DROP_NOCOMPLETE ||
			op == PTX_OP_MBARRIER_DROP_TX) {
			struct mbarrier b = unpack(read_bits(w, i));
			b.expected -= count < b.expected ? count : b.expected;
			write_bits(w, i, pack(b));
		}
		if (!simt_mbarrier_arrive(w, c, i, count, &state))
			return;

		d[i] = state;
	}
}
PICK_ALWAYS(mbarrier_arrive, arrive)

EXEC(transaction)
{
	const u32 *bytes = R(1);
	bool completes = c->instr->form->op == PTX_OP_MBARRIER_COMPLETE_TX;
	if (!simt_mem_access(w, c, mask, ACCESS_ATOMIC))
		return;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		if (!(completes ? simt_mbarrier_complete(w, c, i, bytes[i]) : expect_bytes(w, c, i, bytes[i])))
			return;
	}
}
PICK_ALWAYS(mbarrier_tx, transaction)

/* --- waiting ------------------------------------------------------------------------------------------------------ */

/* The phase of which the parity, or a state from before an arrival in it, is given. */
uint32_t simt_mbarrier_incomplete(struct warp *w, const struct code *c, uint32_t lanes)
{
	uint32_t incomplete = 0;
	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint64_t bits;
		memcpy(&bits, simt_mem_lane(w->m, i), sizeof bits);
		bool parity = c->instr->form->op == PTX_OP_MBARRIER_TEST_PARITY ||
				c->instr->form->op == PTX_OP_MBARRIER_TRY_PARITY
			? ((const u32 *)R(2))[i] & 1
			: ((const u64 *)R(2))[i] >> 63;
		incomplete |= unpack(bits).parity == parity ? rest & -rest : 0;
	}
	return incomplete;
}

EXEC(wait)
{
	/* Completes what signals the mbarriers before they are tested. */
	uint64_t address[WARP_SIZE], window = c->space == SPACE_GENERIC ? 0 : SHARED_WINDOW;

	simt_mem_addresses(w, c, mask);
	memcpy(address, w->m->access.address, sizeof address);
	for (uint32_t rest = mask; rest && !w->m->stop; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		const uint8_t *host = simt_mem_read(w, i, address[i] + window, 8);
		if (host)
			simt_async_reach(w->m, host);
	}

	if (w->m->stop || !simt_mem_access(w, c, mask, ACCESS_ATOMIC))
		return;
	uint32_t incomplete = simt_mbarrier_incomplete(w, c, mask);
	if (incomplete)
		simt_block_poll(w, c);
	set_pred(R(0), mask, mask & ~incomplete);
}
PICK_ALWAYS(mbarrier_wait, wait)

EXEC1(pending, u32, u64, unpack(a[i]).pending)

PICK_ALWAYS(mbarrier_pending, pending)
