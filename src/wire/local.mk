noinst_LIBRARIES += src/wire/libwire.a
src_wire_libwire_a_SOURCES = \
	src/wire/base64.c src/wire/base64.h \
	src/wire/compile.c \
	src/wire/errors.def src/wire/remedies.def src/wire/kinds.h \
	src/wire/lines.c \
	src/wire/read.c \
	src/wire/sample.c \
	src/wire/stamp.c \
	src/wire/wire.c src/wire/wire.h \
	src/wire/write.c
src_wire_libwire_a_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_wire
TESTS += tests/unit/test_wire
tests_unit_test_wire_SOURCES = tests/unit/test_wire.c
tests_unit_test_wire_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_wire_LDADD = src/wire/libwire.a src/base/libbase.a $(JANSSON_LIBS) $(UTF8PROC_LIBS) $(CMOCKA_LIBS)
endif

# A fuzz target: by itself it replays the files it is given; built with clang -fsanitize=fuzzer -DFUZZING it is a fuzzer.
check_PROGRAMS += tests/fuzz/fuzz_wire
tests_fuzz_fuzz_wire_SOURCES = tests/fuzz/fuzz_wire.c
tests_fuzz_fuzz_wire_LDADD = src/wire/libwire.a src/base/libbase.a $(JANSSON_LIBS) $(UTF8PROC_LIBS)
TESTS += tests/fuzz/replay-wire.sh
EXTRA_DIST += tests/fuzz/replay-wire.sh tests/fuzz/corpus/wire
