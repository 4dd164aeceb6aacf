noinst_LIBRARIES += src/front/debug/libdebug.a
src_front_debug_libdebug_a_SOURCES = \
	src/front/debug/actions.def src/front/debug/commands.def src/front/debug/keys.def \
	src/front/debug/access.c \
	src/front/debug/actions.c \
	src/front/debug/breaks.c \
	src/front/debug/command.c \
	src/front/debug/cursor.c \
	src/front/debug/assign.c \
	src/front/debug/debug.c src/front/debug/debug.h \
	src/front/debug/dwarf.c src/front/debug/dwarf.h \
	src/front/debug/expression.c \
	src/front/debug/keys.c src/front/debug/keys.h \
	src/front/debug/object.c src/front/debug/object.h \
	src/front/debug/private.h \
	src/front/debug/program.c \
	src/front/debug/run.c \
	src/front/debug/text.c \
	src/front/debug/value.c


unit_tests += tests/unit/test_debug
tests_unit_test_debug_SOURCES = tests/unit/test_debug.c tests/unit/debug_kernels.h

unit_tests += tests/unit/test_variables
tests_unit_test_variables_SOURCES = tests/unit/test_variables.c tests/unit/debug_kernels.h

# The kernels that the debugger's tests open, besides those of tests/run.sh.
EXTRA_DIST += tests/run/calls.cu tests/run/calls.ptx tests/run/scan.cu tests/run/scan.ptx tests/run/softmax.cu \
	tests/run/softmax.ptx tests/run/variables.cu tests/run/variables.ptx tests/run/variables-clang.ptx
TESTS += tests/debug.sh
EXTRA_DIST += tests/debug.sh
