/* machine/simt/specials.h: special registers. Inside simt/ only. */
#pragma once
#include "machine/simt/warp_state.h"

/* Those of a warp that stay, those that change with the block, and the clocks. */
void simt_specials_launch(struct warp *w);
void simt_specials_block(struct warp *w);
void simt_specials_clock(struct warp *w);
