// What calls, copies and graphs cost on this GPU: the rows of src/model/hardware/hostcosts.def; and whether it does what src/model/hardware/hostlog.c takes
// for granted. Prints a comment for what was measured, and TAP. Compiled and run by copies.sh.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error_ = (call);                                                                           \
		if (error_ != cudaSuccess) {                                                                           \
			printf("Bail out! line %d: %s\n", __LINE__, cudaGetErrorString(error_));                       \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

__global__ void nothing()
{
}

__global__ void spin(long long cycles)
{
	for (long long begin = clock64(); clock64() - begin < cycles;)
		continue;
}

static const int TIMES = 21;
static const size_t SMALL = 4, LARGE = (size_t)256 << 20, HALF = LARGE / 2;
static const long long LONG = 20000000; // cycles: some 10 ms

static int tests;

static double now_us()
{
	using namespace std::chrono;
	return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

static void report(bool ok, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++tests, what);
}

// The median of several times, in us.
template <class Work> static double median_us(const Work &work)
{
	std::vector<double> times;
	for (int i = 0; i < TIMES; i++)
		times.push_back(work());
	std::sort(times.begin(), times.end());
	return times[TIMES / 2];
}

// From the call to the end of the work.
template <class Work> static double whole_us(const Work &work)
{
	return median_us([&] {
		CHECK(cudaDeviceSynchronize());
		double begin = now_us();
		work();
		CHECK(cudaDeviceSynchronize());
		return now_us() - begin;
	});
}

// Between two events around the work in a stream.
template <class Work> static double device_us(cudaStream_t s, const Work &work)
{
	cudaEvent_t begin, end;
	CHECK(cudaEventCreate(&begin));
	CHECK(cudaEventCreate(&end));
	double us = median_us([&] {
		float ms;
		spin<<<1, 1, 0, s>>>(LONG / 20); // all is asked for before it begins
		CHECK(cudaEventRecord(begin, s));
		work();
		CHECK(cudaEventRecord(end, s));
		CHECK(cudaEventSynchronize(end));
		CHECK(cudaEventElapsedTime(&ms, begin, end));
		return 1e3 * ms;
	});
	CHECK(cudaEventDestroy(begin));
	CHECK(cudaEventDestroy(end));
	return us;
}

// Of the host alone: how long the calls take while the GPU is busy.
template <class Work> static double calls_us(cudaStream_t s, const Work &work)
{
	return median_us([&] {
		spin<<<1, 1, 0, s>>>(LONG);
		double begin = now_us();
		work();
		double us = now_us() - begin;
		CHECK(cudaStreamSynchronize(s));
		return us;
	});
}

static void row(const char *id, double value, const char *unit)
{
	printf("# COST(%s, %.3g, \"%s\")\n", id, value, unit);
}

// The rate of what takes so long for all of the bytes and for half of them.
static double gb_s(double all, double half)
{
	return (double)(LARGE - HALF) / (all - half) / 1e3;
}

struct memory {
	char *pinned, *pageable, *device, *other;
};

static void copies(const memory &m, cudaStream_t s)
{
	const struct {
		const char *id;
		void *to, *from;
		cudaMemcpyKind kind;
		bool pageable;
	} of[] = {{"IN_PINNED", m.device, m.pinned, cudaMemcpyHostToDevice, false},
		{"OUT_PINNED", m.pinned, m.device, cudaMemcpyDeviceToHost, false},
		{"IN_PAGEABLE", m.device, m.pageable, cudaMemcpyHostToDevice, true},
		{"OUT_PAGEABLE", m.pageable, m.device, cudaMemcpyDeviceToHost, true},
		{"WITHIN", m.other, m.device, cudaMemcpyDeviceToDevice, false}};
	for (const auto &c : of) {
		auto take = [&](size_t bytes) {
			auto work = [&] { CHECK(cudaMemcpyAsync(c.to, c.from, bytes, c.kind, s)); };
			return c.pageable ? whole_us(work) : device_us(s, work);
		};
		double all = take(LARGE), half = take(HALF);
		row(c.id, gb_s(all, half), "GB/s");
		if (!c.pageable && c.kind == cudaMemcpyHostToDevice)
			row("COPY_BEGIN", take(SMALL), "us");
	}
}

static cudaGraphExec_t graph_of(int kernels, cudaStream_t s)
{
	cudaGraph_t graph;
	cudaGraphExec_t ready;
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	for (int i = 0; i < kernels; i++)
		nothing<<<1, 32, 0, s>>>();
	CHECK(cudaStreamEndCapture(s, &graph));
	CHECK(cudaGraphInstantiate(&ready, graph, 0));
	CHECK(cudaGraphLaunch(ready, s));
	CHECK(cudaStreamSynchronize(s));
	return ready;
}

static void launches(cudaStream_t s)
{
	const int FEW = 20, MANY = 220;
	auto launch = [&](int n) {
		for (int i = 0; i < n; i++)
			nothing<<<1, 32, 0, s>>>();
	};
	double few = calls_us(s, [&] { launch(FEW); }), many = calls_us(s, [&] { launch(MANY); });
	double call = (many - few) / (MANY - FEW);
	row("CALL", call, "us");
	few = device_us(s, [&] { launch(FEW); });
	many = device_us(s, [&] { launch(MANY); });
	double kernel = (many - few) / (MANY - FEW);
	row("KERNEL_BEGIN", kernel, "us");
	cudaGraphExec_t small = graph_of(FEW, s), large = graph_of(MANY, s);
	few = calls_us(s, [&] { CHECK(cudaGraphLaunch(small, s)); });
	many = calls_us(s, [&] { CHECK(cudaGraphLaunch(large, s)); });
	double node = (many - few) / (MANY - FEW);
	row("GRAPH_NODE", node > 0 ? node : 0, "us");
	row("GRAPH_CALL", few - FEW * (node > 0 ? node : 0), "us");
	double from = device_us(s, [&] { CHECK(cudaGraphLaunch(small, s)); }),
	       to = device_us(s, [&] { CHECK(cudaGraphLaunch(large, s)); });
	row("GRAPH_KERNEL_BEGIN", (to - from) / (MANY - FEW), "us");
	report(many < MANY * call, "launching a graph takes the host less than launching its kernels");
	report((to - from) / (MANY - FEW) <= 1.1 * kernel, "a kernel of a graph begins no later than one that is launched");
}

// Whether the call returns before the copy has ended, where a kernel is before it in the stream.
static bool returns_before(cudaStream_t s, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
	double whole = median_us([&] {
		double begin = now_us();
		spin<<<1, 1, 0, s>>>(LONG);
		CHECK(cudaStreamSynchronize(s));
		return now_us() - begin;
	});
	double call = calls_us(s, [&] { CHECK(cudaMemcpyAsync(to, from, bytes, kind, s)); });
	printf("# a copy of %zu bytes behind a kernel of %.0f us: the call takes %.0f us\n", bytes, whole, call);
	return call < whole / 2;
}

static void pageable(const memory &m, cudaStream_t s)
{
	const size_t little = (size_t)32 << 10, more = (size_t)1 << 20;
	report(returns_before(s, m.device, m.pinned, more, cudaMemcpyHostToDevice), "a copy from pinned memory returns at once");
	report(returns_before(s, m.device, m.pageable, little, cudaMemcpyHostToDevice),
		"a copy of 32 KiB from pageable memory returns at once");
	for (size_t bytes = more; bytes <= LARGE; bytes *= 4)
		returns_before(s, m.device, m.pageable, bytes, cudaMemcpyHostToDevice);
	report(returns_before(s, m.device, m.pageable, more, cudaMemcpyHostToDevice),
		"a copy of 1 MiB from pageable memory returns when it has been read, before what is before it has ended");
	report(!returns_before(s, m.pageable, m.device, little, cudaMemcpyDeviceToHost),
		"a copy to pageable memory returns when it has ended");
}

static void engines(const memory &m, cudaStream_t a, cudaStream_t b)
{
	auto in = [&](cudaStream_t s, size_t at) {
		CHECK(cudaMemcpyAsync(m.device + at, m.pinned + at, HALF, cudaMemcpyHostToDevice, s));
	};
	auto out = [&](cudaStream_t s) {
		CHECK(cudaMemcpyAsync(m.pinned + HALF, m.device + HALF, HALF, cudaMemcpyDeviceToHost, s));
	};
	double one = whole_us([&] { in(a, 0); }), back = whole_us([&] { out(a); });
	double two = whole_us([&] { in(a, 0), in(b, HALF); }), both = whole_us([&] { in(a, 0), out(b); });
	printf("# us: in %.0f, out %.0f, two in %.0f, in and out %.0f\n", one, back, two, both);
	report(two > 1.7 * one, "two copies in one direction take as long as one after the other");
	report(both < 0.75 * (one + back), "copies in both directions overlap");
	double alone = whole_us([&] { spin<<<1, 1, 0, a>>>(LONG); });
	double beside = whole_us([&] { spin<<<1, 1, 0, a>>>(LONG), in(b, 0); });
	printf("# us: a kernel %.0f, a kernel and a copy %.0f\n", alone, beside);
	report(beside < alone + one / 2, "a copy goes on beside a kernel");
	double ready = whole_us([&] {
		spin<<<1, 1, 0, a>>>(LONG);
		in(a, 0);
		in(b, HALF);
	});
	printf("# us: a kernel, a copy behind it, and a copy in another stream: %.0f\n", ready);
	report(ready < alone + 1.5 * one, "a copy that is ready goes before one that waits for a kernel");
}

int main()
{
	cudaDeviceProp properties;
	CHECK(cudaGetDeviceProperties(&properties, 0));
	printf("# %s, %d copy engines\n", properties.name, properties.asyncEngineCount);
	memory m = {};
	CHECK(cudaMallocHost((void **)&m.pinned, LARGE));
	CHECK(cudaMalloc((void **)&m.device, LARGE));
	CHECK(cudaMalloc((void **)&m.other, LARGE));
	m.pageable = (char *)malloc(LARGE);
	memset(m.pinned, 1, LARGE);
	memset(m.pageable, 1, LARGE);
	cudaStream_t a, b;
	CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
	copies(m, a);
	launches(a);
	pageable(m, a);
	engines(m, a, b);
	printf("1..%d\n", tests);
	return 0;
}
