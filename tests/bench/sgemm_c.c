#include "machine_c.h"

void sgemm_c(int n, const float *a, const float *b, float *c)
{
	for (int row = 0; row < n; row++) {
		for (int col = 0; col < n; col++) {
			float sum = 0;
			for (int k = 0; k < n; k++)
				sum += a[row * n + k] * b[k * n + col];
			c[row * n + col] = sum;
		}
	}
}
