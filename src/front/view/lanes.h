/* front/view/lanes.h: what both forms of the view `lanes` draw. For this folder only. */
#pragma once
#include "front/view/draw.h"

uint32_t view_lanes_threads(const struct view_launch *launch);

/* How many of a warp's lanes have a thread. */
int view_lanes_of_warp(const struct view_launch *launch, uint32_t warp);

/* Whether it is known which lanes take part in the watched line, and those of a warp that do. */
bool view_lanes_parts_known(const struct view_launch *launch);
uint32_t view_lanes_parts_of(const struct view_launch *launch, uint32_t warp);

/* Of the block that are worth a row each: 0, 2 or 3. */
int view_lanes_dimensions(const struct view_launch *launch);

/* Where a thread of the block is in it: x, y, z. */
void view_lanes_place(const struct view_launch *launch, uint32_t thread, uint32_t at[3]);

void view_lanes_note(struct view_notes *notes, const struct view_input *input, bool cells);

void view_draw_lanes_roomy(struct canvas *canvas, struct rect rect, const struct view_input *input);
