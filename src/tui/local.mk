noinst_LIBRARIES += src/tui/libtui.a
src_tui_libtui_a_SOURCES = \
	src/tui/keynames.c src/tui/keynames.h \
	src/tui/signals.c src/tui/signals.h \
	src/tui/term.c src/tui/term.h \
	src/tui/tui.c src/tui/tui.h
src_tui_libtui_a_CPPFLAGS = $(AM_CPPFLAGS) $(NCURSESW_CFLAGS)
