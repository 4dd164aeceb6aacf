noinst_LIBRARIES += src/gpu/wire/libwire.a
src_gpu_wire_libwire_a_SOURCES = \
	src/gpu/wire/base64.c \
	src/gpu/wire/compile.c \
	src/gpu/wire/errors.def src/gpu/wire/remedies.def src/gpu/wire/messages.def src/gpu/wire/kinds.h \
	src/gpu/wire/lines.c \
	src/gpu/wire/read.c \
	src/gpu/wire/sample.c \
	src/gpu/wire/stamp.c \
	src/gpu/wire/wire.c src/gpu/wire/wire.h \
	src/gpu/wire/write.c

unit_tests += tests/unit/test_wire
