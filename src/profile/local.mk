noinst_LIBRARIES += src/profile/libprofile.a
src_profile_libprofile_a_SOURCES = \
	src/profile/alone.c src/profile/alone.h \
	src/profile/arguments.c src/profile/arguments.h \
	src/profile/cluster.c src/profile/cluster.h \
	src/profile/blame.c src/profile/blame.h \
	src/profile/cost.c src/profile/cost.h \
	src/profile/cubin.c src/profile/cubin.h \
	src/profile/defect.c src/profile/defect.h \
	src/profile/device.c src/profile/device.h \
	src/profile/disassembly.c src/profile/disassembly.h \
	src/profile/estimate.c src/profile/estimate.h \
	src/profile/example.c src/profile/example.h \
	src/profile/machine.c src/profile/loops.c src/profile/pipes.c src/profile/machine.h \
	src/profile/machine_code.c src/profile/machine_code.h src/profile/machine_code_parts.h src/profile/machine_code_blocks.c \
	src/profile/inlined.c src/profile/inlined.h \
	src/profile/pair.c src/profile/pair.h \
	src/profile/profile.c src/profile/profile.h \
	src/profile/resident.c src/profile/resident.h \
	src/profile/times.c src/profile/times.h \
	src/profile/trace.c src/profile/trace.h

EXTRA_DIST += src/profile/README.md

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
