// What kernels are passed by value: large structs, arrays in them, unions, bit fields, enumerations, small types.
// out: 3 5 7, 2.5, -1 200 x, bits 5 and 12, third
#include <cstdio>

enum class place : unsigned char { first, second, third };
struct options {
	unsigned low : 4, high : 5;
	place where;
	union {
		float f;
		unsigned u;
	};
};
struct vector {
	int x[3];
	double scale;
};
struct result {
	int sum[3];
	float half;
	int small[3], bits[2], where;
};

__global__ void take(vector a, vector b, options o, signed char c, unsigned char u, char letter, bool on, result *out)
{
	for (int i = 0; i < 3; i++)
		out->sum[i] = a.x[i] + b.x[i];
	out->half = (float)(a.scale * b.scale) + (on ? o.f : 0);
	out->small[0] = c;
	out->small[1] = u;
	out->small[2] = letter;
	out->bits[0] = o.low;
	out->bits[1] = o.high;
	out->where = (int)o.where;
}

int main()
{
	result *d, h;
	cudaMalloc(&d, sizeof h);
	options o = {};
	o.low = 5;
	o.high = 12;
	o.where = place::third;
	o.f = 0.5f;
	take<<<1, 1>>>({{1, 2, 3}, 4}, {{2, 3, 4}, 0.5}, o, -1, 200, 'x', true, d);
	cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d %d %d, %g, %d %d %c, bits %d and %d, %s\n", h.sum[0], h.sum[1], h.sum[2], h.half, h.small[0], h.small[1],
		h.small[2], h.bits[0], h.bits[1], h.where == 2 ? "third" : "elsewhere");
}
