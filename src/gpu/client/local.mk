noinst_LIBRARIES += src/gpu/client/libgpu.a
src_gpu_client_libgpu_a_SOURCES = \
	src/gpu/client/events.c \
	src/gpu/client/gpu.c src/gpu/client/gpu.h \
	src/gpu/client/life.c \
	src/gpu/client/private.h \
	src/gpu/client/request.c \
	src/gpu/client/spec.c \
	src/gpu/client/talk.c

# Speaks the worker's protocol without a GPU; used by every test of live measuring.
check_PROGRAMS += tests/fake-worker
tests_fake_worker_SOURCES = tests/fake-worker.c

unit_tests += tests/unit/test_gpu
attack_unit_tests += tests/unit/test_gpu
