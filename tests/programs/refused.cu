// What is not emulated says so once, and returns an error.
// says: cudaGraphicsUnregisterResource is not emulated; it returns cudaErrorNotSupported
// out: operation not supported
// out: operation not supported
// out: operation not supported
#include <cstdio>

int main()
{
	for (int i = 0; i < 2; i++)
		puts(cudaGetErrorString(cudaGraphicsUnregisterResource(nullptr)));
	puts(cudaGetErrorString(cudaGetLastError()));
	return 0;
}
