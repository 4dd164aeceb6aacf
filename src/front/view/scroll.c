/* Pictures that have more rows than there is room for: where they are scrolled, all of them is drawn on a canvas that
 * is high enough, and a window of it is shown. The source alone begins at another line. */
#include <stdlib.h>

#include "front/view/draw.h"

#define ROWS_MOST 400

/* On the lowest canvas that it fits on. The caller frees it. */
static struct canvas *draw_whole(view_id id, struct rect rect, const struct view_input *input, int *rows)
{
	for (int height = rect.rows;; height += height / 4 + 1) {
		struct canvas *canvas = canvas_new(height, rect.cols);
		if (input->spots)
			input->spots->n = 0;
		view_draw(id, canvas, (struct rect){0, 0, canvas->rows, canvas->cols}, input);

		/* Rows up to the last that is not blank; -1: the picture leaves rows out. */
		bool whole = true;
		*rows = 0;
		for (int i = 0; i < canvas->rows * canvas->cols; i++) {
			const struct cell *cell = &canvas->cells[i];
			whole &= cell->ch != GLYPH_ELLIPSIS_V;
			if (cell->ch != ' ' || cell->ground != ROLE_TEXT)
				*rows = i / canvas->cols + 1;
		}
		*rows = whole ? *rows : -1;
		if (whole || height >= ROWS_MOST)
			return canvas;
		canvas_free(canvas);
	}
}

struct view_scroll view_scroll_range(view_id id, struct rect rect, const struct view_input *input)
{
	struct view_scroll range = {0, 0};
	struct view_input still = *input;
	int rows;
	if (id < 0 || id >= view_count || rect.rows < view_table[id].min_rows || rect.cols < view_table[id].min_cols)
		return range;
	still.roomy = view_is_roomy(id, rect);
	if (view_table[id].drawer->scroll)
		return view_table[id].drawer->scroll(rect, &still);
	still.scroll = 0;
	still.spots = NULL;
	struct canvas *canvas = draw_whole(id, rect, &still, &rows);
	range.most = rows > rect.rows ? rows - rect.rows : 0;
	canvas_free(canvas);
	return range;
}

void view_draw_scrolled(view_id id, struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	struct view_input still = *input;
	struct view_spots spots = {0};
	int rows;
	still.scroll = 0;
	still.spots = input->spots ? &spots : NULL;
	struct canvas *whole = draw_whole(id, rect, &still, &rows);
	int most = rows > rect.rows ? rows - rect.rows : 0, scroll = input->scroll < most ? input->scroll : most;
	canvas_copy(canvas, rect, whole, scroll);
	for (size_t i = 0; i < spots.n; i++) {
		struct rect r = spots.at[i].rect;
		if (r.row >= scroll && r.row + r.rows <= scroll + rect.rows)
			view_spot_at(input, (struct rect){r.row - scroll + rect.row, r.col + rect.col, r.rows, r.cols},
				spots.at[i].pick);
	}
	free(spots.at);
	canvas_free(whole);
}
