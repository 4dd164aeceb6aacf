/* Registers, places and lanes as text. */
#include <inttypes.h>
#include <math.h>

#include "base/narrow.h"
#include "front/debug/private.h"

#define ADDRESSES ((uint64_t)1 << 24) /* below this 64 bits are a count or an index */

/* --- one value ---------------------------------------------------------------------------------------------------- */

void debug_write_halves(
	uint64_t bits, uint32_t bytes, enum debug_number number, enum debug_digits digits, struct buf *out)
{
	for (uint32_t i = 0; i < bytes; i += 2, bits >>= 16) {
		/* A bfloat16 is the high half of a single-precision float. */
		uint16_t value_bits = (uint16_t)bits;
		double v = number == DEBUG_NUMBER_F16X2 ? narrow_half_to_double(value_bits)
							: narrow_float_to_double((uint32_t)value_bits << 16);
		buf_puts(out, i ? "," : "");
		if (isnan(v))
			buf_puts(out, "nan");
		else
			buf_printf(out, digits == DEBUG_DIGITS_FEW ? "%.3g" : "%.5g", v);
	}
}

void debug_value(const struct debug *debug, int reg, int lane, enum debug_digits digits, struct buf *out)
{
	static const char as[] = {[DEBUG_NUMBER_HEX] = 'X',
		[DEBUG_NUMBER_INT] = 'S',
		[DEBUG_NUMBER_FLOAT] = 'F',
		[DEBUG_NUMBER_F16X2] = 'H',
		[DEBUG_NUMBER_BF16X2] = 'H'};
	uint64_t bits = debug->registers[reg].lanes[lane];
	uint32_t bytes = ptx_slot_bytes(debug->program->regs[reg].type);
	char kind = debug->program->regs[reg].kind;
	if (bytes == 0)
		kind = 'P';
	else if (debug->number != DEBUG_NUMBER_AUTO)
		kind = as[debug->number];
	if (kind == 'P') {
		buf_printf(out, "%d", (int)(bits & 1));
	} else if (kind == 'H') {
		debug_write_halves(bits, bytes, debug->number, digits, out);
	} else if (kind == 'F') {
		enum launch_type type = bytes == 2 ? LAUNCH_F16 : bytes == 4 ? LAUNCH_F32 : LAUNCH_F64;
		if (digits == DEBUG_DIGITS_FEW)
			buf_printf(out, "%.4g", launch_number(type, &bits, 0));
		else
			launch_format(type, &bits, 0, out);
	} else if (kind == 'S') {
		int64_t value = bytes == 2 ? (int16_t)bits : bytes == 4 ? (int32_t)bits : (int64_t)bits;
		buf_printf(out, "%" PRId64, value);
	} else if (debug->number == DEBUG_NUMBER_AUTO && bits < ADDRESSES) {
		buf_printf(out, "%" PRIu64, bits);
	} else {
		buf_printf(out, "0x%" PRIx64, bits);
	}
}

/* --- which registers ---------------------------------------------------------------------------------------------- */

static void show(struct debug_shown *out, int *n, int cap, int reg, enum debug_use use)
{
	for (int i = 0; i < *n; i++)
		if (out[i].reg == reg)
			return;
	if (*n < cap)
		out[(*n)++] = (struct debug_shown){reg, use};
}

/* The register written last, but not after `before`; -1: there is none. */
static int latest_before(const struct debug *debug, uint64_t before)
{
	int best = -1;
	for (int r = 0; r < debug->program->n_regs; r++) {
		uint64_t at = debug->registers[r].written;
		if (at && at <= before && (best < 0 || at > debug->registers[best].written))
			best = r;
	}
	return best;
}

int debug_shown(const struct debug *debug, struct debug_shown *out, int cap)
{
	struct debug_uses uses = {.n_read = 0};
	int n = 0, part = debug->now.instr >= 0 ? debug->program->instrs[debug->now.instr].part : 0;
	if (debug->now.n_paths == 0)
		return 0;
	if (debug->now.instr >= 0)
		debug_uses(debug->program, debug->now.instr, &uses);
	for (int i = 0; i < uses.n_written; i++)
		show(out, &n, cap, uses.written[i], DEBUG_USE_WRITTEN);
	for (int i = 0; i < uses.n_read; i++)
		show(out, &n, cap, uses.read[i], DEBUG_USE_READ);
	for (int r = 0; r < debug->program->n_regs; r++)
		if (debug->registers[r].displayed && debug->program->regs[r].part == part)
			show(out, &n, cap, r, DEBUG_USE_NONE);
	if (latest_before(debug, UINT64_MAX) >= 0) {
		uint64_t before = UINT64_MAX;
		for (int r; n < cap && (r = latest_before(debug, before)) >= 0;) {
			uint64_t at = debug->registers[r].written;
			/* a vector load writes several in one step */
			for (int other = r; other < debug->program->n_regs; other++)
				if (debug->registers[other].written == at)
					show(out, &n, cap, other, DEBUG_USE_NONE);
			before = at - 1;
		}
	} else {
		/* The warp's writes were not observed: it began before its block was looked at. */
		for (int r = 0; r < debug->program->n_regs; r++) {
			uint64_t any = 0;
			for (int i = 0; i < WARP_SIZE; i++)
				any |= debug->registers[r].lanes[i];
			if (debug->program->regs[r].part == part && any)
				show(out, &n, cap, r, DEBUG_USE_NONE);
		}
	}
	return n;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

/* " (main.cu:8 → pipe.h:10)", for code inlined from another file. */
static void write_chain(const struct debug *debug, int instr, struct buf *out)
{
	struct ptx_location place = ptx_instr_location(debug->program->kernel, instr);
	if (!place.inlined)
		return;
	buf_puts(out, " (");
	ptx_location_chain(&place, 0, out);
	buf_puts(out, ")");
}

void debug_write_place(const struct debug *debug, int instr, struct buf *out)
{
	if (instr < 0 || instr >= debug->program->n_instrs) {
		buf_puts(out, "the end");
		return;
	}
	if (debug->program->file && debug->program->instrs[instr].line)
		buf_printf(out, "line %d, ", debug->program->instrs[instr].line);
	buf_printf(out, "PTX %d", debug->program->instrs[instr].code->line);
	write_chain(debug, instr, out);
}

static const char *state_text(const struct debug *debug)
{
	static const char *const texts[] = {
		[DEBUG_WARP_AWAITED] = "has not begun",
		[DEBUG_WARP_ENDED] = "has ended",
		[DEBUG_WARP_RUNS] = "",
		[DEBUG_WARP_AT_BARRIER] = "waits at the barrier",
		[DEBUG_WARP_AT_SYNC] = "waits for lanes",
	};
	return texts[debug->now.state];
}

void debug_where(const struct debug *debug, struct buf *out)
{
	const struct debug_warp *now = &debug->now;
	buf_printf(out, "step %" PRIu64 "  block %u warp %u", debug->step, debug->block, debug->warp);
	if (*state_text(debug))
		buf_printf(out, " %s", state_text(debug));
	if (now->instr < 0) {
		buf_putc(out, '\n');
		return;
	}
	const struct debug_row *row = &debug->program->rows[debug->program->instrs[now->instr].row];
	if (debug->program->file)
		buf_printf(out, "  line %d", debug->program->instrs[now->instr].line);
	write_chain(debug, now->instr, out);
	buf_printf(out, "  PTX %d  %s  ", row->line, row->text);
	simt_write_lanes(now->active, out);
	if (now->executing != now->active)
		buf_printf(out, ", of which %d execute", __builtin_popcount(now->executing));
	buf_putc(out, '\n');
}
