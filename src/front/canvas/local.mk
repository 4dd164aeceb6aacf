noinst_LIBRARIES += src/front/canvas/libcanvas.a
src_front_canvas_libcanvas_a_SOURCES = \
	src/front/canvas/ansi.c \
	src/front/canvas/cast.c \
	src/front/canvas/canvas.c src/front/canvas/canvas.h src/front/canvas/glyphs.def src/front/canvas/roles.def \
	src/front/canvas/theme.c src/front/canvas/theme.h src/front/canvas/themes.def src/front/canvas/inks.def \
	src/front/canvas/theme_file.c \
	src/front/canvas/export.c src/front/canvas/export.h \
	src/front/canvas/format.h \
	src/front/canvas/html.c \
	src/front/canvas/svg.c

unit_tests += tests/unit/test_canvas
unit_tests += tests/unit/test_export
unit_tests += tests/unit/test_theme
unit_tests += tests/unit/test_cast
EXTRA_DIST += src/front/canvas/README.md
