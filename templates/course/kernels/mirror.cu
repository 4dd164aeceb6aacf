// Each thread copies the element that its own index makes with some bits flipped: flip 1 swaps neighbors, flip 31 reverses a warp.
extern "C" __global__ void mirror(const float *in, float *out, unsigned flip)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[i ^ flip]; //@ read
}
