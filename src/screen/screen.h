/* screen/screen.h: the whole screen drawn on a canvas from the session's state: panes, list, lesson, help. No terminal, so
 * that `show` prints and tests compare exactly what a reader sees. */
#pragma once
#include "canvas/canvas.h"
#include "tutor/tutor.h"

/* The smallest terminal the panes are laid out for; on a smaller one the screen says so and still takes keys. */
#define SCREEN_MIN_ROWS 16
#define SCREEN_MIN_COLS 60

/* Where a mouse click does something. */
struct screen_target {
	struct rect rect;
	enum tutor_action action;
	int index; /* OPEN: the lesson; VIEW_NEXT: the step's view; PARAM_*: the parameter; else -1 */
};
#define SCREEN_TARGETS_MAX 64

struct screen_targets {
	struct screen_target t[SCREEN_TARGETS_MAX];
	int n;
};

/* Draws the session to fill `canvas`. Clamps the session's scroll positions to what there is. `targets` may be NULL. */
void screen_draw(struct canvas *canvas, struct tutor *tutor, struct screen_targets *targets);

/* Does what a click at this cell does: shows the view, turns the parameter, opens the lesson (on a second click). False
 * when nothing is there. */
bool screen_click(struct tutor *tutor, const struct screen_targets *targets, int row, int col);
