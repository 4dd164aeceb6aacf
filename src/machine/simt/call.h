/* machine/simt/call.h: calls of functions: what they pass, and the frames of those that are called. Inside simt/ only. */
#pragma once
#include "machine/simt/warp_state.h"

/* The slots of what a function and a call pass. */
bool simt_call_decode_unit(struct machine *m, struct code_unit *unit, struct arena *arena);
void simt_call_decode(struct program *p, struct code *c, struct arena *arena);

/* `lanes` of the running path return, or end if it is the kernel that they are in. */
void simt_call_return(struct warp *w, uint32_t lanes);

/* What a call passes to a built-in function, and gives back, up to 8 bytes. */
uint64_t simt_call_argument(const struct warp *w, const struct code *c, int n, int lane);
void simt_call_result(struct warp *w, const struct code *c, int lane, uint64_t value);

/* Frames: the kernel's alone; none; without one that all lanes have left. */
void simt_frames_start(struct warp *w);
void simt_frames_free(struct warp *w);
void simt_frame_drop(struct warp *w, uint32_t frame);
