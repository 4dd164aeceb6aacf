// c = a b as in mma_rows, with smaller tiles: 64 x 32 numbers. A row of them has 64 bytes, which are 4 pieces of 16.
// needs: sm_80, PTX 7.0
#include "clang.h"

#define SIDE 64
#define DEPTH 32
#define PIECES (DEPTH / 8)
#define THREADS 128
#define ROW_BYTES 80
#define SHARED(p) ((unsigned)__cvta_generic_to_shared(p))

// Where a piece of a row begins in its tile, for who copies it there and for who loads it from there.
static __device__ __forceinline__ unsigned place(unsigned row, unsigned piece)
{
	return ROW_BYTES * row + 16 * piece;
}

// Copies 64 rows of 32 numbers, n apart, to a tile: each thread 2 pieces.
static __device__ __forceinline__ void copy_tile(unsigned tile, const unsigned short *from, unsigned n)
{
	unsigned piece = threadIdx.x % PIECES, row = threadIdx.x / PIECES;
	#pragma unroll
	for (unsigned i = 0; i < SIDE; i += THREADS / PIECES)
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
			:: "r"(tile + place(row + i, piece)), "l"(from + (row + i) * n + 8 * piece) : "memory");
}

// Four matrices of 8 x 8 numbers: each lane gives the address of a row.
static __device__ __forceinline__ void load_four(unsigned (&to)[4], unsigned address)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		: "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(address) : "memory"); //@ load
}

static __device__ __forceinline__ void multiply(float (&sum)[4], const unsigned (&left)[4], unsigned top0, unsigned top1)
{
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
		: "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(top0), "r"(top1));
}

// A warp makes 32 rows and 32 columns.
static __device__ __forceinline__ void use_tiles(float (&sum)[2][4][4], unsigned a, unsigned b)
{
	unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	unsigned row = warp / 2 * 32 + lane % 16, column = warp % 2 * 32 + lane / 16 * 8 + lane % 8;
	#pragma unroll
	for (unsigned k = 0; k < PIECES; k += 2) {
		unsigned left[2][4], top[2][4];
		#pragma unroll
		for (unsigned i = 0; i < 2; i++) {
			load_four(left[i], a + place(row + 16 * i, k + lane / 16));
			load_four(top[i], b + place(column + 16 * i, k + lane / 8 % 2));
		}
		#pragma unroll
		for (unsigned i = 0; i < 2; i++)
			#pragma unroll
			for (unsigned j = 0; j < 4; j++)
				multiply(sum[i][j], left[i], top[j / 2][j % 2 * 2], top[j / 2][j % 2 * 2 + 1]);
	}
}

extern "C" __global__ void __launch_bounds__(THREADS) product(const unsigned short *a, const unsigned short *b, float *c, unsigned n)
{
	__shared__ __attribute__((aligned(128))) unsigned char tiles[2][SIDE * ROW_BYTES];
	unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	float sum[2][4][4] = {};

	a += blockIdx.y * SIDE * n;
	b += blockIdx.x * SIDE * n;
	#pragma unroll 1
	for (unsigned k = 0; k < n; k += DEPTH) {
		copy_tile(SHARED(tiles[0]), a + k, n);
		copy_tile(SHARED(tiles[1]), b + k, n);
		asm volatile("cp.async.wait_all;" ::: "memory");
		__syncthreads();
		use_tiles(sum, SHARED(tiles[0]), SHARED(tiles[1]));
		__syncthreads();
	}
	unsigned row = blockIdx.y * SIDE + warp / 2 * 32 + lane / 4, column = blockIdx.x * SIDE + warp % 2 * 32 + lane % 4 * 2;
	#pragma unroll
	for (unsigned i = 0; i < 8; i++) {
		float *to = c + (row + i / 4 * 16) * n + column + i % 4 * 8;
		*(float2 *)to = make_float2(sum[i / 4][i % 4][0], sum[i / 4][i % 4][1]);
		*(float2 *)(to + 8 * n) = make_float2(sum[i / 4][i % 4][2], sum[i / 4][i % 4][3]);
	}
}
