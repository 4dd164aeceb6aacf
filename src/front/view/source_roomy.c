/* Beside the lines of the source: which share of the launch's wavefronts and sectors is theirs, and how many lanes are active. */
#include <stdio.h>

#include "front/view/source.h"

#define BAR_COLS 12
#define PITCH (BAR_COLS + 3)
#define REST_MIN 96 /* columns for code and counts */

static double wavefronts(const struct view_source_line *line)
{
	return line->wavefronts.state == VALUE_OK ? line->wavefronts.v * (double)line->requests : 0;
}

static double sectors(const struct view_source_line *line)
{
	return line->sectors.state == VALUE_OK ? line->sectors.v * (double)line->requests : 0;
}

static double lanes(const struct view_source_line *line)
{
	return line->active_lanes.state == VALUE_OK ? line->active_lanes.v : 0;
}

static const struct {
	const char *title;
	enum role role;
	double (*of)(const struct view_source_line *line);
	double whole; /* 0: of all lines together */
} bars[] = {
	{"wavefronts", ROLE_SHARED, wavefronts, 0},
	{"sectors", ROLE_GLOBAL, sectors, 0},
	{"active lanes", ROLE_USED, lanes, WARP_SIZE},
};
#define BARS (sizeof bars / sizeof *bars)

static double sum_of_bar(const struct view_source *source, size_t bar)
{
	double sum = 0;
	for (int i = 0; i < source->n_lines; i++)
		sum += bars[bar].of(&source->lines[i]);
	return sum;
}

int view_source_bars_cols(const struct view_source *source, int cols)
{
	int n = 0;
	for (size_t i = 0; i < BARS; i++)
		n += sum_of_bar(source, i) > 0;
	return cols - n * PITCH >= REST_MIN ? n * PITCH : 0;
}

void view_source_bars_header(struct canvas *canvas, struct rect row, const struct view_source *source)
{
	int col = row.col + row.cols;
	for (size_t i = BARS; i-- > 0;) {
		if (sum_of_bar(source, i) > 0)
			canvas_text(canvas, row.row, (col -= PITCH) + 3, bars[i].role, bars[i].title);
	}
}

void view_source_bars(
	struct canvas *canvas, struct rect row, const struct view_source *source, const struct view_source_line *line)
{
	int col = row.col + row.cols;
	for (size_t i = BARS; i-- > 0;) {
		double sum = sum_of_bar(source, i), part = bars[i].of(line);
		if (sum <= 0)
			continue;
		col -= PITCH;
		if (line->executed && part > 0)
			view_draw_bar(canvas, (struct rect){row.row, col + 3, 1, BAR_COLS}, bars[i].role,
				(uint64_t)(part / (bars[i].whole > 0 ? bars[i].whole : sum) * 1000 + 0.5), 1000);
	}
}
