noinst_LIBRARIES += src/export/libexport.a
src_export_libexport_a_SOURCES = \
	src/export/ansi.c \
	src/export/export.c src/export/export.h \
	src/export/format.h \
	src/export/html.c \
	src/export/svg.c

unit_tests += tests/unit/test_export
