// Threads take different arms of a branch. What that costs depends on whether they are in one warp.
#include "simt.h"

// Every so many threads one approaches 2, the others approach 4: each round halves the distance.
extern "C" __global__ void two_arms(const float *in, float *out, unsigned every, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float value = in[i];
	if (threadIdx.x % every == 0) {
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++)
			value = 0.5f * value + 1.0f;
	} else {
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++)
			value = 0.5f * value + 2.0f;
	}
	out[i] = value; //@ two
}

// The elements before the border approach 2, the others 4.
extern "C" __global__ void border(const float *in, float *out, unsigned border, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float value = in[i];
	if (i < border) {
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++)
			value = 0.5f * value + 1.0f;
	} else {
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++)
			value = 0.5f * value + 2.0f;
	}
	out[i] = value; //@ border
}

// A case of a switch: its arm approaches twice its number.
#define CASE(number) \
	case number: \
		_Pragma("unroll 1") \
		for (unsigned round = 0; round < rounds; round++) \
			value = 0.5f * value + (float)(number); \
		break;
#define CASES(a, b, c, d) CASE(a) CASE(b) CASE(c) CASE(d)

static __device__ __forceinline__ float take_arm(unsigned arm, float value, unsigned rounds)
{
	switch (arm) {
		CASE(0)
		CASE(1)
		CASE(2)
		CASE(3)
		CASES(4, 5, 6, 7)
		CASES(8, 9, 10, 11)
		CASES(12, 13, 14, 15)
		CASES(16, 17, 18, 19)
		CASES(20, 21, 22, 23)
		CASES(24, 25, 26, 27)
		CASES(28, 29, 30, 31)
	}
	return value;
}

// The arm is chosen by the thread's lane: the lanes of a warp diverge.
extern "C" __global__ void arms_by_lane(const float *in, float *out, unsigned arms, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned lane = threadIdx.x % 32;
	out[i] = take_arm(lane % arms, in[i], rounds); //@ lane
}

// The arm is chosen by the thread's warp: its lanes stay together.
extern "C" __global__ void arms_by_warp(const float *in, float *out, unsigned arms, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned warp = threadIdx.x / 32;
	out[i] = take_arm(warp % arms, in[i], rounds); //@ warp
}
