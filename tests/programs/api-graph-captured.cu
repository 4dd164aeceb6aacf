// Streams that are captured: what they are asked for is done by launches of the graph, and what is not allowed is refused.
// out: nothing was done: 0
// out: status 1, then 0
// out: 5 nodes
// out: 30 60 90
// out: forked: 2 roots, joined: no error
// out: not joined: capturing stream has unjoined work
// out: waiting: operation not permitted when stream is capturing
// out: then: operation failed due to a previous error during capture
// out: malloc: operation not permitted when stream is capturing
// out: relaxed: no error
// out: legacy stream: operation would make the legacy stream depend on a capturing blocking stream
// out: capture of the legacy stream: operation not permitted when stream is capturing
// out: not begun: the operation cannot be performed in the present state
// out: updated: 12
// out: nested: operation not permitted when stream is capturing
// out: so it ends: operation failed due to a previous error during capture
// out: allocated: 8
#include <cstdio>

__global__ void add(int *p, int value)
{
	*p += value;
}

static int *d;

static int get()
{
	int v;
	cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
	return v;
}

static void say(const char *what, cudaError_t error)
{
	printf("%s: %s\n", what, cudaGetErrorString(error));
	cudaGetLastError();
}

static void host(void *p)
{
	++*(int *)p;
}

static cudaGraph_t capture(cudaStream_t s, int value)
{
	cudaGraph_t g;
	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	add<<<1, 1, 0, s>>>(d, value);
	cudaStreamEndCapture(s, &g);
	return g;
}

int main()
{
	cudaStream_t s, t;
	cudaGraph_t g;
	cudaGraphExec_t exec;
	cudaEvent_t fork, join;
	cudaStreamCaptureStatus during, after;
	int ten, *pinned, called = 0;
	size_t n;
	cudaMalloc(&d, 8);
	cudaMemset(d, 0, 4);
	cudaMallocHost(&pinned, 4);
	cudaStreamCreate(&s);
	cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
	cudaEventCreate(&fork);
	cudaEventCreate(&join);

	ten = 10;
	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	cudaStreamIsCapturing(s, &during);
	add<<<1, 1, 0, s>>>(d, ten);
	cudaMemsetAsync(d + 1, 1, 4, s);
	add<<<1, 1, 0, s>>>(d, 2 * ten);
	cudaMemcpyAsync(pinned, d, 4, cudaMemcpyDeviceToHost, s);
	cudaLaunchHostFunc(s, host, &called);
	cudaStreamEndCapture(s, &g);
	cudaStreamIsCapturing(s, &after);
	printf("nothing was done: %d\n", get());
	printf("status %d, then %d\n", (int)during, (int)after);
	cudaGraphGetNodes(g, nullptr, &n);
	printf("%zu nodes\n", n);
	cudaGraphInstantiate(&exec, g, 0);
	for (int i = 0; i < 3; i++) {
		cudaGraphLaunch(exec, s);
		cudaStreamSynchronize(s);
		printf("%d%c", *pinned, i < 2 ? ' ' : '\n');
	}

	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	cudaEventRecord(fork, s);
	cudaStreamWaitEvent(t, fork, 0);
	add<<<1, 1, 0, s>>>(d, 1);
	add<<<1, 1, 0, t>>>(d, 1);
	cudaEventRecord(join, t);
	cudaStreamWaitEvent(s, join, 0);
	cudaError_t joined = cudaStreamEndCapture(s, &g);
	cudaGraphGetRootNodes(g, nullptr, &n);
	printf("forked: %zu roots, joined: %s\n", n, cudaGetErrorString(joined));

	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	cudaEventRecord(fork, s);
	cudaStreamWaitEvent(t, fork, 0);
	add<<<1, 1, 0, t>>>(d, 1);
	say("not joined", cudaStreamEndCapture(s, &g));

	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	say("waiting", cudaStreamSynchronize(s));
	say("then", cudaStreamEndCapture(s, &g));

	int *p;
	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	say("malloc", cudaMalloc(&p, 4));
	cudaStreamEndCapture(s, &g);
	cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
	say("relaxed", cudaMalloc(&p, 4));
	cudaStreamEndCapture(s, &g);

	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	add<<<1, 1>>>(d, 1);
	say("legacy stream", cudaGetLastError());
	cudaStreamEndCapture(s, &g);
	cudaGetLastError();
	say("capture of the legacy stream", cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
	say("not begun", cudaStreamEndCapture(s, &g));

	cudaGraphExecUpdateResultInfo info;
	cudaGraphInstantiate(&exec, capture(s, 1), 0);
	cudaGraphExecUpdate(exec, capture(s, 12), &info);
	cudaMemset(d, 0, 4);
	cudaGraphLaunch(exec, s);
	printf("updated: %d\n", get());

	cudaGraphExec_t inner;
	cudaGraphInstantiate(&inner, capture(s, 1), 0);
	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	printf("nested: %s\n", cudaGetErrorString(cudaGraphLaunch(inner, s)));
	printf("so it ends: %s\n", cudaGetErrorString(cudaStreamEndCapture(s, &g)));

	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	cudaMallocAsync(&p, 4, s);
	cudaMemsetAsync(p, 0, 4, s);
	add<<<1, 1, 0, s>>>(p, 8);
	cudaMemcpyAsync(pinned, p, 4, cudaMemcpyDeviceToHost, s);
	cudaFreeAsync(p, s);
	cudaStreamEndCapture(s, &g);
	cudaGraphInstantiate(&exec, g, 0);
	cudaGraphLaunch(exec, s);
	cudaGraphLaunch(exec, s);
	cudaStreamSynchronize(s);
	printf("allocated: %d\n", *pinned);
	return 0;
}
