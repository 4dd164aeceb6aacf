// Lambdas as arguments of a kernel, with what they capture by value; a generic one; one within a kernel.
// nvcc: --extended-lambda
// out: 1 4 7 10
// out: 0 1 4 9
// out: 6
#include <cstdio>

template <typename F> __global__ void each(int *out, F f)
{
	out[threadIdx.x] = f((int)threadIdx.x);
}

__global__ void inside(int *out)
{
	int sum = 0;
	auto add = [&sum](auto v) { sum += v; };
	add(1);
	add(2L);
	add((short)3);
	*out = sum;
}

template <typename F> void print(F f)
{
	int *d, h[4];
	cudaMalloc(&d, sizeof h);
	each<<<1, 4>>>(d, f);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	cudaFree(d);
	printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
}

int main()
{
	int factor = 3, offset = 1, *d, h;
	print([=] __device__(int i) { return factor * i + offset; });
	print([] __device__(int i) { return i * i; });
	cudaMalloc(&d, sizeof h);
	inside<<<1, 1>>>(d);
	cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d\n", h);
}
