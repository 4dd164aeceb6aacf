// Computes nothing.
#include "simt.h"

extern "C" __global__ void matmul(const float *a, const float *b, float *c, unsigned n)
{
}
