// fault: host access 8 memory of the device
// status: 139
#include <cstring>
int main()
{
	char text[4096] = "text", *d;
	cudaMalloc(&d, sizeof text);
	memcpy(d, text, sizeof text);
	cudaFree(d);
	return 0;
}
