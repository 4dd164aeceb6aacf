noinst_LIBRARIES += src/export/libexport.a
src_export_libexport_a_SOURCES = \
	src/export/ansi.c \
	src/export/export.c src/export/export.h \
	src/export/format.h \
	src/export/html.c \
	src/export/svg.c

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_export
TESTS += tests/unit/test_export
tests_unit_test_export_SOURCES = tests/unit/test_export.c
tests_unit_test_export_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_export_LDADD = src/export/libexport.a src/view/libview.a src/base/libbase.a $(UTF8PROC_LIBS) $(CMOCKA_LIBS)
endif
