// What linked.cu and linked-part.cu share.
#pragma once
typedef int (*operation)(int);
extern __device__ int counter;
extern __constant__ int table[4];
extern __device__ operation operations[2];
__device__ int shift(int v);
void fill_table();

template <typename T> __device__ __noinline__ T largest(T a, T b)
{
	return a > b ? a : b;
}
