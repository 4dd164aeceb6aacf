/* machine/ptx/matrix.h: matrix instructions: their shapes, types, and registers, which lane has which elements of a
 * matrix, how those come from memory and go there, and their tiles as the machine lays them out. A matrix is named 'A',
 * 'B', 'C', or 'D'; what ldmatrix and stmatrix move is 'D'. */
#pragma once
#include "base/arena.h"
#include "machine/ptx/program.h"
#include "machine/warp/warp.h"

struct ptx_shape {
	int m, n, k;
};

/* Of an mma or wmma; 0 of others. */
struct ptx_shape ptx_matrix_shape(const struct ptx_form *form);

/* The type of the elements of a matrix, their bits, and how many of them a register holds. */
enum ptx_type ptx_matrix_type(const struct ptx_form *form, char matrix);
int ptx_matrix_bits(enum ptx_type type);
int ptx_matrix_packed(enum ptx_type type);

/* Whether A holds half of its elements, and another operand which. */
bool ptx_matrix_is_sparse(const struct ptx_form *form);

/* How many lanes of four have that operand: of elements of 16 bits and more, one for each half of their metadata of two
 * rows; of smaller ones, one for each row. */
int ptx_matrix_metadata_lanes(const struct ptx_form *form);

/* How many registers a lane's part of the matrix takes; `*type` becomes theirs. */
int ptx_fragment_registers(const struct ptx_form *form, char matrix, enum ptx_type *type);

/* Why a form of mma or wmma is not one, or NULL. */
const char *ptx_matrix_lacks(const struct ptx_form *form);

/* --- fragments of wmma -------------------------------------------------------------------------------------------- */

/* PTX leaves open which lane has which elements, and how they come from memory and go there; the layout is that of
 * fragments.def. */
#define PTX_FRAGMENT_LANE_BITS 5
#define PTX_FRAGMENT_ELEMENT_BITS 4

/* A matrix and its part in each lane. */
struct ptx_fragment {
	enum ptx_type type;
	int rows, columns;
	int each;     /* elements of a lane */
	int distinct; /* of which so many, the first ones, are not had by another lane or element as well */
	/* Element e of lane i is number o of the matrix, counted by rows: o is the sum of those numbers whose bit i or
	 * e has. */
	uint16_t lane[PTX_FRAGMENT_LANE_BITS], element[PTX_FRAGMENT_ELEMENT_BITS];
};

/* The matrix 'A', 'B', 'C' or 'D' of a wmma, sound by ptx_matrix_lacks. */
struct ptx_fragment ptx_fragment_of(const struct ptx_form *form, char matrix);

/* How ptxas moves a fragment between memory and registers. Verified: H200, ptxas 13.0, the machine code of all shapes,
 * types, layouts and spaces, and the counters of tests/ptx/wmma-*.ptx. */
enum ptx_fragment_way {
	PTX_FRAGMENT_RUNS, /* each lane some neighbors in memory at once, which are neighbors in its registers */
	/* two neighbors in memory; blocks of 8 by 8 are then transposed between lanes (MOVM) */
	PTX_FRAGMENT_TRANSPOSED,
	PTX_FRAGMENT_BLOCKS, /* as ldmatrix: rows of 16 bytes */
	PTX_FRAGMENT_BLOCKS_TRANSPOSED
};

struct ptx_fragment_moves {
	enum ptx_fragment_way way;
	int run; /* elements that a lane has of one access: side by side in its registers; of blocks, of each of them */
	int blocks; /* of 8 rows, in one access */
};

/* Of a wmma.load or wmma.store. */
struct ptx_fragment_moves ptx_fragment_moves(const struct ptx_form *form, const struct ptx_fragment *fragment);

/* Which matrix a load or store is of. */
char ptx_fragment_matrix(const struct ptx_form *form);

/* --- tiles, as the machine lays them out -------------------------------------------------------------------------- */

/* The tiles of an instruction. False, and n 0, for what moves or multiplies none. */
bool ptx_tiles_of(const struct ptx_instr *instr, struct warp_tiles *out);

/* Which of a line's instructions is the one to look at: 2 a product, 1 one that moves tiles, 0 none of them. */
int ptx_tiles_rank(const struct ptx_form *form);

/* The tiles of an opcode alone, as written: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"; A of a wgmma is then
 * in shared memory. NULL, or why there are none, in `arena`. */
const char *ptx_tiles_of_opcode(struct arena *arena, const char *opcode, struct warp_tiles *out);
