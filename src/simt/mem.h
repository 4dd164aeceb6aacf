/* simt/mem.h: one access of a warp, checked and reported. Inside simt/ only. */
#pragma once
#include "simt/machine.h"

/* Computes the addresses of the lanes in `mask`, checks alignment and bounds, and reports to the listener. True: lane
 * i's bytes are at simt_mem_lane(m, i); in a run that goes on after defects, those of a lane with a wrong address are
 * zeros elsewhere. False: a defect ended the run. */
bool simt_mem_reach(struct warp *w, const struct code *c, uint32_t mask, enum access_op op);

/* All of a warp's lanes that are in one buffer lie at their addresses plus one number. */
static inline uint8_t *simt_mem_lane(const struct machine *m, int i)
{
	return m->host.together ? (uint8_t *)(uintptr_t)(m->access.address[i] + m->host.bias) : m->host.at[i];
}

/* The same, and m->host.at[i] is where lane i's bytes are. */
bool simt_mem_access(struct warp *w, const struct code *c, uint32_t mask, enum access_op op);

/* The two halves of it: the addresses that the lanes of `mask` give, into m->access.address; and an access of `width`
 * bytes to what is there. */
void simt_mem_addresses(struct warp *w, const struct code *c, uint32_t mask);
bool simt_mem_access_at(struct warp *w, const struct code *c, uint32_t mask, enum access_op op, uint32_t width);

/* A lane's memory at a generic address, to read from; NULL when not all of it is there. Says in m->access what kind of
 * access that is, for a defect. */
const void *simt_mem_read(struct warp *w, int lane, uint64_t address, size_t bytes);

/* Reports to the listener an instruction on .shared in which no lane takes part. */
void simt_mem_report_empty(struct warp *w, const struct code *c);
