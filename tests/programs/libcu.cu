// libcu++ as programs use it: barriers, copies to shared memory in stages, latches, semaphores, and cuda::std.
// out: barrier 2016 64
// out: copies 1 1 1 1
// out: roles 8128
// out: latch 32
// out: semaphore 64
// out: std 10 3 5 7 2147483647 9 1
// nvcc: -arch=compute_80
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda_pipeline.h>
#include <cstdio>
#include <new>
namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void barriers(int *out)
{
	__shared__ block_barrier bar;
	__shared__ int part[64];
	if (threadIdx.x == 0)
		init(&bar, blockDim.x);
	__syncthreads();
	part[threadIdx.x] = (int)threadIdx.x;
	block_barrier::arrival_token token = bar.arrive();
	bar.wait(std::move(token));
	int sum = 0;
	for (int i = 0; i < 64; i++)
		sum += part[(i + threadIdx.x) % 64];
	bar.arrive_and_wait();
	part[threadIdx.x] = sum;
	bar.arrive_and_wait();
	if (threadIdx.x == 63)
		out[0] = part[0], out[1] = part[5] == 2016 ? 64 : -1;
}

__global__ void copies(const int *in, int *out)
{
	auto block = cg::this_thread_block();
	__shared__ alignas(16) int a[256], b[2][64], c[64], d[64];
	__shared__ block_barrier bar;
	if (block.thread_rank() == 0)
		init(&bar, block.size());
	block.sync();
	cuda::memcpy_async(block, a, in, cuda::aligned_size_t<16>(sizeof a), bar);
	bar.arrive_and_wait();
	int wrong = 0, t = (int)block.thread_rank();
	for (int i = t; i < 256; i += (int)block.size())
		wrong += a[i] != i;
	out[t] = wrong == 0;
	block.sync();

	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
	auto pipe = cuda::make_pipeline(block, &state);
	wrong = 0;
	for (int i = 0; i < 5; i++) {
		if (i < 4) {
			pipe.producer_acquire();
			cuda::memcpy_async(block, b[i % 2], in + 64 * i, sizeof b[0], pipe);
			pipe.producer_commit();
		}
		if (i > 0) {
			pipe.consumer_wait();
			wrong += b[(i - 1) % 2][63 - t] != 64 * (i - 1) + 63 - t;
			pipe.consumer_release();
		}
	}
	out[64 + t] = wrong == 0;

	auto own = cuda::make_pipeline();
	own.producer_acquire();
	cuda::memcpy_async(&c[t], &in[t + 3], sizeof(int), own);
	own.producer_commit();
	own.consumer_wait();
	out[128 + t] = c[t] == t + 3;
	own.consumer_release();

	__pipeline_memcpy_async(&d[t], &in[t + 7], 4);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	out[192 + t] = d[t] == t + 7;
}

// One warp fetches, the other adds.
__global__ void roles(const int *in, int *out)
{
	auto block = cg::this_thread_block();
	__shared__ int stage[2][32];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
	bool fetches = block.thread_rank() < 32;
	auto pipe = cuda::make_pipeline(block, &state, fetches ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
	auto warp = cg::tiled_partition<32>(block);
	int sum = 0;
	for (int i = 0; i < 4; i++)
		if (fetches) {
			pipe.producer_acquire();
			cuda::memcpy_async(warp, stage[i % 2], in + 32 * i, sizeof stage[0], pipe);
			pipe.producer_commit();
		} else {
			pipe.consumer_wait();
			sum += stage[i % 2][warp.thread_rank()];
			pipe.consumer_release();
		}
	if (!fetches)
		atomicAdd(out, sum);
}

__global__ void counted(int *out)
{
	using latch_t = cuda::latch<cuda::thread_scope_block>;
	using lock_t = cuda::binary_semaphore<cuda::thread_scope_block>;
	alignas(16) __shared__ unsigned char bytes[sizeof(latch_t)], more[sizeof(lock_t)];
	__shared__ int before, n;
	latch_t &latch = *reinterpret_cast<latch_t *>(bytes);
	lock_t &lock = *reinterpret_cast<lock_t *>(more);
	if (threadIdx.x == 0) {
		new (&latch) latch_t(32);
		new (&lock) lock_t(1);
		before = n = 0;
	}
	__syncthreads();
	if (threadIdx.x < 32) {
		atomicAdd(&before, 1);
		latch.count_down();
	} else {
		latch.wait();
		if (threadIdx.x == 40)
			out[0] = before;
	}
	lock.acquire();
	n = n + 1;
	lock.release();
	__syncthreads();
	out[1] = n;
}

template <typename T> __device__ T sum_of(cuda::std::span<const T> all)
{
	T sum{};
	for (const T &one : all)
		sum += one;
	return sum;
}
__global__ void standard(int *out)
{
	cuda::std::array<int, 4> a = {1, 2, 3, 4};
	out[0] = sum_of(cuda::std::span<const int>(a.data(), a.size()));
	cuda::std::tuple<int, float> t = cuda::std::make_tuple(3, 2.5f);
	out[1] = cuda::std::get<0>(t);
	cuda::std::pair<int, int> p(7, 5);
	cuda::std::swap(p.first, p.second);
	out[2] = p.first;
	cuda::std::optional<int> o;
	out[3] = o.value_or(7);
	out[4] = cuda::std::numeric_limits<int>::max();
	o = 9;
	out[5] = o ? *o : 0;
	out[6] = cuda::std::is_same<decltype(a)::value_type, int>::value && cuda::std::is_integral_v<short>;
}
int main()
{
	int h[256], *in, *out;
	for (int i = 0; i < 256; i++)
		h[i] = i;
	cudaMalloc(&in, sizeof h);
	cudaMalloc(&out, sizeof h);
	cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
	barriers<<<1, 64>>>(out);
	cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
	printf("barrier %d %d\n", h[0], h[1]);
	copies<<<1, 64>>>(in, out);
	cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
	for (int k = 0; k < 4; k++)
		for (int i = 1; i < 64; i++)
			h[64 * k] &= h[64 * k + i];
	printf("copies %d %d %d %d\n", h[0], h[64], h[128], h[192]);
	cudaMemset(out, 0, sizeof h);
	roles<<<1, 64>>>(in, out);
	cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
	printf("roles %d\n", h[0]);
	counted<<<1, 64>>>(out);
	cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
	printf("latch %d\nsemaphore %d\n", h[0], h[1]);
	standard<<<1, 1>>>(out);
	cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
	printf("std %d %d %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6]);
	cudaFree(in);
	cudaFree(out);
}
