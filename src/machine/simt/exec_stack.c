/* alloca, stacksave and stackrestore: each lane takes from a part of its function's frame, from its end down, and the
 * return gives it back. Verified: H200, tests/ptx/stack-alloca.ptx. */
#include <inttypes.h>

#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"

#define ALIGN_DEFAULT 8 /* PTX ISA, alloca */

/* The address, in local memory, of the end of the part of the frame. */
static uint64_t stack_end(const struct warp *w)
{
	const struct code_unit *unit = w->frames.at[w->frame].unit;
	return w->local_base + unit->var_address[unit->code->stack_use] + PTX_STACK_BYTES;
}

static uint64_t read_lane(const struct warp *w, const struct code *c, int n, int lane)
{
	return c->bytes == 4 ? ((const u32 *)R(n))[lane] : ((const u64 *)R(n))[lane];
}

static void write_lane(struct warp *w, const struct code *c, int lane, uint64_t value)
{
	if (c->bytes == 4)
		((u32 *)R(0))[lane] = (uint32_t)value;
	else
		((u64 *)R(0))[lane] = value;
}

EXEC(allocate)
{
	uint64_t align = c->instr->n > 2 ? (uint64_t)c->instr->operands[2].value : ALIGN_DEFAULT, end = stack_end(w);
	uint32_t *used = w->frames.at[w->frame].stack_used;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint64_t size = read_lane(w, c, 1, i), left = PTX_STACK_BYTES - used[i];
		uint64_t at = size <= left ? (end - used[i] - size) / align * align : 0;
		if (size > left || end - at > PTX_STACK_BYTES) {
			simt_limit_at(w, c, "alloca of %" PRIu64 " bytes; the machine has %u for a call of a function",
				size, PTX_STACK_BYTES);
			w->m->stop = true;
			return;
		}
		used[i] = (uint32_t)(end - at);
		write_lane(w, c, i, at);
	}
}
PICK_ALWAYS(stack_alloca, allocate)

EXEC(save)
{
	uint64_t end = stack_end(w);
	const uint32_t *used = w->frames.at[w->frame].stack_used;
	FOR_LANES(mask, write_lane(w, c, i, end - used[i]));
}
PICK_ALWAYS(stack_save, save)

EXEC(restore)
{
	uint64_t end = stack_end(w);
	uint32_t *used = w->frames.at[w->frame].stack_used;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint64_t kept = end - read_lane(w, c, 0, i);
		if (kept <= used[i]) {
			used[i] = (uint32_t)kept;
			continue;
		}
		simt_fault(w, c,
			(struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = 1u << i, .address = read_lane(w, c, 0, i)},
			"stackrestore to 0x%" PRIx64 ", which no stacksave of this call gave", read_lane(w, c, 0, i));
	}
}
PICK_ALWAYS(stack_restore, restore)
