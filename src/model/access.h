/* model/access.h: one warp's access to memory, as the models take it. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define MODEL_LANES 32
#define MODEL_BLOCK_WARPS 32 /* a block has no more */
#define MODEL_BANKS 32
#define MODEL_BANK_BYTES 4
#define MODEL_SECTOR_BYTES 32
#define MODEL_LINE_BYTES 128

/* The compute capability whose rules apply when nothing else is known: the one they were verified on. */
#define MODEL_CC_DEFAULT 90

enum access_space { ACCESS_SHARED, ACCESS_GLOBAL, ACCESS_LOCAL, ACCESS_CONST, ACCESS_SPACES };

/* What the hardware does differently, in this order. OP(id, name, spaces it exists in, what it is) */
#define ACCESS_IN(space) (1u << ACCESS_##space)
#define ACCESS_OPS(OP)                                                                                                 \
	OP(LOAD, "ld", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL) | ACCESS_IN(LOCAL) | ACCESS_IN(CONST), "a load")          \
	OP(STORE, "st", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL) | ACCESS_IN(LOCAL), "a store")                           \
	OP(ATOMIC, "atom", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL),                                                      \
		"an atomic operation on integers that gives the old value")                                            \
	OP(REDUCE, "red", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL), "one whose old value nobody wants")                   \
	OP(EXCHANGE, "exch", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL), "an atomic exchange")                              \
	OP(CAS, "cas", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL), "an atomic compare-and-swap")                            \
	OP(ADD_FLOAT, "fadd", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL), "an atomic addition of floats")                   \
	OP(COUNT, "count", ACCESS_IN(SHARED), "an atomic addition of the constant 1 whose old value nobody wants")     \
	OP(LOAD_MATRIX, "ldmatrix", ACCESS_IN(SHARED), "ldmatrix: a row of 16 bytes from each of 8, 16 or 32 lanes")   \
	OP(STORE_MATRIX, "stmatrix", ACCESS_IN(SHARED), "stmatrix: likewise")                                          \
	OP(COPY, "cp.async", ACCESS_IN(GLOBAL), "cp.async.ca: what it reads")                                          \
	OP(COPY_BYPASS, "cp.async.cg", ACCESS_IN(GLOBAL), "cp.async.cg: what it reads, past the L1")

enum access_op {
#define OP(id, name, spaces, meaning) ACCESS_##id,
	ACCESS_OPS(OP)
#undef OP
		ACCESS_OPS_N
};

/* A lane whose bit in `active` is 0 takes no part and has no address. Addresses are bytes: offsets into the block's
 * shared window, global addresses (only their place within a line matters, so offsets do as well), and offsets into the
 * thread's local or the module's constant memory. */
struct warp_access {
	enum access_space space;
	enum access_op op;
	uint8_t width;   /* bytes a lane: 1, 2, 4, 8 or 16; addresses are multiples of it */
	uint32_t active; /* bit i: lane i */
	uint64_t address[MODEL_LANES];
};

/* What the rules say about one access; a field that does not apply to the space is 0. */
struct access_cost {
	int requests;                                     /* 1, but see access_requests */
	int wavefronts, ideal_wavefronts, bank_conflicts; /* shared; conflicts as the hardware counts them */
	int sectors, ideal_sectors;  /* global, local; ideal: the fewest that hold the distinct bytes */
	int bytes_used, bytes_moved; /* global, local: distinct bytes touched; 32 a distinct sector */
	int replays;                 /* constant: passes beyond the first: distinct addresses but one */
	/* Shared ADD_FLOAT: it is compiled to a loop that loads, adds, and stores what still is as it was loaded. Its loads. */
	int loop_loads, loop_load_wavefronts, loop_load_conflicts;
	bool exact; /* no access_doubt */
};

struct access_cost access_cost(const struct warp_access *access, int cc);

/* Why the numbers may not be what the hardware counts, after "this rule"; NULL: they are. */
const char *access_doubt(const struct warp_access *access, int cc);

/* How many requests that is: access_cost's, alone. Without an active lane a shared load or store still is one, all else
 * none. A shared ADD_FLOAT is as many as its loop has rounds, a local access one for each word, a constant load of 16
 * bytes four. */
int access_requests(const struct warp_access *access);

/* Whether it reads and writes in one: ATOMIC to COUNT. */
bool access_is_atomic(enum access_op op);

/* Whether there is such an access at all: of this width in bytes, to this space. */
bool access_exists(enum access_space space, enum access_op op, int width);

const char *access_space_name(enum access_space space);
const char *access_op_name(enum access_op op);
const char *access_op_meaning(enum access_op op);
