/* machine/simt/matrix.h: what the matrix instructions have in common. Inside simt/ only. */
#pragma once
#include "machine/simt/lanes.h"

#define MATRIX_MAX 32        /* rows and columns */
#define MATRIX_DEPTH_MAX 256 /* columns of A, rows of B */

/* A, B and C as numbers, those of integers whole; B by columns. */
struct product {
	double a[MATRIX_MAX][MATRIX_DEPTH_MAX], b[MATRIX_MAX][MATRIX_DEPTH_MAX], c[MATRIX_MAX][MATRIX_MAX];
};

/* False, with a defect, when not all 32 lanes of the warp execute it: PTX ISA, .sync.aligned. */
bool simt_matrix_whole_warp(struct warp *w, const struct code *c, uint32_t mask);

/* Where element e of lane i is in the registers `ref` of a fragment, and the number that it is. */
uint8_t *simt_matrix_slot(const struct warp *w, const struct ref *ref, enum ptx_type type, int i, int e);
double simt_matrix_number(const uint8_t *slot, enum ptx_type type);

/* The number that element e of `bytes` is, where elements lie side by side. */
double simt_matrix_element(const uint8_t *bytes, enum ptx_type type, int e);

/* Puts the elements of 16 rows of a sparse A, which are side by side, where operand n and the selector after it say.
 * False: a defect ended the run. */
bool simt_matrix_spread(struct warp *w, const struct code *c, int n, double a[][MATRIX_DEPTH_MAX]);

/* The bits of an element of D: of the sum of c and the products of a row of A and a column of B, `depth` elements each.
 * How it is summed: exec_mma.c. */
uint64_t simt_matrix_sum(const struct ptx_form *form, const double *a, const double *b, int depth, double c);
