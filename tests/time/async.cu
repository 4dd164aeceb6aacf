// What goes on while a warp does something else: products of warp groups, bulk copies; and shared memory of another block of the cluster. Each
// kernel repeats one thing `rounds` times; what two launches with more and fewer rounds differ by is what a round takes (tests/time/timings.awk).
// None of them is in a set that the model is judged by.
// needs: sm_90a, PTX 8.0
#include "simt.h"

#define SHARED(p) ((unsigned)__cvta_generic_to_shared(p))
#define SLOTS 4

struct __align__(64) tensor_map { unsigned char bytes[128]; };

// --- products: `each` of them, one group, and the wait for it

#define FOUR(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
#define NAMES_32 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
	"%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define NAMES_64 NAMES_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
	"%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define NAMES_128 NAMES_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
	"%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
	"%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
	"%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

static __device__ __forceinline__ void multiply(float (&sum)[32], unsigned long long a, unsigned long long b)
{
	asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" NAMES_32 "}, %32, %33, 1, 1, 1, 0, 0;"
		: SIXTEEN(0), SIXTEEN(16) : "l"(a), "l"(b));
}

static __device__ __forceinline__ void multiply(float (&sum)[64], unsigned long long a, unsigned long long b)
{
	asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" NAMES_64 "}, %64, %65, 1, 1, 1, 0, 0;"
		: SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48) : "l"(a), "l"(b));
}

static __device__ __forceinline__ void multiply(float (&sum)[128], unsigned long long a, unsigned long long b)
{
	asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" NAMES_128 "}, %128, %129, 1, 1, 1, 0, 0;"
		: SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80), SIXTEEN(96), SIXTEEN(112) : "l"(a), "l"(b));
}

static __device__ __forceinline__ unsigned long long describe(const void *tile)
{
	return SHARED(tile) >> 4 | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}

template <int columns, int each> static __device__ __forceinline__ void products(float *out, unsigned rounds)
{
	__shared__ __align__(1024) unsigned short tiles[(64 + 256) * 64];
	for (unsigned i = threadIdx.x; i < (64 + 256) * 64; i += blockDim.x)
		tiles[i] = 0;
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	__syncthreads();
	float sum[columns / 2] = {};
	unsigned long long a = describe(tiles), b = describe(tiles + 64 * 64);
	#pragma unroll 1
	for (unsigned r = 0; r < rounds; r++) {
		asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
		#pragma unroll
		for (int i = 0; i < each; i++)
			multiply(sum, a + 2 * (i % 4), b + 2 * (i % 4));
		asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
		asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	}
	float all = 0;
	for (int i = 0; i < columns / 2; i++)
		all += sum[i];
	if (all == 12345)
		out[0] = all;
}

#define PRODUCTS(columns, each) \
	extern "C" __global__ void __launch_bounds__(256) async_products_##columns##_##each(float *out, unsigned rounds) \
	{ products<columns, each>(out, rounds); }

PRODUCTS(64, 1)
PRODUCTS(64, 16)
PRODUCTS(128, 1)
PRODUCTS(128, 16)
PRODUCTS(256, 1)
PRODUCTS(256, 16)

// --- copies: so many under way, one thread of each block

static __device__ __forceinline__ void init_barriers(unsigned long long *full)
{
	for (int s = 0; s < SLOTS; s++)
		asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(SHARED(full + s)) : "memory");
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ __forceinline__ void expect(unsigned long long *barrier, unsigned bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(SHARED(barrier)), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void wait(unsigned long long *barrier, unsigned parity)
{
	unsigned done;
	do
		asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
			: "=r"(done) : "r"(SHARED(barrier)), "r"(parity) : "memory");
	while (!done);
}

// Round r copies piece r of the block, of those that `mask` leaves: places in units of 16 bytes.
extern "C" __global__ void async_copies(const uint4 *data, unsigned bytes, unsigned ahead, unsigned rounds, unsigned mask)
{
	extern __shared__ __align__(1024) unsigned char slots[];
	__shared__ unsigned long long full[SLOTS];
	if (threadIdx.x)
		return;
	init_barriers(full);
	for (unsigned r = 0; r < rounds + ahead; r++) {
		unsigned s = r % ahead;
		if (r >= ahead)
			wait(&full[s], (r / ahead + 1) % 2);
		if (r >= rounds)
			continue;
		const uint4 *from = data + (((blockIdx.x * rounds + r) * (bytes / 16)) & mask);
		expect(&full[s], bytes);
		asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
			:: "r"(SHARED(slots) + s * bytes), "l"(from), "r"(bytes), "r"(SHARED(&full[s])) : "memory");
	}
}

// One copy after the other; 0 bytes: all but the copy, which arrives at the barrier and waits for nothing else.
extern "C" __global__ void async_copy_each(const uint4 *data, unsigned bytes, unsigned rounds, unsigned mask)
{
	extern __shared__ __align__(1024) unsigned char slots[];
	__shared__ unsigned long long full[SLOTS];
	if (threadIdx.x)
		return;
	init_barriers(full);
	#pragma unroll 1
	for (unsigned r = 0; r < rounds; r++) {
		const uint4 *from = data + ((r * (bytes / 16)) & mask);
		expect(full, bytes);
		if (bytes)
			asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
				:: "r"(SHARED(slots)), "l"(from), "r"(bytes), "r"(SHARED(full)) : "memory");
		wait(full, r % 2);
	}
}

// Likewise boxes of 64 numbers of 2 bytes in `rows` rows, of a matrix of 256 columns.
extern "C" __global__ void async_boxes(const __grid_constant__ tensor_map map, unsigned rows, unsigned ahead, unsigned rounds)
{
	extern __shared__ __align__(1024) unsigned char slots[];
	__shared__ unsigned long long full[SLOTS];
	if (threadIdx.x)
		return;
	init_barriers(full);
	unsigned bytes = rows * 128;
	for (unsigned r = 0; r < rounds + ahead; r++) {
		unsigned s = r % ahead;
		if (r >= ahead)
			wait(&full[s], (r / ahead + 1) % 2);
		if (r >= rounds)
			continue;
		expect(&full[s], bytes);
		asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
			:: "r"(SHARED(slots) + s * bytes), "l"(&map), "r"(r % 4 * 64), "r"(0), "r"(SHARED(&full[s])) : "memory");
	}
}

// --- shared memory of the block of that rank: each load or atomic needs the one before

#define REMOTE(name, chained) \
	extern "C" __global__ void __cluster_dims__(2) name(unsigned *out, unsigned rank, unsigned rounds) \
	{ \
		__shared__ unsigned words[1024]; \
		words[threadIdx.x] = 0; \
		asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); \
		unsigned at, v = 0; \
		asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(SHARED(words + threadIdx.x)), "r"(rank)); \
		_Pragma("unroll 1") for (unsigned r = 0; blockIdx.x == 0 && r < rounds; r++) \
			asm volatile(chained : "+r"(v) : "r"(at + v) : "memory"); \
		asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"); \
		if (v == 12345) \
			out[0] = v; \
	}

REMOTE(async_remote_loads, "ld.shared::cluster.u32 %0, [%1];")
REMOTE(async_remote_atomics, "atom.shared::cluster.or.b32 %0, [%1], 0;")
