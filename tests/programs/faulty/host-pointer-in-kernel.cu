// fault: kernel 10 line 5:
// fault: kernel 10 memory of the host
#include <vector>
__global__ void set(int *p)
{ p[threadIdx.x] = 1; }
int main()
{
	std::vector<int> v(32);
	int *d = v.data();
	set<<<1, 32>>>(d);
	cudaDeviceSynchronize();
	cudaGetLastError();
	return 0;
}
