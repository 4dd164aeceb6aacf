// Its requests read neighbors, but half of the elements are not copied.
extern "C" __global__ void copy_four(const float *in, float *out, unsigned n)
{
	unsigned first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	#pragma unroll 1
	for (unsigned k = 0; k < 2; k++)
		if (first + k * threads < n)
			out[first + k * threads] = in[first + k * threads]; //@ read
}
