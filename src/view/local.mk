noinst_LIBRARIES += src/view/libview.a
src_view_libview_a_SOURCES = \
	src/view/canvas.c src/view/canvas.h src/view/glyphs.def src/view/roles.def

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_canvas
TESTS += tests/unit/test_canvas
tests_unit_test_canvas_SOURCES = tests/unit/test_canvas.c
tests_unit_test_canvas_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_canvas_LDADD = src/view/libview.a src/base/libbase.a $(UTF8PROC_LIBS) $(CMOCKA_LIBS)
endif
