// A table in constant memory that the host fills, and one that the compiler did: checksums of words by CRC-32.
// out: 0xcbf43926 of 123456789
// out: 0x414fa339 of The quick brown fox jumps over the lazy dog
// out: 0x00000000 of nothing
#include <cstdio>
#include <cstring>

__constant__ unsigned table[256];
__constant__ const unsigned final_xor = 0xFFFFFFFF;

__global__ void checksum(const char *text, const int *starts, unsigned *sums)
{
	unsigned crc = 0xFFFFFFFF;
	for (int i = starts[threadIdx.x]; i < starts[threadIdx.x + 1]; i++)
		crc = table[(crc ^ (unsigned char)text[i]) & 0xFF] ^ (crc >> 8);
	sums[threadIdx.x] = crc ^ final_xor;
}

int main()
{
	static const char *const words[] = {"123456789", "The quick brown fox jumps over the lazy dog", ""};
	unsigned values[256], sums[3], *d_sums;
	char text[100] = "", *d_text;
	int starts[4] = {0}, *d_starts;
	for (unsigned i = 0; i < 256; i++) {
		values[i] = i;
		for (int bit = 0; bit < 8; bit++)
			values[i] = values[i] & 1 ? values[i] >> 1 ^ 0xEDB88320 : values[i] >> 1;
	}
	cudaMemcpyToSymbol(table, values, sizeof values);
	for (int i = 0; i < 3; i++) {
		strcat(text, words[i]);
		starts[i + 1] = (int)strlen(text);
	}
	cudaMalloc(&d_text, sizeof text);
	cudaMalloc(&d_starts, sizeof starts);
	cudaMalloc(&d_sums, sizeof sums);
	cudaMemcpy(d_text, text, sizeof text, cudaMemcpyHostToDevice);
	cudaMemcpy(d_starts, starts, sizeof starts, cudaMemcpyHostToDevice);
	checksum<<<1, 3>>>(d_text, d_starts, d_sums);
	cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 3; i++)
		printf("0x%08x of %s\n", sums[i], *words[i] ? words[i] : "nothing");
}
