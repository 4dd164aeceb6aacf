// Every thread goes through ROUNDS numbers and does something for the odd ones only: an if in a loop, with three arms, each
// more work than the one before.
#include "simt.h"

#define ROUNDS 16

// Adds the odd numbers up.
extern "C" __global__ void odd_add(const unsigned *table, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned sum = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned k = i + round;
		if (k % 2 == 1)
			sum += k;
	}
	out[i] = sum; //@ access_add
}

// Adds up what a table has for them.
extern "C" __global__ void odd_load(const unsigned *table, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned sum = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned k = i + round;
		if (k % 2 == 1)
			sum += table[k]; //@ access_load
	}
	out[i] = sum;
}

// Adds up four entries of the table for each.
extern "C" __global__ void odd_loop(const unsigned *table, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned sum = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned k = i + round;
		if (k % 2 == 1) {
			#pragma unroll 1
			for (unsigned j = 0; j < 4; j++)
				sum += table[k + j]; //@ access_loop
		}
	}
	out[i] = sum;
}
