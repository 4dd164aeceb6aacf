// Stores of the same value by several threads. By the letter of the model they are unordered weak writes, a data race. The suite
// excuses those whose value no data can change: a constant, a parameter, an index. A value that came from memory is another matter:
// that the input of this launch makes them equal says nothing of the next.
#include "simt.h"

// Two neighbors store to one word what they loaded, which happens to be zero.
// launch: --grid 1 --block 64 --arg u32[64] --arg u32[32]
// expect: race global store store
// missing: same value
// says: both stored the same value this time; with other data the values may differ
__global__ void halves_of_zeros(const unsigned *in, unsigned *out)
{
	out[threadIdx.x / 2] = in[threadIdx.x]; // [store]
}

// launch: --grid 1 --block 64 --arg u32[64] --arg u32[32]
// expect: race shared store store
__global__ void halves_of_zeros_shared(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	s[t / 2] = in[t]; // [store]
	__syncthreads();
	if (t < 32)
		out[t] = s[t];
}

// Threads of different warps.
// launch: --grid 1 --block 64 --arg u32[64] --arg u32[32]
// expect: race global store store
// missing: same value
__global__ void warps_of_zeros(const unsigned *in, unsigned *out)
{
	out[threadIdx.x % 32] = in[threadIdx.x]; // [store]
}

// Of different blocks.
// launch: --grid 2 --block 32 --arg u32[64] --arg u32[32]
// expect: race global store store
// missing: same value
__global__ void blocks_of_zeros(const unsigned *in, unsigned *out)
{
	out[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x]; // [store]
}

// With other data there are different values, and a barrier cannot come between two stores by one instruction.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[32]
// expect: race global store store
// missing: one value
__global__ void halves_of_numbers(const unsigned *in, unsigned *out)
{
	out[threadIdx.x / 2] = in[threadIdx.x]; // [store]
}

// One level of a search: two parents find one child, at the same distance, in a loop that each leaves at another time.
// launch: --grid 1 --block 64 --arg u32[64] --arg u32[64]
// expect: race global reach reach
// missing: same value
__global__ void reached_twice(const unsigned *distance, unsigned *reached)
{
	for (unsigned child = threadIdx.x / 4; child < 64; child += 7 + threadIdx.x % 32)
		reached[child] = distance[threadIdx.x] + 1; // [reach]
}

// Data reach the value through arithmetic.
// launch: --grid 1 --block 64 --arg u32[64] --arg u32[32] --arg u32:3
// expect: race global store store
__global__ void computed_from_zeros(const unsigned *in, unsigned *out, unsigned factor)
{
	out[threadIdx.x / 2] = in[threadIdx.x] * factor + 1; // [store]
}

// Data choose between two constants.
// launch: --grid 1 --block 64 --arg u32[64] --arg u32[32]
// expect: race global store store
__global__ void chosen_by_zeros(const unsigned *in, unsigned *out)
{
	out[threadIdx.x / 2] = in[threadIdx.x] > 5 ? 3 : 4; // [store]
}

// Data went through shared memory first.
// launch: --grid 1 --block 64 --arg u32[64] --arg u32[32]
// expect: race global store store
__global__ void zeros_through_shared(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	out[t / 2] = s[63 - t]; // [store]
}

// What an atomic gave back is data.
// launch: --grid 1 --block 64 --arg u32[1] --arg u32[1]
// expect: race global store store
__global__ void same_from_atomic(unsigned *counter, unsigned *out)
{
	out[0] = atomicAdd(counter, 0u); // [store]
}

// A parameter.
// launch: --grid 2 --block 64 --arg u32[32] --arg u32:7
// expect: clean
// result: 0: 7 7 7
__global__ void parameter_clean(unsigned *out, unsigned value)
{
	out[threadIdx.x / 2] = value * 1;
}

// An index: which word says which value.
// launch: --grid 2 --block 64 --arg u32[32]
// expect: clean
// result: 0: 0 3 6 9
__global__ void index_clean(unsigned *out)
{
	unsigned at = threadIdx.x / 2;
	out[at] = at * 3;
}

// Data decide whether a thread stores, not what.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[1]
// expect: clean
// result: 1: 1
__global__ void found_clean(const unsigned *in, unsigned *found)
{
	if (in[threadIdx.x] > 17)
		*found = 1;
}

// A constant kept in an array of the thread's own meanwhile is a constant.
// launch: --grid 1 --block 64 --arg s32:1 --arg u32[32]
// expect: clean
// result: 1: 5 5 5
__global__ void constant_kept_local_clean(int which, unsigned *out)
{
	unsigned own[4];
	for (int k = 0; k < 4; k++)
		own[(k + which) % 4] = 5;
	out[threadIdx.x / 2] = own[(threadIdx.x + which) % 4];
}

// Data kept there are data.
// launch: --grid 1 --block 64 --arg s32:1 --arg u32[64] --arg u32[32]
// expect: race global store store
__global__ void zeros_kept_local(int which, const unsigned *in, unsigned *out)
{
	unsigned own[4];
	for (int k = 0; k < 4; k++)
		own[(k + which) % 4] = in[threadIdx.x];
	out[threadIdx.x / 2] = own[(threadIdx.x + which) % 4]; // [store]
}

// One lane's value, given to all by a shuffle and stored by all. Open to debate: it came from memory, and by the letter these stores
// race like the others; but all lanes store what one of them loaded, whatever it is.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[1]
// expect: clean
// also: race global store store
__global__ void broadcast_stored_by_all(const unsigned *in, unsigned *out)
{
	unsigned v = __shfl_sync(0xffffffff, in[threadIdx.x], 3);
	out[0] = v; // [store]
}

// By the letter, asked for: the constant is a race as well.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[1] --strict
// expect: race global store store
__global__ void found_strict(const unsigned *in, unsigned *found)
{
	if (in[threadIdx.x] > 17)
		*found = 1; // [store]
}

// launch: --grid 2 --block 32 --arg u32[32] --strict
// expect: race global store store
__global__ void index_strict(unsigned *out)
{
	out[threadIdx.x] = threadIdx.x; // [store]
}
