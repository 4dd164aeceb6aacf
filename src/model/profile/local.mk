noinst_LIBRARIES += src/model/profile/libprofile.a
src_model_profile_libprofile_a_SOURCES = \
	src/model/profile/alone.c \
	src/model/profile/arguments.c \
	src/model/profile/blame.c \
	src/model/profile/cost.c \
	src/model/profile/cubin.c src/model/profile/cubin.h \
	src/model/profile/defect.c \
	src/model/profile/device.c src/model/profile/device.h \
	src/model/profile/disassembly.c \
	src/model/profile/estimate.c \
	src/model/profile/example.c \
	src/model/profile/machine.c src/model/profile/loops.c src/model/profile/pipes.c src/model/profile/private.h \
	src/model/profile/machine_code.c \
	src/model/profile/inlined.c \
	src/model/profile/pair.c \
	src/model/profile/profile.c src/model/profile/profile.h \
	src/model/profile/times.c src/model/profile/times.h \
	src/model/profile/trace.c

EXTRA_DIST += src/model/profile/README.md

unit_tests += tests/unit/test_profile
unit_tests += tests/unit/test_alone tests/unit/test_blame
unit_tests += tests/unit/test_times tests/unit/test_machine tests/unit/test_machine_code tests/unit/test_disassembly
EXTRA_DIST += tests/run/divergent.cu tests/run/divergent.ptx tests/run/phases.cu tests/run/phases.ptx tests/run/uneven.cu \
	tests/run/uneven.ptx

EXTRA_PROGRAMS += tests/bench/profile
BENCHES += tests/bench/profile
CLEANFILES += tests/bench/profile

# make bench: the machine against plain C.
EXTRA_PROGRAMS += tests/bench/machine
BENCHES += tests/bench/machine
EXTRA_LIBRARIES += tests/bench/libsgemm_c.a tests/bench/libfma_c.a
tests_bench_libsgemm_c_a_SOURCES = tests/bench/sgemm_c.c tests/bench/machine_c.h
tests_bench_libfma_c_a_SOURCES = tests/bench/fma_c.c tests/bench/machine_c.h
tests_bench_machine_LDADD = tests/bench/libsgemm_c.a tests/bench/libfma_c.a $(LDADD)
CLEANFILES += tests/bench/machine
EXTRA_DIST += tests/bench/kernels
