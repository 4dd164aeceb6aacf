/* runtime/cuda_abi.h: what passes between a program and the CUDA runtime, as NVIDIA's API reference documents it and as
 * programs compiled for it lay it out. Enumerators are the API's with CUDA_ for "cuda", so that they can be looked up
 * and are not in the way of its own headers. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define RUNTIME_API __attribute__((visibility("default")))

struct cuda_stream;
struct cuda_event;

struct dim3_abi {
	unsigned int x, y, z;
};

typedef void cuda_host_function(void *data);
typedef void cuda_stream_callback(struct cuda_stream *stream, int error, void *data);

enum cuda_memcpy_kind {
	CUDA_MemcpyHostToHost,
	CUDA_MemcpyHostToDevice,
	CUDA_MemcpyDeviceToHost,
	CUDA_MemcpyDeviceToDevice,
	CUDA_MemcpyDefault,
};

/* cudaAccessPolicyWindow */
struct cuda_window {
	void *base;
	size_t bytes;
	float ratio;
	int hit, miss; /* cudaAccessProperty */
};

/* cudaLaunchConfig_t and its attributes. */
union cuda_launch_value {
	char room[64];
	int number;
	unsigned int dims[3];
	struct cuda_window window;
	struct {
		struct cuda_event *event;
		int flags;
	} event;
};

struct cuda_launch_attribute {
	int id, unused;
	union cuda_launch_value value;
};

struct cuda_launch_config {
	struct dim3_abi grid, block;
	size_t shared;
	struct cuda_stream *stream;
	const struct cuda_launch_attribute *attributes;
	unsigned int n_attributes;
};

enum cuda_launch_attribute_id {
	CUDA_LaunchAttributeIgnore,
	CUDA_LaunchAttributeAccessPolicyWindow,
	CUDA_LaunchAttributeCooperative,
	CUDA_LaunchAttributeSynchronizationPolicy,
	CUDA_LaunchAttributeClusterDimension,
	CUDA_LaunchAttributeClusterSchedulingPolicyPreference,
	CUDA_LaunchAttributeProgrammaticStreamSerialization,
	CUDA_LaunchAttributeProgrammaticEvent,
	CUDA_LaunchAttributePriority,
	CUDA_LaunchAttributeMemSyncDomainMap,
	CUDA_LaunchAttributeMemSyncDomain,
	CUDA_LaunchAttributePreferredClusterDimension,
	CUDA_LaunchAttributeLaunchCompletionEvent,
	CUDA_LaunchAttributeDeviceUpdatableKernelNode,
	CUDA_LaunchAttributePreferredSharedMemoryCarveout,
};

struct cuda_array;
struct cuda_pool;

/* cudaChannelFormatDesc */
struct cuda_channels {
	int bits[4]; /* x, y, z, w */
	int kind;    /* 0: signed, 1: unsigned, 2: float; 5 to 16: integers that are read as fractions */
};

struct cuda_pitched {
	void *pointer;
	size_t pitch, width, height;
};

struct cuda_extent {
	size_t width, height, depth;
};

struct cuda_place {
	size_t x, y, z;
};

/* cudaPointerAttributes */
struct cuda_pointer_attributes {
	int type, device;
	void *for_device, *for_host;
	long reserved[8];
};

/* cudaMemcpy3DParms */
struct cuda_copy {
	struct cuda_array *from_array;
	struct cuda_place from_place;
	struct cuda_pitched from;
	struct cuda_array *to_array;
	struct cuda_place to_place;
	struct cuda_pitched to;
	struct cuda_extent extent;
	int kind;
};
