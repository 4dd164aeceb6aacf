/* screen/debug.h: the debugger's screen drawn on a canvas from its state. No terminal, so that scripts print and tests
 * compare exactly what a reader sees. */
#pragma once
#include "canvas/canvas.h"
#include "debug/debug.h"

/* The smallest terminal the panes are laid out for. */
#define DEBUG_SCREEN_MIN_ROWS 16
#define DEBUG_SCREEN_MIN_COLS 60

/* Where a mouse click does something. */
struct debug_target {
	struct rect rect;
	enum debug_action action;
	int line, row; /* of the source or of the PTX, where the cursor goes; 0 and -1: it is an action */
};
#define DEBUG_TARGETS_MAX 160

struct debug_targets {
	struct debug_target t[DEBUG_TARGETS_MAX];
	int n;
};

/* Draws the debugger to fill `canvas`; clamps its scroll positions. `targets` may be NULL. */
void debug_screen_draw(struct canvas *canvas, struct debug *debug, struct debug_targets *targets);

/* Does what a click at this cell does. False when nothing is there. */
bool debug_screen_click(struct debug *debug, const struct debug_targets *targets, int row, int col);

/* One pane alone. */
void debug_pane_draw(struct canvas *canvas, struct rect rect, struct debug *debug, enum debug_pane pane);
