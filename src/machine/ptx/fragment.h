/* machine/ptx/fragment.h: fragments of wmma: which lane has which elements of a matrix, and how they come from memory and go there. PTX leaves
 * both open; the layout is that of fragments.def. */
#pragma once
#include "machine/ptx/tables.h"

#define PTX_FRAGMENT_LANE_BITS 5
#define PTX_FRAGMENT_ELEMENT_BITS 4

/* A matrix and its part in each lane. */
struct ptx_fragment {
	enum ptx_type type;
	int rows, columns;
	int each;     /* elements of a lane */
	int distinct; /* of which so many, the first ones, are not had by another lane or element as well */
	/* Element e of lane i is number o of the matrix, counted by rows: o is the sum of those numbers whose bit i or e has. */
	uint16_t lane[PTX_FRAGMENT_LANE_BITS], element[PTX_FRAGMENT_ELEMENT_BITS];
};

/* The matrix 'A', 'B', 'C' or 'D' of a wmma, sound by ptx_matrix_lacks. */
struct ptx_fragment ptx_fragment_of(const struct ptx_form *form, char matrix);

/* How ptxas moves a fragment between memory and registers. Verified: H200, ptxas 13.0, the machine code of all shapes, types, layouts and
 * spaces, and the counters of tests/ptx/wmma-*.ptx. */
enum ptx_fragment_way {
	PTX_FRAGMENT_RUNS,       /* each lane some neighbors in memory at once, which are neighbors in its registers */
	PTX_FRAGMENT_TRANSPOSED, /* two neighbors in memory; blocks of 8 by 8 are then transposed between lanes (MOVM) */
	PTX_FRAGMENT_BLOCKS,     /* as ldmatrix: rows of 16 bytes */
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
