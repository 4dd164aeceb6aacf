noinst_LIBRARIES += src/debug/libdebug.a
src_debug_libdebug_a_SOURCES = \
	src/debug/actions.def src/debug/commands.def src/debug/keys.def \
	src/debug/access.c \
	src/debug/actions.c \
	src/debug/breaks.c \
	src/debug/command.c \
	src/debug/cursor.c \
	src/debug/assign.c \
	src/debug/changes.c \
	src/debug/condition.c \
	src/debug/debug.c src/debug/debug.h \
	src/debug/dwarf.c src/debug/dwarf.h src/debug/dwarf_bytes.h \
	src/debug/expression.c \
	src/debug/inspect.c \
	src/debug/keys.c src/debug/keys.h \
	src/debug/line.h \
	src/debug/locate.c \
	src/debug/object.c src/debug/object.h src/debug/object_parts.h \
	src/debug/print.c \
	src/debug/private.h \
	src/debug/program.c src/debug/program.h \
	src/debug/run.c \
	src/debug/text.c \
	src/debug/types.c \
	src/debug/value.c


unit_tests += tests/unit/test_debug
tests_unit_test_debug_SOURCES = tests/unit/test_debug.c tests/unit/debug_kernels.h

unit_tests += tests/unit/test_variables
tests_unit_test_variables_SOURCES = tests/unit/test_variables.c tests/unit/debug_kernels.h

# The kernels that the debugger's tests open, besides those of tests/run.sh.
EXTRA_DIST += tests/run/calls.cu tests/run/calls.ptx tests/run/scan.cu tests/run/scan.ptx tests/run/softmax.cu \
	tests/run/softmax.ptx tests/run/variables.cu tests/run/variables.ptx tests/run/variables-clang.ptx
TESTS += tests/debug.sh
EXTRA_DIST += tests/debug.sh
