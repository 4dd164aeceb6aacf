// Textures of arrays, of memory and of rows: filters, addressing, layers, slices; and surfaces, written and read back.
// out: row 0 1 2 9 (array)
// out: linear 1.5
// out: wrap 0 3, clamp 0 3, border 0
// out: fractions 1.000 0.502
// out: linear memory 7, past it 0
// out: rows 5 of 21
// out: slice 23, layers 0 100 200
// out: cube 3
// out: surface 11 22
// out: info 4 x 4, 32 bits, kind 2, flags 0
// out: integers filtered: linear filtering not supported for non-float type
// out: border of another color: operation not supported
// out: not for surfaces: invalid argument
// out: destroyed twice: invalid argument
// out: level 1 is 2 wide
// out: copied 1 2
// nvcc: -Wno-deprecated-declarations
// says: a border that is not zero is not emulated
// says: the array was not made with cudaArraySurfaceLoadStore
#include <cstdio>
#include <cstring>

template <typename T>
static cudaTextureObject_t make(const cudaResourceDesc &r, cudaTextureAddressMode mode,
	cudaTextureFilterMode filter, cudaTextureReadMode read, bool normalized, cudaError_t *error = nullptr, float border = 0)
{
	cudaTextureObject_t t = 0;
	cudaTextureDesc d = {};
	for (auto &m : d.addressMode)
		m = mode;
	d.filterMode = filter;
	d.readMode = read;
	d.normalizedCoords = normalized;
	d.borderColor[0] = border;
	cudaError_t e = cudaCreateTextureObject(&t, &r, &d, nullptr);
	if (error)
		*error = e;
	return t;
}

__global__ void read2(cudaTextureObject_t t, const float *x, const float *y, int n, float *out)
{
	for (int i = 0; i < n; i++)
		out[i] = tex2D<float>(t, x[i], y[i]);
}

__global__ void read1(cudaTextureObject_t t, int i, int *out)
{
	out[0] = tex1Dfetch<int>(t, i);
}

__global__ void read_deep(cudaTextureObject_t deep, cudaTextureObject_t layers, cudaTextureObject_t cube, float *out)
{
	out[0] = tex3D<float>(deep, 3.5f, 1.5f, 2.5f);
	for (int i = 0; i < 3; i++)
		out[1 + i] = tex2DLayered<float>(layers, 0.5f, 0.5f, i);
	out[4] = texCubemap<float>(cube, 0.1f, -1.0f, 0.2f);
}

__global__ void write(cudaSurfaceObject_t s)
{
	surf2Dwrite(11.0f, s, 0, 0);
	surf2Dwrite(22.0f, s, 4 * (int)sizeof(float) - 4, 3);
}

__global__ void copy(cudaSurfaceObject_t s, float *out)
{
	out[0] = surf2Dread<float>(s, 0, 0);
	out[1] = surf2Dread<float>(s, 12, 3);
}

static float *x, *y, *out;

static void at(cudaTextureObject_t t, int n, const float *px, const float *py)
{
	memcpy(x, px, (size_t)n * 4);
	memcpy(y, py, (size_t)n * 4);
	read2<<<1, 1>>>(t, x, y, n, out);
	cudaDeviceSynchronize();
}

static cudaResourceDesc of(cudaArray_t a)
{
	cudaResourceDesc r = {};
	r.resType = cudaResourceTypeArray;
	r.res.array.array = a;
	return r;
}

int main()
{
	float host[16];
	cudaMallocManaged(&x, 64);
	cudaMallocManaged(&y, 64);
	cudaMallocManaged(&out, 64);
	for (int i = 0; i < 16; i++)
		host[i] = (float)i;
	cudaArray_t a;
	cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
	cudaMallocArray(&a, &f, 4, 4);
	cudaMemcpy2DToArray(a, 0, 0, host, 16, 16, 4, cudaMemcpyHostToDevice);
	cudaTextureObject_t t = make<float>(of(a), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
	float px[] = {0.5f, 1.5f, 2.5f, 1.2f}, py[] = {0.5f, 0.5f, 0.5f, 2.9f};
	at(t, 4, px, py);
	printf("row %g %g %g %g (array)\n", out[0], out[1], out[2], out[3]);
	cudaTextureObject_t l = make<float>(of(a), cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, false);
	float lx[] = {2.0f}, ly[] = {0.5f};
	at(l, 1, lx, ly);
	printf("linear %g\n", out[0]);
	cudaTextureObject_t w = make<float>(of(a), cudaAddressModeWrap, cudaFilterModePoint, cudaReadModeElementType, true);
	cudaTextureObject_t b = make<float>(of(a), cudaAddressModeBorder, cudaFilterModePoint, cudaReadModeElementType, true);
	float wx[] = {1.1f, -0.1f}, wy[] = {0.1f, 0.1f};
	at(w, 2, wx, wy);
	printf("wrap %g %g, ", out[0], out[1]);
	float cx[] = {-3.0f, 9.0f};
	at(t, 2, cx, ly);
	ly[0] = 0.1f;
	wy[1] = 0.5f;
	at(t, 2, cx, wy);
	printf("clamp %g %g, ", out[0], out[1]);
	at(b, 2, wx, wy);
	printf("border %g\n", out[0] + out[1]);

	cudaArray_t bytes;
	cudaChannelFormatDesc u8 = cudaCreateChannelDesc<unsigned char>();
	unsigned char shades[] = {255, 128};
	cudaMallocArray(&bytes, &u8, 2, 1);
	cudaMemcpyToArray(bytes, 0, 0, shades, 2, cudaMemcpyHostToDevice);
	cudaTextureObject_t n = make<float>(of(bytes), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat, false);
	py[1] = 0.5f;
	at(n, 2, px, py);
	printf("fractions %.3f %.3f\n", out[0], out[1]);

	int *linear;
	cudaMallocManaged(&linear, 32);
	for (int i = 0; i < 8; i++)
		linear[i] = i;
	cudaResourceDesc r = {};
	r.resType = cudaResourceTypeLinear;
	r.res.linear.devPtr = linear;
	r.res.linear.desc = cudaCreateChannelDesc<int>();
	r.res.linear.sizeInBytes = 32;
	cudaTextureObject_t m = make<int>(r, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
	read1<<<1, 1>>>(m, 7, (int *)out);
	read1<<<1, 1>>>(m, 8, (int *)out + 1);
	cudaDeviceSynchronize();
	printf("linear memory %d, past it %d\n", ((int *)out)[0], ((int *)out)[1]);

	float *rows;
	size_t pitch;
	cudaMallocPitch(&rows, &pitch, 12, 7);
	float lines[21];
	for (int i = 0; i < 21; i++)
		lines[i] = (float)i;
	cudaMemcpy2D(rows, pitch, lines, 12, 12, 7, cudaMemcpyHostToDevice);
	r = {};
	r.resType = cudaResourceTypePitch2D;
	r.res.pitch2D.devPtr = rows;
	r.res.pitch2D.desc = f;
	r.res.pitch2D.width = 3;
	r.res.pitch2D.height = 7;
	r.res.pitch2D.pitchInBytes = pitch;
	cudaTextureObject_t p = make<float>(r, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
	float rx[] = {2.5f}, ry[] = {1.5f};
	at(p, 1, rx, ry);
	printf("rows %g of 21\n", out[0]);

	cudaArray_t deep, layers, cube;
	float box[24], planes[12], faces[6];
	for (int i = 0; i < 24; i++)
		box[i] = (float)i;
	for (int i = 0; i < 12; i++)
		planes[i] = (float)(i / 4 * 100);
	for (int i = 0; i < 6; i++)
		faces[i] = (float)i;
	cudaMalloc3DArray(&deep, &f, make_cudaExtent(4, 2, 3));
	cudaMalloc3DArray(&layers, &f, make_cudaExtent(2, 2, 3), cudaArrayLayered);
	cudaMalloc3DArray(&cube, &f, make_cudaExtent(1, 1, 6), cudaArrayCubemap);
	cudaMemcpy3DParms c = {};
	c.kind = cudaMemcpyHostToDevice;
	c.srcPtr = make_cudaPitchedPtr(box, 16, 4, 2);
	c.dstArray = deep;
	c.extent = make_cudaExtent(4, 2, 3);
	cudaMemcpy3D(&c);
	c.srcPtr = make_cudaPitchedPtr(planes, 8, 2, 2);
	c.dstArray = layers;
	c.extent = make_cudaExtent(2, 2, 3);
	cudaMemcpy3D(&c);
	c.srcPtr = make_cudaPitchedPtr(faces, 4, 1, 1);
	c.dstArray = cube;
	c.extent = make_cudaExtent(1, 1, 6);
	cudaMemcpy3D(&c);
	cudaTextureObject_t td = make<float>(of(deep), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
	cudaTextureObject_t tl = make<float>(of(layers), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
	cudaTextureObject_t tc = make<float>(of(cube), cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, true);
	read_deep<<<1, 1>>>(td, tl, tc, out);
	cudaDeviceSynchronize();
	printf("slice %g, layers %g %g %g\ncube %g\n", out[0], out[1], out[2], out[3], out[4]);

	cudaArray_t sa;
	cudaSurfaceObject_t s;
	cudaMallocArray(&sa, &f, 4, 4, cudaArraySurfaceLoadStore);
	cudaResourceDesc sr = of(sa);
	cudaCreateSurfaceObject(&s, &sr);
	write<<<1, 1>>>(s);
	copy<<<1, 1>>>(s, out);
	cudaDeviceSynchronize();
	printf("surface %g %g\n", out[0], out[1]);
	cudaChannelFormatDesc back;
	cudaExtent e;
	unsigned int flags;
	cudaArrayGetInfo(&back, &e, &flags, a);
	printf("info %zu x %zu, %d bits, kind %d, flags %u\n", e.width, e.height, back.x, (int)back.f, flags);

	cudaError_t error;
	make<int>(of(bytes), cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, false, &error);
	printf("integers filtered: %s\n", cudaGetErrorString(error));
	make<float>(of(a), cudaAddressModeBorder, cudaFilterModePoint, cudaReadModeElementType, true, &error, 1);
	printf("border of another color: %s\n", cudaGetErrorString(error));
	cudaSurfaceObject_t no;
	cudaResourceDesc ar = of(a);
	printf("not for surfaces: %s\n", cudaGetErrorString(cudaCreateSurfaceObject(&no, &ar)));
	cudaDestroyTextureObject(t);
	printf("destroyed twice: %s\n", cudaGetErrorString(cudaDestroyTextureObject(t)));
	cudaMipmappedArray_t mipmap;
	cudaArray_t level;
	cudaMallocMipmappedArray(&mipmap, &f, make_cudaExtent(4, 4, 0), 3);
	cudaGetMipmappedArrayLevel(&level, mipmap, 1);
	cudaArrayGetInfo(nullptr, &e, nullptr, level);
	printf("level 1 is %zu wide\n", e.width);
	cudaFreeMipmappedArray(mipmap);
	float two[2];
	cudaMemcpyFromArray(two, a, 4, 0, 8, cudaMemcpyDeviceToHost);
	printf("copied %g %g\n", two[0], two[1]);
	cudaFreeArray(a);
	return 0;
}
