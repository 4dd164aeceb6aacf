/* simt/matrix.h: what the matrix instructions have in common. Inside simt/ only. */
#pragma once
#include "simt/lanes.h"

#define MATRIX_MAX 32 /* rows and columns */

/* A, B and C as numbers, those of integers whole. */
struct product {
	double a[MATRIX_MAX][MATRIX_MAX], b[MATRIX_MAX][MATRIX_MAX], c[MATRIX_MAX][MATRIX_MAX];
};

/* False, with a defect, when not all 32 lanes of the warp execute it: PTX ISA, .sync.aligned. */
bool simt_matrix_whole_warp(struct warp *w, const struct code *c, uint32_t mask);

/* Where element e of lane i is in the registers `ref` of a fragment, and the number that it is. */
uint8_t *simt_matrix_slot(const struct warp *w, const struct ref *ref, enum ptx_type type, int i, int e);
double simt_matrix_number(const uint8_t *slot, enum ptx_type type);

/* The bits of element (row, column) of A*B + C as an element of D. How it is summed: exec_mma.c. */
uint64_t simt_matrix_sum(const struct ptx_form *form, const struct product *p, int row, int column);
