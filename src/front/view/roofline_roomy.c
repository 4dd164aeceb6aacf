/* The roofs with a table beside them: what the launch does at each memory, and what it could. */
#include "front/view/roofline.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define TABLE_COLS 44
#define NAME_COLS 22
#define VALUE_COLS 11

/* A row of the table: a name, and what each witness has, already in words. */
static int draw_table_row(struct canvas *canvas, struct rect *rest, const char *name, const struct buf text[2],
	const struct view_roofline *r)
{
	if (rest->rows <= 0)
		return 0;
	canvas_text_fit(canvas, (struct rect){rest->row, rest->col, 1, NAME_COLS}, ROLE_DIM, name);
	for (int which = 0; which < 2; which++) {
		bool there = text[which].len > 0;
		const char *shown = there ? buf_str(&text[which]) : "–";
		int cols = utf8_columns(shown), end = rest->col + NAME_COLS + (which + 1) * VALUE_COLS;
		canvas_text(canvas, rest->row, end - cols,
			!there          ? ROLE_MISSING
				: which ? view_roofline_measured_role(r)
					: ROLE_MODEL,
			shown);
	}
	rest->row++;
	rest->rows--;
	return 1;
}

static void write_value(struct value v, double scale, struct buf *out)
{
	if (v.state == VALUE_OK)
		view_roofline_write_count(v.v * scale, out);
}

static void draw_table(struct canvas *canvas, struct rect *rest, const struct view_roofline *r)
{
	struct buf text[2] = {{0}, {0}};
	struct roofline_point point[2];
	bool there[2];
	buf_puts(&text[0], "predicted");
	buf_puts(&text[1], r->measured_by == WITNESS_RECORDED ? "recorded" : "measured");
	draw_table_row(canvas, rest, "", text, r);
#define ROW(name, ...)                                                                                                 \
	do {                                                                                                           \
		for (int which = 0; which < 2; which++) {                                                              \
			const struct roof_work *work = view_roofline_work(r, which, r->at);                            \
			struct buf *out = &text[which];                                                                \
			buf_clear(out);                                                                                \
			(void)work;                                                                                    \
			__VA_ARGS__;                                                                                   \
		}                                                                                                      \
		draw_table_row(canvas, rest, name, text, r);                                                           \
	} while (0)
	for (int which = 0; which < 2; which++)
		there[which] = view_roofline_point(r, which, r->at, &point[which]);
	ROW(r->counted ? "FLOP" : "FLOP, by the model", write_value(work->operations, 1, out));
	ROW("time, us", write_value(work->time, 0.001, out));
	ROW("TFLOP/s", if (there[which]) buf_printf(out, "%.3g", point[which].y / 1000));
	for (int level = 0; level < ROOF_LEVELS; level++) {
		char name[40];
		double x;
		snprintf(name, sizeof name, "FLOP/byte of %s", roof_level_name((enum roof_level)level));
		ROW(name, if (roof_intensity(work, (enum roof_level)level, &x)) view_roofline_write_count(x, out));
	}
	if (r->roofs) {
		ROW(
			"bounded by", if (there[which]) {
				double flat = r->roofs->of[ROOF_FLOAT].rate;
				bool above = roof_level_rate(r->roofs, point[which].level) * point[which].x >= flat;
				buf_puts(out, above ? "operations" : roof_level_name(point[which].level));
			});
		ROW("of that roof, %",
			if (there[which]) buf_printf(out, "%.3g", view_roofline_share(r, &point[which])));
	}
#undef ROW
	buf_free(&text[0]);
	buf_free(&text[1]);
}

/* The roofs and where they come from. */
static void draw_origin(struct canvas *canvas, struct rect rest, const struct view_roofline *r)
{
	struct view_notes notes = {.n = 0};
	struct buf text = {0};
	if (!r->roofs) {
		view_notes_add(&notes, ROLE_MISSING, "No roofs were measured on %s: only the launch is drawn.",
			r->gpu ? r->gpu : "this GPU");
	} else {
		for (int level = 0; level < ROOF_LEVELS; level++) {
			buf_printf(&text, "%s ", roof_level_name((enum roof_level)level));
			view_roofline_write_rate(roof_level_rate(r->roofs, (enum roof_level)level), "B/s", &text);
			buf_puts(&text, ", ");
		}
		buf_puts(&text, "floats ");
		view_roofline_write_rate(r->roofs->of[ROOF_FLOAT].rate, "FLOP/s", &text);
		view_notes_add(&notes, ROLE_TEXT, "Roofs: %s.", buf_str(&text));
		view_notes_add(&notes, ROLE_DIM, "Measured by tests/time/roofs on an %s, %s.", r->roofs->gpu,
			r->roofs->measured);
	}
	view_notes_add(&notes, ROLE_DIM,
		"FLOP: an operation on floats; a multiply-add is two. L1 is also shared memory: 128 bytes each wavefront.");
	view_notes_fit(&notes, rest.rows, rest.cols);
	view_notes_draw(canvas, rest, &notes);
	buf_free(&text);
}

void view_roofline_draw_roomy(struct canvas *canvas, struct rect rect, const struct view_roofline *r)
{
	int left = rect.cols - TABLE_COLS - 3;
	struct rect rest = {rect.row, rect.col + left + 3, rect.rows, TABLE_COLS};
	canvas_text_fit(canvas, (struct rect){rect.row, rect.col, 1, left}, ROLE_TITLE,
		"operations on floats per second (TFLOP/s) by operations per byte");
	view_roofline_draw_plot(canvas, (struct rect){rect.row + 1, rect.col, rect.rows - 2, left}, r);
	view_roofline_draw_legend(canvas, (struct rect){rect.row + rect.rows - 1, rect.col, 1, left}, r);
	if (r->at >= 0 && !view_roofline_covered(r, r->at)) {
		draw_table(canvas, &rest, r);
		rest.row++;
		rest.rows--;
	}
	if (rest.rows > 0)
		draw_origin(canvas, rest, r);
}
