/* machine/simt/paths.h: which lanes of a warp run together, and where they reconverge. Inside simt/ only.
 *
 * A branch that splits the active lanes makes a join at its immediate post-dominator, and a path for each side. One path
 * runs, the side that falls through first; a path that comes to its join waits there for the others. When all lanes of the
 * join that live have arrived, they go on as one path towards the join around it. When the next join is already at that
 * address no new one is made, so a loop that lanes leave one by one stays flat.
 *
 * Left alone, the newest ready path runs until it reconverges, as on a reconvergence stack. What independent thread scheduling
 * adds is forward progress, that no lane waits forever: a path that waits at a *.sync or a barrier lets the others run, and
 * when a block only polls memory, its warps let their other paths run (simt_paths_rotate) and after that the lanes that wait at
 * joins go on without those they wait for (simt_paths_loosen). */
#pragma once
#include "machine/simt/warp_state.h"

/* A warp begins with `lanes`, and ends. */
void simt_paths_start(struct warp *w, uint32_t lanes);
void simt_paths_free(struct warp *w);

/* The active lanes diverge: those in `taken` go to `target` and the others on at pc, or each to its own target. They
 * reconverge at `reconverge`. */
void simt_paths_diverge(struct warp *w, uint32_t taken, uint32_t target, uint32_t reconverge);
void simt_paths_switch(struct warp *w, const uint32_t target[WARP_SIZE], uint32_t reconverge);

/* The running path has come to its join. */
void simt_paths_arrive(struct warp *w);

/* The lanes of `mask` end. */
void simt_paths_exit(struct warp *w, uint32_t mask);

/* The active lanes but those of `mask` go on at pc, which is after a call, when the others have come there too. */
void simt_paths_stay(struct warp *w, uint32_t mask);

/* `lanes` go to `pc` in `frame`, and when all of them have returned or ended, those that returned go on after the call.
 * They run at once when the path has no others; those that are left call something else. */
void simt_paths_call(struct warp *w, uint32_t lanes, uint32_t pc, uint32_t frame);

/* `lanes` of the running path return: they no longer arrive at joins inside the function. */
void simt_paths_return(struct warp *w, uint32_t lanes);

/* `lanes` of the running path wait at `c`; the rest of it goes on. The caller calls simt_paths_next when no lane of it is
 * left. */
void simt_paths_park(struct warp *w, const struct code *c, enum path_state state, uint32_t lanes, uint32_t waits_for);

/* No path runs: lets one run, if any is ready. */
void simt_paths_next(struct warp *w);

/* The running path polls in vain: lets the newest other one that is ready run, and comes back to it last. False: there is
 * no other. */
bool simt_paths_rotate(struct warp *w);

/* The running path polls in vain: the lanes that wait for it at the next join where there are any go on without it. They
 * reconverge with it at the join around that one, or when all lanes of the warp come to one barrier. False: no lane
 * waits. */
bool simt_paths_loosen(struct warp *w);
