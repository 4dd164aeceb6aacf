/* cmd/access_text.h: one warp access in words. */
#pragma once
#include "base/buf.h"
#include "front/canvas/canvas.h"
#include "model/hardware/access.h"

/* "shared ld, 4 bytes per lane, 32 lanes: lane*2"; `expr` may be NULL. */
void cmd_access_title(const struct warp_access *access, const char *expr, struct buf *out);

/* What the hardware does with it and why, in a few sentences with the model's numbers. */
void cmd_access_explain(const struct warp_access *access, int cc, struct buf *out);

/* Draws `text` from `row` on, wrapped to the canvas, and returns the row after it. */
int cmd_access_draw_wrapped(struct canvas *canvas, int row, const char *text);
