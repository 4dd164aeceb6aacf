/* front/screen/finder.h: a line to type in and what it finds: steps by what they say, actions by what they do, a step by its number. For
 * this folder only. */
#pragma once
#include "front/screen/parts.h"

/* Opens it; `action`: SEARCH, PALETTE or GOTO. False: it is another, or makes no sense now. */
bool screen_finder_open(struct screen_state *state, const struct tutor *tutor, enum tutor_action action);

/* A key while it is open: typed, chosen, gone to. */
void screen_finder_key(struct screen_state *state, struct tutor *tutor, const char *key);
void screen_finder_move(struct screen_state *state, const struct tutor *tutor, int by);

/* Over the screen. */
void screen_draw_finder(struct screen_sketch *sketch);
