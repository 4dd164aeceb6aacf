/* front/screen/debug_parts.h: the panes of the debugger's screen, for the files of screen/ that draw it. */
#pragma once
#include "front/screen/debug.h"

struct screen_debug_sketch {
	struct canvas *canvas;
	const struct debug *debug;
	const struct screen_debug_state *state;
	struct screen_debug_targets *targets; /* or NULL */
};

/* Takes over which warp is followed. */
void screen_debug_follow(struct screen_debug_state *state, const struct debug *debug);

void screen_debug_add_target(struct screen_debug_sketch *sketch, struct screen_debug_target target);

/* debug_code.c. The first row shown is moved no more than it must be for the cursor to be in sight. */
void screen_debug_lay_out_source(struct screen_debug_state *state, const struct debug *debug, int rows);
void screen_debug_lay_out_ptx(struct screen_debug_state *state, const struct debug *debug, int rows);
void screen_debug_draw_source(struct screen_debug_sketch *sketch, struct rect rect);
void screen_debug_draw_ptx(struct screen_debug_sketch *sketch, struct rect rect);

/* debug_lanes.c: 32 cells, one a lane: runs, predicated off, elsewhere, ended. */
void screen_debug_draw_lanes(
	const struct screen_debug_sketch *sketch, int row, int col, uint32_t warp, const struct debug_warp *now);

/* "16 run, 16 elsewhere", each with the sign it has in the mask. Returns the columns it took. */
int screen_debug_draw_lanes_legend(struct canvas *canvas, int row, int col, int cols, const struct debug *debug);
void screen_debug_draw_paths(struct canvas *canvas, struct rect rect, const struct debug *debug);
void screen_debug_lay_out_warps(struct screen_debug_state *state, const struct debug *debug, struct rect rect);
void screen_debug_draw_warps(const struct screen_debug_sketch *sketch, struct rect rect);

/* debug_variables.c */
void screen_debug_lay_out_variables(struct screen_debug_state *state, const struct debug *debug, struct rect rect);
void screen_debug_draw_variables(const struct screen_debug_sketch *sketch, struct rect rect);

/* Rows that the paths take when there is room. */
int screen_debug_paths_rows(const struct debug *debug, int cols);

/* debug_registers.c */
void screen_debug_lay_out_registers(struct screen_debug_state *state, const struct debug *debug, struct rect rect);
void screen_debug_draw_registers(const struct screen_debug_sketch *sketch, struct rect rect);

/* debug_memory.c */
void screen_debug_draw_memory(struct canvas *canvas, struct rect rect, const struct debug *debug);

/* What the access costs that is about to be made: "4 wavefronts"; nothing when there is none. */
void screen_debug_memory_title(const struct debug *debug, struct buf *out);
