// Complex numbers of floats and doubles, on both sides.
// out: -3.6 2.4 -0.661064 -7.5778
// out: 3 2.5 -12.2971 35.9902
// out: 9.33333 0.333333 47.3113 168.996
// out: 15.3529 -3.79412 199.223 393.839
// out: -3.6 4.8
#include <cuComplex.h>
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
__host__ __device__ cuDoubleComplex f(cuDoubleComplex z)
{
	return cuCadd(cuCmul(z, z), cuCdiv(make_cuDoubleComplex(1, 2), cuConj(z)));
}
__global__ void k(cuDoubleComplex *z, cuFloatComplex *w)
{
	int i = threadIdx.x;
	z[i] = f(z[i]);
	w[i] = cuCmulf(make_cuFloatComplex(i, 1), make_cuComplex(2, 3));
	w[i].x += cuCabsf(w[i]) + cuCrealf(w[i]);
	w[i] = cuCfmaf(w[i], w[i], w[i]);
	z[i].y -= cuCimag(z[i]) / 2;
}
int main()
{
	cuDoubleComplex *z, h[4];
	cuFloatComplex *w, g[4];
	CHECK(cudaMalloc(&z, sizeof h));
	CHECK(cudaMalloc(&w, sizeof g));
	for (int i = 0; i < 4; i++)
		h[i] = make_cuDoubleComplex(i + 1, 2 - i);
	CHECK(cudaMemcpy(z, h, sizeof h, cudaMemcpyHostToDevice));
	k<<<1, 4>>>(z, w);
	CHECK(cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(g, w, sizeof g, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 4; i++)
		printf("%g %g %g %g\n", h[i].x, h[i].y, g[i].x, g[i].y);
	cuDoubleComplex t = f(make_cuDoubleComplex(1, 2));
	printf("%g %g\n", t.x, t.y);
	CHECK(cudaFree(z));
	CHECK(cudaFree(w));
	return 0;
}
