/* machine/simt/session.h: a launch that is run step by step and inspected in between, for a debugger.
 *
 * A session runs on one core, in the same order of blocks and warps as simt_run does on one, so a launch over equal
 * memory always takes the same steps: to go back, start it again and run to an earlier step. */
#pragma once
#include "machine/simt/simt.h"

struct simt_session;

/* The warp instruction that is executed next. */
struct simt_point {
	uint64_t step;        /* warp instructions executed before it */
	uint32_t block, warp; /* linear block index; warp of the block */
	int instr;
	uint32_t active;    /* lanes that are at it; the others of the warp are elsewhere or have ended */
	uint32_t executing; /* those of them whose guard predicate holds */
};

/* Starts `launch` over `memory`; both, and `result`, must outlive the session. Never NULL; when the launch cannot be,
 * it is at its end and the result says why. */
struct simt_session *simt_session_new(
	const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result);
void simt_session_free(struct simt_session *session);

/* What comes next; false when the launch has ended, failed or passed a limit: `result` then says how it ended. */
bool simt_session_next(struct simt_session *session, struct simt_point *next);

/* Executes the next warp instruction, and goes on until `stop` returns true for the one that would follow (NULL: at
 * once). False when the launch has ended. */
bool simt_session_run(struct simt_session *session, bool (*stop)(void *ctx, const struct simt_point *next), void *ctx);

/* --- inspecting it: `block` has to be one that has begun and not ended
 * ------------------------------------------------ */

enum simt_path_state {
	SIMT_PATH_RUNS,             /* the one of its warp that is executed next */
	SIMT_PATH_READY,            /* can go on, and does when the running one reconverges or waits */
	SIMT_PATH_AT_RECONVERGENCE, /* at a reconvergence point; other lanes have yet to arrive */
	SIMT_PATH_AT_SYNC,          /* at a *.sync; lanes that its mask names have yet to arrive */
	SIMT_PATH_AT_BARRIER,       /* at a barrier of the block */
};

/* Lanes of a warp that go on together. */
struct simt_path {
	enum simt_path_state state;
	int instr; /* they go on at, -1: the end of the kernel */
	uint32_t lanes;
	uint32_t expected; /* SIMT_PATH_AT_RECONVERGENCE: the lanes yet to arrive; AT_SYNC: those the mask names */
	int reconverges;   /* where they next wait for the others, -1: nowhere before the end */
	int depth;         /* reconvergence points they have before them */
};

/* The paths of a warp, the running one first, then from the innermost outwards: at most 64. Returns how many; 0 when
 * the block is not resident, there is no such warp, or it has ended. */
#define SIMT_PATHS_MAX 64
int simt_session_paths(const struct simt_session *session, uint32_t block, uint32_t warp, struct simt_path *paths);

/* Register `reg` of all lanes, as bits extended by zero; predicates are 0 or 1: an index into the registers of the
 * kernel or, when the path that runs is in a function, into those of ptx_part_of(kernel, its instruction)->code. False
 * when there is no such register, warp, or resident block. */
bool simt_session_register(
	const struct simt_session *session, uint32_t block, uint32_t warp, int reg, uint64_t lanes[WARP_SIZE]);

/* Local memory of one thread, of all calls that it is in, `*bytes` long; NULL when there is no such warp or it has
 * none. Likewise. */
const void *simt_session_local(
	const struct simt_session *session, uint32_t block, uint32_t warp, uint32_t lane, size_t *bytes);

/* Shared memory of a block, `*bytes` long; NULL when the block is not resident or has none. Valid until the next
 * step. */
const void *simt_session_shared(const struct simt_session *session, uint32_t block, size_t *bytes);

/* The generic address of a variable or of a kernel's parameter, by its name in PTX, for the function that the warp's
 * running path is in; false when there is none that it uses. Likewise. */
bool simt_session_variable(
	const struct simt_session *session, uint32_t block, uint32_t warp, const char *name, uint64_t *address);

/* The generic address of one in a space. */
uint64_t simt_generic_address(enum mem_space space, uint64_t address);

/* Bytes at a generic address of a lane, and in which space they are; NULL when not all of them are there. Likewise. */
const void *simt_session_at(const struct simt_session *session, uint32_t block, uint32_t warp, uint32_t lane,
	uint64_t address, size_t bytes, enum mem_space *space);

/* --- changing it: what a debugger's user puts there counts as written, and as no access of the kernel
 * ------------------ */

/* Register `reg`, as simt_session_register has it, of these lanes. */
bool simt_session_put_register(struct simt_session *session, uint32_t block, uint32_t warp, int reg, uint32_t lanes,
	const uint64_t values[WARP_SIZE]);

/* Bytes at a generic address of a lane; false when they are not there, or are constants or parameters. */
bool simt_session_put(struct simt_session *session, uint32_t block, uint32_t warp, uint32_t lane, uint64_t address,
	const void *bytes, size_t n);
