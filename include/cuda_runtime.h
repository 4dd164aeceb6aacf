/* cuda_runtime.h: CUDA for clang alone, without NVIDIA's toolkit. simttutor cc includes it before every source, as nvcc does its own.
 *
 * What is device code here becomes PTX for the SIMT machine; mathematics (simttutor_math.h) are calls of __nv_ functions, as of NVIDIA's
 * libdevice, which the machine computes with the host's library. */
#pragma once
#include "simttutor_keywords.h"
/* What programs use without naming it, as nvcc's runtime has them included. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef __cplusplus
#include "cuda_runtime_api.h"
#else
#include <utility>

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#include "simttutor_per_thread.h"
#endif
#include "cuda_runtime_api.h"
#include "simttutor_before_13.h"
#ifdef __CUDA__
/* What kernels would launch kernels by, which the machine does not: Thrust names them where it does not call them. */
extern "C" __device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
extern "C" __device__ cudaError_t cudaLaunchDevice(
	void *kernel, void *parameters, dim3 grid, dim3 block, unsigned int shared, cudaStream_t stream);
#include "simttutor_device.h"
#include "simttutor_math.h"
#include "simttutor_texture.h"
#endif

/* --- by the types of what they are given -------------------------------------------------------------------------------- */

template <typename T> inline cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
	return cudaMalloc((void **)pointer, bytes);
}
template <typename T> inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
	return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <typename T> inline cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0)
{
	return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <typename T> inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags)
{
	return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <typename T> inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
	return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <typename T>
inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal)
{
	return cudaMallocManaged((void **)pointer, bytes, flags);
}
template <typename T> inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
	return cudaMallocAsync((void **)pointer, bytes, stream);
}
template <typename T>
inline cudaError_t cudaStreamAttachMemAsync(
	cudaStream_t stream, T *pointer, size_t bytes = 0, unsigned int flags = cudaMemAttachSingle)
{
	return cudaStreamAttachMemAsync(stream, (void *)pointer, bytes, flags);
}
template <typename T>
inline cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
	return cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
	return cudaEventCreateWithFlags(event, flags);
}

template <typename T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
	cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
	return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbol(
	void *to, const T &symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
	return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
	cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
	return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
	cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
	return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <typename T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
	const cudaGraphNode_t *after, size_t n, const T &symbol, const void *from, size_t bytes, size_t offset,
	cudaMemcpyKind kind)
{
	return cudaGraphAddMemcpyNodeToSymbol(node, graph, after, n, (const void *)&symbol, from, bytes, offset, kind);
}
template <typename T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
	const cudaGraphNode_t *after, size_t n, void *to, const T &symbol, size_t bytes, size_t offset,
	cudaMemcpyKind kind)
{
	return cudaGraphAddMemcpyNodeFromSymbol(node, graph, after, n, to, (const void *)&symbol, bytes, offset, kind);
}
template <typename T> inline cudaError_t cudaGetSymbolAddress(void **device, const T &symbol)
{
	return cudaGetSymbolAddress(device, (const void *)&symbol);
}
template <typename T> inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
	return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* --- kernels by their names --------------------------------------------------------------------------------------------- */

template <typename T>
inline cudaError_t cudaLaunchKernel(
	T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0, cudaStream_t stream = 0)
{
	return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <typename T>
inline cudaError_t cudaLaunchCooperativeKernel(
	T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0, cudaStream_t stream = 0)
{
	return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <typename T> struct simt_same {
	typedef T type;
};
template <typename... Formal>
inline cudaError_t cudaLaunchKernelEx(
	const cudaLaunchConfig_t *config, void (*kernel)(Formal...), typename simt_same<Formal>::type... arguments)
{
	void *addresses[sizeof...(Formal) + 1] = {(void *)&arguments...};
	return cudaLaunchKernelExC(config, (const void *)kernel, addresses);
}
template <typename T> inline cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
	return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <typename T> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
	return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <typename T> inline cudaError_t cudaFuncGetName(const char **name, T *kernel)
{
	return cudaFuncGetName(name, (const void *)kernel);
}
template <typename T> inline cudaError_t cudaFuncGetParamInfo(T *kernel, size_t index, size_t *offset, size_t *bytes)
{
	return cudaFuncGetParamInfo((const void *)kernel, index, offset, bytes);
}
template <typename T> inline cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config)
{
	return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <typename T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel, int threads, size_t shared)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads, shared);
}

template <typename T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, T *kernel, int threads, size_t shared, unsigned int flags)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
		blocks, (const void *)kernel, threads, shared, flags);
}
template <typename T>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, T *kernel, const cudaLaunchConfig_t *config)
{
	return cudaOccupancyMaxPotentialClusterSize(size, (const void *)kernel, config);
}
template <typename T>
inline cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *kernel, const cudaLaunchConfig_t *config)
{
	return cudaOccupancyMaxActiveClusters(clusters, (const void *)kernel, config);
}
template <typename T> inline cudaError_t cudaFuncSetSharedMemConfig(T *kernel, cudaSharedMemConfig config)
{
	return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <typename T> inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, T *kernel)
{
	return cudaGetFuncBySymbol(function, (const void *)kernel);
}
template <typename T> inline cudaError_t cudaGetKernel(cudaKernel_t *made, T *kernel)
{
	return cudaGetKernel(made, (const void *)kernel);
}
template <typename T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *kernel, int blocks, int threads)
{
	return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, threads);
}

/* The block size with most threads resident on an SM, the largest of several; the grid that fills the device. */
template <typename T, typename Shared>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
	int *grid, int *block, T *kernel, Shared shared_of, int limit = 0)
{
	int device = 0, sms = 0, most = 0, warp_threads = 32, best = 0;
	cudaFuncAttributes attributes;
	cudaError_t error = cudaGetDevice(&device);
	if (!error)
		error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
	if (!error)
		error = cudaFuncGetAttributes(&attributes, (const void *)kernel);
	if (error)
		return error;
	most = limit > 0 && limit < attributes.maxThreadsPerBlock ? limit : attributes.maxThreadsPerBlock;
	for (int threads = (most + warp_threads - 1) / warp_threads * warp_threads; threads > 0;
		threads -= warp_threads) {
		int blocks = 0, tried = threads < most ? threads : most;
		error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
			&blocks, (const void *)kernel, tried, shared_of(tried));
		if (error)
			return error;
		if (blocks * tried > best) {
			best = blocks * tried;
			*block = tried;
			*grid = blocks * sms;
		}
	}
	return cudaSuccess;
}
template <typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(
	int *grid, int *block, T *kernel, size_t shared = 0, int limit = 0)
{
	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
		grid, block, kernel, [shared](int) { return shared; }, limit);
}
template <typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
	int *grid, int *block, T *kernel, size_t shared = 0, int limit = 0, unsigned int = 0)
{
	return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared, limit);
}
template <typename T, typename Shared>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
	int *grid, int *block, T *kernel, Shared shared_of, int limit = 0, unsigned int = 0)
{
	return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, shared_of, limit);
}
#endif
