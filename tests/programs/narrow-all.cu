// Halves and bfloats: what each operation makes of all numbers, or of pairs of them with NaN, infinities, zeros, subnormals, as a sum of
// all results' bits; in a kernel, and by clang alone on the host, too.
// out: half 0 38460e925de8bf7
// out: half 1 eaed1dd9f7ac1db9
// out: half 2 d5cedff32db10118
// out: half 3 6b19aac2896b4a08
// out: half 4 182b23a2ee
// out: half 5 1f1562c59b
// out: half 6 edd51b5f20547000
// out: half 7 6880691d9
// out: half 8 1d6210ea9b0e369e
// out: half 9 ed70ae871d9ebfc4
// out: half 10 129ead16fba1e226
// out: half 11 3fdb1ccb53db708c
// out: half 12 ea16129ca5640302
// out: half 13 351aba0c5c
// out: half 14 f8bcf2fff34bc86e
// out: half 15 5ddb0d1e3474ef7
// out: half 16 a38844f35286f
// out: half 17 8e7cf3d5542ac9
// out: half 18 47b2904d763de836
// out: half 19 34f0dc9806485bb0
// out: half 20 d13721a144df22fb
// out: half 21 a3a7add210c99bd6
// out: half 22 72acb5441bfb
// out: half 23 984400000000
// out: bfloat 0 c9f273244122d930
// out: bfloat 1 84642fbaee8ff18
// out: bfloat 2 3efd5873a20f96d4
// out: bfloat 3 273fd0733f44df21
// out: bfloat 4 1aa00496d4
// out: bfloat 5 1baf762dee
// out: bfloat 6 b313d12dc3fc3200
// out: bfloat 7 65e71d372
// out: bfloat 8 79b984c5bce94490
// out: bfloat 9 57041577ae1c8406
// out: bfloat 10 a1c1f00db214631
// out: bfloat 11 b5324171da778a8
// out: bfloat 12 2f0cdc38820660a9
// out: bfloat 13 371767b6d0
// out: bfloat 14 7322c0f2c38de084
// out: bfloat 15 5095262f3d4bf988
// out: bfloat 16 684f3e3d3d7f06f
// out: bfloat 17 747a41a82f2ad0
// out: bfloat 18 2a5ac40c303988b6
// out: bfloat 19 6b161cd91aa376e
// out: bfloat 20 e95c46d1cda50a02
// out: bfloat 21 f4e392a68b888e8e
// out: bfloat 22 72a9188e29fb
// out: bfloat 23 9f8000000000
// nvcc: -arch=compute_80
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdio>
#include <cstring>

typedef unsigned long long sum_t;
struct half_names {
	typedef __half N;
	typedef __half2 N2;
	static __host__ __device__ N of(unsigned short b) { return __ushort_as_half(b); }
	static __host__ __device__ unsigned short bits(N n) { return __half_as_ushort(n); }
	static __host__ __device__ N2 pair(N a, N b) { return __halves2half2(a, b); }
	static __device__ sum_t integers(N n)
	{
		return (sum_t)__half2int_rn(n) ^ 3 * (sum_t)__half2int_rz(n) ^ 5 * (sum_t)__half2int_rd(n) ^ 7 * (sum_t)__half2int_ru(n) ^
			11 * (sum_t)__half2uint_rn(n) ^ 13 * (sum_t)__half2short_rd(n) ^ 17 * (sum_t)__half2ushort_ru(n) ^ 19 * (sum_t)__half2ll_rn(n) ^
			23 * (sum_t)__half2ull_rz(n) ^ 29 * (sum_t)__half2char_rz(n) ^ 31 * (sum_t)__half2uchar_rz(n);
	}
	static __device__ sum_t from(unsigned int i)
	{
		int s = (int)(i * 2654435761u), t = s >> (i & 31);
		return bits(__int2half_rn(t)) + 3 * bits(__int2half_rz(t)) + 5 * bits(__int2half_rd(t)) + 7 * bits(__int2half_ru(t)) +
			11 * bits(__uint2half_rn((unsigned)t)) + 13 * bits(__short2half_rd((short)t)) + 17 * bits(__ushort2half_ru((unsigned short)t)) +
			19 * bits(__ll2half_rn((long long)s * s >> (i % 60))) + 23 * bits(__ull2half_rz((unsigned)t)) + 29 * bits(__float2half_rz((float)t / 1000)) +
			31 * bits(__float2half_rd((float)t / 1e9f)) + 37 * bits(__float2half_ru((float)t / 7)) + 41 * bits(__double2half((double)s / t)) +
			43 * bits(__half(t));
	}
};
struct bfloat_names {
	typedef __nv_bfloat16 N;
	typedef __nv_bfloat162 N2;
	static __host__ __device__ N of(unsigned short b) { return __ushort_as_bfloat16(b); }
	static __host__ __device__ unsigned short bits(N n) { return __bfloat16_as_ushort(n); }
	static __host__ __device__ N2 pair(N a, N b) { return __halves2bfloat162(a, b); }
	static __device__ sum_t integers(N n)
	{
		return (sum_t)__bfloat162int_rn(n) ^ 3 * (sum_t)__bfloat162int_rz(n) ^ 5 * (sum_t)__bfloat162int_rd(n) ^ 7 * (sum_t)__bfloat162int_ru(n) ^
			11 * (sum_t)__bfloat162uint_rn(n) ^ 13 * (sum_t)__bfloat162short_rd(n) ^ 17 * (sum_t)__bfloat162ushort_ru(n) ^ 19 * (sum_t)__bfloat162ll_rn(n) ^
			23 * (sum_t)__bfloat162ull_rz(n) ^ 29 * (sum_t)__bfloat162char_rz(n) ^ 31 * (sum_t)__bfloat162uchar_rz(n);
	}
	static __device__ sum_t from(unsigned int i)
	{
		int s = (int)(i * 2654435761u), t = s >> (i & 31);
		return bits(__int2bfloat16_rn(t)) + 3 * bits(__int2bfloat16_rz(t)) + 5 * bits(__int2bfloat16_rd(t)) + 7 * bits(__int2bfloat16_ru(t)) +
			11 * bits(__uint2bfloat16_rn((unsigned)t)) + 13 * bits(__short2bfloat16_rd((short)t)) +
			17 * bits(__ushort2bfloat16_ru((unsigned short)t)) + 19 * bits(__ll2bfloat16_rn((long long)s * s >> (i % 60))) +
			23 * bits(__ull2bfloat16_rz((unsigned)t)) + 29 * bits(__float2bfloat16_rz((float)t / 1000)) +
			31 * bits(__float2bfloat16_rd((float)t / 1e9f)) + 37 * bits(__float2bfloat16_ru((float)t / 7)) +
			41 * bits(__double2bfloat16((double)s / t)) + 43 * bits(__nv_bfloat16(t));
	}
};

// (Exclusive or, since nvcc 13 takes sums of products of 64 bits for dp2a's, of 32.)
// Every NaN as one: which it is, is up to the format's hardware.
template <typename F> __host__ __device__ sum_t told(typename F::N n)
{
	return __hisnan(n) ? 0x7FFF : F::bits(n);
}
template <typename F> __host__ __device__ sum_t told(typename F::N2 n)
{
	return told<F>(n.x) + (told<F>(n.y) << 20);
}

enum { KINDS = 24 };
template <typename F> __host__ __device__ void one(unsigned int i, sum_t sums[KINDS])
{
	typedef typename F::N N;
	typedef typename F::N2 N2;
	const unsigned short odd[] = {0, 0x8000, 1, 0x8001, 0x7C00, 0xFC00, 0x7F80, 0xFF80, 0x7E00, 0x7FC1, 0x3C00, 0x3F80, 0xBC00, 0x03FF, 0x7BFF, 0x7F7F};
	unsigned int r = i * 2654435761u ^ i >> 3;
	N a = F::of((unsigned short)i), b = F::of((r >> 8 & 7) == 0 ? odd[r >> 12 & 15] : (unsigned short)(r >> 16));
	N c = F::of((unsigned short)(r * 40503u >> 13));
	N2 x = F::pair(a, b), y = F::pair(b, c), z = F::pair(c, a);
	int k = 0;
	sums[k++] = told<F>(__hadd(a, b)) + 3 * told<F>(__hsub2(x, y));
	sums[k++] = told<F>(__hmul2(x, y)) + 3 * told<F>(a * c);
	sums[k++] = told<F>(__hfma(a, b, c)) + 3 * told<F>(__hfma2(x, y, z));
	sums[k++] = told<F>(__hadd_sat(a, b)) + 3 * told<F>(__hmul2_sat(x, y)) + 5 * told<F>(__hfma2_sat(x, y, z));
	sums[k++] = __heq(a, b) + 2 * __hne(a, b) + 4 * __hlt(a, b) + 8 * __hle(a, b) + 16 * __hgt(a, b) + 32 * __hge(a, b);
	sums[k++] = __hequ(a, b) + 2 * __hneu(a, b) + 4 * __hltu(a, b) + 8 * __hleu(a, b) + 16 * __hgtu(a, b) + 32 * __hgeu(a, b);
	sums[k++] = told<F>(__heq2(x, y)) + 3 * told<F>(__hltu2(x, y)) + 5 * told<F>(__hge2(x, y)) + 7 * told<F>(__hneu2(x, y));
	sums[k++] = __hbeq2(x, x) + 2 * __hbltu2(x, y) + 4 * __hbne2(x, y) + 8 * __hbgeu2(x, y);
	sums[k++] = (sum_t)__heq2_mask(x, x) + 3ull * __hgtu2_mask(x, y) + 5ull * __hne2_mask(x, y);
	sums[k++] = told<F>(__hmin(a, b)) + 3 * told<F>(__hmax(a, b)) + 5 * told<F>(__hmin2(x, y)) + 7 * told<F>(__hmax2(x, y));
	sums[k++] = told<F>(__hmin_nan(a, b)) + 3 * told<F>(__hmax2_nan(x, y));
	sums[k++] = (sum_t)__hisinf(a) + 4 * __hisnan(b) + told<F>(__hisnan2(x));
	sums[k++] = told<F>(__hneg2(x)) + 3 * told<F>(__habs2(y)) + 5 * told<F>(-a);
	sums[k++] = (a == b) + 2 * (a != b) + 4 * (a < b) + 8 * (a >= b) + 16 * (x == x) + 32 * (x != y);
	N up = a, down = b;
	up++, --down;
	sums[k++] = told<F>(up) + 3 * told<F>(down) + 5 * told<F>(__hadd_rn(a, c)) + 7 * told<F>(__lowhigh2highlow(x));
	a += b, b *= c, x -= y;
	sums[k++] = told<F>(a) + 3 * told<F>(b) + 5 * told<F>(x);
	while (k < KINDS)
		sums[k++] = 0;
}
template <typename F> __device__ void device_only(unsigned int i, sum_t sums[KINDS])
{
	typename F::N a = F::of((unsigned short)i), b = F::of((unsigned short)(i * 40503u >> 3));
	typename F::N2 x = F::pair(a, b);
	int k = KINDS - 8;
	sums[k++] = F::integers(a);
	sums[k++] = F::from(i);
	sums[k++] = told<F>(hfloor(a)) + 3 * told<F>(hceil(a)) + 5 * told<F>(htrunc(a)) + 7 * told<F>(hrint(a)) + 11 * told<F>(h2rint(x));
	sums[k++] = told<F>(__hfma_relu(a, b, a)) + 3 * told<F>(__hfma2_relu(x, x, x));
	sums[k++] = told<F>(__hcmadd(x, F::pair(b, a), x));
	sums[k++] = told<F>(__shfl_xor_sync(0xFFFFFFFF, a, 5)) + 3 * told<F>(__shfl_down_sync(0xFFFFFFFF, x, 3));
	sums[k++] = told<F>(hsqrt(a));
	sums[k++] = told<F>(hrcp(F::of((unsigned short)(i & 0x8000) + 0x3F80)));
}
template <typename F> __global__ void all(sum_t *sums)
{
	sum_t s[KINDS];
	unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
	one<F>(i, s);
	device_only<F>(i, s);
	for (int k = 0; k < KINDS; k++)
		atomicAdd(&sums[k], s[k] * (2 * i + 1));
}
template <typename F> void compare(const char *name)
{
	sum_t host[KINDS] = {}, s[KINDS], device[KINDS], *d;
	cudaMalloc(&d, sizeof device);
	cudaMemset(d, 0, sizeof device);
	all<F><<<256, 256>>>(d);
	cudaMemcpy(device, d, sizeof device, cudaMemcpyDeviceToHost);
	cudaFree(d);
#ifdef __SIMTTUTOR_CC__ // the host has them all
	for (unsigned int i = 0; i < 65536; i++) {
		one<F>(i, s);
		for (int k = 0; k < KINDS; k++)
			host[k] += s[k] * (2 * i + 1);
	}
#else
	memcpy(host, device, sizeof host);
	(void)s;
#endif
	for (int k = 0; k < KINDS; k++)
		printf("%s %d %llx%s\n", name, k, device[k], k >= KINDS - 8 || host[k] == device[k] ? "" : " and not so on the host");
}
int main()
{
	compare<half_names>("half");
	compare<bfloat_names>("bfloat");
}
