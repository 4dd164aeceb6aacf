noinst_LIBRARIES += src/probe/libprobe.a
src_probe_libprobe_a_SOURCES = \
	src/probe/layout.h \
	src/probe/lines.c src/probe/lines.h \
	src/probe/probe.h \
	src/probe/read.c \
	src/probe/text.c src/probe/text.h \
	src/probe/weave.c src/probe/weave.h \
	src/probe/write.c

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_probe
TESTS += tests/unit/test_probe
tests_unit_test_probe_SOURCES = tests/unit/test_probe.c
tests_unit_test_probe_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_probe_LDADD = src/probe/libprobe.a src/profile/libprofile.a src/simt/libsimt.a src/ptx/libptx.a \
	src/launch/liblaunch.a src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS)
endif
