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

unit_tests += tests/unit/test_live
