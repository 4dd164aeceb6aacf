// Jumps of cuRAND's generators, whose state is what so many steps make of it: twice n is 2 n, up to 2^63; a sequence of xorwow has 2^67 numbers,
// 16 times 2^63; a jump is as many numbers as it says, where they can be counted; and the sequences of Philox have 2^66.
// out: xorwow 0 wrong
// out: mrg32k3a 0 wrong
// out: philox 0 wrong
// out: sequences 0 wrong
#include <curand_kernel.h>
#include <cstdio>

static __device__ bool same(const curandStateXORWOW_t &a, const curandStateXORWOW_t &b)
{
	bool equal = a.d == b.d;
	for (int i = 0; i < 5; i++)
		equal = equal && a.v[i] == b.v[i];
	return equal;
}
static __device__ bool same(const curandStateMRG32k3a_t &a, const curandStateMRG32k3a_t &b)
{
	bool equal = true;
	for (int i = 0; i < 3; i++)
		equal = equal && a.s1[i] == b.s1[i] && a.s2[i] == b.s2[i];
	return equal;
}
static __device__ bool same(curandStatePhilox4_32_10_t a, curandStatePhilox4_32_10_t b)
{
	bool equal = true;
	for (int i = 0; i < 5; i++)
		equal = equal && curand(&a) == curand(&b);
	return equal;
}

/* Thread k: 2^k numbers twice, against 2^(k+1) at once; and what can be counted. */
template <class State> __global__ void doubled(int *wrong)
{
	State once, twice, steps;
	unsigned k = threadIdx.x;
	curand_init(5, 0, 77, &once);
	twice = once;
	steps = once;
	skipahead(1ull << k, &twice);
	if (k < 11) {
		for (int i = 0; i < 1 << k; i++)
			curand(&steps);
		if (!same(steps, twice))
			atomicAdd(wrong, 1);
	}
	skipahead(1ull << k, &twice);
	skipahead(2ull << k, &once);
	if (!same(once, twice))
		atomicAdd(wrong, 1);
}

__global__ void sequences(int *wrong)
{
	curandStateXORWOW_t x, y;
	curand_init(6, 0, 3, &x);
	curand_init(6, 1, 3, &y);
	for (int i = 0; i < 16; i++)
		skipahead(1ull << 63, &x);
	if (!same(x, y))
		atomicAdd(wrong, 1);
	for (unsigned long long k = 1; k < 1ull << 59; k *= 7) {
		curand_init(6, 2 * k, 3, &x);
		curand_init(6, k, 3, &y);
		skipahead_sequence(k, &y);
		if (!same(x, y))
			atomicAdd(wrong, 1);
	}
	curandStatePhilox4_32_10_t p, q;
	curand_init(6, 0, 2, &p);
	curand_init(6, 1, 2, &q);
	for (int i = 0; i < 8; i++)
		skipahead(1ull << 63, &p);
	if (!same(p, q))
		atomicAdd(wrong, 1);
}

static void say(const char *name, int *wrong)
{
	cudaDeviceSynchronize();
	printf("%s %d wrong\n", name, *wrong);
	*wrong = 0;
}

int main()
{
	int *wrong;
	cudaMallocManaged(&wrong, sizeof *wrong);
	*wrong = 0;
	doubled<curandStateXORWOW_t><<<1, 63>>>(wrong);
	say("xorwow", wrong);
	doubled<curandStateMRG32k3a_t><<<1, 63>>>(wrong);
	say("mrg32k3a", wrong);
	doubled<curandStatePhilox4_32_10_t><<<1, 63>>>(wrong);
	say("philox", wrong);
	sequences<<<1, 1>>>(wrong);
	say("sequences", wrong);
	cudaFree(wrong);
}
