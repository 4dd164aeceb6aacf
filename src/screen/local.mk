noinst_LIBRARIES += src/screen/libscreen.a
src_screen_libscreen_a_SOURCES = \
	src/screen/act.c \
	src/screen/copy.c \
	src/screen/debug.c src/screen/debug.h \
	src/screen/debug_act.c \
	src/screen/debug_code.c \
	src/screen/debug_lanes.c \
	src/screen/debug_memory.c \
	src/screen/debug_parts.h \
	src/screen/debug_registers.c \
	src/screen/debug_variables.c \
	src/screen/ending.c \
	src/screen/finder.c src/screen/finder.h \
	src/screen/flow.c src/screen/flow.h \
	src/screen/help.c \
	src/screen/keybar.c src/screen/keybar.h \
	src/screen/layout.c src/screen/layout.h \
	src/screen/lesson.c \
	src/screen/list.c \
	src/screen/notes.c src/screen/notes.h \
	src/screen/pad.c src/screen/pad.h \
	src/screen/paste.c \
	src/screen/parts.h \
	src/screen/point.c src/screen/point.h \
	src/screen/question.c src/screen/question.h \
	src/screen/settings.c src/screen/settings.h \
	src/screen/script.c src/screen/script.def src/screen/script.h \
	src/screen/slide.c src/screen/slide.h \
	src/screen/stepper.c src/screen/stepper.h \
	src/screen/terms.c src/screen/terms.h \
	src/screen/vote.c \
	src/screen/welcome.c \
	src/screen/screen.c src/screen/screen.h

unit_tests += tests/unit/test_screen tests/unit/test_screens tests/unit/test_storm
attack_unit_tests += tests/unit/test_storm tests/unit/test_debug_screens
unit_tests += tests/unit/test_glossary tests/unit/test_settings
course_unit_tests += tests/unit/test_cover tests/unit/test_question_seen
course_tests += tests/covers.sh
unit_tests += tests/unit/test_debug_screens
tests_unit_test_debug_screens_SOURCES = tests/unit/test_debug_screens.c tests/unit/debug_kernels.h

# The lesson's screens; SIMTTUTOR_UPDATE_GOLDEN=1 make check writes them anew.
EXTRA_DIST += tests/golden/screens tests/golden/debug tests/golden/explore tests/golden/playground

# make bench: the first frame, a key to its screen, memory.
EXTRA_PROGRAMS += tests/bench/bench_frame
BENCHES += tests/bench/bench_frame

# The whole course: what a reader waits for.
EXTRA_PROGRAMS += tests/bench/course
BENCHES += tests/bench/course
