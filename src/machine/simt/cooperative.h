/* machine/simt/cooperative.h: what a cooperative launch has that another has not: the workspace by which its grid synchronizes. Inside simt/
 * only.
 *
 * As the driver gives it and cooperative_groups/details/driver_abi.h reads it: %envreg1 is the high and %envreg2 the low half of its
 * address, 0 in a launch that is not cooperative. It begins with its size; after that comes the barrier that grid.sync() adds
 * to and polls, 0 at the beginning. */
#pragma once
#include <stdbool.h>

struct code;
struct machine;
struct warp;

/* False, with the reason in the result, when there is no memory for it. A launch that is not cooperative has none. */
bool simt_workspace_open(struct machine *m);
void simt_workspace_close(struct machine *m);

/* Whether the trap at `c` is what the code asks for where there is no workspace, as grid.sync() does. */
bool simt_workspace_is_missed(const struct warp *w, const struct code *c);
