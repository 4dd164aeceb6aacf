// Memory and events of two processes: this program, and itself started again.
// out: child: reads 41, sum 2304
// out: child: opened again at the same address: 1
// out: child: the rest of a handle's bytes: invalid argument
// out: child: freed: invalid argument
// out: parent: reads 100, after the child's event
// out: parent: its own handle: invalid device context
// out: parent: managed memory: invalid argument
// out: parent: closed what it did not open: invalid argument
// says: it was not allocated for that
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void fill(int *p, int n, int value)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = value;
}

struct note {
	cudaIpcMemHandle_t memory;
	cudaIpcEventHandle_t made, changed;
};

static const char *text(cudaError_t error)
{
	cudaGetLastError();
	return cudaGetErrorString(error);
}

static int child(int in, int out)
{
	note n;
	int *p, *again, values[64], sum = 0;
	cudaEvent_t made, changed;
	if (read(in, &n, sizeof n) != (ssize_t)sizeof n)
		return 1;
	if (cudaIpcOpenMemHandle((void **)&p, n.memory, cudaIpcMemLazyEnablePeerAccess) ||
		cudaIpcOpenEventHandle(&made, n.made) || cudaIpcOpenEventHandle(&changed, n.changed)) {
		printf("child: not opened\n");
		return 1;
	}
	cudaStreamWaitEvent(0, made, 0);
	cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 64; i++)
		sum += values[i] - 5;
	printf("child: reads %d, sum %d\n", values[0], sum);
	cudaIpcOpenMemHandle((void **)&again, n.memory, cudaIpcMemLazyEnablePeerAccess);
	printf("child: opened again at the same address: %d\n", p == again);
	memset(&n.memory, 1, sizeof n.memory);
	printf("child: the rest of a handle's bytes: %s\n",
		text(cudaIpcOpenMemHandle((void **)&again, n.memory, cudaIpcMemLazyEnablePeerAccess)));
	printf("child: freed: %s\n", text(cudaFree(p)));
	fflush(stdout);
	fill<<<1, 64>>>(p, 64, 100);
	cudaEventRecord(changed, 0);
	if (write(out, "x", 1) != 1)
		return 1;
	cudaEventSynchronize(changed);
	cudaIpcCloseMemHandle(p);
	cudaIpcCloseMemHandle(p);
	cudaDeviceSynchronize();
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 2)
		return child(atoi(argv[1]), atoi(argv[2]));
	int down[2], up[2];
	if (pipe(down) || pipe(up))
		return 1;
	pid_t pid = fork();
	if (!pid) {
		char in[16], out[16];
		snprintf(in, sizeof in, "%d", down[0]);
		snprintf(out, sizeof out, "%d", up[1]);
		execl("/proc/self/exe", argv[0], in, out, (char *)NULL);
		_exit(1);
	}
	close(down[0]);
	close(up[1]);
	note n;
	memset(&n, 0, sizeof n);
	int *p, *managed, value = 0;
	char done;
	cudaEvent_t made, changed;
	cudaMalloc(&p, 64 * sizeof *p);
	cudaMallocManaged(&managed, 64);
	cudaEventCreateWithFlags(&made, cudaEventDisableTiming | cudaEventInterprocess);
	cudaEventCreateWithFlags(&changed, cudaEventDisableTiming | cudaEventInterprocess);
	if (cudaIpcGetMemHandle(&n.memory, p) || cudaIpcGetEventHandle(&n.made, made) ||
		cudaIpcGetEventHandle(&n.changed, changed))
		printf("parent: no handles\n");
	fill<<<1, 64>>>(p, 64, 41);
	cudaEventRecord(made, 0);
	if (write(down[1], &n, sizeof n) != (ssize_t)sizeof n || read(up[0], &done, 1) != 1)
		return 1;
	cudaStreamWaitEvent(0, changed, 0);
	cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
	printf("parent: reads %d, after the child's event\n", value);
	int *own;
	printf("parent: its own handle: %s\n",
		text(cudaIpcOpenMemHandle((void **)&own, n.memory, cudaIpcMemLazyEnablePeerAccess)));
	printf("parent: managed memory: %s\n", text(cudaIpcGetMemHandle(&n.memory, managed)));
	printf("parent: closed what it did not open: %s\n", text(cudaIpcCloseMemHandle(p)));
	int status = 1;
	waitpid(pid, &status, 0);
	cudaFree(p);
	cudaFree(managed);
	return status != 0;
}
