// Atomic operations that the hardware lacks, of doubles, floats and bytes, and a list: by compare-and-swap after a plain look.
// out: 384 255 -255 64
// out: 8128
// check: all
#include <cstdio>
#include <cstdlib>
#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));                                  \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)
__device__ double atomicAddD(double *address, double val)
{
	unsigned long long int *p = (unsigned long long int *)address;
	unsigned long long int old = *p, assumed;
	do {
		assumed = old;
		old = atomicCAS(p, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
	} while (assumed != old);
	return __longlong_as_double(old);
}
__device__ float atomicMaxF(float *a, float v)
{
	int *i = (int *)a;
	int old = *i, as;
	do {
		as = old;
		old = atomicCAS(i, as, __float_as_int(fmaxf(v, __int_as_float(as))));
	} while (as != old);
	return __int_as_float(old);
}
__device__ static float fatomicMin(float *addr, float value)
{
	float old = *addr, assumed;
	if (old <= value)
		return old;
	do {
		assumed = old;
		old = __uint_as_float(
			atomicCAS((unsigned int *)addr, __float_as_uint(assumed), __float_as_uint(value)));
	} while (old != assumed && old > value);
	return old;
}
__device__ unsigned char atomicAddByte(unsigned char *a, unsigned char v)
{
	unsigned *base = (unsigned *)((size_t)a & ~3ull);
	unsigned sh = ((size_t)a & 3) * 8, old = *base, as;
	do {
		as = old;
		unsigned b = (as >> sh) & 0xff;
		b = (b + v) & 0xff;
		old = atomicCAS(base, as, (as & ~(0xffu << sh)) | (b << sh));
	} while (as != old);
	return old >> sh;
}
struct Node {
	int v;
	Node *next;
};
__device__ Node *head;
__global__ void push(Node *n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Node *me = n + i;
	me->v = i;
	unsigned long long *h = (unsigned long long *)&head;
	unsigned long long old = *h, as;
	do {
		as = old;
		me->next = (Node *)as;
		__threadfence();
		old = atomicCAS(h, as, (unsigned long long)me);
	} while (old != as);
}
__global__ void walk(int *o)
{
	int s = 0;
	for (Node *n = head; n; n = n->next)
		s += n->v;
	*o = s;
}
__global__ void k(double *d, float *mx, float *mn, unsigned char *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAddD(d, 0.5);
	atomicMaxF(mx, i);
	fatomicMin(mn, -i);
	atomicAddByte(b + (i & 3), 1);
	__shared__ double s;
	if (threadIdx.x == 0)
		s = 0;
	__syncthreads();
	atomicAddD(&s, 1);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAddD(d, s);
}
int main()
{
	double *d, hd;
	float *m, hm[2];
	unsigned char *b, hb[4];
	Node *n;
	int *o, ho;
	CHECK(cudaMalloc(&d, 8));
	CHECK(cudaMemset(d, 0, 8));
	CHECK(cudaMalloc(&m, 8));
	CHECK(cudaMemset(m, 0, 8));
	CHECK(cudaMalloc(&b, 4));
	CHECK(cudaMemset(b, 0, 4));
	k<<<4, 64>>>(d, m, m + 1, b);
	CHECK(cudaMemcpy(&hd, d, 8, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(hm, m, 8, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(hb, b, 4, cudaMemcpyDeviceToHost));
	printf("%g %g %g %d\n", hd, hm[0], hm[1], hb[2]);
	CHECK(cudaMalloc(&n, sizeof(Node) * 128));
	CHECK(cudaMalloc(&o, 4));
	push<<<2, 64>>>(n);
	walk<<<1, 1>>>(o);
	CHECK(cudaMemcpy(&ho, o, 4, cudaMemcpyDeviceToHost));
	printf("%d\n", ho);
	for (void *p : {(void *)d, (void *)m, (void *)b, (void *)n, (void *)o})
		CHECK(cudaFree(p));
	return 0;
}
