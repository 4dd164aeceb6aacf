// How fast the kernels of the lesson on tensor cores are, beside cuBLAS, in one run: TFLOP/s (10^12 additions and multiplications in a
// second), the median of several measurements with pauses between, in an order that changes, so that power is the same for all. Writes
// lines of lessons/228-tensor/measured.tsv to OUT; prints TAP: whether results are those of cuBLAS. Run by tensor.sh. Needs a GPU of
// CC 9.0, and libcublas.so.13, which is loaded at run time.
#include <algorithm>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "kernels/tensor.cu"
#undef DEPTH
#undef SHARED
#define multiply multiply_groups // both files have functions of these names
#define multiply_tiles multiply_tiles_of_stages
#define store_sums store_sums_of_group
#include "kernels/tensor_groups.cu"

#define MOST 8192 // numbers in a row
#define ROUNDS 11
#define PAUSE_MS 60
#define CHECK(call) check(call, #call)

static void check(cudaError_t error, const char *call)
{
	if (error == cudaSuccess)
		return;
	printf("Bail out! %s: %s\n", call, cudaGetErrorString(error));
	exit(1);
}

// --- cuBLAS, without its headers

typedef int create_function(void **handle);
typedef int version_function(void *handle, int *version);
typedef int gemm_function(void *handle, int transpose_a, int transpose_b, int m, int n, int k, const void *alpha, const void *a,
	int type_a, int lead_a, const void *b, int type_b, int lead_b, const void *beta, void *c, int type_c, int lead_c, int compute,
	int algorithm);

#define F16 2 // CUDA_R_16F
#define F32 0 // CUDA_R_32F
#define COMPUTE_32F 68
#define DEFAULT (-1)

static void *cublas;
static gemm_function *gemm;
static int cublas_version;

static void open_cublas()
{
	void *library = dlopen("libcublas.so.13", RTLD_NOW);
	if (!library)
		library = dlopen("/usr/local/cuda/lib64/libcublas.so.13", RTLD_NOW);
	create_function *create = library ? (create_function *)dlsym(library, "cublasCreate_v2") : NULL;
	version_function *version = library ? (version_function *)dlsym(library, "cublasGetVersion_v2") : NULL;
	gemm = library ? (gemm_function *)dlsym(library, "cublasGemmEx") : NULL;
	if (!create || !gemm || !version || create(&cublas) || version(cublas, &cublas_version)) {
		printf("1..0 # SKIP no cuBLAS here\n");
		exit(0);
	}
}

// --- matrices

static half *a, *b;
static float *c, *right, *worst;
static unsigned n; // numbers in a row
static tensor_map map_a, map_b;

// Multiples of 2^-10 from -1 to 1.
__global__ void fill(half *to, unsigned seed)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (size_t)MOST * MOST; i += (size_t)gridDim.x * blockDim.x) {
		unsigned x = ((unsigned)i + seed) * 2654435761u;
		x = (x ^ x >> 15) * 2246822519u;
		x = (x ^ x >> 13) * 3266489917u;
		to[i] = __float2half((float)(x >> 21) / 1024 - 1);
	}
}

__global__ void compare(const float *x, const float *y, size_t numbers, float *largest)
{
	float most = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < numbers; i += (size_t)gridDim.x * blockDim.x)
		most = fmaxf(most, isfinite(x[i]) ? fabsf(x[i] - y[i]) : 1e30f);
	atomicMax((int *)largest, __float_as_int(most));
}

// A box of so many rows of 64 numbers, as kernels/tensor_groups.cu copies them.
static tensor_map describe_matrix(half *matrix, unsigned rows)
{
	static decltype(&cuTensorMapEncodeTiled) encode;
	cudaDriverEntryPointQueryResult found;
	if (!encode)
		CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found));
	const cuuint64_t size[] = {n, n}, stride[] = {n * sizeof *matrix};
	const cuuint32_t box[] = {64, rows}, step[] = {1, 1};
	CUtensorMap made;
	tensor_map out;
	if (encode(&made, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, matrix, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
		    CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)) {
		printf("Bail out! no tensor map\n");
		exit(1);
	}
	memcpy(&out, &made, sizeof out);
	return out;
}

// --- what is measured

static void run_cublas()
{
	const float one = 1, zero = 0;
	if (gemm(cublas, 1, 0, n, n, n, &one, b, F16, n, a, F16, n, &zero, c, F32, n, COMPUTE_32F, DEFAULT)) {
		printf("Bail out! cublasGemmEx\n");
		exit(1);
	}
}

static void run_wmma() { wmma<<<dim3(n / 64, n / 16), 128>>>(a, b, c, n); }

template <auto kernel> static void run_mma()
{
	CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
	kernel<<<dim3(n / 128, n / 128), 256, 65536>>>(a, b, c, n);
}

template <auto kernel, unsigned stages> static void run_groups()
{
	CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, stages * sizeof(stage)));
	kernel<<<n / 128 * (n / 256), 384, stages * sizeof(stage)>>>(map_a, map_b, c, n);
}

static const struct {
	const char *name;
	void (*run)();
} candidates[] = {
	{"cublas", run_cublas},
	{"wmma", run_wmma},
	{"mma_rows", run_mma<mma_rows>},
	{"mma_swizzled", run_mma<mma_swizzled>},
	{"groups_one", run_groups<groups_one, 1>},
	{"groups_two", run_groups<groups_two, 2>},
	{"groups_four", run_groups<groups_four, 4>},
};
#define CANDIDATES ((int)(sizeof candidates / sizeof *candidates))

static double tflops[CANDIDATES][ROUNDS];

// The first is what is right.
static float error_of(int candidate)
{
	float error = 0;
	CHECK(cudaMemset(c, 0xFF, n * (size_t)n * sizeof *c));
	CHECK(cudaMemset(worst, 0, sizeof *worst));
	candidates[candidate].run();
	CHECK(cudaGetLastError());
	if (candidate == 0)
		CHECK(cudaMemcpy(right, c, n * (size_t)n * sizeof *c, cudaMemcpyDeviceToDevice));
	compare<<<1024, 256>>>(c, right, n * (size_t)n, worst);
	CHECK(cudaMemcpy(&error, worst, sizeof error, cudaMemcpyDeviceToHost));
	return error;
}

static double measure(void (*run)())
{
	static cudaEvent_t begin, end;
	const struct timespec pause = {0, PAUSE_MS * 1000000L};
	int times = n > 4096 ? 2 : n > 1024 ? 8 : 64;
	float ms;
	if (!begin) {
		CHECK(cudaEventCreate(&begin));
		CHECK(cudaEventCreate(&end));
	}
	nanosleep(&pause, NULL);
	run();
	CHECK(cudaEventRecord(begin));
	for (int i = 0; i < times; i++)
		run();
	CHECK(cudaEventRecord(end));
	CHECK(cudaEventSynchronize(end));
	CHECK(cudaEventElapsedTime(&ms, begin, end));
	return 2.0 * n * n * n * times / ms / 1e9;
}

static void measure_all(FILE *out)
{
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < CANDIDATES; i++) {
			int candidate = (i + round * 3) % CANDIDATES;
			tflops[candidate][round] = measure(candidates[candidate].run);
		}
	for (int i = 0; i < CANDIDATES; i++) {
		double *of = tflops[i];
		std::sort(of, of + ROUNDS);
		fprintf(out, "%s_%u\t%.1f\tTFLOP/s, %.1f to %.1f\n", candidates[i].name, n, of[ROUNDS / 2], of[0], of[ROUNDS - 1]);
	}
}

static void write_origin(FILE *out)
{
	cudaDeviceProp device;
	char date[16];
	int driver, runtime;
	time_t now = time(NULL);
	CHECK(cudaGetDeviceProperties(&device, 0));
	CHECK(cudaDriverGetVersion(&driver));
	CHECK(cudaRuntimeGetVersion(&runtime));
	strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
	fprintf(out, "# Written by tests/gpu/tensor.sh; do not edit. %s, CC %d.%d, %d SMs; CUDA %d.%d, driver for CUDA %d.%d, cuBLAS %d; %s.\n",
		device.name, device.major, device.minor, device.multiProcessorCount, runtime / 1000, runtime % 1000 / 10,
		driver / 1000, driver % 1000 / 10, cublas_version, date);
	fprintf(out, "# Matrices of so many rows and columns of 16 bits; sums of 32 bits. Medians of %d measurements, the least and the most.\n",
		ROUNDS);
}

int main(int argc, char **argv)
{
	FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
	int made = 0, failed = 0;
	if (!out)
		return 2;
	open_cublas();
	write_origin(out);
	CHECK(cudaMalloc(&a, (size_t)MOST * MOST * sizeof *a));
	CHECK(cudaMalloc(&b, (size_t)MOST * MOST * sizeof *b));
	CHECK(cudaMalloc(&c, (size_t)MOST * MOST * sizeof *c));
	CHECK(cudaMalloc(&right, (size_t)MOST * MOST * sizeof *right));
	CHECK(cudaMalloc(&worst, sizeof *worst));
	fill<<<1024, 256>>>(a, 1);
	fill<<<1024, 256>>>(b, 1u << 30);
	for (n = 1024; n <= MOST; n *= n == 1024 ? 4 : 2) {
		map_a = describe_matrix(a, 128);
		map_b = describe_matrix(b, 256);
		for (int i = 0; i < CANDIDATES; i++) {
			float error = error_of(i);
			bool bad = !(error < 0.01f);
			failed += bad;
			printf("%sok %d - %s, %u: at most %g off\n", bad ? "not " : "", ++made, candidates[i].name, n, error);
		}
		measure_all(out);
	}
	printf("1..%d\n", made);
	fclose(out);
	return failed > 0;
}
