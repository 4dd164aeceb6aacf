// The device's mathematics against the host's: floats within 4 units in the last place, doubles within 2.
// out: 30 functions, none far off
#include <cmath>
#include <cstdio>

const int functions = 30, points = 16;

template <typename T> __host__ __device__ void all(T x, T *out)
{
	const T values[] = {std::sin(x), std::cos(x), std::tan(x), std::exp(x), std::log(x), std::sqrt(x), std::cbrt(x), std::sinh(x),
		std::cosh(x), std::tanh(x), std::atan(x), std::asinh(x), std::acosh(1 + x), std::log2(x), std::log10(x), std::log1p(x),
		std::exp2(x), std::expm1(x), std::erf(x), std::erfc(x), std::pow(x, T(1.5)), std::fmod(x, T(0.7)), std::hypot(x, T(2)),
		std::atan2(x, T(3)), std::floor(x), std::ceil(x), std::round(x), std::fabs(-x), std::fmax(x, T(1)), std::fma(x, x, x)};
	for (int i = 0; i < functions; i++)
		out[i] = values[i];
}

template <typename T> __global__ void compute(T *out)
{
	all(T(0.37) * (threadIdx.x + 1), out + threadIdx.x * functions);
}

template <typename T> int far_off(T unit)
{
	static T found[points * functions], expected[functions];
	T *d;
	int wrong = 0;
	cudaMalloc(&d, sizeof found);
	compute<<<1, points>>>(d);
	cudaMemcpy(found, d, sizeof found, cudaMemcpyDeviceToHost);
	for (int p = 0; p < points; p++) {
		all(T(0.37) * (p + 1), expected);
		for (int i = 0; i < functions; i++)
			wrong += !(std::fabs(found[p * functions + i] - expected[i]) <= unit * std::fmax(std::fabs(expected[i]), T(1e-3)));
	}
	return wrong;
}

int main()
{
	int wrong = far_off<float>(6e-7f) + far_off<double>(6e-16);
	if (wrong)
		printf("%d wrong\n", wrong);
	printf("%d functions, %s far off\n", functions, wrong ? "some" : "none");
}
