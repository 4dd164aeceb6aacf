// fault: kernel 16 line 6:
// fault: kernel 16 freed at use-after-free-kernel.cu:15
// status: 1
__global__ void add(int *p)
{
	p[threadIdx.x] += 1;
}
int main()
{
	int *p;
	cudaMalloc(&p, 128);
	cudaMemset(p, 0, 128);
	add<<<1, 32>>>(p);
	cudaDeviceSynchronize();
	cudaFree(p);
	add<<<1, 32>>>(p);
	return cudaDeviceSynchronize() != cudaSuccess;
}
