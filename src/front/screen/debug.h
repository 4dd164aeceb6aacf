/* front/screen/debug.h: the debugger's screen drawn on a canvas from its state. No terminal, so that scripts print and
 * tests compare exactly what a reader sees.
 *
 * What the reader looks at is a screen_debug_state, which belongs to the caller. Keys change it and the debugger;
 * screen_debug_lay_out fits it to both and to the canvas's size; drawing changes nothing. */
#pragma once
#include "base/key.h"
#include "front/canvas/canvas.h"
#include "front/debug/debug.h"
#include "front/screen/screen.h"

/* The smallest terminal the panes are laid out for. */
#define SCREEN_DEBUG_MIN_ROWS 16
#define SCREEN_DEBUG_MIN_COLS 60

/* Where a mouse click does something. */
struct screen_debug_target {
	struct rect rect;
	enum debug_action action;
	int line, row; /* of the source or of the PTX, where the cursor goes; 0 and -1: it is an action */
};
#define SCREEN_DEBUG_TARGETS_MAX 160

struct screen_debug_targets {
	struct screen_debug_target t[SCREEN_DEBUG_TARGETS_MAX];
	int n;
};

/* Source and PTX, as far as there is room and a source. */
enum screen_debug_code { SCREEN_DEBUG_CODE_BOTH, SCREEN_DEBUG_CODE_SOURCE, SCREEN_DEBUG_CODE_PTX, SCREEN_DEBUG_CODES };

/* A pane between the rows and columns of its frame. `end` 0: it is not shown. */
struct screen_debug_frame {
	int top, bottom, col, end;
};

#define SCREEN_DEBUG_TABLE_ROWS_MAX 256

/* The registers as a table: one row each, one column for each lane. */
struct screen_debug_table {
	struct debug_shown shown[SCREEN_DEBUG_TABLE_ROWS_MAX];
	int n, first, rows; /* first shown row, and how many there is room for */
	int name_cols, cell_cols;
};

struct screen_debug_layout {
	bool large;             /* all panes are there at once */
	int status_row;         /* first row below the panes */
	int rule, wall;         /* row below the code; column beside it (of a large screen) */
	int code_row, code_col; /* rule or wall between source and PTX; 0: there is none */
	struct screen_debug_frame source, ptx, panes[DEBUG_PANE_COUNT];
	int first_warp;
	struct screen_debug_table registers;
};

/* All zero at first. */
struct screen_debug_state {
	struct screen_modes modes; /* over the panes: the list of keys */
	bool zoom;                 /* the pane on all of the screen */
	bool theme_asked;          /* by the last key: the caller's */
	enum debug_pane pane;      /* that scrolls, and is shown where there is room for one */
	enum screen_debug_code code;
	int help_scroll, row_scroll; /* first line of the list, first row of the pane */
	int first_lane;              /* of the registers */
	int source_first, ptx_first; /* first row shown; the cursor is kept in sight */
	int page;                    /* rows that a page key moves the cursor by; 0: nothing was laid out yet */

	unsigned followed; /* as last seen in the debugger */
	struct screen_debug_layout layout;
};

/* Fits the state to the debugger and to a canvas of this size: scroll positions are within what there is. */
void screen_debug_lay_out(struct screen_debug_state *state, const struct debug *debug, int rows, int cols);

/* Draws the debugger to fill `canvas`, for whose size the state was laid out. `targets` may be NULL. */
void screen_debug_draw(struct canvas *canvas, const struct debug *debug, const struct screen_debug_state *state,
	struct screen_debug_targets *targets);

/* Lays out for the canvas and draws; and of one pane alone. */
void screen_debug_render(struct canvas *canvas, const struct debug *debug, struct screen_debug_state *state,
	struct screen_debug_targets *targets);
void screen_debug_render_pane(
	struct canvas *canvas, const struct debug *debug, struct screen_debug_state *state, enum debug_pane pane);

/* Carries out an action: what is the screen's on the state, all other by debug_act. */
void screen_debug_act(struct screen_debug_state *state, struct debug *debug, enum debug_action action);

/* A key goes to the prompt when there is one, else through the key table. */
void screen_debug_key(struct screen_debug_state *state, struct debug *debug, key_code key);

/* The same where nobody waits between keys: those typed ahead find the step before them done, as long as it is short,
 * and what is done at once is drawn once. What a command or the kernel printed follows the notice. And a click; and
 * what is under way. */
void screen_debug_press(struct screen_debug_state *state, struct debug *debug, key_code key);
void screen_debug_press_at(struct screen_debug_state *state, struct debug *debug,
	const struct screen_debug_targets *targets, int row, int col);

/* A text that was pasted: its first line is typed into the prompt; where there is none, a notice says that nothing
 * takes it. */
void screen_debug_paste(struct debug *debug, const char *text);
void screen_debug_work(struct debug *debug);

/* After a command: does what it asked of the screen, but for wishes.show, which is the caller's. */
void screen_debug_take(struct screen_debug_state *state, struct debug *debug);

/* Does what a click at this cell does. False when nothing is there. */
bool screen_debug_click(struct screen_debug_state *state, struct debug *debug,
	const struct screen_debug_targets *targets, int row, int col);
