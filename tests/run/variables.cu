// For the debugger: variables in registers, in local memory, shared, constant and global ones, parameters, and a function's; and a function of the host.
struct point {
	float x, y;
	int n;
};
enum color { RED, GREEN = 5 };
__device__ int total = 40;
__constant__ short table[2][3] = {{1, 2, 3}, {4, 5, 6}};

__device__ __noinline__ float scaled(const point *p, float by)
{
	float sum = p->x + p->y;
	for (int k = 0; k < p->n; k++)
		sum *= by;
	return sum;
}

int of_the_host(int n)
{
	return n + 1;
}

extern "C" __global__ void variables(int *out, point p, const float *in, int n)
{
	__shared__ float tile[32];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int last[4] = {0, 1, 2, 3};
	bool odd = i & 1;
	color c = odd ? RED : GREEN;
	point q = p;
	q.x += i;
	tile[threadIdx.x] = in[i];
	__syncthreads();
	double sum = 0;
	for (int j = 0; j < n; j++) {
		float t = tile[j] * q.x;
		sum += t;
		last[j & 3] += j;
	}
	unsigned char letter = 'a' + n;
	long long big = (long long)sum * table[1][2];
	sum += scaled(&q, 2);
	out[i] = (int)sum + c + last[n & 3] + (int)big + letter + total;
}
