// Independent work in one thread: several chains, several sums, several loads in flight.
#include "simt.h"

// CHAINS values in each thread, multiplied and added to in 16 steps a round. No value needs another one.
template <unsigned CHAINS> static __device__ __forceinline__ void grow(float *out, float factor, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	float a[CHAINS];
	#pragma unroll
	for (unsigned k = 0; k < CHAINS; k++)
		a[k] = i + k * threads;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		#pragma unroll
		for (unsigned step = 0; step < 16; step++)
			#pragma unroll
			for (unsigned k = 0; k < CHAINS; k++)
				a[k] = a[k] * factor + 1; //@ grow
	}
	#pragma unroll
	for (unsigned k = 0; k < CHAINS; k++)
		out[i + k * threads] = a[k];
}

extern "C" __global__ void chains_1(float *out, float factor, unsigned rounds) { grow<1>(out, factor, rounds); }
extern "C" __global__ void chains_2(float *out, float factor, unsigned rounds) { grow<2>(out, factor, rounds); }
extern "C" __global__ void chains_4(float *out, float factor, unsigned rounds) { grow<4>(out, factor, rounds); }
extern "C" __global__ void chains_8(float *out, float factor, unsigned rounds) { grow<8>(out, factor, rounds); }

// One sum of powers in each thread, 1 + x + x * x and so on, PIECE terms a round, in SUMS accumulators: each of them has every
// SUMS-th term, and they are put together at the end.
template <unsigned PIECE, unsigned SUMS> static __device__ __forceinline__ void powers(const float *x, float *out, unsigned terms)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float at = x[i], step = at, sum[SUMS], total = 0;
	#pragma unroll
	for (unsigned k = 0; k < SUMS; k++)
		sum[k] = 0;
	#pragma unroll
	for (unsigned k = 1; k < SUMS; k *= 2)
		step *= step;
	#pragma unroll 1
	for (unsigned term = 0; term < terms; term += PIECE) {
		#pragma unroll
		for (unsigned k = 0; k < PIECE; k++)
			sum[k % SUMS] = sum[k % SUMS] * step + 1; //@ powers
	}
	#pragma unroll
	for (unsigned k = SUMS; k-- > 0;)
		total = total * at + sum[k];
	out[i] = total;
}

extern "C" __global__ void piece_1(const float *x, float *out, unsigned terms) { powers<1, 1>(x, out, terms); }
extern "C" __global__ void piece_4(const float *x, float *out, unsigned terms) { powers<4, 1>(x, out, terms); }
extern "C" __global__ void piece_16(const float *x, float *out, unsigned terms) { powers<16, 1>(x, out, terms); }
extern "C" __global__ void piece_64(const float *x, float *out, unsigned terms) { powers<64, 1>(x, out, terms); }

extern "C" __global__ void sums_1(const float *x, float *out, unsigned terms) { powers<64, 1>(x, out, terms); }
extern "C" __global__ void sums_2(const float *x, float *out, unsigned terms) { powers<64, 2>(x, out, terms); }
extern "C" __global__ void sums_4(const float *x, float *out, unsigned terms) { powers<64, 4>(x, out, terms); }
extern "C" __global__ void sums_8(const float *x, float *out, unsigned terms) { powers<64, 8>(x, out, terms); }

// Each thread adds up `count` numbers of the input, and loads LOADS of them before it uses the first one.
template <unsigned LOADS> static __device__ __forceinline__ void total(const unsigned *in, unsigned *out, unsigned count)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
	#pragma unroll 1
	for (unsigned k = 0; k < count; k += LOADS) {
		unsigned v[LOADS];
		#pragma unroll
		for (unsigned l = 0; l < LOADS; l++)
			v[l] = in[i + (k + l) * threads]; //@ total
		#pragma unroll
		for (unsigned l = 0; l < LOADS; l++)
			sum += v[l];
	}
	out[i] = sum;
}

extern "C" __global__ void loads_1(const unsigned *in, unsigned *out, unsigned count) { total<1>(in, out, count); }
extern "C" __global__ void loads_2(const unsigned *in, unsigned *out, unsigned count) { total<2>(in, out, count); }
extern "C" __global__ void loads_4(const unsigned *in, unsigned *out, unsigned count) { total<4>(in, out, count); }
extern "C" __global__ void loads_8(const unsigned *in, unsigned *out, unsigned count) { total<8>(in, out, count); }
