noinst_LIBRARIES += src/front/screen/libscreen.a
src_front_screen_libscreen_a_SOURCES = \
	src/front/screen/debug.c src/front/screen/debug.h \
	src/front/screen/debug_act.c \
	src/front/screen/debug_code.c \
	src/front/screen/debug_lanes.c \
	src/front/screen/debug_parts.h \
	src/front/screen/debug_registers.c \
	src/front/screen/ending.c \
	src/front/screen/finder.c \
	src/front/screen/flow.c src/front/screen/flow.h \
	src/front/screen/help.c \
	src/front/screen/keybar.c src/front/screen/keybar.h \
	src/front/screen/layout.c \
	src/front/screen/lesson.c \
	src/front/screen/lesson_act.c \
	src/front/screen/list.c \
	src/front/screen/modes.c src/front/screen/modes.h \
	src/front/screen/notes.c \
	src/front/screen/pad.c \
	src/front/screen/parts.h \
	src/front/screen/point.c \
	src/front/screen/question.c \
	src/front/screen/settings.c \
	src/front/screen/script.c src/front/screen/script.def src/front/screen/script.h \
	src/front/screen/slide.c \
	src/front/screen/stepper.c \
	src/front/screen/vote.c \
	src/front/screen/welcome.c \
	src/front/screen/screen.c src/front/screen/screen.h

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
EXTRA_DIST += src/front/screen/README.md
