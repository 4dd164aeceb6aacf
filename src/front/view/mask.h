/* front/view/mask.h: what both forms of the view `mask` draw. For this folder only. */
#pragma once
#include "front/view/times.h"

#define VIEW_MASK_LABEL 5 /* "  22+" */

/* A row of the picture: steps [first, last] of one mask. */
struct view_mask_line {
	size_t first, last;
	uint32_t lanes, gone; /* gone: ended before */
	int arm;              /* counts the arms of a diverged warp; 0: it has not diverged */
	uint32_t repeats;     /* of the group that ends with this row; 1: none */
	size_t group;         /* rows of that group */
	bool in_group;        /* and is not the last row of it */
	bool more_lines;      /* of the source than the one that is shown */
	bool has_text;        /* where source has rows of its own: not that of the row before */
};

/* Which steps share a row, beside the two sides of a barrier. */
enum view_mask_rows {
	MASK_ROWS_STEPS, /* none */
	MASK_ROWS_LOOPS, /* those of one mask, but a loop has a row of its own */
	MASK_ROWS_MASKS, /* those of one mask */
};

struct view_mask {
	const struct view_input *input;
	const struct mask_timeline *mask;
	const struct view_source *source;
	struct rect rect;
	enum view_mask_rows per;
	bool under;   /* too narrow for source beside the lanes: it has a row of its own above them */
	int lanes_at; /* column of lane 0: after the label, the mark, and a blank where there is room */
	struct view_mask_line *lines;
	size_t n;
};

/* How a row's lanes relate to those before (enum mask_relation), and what they do (enum mask_what). */
struct view_mask_sign {
	uint32_t glyph;
	enum role role;
	const char *words;
};
extern const struct view_mask_sign view_mask_relations[], view_mask_whats[];

/* The line at which lanes that diverge come together; 0: not known, or its instruction is of a line before the branch, where the
 * compiler took it from. */
int view_mask_until(const struct view_mask *p, const struct view_mask_line *line);

/* The line of source that stands for a row: where lanes diverge next the last, which branches; else the watched one, the last of a
 * loop, the last. 0: not known. */
int view_mask_line_of(const struct view_mask *p, const struct view_mask_line *line);

/* The text of a line of source, "" where there is none. */
const char *view_mask_source(const struct view_source *source, int line);

/* For how long it was diverged, and how many lanes were active meanwhile. */
void view_mask_draw_verdict(struct canvas *canvas, struct rect row, const struct view_mask *p);

/* Which lanes went together, over how many steps and which lines: where there are rows to spare. */
void view_mask_draw_arms(struct canvas *canvas, struct rect rect, const struct view_mask *p);

void view_mask_draw_ruler_roomy(struct canvas *canvas, int row, const struct view_mask *p);
void view_mask_draw_line_roomy(
	struct canvas *canvas, int row, const struct view_mask *p, const struct view_mask_line *line);
