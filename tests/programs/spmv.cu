// A sparse matrix times a vector, compressed rows, a warp for each row.
// out: 64 rows as on the host, the last -63
#include <cstdio>
#include <vector>

__global__ void multiply(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
	int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	if (row >= rows)
		return;
	float sum = 0;
	for (int i = starts[row] + lane; i < starts[row + 1]; i += 32)
		sum += values[i] * x[columns[i]];
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_down_sync(0xFFFFFFFF, sum, step);
	if (lane == 0)
		y[row] = sum;
}

template <typename T> static T *upload(const std::vector<T> &v)
{
	T *d;
	cudaMalloc(&d, v.size() * sizeof(T));
	cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
	return d;
}

int main()
{
	const int n = 64;
	std::vector<int> starts{0}, columns;
	std::vector<float> values, x(n), y(n), found(n);
	for (int row = 0; row < n; row++) {
		for (int column = row % 2 ? row : 0; column < n; column += row % 2 ? 1 : 7) {
			columns.push_back(column);
			values.push_back(row % 2 ? -1.0f : 2.0f);
		}
		starts.push_back((int)columns.size());
		x[row] = row;
	}
	for (int row = 0; row < n; row++)
		for (int i = starts[row]; i < starts[row + 1]; i++)
			y[row] += values[i] * x[columns[i]];
	float *d;
	cudaMalloc(&d, n * sizeof(float));
	multiply<<<n * 32 / 128, 128>>>(upload(starts), upload(columns), upload(values), upload(x), d, n);
	cudaMemcpy(found.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
	printf("%d rows %s the host, the last %g\n", n, found == y ? "as on" : "unlike", found[n - 1]);
}
