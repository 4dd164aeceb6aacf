# CUDA's headers for clang alone, of our own: simttutor cc puts this folder before others.
nobase_dist_pkgdata_DATA += \
	include/bits/shared_ptr_base.h include/builtin_types.h include/channel_descriptor.h include/cooperative_groups.h \
	include/cooperative_groups/memcpy_async.h include/cooperative_groups/reduce.h include/cooperative_groups/scan.h include/cuComplex.h \
	include/cuda.h include/curand.h include/curand_kernel.h include/simttutor_curand_jumps.h include/cuda/atomic include/cuda/std/atomic include/cuda_bf16.h include/cuda_device_runtime_api.h include/cuda_fp16.h include/cuda_occupancy.h include/cuda_profiler_api.h \
	include/cuda_runtime.h include/cuda_runtime_api.h include/cuda_surface_types.h include/cuda_texture_types.h \
	include/device_atomic_functions.h include/device_double_functions.h include/device_functions.h include/device_launch_parameters.h \
	include/device_types.h include/driver_types.h include/host_defines.h include/math_constants.h include/math_functions.h include/mma.h \
	include/simttutor_atomic.h include/simttutor_before_13.h include/simttutor_device.h include/simttutor_keywords.h \
	include/simttutor_math.h include/simttutor_narrow.h include/simttutor_narrow_operations.h \
	include/simttutor_per_thread.h include/simttutor_texture.h include/simttutor_words.h include/sm_20_atomic_functions.h \
	include/sm_20_intrinsics.h include/sm_30_intrinsics.h include/sm_32_intrinsics.h include/sm_35_intrinsics.h \
	include/sm_60_atomic_functions.h include/sm_61_intrinsics.h include/surface_functions.h include/surface_indirect_functions.h \
	include/surface_types.h include/texture_fetch_functions.h include/texture_indirect_functions.h include/texture_types.h \
	include/vector_functions.h include/vector_types.h
nobase_dist_pkgdata_DATA += \
	include/cuda/barrier include/cuda/cmath include/cuda/functional include/cuda/latch include/cuda/pipeline \
	include/cuda/semaphore include/cuda/std/algorithm include/cuda/std/array include/cuda/std/barrier \
	include/cuda/std/bit include/cuda/std/cassert include/cuda/std/climits include/cuda/std/cmath \
	include/cuda/std/cstddef include/cuda/std/cstdint include/cuda/std/functional include/cuda/std/initializer_list \
	include/cuda/std/iterator include/cuda/std/latch include/cuda/std/limits include/cuda/std/numeric \
	include/cuda/std/optional include/cuda/std/semaphore include/cuda/std/span include/cuda/std/tuple \
	include/cuda/std/type_traits include/cuda/std/utility include/cuda_fp8.h include/cuda_pipeline.h include/cuda_pipeline_primitives.h \
	include/simttutor_async.h include/simttutor_std.h
