noinst_LIBRARIES += src/front/tui/libtui.a
src_front_tui_libtui_a_SOURCES = \
	src/front/tui/debug.c \
	src/front/tui/loop.c src/front/tui/loop.h \
	src/front/tui/notes.c \
	src/front/tui/signals.c \
	src/front/tui/term.c src/front/tui/term.h \
	src/front/tui/term_look.c \
	src/front/tui/term_parts.h \
	src/front/tui/term_read.c \
	src/front/tui/tui.c src/front/tui/tui.h

unit_tests += tests/unit/test_keys tests/unit/test_tui

# The program on terminals, through tmux; skipped where tmux is not installed.
terminal_tests = tests/terminal/lesson.sh tests/terminal/endings.sh tests/terminal/looks.sh tests/terminal/sizes.sh \
	tests/terminal/live.sh tests/terminal/latency.sh tests/terminal/debug.sh tests/terminal/exercise.sh \
	tests/terminal/keys.sh tests/terminal/explore.sh tests/terminal/editor.sh tests/terminal/several.sh tests/terminal/playground.sh tests/terminal/present.sh \
	tests/terminal/questions.sh tests/terminal/reload.sh tests/terminal/long.sh
TESTS += $(terminal_tests)
EXTRA_DIST += $(terminal_tests) tests/terminal/lib.sh tests/terminal/keys.tab
