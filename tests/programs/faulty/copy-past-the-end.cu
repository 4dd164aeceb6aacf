// fault: copy 9 the last 400 are past the end
#include <vector>
int main()
{
	const int n = 100;
	std::vector<double> h(n);
	double *d;
	cudaMalloc(&d, n * sizeof(float));
	cudaMemcpy(d, h.data(), n * sizeof(double), cudaMemcpyHostToDevice);
	cudaFree(d);
	return 0;
}
