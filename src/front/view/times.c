#include "front/view/times.h"

#include <stdio.h>

#include "base/utf8.h"

struct view_time_scale view_times_scale(int col, int cols, uint64_t from, uint64_t end)
{
	uint64_t width = cols > 0 ? (uint64_t)cols : 1, per = (end - from + width - 1) / width;
	return (struct view_time_scale){col, (int)width, from, end, per ? per : 1};
}

int view_times_col(const struct view_time_scale *scale, uint64_t time)
{
	uint64_t col = (time - scale->from) / scale->per, last = (uint64_t)scale->cols - 1;
	return (int)(col < last ? col : last);
}

/* How many columns time reaches. */
static int count_used_cols(const struct view_time_scale *scale)
{
	return scale->end > scale->from ? view_times_col(scale, scale->end - 1) + 1 : 1;
}

#define PIECES 60

int view_times_moments(const struct view_input *input)
{
	(void)input;
	return PIECES;
}

uint64_t view_times_until(const struct view_input *input, uint64_t end)
{
	bool all = input->moment <= 0 || input->moment >= PIECES;
	return all ? end : (uint64_t)((double)end * input->moment / PIECES);
}

int view_times_shown(const struct view_time_scale *scale, const struct view_input *input, uint64_t end)
{
	if (input->moment <= 0 || input->moment >= PIECES)
		return scale->cols;
	uint64_t until = view_times_until(input, end);
	if (until <= scale->from)
		return 0;
	return view_times_col(scale, until - 1) + 1;
}

void view_times_format(enum timeline_unit unit, uint64_t time, struct buf *out)
{
	if (unit == TIMELINE_CYCLES) {
		buf_printf(out, "%llu cycle%s", (unsigned long long)time, time == 1 ? "" : "s");
		return;
	}
	static const struct {
		double scale;
		const char *unit;
	} units[] = {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}};
	int u = time < 1000 ? 0 : time < 1000000 ? 1 : time < 1000000000 ? 2 : 3;
	value_format((double)time / units[u].scale, out);
	buf_printf(out, " %s", units[u].unit);
}

void view_times_axis(struct canvas *canvas, int row, const struct view_time_scale *scale, enum timeline_unit unit)
{
	struct buf text = {0};
	view_times_format(unit, scale->end, &text);
	/* the end of time, where it is: the last column may reach past it */
	int width = utf8_columns(buf_str(&text)), used = count_used_cols(scale), at = used > width ? used - width : 0;
	canvas_hline(canvas, row, scale->col, used, ROLE_FRAME);
	int begin = canvas_textf(canvas, row, scale->col, ROLE_DIM, "%llu", (unsigned long long)scale->from);
	if (at > begin)
		canvas_text(canvas, row, scale->col + at, ROLE_DIM, buf_str(&text));
	buf_free(&text);
}

void view_times_header(struct canvas *canvas, struct rect rect, const struct timeline_origin *origin, const char *text)
{
	int at = canvas_textf(
		canvas, rect.row, rect.col, view_witness_role(origin->witness), "%s", witness_name(origin->witness));
	at += canvas_text(canvas, rect.row, rect.col + at, ROLE_DIM, ": ");
	canvas_text_fit(canvas, (struct rect){rect.row, rect.col + at, 1, rect.cols - at}, ROLE_TEXT, text);
}

void view_times_note(struct view_notes *notes, const struct timeline_origin *origin, const char *more)
{
	struct buf text = {0};
	buf_printf(&text, "%s", witness_name(origin->witness));
	if (origin->where)
		buf_printf(&text, ": %s", origin->where);
	if (more)
		buf_printf(&text, "%s%s", origin->where ? "; " : ": ", more);
	if (origin->cut)
		buf_printf(&text, "; only %s", origin->cut);
	view_notes_add(notes, view_witness_role(origin->witness), "%s", buf_str(&text));
	buf_free(&text);
}

uint32_t view_times_eighth(int eighths)
{
	static const uint32_t glyphs[] = {' ', GLYPH_LOWER_1, GLYPH_LOWER_2, GLYPH_LOWER_3, GLYPH_BLOCK_LOWER,
		GLYPH_LOWER_5, GLYPH_LOWER_6, GLYPH_LOWER_7, GLYPH_BLOCK_FULL};
	return glyphs[eighths < 0 ? 0 : eighths > 8 ? 8 : eighths];
}

void view_times_part(struct canvas *canvas, int row, int col, struct view_times_parts parts)
{
	static const uint32_t glyphs[] = {0, GLYPH_LEFT_1, GLYPH_LEFT_2, GLYPH_LEFT_3, GLYPH_BLOCK_LEFT, GLYPH_LEFT_5,
		GLYPH_LEFT_6, GLYPH_LEFT_7};
	struct rect at = {row, col, 1, 1};
	if (parts.eighths >= 8)
		canvas_paint(canvas, at, parts.first);
	else if (parts.eighths <= 0)
		canvas_paint(canvas, at, parts.second);
	else
		canvas_put_on(canvas, at, glyphs[parts.eighths], parts.first, parts.second);
}

void view_times_bars(struct canvas *canvas, int row, const struct view_time_scale *scale,
	const struct view_shares *shares, double percent)
{
	int used = count_used_cols(scale);
	canvas_text_fit(canvas, (struct rect){row, shares->label_col, 1, scale->col - shares->label_col - 1}, ROLE_DIM,
		shares->label);
	for (int c = 0; c < used; c++) {
		int eighths = (int)(shares->of[c] * 8 + 0.5);
		if (shares->of[c] > 0)
			canvas_put(
				canvas, row, scale->col + c, view_times_eighth(eighths > 0 ? eighths : 1), ROLE_ISSUED);
		else if (shares->of[c] >= 0)
			canvas_put(canvas, row, scale->col + c, GLYPH_MIDDLE_DOT, ROLE_IDLE);
	}
	if (percent >= 0)
		canvas_textf(canvas, row, scale->col + used, ROLE_STRONG,
			percent > 0 && percent < 0.5 ? "   <1 %%" : "%5.0f %%", percent);
}
