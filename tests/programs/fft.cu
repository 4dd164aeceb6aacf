// A fast Fourier transform of 64 points in shared memory, and back; the spectrum of two tones.
// out: tones at 3 and 10
// out: there and back again
#include <cmath>
#include <cstdio>

const int n = 64;

__global__ void fft(float2 *data, float sign)
{
	__shared__ float2 a[n];
	int i = threadIdx.x;
	for (int k = i; k < n; k += blockDim.x)
		a[__brev(k) >> 26] = data[k];
	for (int half = 1; half < n; half *= 2) {
		__syncthreads();
		int at = i / half * 2 * half + i % half;
		float angle = sign * 3.14159265f * (i % half) / half, s, c;
		sincosf(angle, &s, &c);
		float2 low = a[at], high = a[at + half];
		float2 turned = make_float2(high.x * c - high.y * s, high.x * s + high.y * c);
		a[at] = make_float2(low.x + turned.x, low.y + turned.y);
		a[at + half] = make_float2(low.x - turned.x, low.y - turned.y);
	}
	__syncthreads();
	for (int k = i; k < n; k += blockDim.x)
		data[k] = a[k];
}

int main()
{
	float2 signal[n], spectrum[n], back[n], *d;
	for (int i = 0; i < n; i++)
		signal[i] = make_float2(cosf(2 * 3.14159265f * 3 * i / n) + 0.5f * sinf(2 * 3.14159265f * 10 * i / n), 0);
	cudaMalloc(&d, sizeof signal);
	cudaMemcpy(d, signal, sizeof signal, cudaMemcpyHostToDevice);
	fft<<<1, n / 2>>>(d, -1);
	cudaMemcpy(spectrum, d, sizeof spectrum, cudaMemcpyDeviceToHost);
	fft<<<1, n / 2>>>(d, 1);
	cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost);
	int tones[4] = {}, found = 0;
	for (int i = 0; i < n / 2; i++)
		if (hypotf(spectrum[i].x, spectrum[i].y) > 1 && found < 4)
			tones[found++] = i;
	printf("tones at %d and %d\n", tones[0], tones[1]);
	float worst = 0;
	for (int i = 0; i < n; i++)
		worst = fmaxf(worst, fabsf(back[i].x / n - signal[i].x));
	puts(found == 2 && worst < 1e-4f ? "there and back again" : "not the same");
}
