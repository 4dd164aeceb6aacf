noinst_LIBRARIES += src/machine/launch/liblaunch.a
src_machine_launch_liblaunch_a_SOURCES = src/machine/launch/launch.h \
	src/machine/launch/fill.c \
	src/machine/launch/parse.c src/machine/launch/parser.h \
	src/machine/launch/struct.c \
	src/machine/launch/tensor.c \
	src/machine/launch/texture.c \
	src/machine/launch/types.c

unit_tests += tests/unit/test_launch
