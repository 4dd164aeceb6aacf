noinst_LIBRARIES += src/probe/libprobe.a
src_probe_libprobe_a_SOURCES = \
	src/probe/layout.h \
	src/probe/lines.c src/probe/lines.h \
	src/probe/probe.h \
	src/probe/read.c \
	src/probe/text.c src/probe/text.h \
	src/probe/weave.c src/probe/weave.h \
	src/probe/write.c

unit_tests += tests/unit/test_probe
