noinst_LIBRARIES += src/canvas/libcanvas.a
src_canvas_libcanvas_a_SOURCES = \
	src/canvas/ansi.c \
	src/canvas/cast.c src/canvas/cast.h \
	src/canvas/canvas.c src/canvas/canvas.h src/canvas/glyphs.def src/canvas/roles.def \
	src/canvas/theme.c src/canvas/theme.h src/canvas/themes.def src/canvas/inks.def \
	src/canvas/theme_file.c src/canvas/theme_file.h \
	src/canvas/export.c src/canvas/export.h \
	src/canvas/format.h \
	src/canvas/html.c \
	src/canvas/svg.c

unit_tests += tests/unit/test_canvas
unit_tests += tests/unit/test_export
unit_tests += tests/unit/test_theme
unit_tests += tests/unit/test_cast
