// Primes below 1000: each thread strikes out the multiples of its number; bits are set by atomic or.
// out: 168 primes, the last 997
#include <cstdio>

const int n = 1000;

__global__ void strike(unsigned *composite)
{
	int p = threadIdx.x + 2;
	if (p * p >= n)
		return;
	for (int m = p * p; m < n; m += p)
		atomicOr(&composite[m / 32], 1u << m % 32);
}

int main()
{
	unsigned *d, bits[(n + 31) / 32];
	int primes = 0, last = 0;
	cudaMalloc(&d, sizeof bits);
	cudaMemset(d, 0, sizeof bits);
	strike<<<1, 32>>>(d);
	cudaMemcpy(bits, d, sizeof bits, cudaMemcpyDeviceToHost);
	for (int i = 2; i < n; i++)
		if (!(bits[i / 32] >> i % 32 & 1)) {
			primes++;
			last = i;
		}
	printf("%d primes, the last %d\n", primes, last);
}
