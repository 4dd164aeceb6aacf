/* runtime/cuda_abi.h: what passes between a program and the CUDA runtime, as NVIDIA's API reference documents it and as programs
 * compiled for it lay it out. Enumerators are the API's with CUDA_ for "cuda", so that they can be looked up and are not in the way
 * of its own headers. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define RUNTIME_API __attribute__((visibility("default")))

struct cuda_stream;
struct cuda_event;

struct dim3_abi {
	unsigned int x, y, z;
};

enum cuda_memcpy_kind {
	CUDA_MemcpyHostToHost,
	CUDA_MemcpyHostToDevice,
	CUDA_MemcpyDeviceToHost,
	CUDA_MemcpyDeviceToDevice,
	CUDA_MemcpyDefault,
};
