/* front/screen/slide.h: a step as a slide: its picture as large as the text lets it be, the text piece by piece, a vote. For this folder
 * only. */
#pragma once
#include "front/screen/flow.h"
#include "front/screen/layout.h"
#include "front/screen/parts.h"
#include "front/tutor/present.h"

/* Where the panes of a slide lie. */
struct screen_layout screen_slide_layout(const struct screen_state *state, const struct tutor *tutor, struct rect body);

/* Brings what was revealed last in sight. */
void screen_lay_out_slide(struct screen_state *state, const struct tutor *tutor, struct rect body);
void screen_draw_slide(struct screen_sketch *sketch, struct rect body);

/* In the last row: how much of the slide is revealed, what was typed, the time. */
void screen_draw_slide_footer(struct screen_sketch *sketch);

/* The question with what the room says of it, and, once it is revealed, the answer. `roomy`: rows that it may take; a list that has
 * them is drawn large. */
void screen_flow_vote(struct screen_flow *flow, const struct tutor *tutor, int roomy);
