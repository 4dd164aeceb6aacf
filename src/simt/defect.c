#include <stdarg.h>
#include <stdio.h>

#include "simt/machine.h"

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

void defect(struct warp *w, const struct code *c, enum simt_defect_kind kind, uint32_t lanes, uint64_t address,
	const char *format, ...)
{
	struct simt_result *r = w->m->result;
	va_list args;

	note_place(w, c, lanes);
	r->outcome = SIMT_DEFECT;
	r->defect = kind;
	r->address = address;
	va_start(args, format);
	vsnprintf(r->message, sizeof r->message, format, args);
	va_end(args);
}

void refuse(struct machine *m, const char *format, ...)
{
	va_list args;
	m->stop = true;
	m->result->outcome = SIMT_ERROR;
	va_start(args, format);
	vsnprintf(m->result->message, sizeof m->result->message, format, args);
	va_end(args);
}

void limit(struct machine *m, const char *format, ...)
{
	va_list args;
	m->stop = true;
	m->result->outcome = SIMT_LIMIT;
	va_start(args, format);
	vsnprintf(m->result->message, sizeof m->result->message, format, args);
	va_end(args);
}

void limit_at(struct warp *w, const struct code *c, const char *format, ...)
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
		[SIMT_BAD_MASK] = "wrong mask",
		[SIMT_TRAP] = "trap",
		[SIMT_RACE] = "race",
		[SIMT_UNINITIALISED] = "uninitialised read",
		[SIMT_BAD_CALL] = "wrong call",
	};
	return names[kind];
}
