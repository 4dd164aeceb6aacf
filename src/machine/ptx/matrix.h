/* machine/ptx/matrix.h: shapes, types, and registers of matrix instructions. A matrix is named 'A', 'B', 'C', or 'D'; what ldmatrix
 * and stmatrix move is 'D'. */
#pragma once
#include "machine/ptx/tables.h"

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

/* How many lanes of four have that operand: of elements of 16 bits and more, one for each half of their metadata of two rows;
 * of smaller ones, one for each row. */
int ptx_matrix_metadata_lanes(const struct ptx_form *form);

/* How many registers a lane's part of the matrix takes; `*type` becomes theirs. */
int ptx_fragment_registers(const struct ptx_form *form, char matrix, enum ptx_type *type);

/* Why a form of mma or wmma is not one, or NULL. */
const char *ptx_matrix_lacks(const struct ptx_form *form);
