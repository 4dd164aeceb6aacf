// What arguments can say: structs with pointers, functions, variables, several launches. No results but those that are asked for.

struct view {
	unsigned n;
	const float *in;
	float scale[3];
	float *out;
};

__constant__ float coef[4];
__device__ unsigned total = 5;
__device__ unsigned *where;

__device__ float twice(float x)
{
	return 2 * x;
}

__device__ float negate(float x)
{
	return -x;
}

extern "C" __global__ void apply(struct view v, float (*f)(float))
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < v.n)
		v.out[i] = f(v.in[i]) * v.scale[i % 3] + coef[i % 4];
}

__global__ void clear(unsigned *table, unsigned n)
{
	if (threadIdx.x < n)
		table[threadIdx.x] = 0xFFFFFFFF;
	if (threadIdx.x == 0)
		total *= 2;
}

template <int STEP> __global__ void insert(unsigned *table, const unsigned *keys)
{
	if (table[threadIdx.x] == 0xFFFFFFFF)
		table[threadIdx.x] = keys[threadIdx.x] + STEP * total;
}
template __global__ void insert<1>(unsigned *, const unsigned *);
template __global__ void insert<2>(unsigned *, const unsigned *);

__global__ void store_there(unsigned value)
{
	where[threadIdx.x] = value;
}

__global__ void sum_dynamic(const float *in, float *out)
{
	extern __shared__ float tile[];
	tile[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

// Addresses taken somewhere, so that the functions are kept.
__device__ float (*kept[])(float) = {twice, negate};
