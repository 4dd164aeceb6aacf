// Values that nobody wrote: where they are used, and where they only pass through. Copying is no use: a struct is copied with its
// padding and with members that nobody set. A branch, an address, arithmetic or a store where the host sees it is one.
#include "simt.h"

// Moves a word of shared memory as unoptimized code moves a member of a struct: by a load and a store that nothing takes apart.
__device__ __forceinline__ void move_word(void *to, const void *from)
{
	unsigned v;
	asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"((unsigned)__cvta_generic_to_shared(from)) : "memory");
	asm volatile("st.shared.u32 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(to)), "r"(v) : "memory");
}

struct particle {
	unsigned position, speed, charge, spare;
};

// The old value of the exchange is not used: it is a write.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
// result: 0: 31 30 29
__global__ void exchange_old_unused_clean(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	atomicExch(&s[t], (unsigned)t);
	__syncwarp();
	out[t] = s[31 - t];
}

// launch: --grid 1 --block 32 --arg u32[32]
// expect: uninitialized shared swap
__global__ void exchange_old_stored(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	out[t] = atomicExch(&s[t], (unsigned)t); // [swap]
}

// launch: --grid 1 --block 32 --arg u32[32]
// expect: uninitialized shared swap
__global__ void exchange_old_decides(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (atomicExch(&s[t], (unsigned)t) > 5) // [swap]
		out[t] = 1;
}

// Adding uses what is there, even if the sum is not.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: uninitialized shared add
__global__ void add_old_unused(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	atomicAdd(&s[t], 1u); // [add]
	__syncwarp();
	if (t == 0)
		out[0] = 1;
}

// A struct copied member by member, one of which nobody set and nobody uses.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
// result: 0: 31 31 31
__global__ void member_copied_clean(unsigned *out)
{
	__shared__ struct particle a[32], b[32];
	int t = threadIdx.x;
	a[t].position = t;
	a[t].speed = 31 - t;
	__syncwarp();
	move_word(&b[t].position, &a[t].position);
	move_word(&b[t].speed, &a[t].speed);
	move_word(&b[t].charge, &a[t].charge);
	__syncwarp();
	out[t] = b[t].position + b[t].speed;
}

// The copy's member is used.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: uninitialized shared use
__global__ void member_copied_used(unsigned *out)
{
	__shared__ struct particle a[32], b[32];
	int t = threadIdx.x;
	a[t].position = t;
	a[t].speed = 31 - t;
	__syncwarp();
	move_word(&b[t].position, &a[t].position);
	move_word(&b[t].charge, &a[t].charge);
	__syncwarp();
	out[t] = b[t].position + b[t].charge; // [use]
}

// A struct of 16 bytes is copied by one vector load and store.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
// result: 0: 31 31 31
__global__ void vector_copied_clean(unsigned *out)
{
	__shared__ __align__(16) struct particle a[32], b[32];
	int t = threadIdx.x;
	a[t].position = t;
	a[t].speed = 31 - t;
	__syncwarp();
	unsigned x, y, z, w;
	asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
		: "r"((unsigned)__cvta_generic_to_shared(&a[t])) : "memory");
	asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" :: "r"((unsigned)__cvta_generic_to_shared(&b[t])), "r"(x), "r"(y),
		"r"(z), "r"(w) : "memory");
	__syncwarp();
	out[t] = b[t].position + b[t].speed;
}

// An address.
// launch: --grid 1 --block 32 --arg u32[32] --arg u32[32]
// expect: uninitialized shared use
// also: out-of-bounds global use
__global__ void used_as_address(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 31)
		s[t] = t;
	__syncwarp();
	out[t] = in[s[31 - t]]; // [use]
}

// A condition.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: uninitialized shared use
__global__ void used_in_branch(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 31)
		s[t] = t;
	__syncwarp();
	if (s[31 - t] < 40) // [use]
		out[t] = 1;
}

// Stored where the host reads it.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: uninitialized shared use
__global__ void used_as_result(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 31)
		s[t] = t;
	__syncwarp();
	out[t] = s[31 - t]; // [use]
}

// Loaded ahead and thrown away by those that do not need it.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
// result: 0: 31 30 29
__global__ void loaded_ahead_clean(unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	s[t] = 31 - t;
	__syncwarp();
	unsigned v;
	asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"((unsigned)__cvta_generic_to_shared(&s[t + 32])) : "memory");
	out[t] = s[t];
}

// Bits of a word that nobody set are kept by setting others, as for a field of bits.
struct fields {
	unsigned low : 8, high : 24;
};

// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
// result: 0: 0 1 2 3
__global__ void field_set_clean(unsigned *out)
{
	__shared__ struct fields s[32];
	int t = threadIdx.x;
	s[t].low = t;
	__syncwarp();
	out[t] = s[t].low;
}

// The other field is read.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: uninitialized shared use
__global__ void field_not_set(unsigned *out)
{
	__shared__ struct fields s[32];
	int t = threadIdx.x;
	s[t].low = t;
	__syncwarp();
	out[t] = s[t].high; // [use]
}

// Buffers of which a part is not written by the host: only that part is undefined.
// launch: --grid 1 --block 32 --arg u32[64]:uninit@32..63 --arg u32[32]
// expect: uninitialized global use
__global__ void part_not_written(const unsigned *in, unsigned *out)
{
	out[threadIdx.x] = in[threadIdx.x + 32] + 1; // [use]
}

// launch: --grid 1 --block 32 --arg u32[64]:uninit@32..63 --arg u32[32]
// expect: clean
// result: 1: 1 1 1
__global__ void part_written_clean(const unsigned *in, unsigned *out)
{
	out[threadIdx.x] = in[threadIdx.x] + 1;
}

// One past the part that is there.
// launch: --grid 1 --block 32 --arg u32[64]:uninit@32..63 --arg u32[32]
// expect: uninitialized global use
__global__ void part_one_past(const unsigned *in, unsigned *out)
{
	out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 1]; // [use]
}

// The kernel fills the rest first.
// launch: --grid 1 --block 32 --arg u32[64]:uninit@32..63 --arg u32[32]
// expect: clean
// result: 1: 7 8 9
__global__ void part_filled_clean(unsigned *in, unsigned *out)
{
	int t = threadIdx.x;
	in[t + 32] = t + 7;
	out[t] = in[t] + in[t + 32];
}

// launch: --grid 1 --block 4 --arg u8[16]:uninit@7..7 --arg u32[4]
// expect: uninitialized global use
__global__ void part_one_byte(const unsigned *in, unsigned *out)
{
	out[threadIdx.x] = in[threadIdx.x] + 1; // [use]
}
