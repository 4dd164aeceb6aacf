// Virtual functions on the device, of objects that a kernel made; pointers to functions in a table.
// out: areas 12 3.14159 0.5
// out: 5 1 6
#include <cstdio>

struct shape {
	__device__ virtual float area() const = 0;
};
struct box : shape {
	float a, b;
	__device__ box(float a, float b) : a(a), b(b) {}
	__device__ float area() const override { return a * b; }
};
struct disc : shape {
	float r;
	__device__ disc(float r) : r(r) {}
	__device__ float area() const override { return 3.14159265f * r * r; }
};
struct triangle : box {
	__device__ triangle(float a, float b) : box(a, b) {}
	__device__ float area() const override { return box::area() / 2; }
};

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
typedef int (*operation)(int, int);
__device__ operation operations[] = {add, subtract, multiply};

__global__ void make(shape **shapes)
{
	shapes[0] = new box(3, 4);
	shapes[1] = new disc(1);
	shapes[2] = new triangle(1, 1);
}

__global__ void measure(shape **shapes, float *areas, int *results)
{
	areas[threadIdx.x] = shapes[threadIdx.x]->area();
	results[threadIdx.x] = operations[threadIdx.x](3, 2);
	delete shapes[threadIdx.x];
}

int main()
{
	shape **shapes;
	float *areas, a[3];
	int *results, r[3];
	cudaMalloc(&shapes, 3 * sizeof *shapes);
	cudaMalloc(&areas, sizeof a);
	cudaMalloc(&results, sizeof r);
	make<<<1, 1>>>(shapes);
	measure<<<1, 3>>>(shapes, areas, results);
	cudaMemcpy(a, areas, sizeof a, cudaMemcpyDeviceToHost);
	cudaMemcpy(r, results, sizeof r, cudaMemcpyDeviceToHost);
	printf("areas %g %g %g\n%d %d %d\n", a[0], a[1], a[2], r[0], r[1], r[2]);
}
