#include "linked.h"

__device__ int counter;
__constant__ int table[4];
static __device__ int bias = 1000;
static __device__ __noinline__ int own(int v) { return v + bias; }
__device__ int shift(int v) { return own(100 * v) + largest(0, 0); }

static __device__ int twice(int v) { return 2 * v; }
static __device__ int square(int v) { return v * v; }
__device__ operation operations[2] = {twice, square};

void fill_table()
{
	int values[4] = {0, 3, 6, 9};
	cudaMemcpyToSymbol(table, values, sizeof values);
}
