/* front/view/defect.h: the larger form of the view `defect`. For this folder only. */
#pragma once
#include "front/view/draw.h"

void view_draw_defect_roomy(struct canvas *canvas, struct rect rect, const struct view_input *input);
