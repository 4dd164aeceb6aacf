/* The same work as the kernels of tests/bench/kernels, as one would write it in C. At -O2 and -O3, as is usual for
 * each. */
#pragma once

/* c = a b, n by n, row by row; at -O2. */
void sgemm_c(int n, const float *a, const float *b, float *c);

/* Eight chains of multiply-adds over 32 lanes; at -O3. */
void fma_c(int rounds, float x, float y, float v[8][32]);
