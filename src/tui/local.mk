noinst_LIBRARIES += src/tui/libtui.a
src_tui_libtui_a_SOURCES = \
	src/tui/background.c src/tui/background.h \
	src/tui/base64.c src/tui/base64.h \
	src/tui/debug.c \
	src/tui/keynames.c src/tui/keynames.h \
	src/tui/loop.c src/tui/loop.h \
	src/tui/mouse.c src/tui/mouse.h \
	src/tui/notes.c \
	src/tui/part.h \
	src/tui/signals.c src/tui/signals.h \
	src/tui/term.c src/tui/term.h \
	src/tui/term_look.c \
	src/tui/term_parts.h \
	src/tui/term_read.c \
	src/tui/tui.c src/tui/tui.h

unit_tests += tests/unit/test_keys tests/unit/test_tui

# The program on terminals, through tmux; skipped where tmux is not installed.
terminal_tests = tests/terminal/lesson.sh tests/terminal/endings.sh tests/terminal/looks.sh tests/terminal/sizes.sh \
	tests/terminal/live.sh tests/terminal/latency.sh tests/terminal/debug.sh tests/terminal/exercise.sh \
	tests/terminal/keys.sh tests/terminal/explore.sh tests/terminal/editor.sh tests/terminal/several.sh tests/terminal/playground.sh tests/terminal/present.sh \
	tests/terminal/questions.sh tests/terminal/reload.sh
TESTS += $(terminal_tests)
EXTRA_DIST += $(terminal_tests) tests/terminal/lib.sh tests/terminal/keys.tab
