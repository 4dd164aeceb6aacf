noinst_LIBRARIES += src/tools/sandbox/libsandbox.a
src_tools_sandbox_libsandbox_a_SOURCES = \
	src/tools/sandbox/confine.c src/tools/sandbox/confine.h src/tools/sandbox/confine_calls.def src/tools/sandbox/installed.def \
	src/tools/sandbox/process.c src/tools/sandbox/process.h \
	src/tools/sandbox/sandbox.c src/tools/sandbox/sandbox_keep.c src/tools/sandbox/sandbox_reach.c src/tools/sandbox/sandbox.h \
	src/tools/sandbox/scratch.c \
	src/tools/sandbox/foreground.c src/tools/sandbox/editors.def src/tools/sandbox/starter.h
if CONFINES
src_tools_sandbox_libsandbox_a_SOURCES += src/tools/sandbox/confine_landlock.c src/tools/sandbox/confine_seccomp.c \
	src/tools/sandbox/starter.c
else
src_tools_sandbox_libsandbox_a_SOURCES += src/tools/sandbox/confine_none.c
endif

attack_unit_tests += tests/unit/test_confine
unit_tests += tests/unit/test_confine tests/unit/test_sandbox
if CONFINES
unit_tests += tests/unit/test_filter
endif
tests_unit_test_filter_SOURCES = tests/unit/test_filter.c tests/unit/filter_native.c tests/unit/filter_aarch64.c \
	tests/unit/filter.h tests/unit/filter_table.h
tests_unit_test_filter_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
EXTRA_DIST += src/tools/sandbox/README.md
