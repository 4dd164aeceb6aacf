/* curand_kernel.h: random numbers in kernels, for clang alone: xorwow (Marsaglia 2003), Philox4x32-10 (Salmon and others 2011) and MRG32k3a
 * (L'Ecuyer 1999), with the seeds, sequences and distributions that programs for NVIDIA's cuRAND expect, so that they have the same numbers:
 * tests/programs/random-*.cu print those of both. Not here: Sobol's and Mersenne Twister's, and tables of distributions, which the host's
 * library makes. */
#pragma once
#include <cuda_runtime.h>
#include <math_constants.h>
#ifdef __CUDA__
#include "simttutor_curand_jumps.h"
#endif

/* A normal distribution makes numbers in pairs; what is left of one is kept here, as what it is. */
#define SIMT_RANDOM_REST                                                                                               \
	int boxmuller_flag, boxmuller_flag_double;                                                                     \
	float boxmuller_extra;                                                                                         \
	double boxmuller_extra_double;
struct curandStateXORWOW {
	unsigned int d, v[5];
	SIMT_RANDOM_REST
};
struct curandStatePhilox4_32_10 {
	uint4 ctr, output;
	uint2 key;
	unsigned int STATE;
	SIMT_RANDOM_REST
};
struct curandStateMRG32k3a {
	unsigned int s1[3], s2[3];
	SIMT_RANDOM_REST
};
#undef SIMT_RANDOM_REST
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#ifdef __CUDA__ /* else a C++ compiler, whose sources hold states and no more */

template <class S> SIMT_DEVICE void simt_random_begin(S *state)
{
	state->boxmuller_flag = state->boxmuller_flag_double = 0;
	state->boxmuller_extra = 0;
	state->boxmuller_extra_double = 0;
}

/* --- xorwow ----------------------------------------------------------------------------------------------------------- */

SIMT_DEVICE void simt_xorwow_step(unsigned int v[5])
{
	unsigned int oldest = v[0] ^ v[0] >> 2, newest = v[4] ^ v[4] << 4 ^ oldest ^ oldest << 1;
	v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4], v[4] = newest;
}

SIMT_DEVICE unsigned int curand(curandStateXORWOW_t *state)
{
	simt_xorwow_step(state->v);
	state->d += 362437;
	return state->v[4] + state->d;
}

/* The sum of the states that are as many steps ahead as the polynomial has powers: so many steps at once as it is a power of x. */
static __device__ __attribute__((noinline, unused)) void simt_xorwow_jump(unsigned int v[5], const unsigned int *polynomial)
{
	unsigned int at[5], sum[5] = {0, 0, 0, 0, 0};
	for (int i = 0; i < 5; i++)
		at[i] = v[i];
	for (int word = 0; word < 5; word++) {
		unsigned int bits = polynomial[word];
		for (int bit = 0; bit < 32; bit++) {
			unsigned int mask = 0u - (bits >> bit & 1);
			for (int i = 0; i < 5; i++)
				sum[i] ^= at[i] & mask;
			simt_xorwow_step(at);
		}
	}
	for (int i = 0; i < 5; i++)
		v[i] = sum[i];
}

SIMT_DEVICE void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
	state->d += 362437 * (unsigned int)n;
	for (unsigned int step = (unsigned int)n & 0xFF; step; step--)
		simt_xorwow_step(state->v);
	for (int k = 0; n >> 8 >> k; k++)
		if (n >> 8 >> k & 1)
			simt_xorwow_jump(state->v, simt_xorwow_offset[k]);
}

/* The counter d comes round in a sequence's 2^67 steps. */
SIMT_DEVICE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
	for (int k = 0; n; k++, n >>= 4)
		if (n & 15)
			simt_xorwow_jump(state->v, simt_xorwow_sequence[k][(n & 15) - 1]);
}

SIMT_DEVICE void curand_init(
	unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateXORWOW_t *state)
{
	unsigned int low = ((unsigned int)seed ^ 0xAAD26B49) * 1099087573u;
	unsigned int high = ((unsigned int)(seed >> 32) ^ 0xF7DCEFDD) * 2591861531u;
	const unsigned int first[5] = {
		123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high, 5783321 + low};
	for (int i = 0; i < 5; i++)
		state->v[i] = first[i];
	state->d = 6615241 + low + high;
	skipahead_sequence(subsequence, state);
	skipahead(offset, state);
	simt_random_begin(state);
}

/* --- Philox4x32-10 ---------------------------------------------------------------------------------------------------- */

SIMT_DEVICE uint4 simt_philox(uint4 counter, uint2 key)
{
	for (int round = 0; round < 10; round++) {
		unsigned long long left = 0xD2511F53ull * counter.x, right = 0xCD9E8D57ull * counter.z;
		counter = make_uint4((unsigned int)(right >> 32) ^ counter.y ^ key.x, (unsigned int)right,
			(unsigned int)(left >> 32) ^ counter.w ^ key.y, (unsigned int)left);
		key.x += 0x9E3779B9;
		key.y += 0xBB67AE85;
	}
	return counter;
}

/* The counter is a number of 128 bits. */
SIMT_DEVICE void simt_philox_count(curandStatePhilox4_32_10_t *state, unsigned long long low, unsigned long long high)
{
	unsigned long long below = (unsigned long long)state->ctr.y << 32 | state->ctr.x;
	unsigned long long above = (unsigned long long)state->ctr.w << 32 | state->ctr.z;
	below += low;
	above += high + (below < low);
	state->ctr = make_uint4((unsigned int)below, (unsigned int)(below >> 32), (unsigned int)above,
		(unsigned int)(above >> 32));
	state->output = simt_philox(state->ctr, state->key);
}

SIMT_DEVICE unsigned int curand(curandStatePhilox4_32_10_t *state)
{
	const uint4 o = state->output;
	unsigned int n = state->STATE, value = n == 1 ? o.y : n == 2 ? o.z : n == 3 ? o.w : o.x;
	state->STATE = n + 1;
	if (n == 3) {
		simt_philox_count(state, 1, 0);
		state->STATE = 0;
	}
	return value;
}

SIMT_DEVICE uint4 curand4(curandStatePhilox4_32_10_t *state)
{
	const uint4 now = state->output;
	simt_philox_count(state, 1, 0);
	const uint4 next = state->output;
	switch (state->STATE) {
	case 1: return make_uint4(now.y, now.z, now.w, next.x);
	case 2: return make_uint4(now.z, now.w, next.x, next.y);
	case 3: return make_uint4(now.w, next.x, next.y, next.z);
	default: return now;
	}
}

SIMT_DEVICE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
	unsigned int at = state->STATE + (unsigned int)(n & 3);
	state->STATE = at & 3;
	simt_philox_count(state, n / 4 + at / 4, 0);
}

SIMT_DEVICE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
	simt_philox_count(state, 0, n);
}

SIMT_DEVICE void curand_init(
	unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStatePhilox4_32_10_t *state)
{
	state->ctr = make_uint4(0, 0, 0, 0);
	state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
	state->STATE = 0;
	simt_philox_count(state, 0, subsequence);
	skipahead(offset, state);
	simt_random_begin(state);
}

/* --- MRG32k3a --------------------------------------------------------------------------------------------------------- */

#define SIMT_MRG_1 4294967087u
#define SIMT_MRG_2 4294944443u

SIMT_DEVICE unsigned int simt_mrg_product(unsigned int a, unsigned int b, unsigned int m)
{
	return (unsigned int)((unsigned long long)a * b % m);
}
SIMT_DEVICE unsigned int simt_mrg_sum(unsigned int a, unsigned int b, unsigned int m)
{
	unsigned long long sum = (unsigned long long)a + b;
	return (unsigned int)(sum >= m ? sum - m : sum);
}

/* The number after those of `s`, the oldest first: c2 * s[2] + c1 * s[1] + c0 * s[0]. */
SIMT_DEVICE unsigned int simt_mrg_next(const unsigned int s[3], bool first)
{
	unsigned int m = first ? SIMT_MRG_1 : SIMT_MRG_2;
	unsigned int plus = first ? simt_mrg_product(1403580, s[1], m) : simt_mrg_product(527612, s[2], m);
	return simt_mrg_sum(plus, simt_mrg_product(first ? m - 810728 : m - 1370589, s[0], m), m);
}
SIMT_DEVICE void simt_mrg_step(unsigned int s[3], bool first)
{
	unsigned int next = simt_mrg_next(s, first);
	s[0] = s[1], s[1] = s[2], s[2] = next;
}

/* From 1 to SIMT_MRG_1. */
SIMT_DEVICE unsigned int simt_mrg_number(curandStateMRG32k3a_t *state)
{
	simt_mrg_step(state->s1, true);
	simt_mrg_step(state->s2, false);
	unsigned int difference = state->s1[2] - state->s2[2];
	return state->s1[2] <= state->s2[2] ? difference + SIMT_MRG_1 : difference;
}
SIMT_DEVICE double curand_MRG32k3a(curandStateMRG32k3a_t *state)
{
	return simt_mrg_number(state);
}
SIMT_DEVICE unsigned int curand(curandStateMRG32k3a_t *state)
{
	return (unsigned int)(curand_MRG32k3a(state) * 1.000000048662);
}

/* a *= b, polynomials of degree 2, modulo the recurrence's. */
SIMT_DEVICE void simt_mrg_multiply(unsigned int a[3], const unsigned int b[3], bool first)
{
	unsigned int m = first ? SIMT_MRG_1 : SIMT_MRG_2, r[5] = {0, 0, 0, 0, 0};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			r[i + j] = simt_mrg_sum(r[i + j], simt_mrg_product(a[i], b[j], m), m);
	for (int i = 4; i > 2; i--) {
		int plus = first ? i - 2 : i - 1;
		r[plus] = simt_mrg_sum(r[plus], simt_mrg_product(first ? 1403580 : 527612, r[i], m), m);
		r[i - 3] = simt_mrg_sum(r[i - 3], simt_mrg_product(first ? m - 810728 : m - 1370589, r[i], m), m);
	}
	for (int i = 0; i < 3; i++)
		a[i] = r[i];
}

/* `n` times the steps that x^steps, modulo the recurrence's polynomial, stands for. */
static __device__ __attribute__((noinline, unused)) void simt_mrg_jump(
	unsigned int s[3], const unsigned int steps[3], unsigned long long n, bool first)
{
	unsigned int m = first ? SIMT_MRG_1 : SIMT_MRG_2;
	unsigned int all[3] = {1, 0, 0}, power[3] = {steps[0], steps[1], steps[2]}, sum[3] = {0, 0, 0};
	for (; n; n >>= 1) {
		if (n & 1)
			simt_mrg_multiply(all, power, first);
		simt_mrg_multiply(power, power, first);
	}
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++)
			sum[j] = simt_mrg_sum(sum[j], simt_mrg_product(all[i], s[j], m), m);
		simt_mrg_step(s, first);
	}
	for (int i = 0; i < 3; i++)
		s[i] = sum[i];
}

SIMT_DEVICE void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
	const unsigned int x[3] = {0, 1, 0};
	simt_mrg_jump(state->s1, x, n, true);
	simt_mrg_jump(state->s2, x, n, false);
}
/* A subsequence has 2^76 numbers, a sequence 2^127: x to that power, found by squaring. */
SIMT_DEVICE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
	const unsigned int first[3] = {82758667, 1871391091, 4127413238};
	const unsigned int second[3] = {1511326704, 3759209742, 1610795712};
	simt_mrg_jump(state->s1, first, n, true);
	simt_mrg_jump(state->s2, second, n, false);
}
SIMT_DEVICE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
	const unsigned int first[3] = {2427906178, 3580155704, 949770784};
	const unsigned int second[3] = {1464411153, 277697599, 1610723613};
	simt_mrg_jump(state->s1, first, n, true);
	simt_mrg_jump(state->s2, second, n, false);
}

SIMT_DEVICE void curand_init(
	unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateMRG32k3a_t *state)
{
	const unsigned int half[2] = {(unsigned int)seed ^ 0x55555555, (unsigned int)(seed >> 32) ^ 0xAAAAAAAA};
	for (int i = 0; i < 3; i++) {
		state->s1[i] = seed ? simt_mrg_product(half[i % 2], 12345, SIMT_MRG_1) : 12345;
		state->s2[i] = seed ? simt_mrg_product(half[(i + 1) % 2], 12345, SIMT_MRG_2) : 12345;
	}
	skipahead_subsequence(subsequence, state);
	skipahead(offset, state);
	simt_random_begin(state);
}

/* --- uniform: above 0, up to and with 1 ------------------------------------------------------------------------------- */

SIMT_DEVICE float simt_uniform(unsigned int x)
{
	return fmaf((float)x, 0x1p-32f, 0x1p-33f);
}
SIMT_DEVICE double simt_uniform_53(unsigned int x, unsigned int y)
{
	return fma((double)(x ^ (unsigned long long)y << 21), 0x1p-53, 0x1p-54);
}

SIMT_DEVICE float curand_uniform(curandStateXORWOW_t *state)
{
	return simt_uniform(curand(state));
}
SIMT_DEVICE float curand_uniform(curandStatePhilox4_32_10_t *state)
{
	return simt_uniform(curand(state));
}
SIMT_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
	const uint4 x = curand4(state);
	return make_float4(simt_uniform(x.x), simt_uniform(x.y), simt_uniform(x.z), simt_uniform(x.w));
}
SIMT_DEVICE double curand_uniform_double(curandStateXORWOW_t *state)
{
	unsigned int x = curand(state), y = curand(state);
	return simt_uniform_53(x, y);
}
SIMT_DEVICE double curand_uniform_double(curandStatePhilox4_32_10_t *state)
{
	return fma((double)curand(state), 0x1p-32, 0x1p-32);
}
SIMT_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
	const uint4 x = curand4(state);
	return make_double2(simt_uniform_53(x.x, x.y), simt_uniform_53(x.z, x.w));
}
SIMT_DEVICE double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
	const double2 x = curand_uniform2_double(state), y = curand_uniform2_double(state);
	return make_double4(x.x, x.y, y.x, y.y);
}
SIMT_DEVICE double curand_uniform_double(curandStateMRG32k3a_t *state)
{
	return curand_MRG32k3a(state) * 2.3283065498378288e-10; /* 1 / SIMT_MRG_1 */
}
SIMT_DEVICE float curand_uniform(curandStateMRG32k3a_t *state)
{
	return (float)curand_uniform_double(state);
}

/* --- normal: pairs by Box and Muller ---------------------------------------------------------------------------------- */

#define SIMT_RANDOM_NORMAL 1
#define SIMT_RANDOM_LOG_NORMAL 2

SIMT_DEVICE float2 simt_normal_pair(float radius, float angle)
{
	float2 pair;
	radius = sqrtf(-2.0f * logf(radius));
	__sincosf(angle, &pair.x, &pair.y);
	return make_float2(pair.x * radius, pair.y * radius);
}
SIMT_DEVICE float2 simt_normal_pair_of(unsigned int x, unsigned int y)
{
	const float turn = 0x1p-32f * 6.2831855f;
	return simt_normal_pair(simt_uniform(x), fmaf((float)y, turn, turn / 2));
}
SIMT_DEVICE double2 simt_normal_pair_double(double radius, double half_turns)
{
	double2 pair;
	radius = sqrt(-2.0 * log(radius));
	sincospi(half_turns, &pair.x, &pair.y);
	return make_double2(pair.x * radius, pair.y * radius);
}
SIMT_DEVICE double2 simt_normal_pair_double_of(uint4 x)
{
	return simt_normal_pair_double(simt_uniform_53(x.x, x.y), 2 * simt_uniform_53(x.z, x.w));
}

SIMT_DEVICE float2 curand_normal2(curandStateXORWOW_t *state)
{
	unsigned int x = curand(state), y = curand(state);
	return simt_normal_pair_of(x, y);
}
SIMT_DEVICE float2 curand_normal2(curandStatePhilox4_32_10_t *state)
{
	unsigned int x = curand(state), y = curand(state);
	return simt_normal_pair_of(x, y);
}
SIMT_DEVICE float2 curand_normal2(curandStateMRG32k3a_t *state)
{
	float x = curand_uniform(state), y = curand_uniform(state);
	return simt_normal_pair(x, y * 6.2831855f);
}
SIMT_DEVICE float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
	const uint4 x = curand4(state);
	const float2 a = simt_normal_pair_of(x.x, x.y), b = simt_normal_pair_of(x.z, x.w);
	return make_float4(a.x, a.y, b.x, b.y);
}
SIMT_DEVICE double2 curand_normal2_double(curandStateXORWOW_t *state)
{
	uint4 x;
	x.x = curand(state), x.y = curand(state), x.z = curand(state), x.w = curand(state);
	return simt_normal_pair_double_of(x);
}
SIMT_DEVICE double2 curand_normal2_double(curandStatePhilox4_32_10_t *state)
{
	return simt_normal_pair_double_of(curand4(state));
}
SIMT_DEVICE double2 curand_normal2_double(curandStateMRG32k3a_t *state)
{
	double x = curand_uniform_double(state), y = curand_uniform_double(state);
	return simt_normal_pair_double(x, y * 2);
}
SIMT_DEVICE double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
	const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
	return make_double4(a.x, a.y, b.x, b.y);
}

#define SIMT_LOG_NORMAL(exponential, sum, value) exponential(sum(deviation, value, mean))
#define SIMT_NORMALS(S)                                                                                                \
	SIMT_DEVICE float curand_normal(S *state)                                                                      \
	{                                                                                                              \
		if (state->boxmuller_flag == SIMT_RANDOM_NORMAL) {                                                     \
			state->boxmuller_flag = 0;                                                                     \
			return state->boxmuller_extra;                                                                 \
		}                                                                                                      \
		const float2 pair = curand_normal2(state);                                                             \
		state->boxmuller_extra = pair.y;                                                                       \
		state->boxmuller_flag = SIMT_RANDOM_NORMAL;                                                            \
		return pair.x;                                                                                         \
	}                                                                                                              \
	SIMT_DEVICE double curand_normal_double(S *state)                                                              \
	{                                                                                                              \
		if (state->boxmuller_flag_double == SIMT_RANDOM_NORMAL) {                                              \
			state->boxmuller_flag_double = 0;                                                              \
			return state->boxmuller_extra_double;                                                          \
		}                                                                                                      \
		const double2 pair = curand_normal2_double(state);                                                     \
		state->boxmuller_extra_double = pair.y;                                                                \
		state->boxmuller_flag_double = SIMT_RANDOM_NORMAL;                                                     \
		return pair.x;                                                                                         \
	}                                                                                                              \
	SIMT_DEVICE float2 curand_log_normal2(S *state, float mean, float deviation)                                   \
	{                                                                                                              \
		const float2 v = curand_normal2(state);                                                                \
		return make_float2(SIMT_LOG_NORMAL(expf, fmaf, v.x), SIMT_LOG_NORMAL(expf, fmaf, v.y));                \
	}                                                                                                              \
	SIMT_DEVICE double2 curand_log_normal2_double(S *state, double mean, double deviation)                         \
	{                                                                                                              \
		const double2 v = curand_normal2_double(state);                                                        \
		return make_double2(SIMT_LOG_NORMAL(exp, fma, v.x), SIMT_LOG_NORMAL(exp, fma, v.y));                   \
	}                                                                                                              \
	SIMT_DEVICE float curand_log_normal(S *state, float mean, float deviation)                                     \
	{                                                                                                              \
		if (state->boxmuller_flag == SIMT_RANDOM_LOG_NORMAL) {                                                 \
			state->boxmuller_flag = 0;                                                                     \
			return state->boxmuller_extra;                                                                 \
		}                                                                                                      \
		const float2 pair = curand_log_normal2(state, mean, deviation);                                        \
		state->boxmuller_extra = pair.y;                                                                       \
		state->boxmuller_flag = SIMT_RANDOM_LOG_NORMAL;                                                        \
		return pair.x;                                                                                         \
	}                                                                                                              \
	SIMT_DEVICE double curand_log_normal_double(S *state, double mean, double deviation)                           \
	{                                                                                                              \
		if (state->boxmuller_flag_double == SIMT_RANDOM_LOG_NORMAL) {                                          \
			state->boxmuller_flag_double = 0;                                                              \
			return state->boxmuller_extra_double;                                                          \
		}                                                                                                      \
		const double2 pair = curand_log_normal2_double(state, mean, deviation);                                \
		state->boxmuller_extra_double = pair.y;                                                                \
		state->boxmuller_flag_double = SIMT_RANDOM_LOG_NORMAL;                                                 \
		return pair.x;                                                                                         \
	}
SIMT_NORMALS(curandStateXORWOW_t)
SIMT_NORMALS(curandStatePhilox4_32_10_t)
SIMT_NORMALS(curandStateMRG32k3a_t)
#undef SIMT_NORMALS

SIMT_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float deviation)
{
	const float4 v = curand_normal4(state);
	return make_float4(SIMT_LOG_NORMAL(expf, fmaf, v.x), SIMT_LOG_NORMAL(expf, fmaf, v.y),
		SIMT_LOG_NORMAL(expf, fmaf, v.z), SIMT_LOG_NORMAL(expf, fmaf, v.w));
}
SIMT_DEVICE double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean, double deviation)
{
	const double4 v = curand_normal4_double(state);
	return make_double4(SIMT_LOG_NORMAL(exp, fma, v.x), SIMT_LOG_NORMAL(exp, fma, v.y),
		SIMT_LOG_NORMAL(exp, fma, v.z), SIMT_LOG_NORMAL(exp, fma, v.w));
}
#undef SIMT_LOG_NORMAL

/* --- Poisson ---------------------------------------------------------------------------------------------------------- */

/* Small means by the product of uniform numbers (Knuth), large ones by the normal distribution, with NVIDIA's numbers; between 64 and 4000
 * by transformed rejection (Hoermann 1993, PTRS): of the same distribution, but other numbers. */
template <class S> SIMT_DEVICE unsigned int curand_poisson(S *state, double lambda)
{
	if (lambda < 64) {
		unsigned int n = 0;
		for (float product = expf((float)lambda) * curand_uniform(state); product > 1; n++)
			product *= curand_uniform(state);
		return n;
	}
	if (lambda > 4000)
		return (unsigned int)(fma(sqrt(lambda), curand_normal_double(state), lambda) + 0.5);
	double root = sqrt(lambda), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
	double scale = 1.1239 + 1.1328 / (b - 3.4), squeeze = 0.9277 - 3.6224 / (b - 2);
	for (;;) {
		double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
		double left = 0.5 - fabs(u), n = floor((2 * a / left + b) * u + lambda + 0.43);
		if (left >= 0.07 && v <= squeeze)
			return (unsigned int)n;
		if (n < 0 || (left < 0.013 && v > left))
			continue;
		if (log(v * scale / (a / (left * left) + b)) <= n * log(lambda) - lambda - lgamma(n + 1))
			return (unsigned int)n;
	}
}
SIMT_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda)
{
	uint4 n;
	if (lambda > 4000) {
		const double4 v = curand_normal4_double(state);
		double root = sqrt(lambda);
		return make_uint4((unsigned int)(fma(root, v.x, lambda) + 0.5), (unsigned int)(fma(root, v.y, lambda) + 0.5),
			(unsigned int)(fma(root, v.z, lambda) + 0.5), (unsigned int)(fma(root, v.w, lambda) + 0.5));
	}
	n.x = curand_poisson(state, lambda), n.y = curand_poisson(state, lambda);
	n.z = curand_poisson(state, lambda), n.w = curand_poisson(state, lambda);
	return n;
}
#endif
