// Shuffles of every kind and type, votes, ballots, matches and reductions of a warp.
// out: 496 496 31 5.5 8589934591
// out: any 1, all 0, ballot 0x88888888
// out: 8 lanes like lane 5, all alike: 0
#include <cstdio>

__global__ void vote(long long *out)
{
	const unsigned full = 0xFFFFFFFF;
	int lane = threadIdx.x, sum = lane, up = lane;
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_xor_sync(full, sum, step);
	for (int step = 1; step < 32; step *= 2) {
		int other = __shfl_up_sync(full, up, step);
		up += lane >= step ? other : 0;
	}
	int last = __shfl_sync(full, lane, 31);
	double half = __shfl_down_sync(full, lane * 0.5, 1, 16);
	unsigned long long wide = __shfl_sync(full, 0x1FFFFFFFEull + lane, 1);
	int any = __any_sync(full, lane == 7), all = __all_sync(full, lane < 31), same;
	unsigned ballot = __ballot_sync(full, lane % 4 == 3), like = __match_any_sync(full, lane % 4);
	__match_all_sync(full, lane / 16, &same);
	long long results[] = {sum, up, last, (long long)(half * 10), (long long)wide, any, all, ballot, __popc(like), same};
	if (lane == 31)
		out[1] = results[1];
	if (lane == 10)
		out[3] = results[3];
	if (lane == 5)
		for (int i = 0; i < 10; i++)
			if (i != 1 && i != 3)
				out[i] = results[i];
}

int main()
{
	long long *d, h[10];
	cudaMalloc(&d, sizeof h);
	vote<<<1, 32>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%lld %lld %lld %g %lld\n", h[0], h[1], h[2], h[3] / 10.0, h[4]);
	printf("any %lld, all %lld, ballot 0x%llx\n%lld lanes like lane 5, all alike: %lld\n", h[5], h[6], h[7], h[8], h[9]);
}
