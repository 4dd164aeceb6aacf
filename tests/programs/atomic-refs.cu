// cuda::atomic_ref and cuda::atomic: counts, maxima, a message with a flag, a lock, sums by compare and exchange, on both sides.
// out: 512 threads, maximum 499, minimum -12, bits ff
// out: the message is 42, the flag true
// out: 20 under the lock, 3 from the host
// out: sums 64 and 32, product 256
// out: block: 192, then 5 by exchange
#include <cuda/atomic>
#include <cstdio>

using device_int = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ cuda::atomic<unsigned long long, cuda::thread_scope_device> visits;
__device__ int message;
__device__ cuda::atomic<bool, cuda::thread_scope_device> ready;

struct shared_values {
	int most, least, locked, lock, sum_of_block, exchanged, received;
	unsigned int bits;
	float sum;
	double exact;
	int product;
	bool flag;
};

__global__ void count(shared_values *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	visits.fetch_add(1, cuda::std::memory_order_relaxed);
	device_int(v->most).fetch_max(i * 7 % 500, cuda::memory_order_relaxed);
	device_int(v->least).fetch_min(i % 40 - 12);
	cuda::atomic_ref<unsigned int, cuda::thread_scope_device> bits(v->bits);
	bits |= 1u << i % 8;
}

__global__ void tell(shared_values *v)
{
	if (blockIdx.x == 0) {
		message = 42;
		ready.store(true, cuda::memory_order_release);
	} else {
		while (!ready.load(cuda::memory_order_acquire))
			;
		v->received = message;
		v->flag = ready;
	}
}

__global__ void lock(shared_values *v)
{
	device_int lock(v->lock);
	if (threadIdx.x == 0) {
		while (lock.exchange(1, cuda::memory_order_acquire))
			;
		v->locked++;
		lock.store(0, cuda::memory_order_release);
	}
}

__global__ void sum(shared_values *v)
{
	cuda::atomic_ref<float, cuda::thread_scope_device>(v->sum).fetch_add(0.5f);
	cuda::atomic_ref<double> exact(v->exact);
	double was = exact.load();
	while (!exact.compare_exchange_weak(was, was + 0.25))
		;
	device_int product(v->product);
	int old = product.load(cuda::memory_order_relaxed);
	while (threadIdx.x < 4 && !product.compare_exchange_strong(old, old * 2, cuda::memory_order_relaxed))
		;
}

__global__ void block(shared_values *v)
{
	__shared__ cuda::atomic<int, cuda::thread_scope_block> a;
	if (threadIdx.x == 0)
		a = 0;
	__syncthreads();
	a.fetch_add(3);
	a--;
	__syncthreads();
	if (threadIdx.x == 0) {
		v->sum_of_block = a.exchange(5);
		v->exchanged = a.load();
	}
}

int main()
{
	shared_values *v;
	cudaMallocManaged(&v, sizeof *v);
	*v = {};
	v->product = 1;
	count<<<4, 128>>>(v);
	tell<<<2, 1>>>(v);
	lock<<<20, 32>>>(v);
	sum<<<2, 64>>>(v);
	block<<<1, 96>>>(v);
	cudaDeviceSynchronize();
	unsigned long long seen;
	cudaMemcpyFromSymbol(&seen, visits, sizeof seen);
	printf("%llu threads, maximum %d, minimum %d, bits %x\n", seen, v->most, v->least, v->bits);
	printf("the message is %d, the flag %s\n", v->received, v->flag ? "true" : "false");
	int mine = 1;
	cuda::atomic_ref<int> host(mine);
	host++;
	host += 1;
	printf("%d under the lock, %d from the host\n", v->locked, host.load());
	printf("sums %g and %g, product %d\n", v->sum, v->exact, v->product);
	printf("block: %d, then %d by exchange\n", v->sum_of_block, v->exchanged);
	cudaFree(v);
}
