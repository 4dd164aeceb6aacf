/* front/view/occupancy.h: what both forms of the view `occupancy` draw. For this folder only. */
#pragma once
#include "front/view/draw.h"

/* "32 of 64 warps: 50 %, limited by registers", and what a block is. */
void view_occupancy_note(struct view_notes *notes, const struct view_occupancy *o, int cc);

void view_draw_occupancy_roomy(struct canvas *canvas, struct rect rect, const struct view_input *input);
