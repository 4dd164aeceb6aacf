/* front/view/source.h: the larger form of the view `source`: beside the counts bars of what each line costs. For this folder only. */
#pragma once
#include "front/view/draw.h"

/* Columns of the bars that have something to show, at the right of a view of so many; 0: there is no room. */
int view_source_bars_cols(const struct view_source *source, int cols);

/* Their titles, and a line's: in the last `cols` columns of a row. */
void view_source_bars_header(struct canvas *canvas, struct rect row, const struct view_source *source);
void view_source_bars(
	struct canvas *canvas, struct rect row, const struct view_source *source, const struct view_source_line *line);
