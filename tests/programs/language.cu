// What C++ is used for in kernels: pointers to functions, virtual functions, templates, lambdas, unions, structs without a name.
// out: 7 30 21 55 120 9 18 10 4 191 261 744 7 8 34 3.5 1 4 34 3 33
// out: 297
// out: 106
// out: 693 693
// out: 63
// out: 46.5 45
// out: 15.5
// out: 1
// nvcc: --extended-lambda
#include <cstdio>
#include <cstdlib>
#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));                                  \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)
#include <type_traits>
typedef float (*op_t)(float, float);
__device__ float fadd(float a, float b)
{
	return a + b;
}
__device__ float fmul(float a, float b)
{
	return a * b;
}
__device__ op_t table[2] = {fadd, fmul};
__device__ op_t ptr = fmul;
struct Shape {
	__device__ virtual float area() const = 0;
	__device__ virtual ~Shape()
	{
	}
};
struct Sq : Shape {
	float s;
	__device__ Sq(float s) : s(s)
	{
	}
	__device__ float area() const override
	{
		return s * s;
	}
};
struct Ci : Shape {
	float r;
	__device__ Ci(float r) : r(r)
	{
	}
	__device__ float area() const override
	{
		return 3 * r * r;
	}
};
__device__ int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__host__ __device__ constexpr int fact(int n)
{
	return n <= 1 ? 1 : n * fact(n - 1);
}
__device__ __noinline__ int ack(int m, int n)
{
	return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
template <int N> struct Vec {
	float v[N];
	__host__ __device__ Vec(float x = 0)
	{
		for (int i = 0; i < N; i++)
			v[i] = x;
	}
	__host__ __device__ Vec operator+(const Vec &o) const
	{
		Vec r;
		for (int i = 0; i < N; i++)
			r.v[i] = v[i] + o.v[i];
		return r;
	}
	__host__ __device__ float dot(const Vec &o) const
	{
		float s = 0;
		for (int i = 0; i < N; i++)
			s += v[i] * o.v[i];
		return s;
	}
};
template <typename T> __device__ T sumAll(T x)
{
	return x;
}
template <typename T, typename... R> __device__ T sumAll(T x, R... r)
{
	return x + sumAll<T>(r...);
}
template <typename... A> __device__ auto fold(A... a)
{
	return (a + ...);
}
union U {
	float f;
	unsigned u;
	unsigned char b[4];
};
struct Bits {
	unsigned a : 3, b : 5, c : 24;
};
namespace geo
{
namespace inner
{
__device__ int f(int x)
{
	return x + 100;
}
} // namespace inner
__constant__ struct {
	int w, h;
	float s[3];
} cfg;
} // namespace geo
enum class Color : unsigned char { Red = 1, Blue = 7 };
template <class F> __global__ void apply(F f, int *o, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		o[i] = f(i);
}
template <typename T, int B> __global__ void tk(T *o)
{
	__shared__ T s[B];
	s[threadIdx.x] = threadIdx.x;
	__syncthreads();
	o[threadIdx.x] = s[B - 1 - threadIdx.x];
}
struct Functor {
	int k;
	__host__ __device__ int operator()(int i) const
	{
		return i * k;
	}
};
class Counter
{
	int n;

      public:
	__host__ __device__ Counter() : n(0)
	{
	}
	__host__ __device__ Counter &operator++()
	{
		++n;
		return *this;
	}
	__host__ __device__ explicit operator int() const
	{
		return n;
	}
	static constexpr int scale = 4;
};
template <typename T> struct SharedMem {
	__device__ operator T *()
	{
		extern __shared__ int smem_[];
		return (T *)smem_;
	}
};
template <typename T> __global__ void dynT(T *o)
{
	T *s = SharedMem<T>();
	s[threadIdx.x] = (T)(threadIdx.x * 1.5);
	__syncthreads();
	o[threadIdx.x] = s[31 - threadIdx.x];
}
struct Pod {
	int a;
	double b;
	char c[5];
	float4 q;
};
__global__ void byval(Pod p, const Pod *__restrict__ q, float *o)
{
	o[0] = p.a + p.b + p.c[4] + p.q.w + q->q.z;
}
__global__ void k(float *o, int *e)
{
	int n = 0;
	op_t f = table[threadIdx.x];
	o[n++] = f(3, 4);
	o[n++] = ptr(5, 6);
	Shape *s[2];
	s[0] = new Sq(3);
	s[1] = new Ci(2);
	o[n++] = s[0]->area() + s[1]->area();
	delete s[0];
	delete s[1];
	o[n++] = fib(10);
	o[n++] = fact(5);
	o[n++] = ack(2, 3);
	Vec<3> a(1), b(2);
	o[n++] = (a + b).dot(b);
	o[n++] = sumAll(1, 2, 3, 4);
	o[n++] = fold(1.5f, 2.5f);
	U u;
	u.f = 1.0f;
	o[n++] = u.b[3] + u.b[2];
	Bits bt;
	bt.a = 5;
	bt.b = 17;
	bt.c = 0xabcdef;
	o[n++] = bt.a + bt.b + (bt.c & 0xff);
	o[n++] = geo::inner::f(1) + geo::cfg.w + geo::cfg.s[2];
	o[n++] = (int)Color::Blue;
	Counter c;
	++c;
	++c;
	o[n++] = (int)c * Counter::scale;
	auto lam = [=] __device__(int x) { return x * 2 + n; };
	o[n++] = lam(10);
	auto gen = [](auto x) { return x + 1; };
	o[n++] = gen(1) + gen(0.5f);
	if constexpr (std::is_same<int, int>::value)
		o[n++] = 1;
	static const int tab[] = {1, 2, 4, 8};
	o[n++] = tab[threadIdx.x + 2];
	auto [p, q] = make_int2(3, 4);
	o[n++] = p * 10 + q;
	int arr[4] = {};
	for (int &x : arr)
		x = 3;
	o[n++] = arr[3];
	switch (p) {
	case 3: o[n++] = 33; break;
	default: o[n++] = 0;
	}
	*e = n;
}
int main()
{
	float *o, h[64];
	int *e, n;
	CHECK(cudaMalloc(&o, 256));
	CHECK(cudaMalloc(&e, 128 * 4));
	struct {
		int w, h;
		float s[3];
	} cfg = {640, 480, {1, 2, 3}};
	CHECK(cudaMemcpyToSymbol(geo::cfg, &cfg, sizeof cfg));
	k<<<1, 1>>>(o, e);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(h, o, 256, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(&n, e, 4, cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		printf(i ? " %g" : "%g", h[i]);
	printf("\n");
	int hi[100];
	apply<<<4, 32>>>(Functor{3}, e, 100);
	CHECK(cudaMemcpy(hi, e, 400, cudaMemcpyDeviceToHost));
	printf("%d\n", hi[99]);
	int off = 7;
	apply<<<4, 32>>>([=] __device__(int i) { return i + off; }, e, 100);
	CHECK(cudaMemcpy(hi, e, 400, cudaMemcpyDeviceToHost));
	printf("%d\n", hi[99]);
	auto hd = [=] __host__ __device__(int i) { return i * off; };
	apply<<<4, 32>>>(hd, e, 100);
	CHECK(cudaMemcpy(hi, e, 400, cudaMemcpyDeviceToHost));
	printf("%d %d\n", hi[99], hd(99));
	tk<int, 64><<<1, 64>>>(e);
	CHECK(cudaMemcpy(hi, e, 256, cudaMemcpyDeviceToHost));
	printf("%d\n", hi[0]);
	dynT<float><<<1, 32, 128>>>(o);
	CHECK(cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost));
	double *dd, hd2[32];
	CHECK(cudaMalloc(&dd, 256));
	dynT<double><<<1, 32, 256>>>(dd);
	CHECK(cudaMemcpy(hd2, dd, 256, cudaMemcpyDeviceToHost));
	printf("%g %g\n", h[0], hd2[1]);
	Pod p = {1, 2.5, {0, 0, 0, 0, 5}, {1, 2, 3, 4}}, *dp;
	CHECK(cudaMalloc(&dp, sizeof p));
	CHECK(cudaMemcpy(dp, &p, sizeof p, cudaMemcpyHostToDevice));
	byval<<<1, 1>>>(p, dp, o);
	CHECK(cudaMemcpy(h, o, 4, cudaMemcpyDeviceToHost));
	printf("%g\n", h[0]);
	op_t hp;
	CHECK(cudaMemcpyFromSymbol(&hp, ptr, sizeof hp));
	printf("%d\n", hp != nullptr);
	CHECK(cudaFree(o));
	CHECK(cudaFree(e));
	CHECK(cudaFree(dd));
	CHECK(cudaFree(dp));
	return 0;
}
