// Barriers and reductions of the whole grid, for as many blocks as are resident together.
#include "simt.h"

// Barriers that turn their sense: the last to arrive sets the counter back and turns the sense, for which the others wait.
// Its plain store comes after all arrivals, which it observed, and is released with the sense.
__device__ __forceinline__ void turn_barrier(unsigned *count, volatile unsigned *sense, unsigned own)
{
	__threadfence();
	if (atomicAdd(count, 1u) == gridDim.x - 1) {
		*count = 0;
		__threadfence();
		*sense = own;
	} else {
		while (*sense != own)
			;
	}
	__threadfence();
}

// launch: --grid 3 --block 64 --arg u32[3] --arg u32[1] --arg u32[1] --arg u32[3]
// expect: clean
// result: 3: 3 3 3
__global__ void sense_clean(unsigned *data, unsigned *count, unsigned *sense, unsigned *out)
{
	if (threadIdx.x == 0) {
		data[blockIdx.x] = 1;
		turn_barrier(count, sense, 1);
		unsigned sum = data[0] + data[1] + data[2];
		turn_barrier(count, sense, 0);
		data[blockIdx.x] = 7;
		out[blockIdx.x] = sum;
	}
}

// The second barrier is missing: some still read what others set anew.
// launch: --grid 3 --block 64 --arg u32[3] --arg u32[1] --arg u32[1] --arg u32[3]
// expect: race global read anew
__global__ void sense_once(unsigned *data, unsigned *count, unsigned *sense, unsigned *out)
{
	if (threadIdx.x == 0) {
		data[blockIdx.x] = 1;
		turn_barrier(count, sense, 1);
		unsigned sum = data[0] + data[1] + data[2]; // [read]
		data[blockIdx.x] = 7; // [anew]
		out[blockIdx.x] = sum;
	}
}

// The sense is turned before the counter is set back: the next arrivals race with that.
// launch: --grid 3 --block 64 --arg u32[1] --arg u32[1] --arg u32[3]
// expect: race global arrive back
// also: limit
__global__ void sense_turned_early(unsigned *count, volatile unsigned *sense, unsigned *out)
{
	if (threadIdx.x)
		return;
	for (unsigned round = 1; round < 3; round++) {
		__threadfence();
		if (atomicAdd(count, 1u) == gridDim.x * round - 1) { // [arrive]
			*sense = round;
			__threadfence();
			*count = gridDim.x * round; // [back]
		} else {
			while (*sense < round)
				;
		}
		__threadfence();
	}
	out[blockIdx.x] = 1;
}

// No fence between the counter and the sense: the store of the counter is not released to the next round's arrivals.
// launch: --grid 3 --block 64 --arg u32[1] --arg u32[1] --arg u32[3]
// expect: race global arrive back
__global__ void sense_no_release(unsigned *count, volatile unsigned *sense, unsigned *out)
{
	if (threadIdx.x)
		return;
	for (unsigned round = 1; round < 3; round++) {
		if (atomicAdd(count, 1u) == gridDim.x - 1) { // [arrive]
			*count = 0; // [back]
			*sense = round;
		} else {
			while (*sense < round)
				;
		}
		__threadfence();
	}
	out[blockIdx.x] = 1;
}

// Two sums take turns: each is added to in one round, read in the next, and set to zero by one block in the round in which the other
// is added to; barriers separate the rounds.
// launch: --grid 3 --block 32 --arg u32[2] --arg u32[1] --arg u32[1] --arg u32[3]
// expect: clean
// result: 3: 15 15 15
__global__ void sums_in_turns_clean(unsigned *sum, unsigned *count, unsigned *sense, unsigned *out)
{
	if (threadIdx.x)
		return;
	unsigned total = 0;
	for (unsigned round = 0; round < 5; round++) {
		atomicAdd(&sum[round % 2], 1u);
		turn_barrier(count, sense, 2 * round + 1);
		total += sum[round % 2];
		turn_barrier(count, sense, 2 * round + 2);
		if (blockIdx.x == 0)
			sum[round % 2] = 0;
	}
	out[blockIdx.x] = total;
}

// The sum of this round is set to zero while others add to it.
// launch: --grid 3 --block 32 --arg u32[2] --arg u32[1] --arg u32[1] --arg u32[3]
// expect: race global add zero
__global__ void sums_zeroed_late(unsigned *sum, unsigned *count, unsigned *sense, unsigned *out)
{
	if (threadIdx.x)
		return;
	unsigned total = 0;
	for (unsigned round = 0; round < 3; round++) {
		if (blockIdx.x == 0)
			sum[round % 2] = 0; // [zero]
		atomicAdd(&sum[round % 2], 1u); // [add]
		turn_barrier(count, sense, 2 * round + 1);
		total += *(volatile unsigned *)&sum[round % 2];
		turn_barrier(count, sense, 2 * round + 2);
	}
	out[blockIdx.x] = total;
}

// A reduction by one kernel, as the guide's sample has it: shares, ticket, the last block adds them up and sets the ticket back.
// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[4] --arg u32[1] --arg u32[1]
// expect: clean
// result: 2: 0
// result: 3: 32640
__global__ void single_pass_clean(const unsigned *in, unsigned *share, unsigned *ticket, unsigned *out)
{
	__shared__ unsigned s[64];
	__shared__ bool last;
	int t = threadIdx.x;
	s[t] = in[blockIdx.x * 64 + t];
	for (int stride = 32; stride; stride /= 2) {
		__syncthreads();
		if (t < stride)
			s[t] += s[t + stride];
	}
	if (t == 0) {
		share[blockIdx.x] = s[0];
		__threadfence();
		last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
		__threadfence();
	}
	__syncthreads();
	if (last) {
		if (t == 0) {
			unsigned sum = 0;
			for (int b = 0; b < gridDim.x; b++)
				sum += share[b];
			*out = sum;
			*ticket = 0;
		}
	}
}

// Every block that ends sets the ticket back if it is full, instead of the last alone: it reads it plainly.
// launch: --grid 4 --block 32 --arg u32[1]
// expect: race global draw look
// also: race global look set
__global__ void ticket_looked_at_by_all(unsigned *ticket)
{
	if (threadIdx.x)
		return;
	atomicAdd(ticket, 1u); // [draw]
	if (*ticket == gridDim.x) // [look]
		atomicExch(ticket, 0u); // [set]
}
