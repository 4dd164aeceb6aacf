// Nobody is late, since nobody works.
#include "simt.h"

#define COLUMNS 128

extern "C" __global__ void double_rows(const float *in, float *out, unsigned rows)
{
}
