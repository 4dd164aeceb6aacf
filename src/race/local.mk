noinst_LIBRARIES += src/race/librace.a
src_race_librace_a_CFLAGS = $(AM_CFLAGS) -ftree-vectorize -Wno-pass-failed
src_race_librace_a_SOURCES = \
	src/race/access.c \
	src/race/async_read.c \
	src/race/barrier.c \
	src/race/cluster.c src/race/cluster.h \
	src/race/compare.c src/race/compare.h \
	src/race/copy.c \
	src/race/detector.h \
	src/race/grid_shadow.c \
	src/race/location.c src/race/location.h \
	src/race/missing.c src/race/missing.h \
	src/race/observe.c src/race/observe.h \
	src/race/pending.c \
	src/race/race.c src/race/race.h \
	src/race/shadow.h \
	src/race/shadow_page.c \
	src/race/shadow_word.c \
	src/race/summary.c \
	src/race/table.c src/race/table.h \
	src/race/thread.c src/race/thread.h \
	src/race/uninitialized.c \
	src/race/vector_clock.c src/race/vector_clock.h
EXTRA_DIST += src/race/README.md

unit_tests += tests/unit/test_race
unit_tests += tests/unit/test_observe
