// What has been destroyed is no handle any more.
// gpu: NVIDIA's runtime says no such thing, it may crash
// out: an event: invalid resource handle
#include <cstdio>

int main()
{
	cudaEvent_t event;
	cudaEventCreate(&event);
	cudaEventDestroy(event);
	printf("an event: %s\n", cudaGetErrorString(cudaEventRecord(event)));
	return 0;
}
