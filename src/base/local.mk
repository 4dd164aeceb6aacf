noinst_LIBRARIES += src/base/libbase.a
src_base_libbase_a_SOURCES = \
	src/base/arena.c src/base/arena.h \
	src/base/buf.c src/base/buf.h \
	src/base/clones.h \
	src/base/demangle.c src/base/demangle.h \
	src/base/diag.c src/base/diag.h \
	src/base/elf.c src/base/elf.h \
	src/base/expr.c src/base/expr.h \
	src/base/file.c src/base/file.h \
	src/base/hash.c src/base/hash.h \
	src/base/key.c src/base/key.h src/base/keys.def \
	src/base/narrow.c src/base/narrow.h \
	src/base/pack.c src/base/pack.h \
	src/base/paths.c src/base/paths.h \
	src/base/portable.c src/base/portable.h \
	src/base/text.c src/base/text.h \
	src/base/utf8.c src/base/utf8.h

unit_tests += tests/unit/test_base tests/unit/test_file
EXTRA_DIST += src/base/README.md
