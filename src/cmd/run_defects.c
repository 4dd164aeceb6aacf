#include "cmd/run.h"
#include "config.h"

#include <string.h>

#include "model/profile/profile.h"

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
static void note_side(struct run *run, const struct simt_side *side, const struct buf *who)
{
	struct diag_pos ptx = {
		.file = run->ptx_name, .line = side->place.ptx_line, .text = run->ptx.data, .text_len = run->ptx.len};
	if (side->place.ptx_line)
		diag_note(&run->ctx->diag, ptx, "%s", buf_str(who));
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
	struct buf sentence = {0}, who = {0};
	buf_puts(&sentence, run_step_name(run));
	profile_defect_sentence(d, &sentence);
	diag_error(&run->ctx->diag, line_pos(run, &d->here.place), "%s", buf_str(&sentence));
	profile_defect_who(d, &who);
	note_side(run, &d->here, &who);
	note_chain(run, &d->here.place);
	buf_clear(&sentence);
	buf_clear(&who);
	if (d->other.instr >= 0) {
		profile_other_side(&d->other, &sentence);
		if (d->other.place.line)
			diag_note(&run->ctx->diag, line_pos(run, &d->other.place), "%s", buf_str(&sentence));
		profile_side_who(&d->other, &who);
		note_side(run, &d->other, &who);
		note_chain(run, &d->other.place);
	}
	buf_free(&sentence);
	buf_free(&who);
}

/* Where the warps were that had begun, and which blocks had not. */
static void note_standing(struct run *run, const struct simt_standing *s)
{
	struct buf text = {0};
	if (!s->resident)
		return;
	profile_standing_sentence(s, &text);
	diag_note(&run->ctx->diag, (struct diag_pos){.file = run->ptx_name}, "%s", buf_str(&text));
	for (uint32_t i = 0; i < s->n; i++) {
		struct diag_pos ptx = {.file = run->ptx_name, .line = s->at[i].place.ptx_line};
		buf_clear(&text);
		profile_stand_sentence(&s->at[i], &text);
		diag_note(&run->ctx->diag, s->at[i].place.line ? line_pos(run, &s->at[i].place) : ptx, "%s",
			buf_str(&text));
	}
	if (s->left_out)
		diag_note(&run->ctx->diag, (struct diag_pos){.file = run->ptx_name}, "%u more were at other lines",
			s->left_out);
	buf_free(&text);
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
	struct buf who = {0};
	diag_error(&run->ctx->diag, pos, "%s%s", run_step_name(run), r->message);
	profile_side_who(&where, &who);
	note_side(run, &where, &who);
	note_standing(run, &r->standing);
	buf_free(&who);
}
