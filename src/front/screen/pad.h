/* front/screen/pad.h: what is typed in a playground, where an explored kernel has its source: the form of an access, or a text with its
 * cursor. For this folder only. */
#pragma once
#include "front/screen/parts.h"

/* Whether there is nothing beside it yet: a kernel that was never compiled. */
bool screen_pad_alone(const struct tutor *tutor);

/* Whether the text is shown in place of the source with its numbers. */
bool screen_pad_covers_source(const struct tutor *tutor);

/* The cursor is kept in sight. */
void screen_pad_lay_out(struct screen_state *state, const struct tutor *tutor, struct rect r);
void screen_pad_draw(struct screen_sketch *sketch, struct rect r);

/* While the reader types: a character, or what moves by pages; false: the key is one of the table. */
bool screen_pad_key(struct screen_state *state, struct tutor *tutor, const char *key);

/* The cursor goes to where the text of a kernel was clicked. False: it was elsewhere. */
bool screen_pad_click(struct screen_state *state, struct tutor *tutor, int row, int col);
