noinst_LIBRARIES += src/race/librace.a
src_race_librace_a_CFLAGS = $(AM_CFLAGS) -ftree-vectorize -Wno-pass-failed
src_race_librace_a_SOURCES = \
	src/race/access.c \
	src/race/copy.c \
	src/race/detector.h \
	src/race/grid_shadow.c \
	src/race/location.c \
	src/race/race.c src/race/race.h \
	src/race/shadow_page.c \
	src/race/shadow_word.c \
	src/race/thread.c \
	src/race/uninitialized.c \
	src/race/vector_clock.c src/race/vector_clock.h

unit_tests += tests/unit/test_race
