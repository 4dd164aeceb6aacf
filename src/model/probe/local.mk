noinst_LIBRARIES += src/model/probe/libprobe.a
src_model_probe_libprobe_a_SOURCES = \
	src/model/probe/activity.c src/model/probe/activity.def \
	src/model/probe/lines.c \
	src/model/probe/probe.h \
	src/model/probe/read.c \
	src/model/probe/text.c src/model/probe/private.h \
	src/model/probe/timeline.h \
	src/model/probe/timeline_plan.c \
	src/model/probe/timeline_read.c \
	src/model/probe/weave.c \
	src/model/probe/write.c

EXTRA_DIST += src/model/probe/README.md

unit_tests += tests/unit/test_probe
unit_tests += tests/unit/test_probe_timeline
