// Correct programs that look dangerous: the last block, a chain of blocks, locks, tickets, warps, two buffers, memory used twice.
// out: 4096
// out: 28
// out: 32
// out: 32640
// out: 2016
// out: 8128
// out: 198
// out: 28
// out: 62
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
__device__ unsigned count;
__device__ volatile int flag_[64];
__device__ int agg[64];
__device__ int lockv;
__device__ int shared_counter;
__global__ void lastBlock(const float *in, float *part, float *out, int n)
{
	__shared__ float s[128];
	__shared__ bool last;
	float v = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		v += in[i];
	s[threadIdx.x] = v;
	__syncthreads();
	for (int o = 64; o > 0; o >>= 1) {
		if (threadIdx.x < o)
			s[threadIdx.x] += s[threadIdx.x + o];
		__syncthreads();
	}
	if (threadIdx.x == 0) {
		part[blockIdx.x] = s[0];
		__threadfence();
		unsigned t = atomicInc(&count, gridDim.x);
		last = t == gridDim.x - 1;
	}
	__syncthreads();
	if (last) {
		if (threadIdx.x == 0) {
			float t = 0;
			for (int i = 0; i < gridDim.x; i++)
				t += part[i];
			*out = t;
			count = 0;
		}
	}
}
__global__ void chain(int *data)
{
	__shared__ int prev;
	if (threadIdx.x == 0) {
		int b = blockIdx.x;
		if (b > 0) {
			while (flag_[b - 1] == 0)
				;
			__threadfence();
			prev = agg[b - 1];
		} else
			prev = 0;
		agg[b] = prev + b + 1;
		__threadfence();
		flag_[b] = 1;
	}
	__syncthreads();
	data[blockIdx.x * blockDim.x + threadIdx.x] = prev;
}
struct Lock {
	__device__ void lock()
	{
		while (atomicCAS(&lockv, 0, 1) != 0)
			;
		__threadfence();
	}
	__device__ void unlock()
	{
		__threadfence();
		atomicExch(&lockv, 0);
	}
};
__global__ void locked(int *c)
{
	Lock l;
	if (threadIdx.x == 0) {
		l.lock();
		*c = *c + 1;
		l.unlock();
	}
}
__global__ void warpVolatile(const int *in, int *out)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	for (int o = 128; o > 32; o >>= 1) {
		if (t < o)
			s[t] += s[t + o];
		__syncthreads();
	}
	if (t < 32) {
		int v = s[t] + s[t + 32];
		for (int o = 16; o > 0; o >>= 1)
			v += __shfl_down_sync(0xffffffff, v, o);
		if (t == 0)
			*out = v;
	}
}
__global__ void warpSyncd(const int *in, int *out)
{
	__shared__ volatile int s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	if (t < 32) {
		s[t] = s[t] + s[t + 32];
		__syncwarp();
		for (int o = 16; o > 0; o >>= 1) {
			int v = 0;
			if (t < o)
				v = s[t + o];
			__syncwarp();
			if (t < o)
				s[t] = s[t] + v;
			__syncwarp();
		}
		if (t == 0)
			*out = s[0];
	}
}
__global__ void doubleBuf(int *d)
{
	__shared__ int s[2][128];
	int t = threadIdx.x, p = 0;
	s[0][t] = d[t];
	__syncthreads();
	for (int o = 1; o < 128; o <<= 1) {
		p ^= 1;
		s[p][t] = s[p ^ 1][t] + (t >= o ? s[p ^ 1][t - o] : 0);
		__syncthreads();
	}
	d[t] = s[p][t];
}
__global__ void found(const int *a, int *f, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && a[i] == 7)
		*f = 1;
}
__global__ void inplaceT(float *m, int n)
{
	__shared__ float a[16][17], b[16][17];
	int bx = blockIdx.x, by = blockIdx.y;
	if (bx < by)
		return;
	int x = bx * 16 + threadIdx.x, y = by * 16 + threadIdx.y, x2 = by * 16 + threadIdx.x,
	    y2 = bx * 16 + threadIdx.y;
	a[threadIdx.y][threadIdx.x] = m[y * n + x];
	b[threadIdx.y][threadIdx.x] = m[y2 * n + x2];
	__syncthreads();
	m[y2 * n + x2] = a[threadIdx.x][threadIdx.y];
	if (bx != by)
		m[y * n + x] = b[threadIdx.x][threadIdx.y];
}
__global__ void queueK(int *items, int n, int *done)
{
	__shared__ int it;
	for (;;) {
		if (threadIdx.x == 0)
			it = atomicAdd(&shared_counter, 1);
		__syncthreads();
		int i = it;
		__syncthreads();
		if (i >= n)
			break;
		if (threadIdx.x == i % blockDim.x)
			items[i] = i * 2;
	}
	if (threadIdx.x == 0)
		atomicAdd(done, 1);
}
__global__ void ticket(unsigned *t, unsigned *serving, int *sum)
{
	if (threadIdx.x == 0) {
		unsigned my = atomicAdd(t, 1);
		while (atomicAdd(serving, 0) != my)
			;
		__threadfence();
		*sum += my;
		__threadfence();
		atomicAdd(serving, 1);
	}
}
__global__ void histo(const unsigned char *d, int n, unsigned *o)
{
	__shared__ unsigned h[256];
	h[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		atomicAdd(&h[d[i]], 1);
	__syncthreads();
	atomicAdd(&o[threadIdx.x], h[threadIdx.x]);
}
__global__ void reuse(int *o)
{
	extern __shared__ char raw[];
	float *f = (float *)raw;
	int *i = (int *)raw;
	f[threadIdx.x] = threadIdx.x * 0.5f;
	__syncthreads();
	float v = f[blockDim.x - 1 - threadIdx.x];
	__syncthreads();
	i[threadIdx.x] = (int)(v * 2);
	__syncthreads();
	o[threadIdx.x] = i[threadIdx.x ^ 1];
}
int main()
{
	const int n = 4096;
	float *in, *part, *out, r;
	CHECK(cudaMalloc(&in, n * 4));
	CHECK(cudaMalloc(&part, 256));
	CHECK(cudaMalloc(&out, 4));
	float *h = new float[n];
	for (int i = 0; i < n; i++)
		h[i] = 1;
	CHECK(cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice));
	lastBlock<<<16, 128>>>(in, part, out, n);
	lastBlock<<<16, 128>>>(in, part, out, n);
	CHECK(cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost));
	printf("%g\n", r);
	int *d, hi[2048];
	CHECK(cudaMalloc(&d, 8192));
	chain<<<8, 32>>>(d);
	CHECK(cudaMemcpy(hi, d, 1024, cudaMemcpyDeviceToHost));
	printf("%d\n", hi[255]);
	int *c;
	CHECK(cudaMalloc(&c, 16));
	CHECK(cudaMemset(c, 0, 16));
	locked<<<32, 32>>>(c);
	CHECK(cudaMemcpy(hi, c, 4, cudaMemcpyDeviceToHost));
	printf("%d\n", hi[0]);
	for (int i = 0; i < 256; i++)
		hi[i] = i;
	CHECK(cudaMemcpy(d, hi, 1024, cudaMemcpyHostToDevice));
	warpVolatile<<<1, 256>>>(d, c);
	CHECK(cudaMemcpy(hi, c, 4, cudaMemcpyDeviceToHost));
	printf("%d\n", hi[0]);
	warpSyncd<<<1, 64>>>(d, c);
	CHECK(cudaMemcpy(hi, c, 4, cudaMemcpyDeviceToHost));
	printf("%d\n", hi[0]);
	doubleBuf<<<1, 128>>>(d);
	CHECK(cudaMemcpy(hi, d, 512, cudaMemcpyDeviceToHost));
	printf("%d\n", hi[127]);
	CHECK(cudaMemset(c, 0, 16));
	found<<<2, 128>>>(d, c, 256);
	inplaceT<<<dim3(2, 2), dim3(16, 16)>>>(in, 32);
	queueK<<<4, 64>>>(d, 100, c + 1);
	CHECK(cudaMemcpy(hi, d, 400, cudaMemcpyDeviceToHost));
	printf("%d\n", hi[99]);
	unsigned *t;
	CHECK(cudaMalloc(&t, 1024));
	CHECK(cudaMemset(t, 0, 1024));
	ticket<<<8, 32>>>(t, t + 1, (int *)t + 2);
	CHECK(cudaMemcpy(hi, t, 12, cudaMemcpyDeviceToHost));
	printf("%d\n", hi[2]);
	CHECK(cudaMemset(t, 0, 1024));
	histo<<<4, 256>>>((unsigned char *)in, n, t);
	CHECK(cudaDeviceSynchronize());
	reuse<<<1, 64, 256>>>(d);
	CHECK(cudaMemcpy(hi, d, 256, cudaMemcpyDeviceToHost));
	printf("%d\n", hi[0]);
	delete[] h;
	for (void *p : {(void *)in, (void *)part, (void *)out, (void *)d, (void *)c, (void *)t})
		CHECK(cudaFree(p));
	return 0;
}
