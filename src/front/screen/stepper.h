/* front/screen/stepper.h: the step's kernel in the debugger, over the lesson, which waits as it is. For this folder only. */
#pragma once
#include "front/screen/parts.h"

/* Opens it at the watched line; where nothing is launched, or what the question asks about is still covered, says so. */
void screen_stepper_open(struct screen_state *state, struct tutor *tutor);
void screen_stepper_close(struct screen_state *state);

/* The key to leave it closes it. */
void screen_stepper_key(struct screen_state *state, const char *key);
void screen_stepper_paste(struct screen_state *state, const char *text);
void screen_stepper_wheel(struct screen_state *state, int rows);
void screen_stepper_click(struct screen_state *state, int row, int col);

void screen_stepper_lay_out(struct screen_state *state, int rows, int cols);
void screen_stepper_draw(struct screen_sketch *sketch);
