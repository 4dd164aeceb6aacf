// Ways to wait for what kernels and copies do with memory that the host has in common with them; none of it is a fault.
// out: device: 64
// out: stream: 64
// out: event: 64
// out: other stream's event: 64
// out: legacy: 64
// out: copy: 64
// out: query: 64
// out: called: 64
// out: another part: 3
// out: half: 32 of 64
#include <cstdio>

__global__ void add(int *p, int value)
{
	p[threadIdx.x] += value;
}

static int *p, *q;
static cudaStream_t a, b;

static void tell(const char *what)
{
	int sum = 0;
	for (int i = 0; i < 64; i++)
		sum += p[i], p[i] = 0;
	printf("%s: %d\n", what, sum);
}

static void called(void *)
{
	tell("called");
}

int main()
{
	cudaEvent_t event;
	int *device;
	cudaEventCreate(&event);
	cudaStreamCreate(&a);
	cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
	cudaMallocManaged(&p, 8192 * sizeof(int));
	cudaMallocManaged(&q, 64 * sizeof(int));
	for (int i = 0; i < 8192; i++)
		p[i] = 0;
	add<<<1, 64>>>(p, 1);
	cudaDeviceSynchronize();
	tell("device");
	add<<<1, 64, 0, a>>>(p, 1);
	cudaStreamSynchronize(a);
	tell("stream");
	add<<<1, 64, 0, a>>>(p, 1);
	cudaEventRecord(event, a);
	add<<<1, 64, 0, a>>>(q, 1);
	cudaEventSynchronize(event);
	tell("event");
	add<<<1, 64, 0, b>>>(p, 1);
	cudaEventRecord(event, b);
	cudaStreamWaitEvent(a, event, 0);
	cudaStreamSynchronize(a);
	tell("other stream's event");
	add<<<1, 64, 0, a>>>(p, 1);
	cudaMemset(q, 0, 4);
	cudaStreamSynchronize(0);
	tell("legacy");
	cudaMalloc(&device, 64 * sizeof(int));
	cudaMemset(device, 0, 64 * sizeof(int));
	add<<<1, 64>>>(device, 1);
	cudaMemcpyAsync(p, device, 64 * sizeof(int), cudaMemcpyDeviceToHost, a);
	while (cudaStreamQuery(a) == cudaErrorNotReady)
		;
	tell("copy");
	add<<<1, 64>>>(p, 1);
	cudaEventRecord(event);
	while (cudaEventQuery(event) == cudaErrorNotReady)
		;
	tell("query");
	add<<<1, 64, 0, a>>>(p, 1);
	cudaLaunchHostFunc(a, called, nullptr);
	cudaStreamSynchronize(a);
	add<<<1, 64>>>(p, 1);
	p[4096] = 1;
	p[64] = 2;
	printf("another part: %d\n", p[4096] + p[64]);
	cudaDeviceSynchronize();
	int half = 0;
	add<<<1, 32>>>(p, -1);
	for (int i = 32; i < 64; i++)
		half += p[i];
	printf("half: %d of 64\n", half);
	cudaDeviceSynchronize();
	cudaFree(p);
	cudaFree(q);
	cudaFree(device);
	cudaEventDestroy(event);
	cudaStreamDestroy(a);
	cudaStreamDestroy(b);
	return 0;
}
