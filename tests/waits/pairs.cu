// Pairs of small programs that differ by a line: one has a fault between the host and the device, or between two streams, and one has not.
// tests/waits.sh runs each; the labels are beside the table at the end.
// clang-lacks: managed_variable
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <thread>

static bool faulty;
static int sum;
enum { N = 256 };

__global__ void fill(int *p, int value)
{
	p[blockIdx.x * blockDim.x + threadIdx.x] = value + threadIdx.x;
}

__global__ void twice(int *p)
{
	p[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

__global__ void take(const int *from, int *to)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	to[i] = from[i] + 1;
}

__global__ void fenced(int *p)
{
	p[threadIdx.x] *= 2;
	__threadfence_system();
}

__global__ void volatile_fill(volatile int *p)
{
	p[threadIdx.x] = threadIdx.x;
	__threadfence_system();
}

__global__ void count(int *n)
{
	atomicAdd_system(n, 1);
	__threadfence_system();
}

__global__ void tell(int *data, volatile int *flag, bool fences)
{
	data[0] = 42;
	if (fences)
		__threadfence_system();
	*flag = 1;
}

__global__ void tell_later(int *data, volatile int *flag)
{
	data[0] = 41;
	__threadfence_system();
	*flag = 1;
	data[1] = 42;
}

__global__ void tell_all(int *data, int *flag)
{
	data[threadIdx.x] = threadIdx.x;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence_system();
		atomicExch_system(flag, 1);
	}
}

__global__ void answer(volatile int *question, int *data, volatile int *reply)
{
	while (*question == 0)
		;
	__threadfence_system();
	data[1] = data[0] + 1;
	__threadfence_system();
	*reply = 1;
}

__global__ void add_one(int *n)
{
	atomicAdd(n, 1);
}

__global__ void bytes(unsigned char *p, int first)
{
	p[2 * threadIdx.x + first] = first;
}

struct list {
	int *data;
	list *next;
};

__global__ void follow(list l)
{
	l.data[threadIdx.x] = 7;
}

__device__ int table[N];
__managed__ int managed_sum[N];

__global__ void fill_table(int value)
{
	table[threadIdx.x] = value;
}

__global__ void read_table(int *to)
{
	to[threadIdx.x] = table[threadIdx.x];
}

__global__ void fill_managed()
{
	managed_sum[threadIdx.x] = threadIdx.x;
}

// --- what the cases need

struct mapped {
	int *host;
	mapped(int n = N) { cudaHostAlloc(&host, n * sizeof(int), cudaHostAllocMapped), memset(host, 0, n * sizeof(int)); }
	~mapped() { cudaFreeHost(host); }
	operator int *() { return host; }
};

struct managed {
	int *host;
	managed(int n = N) { cudaMallocManaged(&host, n * sizeof(int)), memset(host, 0, n * sizeof(int)); }
	~managed() { cudaFree(host); }
	operator int *() { return host; }
};

struct device {
	int *p;
	device(int n = N) { cudaMalloc(&p, n * sizeof(int)), cudaMemset(p, 0, n * sizeof(int)), cudaDeviceSynchronize(); }
	~device() { cudaFree(p); }
	operator int *() { return p; }
};

struct stream {
	cudaStream_t s;
	stream(unsigned flags = cudaStreamNonBlocking) { cudaStreamCreateWithFlags(&s, flags); }
	~stream() { cudaStreamDestroy(s); }
	operator cudaStream_t() { return s; }
};

struct event {
	cudaEvent_t e;
	event() { cudaEventCreateWithFlags(&e, cudaEventDisableTiming); }
	~event() { cudaEventDestroy(e); }
	operator cudaEvent_t() { return e; }
};

// --- the host and a kernel

static void mapped_fence()
{
	mapped p;
	fenced<<<1, N>>>(p);
	if (!faulty)
		cudaDeviceSynchronize();
	sum += p[99]; // at: mapped_fence
	cudaDeviceSynchronize();
}

static void mapped_volatile()
{
	mapped p;
	volatile_fill<<<1, N>>>(p);
	if (!faulty)
		cudaDeviceSynchronize();
	for (int i = 0; i < N; i++)
		sum += p[i]; // at: mapped_volatile
	cudaDeviceSynchronize();
}

static void mapped_system_atomic()
{
	mapped p;
	count<<<1, N>>>(p);
	if (!faulty)
		cudaDeviceSynchronize();
	sum += p[0]; // at: mapped_system_atomic
	cudaDeviceSynchronize();
}

static void mapped_plain()
{
	mapped p;
	fill<<<1, N>>>(p, 1);
	if (!faulty)
		cudaDeviceSynchronize();
	sum += p[3]; // at: mapped_plain
	cudaDeviceSynchronize();
}

static void mapped_written()
{
	mapped p;
	device q;
	take<<<1, N>>>(p, q);
	if (!faulty)
		cudaDeviceSynchronize();
	p[3] = 1; // at: mapped_written
	cudaDeviceSynchronize();
}

static void managed_plain()
{
	managed p;
	fill<<<1, N>>>(p, 1);
	if (!faulty)
		cudaDeviceSynchronize();
	sum += p[3]; // at: managed_plain
	cudaDeviceSynchronize();
}

static void managed_fence()
{
	managed p;
	fenced<<<1, N>>>(p);
	if (!faulty)
		cudaStreamSynchronize(0);
	sum += p[3]; // at: managed_fence
	cudaDeviceSynchronize();
}

static void managed_in_struct()
{
	managed p;
	list l = {p, nullptr};
	follow<<<1, N>>>(l);
	if (!faulty)
		cudaDeviceSynchronize();
	sum += p[3]; // at: managed_in_struct
	cudaDeviceSynchronize();
}

static void managed_variable()
{
	fill_managed<<<1, N>>>();
	if (!faulty)
		cudaDeviceSynchronize();
	sum += managed_sum[3]; // at: managed_variable
	cudaDeviceSynchronize();
}

static void managed_other_byte()
{
	managed p;
	unsigned char *b = (unsigned char *)p.host;
	bytes<<<1, N>>>(b, 1);
	b[faulty ? 7 : 6] = 1; // at: managed_other_byte
	cudaDeviceSynchronize();
}

static void registered()
{
	int *p = (int *)aligned_alloc(4096, 8192);
	memset(p, 0, 8192);
	cudaHostRegister(p, 8192, cudaHostRegisterMapped);
	fenced<<<1, N>>>(p);
	if (!faulty)
		cudaDeviceSynchronize();
	sum += p[3]; // at: registered
	cudaDeviceSynchronize();
	cudaHostUnregister(p);
	free(p);
}

static void registered_copy()
{
	int *p = (int *)aligned_alloc(4096, 8192);
	device d(2048);
	stream s;
	memset(p, 0, 8192);
	cudaHostRegister(p, 8192, 0);
	cudaMemcpyAsync(d, p, 8192, cudaMemcpyHostToDevice, s);
	if (!faulty)
		cudaStreamSynchronize(s);
	p[100] = 5; // at: registered_copy
	cudaDeviceSynchronize();
	cudaHostUnregister(p);
	free(p);
}

// What is mapped for a registered page must not fill the hole that the program has left beside it.
static void registered_beside_a_hole()
{
	char *pages = (char *)mmap(nullptr, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(pages + 4096, 4096);
	cudaHostRegister(pages, 4096, cudaHostRegisterMapped);
	if (cudaHostRegister(pages + 8192 - 4, 8, 0) != cudaErrorInvalidValue)
		exit(1);
	fenced<<<1, N>>>((int *)pages);
	if (!faulty)
		cudaDeviceSynchronize();
	sum += pages[3]; // at: registered_beside_a_hole
	cudaDeviceSynchronize();
	cudaHostUnregister(pages);
}

static void event_before_the_work()
{
	managed p;
	event e;
	if (faulty)
		cudaEventRecord(e);
	fill<<<1, N>>>(p, 1);
	if (!faulty)
		cudaEventRecord(e);
	cudaEventSynchronize(e);
	sum += p[3]; // at: event_before_the_work
	cudaDeviceSynchronize();
}

static void event_of_wrong_stream()
{
	managed p;
	stream a, b;
	event e;
	fill<<<1, N, 0, a>>>(p, 1);
	cudaEventRecord(e, faulty ? b : a);
	cudaEventSynchronize(e);
	sum += p[3]; // at: event_of_wrong_stream
	cudaDeviceSynchronize();
}

static void wrong_stream()
{
	managed p;
	stream a, b;
	fill<<<1, N, 0, a>>>(p, 1);
	cudaStreamSynchronize(faulty ? b : a);
	sum += p[3]; // at: wrong_stream
	cudaDeviceSynchronize();
}

static void blocking_stream_is_not_default()
{
	managed p;
	stream a(cudaStreamDefault);
	fill<<<1, N>>>(p, 1);
	cudaStreamSynchronize(faulty ? (cudaStream_t)a : 0);
	sum += p[3]; // at: blocking_stream_is_not_default
	cudaDeviceSynchronize();
}

static void query()
{
	managed p;
	stream a;
	fill<<<1, N, 0, a>>>(p, 1);
	if (faulty)
		cudaStreamQuery(0);
	else
		while (cudaStreamQuery(a) != cudaSuccess)
			;
	sum += p[3]; // at: query
	cudaDeviceSynchronize();
}

static void event_query()
{
	managed p;
	stream a;
	event before, after;
	cudaEventRecord(before, a);
	fill<<<1, N, 0, a>>>(p, 1);
	cudaEventRecord(after, a);
	while (cudaEventQuery(faulty ? before : after) != cudaSuccess)
		;
	sum += p[3]; // at: event_query
	cudaDeviceSynchronize();
}

static void memset_managed()
{
	managed p;
	cudaMemsetAsync(p, 1, N * sizeof(int));
	if (!faulty)
		cudaStreamSynchronize(0);
	sum += p[3]; // at: memset_managed
	cudaDeviceSynchronize();
}

static void other_half()
{
	managed p;
	fill<<<1, N / 2>>>(p, 1);
	sum += p[faulty ? N / 2 - 1 : N / 2]; // at: other_half
	cudaDeviceSynchronize();
}

// --- flags

static void flag_fenced()
{
	mapped data, flag;
	volatile int *f = flag.host;
	tell<<<1, 1>>>(data, flag, true);
	if (!faulty)
		while (*f == 0)
			;
	sum += data[0]; // at: flag_fenced
	cudaDeviceSynchronize();
}

static void flag_without_fence()
{
	mapped data, flag;
	volatile int *f = flag.host;
	tell<<<1, 1>>>(data, flag, !faulty);
	while (*f == 0)
		;
	sum += data[0]; // at: flag_without_fence
	cudaDeviceSynchronize();
}

static void flag_of_the_other_part()
{
	mapped data, flag;
	volatile int *f = flag.host;
	tell_later<<<1, 1>>>(data, flag);
	while (*f == 0)
		;
	sum += data[faulty ? 1 : 0]; // at: flag_of_the_other_part
	cudaDeviceSynchronize();
}

static void flag_atomic()
{
	managed data, flag;
	std::atomic<int> *f = (std::atomic<int> *)flag.host;
	tell_all<<<1, N>>>(data, flag);
	if (!faulty)
		while (f->load(std::memory_order_acquire) == 0)
			;
	sum += data[N - 1]; // at: flag_atomic
	cudaDeviceSynchronize();
}

static void flag_for_the_kernel()
{
	mapped question, data, reply;
	volatile int *q = question.host, *r = reply.host;
	answer<<<1, 1>>>(question, data, reply);
	if (!faulty)
		data[0] = 4;
	__sync_synchronize();
	*q = 1;
	if (faulty)
		data[0] = 4; // at: flag_for_the_kernel
	while (*r == 0)
		;
	sum += data[1];
	cudaDeviceSynchronize();
}

static void reply_not_awaited()
{
	mapped question, data, reply;
	volatile int *q = question.host, *r = reply.host;
	answer<<<1, 1>>>(question, data, reply);
	data[0] = 4;
	__sync_synchronize();
	*q = 1;
	if (!faulty)
		while (*r == 0)
			;
	sum += data[1]; // at: reply_not_awaited
	cudaDeviceSynchronize();
}

// --- the host and a copy

static void pinned_changed()
{
	mapped p;
	device d;
	stream s;
	cudaMemcpyAsync(d, p, N * sizeof(int), cudaMemcpyHostToDevice, s);
	if (!faulty)
		cudaStreamSynchronize(s);
	p[7] = 1; // at: pinned_changed
	cudaDeviceSynchronize();
}

static void pinned_read()
{
	mapped p;
	device d;
	stream s;
	cudaMemcpyAsync(p, d, N * sizeof(int), cudaMemcpyDeviceToHost, s);
	if (!faulty)
		cudaStreamSynchronize(s);
	sum += p[7]; // at: pinned_read
	cudaDeviceSynchronize();
}

static void pinned_reused()
{
	mapped p(2 * N);
	device d(2 * N);
	stream s;
	for (int i = 0; i < 4; i++) {
		int *half = p + (faulty ? 0 : i % 2 * N);
		if (i > 1 && !faulty)
			cudaStreamSynchronize(s);
		half[5] = i; // at: pinned_reused
		cudaMemcpyAsync(d + i % 2 * N, half, N * sizeof(int), cudaMemcpyHostToDevice, s);
	}
	cudaDeviceSynchronize();
}

static void pinned_rows()
{
	mapped p(64 * 16);
	device d(64 * 8);
	stream s;
	cudaMemcpy2DAsync(d, 32, p, 64, 32, 64, cudaMemcpyHostToDevice, s);
	p[16 * 3 + (faulty ? 7 : 8)] = 1; // at: pinned_rows
	cudaDeviceSynchronize();
}

static void pageable_may_be_changed()
{
	static int from[N];
	mapped p;
	device d;
	stream s;
	cudaMemcpyAsync(d, faulty ? p.host : from, N * sizeof(int), cudaMemcpyHostToDevice, s);
	(faulty ? p.host : from)[3] = 1; // at: pageable_may_be_changed
	cudaDeviceSynchronize();
}

// --- two streams

static void no_event()
{
	device p, q;
	stream a, b;
	event e;
	fill<<<1, N, 0, a>>>(p, 1);
	cudaEventRecord(e, a);
	if (!faulty)
		cudaStreamWaitEvent(b, e, 0);
	take<<<1, N, 0, b>>>(p, q); // at: no_event
	cudaDeviceSynchronize();
}

static void event_too_early()
{
	device p, q;
	stream a, b;
	event e;
	if (faulty)
		cudaEventRecord(e, a);
	fill<<<1, N, 0, a>>>(p, 1);
	if (!faulty)
		cudaEventRecord(e, a);
	cudaStreamWaitEvent(b, e, 0);
	take<<<1, N, 0, b>>>(p, q); // at: event_too_early
	cudaDeviceSynchronize();
}

static void event_of_third_stream()
{
	device p, q;
	stream a, b, c;
	event e;
	fill<<<1, N, 0, a>>>(p, 1);
	cudaEventRecord(e, faulty ? c : a);
	cudaStreamWaitEvent(b, e, 0);
	take<<<1, N, 0, b>>>(p, q); // at: event_of_third_stream
	cudaDeviceSynchronize();
}

static void event_never_recorded()
{
	device p, q;
	stream a, b;
	event e;
	fill<<<1, N, 0, a>>>(p, 1);
	if (!faulty)
		cudaEventRecord(e, a);
	cudaStreamWaitEvent(b, e, 0);
	take<<<1, N, 0, b>>>(p, q); // at: event_never_recorded
	cudaDeviceSynchronize();
}

static void wait_after_the_use()
{
	device p, q;
	stream a, b;
	event e;
	fill<<<1, N, 0, a>>>(p, 1);
	cudaEventRecord(e, a);
	if (!faulty)
		cudaStreamWaitEvent(b, e, 0);
	take<<<1, N, 0, b>>>(p, q); // at: wait_after_the_use
	if (faulty)
		cudaStreamWaitEvent(b, e, 0);
	cudaDeviceSynchronize();
}

static void through_a_third_stream()
{
	device p, q;
	stream a, b, c;
	event first, second;
	fill<<<1, N, 0, a>>>(p, 1);
	cudaEventRecord(first, a);
	if (!faulty)
		cudaStreamWaitEvent(c, first, 0);
	cudaEventRecord(second, c);
	cudaStreamWaitEvent(b, second, 0);
	take<<<1, N, 0, b>>>(p, q); // at: through_a_third_stream
	cudaDeviceSynchronize();
}

static void host_waits_for_wrong_stream()
{
	device p, q;
	stream a, b;
	fill<<<1, N, 0, a>>>(p, 1);
	cudaStreamSynchronize(faulty ? b : a);
	take<<<1, N, 0, b>>>(p, q); // at: host_waits_for_wrong_stream
	cudaDeviceSynchronize();
}

static void non_blocking_and_default()
{
	device p, q;
	stream a(faulty ? cudaStreamNonBlocking : cudaStreamDefault);
	fill<<<1, N, 0, a>>>(p, 1);
	take<<<1, N>>>(p, q); // at: non_blocking_and_default
	cudaDeviceSynchronize();
}

static void default_and_non_blocking()
{
	device p, q;
	stream a(faulty ? cudaStreamNonBlocking : cudaStreamDefault);
	fill<<<1, N>>>(p, 1);
	take<<<1, N, 0, a>>>(p, q); // at: default_and_non_blocking
	cudaDeviceSynchronize();
}

static void stream_made_afterwards()
{
	device p, q;
	fill<<<1, N>>>(p, 1);
	if (!faulty)
		cudaDeviceSynchronize();
	stream a;
	take<<<1, N, 0, a>>>(p, q); // at: stream_made_afterwards
	cudaDeviceSynchronize();
}

static void two_blocking_streams()
{
	device p, q, r;
	stream a(cudaStreamDefault), b(cudaStreamDefault);
	fill<<<1, N, 0, a>>>(p, 1);
	if (!faulty)
		fill<<<1, N>>>(r, 1);
	take<<<1, N, 0, b>>>(p, q); // at: two_blocking_streams
	cudaDeviceSynchronize();
}

static void per_thread_streams()
{
	device p, q;
	std::thread([&] {
		fill<<<1, N, 0, cudaStreamPerThread>>>(p, 1);
		if (!faulty)
			cudaStreamSynchronize(cudaStreamPerThread);
	}).join();
	take<<<1, N, 0, cudaStreamPerThread>>>(p, q); // at: per_thread_streams
	cudaDeviceSynchronize();
}

static void per_thread_and_default()
{
	device p, q;
	stream a;
	fill<<<1, N, 0, faulty ? (cudaStream_t)a : cudaStreamPerThread>>>(p, 1);
	take<<<1, N>>>(p, q); // at: per_thread_and_default
	cudaDeviceSynchronize();
}

static void copy_and_kernel()
{
	mapped p;
	device d;
	stream a, b;
	cudaMemcpyAsync(d, p, N * sizeof(int), cudaMemcpyHostToDevice, a);
	twice<<<1, N, 0, faulty ? b : a>>>(d); // at: copy_and_kernel
	cudaDeviceSynchronize();
}

static void kernel_and_copy_back()
{
	static int back[N];
	device d;
	stream a;
	fill<<<1, N, 0, a>>>(d, 1);
	if (!faulty)
		cudaStreamSynchronize(a);
	cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost); // at: kernel_and_copy_back
	sum += back[1];
	cudaDeviceSynchronize();
}

static void two_copies()
{
	mapped p;
	device d(2 * N);
	stream a, b;
	cudaMemcpyAsync(d, p, N * sizeof(int), cudaMemcpyHostToDevice, a);
	cudaMemcpyAsync(d + (faulty ? N / 2 : N), p, N * sizeof(int), cudaMemcpyHostToDevice, b); // at: two_copies
	cudaDeviceSynchronize();
}

static void columns()
{
	mapped p;
	device d;
	stream a, b;
	cudaMemcpy2DAsync(d, 64, p, 64, 32, 16, cudaMemcpyHostToDevice, a);
	cudaMemcpy2DAsync(d + (faulty ? 7 : 8), 64, p + 8, 64, 32, 15, cudaMemcpyHostToDevice, b); // at: columns
	cudaDeviceSynchronize();
}

static void fill_and_kernel()
{
	device p, q;
	stream a, b;
	cudaMemsetAsync(p, 0, N * sizeof(int), a);
	take<<<1, N, 0, faulty ? b : a>>>(p, q); // at: fill_and_kernel
	cudaDeviceSynchronize();
}

static void overlapping_parts()
{
	device p(2 * N);
	stream a, b;
	fill<<<1, N, 0, a>>>(p, 1);
	fill<<<1, N, 0, b>>>(p + (faulty ? N - 1 : N), 2); // at: overlapping_parts
	cudaDeviceSynchronize();
}

static void odd_and_even_bytes()
{
	device p;
	stream a, b;
	bytes<<<1, N, 0, a>>>((unsigned char *)p.p, 0);
	bytes<<<1, N, 0, b>>>((unsigned char *)p.p, faulty ? 2 : 1); // at: odd_and_even_bytes
	cudaDeviceSynchronize();
}

static void both_read()
{
	device p, q, r;
	stream a, b;
	take<<<1, N, 0, a>>>(p, q);
	take<<<1, N, 0, b>>>(p, faulty ? q : r); // at: both_read
	cudaDeviceSynchronize();
}

static void atomics_and_a_store()
{
	device p;
	stream a, b;
	add_one<<<1, N, 0, a>>>(p);
	if (faulty)
		fill<<<1, N, 0, b>>>(p, 1); // at: atomics_and_a_store
	else
		add_one<<<1, N, 0, b>>>(p);
	cudaDeviceSynchronize();
}

static void write_after_read()
{
	device p, q;
	stream a, b;
	event e;
	take<<<1, N, 0, a>>>(p, q);
	cudaEventRecord(e, a);
	if (!faulty)
		cudaStreamWaitEvent(b, e, 0);
	fill<<<1, N, 0, b>>>(p, 3); // at: write_after_read
	cudaDeviceSynchronize();
}

static void double_buffer()
{
	mapped p(4 * N);
	device d(2 * N), q(2 * N);
	stream copies, kernels;
	event loaded[2], used[2];
	for (int i = 0; i < 4; i++) {
		int k = i % 2;
		if (i > 1 && !faulty)
			cudaStreamWaitEvent(copies, used[k], 0);
		cudaMemcpyAsync(d + k * N, p + i * N, N * sizeof(int), cudaMemcpyHostToDevice, copies); // at: double_buffer
		cudaEventRecord(loaded[k], copies);
		cudaStreamWaitEvent(kernels, loaded[k], 0);
		take<<<1, N, 0, kernels>>>(d + k * N, q + k * N);
		cudaEventRecord(used[k], kernels);
	}
	cudaDeviceSynchronize();
}

static void variable_of_the_device()
{
	device q;
	stream a, b;
	fill_table<<<1, N, 0, a>>>(1);
	read_table<<<1, N, 0, faulty ? b : a>>>(q); // at: variable_of_the_device
	cudaDeviceSynchronize();
}

static void set(void *p)
{
	((std::atomic<int> *)p)->store(1);
}

static void host_function()
{
	device p, q;
	stream a, b;
	std::atomic<int> done(0);
	fill<<<1, N, 0, a>>>(p, 1);
	if (!faulty) {
		cudaLaunchHostFunc(a, set, &done);
		while (!done)
			;
	}
	take<<<1, N, 0, b>>>(p, q); // at: host_function
	cudaDeviceSynchronize();
}

// --- memory that is given back

static void freed_in_another_stream()
{
	int *p;
	stream a, b;
	event e;
	cudaMallocAsync(&p, N * sizeof(int), a);
	fill<<<1, N, 0, a>>>(p, 1);
	cudaEventRecord(e, a);
	if (!faulty)
		cudaStreamWaitEvent(b, e, 0);
	cudaFreeAsync(p, b); // at: freed_in_another_stream
	cudaDeviceSynchronize();
}

static void made_in_another_stream()
{
	int *p;
	stream a, b;
	event e;
	cudaMallocAsync(&p, N * sizeof(int), a);
	cudaEventRecord(e, a);
	if (!faulty)
		cudaStreamWaitEvent(b, e, 0);
	fill<<<1, N, 0, b>>>(p, 1); // at: made_in_another_stream
	cudaDeviceSynchronize();
	cudaFree(p);
}

static void freed_without_waiting()
{
	int *p;
	stream a;
	cudaMallocAsync(&p, N * sizeof(int), a);
	fill<<<1, N, 0, a>>>(p, 1);
	if (!faulty)
		cudaStreamSynchronize(a);
	cudaFree(p); // at: freed_without_waiting
	cudaDeviceSynchronize();
}

static void freed_by_default_stream()
{
	int *p;
	stream a(faulty ? cudaStreamNonBlocking : cudaStreamDefault);
	cudaMallocAsync(&p, N * sizeof(int), a);
	fill<<<1, N, 0, a>>>(p, 1);
	cudaFreeAsync(p, 0); // at: freed_by_default_stream
	cudaDeviceSynchronize();
}

// --- graphs

static void run_graph(cudaGraph_t graph)
{
	cudaGraphExec_t exec;
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, 0);
	cudaDeviceSynchronize();
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

static void graph_built()
{
	device p, q;
	int *from = p, *to = q, value = 1;
	cudaGraph_t graph;
	cudaGraphNode_t first, second;
	void *fill_args[] = {&from, &value}, *take_args[] = {&from, &to};
	cudaKernelNodeParams a = {}, b = {};
	a.func = (void *)fill;
	b.func = (void *)take;
	a.gridDim = b.gridDim = dim3(1);
	a.blockDim = b.blockDim = dim3(N);
	a.kernelParams = fill_args;
	b.kernelParams = take_args;
	cudaGraphCreate(&graph, 0);
	cudaGraphAddKernelNode(&first, graph, nullptr, 0, &a);
	cudaGraphAddKernelNode(&second, graph, &first, faulty ? 0 : 1, &b); // at: graph_built
	run_graph(graph);
}

static void graph_captured()
{
	device p, q, r;
	stream a, b;
	event fork, join, between;
	cudaGraph_t graph;
	cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
	cudaEventRecord(fork, a);
	cudaStreamWaitEvent(b, fork, 0);
	fill<<<1, N, 0, a>>>(p, 1);
	cudaEventRecord(between, a);
	if (!faulty)
		cudaStreamWaitEvent(b, between, 0);
	take<<<1, N, 0, b>>>(p, q); // at: graph_captured
	cudaEventRecord(join, b);
	cudaStreamWaitEvent(a, join, 0);
	take<<<1, N, 0, a>>>(q, r);
	cudaStreamEndCapture(a, &graph);
	run_graph(graph);
}

static void graphs_in_two_streams()
{
	device p;
	stream a, b;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
	twice<<<1, N, 0, a>>>(p); // at: graphs_in_two_streams
	cudaStreamEndCapture(a, &graph);
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, a);
	twice<<<1, N, 0, faulty ? b : a>>>(p); // at: graphs_in_two_streams
	cudaDeviceSynchronize();
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

static void graph_and_the_host()
{
	managed p;
	stream a;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
	twice<<<1, N, 0, a>>>(p);
	cudaStreamEndCapture(a, &graph);
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, a);
	if (!faulty)
		cudaStreamSynchronize(a);
	sum += p[1]; // at: graph_and_the_host
	cudaDeviceSynchronize();
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

// PAIR(NAME) // KIND TEXT: with the fault, a problem of that kind (src/runtime/report/problems.def) is told at a line that is marked with the
// name, and has the text. Labels were written before the programs were first run.
static const struct {
	const char *name;
	void (*run)();
} pairs[] = {
#define PAIR(name) {#name, name},
	PAIR(mapped_fence)                   // unsynchronized the host reads memory that fenced<<<1, 256>>>
	PAIR(mapped_volatile)                // unsynchronized the host reads memory that volatile_fill<<<1, 256>>>
	PAIR(mapped_system_atomic)           // unsynchronized the host reads memory that count<<<1, 256>>>
	PAIR(mapped_plain)                   // unsynchronized the host reads memory that fill<<<1, 256>>>
	PAIR(mapped_written)                 // unsynchronized the host writes to memory that take<<<1, 256>>>
	PAIR(managed_plain)                  // unsynchronized the host reads memory that fill<<<1, 256>>>
	PAIR(managed_fence)                  // unsynchronized the host reads memory that fenced<<<1, 256>>>
	PAIR(managed_in_struct)              // unsynchronized the host reads memory that follow<<<1, 256>>>
	PAIR(managed_variable)               // unsynchronized the host reads memory that fill_managed<<<1, 256>>>
	PAIR(managed_other_byte)             // unsynchronized the host writes to memory that bytes<<<1, 256>>>
	PAIR(registered)                     // unsynchronized the host reads memory that fenced<<<1, 256>>>
	PAIR(registered_copy)                // unsynchronized the host writes to memory that a copy
	PAIR(registered_beside_a_hole)       // unsynchronized the host reads memory that fenced<<<1, 256>>>
	PAIR(event_before_the_work)          // unsynchronized the host reads memory that fill<<<1, 256>>>
	PAIR(event_of_wrong_stream)          // unsynchronized the host reads memory that fill<<<1, 256>>>
	PAIR(wrong_stream)                   // unsynchronized cudaStreamSynchronize() of stream 1
	PAIR(blocking_stream_is_not_default) // unsynchronized cudaStreamSynchronize() of the default stream
	PAIR(query)                          // unsynchronized the host reads memory that fill<<<1, 256>>>
	PAIR(event_query)                    // unsynchronized the host reads memory that fill<<<1, 256>>>
	PAIR(memset_managed)                 // unsynchronized the host reads memory that a fill (cudaMemset)
	PAIR(other_half)                     // unsynchronized the host reads memory that fill<<<1, 128>>>
	PAIR(flag_fenced)                    // unsynchronized the host reads memory that tell<<<1, 1>>>
	PAIR(flag_without_fence)             // unsynchronized the host reads memory that tell<<<1, 1>>>
	PAIR(flag_of_the_other_part)         // unsynchronized the host reads memory that tell_later<<<1, 1>>>
	PAIR(flag_atomic)                    // unsynchronized the host reads memory that tell_all<<<1, 256>>>
	PAIR(flag_for_the_kernel)            // unsynchronized the host writes to memory that answer<<<1, 1>>>
	PAIR(reply_not_awaited)              // unsynchronized the host reads memory that answer<<<1, 1>>>
	PAIR(pinned_changed)                 // unsynchronized the host writes to memory that a copy
	PAIR(pinned_read)                    // unsynchronized the host reads memory that a copy
	PAIR(pinned_reused)                  // unsynchronized the host writes to memory that a copy
	PAIR(pinned_rows)                    // unsynchronized the host writes to memory that a copy
	PAIR(pageable_may_be_changed)        // unsynchronized the host writes to memory that a copy
	PAIR(no_event)                       // unordered take<<<1, 256>>> in stream 2 reads memory that fill<<<1, 256>>>
	PAIR(event_too_early)                // unordered cudaStreamWaitEvent
	PAIR(event_of_third_stream)          // unordered in stream 1 writes to
	PAIR(event_never_recorded)           // unordered take<<<1, 256>>> in stream 2 reads
	PAIR(wait_after_the_use)             // unordered take<<<1, 256>>> in stream 2 reads
	PAIR(through_a_third_stream)         // unordered take<<<1, 256>>> in stream 2 reads
	PAIR(host_waits_for_wrong_stream)    // unordered take<<<1, 256>>> in stream 2 reads
	PAIR(non_blocking_and_default)       // unordered do not wait for each other
	PAIR(default_and_non_blocking)       // unordered do not wait for each other
	PAIR(stream_made_afterwards)         // unordered in the default stream writes to
	PAIR(two_blocking_streams)           // unordered take<<<1, 256>>> in stream 2 reads
	PAIR(per_thread_streams)             // unordered a thread's default stream
	PAIR(per_thread_and_default)         // unordered do not wait for each other
	PAIR(copy_and_kernel)                // unordered memory that a copy
	PAIR(kernel_and_copy_back)           // unordered a cudaStreamSynchronize() of the first's stream
	PAIR(two_copies)                     // unordered a copy in stream 2 writes to memory that a copy
	PAIR(columns)                        // unordered a copy in stream 2 writes to memory that a copy
	PAIR(fill_and_kernel)                // unordered memory that a fill (cudaMemset)
	PAIR(overlapping_parts)              // unordered 1020 bytes into 2048 bytes
	PAIR(odd_and_even_bytes)             // unordered bytes<<<1, 256>>> in stream 2 writes to memory that bytes<<<1, 256>>>
	PAIR(both_read)                      // unordered take<<<1, 256>>> in stream 2 writes to
	PAIR(atomics_and_a_store)            // unordered memory that add_one<<<1, 256>>>
	PAIR(write_after_read)               // unordered fill<<<1, 256>>> in stream 2 writes to memory that take<<<1, 256>>>
	PAIR(double_buffer)                  // unordered a copy in stream 1 writes to memory that take<<<1, 256>>>
	PAIR(variable_of_the_device)         // unordered read_table<<<1, 256>>> in stream 2 reads memory that fill_table<<<1, 256>>>
	PAIR(host_function)                  // unordered take<<<1, 256>>> in stream 2 reads
	PAIR(freed_in_another_stream)        // unordered cudaFreeAsync in stream 2 frees memory that fill<<<1, 256>>>
	PAIR(made_in_another_stream)         // unordered writes to memory that cudaMallocAsync
	PAIR(freed_without_waiting)          // unordered cudaFree frees memory that fill<<<1, 256>>>
	PAIR(freed_by_default_stream)        // unordered cudaFreeAsync in the default stream frees
	PAIR(graph_built)                    // unordered an edge between the two nodes of the graph is missing
	PAIR(graph_captured)                 // unordered an edge between the two nodes of the graph is missing
	PAIR(graphs_in_two_streams)          // unordered twice<<<1, 256>>> in stream 2
	PAIR(graph_and_the_host)             // unsynchronized the host reads memory that twice<<<1, 256>>>
};

// pairs NAME (with|without)
int main(int argc, char **argv)
{
	faulty = argc > 2 && strcmp(argv[2], "with") == 0;
	for (auto &pair : pairs)
		if (argc > 1 && strcmp(argv[1], pair.name) == 0) {
			pair.run();
			return sum == -1;
		}
	return 2;
}
