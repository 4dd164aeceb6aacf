/* simt/mem.h: one access of a warp, checked and reported. Inside simt/ only. */
#pragma once
#include "simt/lanes.h"

/* Computes the addresses of the lanes in `mask`, checks alignment and bounds, and tells the listener. True: m->at[i] is
 * where lane i's bytes are. False: a defect was reported. */
bool mem_access(struct warp *w, const struct code *c, uint32_t mask, enum simt_op op);

/* The two halves of it: the addresses that the lanes of `mask` give, into m->access.address; and an access of `width` bytes
 * to what is there. */
void mem_addresses(struct warp *w, const struct code *c, uint32_t mask);
bool mem_access_at(struct warp *w, const struct code *c, uint32_t mask, enum simt_op op, uint32_t width);
