noinst_LIBRARIES += src/gpu/libgpu.a
src_gpu_libgpu_a_SOURCES = \
	src/gpu/events.c src/gpu/events.h \
	src/gpu/gpu.c src/gpu/gpu.h \
	src/gpu/life.c \
	src/gpu/place.c src/gpu/place.h \
	src/gpu/private.h \
	src/gpu/process.c src/gpu/process.h \
	src/gpu/recorded.c src/gpu/recorded.h \
	src/gpu/request.c src/gpu/request.h \
	src/gpu/retry.c src/gpu/retry.h \
	src/gpu/spec.c src/gpu/spec.h \
	src/gpu/talk.c
src_gpu_libgpu_a_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)

# Speaks the worker's protocol without a GPU; used by every test of live measuring.
check_PROGRAMS += tests/fake-worker
tests_fake_worker_SOURCES = tests/fake-worker.c
tests_fake_worker_LDADD = src/wire/libwire.a src/profile/libprofile.a src/launch/liblaunch.a src/simt/libsimt.a \
	src/ptx/libptx.a src/model/libmodel.a src/base/libbase.a $(JANSSON_LIBS) $(UTF8PROC_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_gpu tests/unit/test_recorded
TESTS += tests/unit/test_gpu tests/unit/test_recorded
tests_unit_test_gpu_SOURCES = tests/unit/test_gpu.c
tests_unit_test_gpu_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_gpu_LDADD = src/gpu/libgpu.a src/wire/libwire.a src/launch/liblaunch.a src/base/libbase.a \
	$(JANSSON_LIBS) $(UTF8PROC_LIBS) $(CMOCKA_LIBS)
tests_unit_test_recorded_SOURCES = tests/unit/test_recorded.c
tests_unit_test_recorded_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_recorded_LDADD = $(tests_unit_test_gpu_LDADD)
endif
