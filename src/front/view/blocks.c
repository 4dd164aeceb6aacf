/* Blocks on SMs over time: a row for each SM or each few, the wave of the blocks that it has. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "front/view/times.h"

#define LABEL 8            /* "100-131 " */
#define LABEL_ROOMY 13     /* "places taken " */
#define WAVES_TOLD_ROWS 22 /* from here on a line says when each wave was there */
#define NO_ROW UINT32_MAX
#define WAVES_SHOWN 16 /* whose time is kept apart */

static const char *blocks_lacks(const struct view_input *input)
{
	const struct blocks_timeline *b = input->times->blocks;
	if (b)
		return !b->n                        ? "No block was run."
			: b->sms > TIMELINE_SMS_MAX ? "These blocks are on more SMs than a GPU has."
						    : NULL;
	return input->times->why ? input->times->why : "There are no blocks here.";
}

/* Time that the places of some SMs are taken in a column, by wave modulo WAVES_SHOWN. */
typedef double column_waves[WAVES_SHOWN];

struct blocks_picture {
	const struct activity_timeline *activity; /* NULL: not known */
	const struct blocks_timeline *b;
	struct view_time_scale scale;
	int shown;           /* columns of it that are */
	uint64_t until;      /* the time that is reached where it is played, else the end */
	bool roomy;          /* with more words */
	bool by_slot;        /* a row for each place of an SM */
	uint32_t places;     /* of an SM */
	uint32_t *row_of;    /* of each SM; NO_ROW: it has no block and no row */
	uint32_t *first, *n; /* SMs of each row */
	uint32_t rows;
	uint32_t left_out;   /* SMs without a row */
	column_waves *waves; /* rows * scale.cols */
	double *shares;      /* scale.cols */
};

static double *column(const struct blocks_picture *p, uint32_t row, uint64_t c)
{
	return p->waves[(size_t)row * (size_t)p->scale.cols + c];
}

static double column_time(const struct blocks_picture *p, int c)
{
	uint64_t from = (uint64_t)c * p->scale.per, to = from + p->scale.per;
	to = to < p->b->end ? to : p->b->end;
	return to > from ? (double)(to - from) : 0;
}

static double sum_waves(const double *waves, int *most)
{
	double sum = 0;
	*most = 0;
	for (int w = 0; w < WAVES_SHOWN; w++) {
		sum += waves[w];
		if (waves[w] > waves[*most])
			*most = w;
	}
	return sum;
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

/* What the first row shows in a column: a wave, and whether it has all places; -1: none. */
struct wave_run {
	int wave;
	bool full;
};

/* --- few blocks: each by itself ----------------------------------------------------------------------------------- */

/* p->shares: bars with their mean over time. */
static void draw_shares(struct canvas *canvas, int row, int col, const struct blocks_picture *p, const char *label)
{
	struct view_shares shares = {label, col, p->shares};
	for (int c = p->shown; c < p->scale.cols; c++)
		p->shares[c] = -1;
	double sum = 0, time = 0;
	for (int c = 0; c < p->scale.cols; c++) {
		if (p->shares[c] < 0)
			continue;
		sum += p->shares[c] * column_time(p, c);
		time += column_time(p, c);
	}
	view_times_bars(canvas, row, &p->scale, &shares, time > 0 ? 100 * sum / time : -1);
}

/* Which of the SM's places are taken. */
enum activity_of { ACTIVITY_WARPS, ACTIVITY_ISSUE_SLOTS };

/* Means of the samples over the columns; its own clock may end elsewhere than the blocks'. */
static void draw_activity(struct canvas *canvas, int row, int col, const struct blocks_picture *p, enum activity_of of)
{
	const struct activity_timeline *a = p->activity;
	uint64_t begin = 0;
	double *weights = base_calloc((size_t)p->scale.cols, sizeof *weights);
	for (int c = 0; c < p->scale.cols; c++)
		p->shares[c] = 0;
	for (size_t i = 0; i < a->n; i++) {
		const struct activity_sample *s = &a->samples[i];
		double share = -1;
		if (of == ACTIVITY_ISSUE_SLOTS)
			share = s->issued < 0 ? -1 : s->issued / TIMELINE_SCHEDULERS;
		else if (s->warps >= 0 && a->max_warps)
			share = s->warps / a->max_warps;
		for (uint64_t at = begin; share >= 0 && at < s->time && at < p->b->end;) {
			uint64_t c = at / p->scale.per, stop = (c + 1) * p->scale.per;
			stop = stop < s->time ? stop : s->time;
			if (c < (uint64_t)p->scale.cols) {
				p->shares[c] += share * (double)(stop - at);
				weights[c] += (double)(stop - at);
			}
			at = stop;
		}
		begin = s->time;
	}
	for (int c = 0; c < p->scale.cols; c++)
		p->shares[c] = weights[c] > 0 ? p->shares[c] / weights[c] : -1;
	free(weights);
	static const char *const labels[][2] = {
		[ACTIVITY_WARPS] = {"warps", "warp slots"}, [ACTIVITY_ISSUE_SLOTS] = {"issue", "issue slots"}};
	draw_shares(canvas, row, col, p, labels[of][p->roomy]);
}

/* An SM without any block is idle all the time, which is another matter. */
static bool has_tail(const struct blocks_timeline *b)
{
	return b->tail < b->end && b->used == b->sms;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static void write_percent(struct buf *out, double share)
{
	buf_printf(out, share > 0 && share < 0.01 ? "%.2f\u00a0%%" : "%.0f\u00a0%%", 100 * share);
}

static void note_tail(struct view_notes *notes, const struct blocks_timeline *b)
{
	struct buf text = {0};

	/* One block more than a wave is not 1.00 waves. */
	double waves = b->full_waves, part = waves - floor(waves);
	bool hidden = part > 0 && (part < 0.005 || part >= 0.995);
	if (part == 0)
		buf_printf(&text, "%.0f wave%s; ", waves, waves == 1 ? "" : "s");
	else
		buf_printf(&text, waves < 0.01 ? "%.1g waves; " : hidden ? "%.3f waves; " : "%.2f waves; ", waves);

	/* Share of the places' time without a block. */
	double taken = 0, whole = (double)b->end * b->sms * b->resident;
	for (size_t i = 0; i < b->n; i++)
		taken += (double)(b->spans[i].end - b->spans[i].start);
	double empty = b->resident && !b->origin.cut && whole > 0 && taken < whole ? 1 - taken / whole : 0;
	if (empty > 0) {
		write_percent(&text, empty);
		buf_puts(&text, " of the places empty; ");
	}
	if (b->used < b->sms)
		buf_printf(&text, "%u of %u SMs have no block; ", b->sms - b->used, b->sms);
	buf_puts(&text, "SMs idle ");
	write_percent(&text, b->idle);
	buf_puts(&text, " of the time");
	if (has_tail(b)) {
		buf_puts(&text, ", ");
		write_percent(&text, b->tail_idle);
		buf_puts(&text, " of the tail, from ");
		view_times_format(b->origin.unit, b->tail, &text);
	}
	view_notes_add(notes, b->idle > 0.1 || empty > 0.1 ? ROLE_CONFLICT : ROLE_GOOD, "%s", buf_str(&text));
	buf_free(&text);
}

/* How many blocks each wave has, and from when to when. Returns the rows it took. */
static int draw_waves(struct canvas *canvas, struct rect row, const struct blocks_picture *p)
{
	struct wave {
		uint64_t n, start, end;
	} waves[WAVES_SHOWN] = {{0}};
	const struct blocks_timeline *b = p->b;
	if (b->waves > WAVES_SHOWN || row.cols < 1)
		return 0;
	for (size_t i = 0; i < b->n; i++) {
		const struct block_span *span = &b->spans[i];
		struct wave *wave = &waves[span->wave];
		wave->start = !wave->n || span->start < wave->start ? span->start : wave->start;
		wave->end = span->end > wave->end ? span->end : wave->end;
		wave->n++;
	}
	int col = row.col, end = row.col + row.cols;
	for (uint32_t w = 0; w < b->waves; w++) {
		struct buf text = {0};
		buf_printf(&text, "wave %u: %llu block%s, %llu to ", w + 1, (unsigned long long)waves[w].n,
			waves[w].n == 1 ? "" : "s", (unsigned long long)waves[w].start);
		view_times_format(b->origin.unit, waves[w].end, &text);
		int cols = 3 + utf8_columns(buf_str(&text));
		if (col + cols + (w + 1 < b->waves ? 4 : 0) > end) {
			canvas_textf(canvas, row.row, col, ROLE_DIM, "…");
			w = b->waves;
		} else {
			canvas_paint(canvas, (struct rect){row.row, col, 1, 2}, view_wave_role((int)w));
			canvas_text(canvas, row.row, col + 3, ROLE_TEXT, buf_str(&text));
		}
		buf_free(&text);
		col += cols + 3;
	}
	return 1;
}

/* Returns the rows it took. */
static int draw_sms(struct canvas *canvas, int row, int col, const struct blocks_picture *p)
{
	int first = row;
	if (p->by_slot) {
		/* A row for each place of each SM. */
		int slots = (int)p->b->slots;
		for (uint32_t r = 0; r < p->rows; r++)
			canvas_textf(canvas, row + (int)r * slots, col, ROLE_DIM, "SM %u", p->first[r]);
		for (size_t i = 0; i < p->b->n; i++) {
			const struct block_span *span = &p->b->spans[i];
			if (span->end <= span->start)
				continue;
			int block_row = row + (int)p->row_of[span->sm] * slots + (int)span->slot;
			char text[32];
			int from = view_times_col(&p->scale, span->start),
			    to = view_times_col(&p->scale, span->end - 1) + 1;
			to = to < p->shown ? to : p->shown;
			if (from >= to)
				continue;
			int cols = snprintf(text, sizeof text, " block %u ", span->block);
			if (cols > to - from)
				cols = snprintf(text, sizeof text, "%u", span->block);
			struct rect r = {block_row, p->scale.col + from, 1, to - from};
			canvas_paint(canvas, r, view_wave_role((int)(span->wave % WAVES_SHOWN)));
			if (cols <= to - from)
				canvas_label(canvas, r, view_wave_role((int)(span->wave % WAVES_SHOWN)), text);
		}
		row += (int)p->rows * slots;
	} else {
		for (uint32_t r = 0; r < p->rows; r++) {
			int sm_row = row++;
			uint32_t n = p->n[r], first_sm = p->first[r];
			if (n == 1)
				canvas_textf(canvas, sm_row, col, ROLE_DIM, "SM %u", first_sm);
			else
				canvas_textf(canvas, sm_row, col, ROLE_DIM, "%u–%u", first_sm, first_sm + n - 1);
			for (int c = 0; c < p->shown; c++) {
				double whole = column_time(p, c) * n * p->places;
				if (whole <= 0)
					break;

				/* In eighths: as high as places are taken; where all are and one wave follows
				 * another, the earlier one at the left. */
				int at_col = p->scale.col + c;
				const double *waves = column(p, r, (uint64_t)c);
				int most, next = -1;
				double taken = sum_waves(waves, &most);
				for (int w = 0; w < WAVES_SHOWN; w++)
					if (w != most && waves[w] > 0 && (next < 0 || waves[w] > waves[next]))
						next = w;
				if (taken <= 0) {
					canvas_put(canvas, sm_row, at_col, GLYPH_MIDDLE_DOT, ROLE_IDLE);
				} else if (taken < VIEW_TIMES_FULL * whole) {
					int eighths = (int)(8 * taken / whole + 0.5);
					canvas_put(canvas, sm_row, at_col,
						view_times_eighth(eighths < 1 ? 1
								: eighths > 7 ? 7
									      : eighths),
						view_wave_role(most));
				} else {
					bool later = next >= 0 && next < most;
					int left = later ? next : most, right = next < 0 || later ? most : next;
					int eighths = next < 0
						? 8
						: (int)(8 * waves[left] / (waves[left] + waves[right]) + 0.5);
					view_times_part(canvas, sm_row, at_col,
						(struct view_times_parts){
							view_wave_role(left), view_wave_role(right), eighths});
				}
			}
		}
		if (p->rows) {
			/* "wave 2" in the first row, over the columns that the wave has there. */
			struct wave_run of = {.wave = -1};
			for (int c = 0, begin = 0; c <= p->scale.cols; c++) {
				struct wave_run run = {.wave = -1};
				if (c < p->shown) {
					double taken = sum_waves(column(p, 0, (uint64_t)c), &run.wave);
					run.full = taken >= VIEW_TIMES_FULL * column_time(p, c) * p->n[0] * p->places;
					run.wave = taken > 0 ? run.wave : -1;
				}
				if (run.wave == of.wave && run.full == of.full && c < p->scale.cols)
					continue;
				char text[32];
				int cols = snprintf(text, sizeof text, " wave %d ", of.wave + 1), room = c - begin;
				int at = p->scale.col + begin + (room - cols) / 2;
				if (of.wave >= 0 && p->b->waves <= WAVES_SHOWN && room >= cols && of.full)
					canvas_label(canvas, (struct rect){first, at, 1, cols}, view_wave_role(of.wave),
						text);
				else if (of.wave >= 0 && p->b->waves <= WAVES_SHOWN && room >= cols)
					canvas_text(canvas, first, at, view_wave_role(of.wave), text);
				begin = c;
				of = run;
			}
		}
	}
	if (p->left_out) {
		char text[48];
		snprintf(text, sizeof text, "⋮ %u SM%s without a block", p->left_out, p->left_out == 1 ? "" : "s");
		canvas_text_fit(
			canvas, (struct rect){row++, col, 1, p->scale.col + p->scale.cols - col}, ROLE_IDLE, text);
	}
	return row - first;
}

static void draw_blocks(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct blocks_timeline *b = input->times->blocks;
	const struct activity_timeline *activity = input->times->activity;
	bool roomy = input->roomy, told = roomy && rect.rows >= WAVES_TOLD_ROWS;
	int label = roomy ? LABEL_ROOMY : LABEL;
	struct blocks_picture p = {.b = b,
		.activity = activity,
		.until = view_times_until(input, b->end),
		.roomy = roomy,
		.scale = view_times_scale(rect.col + label, rect.cols - label - VIEW_TIMES_PERCENT_COLS, 0, b->end),
		.places = b->resident > b->slots ? b->resident : b->slots};
	struct view_notes notes = {0}, verdict = {0};
	/* header, axis, places, tail, words; two rows of activity where four are left for the SMs */
	int fixed = 4 + roomy + told, words = rect.rows < 11 || roomy ? 2 : 3;
	int busy = activity && rect.rows >= fixed + 2 + 4 + words ? 2 : 0, room = rect.rows - fixed - busy - words;
	p.shown = view_times_shown(&p.scale, input, b->end);

	uint32_t most = room > 0 ? (uint32_t)room : 1;
	p.row_of = base_calloc(p.b->sms, sizeof *p.row_of);
	p.first = base_calloc(most + 1, sizeof *p.first);
	p.n = base_calloc(most + 1, sizeof *p.n);
	if (p.b->used < p.b->sms && p.b->used < most) {
		/* A row for each SM that has a block, where they fit beside one row for the others. */
		for (uint32_t sm = 0; sm < p.b->sms; sm++)
			p.row_of[sm] = NO_ROW;
		for (size_t i = 0; i < p.b->n; i++) {
			uint32_t sm = p.b->spans[i].sm;
			if (p.row_of[sm] != NO_ROW)
				continue;
			p.first[p.rows] = sm;
			p.n[p.rows] = 1;
			p.row_of[sm] = p.rows++;
		}
		p.left_out = p.b->sms - p.rows;
	} else {
		/* Else one for each SM, or for as few as possible of them. */
		uint32_t each = (p.b->sms + most - 1) / most;
		for (uint32_t sm = 0; sm < p.b->sms; sm++) {
			if (sm % each == 0)
				p.first[p.rows++] = sm;
			p.row_of[sm] = p.rows - 1;
			p.n[p.rows - 1]++;
		}
	}

	/* Whether each SM has a row, and there is room for one for each of its places that had a block. */
	int slot_rows = room - (p.left_out > 0);
	p.by_slot = roomy && p.rows && b->slots <= (uint32_t)slot_rows && (int)(p.rows * b->slots) <= slot_rows;
	for (uint32_t r = 0; r < p.rows; r++)
		p.by_slot &= p.n[r] == 1;
	p.waves = base_calloc((size_t)p.rows * (size_t)p.scale.cols, sizeof *p.waves);
	p.shares = base_calloc((size_t)p.scale.cols, sizeof *p.shares);

	for (size_t i = 0; i < p.b->n; i++) {
		const struct block_span *span = &p.b->spans[i];
		for (uint64_t at = span->start; at < span->end;) {
			uint64_t c = at / p.scale.per, stop = (c + 1) * p.scale.per;
			stop = stop < span->end ? stop : span->end;
			if (c < (uint64_t)p.scale.cols)
				column(&p, p.row_of[span->sm], c)[span->wave % WAVES_SHOWN] += (double)(stop - at);
			at = stop;
		}
	}

	if (!p.roomy)
		note_tail(&notes, b);
	if (p.by_slot)
		view_notes_add(&notes, ROLE_DIM, "a row for each place of an SM; %%: the mean");
	else
		view_notes_add(&notes, ROLE_DIM,
			"a bar is as high as %s of its SMs are taken; ·:\u00a0empty; %%: the mean",
			b->resident ? "places" : "places seen");
	view_times_note(&notes, &b->origin,
		b->origin.witness == WITNESS_MODEL ? "blocks last as long as their instructions say" : NULL);

	int row = rect.row;
	struct buf text = {0};
	buf_printf(
		&text, "%llu block%s on %u SMs", (unsigned long long)b->launched, b->launched == 1 ? "" : "s", b->sms);
	if (b->resident)
		buf_printf(&text, " × %u", b->resident);
	if (p.until < b->end) {
		uint64_t done = 0, running = 0;
		for (size_t i = 0; i < b->n; i++) {
			done += b->spans[i].end <= p.until;
			running += b->spans[i].start < p.until && b->spans[i].end > p.until;
		}
		buf_printf(&text, ": %llu done, %llu running", (unsigned long long)done, (unsigned long long)running);
	}
	view_times_header(canvas, (struct rect){row++, rect.col, 1, rect.cols}, &b->origin, buf_str(&text));
	buf_free(&text);

	if (roomy) {
		note_tail(&verdict, b);
		view_notes_draw(canvas, (struct rect){row++, rect.col, 1, rect.cols}, &verdict);
	}
	if (told)
		row += draw_waves(canvas, (struct rect){row, rect.col, 1, rect.cols}, &p);
	canvas_text(canvas, row, rect.col, ROLE_DIM, p.rows + p.left_out == b->sms ? "SM" : "SMs");
	view_times_axis(canvas, row++, &p.scale, b->origin.unit);
	row += draw_sms(canvas, row, rect.col, &p);

	/* ▲ where the first SM has nothing left to do. */
	int tail_row = row++;
	if (has_tail(p.b) && view_times_col(&p.scale, p.b->tail) < p.shown) {
		int at = p.scale.col + view_times_col(&p.scale, p.b->tail);
		canvas_put(canvas, tail_row, at, GLYPH_TRIANGLE_UP, ROLE_WATCHED);
		int beside = p.scale.col + p.scale.cols - at - 2;
		canvas_text(canvas, tail_row, beside >= 4 ? at + 2 : at - 5, ROLE_WATCHED, "tail");
	}

	/* Places taken on all SMs together. */
	for (int c = 0; c < p.scale.cols; c++) {
		double whole = column_time(&p, c) * p.b->sms * p.places, taken = 0;
		int wave;
		for (uint32_t r = 0; r < p.rows; r++)
			taken += sum_waves(column(&p, r, (uint64_t)c), &wave);
		p.shares[c] = whole > 0 ? taken / whole : 0;
	}
	draw_shares(canvas, row++, rect.col, &p, p.roomy ? "places taken" : "places");

	if (busy) {
		draw_activity(canvas, row++, rect.col, &p, ACTIVITY_WARPS);
		draw_activity(canvas, row++, rect.col, &p, ACTIVITY_ISSUE_SLOTS);
	}
	int notes_rows = view_notes_fit(&notes, rect.row + rect.rows - row, rect.cols);
	view_notes_draw(canvas, (struct rect){row, rect.col, notes_rows, rect.cols}, &notes);
	free(p.row_of);
	free(p.first);
	free(p.n);
	free(p.waves);
	free(p.shares);
}

const struct view_drawer view_drawer_blocks = {.draw = draw_blocks,
	.lacks = blocks_lacks,
	.moments = view_times_moments};
