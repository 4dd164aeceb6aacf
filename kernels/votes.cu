// Lanes of a warp vote: each gives one condition or one key, and all get the result.
#include "clang.h"

#define ALL 0xFFFFFFFF

// The lanes with a multiple of `divisor` store the word that the ballot made.
extern "C" __global__ void ballot(const unsigned *in, unsigned *out, unsigned divisor)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned hit = in[i] % divisor == 0;
	unsigned hits = __ballot_sync(ALL, hit);
	if (hit)
		out[i] = hits; //@ hit
}

// How often can each value be halved before it is 1? Each lane leaves the loop when it is done, or all do together.
extern "C" __global__ void halve_lane(const unsigned *in, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i] + 1, rounds = 0;
	#pragma unroll 1
	while (v > 1) {
		rounds++;
		v /= 2; //@ halve_lane
	}
	out[i] = rounds;
}

extern "C" __global__ void halve_any(const unsigned *in, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i] + 1, rounds = 0;
	#pragma unroll 1
	while (__any_sync(ALL, v > 1)) {
		rounds += v > 1;
		v /= 2; //@ halve_any
	}
	out[i] = rounds;
}

// How many lanes before this one have a multiple of `divisor`?
extern "C" __global__ void rank_shuffle(const unsigned *in, unsigned *out, unsigned divisor)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	unsigned hit = in[i] % divisor == 0, upto = hit;
	#pragma unroll 1
	for (unsigned d = 1; d < 32; d *= 2) {
		unsigned left = __shfl_up_sync(ALL, upto, d);
		if (lane >= d)
			upto += left;
	}
	out[i] = upto - hit; //@ rank_shuffle
}

extern "C" __global__ void rank_ballot(const unsigned *in, unsigned *out, unsigned divisor)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	unsigned hits = __ballot_sync(ALL, in[i] % divisor == 0);
	out[i] = __popc(hits & ((1u << lane) - 1)); //@ rank_ballot
}

// Which lanes have the same key? One ballot for each key, or one match.
extern "C" __global__ void same_ballots(const unsigned *in, unsigned *out, unsigned keys)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, key = in[i] % keys, same = 0;
	#pragma unroll 1
	for (unsigned k = 0; k < keys; k++) {
		unsigned lanes = __ballot_sync(ALL, key == k);
		if (key == k)
			same = lanes;
	}
	out[i] = same; //@ same_ballots
}

extern "C" __global__ void same_match(const unsigned *in, unsigned *out, unsigned keys)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = __match_any_sync(ALL, in[i] % keys); //@ same_match
}

// How many of the first `count` lanes have an even value?
extern "C" __global__ void count_inside(const unsigned *in, unsigned *out, unsigned count)
{
	unsigned lane = threadIdx.x, v = in[lane], even = 0;
	if (lane < count)
		even = __popc(__ballot_sync(ALL, v % 2 == 0)); //@ count_inside
	out[lane] = even;
}

extern "C" __global__ void count_outside(const unsigned *in, unsigned *out, unsigned count)
{
	unsigned lane = threadIdx.x, v = in[lane];
	unsigned even = __popc(__ballot_sync(ALL, lane < count && v % 2 == 0)); //@ count_outside
	out[lane] = lane < count ? even : 0;
}
