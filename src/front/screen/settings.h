/* front/screen/settings.h: the reader's settings (front/tutor/settings.h) in a box over the screen. */
#pragma once
#include "front/screen/parts.h"

void screen_settings_open(struct screen_state *state);

/* A key while the box is open. What it changes is in the session's settings, and setting_changed is set. */
void screen_settings_key(struct screen_state *state, struct tutor *tutor, const char *key);

/* A click on the line of one; -1: elsewhere. */
void screen_settings_click(struct screen_state *state, struct tutor *tutor, int index);

void screen_draw_settings(struct screen_sketch *sketch);
