noinst_LIBRARIES += src/gpu/libgpu.a
src_gpu_libgpu_a_SOURCES = \
	src/gpu/events.c src/gpu/events.h \
	src/gpu/gpu.c src/gpu/gpu.h \
	src/gpu/life.c \
	src/gpu/private.h \
	src/gpu/request.c src/gpu/request.h \
	src/gpu/retry.c src/gpu/retry.h \
	src/gpu/spec.c src/gpu/spec.h \
	src/gpu/talk.c

# Speaks the worker's protocol without a GPU; used by every test of live measuring.
check_PROGRAMS += tests/fake-worker
tests_fake_worker_SOURCES = tests/fake-worker.c

unit_tests += tests/unit/test_gpu
attack_unit_tests += tests/unit/test_gpu
