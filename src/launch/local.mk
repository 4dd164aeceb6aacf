noinst_LIBRARIES += src/launch/liblaunch.a
src_launch_liblaunch_a_SOURCES = src/launch/launch.h \
	src/launch/fill.c \
	src/launch/parse.c src/launch/parser.h \
	src/launch/struct.c \
	src/launch/tensor.c src/launch/tensor.h \
	src/launch/texture.c src/launch/texture.h \
	src/launch/types.c src/launch/types.h

unit_tests += tests/unit/test_launch
