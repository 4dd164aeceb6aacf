noinst_LIBRARIES += src/front/dap/libdap.a
src_front_dap_libdap_a_SOURCES = \
	src/front/dap/breaks.c \
	src/front/dap/dap.h \
	src/front/dap/messages.c \
	src/front/dap/objects.c \
	src/front/dap/private.h \
	src/front/dap/session.c \
	src/front/dap/show.c \
	src/front/dap/variables.c

unit_tests += tests/unit/test_dap
TESTS += tests/dap.sh
EXTRA_DIST += tests/dap tests/dap.sh
tests_unit_test_dap_SOURCES = tests/unit/test_dap.c tests/unit/debug_kernels.h
