#include "machine_c.h"

/* Whatever the rest is compiled with. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

void fma_c(int rounds, float x, float y, float v[8][32])
{
	for (int r = 0; r < rounds; r++)
		for (int k = 0; k < 8; k++)
			for (int lane = 0; lane < 32; lane++)
				v[k][lane] = v[k][lane] * x + y;
}
