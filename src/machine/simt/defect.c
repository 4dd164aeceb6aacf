#include "machine/simt/defect.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine/simt/code.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"

static void note_place(struct warp *w, const struct code *c, uint32_t lanes)
{
	struct simt_result *r = w->m->result;
	w->m->stop = true;
	r->instr = (int)c->index;
	r->place = ptx_instr_place(w->m->program.kernel, (int)c->index);
	r->block = w->m->block;
	r->warp = w->index;
	r->lanes = lanes;
}

int simt_reported_instr(const struct warp *w, const struct code *c)
{
	const struct ptx_kernel *kernel = w->m->program.kernel;
	const struct code *at = c;
	if (!w->frame)
		return (int)c->index;
	for (uint32_t frame = w->frame; frame && at; frame = w->frames.at[frame].caller) {
		if (ptx_instr_place(kernel, (int)at->index).line)
			return (int)at->index;
		at = w->frames.at[frame].call;
	}
	return at && ptx_instr_place(kernel, (int)at->index).line ? (int)at->index : (int)c->index;
}

/* The instruction's own line in the PTX, and the source line by which a reader knows it. */
static struct ptx_place place_of(const struct warp *w, const struct code *c)
{
	struct ptx_place place = ptx_instr_place(w->m->program.kernel, simt_reported_instr(w, c));
	place.ptx_line = ptx_instr_place(w->m->program.kernel, (int)c->index).ptx_line;
	return place;
}

struct simt_side simt_side_at(const struct warp *w, const struct code *c, uint32_t lanes)
{
	return (struct simt_side){.instr = (int)c->index,
		.place = place_of(w, c),
		.block = w->m->block,
		.warp = w->index,
		.lanes = lanes,
		.lane = lanes ? __builtin_ctz(lanes) : 0};
}

static bool is_of_access(enum simt_defect_kind kind, const struct code *c)
{
	return (kind == SIMT_OUT_OF_BOUNDS || kind == SIMT_MISALIGNED) &&
		instr_kind(c->instr->form) != PTX_KIND_BRANCH_TABLE;
}

/* Whether the lanes can do without what the faulty instruction would have done. */
static bool may_go_on(enum simt_defect_kind kind, const struct code *c)
{
	return is_of_access(kind, c) || kind == SIMT_BAD_MASK || kind == SIMT_BARRIER_PENDING ||
		kind == SIMT_BARRIER_MISMATCHED;
}

void simt_fault(struct warp *w, const struct code *c, struct fault fault, const char *format, ...)
{
	struct machine *m = w->m;
	struct simt_defect d = {
		.kind = fault.kind, .other.instr = -1, .address = fault.address, .in_neighbor = fault.made};
	va_list args;

	d.here = simt_side_at(w, c, fault.lanes);
	if (fault.other)
		d.other = simt_side_at(fault.other_warp, fault.other, fault.other_warp->live);
	if (is_of_access(fault.kind, c)) {
		d.here.accesses = true;
		d.here.op = m->access.op;
		d.space = m->access.space;
	}
	va_start(args, format);
	vsnprintf(d.message, sizeof d.message, format, args);
	va_end(args);
	m->stop |= !may_go_on(fault.kind, c);
	simt_report_defect(m, &d);
}

void simt_refuse(struct machine *m, const char *format, ...)
{
	va_list args;
	m->stop = true;
	m->result->outcome = SIMT_ERROR;
	va_start(args, format);
	vsnprintf(m->result->message, sizeof m->result->message, format, args);
	va_end(args);
}

void simt_limit(struct machine *m, const char *format, ...)
{
	va_list args;
	m->stop = true;
	m->result->outcome = SIMT_LIMIT;
	va_start(args, format);
	vsnprintf(m->result->message, sizeof m->result->message, format, args);
	va_end(args);
}

void simt_limit_at(struct warp *w, const struct code *c, const char *format, ...)
{
	struct simt_result *r = w->m->result;
	va_list args;
	note_place(w, c, w->active);
	r->outcome = SIMT_LIMIT;
	va_start(args, format);
	vsnprintf(r->message, sizeof r->message, format, args);
	va_end(args);
}

const char *simt_defect_name(enum simt_defect_kind kind)
{
	static const char *const names[] = {
		[SIMT_DEFECT_NONE] = "none",
		[SIMT_OUT_OF_BOUNDS] = "out of bounds",
		[SIMT_MISALIGNED] = "misaligned address",
		[SIMT_BARRIER_DIVERGENT] = "divergent barrier",
		[SIMT_BARRIER_MISSING] = "missing barrier",
		[SIMT_BARRIER_PENDING] = "pending barrier",
		[SIMT_BARRIER_MISMATCHED] = "mismatched barrier",
		[SIMT_BAD_MASK] = "wrong mask",
		[SIMT_TRAP] = "trap",
		[SIMT_RACE] = "race",
		[SIMT_UNINITIALIZED] = "uninitialized read",
		[SIMT_BAD_CALL] = "wrong call",
		[SIMT_BAD_TEXTURE] = "wrong texture",
		[SIMT_ASSERTION] = "assertion",
		[SIMT_BAD_PRODUCT] = "wrong matrix product",
	};
	return names[kind];
}

static uint32_t find_check(const char *name, size_t len)
{
	static const struct {
		const char *name;
		uint32_t bits;
	} checks[] = {
		{"bounds", SIMT_CHECK_BOUNDS},
		{"align", SIMT_CHECK_ALIGN},
		{"race", SIMT_CHECK_RACE},
		{"uninit", SIMT_CHECK_UNINIT},
		{"sync", SIMT_CHECK_SYNC},
		{"all", SIMT_CHECK_ALL},
		{"none", SIMT_CHECK_NONE},
	};
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		if (strlen(checks[i].name) == len && memcmp(checks[i].name, name, len) == 0)
			return checks[i].bits;
	return 0;
}

bool simt_checks_read(const char *list, uint32_t *checks)
{
	uint32_t all = 0;
	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		uint32_t bits = find_check(at, strcspn(at, ","));
		if (!bits)
			return false;
		all |= bits;
	}
	*checks = all;
	return true;
}

bool simt_defect_is_named(enum simt_defect_kind kind, const char *name)
{
	static const char british[] = "uninitiali"
				      "sed read"; /* in two, as the spelling is checked */
	return strcmp(simt_defect_name(kind), name) == 0 || (kind == SIMT_UNINITIALIZED && strcmp(name, british) == 0);
}

void simt_write_lanes(uint32_t lanes, struct buf *out)
{
	const char *between = lanes & (lanes - 1) ? "lanes " : "lane ";
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		int last = lane;
		if (!(lanes >> lane & 1))
			continue;
		while (last < WARP_SIZE - 1 && (lanes >> (last + 1) & 1))
			last++;
		buf_printf(out, last > lane ? "%s%d-%d" : "%s%d", between, lane, last);
		between = ", ";
		lane = last;
	}
}
