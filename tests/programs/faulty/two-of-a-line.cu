// One line has two problems: both are said.
// fault: copy 13 the target
// fault: copy 13 the source
// fault: copy 14 cudaMemcpy: the source
#include <cstdio>

int main()
{
	char host[64] = {0};
	char *p;
	cudaMalloc(&p, 32);
	for (int i = 0; i < 3; i++)
		i == 1 ? cudaMemcpy(host, p + i, 40, cudaMemcpyDeviceToHost) : cudaMemcpy(p + i, host, 40, cudaMemcpyHostToDevice);
	cudaMemcpy(host, p, 64, cudaMemcpyDeviceToHost);
	cudaFree(p);
	return 0;
}
