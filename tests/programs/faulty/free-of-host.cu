// fault: free 7 nothing was allocated there
#include <cstdlib>
int main()
{
	int *p = (int *)malloc(64);
	p[0] = 1;
	cudaFree(p);
	free(p);
	return 0;
}
