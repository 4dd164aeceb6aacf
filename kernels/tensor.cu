// c = a b on tensor cores, of square matrices of n x n numbers of 16 bits; sums have 32. Of a the rows lie one after the other, of
// b the columns. n is a multiple of 128. tensor_groups.cu goes on.
// needs: sm_80, PTX 7.0
#if defined(__NVCC__) || defined(__CUDACC_RTC__)
#include <mma.h>
#define HAS_WMMA
#else
typedef unsigned short half; // clang has neither without NVIDIA's headers
#endif
#include "clang.h"

#define SIDE 128 // of the tile of c that a block makes
#define DEPTH 64 // of the tiles of a and b: a row has 128 bytes, which are 8 pieces of 16
#define PIECES (DEPTH / 8)
#define THREADS 256
#define SHARED(p) ((unsigned)__cvta_generic_to_shared(p))

#ifdef HAS_WMMA
// Each warp makes 16 x 16 numbers of c; a block of 4 warps, 16 rows and 64 columns.
extern "C" __global__ void wmma(const half *a, const half *b, float *c, unsigned n)
{
	using namespace nvcuda::wmma;
	fragment<matrix_a, 16, 16, 16, half, row_major> left;
	fragment<matrix_b, 16, 16, 16, half, col_major> top;
	fragment<accumulator, 16, 16, 16, float> sum;

	unsigned row = blockIdx.y * 16, column = blockIdx.x * 64 + threadIdx.x / 32 * 16;
	fill_fragment(sum, 0.0f);
	#pragma unroll 1
	for (unsigned k = 0; k < n; k += 16) {
		load_matrix_sync(left, a + row * n + k, n); //@ wmma
		load_matrix_sync(top, b + column * n + k, n);
		mma_sync(sum, left, top, sum);
	}
	store_matrix_sync(c + row * n + column, sum, n, mem_row_major);
}
#endif

// Where the piece of a row is: in its place, or exchanged with another one of the same row.
template <bool swizzled>
static __device__ __forceinline__ unsigned place(unsigned row, unsigned piece)
{
	return 128 * row + 16 * (swizzled ? piece ^ row % 8 : piece);
}

// Copies 128 rows of 64 numbers, n apart, to a tile: each thread 4 pieces.
template <bool swizzled>
static __device__ __forceinline__ void copy_tile(unsigned tile, const half *from, unsigned n)
{
	unsigned piece = threadIdx.x % PIECES, row = threadIdx.x / PIECES;
	#pragma unroll
	for (unsigned i = 0; i < SIDE; i += THREADS / PIECES)
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
			:: "r"(tile + place<swizzled>(row + i, piece)), "l"(from + (row + i) * n + 8 * piece) : "memory");
}

// Four matrices of 8 x 8 numbers: each lane gives the address of a row, and gets two numbers of each matrix.
static __device__ __forceinline__ void load_four(unsigned (&to)[4], unsigned address)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(address) : "memory"); //@ load
}

static __device__ __forceinline__ void multiply(float (&sum)[4], const unsigned (&left)[4], unsigned top0, unsigned top1)
{
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
		: "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(top0), "r"(top1)); //@ mma
}

// A warp makes 64 rows and 32 columns: 4 x 4 products of 16 x 8.
template <bool swizzled>
static __device__ __forceinline__ void use_tiles(float (&sum)[4][4][4], unsigned a, unsigned b)
{
	unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	unsigned row = warp / 4 * 64 + lane % 16, column = warp % 4 * 32 + lane / 16 * 8 + lane % 8;
	#pragma unroll
	for (unsigned k = 0; k < PIECES; k += 2) {
		unsigned left[4][4], top[2][4];
		#pragma unroll
		for (unsigned i = 0; i < 4; i++)
			load_four(left[i], a + place<swizzled>(row + 16 * i, k + lane / 16));
		#pragma unroll
		for (unsigned j = 0; j < 2; j++)
			load_four(top[j], b + place<swizzled>(column + 16 * j, k + lane / 8 % 2));
		#pragma unroll
		for (unsigned i = 0; i < 4; i++)
			#pragma unroll
			for (unsigned j = 0; j < 4; j++)
				multiply(sum[i][j], left[i], top[j / 2][j % 2 * 2], top[j / 2][j % 2 * 2 + 1]);
	}
}

// Lane i has two numbers of row i / 4 of each 16 x 8, and two of row i / 4 + 8.
static __device__ __forceinline__ void store_sums(const float (&sum)[4][4][4], float *c, unsigned n)
{
	unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	unsigned row = warp / 4 * 64 + lane / 4, column = warp % 4 * 32 + lane % 4 * 2;
	#pragma unroll
	for (unsigned i = 0; i < 4; i++)
		#pragma unroll
		for (unsigned j = 0; j < 4; j++) {
			float *to = c + (row + 16 * i) * n + column + 8 * j;
			*(float2 *)to = make_float2(sum[i][j][0], sum[i][j][1]);
			*(float2 *)(to + 8 * n) = make_float2(sum[i][j][2], sum[i][j][3]);
		}
}

// Tiles of a and b in shared memory, two of each in turn: the next ones come while these are used.
template <bool swizzled>
static __device__ __forceinline__ void multiply_tiles(const half *a, const half *b, float *c, unsigned n)
{
	extern __shared__ __attribute__((aligned(128))) unsigned char tiles[];
	unsigned tile = SHARED(tiles), bytes = SIDE * DEPTH * 2;
	float sum[4][4][4] = {};

	a += blockIdx.y * SIDE * n;
	b += blockIdx.x * SIDE * n;
	c += blockIdx.y * SIDE * n + blockIdx.x * SIDE;
	copy_tile<swizzled>(tile, a, n);
	copy_tile<swizzled>(tile + bytes, b, n);
	#pragma unroll 1
	for (unsigned k = 0; k < n; k += DEPTH) {
		unsigned now = tile + k / DEPTH % 2 * 2 * bytes, next = tile + (k / DEPTH + 1) % 2 * 2 * bytes;
		asm volatile("cp.async.wait_all;" ::: "memory");
		__syncthreads();
		if (k + DEPTH < n) {
			copy_tile<swizzled>(next, a + k + DEPTH, n);
			copy_tile<swizzled>(next + bytes, b + k + DEPTH, n);
		}
		use_tiles<swizzled>(sum, now, now + bytes);
	}
	store_sums(sum, c, n);
}

extern "C" __global__ void __launch_bounds__(THREADS) mma_rows(const half *a, const half *b, float *c, unsigned n)
{
	multiply_tiles<false>(a, b, c, n); //@ mma_rows
}

extern "C" __global__ void __launch_bounds__(THREADS) mma_swizzled(const half *a, const half *b, float *c, unsigned n)
{
	multiply_tiles<true>(a, b, c, n); //@ mma_swizzled
}
