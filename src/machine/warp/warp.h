/* machine/warp/warp.h: the words that the machine, the detector and the models share: the sizes of warps and blocks,
 * the spaces of memory, one warp's access to it, the traffic of a cluster, and the tiles of matrix instructions. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define WARP_SIZE 32
#define WARP_FULL_MASK 0xFFFFFFFFu
#define BLOCK_THREADS_MAX 1024 /* on every compute capability: programming guide, technical specifications */
#define BLOCK_WARPS_MAX (BLOCK_THREADS_MAX / WARP_SIZE)

/* Blocks of a grid, threads of a block. */
static inline uint64_t warp_dim_volume(const uint32_t dim[3])
{
	return (uint64_t)dim[0] * dim[1] * dim[2];
}

/* Warps of a block of so many threads. */
static inline uint64_t warp_count(uint64_t threads)
{
	return (threads + WARP_SIZE - 1) / WARP_SIZE;
}

/* PTX's state spaces of memory. GENERIC: an instruction that names none; the address says which it is. */
enum mem_space { SPACE_GENERIC, SPACE_SHARED, SPACE_GLOBAL, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM };

/* What an access does, as far as hardware distinguishes it. The machine, the detector, and probes report LOAD, STORE,
 * and ATOMIC only. OP(id, name, spaces it exists in, what it is) */
#define ACCESS_IN(space) (1u << SPACE_##space)
#define ACCESS_OPS(OP)                                                                                                 \
	OP(LOAD, "ld", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL) | ACCESS_IN(LOCAL) | ACCESS_IN(CONST), "a load")          \
	OP(STORE, "st", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL) | ACCESS_IN(LOCAL), "a store")                           \
	OP(ATOMIC, "atom", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL),                                                      \
		"an atomic operation on integers that returns the old value")                                          \
	OP(REDUCE, "red", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL), "an atomic operation whose old value is not used")    \
	OP(EXCHANGE, "exch", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL), "an atomic exchange")                              \
	OP(CAS, "cas", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL), "an atomic compare-and-swap")                            \
	OP(ADD_FLOAT, "fadd", ACCESS_IN(SHARED) | ACCESS_IN(GLOBAL), "an atomic addition of floats")                   \
	OP(COUNT, "count", ACCESS_IN(SHARED), "an atomic addition of the constant 1 whose old value is not used")      \
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

/* How the addresses of a half of a full warp follow each other, where whoever computed them has seen it, so that nobody
 * need look again: all the same, each where the lane before it ends, or otherwise. */
enum warp_half { HALF_UNKNOWN, HALF_SAME, HALF_ADJACENT, HALF_SPREAD };
#define WARP_HALVES 2
#define WARP_HALF_SIZE (WARP_SIZE / WARP_HALVES)

/* One warp instruction to memory. A lane whose bit in `active` is 0 takes no part and has no address. Addresses are
 * bytes: offsets into the block's shared window, global addresses (to the models only their place within a line
 * matters, so offsets do as well), and offsets into the thread's local or the module's constant memory. */
struct warp_access {
	enum mem_space space; /* never GENERIC: such addresses are resolved */
	enum access_op op;
	uint8_t width;             /* bytes per lane: 1, 2, 4, 8 or 16; addresses are multiples of it */
	uint8_t half[WARP_HALVES]; /* enum warp_half, of a full warp; 0: nobody has looked */
	uint32_t active;           /* bit i: lane i */
	uint64_t address[WARP_SIZE];
};

/* A shuffle: lane i of `active` gets the value of lane from[i]. A lane that is not in `found` named one outside its
 * segment and keeps its own value: from[i] is i. Source: PTX ISA, shfl.sync. */
struct warp_shuffle {
	uint32_t active, found; /* bit i: lane i */
	uint8_t from[WARP_SIZE];
};

const char *warp_space_name(enum mem_space space); /* "shared" */
const char *warp_op_name(enum access_op op);       /* "ld" */
const char *warp_op_verb(enum access_op op);       /* "load", "store", "atomic": what it does to memory */
const char *warp_op_phrase(enum access_op op);     /* "load from", "store to", "atomic on", before a space of memory */
bool warp_op_exists_in(enum access_op op, enum mem_space space);

/* Whether it reads and writes in one: ATOMIC to COUNT. */
static inline bool warp_op_is_atomic(enum access_op op)
{
	return op >= ACCESS_ATOMIC && op <= ACCESS_COUNT;
}

/* --- clusters: what their blocks access in each other's shared memory --------------------------------------------- */

#define CLUSTER_RANKS_MAX 16

struct cluster_traffic {
	uint64_t requests; /* warp instructions, or their parts: lanes whose addresses are in the same block */
	uint64_t atomics;  /* of those */
	uint64_t bytes;    /* distinct ones of a request */
};

struct warp_cluster {
	uint32_t n;                        /* blocks; 1: there are no clusters, 0: it is not known */
	uint32_t watched;                  /* rank of the watched block */
	uint32_t block[CLUSTER_RANKS_MAX]; /* linear index, by rank */
	struct cluster_traffic at[CLUSTER_RANKS_MAX]
				 [CLUSTER_RANKS_MAX]; /* from, to; to itself: all requests of shared memory */
};

/* --- the tiles of a warp's matrix instruction --------------------------------------------------------------------- */

/* Which lane has which of their elements, in which of its registers. */

#define TILE_LANE_BITS 5
#define TILE_ELEMENT_BITS 7
#define TILES_MAX 3

/* Where the lanes find it. */
enum tile_place {
	TILE_IN_REGISTERS,
	TILE_IN_SHARED /* of a wgmma: the lanes have no elements, but a descriptor says where the tile is */
};

/* A tile and its part in each lane. Element e of lane i is number o of the tile, counted by rows: o is the sum of those
 * numbers whose bit i or e has. Where several warps have it, each has as many rows, the first warp the first. */
struct warp_tile {
	/* 'A', 'B', or 'D', which C is laid out like; 'M' in memory; 'S' and 'T', a matrix that is moved before and
	 * after */
	char name;
	enum tile_place place;
	uint16_t rows, columns;
	uint16_t each;     /* elements of a lane, from the first register on */
	uint16_t distinct; /* of which so many, the first ones, are not had by another lane or element as well */
	uint8_t packed;    /* elements of a register */
	uint8_t bits;      /* of an element */
	uint8_t warps;     /* that have it: 1, or 4 of a wgmma */
	const char *type;  /* "f16" */
	uint16_t lane[TILE_LANE_BITS], element[TILE_ELEMENT_BITS];
};

/* What the instruction does with them. */
enum tiles_use { TILES_MULTIPLIED, TILES_LOADED, TILES_STORED, TILES_MOVED };

struct warp_tiles {
	char name[72]; /* of the instruction, as much as there is room for */
	enum tiles_use use;
	int n; /* 0: there is no such instruction */
	struct warp_tile at[TILES_MAX];
	/* of ldmatrix and stmatrix: of 8 by 8, one below the other in the tile, of which lane r has the address of row
	 * r */
	int matrices;
	int products; /* that lanes i/4 % products == 0, 1, 2 ... compute with tiles of their own; 1: it is one */
	bool sparse;  /* of A, half of the elements of each row are there */
};

/* The number of element e of lane i. */
static inline int warp_tile_number(const struct warp_tile *t, int lane, int e)
{
	int number = 0;
	for (int bit = 0; bit < TILE_LANE_BITS; bit++)
		number += lane >> bit & 1 ? t->lane[bit] : 0;
	for (int bit = 0; bit < TILE_ELEMENT_BITS; bit++)
		number += e >> bit & 1 ? t->element[bit] : 0;
	return number;
}

/* Registers of a lane. */
static inline int warp_tile_registers(const struct warp_tile *t)
{
	return (t->each + t->packed - 1) / t->packed;
}
