/* screen/debug_parts.h: the panes of the debugger's screen, for the files of screen/ that draw it. */
#pragma once
#include "screen/debug.h"

struct debug_sketch {
	struct canvas *canvas;
	const struct debug *debug;
	const struct debug_screen_state *state;
	struct debug_targets *targets; /* or NULL */
};

/* Takes over which warp is followed. */
void debug_screen_follow(struct debug_screen_state *state, const struct debug *debug);

void debug_target(struct debug_sketch *sketch, struct debug_target target);

/* debug_code.c. The first row shown is moved no more than it must be for the cursor to be in sight. */
void lay_out_debug_source(struct debug_screen_state *state, const struct debug *debug, int rows);
void lay_out_debug_ptx(struct debug_screen_state *state, const struct debug *debug, int rows);
void draw_debug_source(struct debug_sketch *sketch, struct rect rect);
void draw_debug_ptx(struct debug_sketch *sketch, struct rect rect);

/* debug_lanes.c: 32 cells, one a lane: runs, predicated off, elsewhere, ended. */
void draw_lanes_mask(struct canvas *canvas, int row, int col, const struct debug *debug, uint32_t warp,
	const struct debug_warp *now);

/* "16 run, 16 elsewhere", each with the sign it has in the mask. Returns the columns it took. */
int draw_lanes_legend(struct canvas *canvas, int row, int col, int cols, const struct debug *debug);
void draw_debug_paths(struct canvas *canvas, struct rect rect, const struct debug *debug);
void lay_out_debug_warps(struct debug_screen_state *state, const struct debug *debug, struct rect rect);
void draw_debug_warps(const struct debug_sketch *sketch, struct rect rect);

/* Rows that the paths take when there is room. */
int debug_paths_rows(const struct debug *debug, int cols);

/* debug_registers.c */
void lay_out_debug_registers(struct debug_screen_state *state, const struct debug *debug, struct rect rect);
void draw_debug_registers(const struct debug_sketch *sketch, struct rect rect);

/* debug_memory.c */
void draw_debug_memory(struct canvas *canvas, struct rect rect, const struct debug *debug);

/* What the access costs that is about to be made: "4 wavefronts"; nothing when there is none. */
void debug_memory_title(const struct debug *debug, struct buf *out);
