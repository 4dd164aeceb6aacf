noinst_LIBRARIES += src/profile/libprofile.a
src_profile_libprofile_a_SOURCES = \
	src/profile/arguments.c src/profile/arguments.h \
	src/profile/blame.c src/profile/blame.h \
	src/profile/cost.c src/profile/cost.h \
	src/profile/ops.c \
	src/profile/pair.c src/profile/pair.h \
	src/profile/profile.c src/profile/profile.h \
	src/profile/times.c src/profile/times.h \
	src/profile/trace.c src/profile/trace.h

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_profile
TESTS += tests/unit/test_profile
tests_unit_test_profile_SOURCES = tests/unit/test_profile.c
tests_unit_test_profile_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_profile_LDADD = src/profile/libprofile.a src/simt/libsimt.a src/ptx/libptx.a src/launch/liblaunch.a \
	src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test_blame
TESTS += tests/unit/test_blame
tests_unit_test_blame_SOURCES = tests/unit/test_blame.c
tests_unit_test_blame_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_blame_LDADD = $(tests_unit_test_profile_LDADD)
check_PROGRAMS += tests/unit/test_times
TESTS += tests/unit/test_times
tests_unit_test_times_SOURCES = tests/unit/test_times.c
tests_unit_test_times_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_times_LDADD = $(tests_unit_test_profile_LDADD)
endif
EXTRA_DIST += tests/run/divergent.cu tests/run/divergent.ptx tests/run/phases.cu tests/run/phases.ptx tests/run/uneven.cu \
	tests/run/uneven.ptx

EXTRA_PROGRAMS += tests/bench/profile
BENCHES += tests/bench/profile
tests_bench_profile_SOURCES = tests/bench/profile.c
tests_bench_profile_LDADD = src/profile/libprofile.a src/simt/libsimt.a src/ptx/libptx.a src/launch/liblaunch.a \
	src/model/libmodel.a src/base/libbase.a
CLEANFILES += tests/bench/profile

# make bench: the machine against plain C.
EXTRA_PROGRAMS += tests/bench/machine
BENCHES += tests/bench/machine
EXTRA_LIBRARIES += tests/bench/libsgemm_c.a tests/bench/libfma_c.a
tests_bench_libsgemm_c_a_SOURCES = tests/bench/sgemm_c.c tests/bench/machine_c.h
tests_bench_libfma_c_a_SOURCES = tests/bench/fma_c.c tests/bench/machine_c.h
tests_bench_machine_SOURCES = tests/bench/machine.c
tests_bench_machine_LDADD = tests/bench/libsgemm_c.a tests/bench/libfma_c.a src/profile/libprofile.a src/simt/libsimt.a \
	src/ptx/libptx.a src/launch/liblaunch.a src/model/libmodel.a src/base/libbase.a $(UTF8PROC_LIBS) $(JANSSON_LIBS)
CLEANFILES += tests/bench/machine
EXTRA_DIST += tests/bench/kernels
