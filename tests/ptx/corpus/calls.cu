// Functions that are not inlined: a structure by value and back, recursion to a depth of its own in each lane, a table of
// functions, a virtual one, and a variable handed on by its address.
#include "simt.h"

struct Pair {
	int a;
	double b;
	char c[5];
};

struct Shape {
	int side;
	__device__ virtual int area(int by) { return side * by; }
};

struct Square : Shape {
	__device__ int area(int by) override { return side * side + by; }
};

__device__ __noinline__ Pair scaled(Pair p, int by)
{
	p.a += by;
	p.b *= by;
	p.c[by & 3] += 7;
	return p;
}

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ __noinline__ void add_to(int *sum, float x, bool twice)
{
	if (x < 0)
		return;
	*sum += twice ? 2 * (int)x : (int)x;
}

__device__ int half(int x) { return x / 2; }
__device__ int tripled(int x) { return x * 3; }
__device__ int negated(int x) { return -x; }
typedef int (*function)(int);
__device__ function table[3] = {half, tripled, negated};

extern "C" __global__ void calls(int *out, double *wide, int n)
{
	int t = threadIdx.x;
	Pair p = {t, t + 0.25, {1, 2, 3, 4, 5}};
	Pair q = scaled(p, n + t);
	int sum = table[t % 3](t);
	add_to(&sum, (float)(t % 5 - 1), t & 1);
	Shape plain;
	Square square;
	plain.side = square.side = n;
	Shape *shape = t & 2 ? &plain : &square;
	sum += shape->area(t);
	out[3 * t] = sum;
	out[3 * t + 1] = (int)ackermann(t % 3, t % 4);
	out[3 * t + 2] = q.a + q.c[0] + 10 * q.c[1] + 100 * q.c[2] + 1000 * q.c[3] + 10000 * q.c[4];
	wide[t] = q.b;
}
