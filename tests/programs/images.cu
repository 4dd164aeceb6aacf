// Textures and surfaces: linear, of rows with a pitch, of two and three dimensions, layered, filtered, normalized, gathered.
// out: 3 15 0
// out: 0 15 0 0 0.5 5.75
// out: 0 3 0
// out: 1 31
// out: 0 1 2 3 4 5 6 7 21
// out: 2 2 2 2 32
// out: 1 9 17
// out: 0 1 2
// out: 1 0.2 1 0.5020
// out: 3 3
// out: 4 5 1 0
// out: 5 15 3
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
#include <cstring>
__global__ void t1(cudaTextureObject_t t, float *o, int n)
{
	int i = threadIdx.x;
	if (i < n)
		o[i] = tex1Dfetch<float>(t, i);
}
__global__ void t2(cudaTextureObject_t t, float *o, int w, int h)
{
	int x = threadIdx.x, y = threadIdx.y;
	o[y * blockDim.x + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
	if (x == 0 && y == 0) {
		o[64] = tex2D<float>(t, -3.f, 0.5f);
		o[65] = tex2D<float>(t, 1.0f, 0.5f);
		o[66] = tex2D<float>(t, 1.25f, 1.75f);
	}
}
__global__ void t2n(cudaTextureObject_t t, float *o)
{
	o[0] = tex2D<float>(t, 1.0f + 0.5f / 4, 0.5f / 4);
	o[1] = tex2D<float>(t, -0.5f / 4, 0.5f / 4);
	o[2] = tex2DLod<float>(t, .125f, .125f, 0);
}
__global__ void t3(cudaTextureObject_t t, int *o)
{
	o[threadIdx.x] = tex3D<int>(t, threadIdx.x % 2, threadIdx.x / 2 % 2, threadIdx.x / 4);
}
__global__ void tl(cudaTextureObject_t t, float *o)
{
	o[threadIdx.x] = tex2DLayered<float>(t, 1.5f, 0.5f, threadIdx.x);
}
__global__ void u8n(cudaTextureObject_t t, float4 *o)
{
	o[threadIdx.x] = tex1D<float4>(t, threadIdx.x + 0.5f);
}
__global__ void sw(cudaSurfaceObject_t s, int w)
{
	int x = threadIdx.x, y = threadIdx.y;
	float v;
	surf2Dread(&v, s, x * 4, y);
	surf2Dwrite(v * 2 + 1, s, x * 4, y);
}
__global__ void s3(cudaSurfaceObject_t s)
{
	surf3Dwrite((int)(threadIdx.x * 3), s, (int)(threadIdx.x % 2 * 4), threadIdx.x / 2 % 2, threadIdx.x / 4);
}
__global__ void s4(cudaSurfaceObject_t s, float4 *o)
{
	float4 v = make_float4(1, 2, 3, threadIdx.x);
	surf2Dwrite(v, s, threadIdx.x * 16, 0, cudaBoundaryModeClamp);
	o[threadIdx.x] = surf2Dread<float4>(s, threadIdx.x * 16, 0, cudaBoundaryModeZero);
}
__global__ void g4(cudaTextureObject_t t, float4 *o)
{
	o[0] = tex2Dgather<float4>(t, 1.f, 1.f, 0);
}
__global__ void sl(cudaSurfaceObject_t s)
{
	surf2DLayeredwrite((float)threadIdx.x, s, 4, 0, threadIdx.x);
}
int main()
{
	float h[128], g[128];
	for (int i = 0; i < 128; i++)
		h[i] = i;
	float *d, *o;
	CHECK(cudaMalloc(&d, 512));
	CHECK(cudaMalloc(&o, 512));
	CHECK(cudaMemcpy(d, h, 512, cudaMemcpyHostToDevice));
	cudaResourceDesc rd = {};
	cudaTextureDesc td = {};
	cudaTextureObject_t t;
	rd.resType = cudaResourceTypeLinear;
	rd.res.linear.devPtr = d;
	rd.res.linear.desc = cudaCreateChannelDesc<float>();
	rd.res.linear.sizeInBytes = 64;
	td.readMode = cudaReadModeElementType;
	CHECK(cudaCreateTextureObject(&t, &rd, &td, NULL));
	t1<<<1, 32>>>(t, o, 20);
	CHECK(cudaMemcpy(g, o, 80, cudaMemcpyDeviceToHost));
	printf("%g %g %g\n", g[3], g[15], g[16]);
	CHECK(cudaDestroyTextureObject(t));
	cudaChannelFormatDesc cd = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
	cudaArray_t a;
	CHECK(cudaMallocArray(&a, &cd, 4, 4, cudaArraySurfaceLoadStore));
	CHECK(cudaMemcpy2DToArray(a, 0, 0, h, 16, 16, 4, cudaMemcpyHostToDevice));
	memset(&rd, 0, sizeof rd);
	rd.resType = cudaResourceTypeArray;
	rd.res.array.array = a;
	td.addressMode[0] = td.addressMode[1] = cudaAddressModeBorder;
	td.filterMode = cudaFilterModeLinear;
	CHECK(cudaCreateTextureObject(&t, &rd, &td, NULL));
	t2<<<1, dim3(8, 8)>>>(t, o, 4, 4);
	CHECK(cudaMemcpy(g, o, 67 * 4, cudaMemcpyDeviceToHost));
	printf("%g %g %g %g %g %g\n", g[0], g[27], g[4], g[64], g[65], g[66]);
	CHECK(cudaDestroyTextureObject(t));
	td.addressMode[0] = cudaAddressModeWrap;
	td.addressMode[1] = cudaAddressModeClamp;
	td.filterMode = cudaFilterModePoint;
	td.normalizedCoords = 1;
	CHECK(cudaCreateTextureObject(&t, &rd, &td, NULL));
	t2n<<<1, 1>>>(t, o);
	CHECK(cudaMemcpy(g, o, 12, cudaMemcpyDeviceToHost));
	printf("%g %g %g\n", g[0], g[1], g[2]);
	CHECK(cudaDestroyTextureObject(t));
	td.normalizedCoords = 0;
	td.addressMode[0] = cudaAddressModeClamp;
	CHECK(cudaCreateTextureObject(&t, &rd, &td, NULL));
	float4 *f4;
	CHECK(cudaMalloc(&f4, 512));
	CHECK(cudaDestroyTextureObject(t));
	cudaSurfaceObject_t s;
	CHECK(cudaCreateSurfaceObject(&s, &rd));
	sw<<<1, dim3(4, 4)>>>(s, 4);
	CHECK(cudaMemcpy2DFromArray(g, 16, a, 0, 0, 16, 4, cudaMemcpyDeviceToHost));
	printf("%g %g\n", g[0], g[15]);
	CHECK(cudaDestroySurfaceObject(s));
	CHECK(cudaFreeArray(a));
	int vi[8] = {0, 1, 2, 3, 4, 5, 6, 7}, gi[8];
	cd = cudaCreateChannelDesc<int>();
	cudaExtent e = make_cudaExtent(2, 2, 2);
	cudaArray_t a3;
	CHECK(cudaMalloc3DArray(&a3, &cd, e, cudaArraySurfaceLoadStore));
	cudaMemcpy3DParms p = {};
	p.srcPtr = make_cudaPitchedPtr(vi, 8, 2, 2);
	p.dstArray = a3;
	p.extent = e;
	p.kind = cudaMemcpyHostToDevice;
	CHECK(cudaMemcpy3D(&p));
	rd.res.array.array = a3;
	CHECK(cudaCreateTextureObject(&t, &rd, &td, NULL));
	t3<<<1, 8>>>(t, (int *)o);
	CHECK(cudaMemcpy(gi, o, 32, cudaMemcpyDeviceToHost));
	for (int i : gi)
		printf("%d ", i);
	CHECK(cudaCreateSurfaceObject(&s, &rd));
	s3<<<1, 8>>>(s);
	t3<<<1, 8>>>(t, (int *)o);
	CHECK(cudaMemcpy(gi, o, 32, cudaMemcpyDeviceToHost));
	printf("%d\n", gi[7]);
	CHECK(cudaDestroySurfaceObject(s));
	CHECK(cudaDestroyTextureObject(t));
	cudaExtent ge;
	unsigned fl;
	CHECK(cudaArrayGetInfo(&cd, &ge, &fl, a3));
	printf("%zu %zu %zu %u %d\n", ge.width, ge.height, ge.depth, fl, cd.x);
	CHECK(cudaFreeArray(a3));
	cd = cudaCreateChannelDesc<float>();
	CHECK(cudaMalloc3DArray(&a3, &cd, make_cudaExtent(4, 2, 3), cudaArrayLayered | cudaArraySurfaceLoadStore));
	p = {};
	p.srcPtr = make_cudaPitchedPtr(h, 16, 4, 2);
	p.dstArray = a3;
	p.extent = make_cudaExtent(4, 2, 3);
	p.kind = cudaMemcpyHostToDevice;
	CHECK(cudaMemcpy3D(&p));
	rd.res.array.array = a3;
	CHECK(cudaCreateTextureObject(&t, &rd, &td, NULL));
	tl<<<1, 3>>>(t, o);
	CHECK(cudaMemcpy(g, o, 12, cudaMemcpyDeviceToHost));
	printf("%g %g %g\n", g[0], g[1], g[2]);
	CHECK(cudaCreateSurfaceObject(&s, &rd));
	sl<<<1, 3>>>(s);
	tl<<<1, 3>>>(t, o);
	CHECK(cudaMemcpy(g, o, 12, cudaMemcpyDeviceToHost));
	printf("%g %g %g\n", g[0], g[1], g[2]);
	CHECK(cudaDestroySurfaceObject(s));
	CHECK(cudaDestroyTextureObject(t));
	CHECK(cudaFreeArray(a3));
	uchar4 u[4] = {{255, 0, 51, 255}, {0, 255, 0, 0}, {1, 2, 3, 4}, {128, 128, 128, 128}};
	cd = cudaCreateChannelDesc<uchar4>();
	CHECK(cudaMallocArray(&a, &cd, 4));
	CHECK(cudaMemcpy2DToArray(a, 0, 0, u, 16, 16, 1, cudaMemcpyHostToDevice));
	rd.res.array.array = a;
	td.readMode = cudaReadModeNormalizedFloat;
	CHECK(cudaCreateTextureObject(&t, &rd, &td, NULL));
	u8n<<<1, 4>>>(t, f4);
	float4 g4v[4];
	CHECK(cudaMemcpy(g4v, f4, 64, cudaMemcpyDeviceToHost));
	printf("%g %g %g %.4f\n", g4v[0].x, g4v[0].z, g4v[1].y, g4v[3].w);
	CHECK(cudaDestroyTextureObject(t));
	CHECK(cudaFreeArray(a));
	td.readMode = cudaReadModeElementType;
	cd = cudaCreateChannelDesc<float4>();
	CHECK(cudaMallocArray(&a, &cd, 4, 4, cudaArraySurfaceLoadStore));
	rd.res.array.array = a;
	CHECK(cudaCreateSurfaceObject(&s, &rd));
	s4<<<1, 4>>>(s, f4);
	CHECK(cudaMemcpy(g4v, f4, 64, cudaMemcpyDeviceToHost));
	printf("%g %g\n", g4v[3].w, g4v[2].z);
	CHECK(cudaDestroySurfaceObject(s));
	CHECK(cudaFreeArray(a));
	cd = cudaCreateChannelDesc<float>();
	CHECK(cudaMallocArray(&a, &cd, 4, 4, cudaArrayTextureGather));
	CHECK(cudaMemcpy2DToArray(a, 0, 0, h, 16, 16, 4, cudaMemcpyHostToDevice));
	rd.res.array.array = a;
	CHECK(cudaCreateTextureObject(&t, &rd, &td, NULL));
	g4<<<1, 1>>>(t, f4);
	CHECK(cudaMemcpy(g4v, f4, 16, cudaMemcpyDeviceToHost));
	printf("%g %g %g %g\n", g4v[0].x, g4v[0].y, g4v[0].z, g4v[0].w);
	CHECK(cudaDestroyTextureObject(t));
	CHECK(cudaFreeArray(a));
	size_t pitch;
	float *pd;
	CHECK(cudaMallocPitch(&pd, &pitch, 16, 4));
	CHECK(cudaMemcpy2D(pd, pitch, h, 16, 16, 4, cudaMemcpyHostToDevice));
	memset(&rd, 0, sizeof rd);
	rd.resType = cudaResourceTypePitch2D;
	rd.res.pitch2D.devPtr = pd;
	rd.res.pitch2D.desc = cd;
	rd.res.pitch2D.width = 4;
	rd.res.pitch2D.height = 4;
	rd.res.pitch2D.pitchInBytes = pitch;
	CHECK(cudaCreateTextureObject(&t, &rd, &td, NULL));
	t2<<<1, dim3(8, 8)>>>(t, o, 4, 4);
	CHECK(cudaMemcpy(g, o, 67 * 4, cudaMemcpyDeviceToHost));
	printf("%g %g %g\n", g[9], g[31], g[7]);
	CHECK(cudaDestroyTextureObject(t));
	CHECK(cudaFree(pd));
	CHECK(cudaFree(f4));
	CHECK(cudaFree(d));
	CHECK(cudaFree(o));
	return 0;
}
