// The tiles of pipeline.cu, each copied by one instruction of one thread. A barrier in shared memory counts the bytes that have come.
// needs: sm_90, PTX 8.0
#include "clang.h"

#define THREADS 256
#define BYTES (4 * THREADS)
#define STAGES 4
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

static __device__ __forceinline__ void barrier_init(unsigned long long *b)
{
	asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(AT(b)) : "memory");
}

static __device__ __forceinline__ void barrier_wait(unsigned long long *b, unsigned parity)
{
	unsigned done;
	do
		asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
			: "=r"(done) : "r"(AT(b)), "r"(parity) : "memory");
	while (!done);
}

static __device__ __forceinline__ void copy(unsigned *to, const unsigned *from, unsigned long long *b)
{
	asm volatile("{\n\t.reg .b64 s;\n\tmbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1;\n\t}" :: "r"(AT(b)), "n"(BYTES) : "memory");
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
		:: "r"(AT(to)), "l"(from), "n"(BYTES), "r"(AT(b)) : "memory");
}

static __device__ __forceinline__ unsigned use(const unsigned *tile, unsigned rounds)
{
	unsigned t = threadIdx.x, word = tile[(t + 1) % THREADS] + tile[(t + THREADS - 1) % THREADS]; //@ use
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		word = word << 1 | word >> 31;
	return word;
}

extern "C" __global__ void bulk_4(const unsigned *in, unsigned *out, unsigned tiles, unsigned rounds)
{
	__shared__ __attribute__((aligned(128))) unsigned tile[STAGES][THREADS];
	__shared__ unsigned long long come[STAGES];

	unsigned t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * THREADS;
	if (t == 0) {
		for (unsigned k = 0; k < STAGES; k++)
			barrier_init(&come[k]);
		asm volatile("fence.proxy.async;" ::: "memory");
	}
	__syncthreads();
	if (t == 0)
		for (unsigned k = 0; k < STAGES - 1; k++)
			copy(tile[k], &in[k * THREADS], &come[k]);
	#pragma unroll 1
	for (unsigned k = 0; k < tiles; k++) {
		barrier_wait(&come[k % STAGES], k / STAGES % 2);
		__syncthreads();
		unsigned next = k + STAGES - 1;
		if (t == 0 && next < tiles)
			copy(tile[next % STAGES], &in[next * THREADS], &come[next % STAGES]); //@ bulk_4
		sum += use(tile[k % STAGES], rounds);
	}
	out[blockIdx.x * THREADS + t] = sum;
}
