/* simt/async.h: what a warp has under way: copies to shared memory by cp.async, and arrivals at an mbarrier that come after
 * them. Inside simt/ only.
 *
 * A copy reads global memory when it is executed and writes shared memory as late as PTX allows: when its thread waits for
 * it, when somebody looks at the mbarrier that its thread made arrive after it, or when its thread ends. Who does not wait
 * therefore sees what was there before. */
#pragma once
#include "simt/machine.h"

/* At the beginning of a block: nothing is under way. */
void async_start(struct warp *w);
void async_free(struct warp *w);

/* Lanes end: all that they have under way arrives. */
void async_end(struct warp *w, uint32_t lanes);

/* Whatever any lane of the block has under way up to an arrival at the mbarrier at `host` arrives. */
void async_reach(struct machine *m, const uint8_t *host);

/* One arrival of `count` at the mbarrier that lane `lane` has at m->at; false with a defect when it waits for fewer. The
 * state before it goes to `*state`. */
bool mbarrier_arrive(struct warp *w, const struct code *c, int lane, uint32_t count, uint64_t *state);

/* One more is expected in this phase. */
void mbarrier_expect(struct warp *w, int lane);

/* Sizes and addresses of the two sides of cp.async. */
void async_decode(struct code *c);
