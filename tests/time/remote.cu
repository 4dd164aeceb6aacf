// Shared memory of other blocks of the cluster, and the cluster's barrier. Each kernel repeats one thing `rounds` times; what two launches with
// more and fewer rounds differ by is what a round takes (tests/time/timings.awk). None of them is in a set that the model is judged by.
// needs: sm_90, PTX 8.0
#include "simt.h"

#define EACH 8 /* accesses of a round */
#define MASK 2047u /* of the words that lanes begin at */
#define FIRST 16u
#define LAST 8192u /* of the words that are set to 0, the accesses' last one is before it */

extern __shared__ unsigned words[];

static __device__ __forceinline__ unsigned rank_of_block()
{
	unsigned rank;
	asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	return rank;
}

static __device__ __forceinline__ void meet()
{
	asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

// The lane's word, `stride` from that of the lane before, in the block that is `turn` ranks further, and of each lane `spread` more; with a turn of
// FIRST in the first block, wherever the lane is.
static __device__ __forceinline__ unsigned place(unsigned blocks, unsigned turn, unsigned stride, unsigned spread)
{
	unsigned t = threadIdx.x, to = turn == FIRST ? 0 : (rank_of_block() + turn + t * spread) % blocks, at;
	const unsigned *own = words + (t * stride & MASK);
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"((unsigned)__cvta_generic_to_shared(own)), "r"(to));
	return at;
}

static __device__ __forceinline__ void begin()
{
	for (unsigned i = threadIdx.x; i < LAST; i += blockDim.x)
		words[i] = 0;
	meet();
}

// --- each access needs the one before

struct load_next { static __device__ void go(unsigned at, unsigned &v) { asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(at + v) : "memory"); } };
struct atom_next { static __device__ void go(unsigned at, unsigned &v) { asm volatile("atom.relaxed.cluster.shared::cluster.or.b32 %0, [%1], 0;" : "=r"(v) : "r"(at + v) : "memory"); } };

template <class access, unsigned blocks> static __device__ __forceinline__ void chain(unsigned *out, unsigned turn, unsigned stride, unsigned spread, unsigned rounds)
{
	begin();
	unsigned at = place(blocks, turn, stride, spread), v = 0;
	_Pragma("unroll 1") for (unsigned r = 0; rank_of_block() == 0 && r < rounds; r++)
		access::go(at, v);
	meet();
	if (v == 12345)
		out[0] = v;
}

// --- as many as go

struct load { static __device__ void go(unsigned at, unsigned &v) { unsigned w; asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(w) : "r"(at) : "memory"); v += w; } };
struct load4 { static __device__ void go(unsigned at, unsigned &v) { unsigned w[4]; asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "r"(at) : "memory"); v += w[0] + w[1] + w[2] + w[3]; } };
struct store { static __device__ void go(unsigned at, unsigned &v) { asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(at), "r"(v) : "memory"); } };
struct store4 { static __device__ void go(unsigned at, unsigned &v) { asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" :: "r"(at), "r"(v) : "memory"); } };
struct red { static __device__ void go(unsigned at, unsigned &) { asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" :: "r"(at) : "memory"); } };
struct atom { static __device__ void go(unsigned at, unsigned &v) { unsigned w; asm volatile("atom.relaxed.cluster.shared::cluster.add.u32 %0, [%1], 1;" : "=r"(w) : "r"(at) : "memory"); v += w; } };

template <class access, unsigned blocks> static __device__ __forceinline__ void rate(unsigned *out, unsigned turn, unsigned stride, unsigned spread, unsigned senders, unsigned rounds)
{
	begin();
	unsigned at = place(blocks, turn, stride, spread), v = 0;
	_Pragma("unroll 1") for (unsigned r = 0; rank_of_block() < senders && r < rounds; r++)
		_Pragma("unroll") for (unsigned i = 0; i < EACH; i++)
			access::go((at ^ (r & 1) * 16) + 1024 * i, v);
	meet();
	if (v == 12345)
		out[0] = v;
}

// --- barriers, alone and after an access that they wait for

struct nothing { static __device__ void go(unsigned, unsigned &) {} };

template <class access, unsigned blocks> static __device__ __forceinline__ void barriers(unsigned *out, unsigned turn, unsigned rounds)
{
	begin();
	unsigned at = place(blocks, turn, 1, 0), v = 0;
	_Pragma("unroll 1") for (unsigned r = 0; r < rounds; r++) {
		access::go(at, v);
		meet();
	}
	if (v == 12345)
		out[0] = v;
}

#define KERNEL(name, blocks) extern "C" __global__ void __cluster_dims__(blocks, 1, 1) name##_##blocks
#define OF(blocks) \
	KERNEL(remote_chain_load, blocks)(unsigned *out, unsigned turn, unsigned stride, unsigned spread, unsigned rounds) { chain<load_next, blocks>(out, turn, stride, spread, rounds); } \
	KERNEL(remote_chain_atom, blocks)(unsigned *out, unsigned turn, unsigned stride, unsigned spread, unsigned rounds) { chain<atom_next, blocks>(out, turn, stride, spread, rounds); } \
	KERNEL(remote_load, blocks)(unsigned *out, unsigned turn, unsigned stride, unsigned spread, unsigned senders, unsigned rounds) { rate<load, blocks>(out, turn, stride, spread, senders, rounds); } \
	KERNEL(remote_load4, blocks)(unsigned *out, unsigned turn, unsigned stride, unsigned spread, unsigned senders, unsigned rounds) { rate<load4, blocks>(out, turn, stride, spread, senders, rounds); } \
	KERNEL(remote_store, blocks)(unsigned *out, unsigned turn, unsigned stride, unsigned spread, unsigned senders, unsigned rounds) { rate<store, blocks>(out, turn, stride, spread, senders, rounds); } \
	KERNEL(remote_store4, blocks)(unsigned *out, unsigned turn, unsigned stride, unsigned spread, unsigned senders, unsigned rounds) { rate<store4, blocks>(out, turn, stride, spread, senders, rounds); } \
	KERNEL(remote_red, blocks)(unsigned *out, unsigned turn, unsigned stride, unsigned spread, unsigned senders, unsigned rounds) { rate<red, blocks>(out, turn, stride, spread, senders, rounds); } \
	KERNEL(remote_atom, blocks)(unsigned *out, unsigned turn, unsigned stride, unsigned spread, unsigned senders, unsigned rounds) { rate<atom, blocks>(out, turn, stride, spread, senders, rounds); } \
	KERNEL(remote_barrier, blocks)(unsigned *out, unsigned turn, unsigned rounds) { barriers<nothing, blocks>(out, turn, rounds); } \
	KERNEL(remote_store_barrier, blocks)(unsigned *out, unsigned turn, unsigned rounds) { barriers<store, blocks>(out, turn, rounds); } \
	KERNEL(remote_red_barrier, blocks)(unsigned *out, unsigned turn, unsigned rounds) { barriers<red, blocks>(out, turn, rounds); } \
	KERNEL(remote_nothing, blocks)(unsigned *out) { if (!out) meet(); }

OF(2)
OF(4)
OF(8)

extern "C" __global__ void remote_nothing_1(unsigned *out)
{
	if (!out)
		__syncthreads();
}
