noinst_LIBRARIES += src/base/libbase.a
src_base_libbase_a_SOURCES = \
	src/base/arena.c src/base/arena.h \
	src/base/buf.c src/base/buf.h \
	src/base/clones.h \
	src/base/clock.c src/base/clock.h \
	src/base/confine.c \
	src/base/confine.h src/base/confine_calls.def src/base/installed.def \
	src/base/demangle.c src/base/demangle.h \
	src/base/diag.c src/base/diag.h \
	src/base/elf.c src/base/elf.h src/base/elf64.h \
	src/base/environment.c src/base/environment.h \
	src/base/cksum.c src/base/cksum.h \
	src/base/escape.c src/base/escape.h \
	src/base/expr.c src/base/expr.h src/base/expr_tree.h \
	src/base/file.c src/base/file_write.c src/base/file.h \
	src/base/foreground.c src/base/foreground.h src/base/editors.def \
	src/base/hash.c src/base/hash.h \
	src/base/leash.c src/base/leash_keep.c src/base/leash_reach.c src/base/leash.h \
	src/base/mangled.c src/base/mangled.h \
	src/base/narrow.c src/base/narrow.h \
	src/base/number.c src/base/pack.c src/base/pack.h \
	src/base/paths.c src/base/paths.h \
	src/base/portable.c src/base/portable.h \
	src/base/process.c src/base/process.h \
	src/base/scratch.c src/base/scratch.h \
	src/base/signals.c src/base/signals.h \
	src/base/source.c src/base/source.h \
	src/base/starter.h src/base/starter_children.h \
	src/base/text.c src/base/text.h \
	src/base/utf8.c src/base/utf8.h \
	src/base/vec.c src/base/vec.h \
	src/base/wrap.c src/base/wrap.h
if CONFINES
src_base_libbase_a_SOURCES += src/base/confine_landlock.c src/base/confine_seccomp.c src/base/starter.c src/base/starter_children.c
else
src_base_libbase_a_SOURCES += src/base/confine_none.c
endif

attack_unit_tests += tests/unit/test_confine
unit_tests += tests/unit/test_base tests/unit/test_confine tests/unit/test_file tests/unit/test_leash
if CONFINES
unit_tests += tests/unit/test_filter
endif
tests_unit_test_filter_SOURCES = tests/unit/test_filter.c tests/unit/filter_native.c tests/unit/filter_aarch64.c \
	tests/unit/filter.h tests/unit/filter_table.h
tests_unit_test_filter_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
