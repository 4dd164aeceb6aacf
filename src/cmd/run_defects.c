#include "config.h"
#include "cmd/run.h"

#include <string.h>

#include "debug/debug.h"

/* The source line of a place, with its text where it is available. */
static struct diag_pos line_pos(const struct run *run, const struct ptx_place *place)
{
	struct diag_pos pos = {.file = place->line ? place->file : NULL, .line = place->line};
	if (place->file && run->source_name && strcmp(place->file, run->source_name) == 0) {
		pos.text = run->source.text;
		pos.text_len = run->source.len;
	}
	return pos;
}

/* The PTX line, with block, warp and lanes. */
static void note_side(struct run *run, const struct simt_side *side, const char *more)
{
	struct buf who = {0};
	struct diag_pos ptx = {
		.file = run->ptx_name, .line = side->place.ptx_line, .text = run->ptx.data, .text_len = run->ptx.len};
	if (side->place.ptx_line) {
		buf_printf(&who, "block %u, warp %u, ", side->block, side->warp);
		simt_write_lanes(side->lanes, &who);
		diag_note(&run->ctx->diag, ptx, "%s%s", buf_str(&who), more);
	}
	buf_free(&who);
}

/* How the line came to code of another file. */
static void note_chain(struct run *run, const struct ptx_place *place)
{
	struct buf chain = {0};
	if (ptx_place_chain(place, 0, &chain))
		diag_note(&run->ctx->diag,
			(struct diag_pos){.file = place->inlined->file, .line = place->inlined->line},
			"inlined code: %s", buf_str(&chain));
	buf_free(&chain);
}

static void report_defect(struct run *run, const struct simt_defect *d)
{
	struct buf more = {0};
	char order[SIMT_ORDER_TEXT];
	diag_error(&run->ctx->diag, line_pos(run, &d->here.place), "%s: %s", simt_defect_name(d->kind), d->message);
	if (d->here.accesses)
		buf_printf(&more, "; address 0x%llx", (unsigned long long)d->address);
	if (d->order)
		buf_printf(&more, "; order of blocks and warps: %s", simt_order_name(d->order, order));
	if (d->count > 1)
		buf_printf(&more, "; found %llu times", (unsigned long long)d->count);
	note_side(run, &d->here, buf_str(&more));
	note_chain(run, &d->here.place);
	if (d->other.instr >= 0) {
		if (d->other.place.line)
			diag_note(&run->ctx->diag, line_pos(run, &d->other.place), "the other side%s%s",
				!d->other.accesses                     ? ""
					: d->other.op == ACCESS_ATOMIC ? ", an "
								       : ", a ",
				d->other.accesses ? warp_op_verb(d->other.op) : "");
		note_side(run, &d->other, "");
		note_chain(run, &d->other.place);
	}
	buf_free(&more);
}

void run_report_defects(struct run *run)
{
	const struct simt_result *r = &run->profile->result;
	for (uint32_t i = 0; i < run->profile->report.n; i++)
		report_defect(run, &run->profile->report.defects[i]);
	if (r->outcome == SIMT_DEFECT)
		return;
	struct simt_side where = {.place = r->place, .block = r->block, .warp = r->warp, .lanes = r->lanes};
	struct diag_pos pos = line_pos(run, &r->place);
	if (!pos.file)
		pos.file = run->ptx_name; /* of the launch as a whole */
	diag_error(&run->ctx->diag, pos, "%s", r->message);
	note_side(run, &where, "");
}
