# CUDA's headers for clang alone, of our own: simttutor cc puts this folder before others.
nobase_dist_pkgdata_DATA += include/bits/shared_ptr_base.h include/cooperative_groups.h include/cooperative_groups/reduce.h \
	include/cooperative_groups/scan.h include/cuda_bf16.h include/cuda_fp16.h include/cuda_profiler_api.h include/cuda_runtime.h \
	include/cuda_runtime_api.h include/device_launch_parameters.h include/driver_types.h include/simttutor_device.h \
	include/simttutor_keywords.h include/simttutor_math.h include/simttutor_narrow.h include/simttutor_per_thread.h include/simttutor_texture.h include/vector_functions.h include/vector_types.h
