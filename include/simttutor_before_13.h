/* simttutor_before_13.h: what books and courses call that CUDA 12 or 13 has taken away or given other parameters. */
#pragma once
#include "cuda_runtime_api.h"

static const cudaError_t cudaErrorApiFailureBase = (cudaError_t)10000;

inline cudaError_t cudaThreadSynchronize()
{
	return cudaDeviceSynchronize();
}
inline cudaError_t cudaThreadExit()
{
	return cudaDeviceReset();
}

/* CUB of 2022 waits for kernels of kernels by this name, in code that is compiled for the host, too, and never runs. */
SIMT_BOTH cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance()
{
	return cudaErrorNotSupported;
}

/* The properties that have become attributes. */
inline cudaError_t simt_device_properties(cudaDeviceProp *properties, int device)
{
	cudaError_t error = cudaGetDeviceProperties(properties, device);
	if (error != cudaSuccess)
		return error;
	cudaDeviceGetAttribute(&properties->clockRate, cudaDevAttrClockRate, device);
	cudaDeviceGetAttribute(&properties->memoryClockRate, cudaDevAttrMemoryClockRate, device);
	cudaDeviceGetAttribute(&properties->deviceOverlap, cudaDevAttrGpuOverlap, device);
	cudaDeviceGetAttribute(&properties->computeMode, cudaDevAttrComputeMode, device);
	cudaDeviceGetAttribute(&properties->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout, device);
	return error;
}
#define cudaGetDeviceProperties simt_device_properties

/* A place was a device's number, and the host's was -1. */
inline cudaMemLocation simt_location(int device)
{
	cudaMemLocation where = {};
	where.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
	where.id = device == cudaCpuDeviceId ? 0 : device;
	return where;
}
inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream = 0)
{
	return cudaMemPrefetchAsync(pointer, bytes, simt_location(device), 0, stream);
}
inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice, int device)
{
	return cudaMemAdvise(pointer, bytes, advice, simt_location(device));
}

/* What is wrong with a graph was said in a text, and edges had no data. */
inline cudaError_t cudaGraphInstantiate(
	cudaGraphExec_t *made, cudaGraph_t graph, cudaGraphNode_t *wrong, char *log, size_t bytes)
{
	if (wrong)
		*wrong = nullptr;
	if (log && bytes)
		*log = '\0';
	return cudaGraphInstantiate(made, graph, 0);
}
inline cudaError_t cudaGraphExecUpdate(
	cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *wrong, cudaGraphExecUpdateResult *result)
{
	cudaGraphExecUpdateResultInfo info = {};
	cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
	if (wrong)
		*wrong = info.errorNode;
	if (result)
		*result = info.result;
	return error;
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n)
{
	return cudaGraphGetEdges(graph, from, to, nullptr, n);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *before, size_t *n)
{
	return cudaGraphNodeGetDependencies(node, before, nullptr, n);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *after, size_t *n)
{
	return cudaGraphNodeGetDependentNodes(node, after, nullptr, n);
}
inline cudaError_t cudaGraphAddDependencies(
	cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n)
{
	return cudaGraphAddDependencies(graph, from, to, nullptr, n);
}
