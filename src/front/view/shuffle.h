/* front/view/shuffle.h: what both forms of the view `shuffle` draw. For this folder only. */
#pragma once
#include "front/view/draw.h"

/* `letters`: lanes are drawn in one column each. */
void view_shuffle_note(struct view_notes *notes, const struct warp_shuffle *shuffle, bool letters, bool signs);

void view_draw_shuffle_roomy(struct canvas *canvas, struct rect rect, const struct view_input *input);
