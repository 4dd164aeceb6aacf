/* machine/simt/async.h: asynchronous operations of a warp: copies between global and shared memory, and arrivals at an
 * mbarrier that follow them. Inside simt/ only.
 *
 * A copy reads when it is executed and writes as late as PTX allows: when its thread waits for it, when a thread tests
 * the mbarrier that it signals, or when its thread ends. A thread that does not wait therefore sees what was there
 * before. */
#pragma once
#include "machine/simt/code.h"

struct operation;

/* By which a thread waits: groups of cp.async, groups of cp.async.bulk, or no groups. */
enum async_stream { ASYNC_COPIES, ASYNC_BULK, ASYNC_UNGROUPED, ASYNC_STREAMS };

/* Completes an operation for `lanes`, whose addresses are in m->access.address. */
typedef void async_fn(struct warp *w, struct operation *o, uint32_t lanes);

/* One instruction in flight, for the lanes for which it is not complete. */
struct operation {
	const struct code *c;
	async_fn *finish;
	enum async_stream stream;
	uint32_t lanes;
	uint32_t group[WARP_SIZE];   /* how many groups of the stream the lane had committed before it */
	uint64_t address[WARP_SIZE]; /* of what is written */
	uint8_t *host[WARP_SIZE];    /* the mbarrier whose waiters complete it, or NULL, */
	uint64_t signal[WARP_SIZE];  /* its address, as `signals` gives it; */
	const struct code *signals;  /* NULL: it completes no bytes of one */
	uint8_t data[WARP_SIZE][16];
	uint8_t *bulk; /* of a bulk copy of one lane, which owns it; `bulk_bytes` of them */
	uint32_t bulk_bytes;
	uint8_t swizzle;  /* of a box of a tensor */
	uint32_t pending; /* the detector's number of what it reads and writes; 0: none */
};

/* Another operation of `lanes`; the addresses of `c` are computed. Freed when it is complete for all its lanes. */
struct operation *simt_async_push(
	struct warp *w, const struct code *c, uint32_t lanes, async_fn *finish, enum async_stream stream);

/* Where asynchronous writes of an instruction go beside what they write: the operand of their mbarriers, or NULL, and
 * for lanes its address and place; of blocks of the cluster, masks by lane, or NULL. */
struct async_target {
	const struct code *mbarrier;
	const uint16_t *multicast;
	uint64_t signal[WARP_SIZE];
	uint8_t *host[WARP_SIZE];
};

struct bulk_data {
	uint8_t *at;
	uint32_t bytes;
	uint8_t swizzle;  /* as warp_tensor has it */
	uint32_t pending; /* as that of the operation */
};

#define SIMT_BULK_PIECE 16u /* sizes and addresses of bulk copies are multiples of it */

/* Finds the mbarriers of `mask`; false with a defect when they are not in the block that `c` writes to. */
bool simt_async_find_mbarriers(struct warp *w, const struct code *c, uint32_t mask, struct async_target *targets);
const uint16_t *simt_async_multicast(struct warp *w, const struct code *c, int operand);

void simt_async_push_bulk(struct warp *w, const struct code *c, int lane, const struct async_target *targets,
	const struct bulk_data *data);
void simt_async_charge(struct machine *m, uint32_t bytes);

/* exec_mem.c: the atomic operation of `c`, of the type of `form`, with `value` at the lane's m->access.address. False
 * with a defect. */
bool simt_atomic_element(
	struct warp *w, const struct code *c, int lane, const struct ptx_form *form, const void *value);

/* Before a bulk copy of `bytes`: when too many are in flight, completes the warp's, for hosts have little memory. */
void simt_async_room(struct warp *w, uint32_t bytes);

/* Lanes commit what they have in the stream so far as a group. */
void simt_async_commit(struct warp *w, uint32_t lanes, enum async_stream stream);

/* Completes what `lanes` have in flight in the stream, but for their kept[i] youngest groups and what is in no group
 * yet; with `kept` NULL, all of it. */
void simt_async_drain(struct warp *w, uint32_t lanes, enum async_stream stream, const uint32_t *kept);

/* The same, but that they have read: what they write they still may. */
void simt_async_have_read(struct warp *w, uint32_t lanes, enum async_stream stream, const uint32_t *kept);

/* Completes whatever any lane of the block has in flight that signals the mbarrier at `host`. */
void simt_async_reach(struct machine *m, const uint8_t *host);

/* Lanes end: completes all that they have in flight. */
void simt_async_end(struct warp *w, uint32_t lanes);

/* At the beginning of a block: nothing is in flight. */
void simt_async_start(struct warp *w);
void simt_async_free(struct warp *w);

/* exec_mbarrier.c: one arrival of `count` at the mbarrier that lane `lane` has at m->host.at; false with a defect when
 * it waits for fewer. `*state` is its state before. */
bool simt_mbarrier_arrive(struct warp *w, const struct code *c, int lane, uint32_t count, uint64_t *state);

/* One more arrival is expected in this phase; `bytes` have been copied: false with a defect when it expected far
 * fewer. */
void simt_mbarrier_expect(struct warp *w, int lane);
bool simt_mbarrier_complete(struct warp *w, const struct code *c, int lane, uint32_t bytes);

/* Of `lanes`, which have an mbarrier each for the wait `c`, those whose phase is not complete. */
uint32_t simt_mbarrier_incomplete(struct warp *w, const struct code *c, uint32_t lanes);

/* exec_async.c: sizes and address spaces of the sides of a copy. */
void simt_async_decode(struct code *c);
