noinst_LIBRARIES += src/machine/race/librace.a
src_machine_race_librace_a_CFLAGS = $(AM_CFLAGS) -ftree-vectorize -Wno-pass-failed
src_machine_race_librace_a_SOURCES = \
	src/machine/race/access.c \
	src/machine/race/async.c \
	src/machine/race/cluster.c \
	src/machine/race/detector.h \
	src/machine/race/grid_shadow.c \
	src/machine/race/location.c src/machine/race/location.h \
	src/machine/race/missing.h \
	src/machine/race/observe.c \
	src/machine/race/race.c src/machine/race/race.h \
	src/machine/race/shadow.c \
	src/machine/race/thread.c \
	src/machine/race/uninitialized.c \
	src/machine/race/vector_clock.c src/machine/race/vector_clock.h
EXTRA_DIST += src/machine/race/README.md

unit_tests += tests/unit/test_race
unit_tests += tests/unit/test_observe
