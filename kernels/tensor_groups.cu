// c = a b as in tensor.cu, by groups of four warps that multiply tiles where they lie in shared memory, while one thread has the next
// ones copied there. n is a multiple of 256.
// needs: sm_90a, PTX 8.0
#include "simt.h"

#define ROWS 128    // of c, that a block makes: 64 for each of two groups
#define COLUMNS 256 // of c
#define DEPTH 64    // of the tiles of a and b
#define GROUP 128   // threads
#define BAND 16     // tiles of c below each other that are made at about the same time
#define SHARED(p) ((unsigned)__cvta_generic_to_shared(p))

// What cuTensorMapEncodeTiled makes: where a matrix is, how large it and a box of it are, and how boxes lie in shared memory.
struct __align__(64) tensor_map { unsigned char bytes[128]; };

struct stage { unsigned short a[ROWS][DEPTH], b[COLUMNS][DEPTH]; };

// --- barriers in shared memory, which count arrivals and bytes

static __device__ __forceinline__ void barrier_init(unsigned long long *barrier, unsigned arrivals)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(SHARED(barrier)), "r"(arrivals) : "memory");
}

static __device__ __forceinline__ void barrier_arrive(unsigned long long *barrier)
{
	asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(SHARED(barrier)) : "memory");
}

static __device__ __forceinline__ void barrier_expect(unsigned long long *barrier, unsigned bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(SHARED(barrier)), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void barrier_wait(unsigned long long *barrier, unsigned parity)
{
	unsigned done;
	do
		asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
			: "=r"(done) : "r"(SHARED(barrier)), "r"(parity) : "memory");
	while (!done);
}

// --- one thread copies a box: 64 numbers of each of so many rows

static __device__ __forceinline__ void copy_box(void *to, const tensor_map *map, unsigned k, unsigned row, unsigned long long *barrier)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
		:: "r"(SHARED(to)), "l"(map), "r"(k), "r"(row), "r"(SHARED(barrier)) : "memory");
}

// --- products of a group: 64 x 16 numbers of a, 16 x 256 of b

// A tile as products take it: its address, 1024 bytes from 8 rows to the next 8, and pieces of 16 bytes exchanged within 128.
static __device__ __forceinline__ unsigned long long describe(const void *tile)
{
	return SHARED(tile) >> 4 | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}

#define FOUR(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)

// sum = a b, and the sum before where that is kept. It is there after wait_products.
static __device__ __forceinline__ void multiply(float (&sum)[128], unsigned long long a, unsigned long long b, unsigned keep)
{
	asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %130, 0;\n\twgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
		"%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
		"%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
		"%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
		"%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
		"%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
		"%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
		"%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
		"%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
		"}, %128, %129, p, 1, 1, 0, 0;\n\t}"
		: SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80), SIXTEEN(96), SIXTEEN(112)
		: "l"(a), "l"(b), "r"(keep)); //@ multiply
}

static __device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
static __device__ __forceinline__ void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

// Waits until so many groups of products at most are not there yet.
#define WAIT_PRODUCTS_BUT(n) asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(n) : "memory")

// --- the kernel

// Which tile of c a block makes: blocks of about the same time share rows of a and columns of b.
static __device__ __forceinline__ void find_tile(unsigned n, unsigned &row, unsigned &column)
{
	unsigned down = n / ROWS, across = n / COLUMNS, band = blockIdx.x / (BAND * across), in_band = blockIdx.x % (BAND * across);
	unsigned rows = min(BAND, down - band * BAND);
	row = (band * BAND + in_band % rows) * ROWS;
	column = in_band / rows * COLUMNS;
}

template <unsigned stages>
static __device__ __forceinline__ void load_tiles(stage *tiles, unsigned long long *full, unsigned long long *empty,
	const tensor_map *a, const tensor_map *b, unsigned n)
{
	unsigned row, column;
	find_tile(n, row, column);
	#pragma unroll 1
	for (unsigned k = 0; k < n / DEPTH; k++) {
		unsigned s = k % stages;
		barrier_wait(&empty[s], (k / stages + 1) % 2);
		barrier_expect(&full[s], sizeof(stage));
		copy_box(tiles[s].a, a, k * DEPTH, row, &full[s]); //@ copy
		copy_box(tiles[s].b, b, k * DEPTH, column, &full[s]);
	}
}

template <unsigned stages>
static __device__ __forceinline__ void multiply_tiles(float (&sum)[128], stage *tiles, unsigned long long *full,
	unsigned long long *empty, unsigned n)
{
	unsigned group = threadIdx.x / GROUP;
	#pragma unroll 1
	for (unsigned k = 0; k < n / DEPTH; k++) {
		unsigned s = k % stages;
		barrier_wait(&full[s], k / stages % 2);
		unsigned long long a = describe(tiles[s].a[group * 64]), b = describe(tiles[s].b);
		begin_products();
		#pragma unroll // 16 numbers are 32 bytes, which an address of a tile counts as 2
		for (unsigned i = 0; i < DEPTH / 16; i++)
			multiply(sum, a + 2 * i, b + 2 * i, k + i);
		end_products();
		WAIT_PRODUCTS_BUT(0);
		__syncwarp();
		if (threadIdx.x % 32 == 0)
			barrier_arrive(&empty[s]);
	}
}

// Two numbers side by side, in one store.
static __device__ __forceinline__ void store_two(float *to, float x, float y)
{
	asm volatile("st.global.v2.f32 [%0], {%1, %2};" :: "l"(to), "f"(x), "f"(y) : "memory");
}

// Lane i has two numbers of row i / 4 of the 16 of its warp, and two of row i / 4 + 8, in each 8 columns.
static __device__ __forceinline__ void store_sums(const float (&sum)[128], float *c, unsigned n)
{
	unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, row, column;
	find_tile(n, row, column);
	c += (unsigned long long)(row + warp * 16 + lane / 4) * n + column + lane % 4 * 2;
	#pragma unroll
	for (unsigned i = 0; i < COLUMNS / 8; i++) {
		store_two(c + 8 * i, sum[4 * i], sum[4 * i + 1]);
		store_two(c + 8ull * n + 8 * i, sum[4 * i + 2], sum[4 * i + 3]);
	}
}

template <unsigned stages>
static __device__ __forceinline__ void product(const tensor_map *a, const tensor_map *b, float *c, unsigned n)
{
	extern __shared__ __align__(1024) unsigned char dynamic[];
	stage *tiles = (stage *)dynamic;
	__shared__ unsigned long long full[stages], empty[stages];

	if (threadIdx.x == 0) {
		for (unsigned s = 0; s < stages; s++) {
			barrier_init(&full[s], 1);
			barrier_init(&empty[s], 2 * GROUP / 32);
		}
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncthreads();

	if (threadIdx.x >= 2 * GROUP) {
		if (threadIdx.x == 2 * GROUP)
			load_tiles<stages>(tiles, full, empty, a, b, n);
		return;
	}
	float sum[128];
	multiply_tiles<stages>(sum, tiles, full, empty, n);
	store_sums(sum, c, n);
}

#define PRODUCT(name, stages) \
	extern "C" __global__ void __launch_bounds__(3 * GROUP) name( \
		const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c, unsigned n) \
	{ product<stages>(&a, &b, c, n); }

PRODUCT(groups_one, 1)
PRODUCT(groups_two, 2)
PRODUCT(groups_four, 4)
