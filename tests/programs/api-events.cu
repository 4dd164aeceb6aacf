// Events: their order, what is asked of them too early, and that more work takes more time.
// out: not recorded: invalid resource handle
// out: waited for: device not ready, then no error
// out: without time: invalid resource handle
// out: more work takes longer: yes
// out: the other stream came after: yes
#include <cstdio>

__global__ void work(int n, volatile float *out)
{
	float x = 0;
	for (int i = 0; i < n; i++)
		x = x * 0.5f + 1;
	*out = x;
}

__global__ void waits(volatile int *flag)
{
	while (*flag == 0)
		;
}

int main()
{
	cudaEvent_t a, b, c, plain;
	cudaStream_t s, t;
	float *d, few, many;
	volatile int *flag;
	cudaMalloc(&d, sizeof *d);
	cudaMallocHost((void **)&flag, sizeof *flag);
	*flag = 0;
	cudaEventCreate(&a);
	cudaEventCreate(&b);
	cudaEventCreate(&c);
	cudaEventCreateWithFlags(&plain, cudaEventDisableTiming);
	cudaStreamCreate(&s);
	cudaStreamCreate(&t);
	printf("not recorded: %s\n", cudaGetErrorString(cudaEventElapsedTime(&few, a, b)));
	waits<<<1, 1, 0, s>>>(flag);
	cudaEventRecord(a, s);
	printf("waited for: %s, ", cudaGetErrorString(cudaEventQuery(a)));
	*flag = 1;
	cudaEventSynchronize(a);
	printf("then %s\n", cudaGetErrorString(cudaEventQuery(a)));
	cudaEventRecord(plain, s);
	cudaStreamSynchronize(s);
	printf("without time: %s\n", cudaGetErrorString(cudaEventElapsedTime(&few, a, plain)));
	cudaEventRecord(a);
	work<<<1, 32>>>(100, d);
	cudaEventRecord(b);
	work<<<1, 32>>>(10000, d);
	cudaEventRecord(c);
	cudaEventSynchronize(c);
	cudaEventElapsedTime(&few, a, b);
	cudaEventElapsedTime(&many, b, c);
	printf("more work takes longer: %s\n", 0 < few && 2 * few < many ? "yes" : "no");
	work<<<1, 32, 0, s>>>(10000, d);
	cudaEventRecord(a, s);
	cudaStreamWaitEvent(t, a, 0);
	cudaEventRecord(b, t);
	cudaStreamSynchronize(t);
	cudaEventElapsedTime(&few, a, b);
	printf("the other stream came after: %s\n", few >= 0 ? "yes" : "no");
	return 0;
}
