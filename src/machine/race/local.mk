noinst_LIBRARIES += src/machine/race/librace.a
src_machine_race_librace_a_CFLAGS = $(AM_CFLAGS) -ftree-vectorize -Wno-pass-failed
src_machine_race_librace_a_SOURCES = \
	src/machine/race/access.c \
	src/machine/race/async_read.c \
	src/machine/race/barrier.c \
	src/machine/race/cluster.c src/machine/race/cluster.h \
	src/machine/race/compare.c src/machine/race/compare.h \
	src/machine/race/copy.c \
	src/machine/race/detector.h \
	src/machine/race/grid_shadow.c \
	src/machine/race/location.c src/machine/race/location.h \
	src/machine/race/missing.c src/machine/race/missing.h \
	src/machine/race/observe.c src/machine/race/observe.h \
	src/machine/race/pending.c \
	src/machine/race/race.c src/machine/race/race.h \
	src/machine/race/shadow.h \
	src/machine/race/shadow_page.c \
	src/machine/race/shadow_word.c \
	src/machine/race/summary.c \
	src/machine/race/table.c src/machine/race/table.h \
	src/machine/race/thread.c src/machine/race/thread.h \
	src/machine/race/uninitialized.c \
	src/machine/race/vector_clock.c src/machine/race/vector_clock.h
EXTRA_DIST += src/machine/race/README.md

unit_tests += tests/unit/test_race
unit_tests += tests/unit/test_observe
