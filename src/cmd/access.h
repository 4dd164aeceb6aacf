/* cmd/access.h: the addresses of one warp access as a person writes them. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "front/canvas/canvas.h"
#include "model/hardware/access.h"

/* Sets addresses and active lanes of `access`, whose space, op and width are set. `text` is a C integer expression in
 * `lane` for the element index; all lanes are active. False with an error. */
bool cmd_access_parse_expr(struct arena *arena, const char *text, struct warp_access *access, struct diag *diag);

/* Reads an access from 32 byte offsets separated by commas or blanks, `-` for an inactive lane. */
bool cmd_access_parse_offsets(const char *text, struct warp_access *access, struct diag *diag);

/* --- one warp access in words. --- */

/* "shared ld, 4 bytes per lane, 32 lanes: lane*2"; `expr` may be NULL. */
void cmd_access_title(const struct warp_access *access, const char *expr, struct buf *out);

/* What the hardware does with it and why, in a few sentences with the model's numbers. */
void cmd_access_explain(const struct warp_access *access, int cc, struct buf *out);
