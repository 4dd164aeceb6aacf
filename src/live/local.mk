noinst_LIBRARIES += src/live/liblive.a
src_live_liblive_a_SOURCES = \
	src/live/activity.c src/live/activity.def \
	src/live/blocks.c \
	src/live/live.h \
	src/live/mask.c \
	src/live/plan.c \
	src/live/private.h \
	src/live/schedule.c \
	src/live/take.c

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_live
TESTS += tests/unit/test_live
tests_unit_test_live_SOURCES = tests/unit/test_live.c
tests_unit_test_live_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_live_LDADD = src/live/liblive.a src/probe/libprobe.a src/ptx/libptx.a src/launch/liblaunch.a \
	src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS)
endif
