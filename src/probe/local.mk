noinst_LIBRARIES += src/probe/libprobe.a
src_probe_libprobe_a_SOURCES = \
	src/probe/activity.c src/probe/activity.def \
	src/probe/layout.h \
	src/probe/lines.c src/probe/lines.h \
	src/probe/probe.h \
	src/probe/read.c \
	src/probe/text.c src/probe/text.h \
	src/probe/timeline.h src/probe/timeline_parts.h \
	src/probe/timeline_blocks.c \
	src/probe/timeline_mask.c \
	src/probe/timeline_plan.c \
	src/probe/timeline_read.c \
	src/probe/timeline_schedule.c \
	src/probe/weave.c src/probe/weave.h \
	src/probe/write.c

EXTRA_DIST += src/probe/README.md

unit_tests += tests/unit/test_probe
unit_tests += tests/unit/test_probe_timeline
