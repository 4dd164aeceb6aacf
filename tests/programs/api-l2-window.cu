// What a program asks of the L2 cache: windows of addresses with a policy, as CUDA takes and refuses them.
// out: stream: no error, 4096 bytes, 600 of 1000, 2 and 1
// out: ratio: invalid argument
// out: missing ones persist: invalid argument
// out: no property: no error
// out: set aside: 1 byte is a tenth of what can be, all is all, more: invalid argument
// out: node: no error, 4096 bytes; invalid argument
// out: launch: no error; invalid argument
// out: sum 2016
// out: reset: no error
// says: its access policy window is none
#include <cstdio>
#include <cstring>

__global__ void fill(int *p)
{
	p[threadIdx.x] = threadIdx.x;
}

static const char *text(cudaError_t error)
{
	return cudaGetErrorString(error);
}

int main()
{
	int *p, host[64], sum = 0;
	void *args[] = {&p};
	cudaStream_t s;
	cudaMalloc(&p, 4096);
	cudaStreamCreate(&s);
	cudaStreamAttrValue value, got;
	memset(&value, 0, sizeof value);
	cudaAccessPolicyWindow *w = &value.accessPolicyWindow;
	w->base_ptr = p;
	w->num_bytes = 4096;
	w->hitRatio = 0.6f;
	w->hitProp = cudaAccessPropertyPersisting;
	w->missProp = cudaAccessPropertyStreaming;
	cudaError_t error = cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value);
	cudaStreamGetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &got);
	printf("stream: %s, %zu bytes, %d of 1000, %d and %d\n", text(error), got.accessPolicyWindow.num_bytes,
		(int)(got.accessPolicyWindow.hitRatio * 1000 + 0.5f), got.accessPolicyWindow.hitProp,
		got.accessPolicyWindow.missProp);
	w->hitRatio = 1.5f;
	printf("ratio: %s\n", text(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value)));
	w->hitRatio = 1;
	w->missProp = cudaAccessPropertyPersisting;
	printf("missing ones persist: %s\n", text(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value)));
	w->missProp = cudaAccessPropertyNormal;
	w->hitProp = (cudaAccessProperty)7;
	printf("no property: %s\n", text(cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value)));
	w->hitProp = cudaAccessPropertyPersisting;
	size_t one = 0, all = 0;
	cudaDeviceProp device;
	cudaGetDeviceProperties(&device, 0);
	size_t most = device.persistingL2CacheMaxSize;
	cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1);
	cudaDeviceGetLimit(&one, cudaLimitPersistingL2CacheSize);
	cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most);
	cudaDeviceGetLimit(&all, cudaLimitPersistingL2CacheSize);
	printf("set aside: 1 byte is %s, all is %s, more: %s\n", most && one == most / 10 ? "a tenth of what can be" : "not so",
		all == most ? "all" : "not", text(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most + 1)));

	cudaGraph_t g;
	cudaGraphNode_t node;
	cudaKernelNodeParams k = {};
	k.func = (void *)fill;
	k.gridDim = dim3(1);
	k.blockDim = dim3(64);
	k.kernelParams = args;
	cudaGraphCreate(&g, 0);
	cudaGraphAddKernelNode(&node, g, NULL, 0, &k);
	error = cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &value);
	cudaGraphKernelNodeGetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &got);
	w->hitRatio = -1;
	printf("node: %s, %zu bytes; %s\n", text(error), got.accessPolicyWindow.num_bytes,
		text(cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &value)));
	w->hitRatio = 1;

	cudaLaunchAttribute attribute;
	cudaLaunchConfig_t c = {};
	c.gridDim = dim3(1);
	c.blockDim = dim3(64);
	c.stream = s;
	c.attrs = &attribute;
	c.numAttrs = 1;
	attribute.id = cudaLaunchAttributeAccessPolicyWindow;
	attribute.val = value;
	error = cudaLaunchKernelExC(&c, (void *)fill, args);
	attribute.val.accessPolicyWindow.hitRatio = 2;
	printf("launch: %s; %s\n", text(error), text(cudaLaunchKernelExC(&c, (void *)fill, args)));
	cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, s);
	cudaStreamSynchronize(s);
	for (int i = 0; i < 64; i++)
		sum += host[i];
	printf("sum %d\n", sum);
	printf("reset: %s\n", text(cudaCtxResetPersistingL2Cache()));
	cudaFree(p);
	return 0;
}
