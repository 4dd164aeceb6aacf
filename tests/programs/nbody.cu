// Bodies that attract one another: tiles of positions in shared memory, leapfrog steps; as the host computes it.
// out: 96 bodies after 5 steps: as on the host
// out: momentum is kept
#include <cmath>
#include <cstdio>
#include <vector>

const int n = 96, tile = 32;
const float dt = 0.01f, softening = 0.01f;

__host__ __device__ float3 pull(float4 from, float4 to, float3 sum)
{
	float x = to.x - from.x, y = to.y - from.y, z = to.z - from.z;
	float square = x * x + y * y + z * z + softening, inverse = 1 / sqrtf(square);
	float weight = to.w * inverse * inverse * inverse;
	return make_float3(sum.x + x * weight, sum.y + y * weight, sum.z + z * weight);
}

__global__ void forces(const float4 *at, float3 *velocity)
{
	__shared__ float4 near[tile];
	int i = blockIdx.x * tile + threadIdx.x;
	float3 sum = make_float3(0, 0, 0);
	for (int base = 0; base < n; base += tile) {
		near[threadIdx.x] = at[base + threadIdx.x];
		__syncthreads();
		for (int j = 0; j < tile; j++)
			sum = pull(at[i], near[j], sum);
		__syncthreads();
	}
	velocity[i].x += sum.x * dt;
	velocity[i].y += sum.y * dt;
	velocity[i].z += sum.z * dt;
}

__global__ void move(float4 *at, const float3 *velocity)
{
	int i = blockIdx.x * tile + threadIdx.x;
	at[i].x += velocity[i].x * dt;
	at[i].y += velocity[i].y * dt;
	at[i].z += velocity[i].z * dt;
}

int main()
{
	std::vector<float4> at(n), found(n);
	std::vector<float3> velocity(n, make_float3(0, 0, 0)), speeds(n);
	unsigned seed = 1;
	auto random = [&seed] { return (seed = seed * 1664525 + 1013904223) / 4294967296.0f; };
	for (auto &a : at)
		a = make_float4(random(), random(), random(), 1);
	float4 *d;
	float3 *dv;
	cudaMalloc(&d, n * sizeof *d);
	cudaMalloc(&dv, n * sizeof *dv);
	cudaMemcpy(d, at.data(), n * sizeof *d, cudaMemcpyHostToDevice);
	cudaMemcpy(dv, velocity.data(), n * sizeof *dv, cudaMemcpyHostToDevice);
	for (int step = 0; step < 5; step++) {
		forces<<<n / tile, tile>>>(d, dv);
		move<<<n / tile, tile>>>(d, dv);
		for (int i = 0; i < n; i++) {
			float3 sum = make_float3(0, 0, 0);
			for (int j = 0; j < n; j++)
				sum = pull(at[i], at[j], sum);
			velocity[i].x += sum.x * dt, velocity[i].y += sum.y * dt, velocity[i].z += sum.z * dt;
		}
		for (int i = 0; i < n; i++)
			at[i].x += velocity[i].x * dt, at[i].y += velocity[i].y * dt, at[i].z += velocity[i].z * dt;
	}
	cudaMemcpy(found.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost);
	cudaMemcpy(speeds.data(), dv, n * sizeof *dv, cudaMemcpyDeviceToHost);
	double worst = 0, momentum = 0;
	for (int i = 0; i < n; i++) {
		worst = std::fmax(worst, std::fabs(found[i].x - at[i].x) + std::fabs(found[i].y - at[i].y));
		momentum += speeds[i].x + speeds[i].y + speeds[i].z;
	}
	printf("%d bodies after 5 steps: %s\n", n, worst < 1e-2 ? "as on the host" : "different from the host");
	puts(std::fabs(momentum) < 1e-2 ? "momentum is kept" : "momentum is not kept");
}
