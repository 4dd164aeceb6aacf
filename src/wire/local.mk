noinst_LIBRARIES += src/wire/libwire.a
src_wire_libwire_a_SOURCES = \
	src/wire/base64.c src/wire/base64.h \
	src/wire/compile.c \
	src/wire/errors.def src/wire/remedies.def src/wire/messages.def src/wire/kinds.h \
	src/wire/lines.c \
	src/wire/read.c \
	src/wire/sample.c \
	src/wire/stamp.c \
	src/wire/wire.c src/wire/wire.h \
	src/wire/write.c

unit_tests += tests/unit/test_wire
