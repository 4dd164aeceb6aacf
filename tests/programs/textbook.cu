// As in textbooks: no header but stdio.h, the first steps with vectors and a dot product.
// out: We did it! 1
// out: 1000 1
#include <stdio.h>
#define N 1000
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char *file, int line)
{
	if (err != cudaSuccess) {
		printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
		exit(EXIT_FAILURE);
	}
}
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
	if (code != cudaSuccess) {
		fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
		if (abort)
			exit(code);
	}
}
#define gpuErrchk(ans)                                                                                                 \
	{                                                                                                              \
		gpuAssert((ans), __FILE__, __LINE__);                                                                  \
	}
__global__ void add(int *a, int *b, int *c)
{
	int tid = threadIdx.x + blockIdx.x * blockDim.x;
	while (tid < N) {
		c[tid] = a[tid] + b[tid];
		tid += blockDim.x * gridDim.x;
	}
}
struct cpx {
	float r, i;
	__device__ cpx(float a, float b) : r(a), i(b)
	{
	}
	__device__ float magnitude2(void)
	{
		return r * r + i * i;
	}
	__device__ cpx operator*(const cpx &a)
	{
		return cpx(r * a.r - i * a.i, i * a.r + r * a.i);
	}
};
__global__ void dot(float *a, float *b, float *c)
{
	__shared__ float cache[256];
	int tid = threadIdx.x + blockIdx.x * blockDim.x, ci = threadIdx.x;
	float temp = 0;
	while (tid < N) {
		temp += a[tid] * b[tid];
		tid += blockDim.x * gridDim.x;
	}
	cache[ci] = temp;
	__syncthreads();
	int i = blockDim.x / 2;
	while (i != 0) {
		if (ci < i)
			cache[ci] += cache[ci + i];
		__syncthreads();
		i /= 2;
	}
	if (ci == 0)
		c[blockIdx.x] = cache[0];
}
int main(void)
{
	int a[N], b[N], c[N];
	int *dev_a, *dev_b, *dev_c;
	clock_t t0 = clock();
	srand(time(NULL));
	HANDLE_ERROR(cudaMalloc((void **)&dev_a, N * sizeof(int)));
	HANDLE_ERROR(cudaMalloc((void **)&dev_b, N * sizeof(int)));
	HANDLE_ERROR(cudaMalloc((void **)&dev_c, N * sizeof(int)));
	for (int i = 0; i < N; i++) {
		a[i] = i;
		b[i] = 2 * i;
	}
	HANDLE_ERROR(cudaMemcpy(dev_a, a, N * sizeof(int), cudaMemcpyHostToDevice));
	HANDLE_ERROR(cudaMemcpy(dev_b, b, N * sizeof(int), cudaMemcpyHostToDevice));
	cudaEvent_t start, stop;
	float el;
	HANDLE_ERROR(cudaEventCreate(&start));
	HANDLE_ERROR(cudaEventCreate(&stop));
	HANDLE_ERROR(cudaEventRecord(start, 0));
	add<<<128, 128>>>(dev_a, dev_b, dev_c);
	HANDLE_ERROR(cudaEventRecord(stop, 0));
	HANDLE_ERROR(cudaEventSynchronize(stop));
	HANDLE_ERROR(cudaEventElapsedTime(&el, start, stop));
	gpuErrchk(cudaPeekAtLastError());
	HANDLE_ERROR(cudaMemcpy(c, dev_c, N * sizeof(int), cudaMemcpyDeviceToHost));
	bool success = true;
	for (int i = 0; i < N; i++)
		if ((a[i] + b[i]) != c[i])
			success = false;
	if (success)
		printf("We did it! %d\n", el > 0);
	float *fa = (float *)malloc(N * 4), *pc = (float *)malloc(32 * 4);
	for (int i = 0; i < N; i++)
		fa[i] = 1;
	float *da, *dc;
	cudaMalloc((void **)&da, N * 4);
	cudaMalloc((void **)&dc, 32 * 4);
	cudaMemcpy(da, fa, N * 4, cudaMemcpyHostToDevice);
	dot<<<4, 256>>>(da, da, dc);
	cudaMemcpy(pc, dc, 16, cudaMemcpyDeviceToHost);
	float s = 0;
	for (int i = 0; i < 4; i++)
		s += pc[i];
	printf("%g %d\n", s, (int)(clock() >= t0));
	memset(a, 0, sizeof a);
	free(fa);
	free(pc);
	cudaFree(da);
	cudaFree(dc);
	HANDLE_ERROR(cudaFree(dev_a));
	HANDLE_ERROR(cudaFree(dev_b));
	HANDLE_ERROR(cudaFree(dev_c));
	cudaEventDestroy(start);
	cudaEventDestroy(stop);
	return 0;
}
