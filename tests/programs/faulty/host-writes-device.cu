// fault: host access 10 memory of the device
// status: 139
#include <cstdio>
int main()
{
	float *d;
	const int n = 64;
	cudaMalloc(&d, n * sizeof *d);
	for (int i = 0; i < n; i++)
		d[i] = (float)i;
	cudaFree(d);
	return 0;
}
