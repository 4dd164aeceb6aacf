noinst_LIBRARIES += src/launch/liblaunch.a
src_launch_liblaunch_a_SOURCES = src/launch/launch.h \
	src/launch/fill.c \
	src/launch/parse.c \
	src/launch/types.c src/launch/types.h

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_launch
TESTS += tests/unit/test_launch
tests_unit_test_launch_SOURCES = tests/unit/test_launch.c
tests_unit_test_launch_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_launch_LDADD = src/launch/liblaunch.a src/base/libbase.a $(CMOCKA_LIBS)
endif
