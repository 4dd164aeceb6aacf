noinst_LIBRARIES += src/dap/libdap.a
src_dap_libdap_a_SOURCES = \
	src/dap/breaks.c \
	src/dap/dap.h \
	src/dap/messages.c \
	src/dap/objects.c \
	src/dap/private.h \
	src/dap/session.c \
	src/dap/show.c \
	src/dap/variables.c

unit_tests += tests/unit/test_dap
TESTS += tests/dap.sh
EXTRA_DIST += tests/dap tests/dap.sh
tests_unit_test_dap_SOURCES = tests/unit/test_dap.c tests/unit/debug_kernels.h
