// Kernels from templates: types, sizes and operations as parameters, specialized and deduced.
// out: sum 2016, product 3628800, most 9.75
// out: int of 4 bytes, double of 8 bytes
#include <cstdio>
#include <vector>

struct sum {
	template <typename T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct product {
	template <typename T> __device__ T operator()(T a, T b) const { return a * b; }
};
struct most {
	template <typename T> __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <int N, typename T, typename Op> __global__ void fold(const T *in, T *out, int n, T start, Op op)
{
	__shared__ T partial[N];
	partial[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : start;
#pragma unroll
	for (int half = N / 2; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			partial[threadIdx.x] = op(partial[threadIdx.x], partial[threadIdx.x + half]);
	}
	if (threadIdx.x == 0)
		*out = partial[0];
}

template <int N, typename T, typename Op> T folded(const std::vector<T> &values, T start, Op op)
{
	T *in, *out, result;
	cudaMalloc(&in, values.size() * sizeof(T));
	cudaMalloc(&out, sizeof(T));
	cudaMemcpy(in, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
	fold<N><<<1, N>>>(in, out, (int)values.size(), start, op);
	cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost);
	cudaFree(in);
	cudaFree(out);
	return result;
}

template <typename T> struct name_of;
template <> struct name_of<int> {
	static constexpr const char *value = "int";
};
template <> struct name_of<double> {
	static constexpr const char *value = "double";
};
template <typename... T> void describe()
{
	const char *between = "";
	((printf("%s%s of %zu bytes", between, name_of<T>::value, sizeof(T)), between = ", "), ...);
	puts("");
}

int main()
{
	std::vector<int> ints(64);
	std::vector<long long> factors{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
	for (int i = 0; i < 64; i++)
		ints[i] = i;
	printf("sum %d, product %lld, most %g\n", folded<64>(ints, 0, sum{}), folded<16>(factors, 1LL, product{}),
		folded<4>(std::vector<double>{3.5, 9.75, -1}, -1e300, most{}));
	describe<int, double>();
}
