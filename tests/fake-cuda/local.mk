# Shared libraries that stand in for the driver and CUPTI: see README.md here. Programs to Automake, so that no libtool is
# needed.
fake_libraries = tests/fake-cuda/lib/libcuda.so.1 tests/fake-cuda/lib/libcupti.so.13 \
	tests/fake-cuda/lib/libnvperf_host.so tests/fake-cuda/lib/libnvperf_target.so \
	tests/fake-cuda/old/libcuda.so.1 tests/fake-cuda/old/libcupti.so.13
check_PROGRAMS += $(fake_libraries)
fake_cppflags = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS) -I$(top_srcdir)/src/gpu/worker/cupti-c
fake_cflags = $(AM_CFLAGS) -fPIC
fake_ldflags = $(AM_LDFLAGS) -shared

tests_fake_cuda_lib_libcuda_so_1_SOURCES = tests/fake-cuda/libcuda.c tests/fake-cuda/rest.c tests/fake-cuda/script.c \
	tests/fake-cuda/script.h
tests_fake_cuda_lib_libcuda_so_1_CPPFLAGS = $(fake_cppflags) -DFAKE_FUNCTIONS=DRIVER_FUNCTIONS \
	-DFAKE_REST=CUDA_ERROR_NOT_SUPPORTED
tests_fake_cuda_lib_libcuda_so_1_CFLAGS = $(fake_cflags)
tests_fake_cuda_lib_libcuda_so_1_LDFLAGS = $(fake_ldflags)
tests_fake_cuda_lib_libcupti_so_13_SOURCES = tests/fake-cuda/libcupti.c tests/fake-cuda/rest.c tests/fake-cuda/script.c \
	tests/fake-cuda/script.h
tests_fake_cuda_lib_libcupti_so_13_CPPFLAGS = $(fake_cppflags) -DFAKE_FUNCTIONS=CUPTI_FUNCTIONS \
	-DFAKE_REST=CUPTI_ERROR_NOT_SUPPORTED
tests_fake_cuda_lib_libcupti_so_13_CFLAGS = $(fake_cflags)
tests_fake_cuda_lib_libcupti_so_13_LDFLAGS = $(fake_ldflags)
tests_fake_cuda_lib_libnvperf_host_so_SOURCES = tests/fake-cuda/old.c
tests_fake_cuda_lib_libnvperf_host_so_CFLAGS = $(fake_cflags)
tests_fake_cuda_lib_libnvperf_host_so_LDFLAGS = $(fake_ldflags)
tests_fake_cuda_lib_libnvperf_target_so_SOURCES = tests/fake-cuda/old.c
tests_fake_cuda_lib_libnvperf_target_so_CFLAGS = $(fake_cflags)
tests_fake_cuda_lib_libnvperf_target_so_LDFLAGS = $(fake_ldflags)
tests_fake_cuda_old_libcuda_so_1_SOURCES = tests/fake-cuda/old.c
tests_fake_cuda_old_libcuda_so_1_CFLAGS = $(fake_cflags)
tests_fake_cuda_old_libcuda_so_1_LDFLAGS = $(fake_ldflags)
tests_fake_cuda_old_libcupti_so_13_SOURCES = tests/fake-cuda/old.c
tests_fake_cuda_old_libcupti_so_13_CFLAGS = $(fake_cflags)
tests_fake_cuda_old_libcupti_so_13_LDFLAGS = $(fake_ldflags)
