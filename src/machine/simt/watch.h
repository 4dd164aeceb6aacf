/* machine/simt/watch.h: what the machine reports to the race detector. Inside simt/ only. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct code;
struct machine;
struct operation;
struct warp;

/* The detector of the launch, if one is asked for, and that of a block, if there is one of the launch. */
void simt_watch_open(struct machine *m);
void simt_watch_close(struct machine *m);
void simt_watch_prepare(struct machine *m);
void simt_watch_free(struct machine *m);

/* Whether threads of a launch that has ended may have communicated: race_grid_communicates. */
bool simt_watch_communicates(const struct machine *m);

/* Memory that the block's detector holds, 0 when there is none. */
uint64_t simt_watch_bytes(const struct machine *m);

/* Each of these only where there is one: m->detector is not NULL. */
void simt_watch_block_start(struct machine *m);
void simt_watch_block_end(struct machine *m);

/* m->access, for which the lanes' bytes have been found, is about to be made. */
void simt_watch_access(struct warp *w, const struct code *c);

/* A copy of `lanes` begins; m->access.address is where it writes, valid or not. */
void simt_watch_copy_begin(struct warp *w, const struct code *c, uint32_t lanes);

/* m->access, a load that was made, is by an asynchronous operation, which reads there until it is complete;
 * `*operation` is its number, 0 at first. And what an operation writes for a lane: bytes at an address of the space of
 * its code, valid or not. */
void simt_watch_reads(struct warp *w, const struct code *c, uint32_t *operation);
void simt_watch_writes(struct warp *w, struct operation *o, int lane, uint64_t address, uint32_t bytes);

/* An operation has read, for `lanes`, what it reads. */
void simt_watch_operation_read(struct warp *w, const struct operation *o, uint32_t lanes);

/* An operation is complete for `lanes`, and is about to write. */
void simt_watch_operation_end(struct warp *w, const struct operation *o, uint32_t lanes);

/* The mbarrier at m->host.at[lane] has completed a phase, by the last access to it. */
void simt_watch_phase_complete(struct warp *w, int lane);

/* The products of a warp's groups up to `group` have been waited for: what they read may be written. */
void simt_watch_wgmma_done(struct warp *w, uint32_t group);

/* A fence.proxy.async. */
void simt_watch_proxy_fence(struct warp *w);

void simt_watch_fence(struct warp *w, const struct code *c, uint32_t lanes);
void simt_watch_warp_sync(struct warp *w, uint32_t lanes);
void simt_watch_barrier_arrive(struct warp *w, uint32_t id, uint32_t lanes);

/* Barrier `id` is complete, and the lanes that wait at it have not gone on yet. */
void simt_watch_barrier_complete(struct machine *m, uint32_t id);
