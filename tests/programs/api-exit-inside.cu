// exit in a function that a stream calls.
// out: leaving from inside
// status: 4
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

static void CUDART_CB leave(void *)
{
	puts("leaving from inside");
	exit(4);
}

int main()
{
	cudaLaunchHostFunc(0, leave, nullptr);
	for (;;)
		pause();
}
