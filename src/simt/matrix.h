/* simt/matrix.h: what the matrix instructions have in common. Inside simt/ only. */
#pragma once
#include "simt/lanes.h"

#define MATRIX_MAX 32 /* rows and columns */

/* A, B and C as numbers, those of integers whole. */
struct product {
	double a[MATRIX_MAX][MATRIX_MAX], b[MATRIX_MAX][MATRIX_MAX], c[MATRIX_MAX][MATRIX_MAX];
};

/* False, with a defect, when not all 32 lanes of the warp execute it: PTX ISA, .sync.aligned. */
bool matrix_whole_warp(struct warp *w, const struct code *c, uint32_t mask);

/* Element `part` of those that lane i has in a register. */
double matrix_element(const struct warp *w, struct ref ref, int i, int part, enum ptx_type type);

/* Puts element (row, column) of A*B + C where lane i has its element e; `ref` are the registers of D. How it is summed:
 * exec_mma.c. */
void matrix_result(const struct warp *w, const struct ptx_form *form, const struct product *p, int row, int column,
	const struct ref *ref, int i, int e);
