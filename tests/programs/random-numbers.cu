// cuRAND's generators in kernels: with nvcc by NVIDIA's header, with clang alone by ours; the lines are those of NVIDIA's header of CUDA 13.0,
// so that each compiler's program has the other's numbers. Reals have the digits that do not depend on whose logarithms and exponentials they are.
// out: xorwow BD7F03B6 BD7F03B6 1245241F DC39F800
// out: xorwow 253D5E15 D1F7605A 0462E16C 2AD166DC
// out: xorwow 1A444210 58E3123D 32CE89C4 9EDA6CBF
// out: xorwow 4D219E03 F694A04D 7CEFE38A E05260CA
// out: xorwow 4D219E03 111F4DB2 CDFAB7BF DA11FF80
// out: xorwow 31FD1BA4 4E72D54F 703CE95B 01289B87
// out: xorwow 0.455165 0.582418 -1.74272 0.40966 -1.31181 -0.53396 0.388262 1.30546 1.75353 3 48 5011 0.05825
// out: xorwow 0.351155 0.329888 -0.485318 -1.34578 1.49577 -0.00525083 8.55047 2.1717 1.57579 4 33 4935 0.74996
// out: philox 6627E8D5 6627E8D5 F8E4CCA4 80946000
// out: philox 2090B348 D115A128 2B2BBCD0 F46F3ABE
// out: philox B850222E AE68403A 472DD05E B76B3DFC
// out: philox F4607A2D C009F9DC 627F5C8A C35B6BBD
// out: philox F4607A2D 4A38347D 8C5D5172 7D0AA728
// out: philox 72A47709 3FD745D5 1F0D220E 808D66A2
// out: philox 0.796055 0.620832 -0.299035 2.06983 -1.59424 0.487457 0.424766 1.18012 1.74617 4 34 4966 -1.9524
// out: philox 0.0661974 0.168636 -1.5588 -0.100931 0.599286 -0.272033 1.40939 0.633601 3.79103 7 31 4994 0.1072
// out: mrg32k3a 2083CD07 2083CD07 38BCBCF8 F91F8C00
// out: mrg32k3a C96891F0 26F0D612 1A4D2335 1802002E
// out: mrg32k3a 892CE141 2E4FB5BB 0FB1463A 6282E8F7
// out: mrg32k3a 17F83271 25729746 8D739F7D 6CA3167F
// out: mrg32k3a 17F83271 43E3261C 65A768A8 797C76A1
// out: mrg32k3a 3406B1C7 EF1BDE47 357B26C8 891FF947
// out: mrg32k3a 0.373551 0.52457 0.123897 -0.170371 0.59618 -0.29714 2.55632 0.425749 1.75109 4 51 4934 -1.11622
// out: mrg32k3a 0.571959 0.10274 0.304935 -0.875339 2.47368 -0.876301 1.31028 2.91839 1.72693 2 53 5069 -0.445264
// out: four 4.1793e+09 1.14713e+09 0.706557 0.075692 1.38147 -1.23139 0.74474 4.76169 0.022101 0.503098 -1.25577 0.658969 40
// out: four 4.19342e+09 3.03464e+09 0.857416 0.377133 0.787661 1.01413 1.54067 6.67526 0.757024 0.338197 -1.09055 -0.893762 39
// out: four 1.32307e+09 3.68257e+09 0.567148 0.273397 1.87138 0.43297 1.1962 7.31036 0.503098 0.365825 -0.551571 0.275468 40
// out: four 1.14713e+09 2.43588e+09 0.075692 0.0813342 -1.05536 -0.114419 8.16566 1.12956 0.338197 0.370073 -0.0985784 -0.938386 42
// out: 48 64 48
// out: no error
#include <curand.h>
#include <curand_kernel.h>
#include <cstdio>

template <class State> __global__ void integers(unsigned *out, unsigned long long seed, unsigned long long sequence, unsigned long long offset)
{
	State state;
	curand_init(seed, sequence * threadIdx.x, offset * threadIdx.x, &state);
	for (int i = 0; i < 5; i++)
		out[threadIdx.x * 5 + i] = curand(&state);
}

#define REALS 13
template <class State> __global__ void reals(double *out)
{
	State state;
	curand_init(1234, threadIdx.x, 3, &state);
	double *at = out + threadIdx.x * REALS;
	at[0] = curand_uniform(&state);
	at[1] = curand_uniform_double(&state);
	at[2] = curand_normal(&state);
	at[3] = curand_normal(&state);
	at[4] = curand_normal_double(&state);
	at[5] = curand_normal_double(&state);
	at[6] = curand_log_normal(&state, 0.5f, 1.25f);
	at[7] = curand_log_normal(&state, 0.5f, 1.25f);
	at[8] = curand_log_normal_double(&state, 0.25, 0.5);
	at[9] = curand_poisson(&state, 3.5);
	at[10] = curand_poisson(&state, 40);
	at[11] = curand_poisson(&state, 5000);
	at[12] = curand_normal2(&state).y;
}

__global__ void fours(double *out)
{
	curandStatePhilox4_32_10_t state;
	curand_init(99, 1, threadIdx.x, &state);
	const uint4 x = curand4(&state);
	const float4 u = curand_uniform4(&state), n = curand_normal4(&state), l = curand_log_normal4(&state, 0, 1);
	const double2 d = curand_uniform2_double(&state), m = curand_normal2_double(&state);
	const uint4 p = curand_poisson4(&state, 9);
	const double all[] = {(double)x.x, (double)x.w, u.x, u.w, n.x, n.w, l.x, l.w, d.x, d.y, m.x, m.y, (double)(p.x + p.y + p.z + p.w)};
	for (int i = 0; i < REALS; i++)
		out[threadIdx.x * REALS + i] = all[i];
}

static void print(const char *name, const double *values)
{
	printf("%s", name);
	for (int i = 0; i < REALS; i++)
		printf(" %.6g", values[i]);
	printf("\n");
}

#define THREADS 40
static double *doubles;
static unsigned *words;

template <class State> static void show(const char *name)
{
	static const unsigned long long cases[][3] = {{0, 0, 0}, {1234, 1, 0}, {0x123456789ABCDEFull, 0x3456789ABCDEull, 0}, {7, 0, 1},
		{7, 0, 0x3456789ABCDEFull}, {~0ull, 0x100000001ull, 12345}};
	static unsigned w[THREADS * 5];
	for (const auto &c : cases) {
		integers<State><<<1, THREADS>>>(words, c[0], c[1], c[2]);
		cudaMemcpy(w, words, sizeof w, cudaMemcpyDeviceToHost);
		unsigned all = 0;
		for (unsigned word : w)
			all = all * 31 + word;
		printf("%s %08X %08X %08X %08X\n", name, w[0], w[5], w[THREADS * 5 - 1], all);
	}
	static double d[THREADS * REALS];
	reals<State><<<1, THREADS>>>(doubles);
	cudaMemcpy(d, doubles, sizeof d, cudaMemcpyDeviceToHost);
	print(name, d);
	print(name, d + (THREADS - 1) * REALS);
}

int main()
{
	cudaMalloc(&words, THREADS * 5 * sizeof *words);
	cudaMalloc(&doubles, THREADS * REALS * sizeof *doubles);
	show<curandState>("xorwow");
	show<curandStatePhilox4_32_10_t>("philox");
	show<curandStateMRG32k3a_t>("mrg32k3a");
	static double d[4 * REALS];
	fours<<<1, 4>>>(doubles);
	cudaMemcpy(d, doubles, sizeof d, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 4; i++)
		print("four", d + i * REALS);
	printf("%zu %zu %zu\n", sizeof(curandState_t), sizeof(curandStatePhilox4_32_10_t), sizeof(curandStateMRG32k3a));
	cudaFree(words);
	cudaFree(doubles);
	printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
